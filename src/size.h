/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_SIZE_H
#define CB_SIZE_H

/* Sizes of a library, in bytes. */
#include <stddef.h>
#include <stdint.h>

#include "elffile.h"
#include "err.h"

/* Section sizes summed over all members of an ar archive. text: executable
 * allocated sections; rodata: allocated, neither writable nor executable (.rodata*, .eh_frame,
 * ...); data: allocated, writable, with bits; bss: allocated, no bits. */
struct section_sizes {
    uint64_t text, rodata, data, bss;
    uint64_t members; /* ELF members seen */
};
int archive_sizes(const char *path, struct section_sizes *out, struct err *e);

/* The same of each ELF member, in the archive's order. Two members may have one name. */
struct object_size {
    char *name;
    uint64_t text, rodata, data, bss;
};
struct object_sizes {
    struct object_size *v;
    size_t n;
};
/* At least one; nothing to free on error. */
int archive_objects(const char *path, struct object_sizes *out, struct err *e);
void object_sizes_add(struct object_sizes *s, struct object_size o); /* takes o.name over */
void object_sizes_free(struct object_sizes *s);

struct library_sizes {
    struct section_sizes archive;
    int have_shared; /* 0: shared_* unset, reason says why */
    char *shared_reason;
    uint64_t shared_stripped; /* file size of the stripped shared object */
    uint64_t shared_gzip;     /* that, gzip -9 */
    uint64_t shared_xz;       /* that, xz -9e (single thread, so the same everywhere) */
};
void library_sizes_free(struct library_sizes *s);

#endif

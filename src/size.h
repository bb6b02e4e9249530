/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_SIZE_H
#define CB_SIZE_H

/* ELF facts and sizes, read with libelf. All sizes in bytes. */
#include <stdint.h>

#include "err.h"
#include "str.h"

struct elf_id {
    int machine; /* e_machine, EM_* of elf.h */
    int bits;    /* 32 or 64 */
    int big;     /* 1: big-endian */
};

/* "AArch64 64-bit little-endian", caller owns. */
char *elf_id_text(const struct elf_id *id);
int elf_id_equal(const struct elf_id *a, const struct elf_id *b);
/* EM_* by the name used in target files ("EM_AARCH64", "EM_ARM", "EM_MIPS",
 * "EM_X86_64", ... every one of elf.h that a libc is likely to exist for), -1 if unknown. */
int elf_machine_by_name(const char *name);
const char *elf_machine_name(int machine); /* "EM_?" when unknown */

struct elf_file {
    struct elf_id id;
    int is_static; /* no PT_INTERP and no DT_NEEDED */
};
int elf_read(const char *path, struct elf_file *out, struct err *e);

/* Section sizes summed over all members of an ar archive. text: executable
 * allocated sections; rodata: allocated, neither writable nor executable (.rodata*, .eh_frame,
 * ...); data: allocated, writable, with bits; bss: allocated, no bits. */
struct section_sizes {
    uint64_t text, rodata, data, bss;
    uint64_t members; /* ELF members seen */
};
int archive_sizes(const char *path, struct section_sizes *out, struct err *e);

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

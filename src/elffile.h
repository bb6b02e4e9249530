/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_ELFFILE_H
#define CB_ELFFILE_H

/* What an ELF file is for, read with libelf. */
#include "err.h"

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
/* Of the first ELF member of an ar archive. */
int elf_read_archive(const char *path, struct elf_id *out, struct err *e);

#endif

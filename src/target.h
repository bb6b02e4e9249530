/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_TARGET_H
#define CB_TARGET_H

/* A machine to build for, and the CPU models it is run on. targets/ (JSON). */
#include <stdint.h>

#include "err.h"
#include "size.h"
#include "str.h"

struct cpu {
    char *name;
    char *summary;
    char *qemu_cpu;  /* for -cpu; NULL: QEMU's default */
    char *core;      /* its pipeline, for core_load; NULL: no table */
    struct list env; /* "K=V": environment of the driver on this model */
    int is_default;
};

struct target {
    char *path; /* file it came from */
    char *name;
    char *summary;
    char *triplet;      /* GNU triplet, e.g. aarch64-linux-gnu */
    char *cross_prefix; /* e.g. "aarch64-linux-gnu-"; "" for a native toolchain's plain names */
    char *configure;    /* OpenSSL Configure target, e.g. linux-aarch64 */
    struct list cflags; /* for library and driver alike, e.g. -march=armv7-a */
    struct elf_id elf;  /* what a driver for it must be */
    char *qemu;         /* user-mode emulator, e.g. qemu-aarch64 */
    struct cpu *cpus;   /* at least one, exactly one default */
    size_t ncpus;
    struct list compiler_packages; /* Debian packages with the cross compiler and libc */
    struct list qemu_packages;
    int in_default_set;
};

int target_load(const char *path, struct target *out, struct err *e);
void target_free(struct target *t);
const struct cpu *target_default_cpu(const struct target *t);
/* Usage error with the list when there is none of that name. */
const struct cpu *target_cpu(const struct target *t, const char *name, struct err *e);
/* 1 when this process's own machine runs t's programs without emulation. */
int target_is_native(const struct target *t);

#endif

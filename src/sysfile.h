/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_SYSFILE_H
#define CB_SYSFILE_H

/*
 * Small files of the kernel, /proc and /sys. root is put before the path: "" on this machine, a
 * directory with a made-up tree in tests. A file that is not there, cannot be read or does not
 * hold what is expected has no value; there are no errors.
 */
#include <stdint.h>

/* The text without white space at its end, caller owns; NULL when there is none. */
char *sysfile_text(const char *root, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* One word of letters, digits, '_' and '-', at most 31 of them; caller owns; else NULL. */
char *sysfile_word(const char *root, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A decimal number of at most max and nothing else. 0, or -1 and *out untouched. */
int sysfile_u64(const char *root, uint64_t max, uint64_t *out, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

#endif

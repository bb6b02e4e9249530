/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_MEM_H
#define CB_MEM_H

/*
 * Memory, with one policy: running out is fatal (message on stderr, exit 1).
 * Every result is owned by the caller and released with free().
 */
#include <stddef.h>

void *xmalloc(size_t n);
void *xcalloc(size_t n, size_t size);
/* Array growth: room for n elements of size bytes, overflow is fatal too. */
void *xreallocarray(void *p, size_t n, size_t size);
/* NULL in, NULL out. */
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif

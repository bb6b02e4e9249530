/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "mem.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *mem_check(void *p)
{
    if (!p) {
        fputs("crypto-bench: out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    return p;
}

/* malloc(0) may return NULL; that is no failure, so never ask for 0. */
static size_t mem_at_least_one(size_t n)
{
    return n ? n : 1;
}

void *xmalloc(size_t n)
{
    return mem_check(malloc(mem_at_least_one(n)));
}

void *xcalloc(size_t n, size_t size)
{
    return mem_check(calloc(mem_at_least_one(n), mem_at_least_one(size)));
}

void *xreallocarray(void *p, size_t n, size_t size)
{
    return mem_check(reallocarray(p, mem_at_least_one(n), mem_at_least_one(size)));
}

char *xstrdup(const char *s)
{
    return s ? mem_check(strdup(s)) : NULL;
}

char *xstrndup(const char *s, size_t n)
{
    return s ? mem_check(strndup(s, n)) : NULL;
}

char *xasprintf(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *s = NULL;
    int n = vasprintf(&s, fmt, ap);
    va_end(ap);
    return mem_check(n < 0 ? NULL : s);
}

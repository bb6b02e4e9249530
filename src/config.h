/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_CONFIG_H
#define CB_CONFIG_H

/* A set of flags to build the library with. configs/ (JSON). */
#include "err.h"
#include "str.h"

struct config {
    char *path;
    char *name;
    char *summary;
    char *baseline;        /* config that this one is compared with; NULL: none */
    struct list cflags;    /* in place of the library's own optimisation flags, e.g. -Os */
    struct list configure; /* further Configure arguments, e.g. no-asm */
    struct list families;  /* of compilers that know these flags, e.g. gcc; empty: all */
    int in_default_set;
    int order; /* place in lists and tables, smaller first */
};

int config_load(const char *path, struct config *out, struct err *e);
void config_free(struct config *c);

#endif

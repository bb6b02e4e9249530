/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_ARENA_H
#define CB_ARENA_H

/* Memory in large pieces, all freed at once. Out of memory is fatal, as in mem.h. */
#include <stddef.h>

struct arena {
    struct arena_piece *pieces; /* the one in use first */
    size_t left;                /* bytes in it */
    char *at;
};

/* n bytes, aligned for anything, not cleared. */
void *arena_take(struct arena *a, size_t n);
void arena_free(struct arena *a);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_SHARD_H
#define CB_SHARD_H

/*
 * One of several parts of a run (run --shard 2/8). All work lies in a line; each shard has one
 * piece of it, of even length. What lies together in the line so stays together, and all shards
 * together are the whole, whatever machines they run on.
 */
#include <stddef.h>
#include <stdint.h>

#include "err.h"

enum { SHARD_MAX = 10000 }; /* shards of a run */

struct shard {
    uint64_t index; /* from 1 */
    uint64_t of;    /* 0: not a part, all */
};

/* "2/8". A usage error otherwise, which says what would be right. */
int shard_parse(const char *text, struct shard *out, struct err *e);

/* Items first to end - 1 of some; none when they are equal. */
struct shard_range {
    size_t first, end;
};

/* The next n items of the line, each of that weight (1 or more), begin at *at, which is advanced
 * to behind them. Those whose middle lies in the shard's piece are the shard's; total: weight of
 * all items of the line, less than 2^48. */
struct shard_range shard_take(const struct shard *s, uint64_t total, uint64_t *at, size_t n,
                              uint64_t weight);

#endif

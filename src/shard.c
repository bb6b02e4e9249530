/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "shard.h"

#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "number.h"

int shard_parse(const char *text, struct shard *out, struct err *e)
{
    const char *slash = strchr(text, '/');
    char *before = xstrndup(text, slash ? (size_t)(slash - text) : strlen(text));
    struct shard s = {0};
    int rc = 0;

    if (!slash || number_u64(before, &s.index) || number_u64(slash + 1, &s.of))
        rc = err_usage(
            e, "--shard '%s': give I/N, the part and how many there are (at most %d), such as 2/8",
            text, SHARD_MAX);
    else if (s.of < 1 || s.of > SHARD_MAX)
        rc = err_usage(e, "--shard '%s': the number of parts, after the '/', is from 1 to %d", text,
                       SHARD_MAX);
    else if (s.index < 1 || s.index > s.of)
        rc = err_usage(e, "--shard '%s': the part, before the '/', is from 1 to %d", text,
                       (int)s.of);
    else
        *out = s;
    free(before);
    return rc;
}

struct shard_range shard_take(const struct shard *s, uint64_t total, uint64_t *at, size_t n,
                              uint64_t weight)
{
    struct shard_range r = {0, 0};

    for (size_t i = 0; i < n; i++, *at += weight) {
        /* in halves, so that the middle is a whole number */
        uint64_t middle = 2 * *at + weight;
        if (s->of && middle * s->of / (2 * total) != s->index - 1)
            continue;
        if (r.first == r.end)
            r.first = i;
        r.end = i + 1;
    }
    return r;
}

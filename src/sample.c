/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "sample.h"

#include <stdlib.h>

#include "mem.h"

void samples_add(struct samples *s, uint64_t ops, uint64_t ns, uint64_t round)
{
    if (s->n == s->cap) {
        s->cap = s->cap ? s->cap * 2 : 16;
        s->v = xreallocarray(s->v, s->cap, sizeof *s->v);
    }
    s->v[s->n++] = (struct sample){ops, ns, round};
}

void samples_free(struct samples *s)
{
    free(s->v);
    *s = (struct samples){0, 0, 0};
}

double sample_ns_per_op(const struct sample *s)
{
    return (double)s->ns / (double)s->ops;
}

double rate_kb_s(double ns_per_op, uint64_t bytes)
{
    /* bytes/ns x 10^9 ns/s / 1000 bytes/kB */
    return (double)bytes * 1e6 / ns_per_op;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "sample.h"

#include <stdlib.h>

#include "mem.h"

void samples_reserve(struct samples *s, size_t n)
{
    if (n > s->cap) {
        s->cap = n;
        s->v = xreallocarray(s->v, s->cap, sizeof *s->v);
    }
}

void samples_add(struct samples *s, uint64_t ops, uint64_t ns, uint64_t round)
{
    samples_add_copy(s, &(struct sample){.ops = ops, .ns = ns, .round = round});
}

void samples_add_copy(struct samples *s, const struct sample *one)
{
    if (s->n == s->cap)
        samples_reserve(s, s->cap ? s->cap * 2 : 16);
    s->v[s->n++] = *one;
}

void samples_free(struct samples *s)
{
    free(s->v);
    *s = (struct samples){0, 0, 0};
}

struct samples *series_at(struct series *s, size_t p)
{
    if (p >= s->n) {
        /* grows by doubling: p is the next one, as a rule */
        if (!(s->n & (s->n - 1)) || p > s->n)
            s->process = xreallocarray(s->process, 2 * p + 1, sizeof *s->process);
        while (s->n <= p)
            s->process[s->n++] = (struct samples){0};
    }
    return &s->process[p];
}

size_t series_count(const struct series *s)
{
    size_t n = 0;

    for (size_t p = 0; p < s->n; p++)
        n += s->process[p].n;
    return n;
}

void series_cut(struct series *s, size_t p)
{
    while (s->n > p)
        samples_free(&s->process[--s->n]);
}

void series_free(struct series *s)
{
    series_cut(s, 0);
    free(s->process);
    *s = (struct series){0};
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

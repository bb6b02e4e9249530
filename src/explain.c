/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "explain.h"

#include <stdlib.h>
#include <string.h>

#include "mem.h"

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

static int change_order(const void *a, const void *b)
{
    const struct change *x = a, *y = b;
    uint64_t dx = distance(x->base, x->now), dy = distance(y->base, y->now);
    if (dx != dy)
        return dx < dy ? 1 : -1;
    return strcmp(x->name, y->name);
}

static const struct insns_function *function_find(const struct insns *i, const char *name)
{
    for (size_t k = 0; k < i->nfunctions; k++)
        if (!strcmp(i->functions[k].name, name))
            return &i->functions[k];
    return NULL;
}

void changes_make(const struct insns *base, const struct insns *now, struct changes *out)
{
    *out = (struct changes){.rest = (int64_t)now->rest - (int64_t)base->rest};
    out->v = xcalloc(base->nfunctions + now->nfunctions + 1, sizeof *out->v);
    for (size_t i = 0; i < base->nfunctions; i++) {
        const struct insns_function *b = &base->functions[i], *n = function_find(now, b->name);
        if (!n || n->insns != b->insns)
            out->v[out->n++] = (struct change){.name = b->name,
                                               .base = b->insns,
                                               .now = n ? n->insns : 0,
                                               .now_unknown = !n && now->rest > 0};
    }
    for (size_t i = 0; i < now->nfunctions; i++) {
        const struct insns_function *n = &now->functions[i];
        if (!function_find(base, n->name))
            out->v[out->n++] =
                (struct change){.name = n->name, .now = n->insns, .base_unknown = base->rest > 0};
    }
    qsort(out->v, out->n, sizeof *out->v, change_order);
}

void changes_free(struct changes *c)
{
    free(c->v);
    *c = (struct changes){0};
}

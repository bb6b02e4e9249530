/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "ledger.h"

#include <stdlib.h>
#include <string.h>

#include "mem.h"

static const struct {
    const char *name;
    size_t offset;
} sections[] = {
    [SECTION_TEXT] = {"text", offsetof(struct object_size, text)},
    [SECTION_RODATA] = {"rodata", offsetof(struct object_size, rodata)},
    [SECTION_DATA] = {"data", offsetof(struct object_size, data)},
    [SECTION_BSS] = {"bss", offsetof(struct object_size, bss)},
};

const char *section_name(enum section s)
{
    return sections[s].name;
}

static uint64_t *section_of(struct object_size *o, size_t s)
{
    return (uint64_t *)(void *)((char *)o + sections[s].offset);
}

static int name_order(const void *a, const void *b)
{
    const struct object_size *x = a, *y = b;
    return strcmp(x->name, y->name);
}

/* A sorted copy, each name once with the sums; names stay the list's. */
static struct object_sizes by_name(const struct object_sizes *from, uint64_t sums[SECTION_COUNT])
{
    struct object_sizes to = {xcalloc(from->n + 1, sizeof *to.v), 0};
    struct object_size *sorted = xcalloc(from->n + 1, sizeof *sorted);
    if (from->n)
        memcpy(sorted, from->v, from->n * sizeof *sorted);
    qsort(sorted, from->n, sizeof *sorted, name_order);
    for (size_t i = 0; i < from->n; i++) {
        if (!to.n || strcmp(to.v[to.n - 1].name, sorted[i].name) != 0)
            to.v[to.n++] = (struct object_size){.name = sorted[i].name};
        for (size_t s = 0; s < SECTION_COUNT; s++) {
            *section_of(&to.v[to.n - 1], s) += *section_of(&sorted[i], s);
            sums[s] += *section_of(&sorted[i], s);
        }
    }
    free(sorted);
    return to;
}

/* One object; a side that lacks it is NULL. */
static void object_add(struct ledger *l, struct object_size *base, struct object_size *now)
{
    for (size_t s = 0; s < SECTION_COUNT; s++) {
        uint64_t b = base ? *section_of(base, s) : 0, n = now ? *section_of(now, s) : 0;
        if (b != n)
            l->v[l->n++] = (struct ledger_row){.object = base ? base->name : now->name,
                                               .section = (enum section)s,
                                               .base = b,
                                               .now = n,
                                               .base_absent = !base,
                                               .now_absent = !now};
    }
}

static uint64_t distance(const struct ledger_row *r)
{
    return r->now > r->base ? r->now - r->base : r->base - r->now;
}

static int row_order(const void *a, const void *b)
{
    const struct ledger_row *x = a, *y = b;
    uint64_t dx = distance(x), dy = distance(y);
    if (dx != dy)
        return dx < dy ? 1 : -1;
    int r = strcmp(x->object, y->object);
    return r ? r : (int)x->section - (int)y->section;
}

void ledger_make(const struct object_sizes *base, const struct object_sizes *now,
                 struct ledger *out)
{
    *out = (struct ledger){0};
    struct object_sizes b = by_name(base, out->base), n = by_name(now, out->now);
    size_t i = 0, k = 0;
    out->v = xcalloc(SECTION_COUNT * (b.n + n.n) + 1, sizeof *out->v);
    while (i < b.n || k < n.n) {
        int r = i == b.n ? 1 : k == n.n ? -1 : strcmp(b.v[i].name, n.v[k].name);
        object_add(out, r <= 0 ? &b.v[i] : NULL, r >= 0 ? &n.v[k] : NULL);
        i += r <= 0;
        k += r >= 0;
    }
    qsort(out->v, out->n, sizeof *out->v, row_order);
    free(b.v);
    free(n.v);
}

void ledger_free(struct ledger *l)
{
    free(l->v);
    *l = (struct ledger){0};
}

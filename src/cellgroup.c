/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "cellgroup.h"

#include <stdlib.h>

#include "mem.h"

/* qsort_r() hands on a data pointer, and a function's is none. */
struct sorting {
    cell_group_order *order;
};

static int cell_order(const void *a, const void *b, void *arg)
{
    const struct result_cell *const *x = a, *const *y = b;
    const struct sorting *s = arg;
    int r = s->order(*x, *y);
    return r ? r : (*x > *y) - (*x < *y);
}

static int first_order(const void *a, const void *b)
{
    const struct cell_group *x = a, *y = b;
    return (x->v[0] > y->v[0]) - (x->v[0] < y->v[0]);
}

void cell_groups_make(const struct result_file *r, cell_group_order *order, struct cell_groups *out)
{
    struct sorting s = {order};
    size_t to;

    *out = (struct cell_groups){0};
    out->cells = xcalloc(r->ncells + 1, sizeof(struct result_cell *));
    out->v = xcalloc(r->ncells + 1, sizeof *out->v);
    for (size_t i = 0; i < r->ncells; i++)
        out->cells[i] = &r->cells[i];
    qsort_r(out->cells, r->ncells, sizeof(struct result_cell *), cell_order, &s);
    for (size_t from = 0; from < r->ncells; from = to) {
        for (to = from + 1; to < r->ncells && !order(out->cells[from], out->cells[to]); to++)
            ;
        out->v[out->n++] = (struct cell_group){&out->cells[from], to - from};
    }
    qsort(out->v, out->n, sizeof *out->v, first_order);
}

void cell_groups_free(struct cell_groups *g)
{
    free(g->v);
    free(g->cells);
    *g = (struct cell_groups){0};
}

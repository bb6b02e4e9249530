/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "block.h"

#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "mem.h"
#include "str.h"

/* Cells of one block are equal in this. */
static int block_order(const struct result_cell *a, const struct result_cell *b)
{
    int r = (a->lane > b->lane) - (a->lane < b->lane);
    if (!r)
        r = strcmp(a->alg, b->alg);
    if (!r)
        r = strcmp(a->op, b->op);
    if (!r)
        r = strcmp(a->library, b->library);
    if (!r)
        r = strcmp(a->compiler, b->compiler);
    return r ? r : strcmp(a->workload, b->workload);
}

static int cell_order(const void *a, const void *b)
{
    const struct result_cell *const *x = a, *const *y = b;
    int r = block_order(*x, *y);
    return r ? r : (*x > *y) - (*x < *y);
}

/* By the first cell: as in the file. */
static int file_order(const void *a, const void *b)
{
    const struct block *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

static size_t row_of(struct block *b, const struct result_build *build)
{
    size_t i = 0;
    while (i < b->nbuilds && b->builds[i] != build)
        i++;
    if (i == b->nbuilds)
        b->builds[b->nbuilds++] = build;
    return i;
}

static size_t column_of(struct block *b, uint64_t bytes)
{
    size_t i = b->nsizes; /* cells come size by size, so the last is the likeliest */
    while (i && b->sizes[i - 1] != bytes)
        i--;
    if (i)
        return i - 1;
    b->sizes[b->nsizes] = bytes;
    return b->nsizes++;
}

static void block_make(const struct result_cell **cells, size_t n, struct block *b)
{
    *b = (struct block){.lane = cells[0]->lane, .first = cells[0]};
    b->builds = xcalloc(n, sizeof(struct result_build *));
    b->sizes = xcalloc(n, sizeof *b->sizes);
    for (size_t i = 0; i < n; i++) {
        row_of(b, cells[i]->build);
        column_of(b, cells[i]->bytes);
    }
    b->cells = xcalloc(b->nbuilds * b->nsizes, sizeof(struct result_cell *));
    for (size_t i = 0; i < n; i++)
        b->cells[row_of(b, cells[i]->build) * b->nsizes + column_of(b, cells[i]->bytes)] = cells[i];
}

void blocks_make(const struct result_file *r, struct blocks *out)
{
    const struct result_cell **sorted = xcalloc(r->ncells + 1, sizeof(struct result_cell *));
    size_t to;

    *out = (struct blocks){0};
    for (size_t i = 0; i < r->ncells; i++)
        sorted[i] = &r->cells[i];
    qsort(sorted, r->ncells, sizeof(struct result_cell *), cell_order);
    for (size_t from = 0; from < r->ncells; from = to) {
        to = from + 1;
        while (to < r->ncells && !block_order(sorted[from], sorted[to]))
            to++;
        if (!(out->n & (out->n - 1))) /* room doubles */
            out->v = xreallocarray(out->v, 2 * out->n + 1, sizeof *out->v);
        block_make(&sorted[from], to - from, &out->v[out->n++]);
    }
    if (out->n)
        qsort(out->v, out->n, sizeof *out->v, file_order);
    free(sorted);
}

void blocks_free(struct blocks *b)
{
    for (size_t i = 0; i < b->n; i++) {
        free(b->v[i].builds);
        free(b->v[i].sizes);
        free(b->v[i].cells);
    }
    free(b->v);
    *b = (struct blocks){0};
}

const struct result_cell *block_cell(const struct block *b, size_t row, size_t column)
{
    return b->cells[row * b->nsizes + column];
}

const struct result_cell *block_row(const struct block *b, size_t row)
{
    size_t column = 0;
    while (!block_cell(b, row, column))
        column++;
    return block_cell(b, row, column);
}

int block_fit(const struct block *b, size_t row, struct line_fit *out)
{
    uint64_t *bytes = xcalloc(b->nsizes, sizeof *bytes), *insns = xcalloc(b->nsizes, sizeof *insns);
    size_t n = 0;
    for (size_t s = 0; s < b->nsizes; s++) {
        const struct result_cell *c = block_cell(b, row, s);
        if (!c || !c->insns.counted)
            continue;
        bytes[n] = c->bytes;
        insns[n++] = c->insns.per_op;
    }
    int rc = line_fit(bytes, insns, n, out);
    free(bytes);
    free(insns);
    return rc;
}

char *block_heading(const struct block *b, const char *format)
{
    const struct result_build *x = b->builds[0];
    const struct result_lane *l = b->lane;
    int known = x->family && x->cc_version;
    const char *raw[] = {b->first->alg,
                         b->first->op,
                         b->first->workload,
                         l->target,
                         x->library,
                         known ? x->family : x->cc,
                         l->cpu[0] ? l->cpu : NULL,
                         x->version,
                         known ? x->cc_version : NULL};
    enum { ALG, OP, WORKLOAD, TARGET, LIBRARY, CC, CPU, VERSION, CC_VERSION };
    struct list s = LIST_INIT;

    escape_names(&s, raw, sizeof raw / sizeof *raw, format);
    char *text =
        xasprintf("%s %s, %s: %s%s%s, %s%s%s, %s%s%s", s.v[ALG], s.v[OP], s.v[WORKLOAD],
                  s.v[TARGET], raw[CPU] ? " " : "", s.v[CPU], s.v[LIBRARY], raw[VERSION] ? " " : "",
                  s.v[VERSION], s.v[CC], raw[CC_VERSION] ? " " : "", s.v[CC_VERSION]);
    list_free(&s);
    return text;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "export_format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "mem.h"

/* One table is what `openssl speed` of one build would print, with algorithms as rows. */
static int group_order(const struct result_cell *a, const struct result_cell *b)
{
    int r = (a->lane > b->lane) - (a->lane < b->lane);
    if (!r)
        r = (a->build > b->build) - (a->build < b->build);
    if (!r)
        r = strcmp(a->workload, b->workload);
    return r ? r : strcmp(a->op, b->op);
}

static int cell_order(const void *a, const void *b)
{
    const struct result_cell *const *x = a, *const *y = b;
    int r = group_order(*x, *y);
    if (!r)
        r = strcmp((*x)->alg, (*y)->alg);
    if (!r)
        r = ((*x)->bytes > (*y)->bytes) - ((*x)->bytes < (*y)->bytes);
    return r ? r : (*x > *y) - (*x < *y);
}

static int size_order(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void line_print(FILE *f, const char *label, char *text)
{
    char *safe = escape_text(text);
    fprintf(f, "%s: %s\n", label, safe);
    free(safe);
    free(text);
}

/* The lines that stand before the table there: what it is of. */
static void heading_print(FILE *f, const struct result_cell *c)
{
    const struct result_build *b = c->build;
    const struct result_lane *l = c->lane;
    line_print(
        f, "version",
        xasprintf("%s%s%s", b->library, b->version ? " " : "", b->version ? b->version : ""));
    line_print(f, "options",
               xasprintf("config %s, %s, %s, on %s%s%s by %s%s", b->config, c->workload, c->op,
                         l->target, l->cpu[0] ? " " : "", l->cpu, l->runner,
                         c->emulated ? ", EMULATED TIME (no measure of the real CPU)" : ""));
    line_print(f, "compiler",
               b->family && b->cc_version ? xasprintf("%s %s", b->family, b->cc_version)
                                          : xstrdup(b->cc));
}

/* A rate as there: in thousands of bytes from 10000 bytes a second up. */
static void rate_print(FILE *f, const struct result_cell *c)
{
    double bytes_s = 1e3 * rate_kb_s(c->time.median, c->bytes);
    if (bytes_s > 10000)
        fprintf(f, " %11.2fk", bytes_s / 1e3);
    else
        fprintf(f, " %11.2f ", bytes_s);
}

/* Widths are those of apps/speed.c. */
static void group_print(FILE *f, const struct result_cell **cells, size_t n)
{
    uint64_t *sizes = xcalloc(n, sizeof *sizes);
    size_t nsizes = 0, i = 0;

    for (size_t k = 0; k < n; k++)
        sizes[k] = cells[k]->bytes;
    qsort(sizes, n, sizeof *sizes, size_order);
    for (size_t k = 0; k < n; k++)
        if (!k || sizes[k] != sizes[nsizes - 1])
            sizes[nsizes++] = sizes[k];
    heading_print(f, cells[0]);
    fputs("The 'numbers' are in 1000s of bytes per second processed.\ntype        ", f);
    for (size_t s = 0; s < nsizes; s++)
        fprintf(f, "%7" PRIu64 " bytes", sizes[s]);
    fputc('\n', f);
    while (i < n) {
        const char *alg = cells[i]->alg;
        char *name = escape_text(alg);
        fprintf(f, "%-13s", name);
        free(name);
        for (size_t s = 0; s < nsizes; s++) {
            if (i < n && !strcmp(cells[i]->alg, alg) && cells[i]->bytes == sizes[s])
                rate_print(f, cells[i++]);
            else
                fprintf(f, " %11s ", "-");
        }
        fputc('\n', f);
    }
    free(sizes);
}

int export_openssl_speed(FILE *f, const struct export *x, struct err *e)
{
    int any = 0;
    for (size_t i = 0; i < x->n; i++) {
        const struct result_file *r = &x->files[i];
        const struct result_cell **cells = xcalloc(r->ncells + 1, sizeof(struct result_cell *));
        size_t n = 0, to;
        for (size_t k = 0; k < r->ncells; k++)
            if (r->cells[k].time.n)
                cells[n++] = &r->cells[k];
        qsort(cells, n, sizeof(struct result_cell *), cell_order);
        for (size_t from = 0; from < n; from = to) {
            for (to = from; to < n && !group_order(cells[from], cells[to]); to++)
                ;
            if (any)
                fputc('\n', f);
            group_print(f, cells + from, to - from);
            any = 1;
        }
        free(cells);
    }
    return any ? 0
               : err_set(e,
                         "openssl-speed: no cell of '%s' has a time, and this format tells "
                         "nothing else; measure with --metric time, or take another format",
                         x->files[0].path);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "modelledtable.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "grid.h"
#include "mem.h"
#include "prediction.h"

static const struct prediction *prediction_at(const struct block *b, size_t row, size_t column)
{
    const struct result_cell *c = block_cell(b, row, column);
    return c && c->modelled.known ? &c->modelled : NULL;
}

/* Some prediction of the block; NULL: it has none. */
static const struct prediction *any_prediction(const struct block *b)
{
    for (size_t i = 0; i < b->nbuilds * b->nsizes; i++)
        if (b->cells[i] && b->cells[i]->modelled.known)
            return &b->cells[i]->modelled;
    return NULL;
}

static char *cycles_text(const struct prediction *p, uint64_t bytes)
{
    if (!p || p->band < 0)
        return xstrdup("-");
    return xasprintf("%.2f", (double)p->cycles / (double)bytes);
}

static char *ratio_text(const struct result_cell *c)
{
    const struct result_cell *base = c ? c->baseline : NULL;
    if (!base || !c->modelled.known || !base->modelled.known)
        return xstrdup("-");
    char *mismatch = prediction_mismatch(&base->modelled, &c->modelled);
    if (mismatch) {
        free(mismatch);
        return xstrdup("-");
    }
    return prediction_ratio_text(prediction_ratio(&base->modelled, &c->modelled));
}

/* Column of the largest block. */
static size_t largest(const struct block *b)
{
    size_t column = 0;
    for (size_t s = 1; s < b->nsizes; s++)
        if (b->sizes[s] > b->sizes[column])
            column = s;
    return column;
}

static char *insns_text(const struct result_cell *c)
{
    if (!c || !c->insns.counted)
        return xstrdup("-");
    return xasprintf("%.2f", (double)c->insns.per_op / (double)c->bytes);
}

static char *insns_ratio_text(const struct result_cell *c)
{
    const struct result_cell *base = c ? c->baseline : NULL;
    if (!base || !c->insns.counted || !base->insns.counted)
        return xstrdup("-");
    return xasprintf("%.2fx", (double)c->insns.per_op / (double)base->insns.per_op);
}

static void head_add(struct grid *g, const struct block *b)
{
    grid_add(g, xstrdup("config"));
    for (size_t s = 0; s < b->nsizes; s++)
        grid_add(g, xasprintf("%" PRIu64 " B", b->sizes[s]));
}

static void row_add(struct grid *g, const struct block *b, size_t row, const char *format)
{
    const struct result_cell *any = block_row(b, row);
    const struct result_cell *last = block_cell(b, row, largest(b));

    grid_add(g, escape_name(any->config, format));
    for (size_t s = 0; s < b->nsizes; s++)
        grid_add(g, cycles_text(prediction_at(b, row, s), b->sizes[s]));
    grid_add(g, insns_text(last));
    if (!any->baseline)
        return;
    char *base = escape_name(any->baseline->config, format);
    grid_add(g, xasprintf("  vs %s", base));
    free(base);
    for (size_t s = 0; s < b->nsizes; s++)
        grid_add(g, ratio_text(block_cell(b, row, s)));
    grid_add(g, insns_ratio_text(last));
}

/* The same for all rows: it goes by core and size. */
static void band_add(struct grid *g, const struct block *b)
{
    grid_add(g, xstrdup("band"));
    for (size_t s = 0; s < b->nsizes; s++) {
        const struct prediction *p = NULL;
        for (size_t row = 0; row < b->nbuilds && !p; row++)
            p = prediction_at(b, row, s);
        grid_add(g, p ? prediction_band_text(p) : xstrdup("-"));
    }
    grid_add(g, xstrdup("exact"));
}

static void heading_print(FILE *f, const struct block *b, const char *what, const char *format)
{
    int markdown = !strcmp(format, "markdown");
    char *heading = block_heading(b, format);
    fprintf(f, "%s%s; %s\n%s", markdown ? "### " : "", heading, what, markdown ? "\n" : "");
    free(heading);
}

/* Share and names of the row that knew the fewest. */
static void unknown_print(FILE *f, const struct block *b, const char *format)
{
    const struct prediction *most = NULL;
    for (size_t i = 0; i < b->nbuilds * b->nsizes; i++) {
        const struct prediction *p = b->cells[i] ? &b->cells[i]->modelled : NULL;
        if (p && p->known && p->unknown &&
            (!most ||
             (double)p->unknown / (double)p->insns > (double)most->unknown / (double)most->insns))
            most = p;
    }
    if (!most) {
        fputs("Unknown instructions: none.\n", f);
        return;
    }
    char *names = escape_name(most->unknown_names ? most->unknown_names : "no names known", format);
    fprintf(f, "Unknown instructions: up to %.3g%% (%s), taken for plain ones.\n",
            100 * (double)most->unknown / (double)most->insns, names);
    free(names);
}

static int cycles_print(FILE *f, const struct block *b, const char *label, const char *format)
{
    struct grid g;
    char *what = xasprintf("%s; cycles/byte", label);

    grid_start(&g, b->nsizes + 2);
    head_add(&g, b);
    grid_add(&g, xasprintf("insns/byte, %" PRIu64 " B", b->sizes[largest(b)]));
    for (size_t row = 0; row < b->nbuilds; row++)
        row_add(&g, b, row, format);
    band_add(&g, b);
    heading_print(f, b, what, format);
    int rc = grid_print(f, &g, format);
    if (!rc && !strcmp(format, "markdown"))
        fputc('\n', f); /* or the line would be a row */
    if (!rc)
        unknown_print(f, b, format);
    fputc('\n', f);
    grid_free(&g);
    free(what);
    return rc;
}

static int estimate_print(FILE *f, const struct block *b, double mhz, const char *label,
                          const char *format)
{
    struct grid g;
    char *what = xasprintf("kB/s, estimate at %g MHz from %s", mhz, label);

    grid_start(&g, b->nsizes + 1);
    head_add(&g, b);
    for (size_t row = 0; row < b->nbuilds; row++) {
        grid_add(&g, escape_name(block_row(b, row)->config, format));
        for (size_t s = 0; s < b->nsizes; s++) {
            const struct prediction *p = prediction_at(b, row, s);
            grid_add(&g, p && p->band >= 0 ? xasprintf("%.0f", prediction_rate(p, b->sizes[s], mhz))
                                           : xstrdup("-"));
        }
    }
    heading_print(f, b, what, format);
    int rc = grid_print(f, &g, format);
    fputc('\n', f);
    grid_free(&g);
    free(what);
    return rc;
}

int modelled_tables_print(FILE *f, const struct block *b, double mhz, const char *format)
{
    const struct prediction *any = any_prediction(b);
    if (!any)
        return 0;
    char *label = prediction_label_for(any, format);
    int rc = cycles_print(f, b, label, format);
    if (!rc && mhz > 0)
        rc = estimate_print(f, b, mhz, label, format);
    free(label);
    return rc;
}

void modelled_legend_print(FILE *f, const struct result_file *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->ncells; i++)
        n += r->cells[i].modelled.known ? 1u : 0u;
    if (n)
        fputs("Modelled cycles are what a published pipeline table makes of the instructions: no "
              "clock had\n"
              "a part in them. band: how far they may be off; - in a column: fit for ratios only. "
              "Ratios: over\n"
              "1 is slower; below 5% either way they are too close to call.\n",
              f);
}

static int is_without(const struct result_cell *c)
{
    return !c->modelled.known && c->modelled.reason && !strcmp(c->status, "ok");
}

void modelled_reasons_print(FILE *f, const struct result_file *r, const char *format)
{
    char *done = xcalloc(r->ncells + 1, 1);
    for (size_t i = 0; i < r->ncells; i++) {
        const struct result_cell *c = &r->cells[i];
        size_t same = 0;
        if (done[i] || !is_without(c))
            continue;
        for (size_t k = i; k < r->ncells; k++) {
            const struct result_cell *x = &r->cells[k];
            if (!is_without(x) || x->lane != c->lane ||
                strcmp(x->modelled.reason, c->modelled.reason))
                continue;
            done[k] = 1;
            same++;
        }
        const char *raw[] = {c->target, c->cpu[0] ? c->cpu : NULL, c->config, c->modelled.reason};
        struct list s = LIST_INIT;
        escape_names(&s, raw, sizeof raw / sizeof *raw, format);
        fprintf(f, "%sno modelled cycles: %s%s%s (%zu cells, first %s %s %s %" PRIu64 " B): %s\n",
                strcmp(format, "markdown") ? "" : "- ", s.v[0], raw[1] ? " " : "", s.v[1], same,
                s.v[2], c->alg, c->op, c->bytes, s.v[3]);
        list_free(&s);
    }
    free(done);
}

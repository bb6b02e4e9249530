/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <inttypes.h>
#include <libsmartcols/libsmartcols.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "str.h"
#include "table.h"

/*
 * A block: the cells of one lane, library, compiler, algorithm and operation.
 * Rows are configs, columns block sizes; below each row stands its change
 * against its baseline.
 */
struct block {
    const struct lane *lane;
    const struct cell *first;   /* of the block's first row of cells */
    size_t build_from, nbuilds; /* which builds of the lane */
    size_t nsizes;
};

static const struct cell *block_cell(const struct block *b, size_t build, size_t size)
{
    return b->first + size * b->lane->nbuilds + b->build_from + build;
}

/* Change in per cent of `now` against `base`, signed; "~" before it when noise
 * alone may explain it. */
static char *change_text(double percent, int unclear)
{
    return xasprintf("%s%+.1f%%", unclear ? "~" : "", percent);
}

static char *speed_change(const struct cell *c)
{
    const struct estimate *r = &c->ratio;
    if (!r->n)
        return xstrdup("-");
    /* speed is the inverse of time */
    return change_text(100 * (1 / r->median - 1),
                       !r->have_interval || (r->low <= 1 && r->high >= 1));
}

static char *speed_text(const struct cell *c)
{
    if (c->status != STATUS_OK || !c->time.n)
        return xstrdup("-");
    return xasprintf("%.0f", rate_kb_s(c->time.median, c->bytes));
}

static uint64_t stripped_size(const struct build *b)
{
    return b->status == STATUS_OK && b->facts.sizes.have_shared ? b->facts.sizes.shared_stripped
                                                                : 0;
}

static char *size_change(const struct cell *c)
{
    uint64_t now = stripped_size(c->build),
             base = c->baseline ? stripped_size(c->baseline->build) : 0;
    if (!now || !base)
        return xstrdup("-");
    return change_text(100 * ((double)now / (double)base - 1), 0);
}

/* A grid of strings, so that both formats print the same. */
struct grid {
    char **v; /* rows x columns, owned */
    size_t columns, rows;
};

static void grid_add(struct grid *g, char *text)
{
    size_t n = 0;
    while (g->v && n < g->rows * g->columns && g->v[n])
        n++;
    g->v[n] = text;
}

static struct grid grid_make(const struct block *b)
{
    struct grid g = {.columns = b->nsizes + 2, .rows = 1};
    for (size_t i = 0; i < b->nbuilds; i++)
        g.rows += block_cell(b, i, 0)->baseline ? 2 : 1;
    g.v = xcalloc(g.rows * g.columns, sizeof *g.v);
    grid_add(&g, xstrdup("config"));
    for (size_t s = 0; s < b->nsizes; s++)
        grid_add(&g, xasprintf("%" PRIu64 " B", block_cell(b, 0, s)->bytes));
    grid_add(&g, xstrdup("stripped"));
    for (size_t i = 0; i < b->nbuilds; i++) {
        const struct cell *row = block_cell(b, i, 0);
        uint64_t size = stripped_size(row->build);
        grid_add(&g, xstrdup(row->build->config->name));
        for (size_t s = 0; s < b->nsizes; s++)
            grid_add(&g, speed_text(block_cell(b, i, s)));
        grid_add(&g, size ? xasprintf("%" PRIu64, size) : xstrdup("-"));
        if (!row->baseline)
            continue;
        grid_add(&g, xasprintf("  vs %s", row->baseline->build->config->name));
        for (size_t s = 0; s < b->nsizes; s++)
            grid_add(&g, speed_change(block_cell(b, i, s)));
        grid_add(&g, size_change(row));
    }
    return g;
}

static void grid_free(struct grid *g)
{
    for (size_t i = 0; i < g->rows * g->columns; i++)
        free(g->v[i]);
    free(g->v);
}

static int grid_print_text(FILE *f, const struct grid *g)
{
    struct libscols_table *t = scols_new_table();
    int rc = -1;
    char *text = NULL;

    if (!t)
        return -1;
    for (size_t c = 0; c < g->columns; c++)
        if (!scols_table_new_column(t, g->v[c], 0, c ? SCOLS_FL_RIGHT : 0))
            goto out;
    for (size_t r = 1; r < g->rows; r++) {
        struct libscols_line *line = scols_table_new_line(t, NULL);
        if (!line)
            goto out;
        for (size_t c = 0; c < g->columns; c++)
            if (scols_line_set_data(line, c, g->v[r * g->columns + c]))
                goto out;
    }
    if (scols_table_set_column_separator(t, "  ") || scols_print_table_to_string(t, &text))
        goto out;
    fputs(text, f);
    if (text[0] && text[strlen(text) - 1] != '\n')
        fputc('\n', f);
    rc = 0;
out:
    free(text);
    scols_unref_table(t);
    return rc;
}

static int grid_print_markdown(FILE *f, const struct grid *g)
{
    for (size_t r = 0; r < g->rows; r++) {
        fputc('|', f);
        for (size_t c = 0; c < g->columns; c++) {
            const char *v = g->v[r * g->columns + c];
            fprintf(f, " %s |", v + strspn(v, " "));
        }
        fputc('\n', f);
        if (r)
            continue;
        for (size_t c = 0; c < g->columns; c++)
            fputs(c ? "---:|" : "|---|", f);
        fputc('\n', f);
    }
    return 0;
}

static const struct table_format {
    const char *name, *before, *after;
    int (*print)(FILE *f, const struct grid *g);
} formats[] = {
    {"table", "", "", grid_print_text},
    {"markdown", "### ", "\n", grid_print_markdown},
};

static void block_heading(FILE *f, const struct block *b, const char *workload,
                          const struct table_format *format)
{
    const struct lane *l = b->lane;
    const struct build *x = block_cell(b, 0, 0)->build;
    const struct compiler *cc = x->compiler;

    fprintf(f, "%s%s %s, %s: %s", format->before, b->first->alg->name, b->first->op, workload,
            l->target->name);
    if (l->cpu)
        fprintf(f, " %s", l->cpu->name);
    fprintf(f, ", %s %s, ", x->library->name, x->library->version ? x->library->version : "");
    if (cc && cc->family)
        fprintf(f, "%s %s", cc->family, cc->version);
    else
        fputs(x->cc_word, f);
    fprintf(f, "; kB/s%s\n%s",
            l->runner.emulated ? ", EMULATED TIME (no measure of the real CPU)" : "",
            format->after);
}

/* What kept cells from having a number, each cause once with how many cells. */
static void failures_print(FILE *f, const struct plan *p)
{
    struct list seen = LIST_INIT;
    for (size_t i = 0; i < p->nlanes; i++) {
        const struct lane *l = &p->lanes[i];
        for (size_t k = 0; k < l->ncells; k++) {
            const struct cell *c = &l->cells[k];
            size_t same = 0;
            if (c->status == STATUS_OK)
                continue;
            char *key = xasprintf("%zu %s %d %s", i, c->build->id, (int)c->status,
                                  c->reason ? c->reason : "");
            if (!list_has(&seen, key)) {
                list_add(&seen, key);
                for (size_t m = k; m < l->ncells; m++) {
                    const struct cell *o = &l->cells[m];
                    same += o->build == c->build && o->status == c->status &&
                            !strcmp(o->reason ? o->reason : "", c->reason ? c->reason : "");
                }
                fprintf(f, "%s: %s (%zu of its %zu cells, first %s %s %" PRIu64 " B): %s\n",
                        status_name(c->status), c->build->id, same, l->ncells / l->nbuilds,
                        c->alg->name, c->op, c->bytes, c->reason ? c->reason : "no reason known");
                if (c->build->log)
                    fprintf(f, "  log: %s\n", c->build->log);
            }
            free(key);
        }
    }
    list_free(&seen);
}

static int block_print(FILE *f, const struct block *b, const char *workload,
                       const struct table_format *format)
{
    struct grid g = grid_make(b);
    block_heading(f, b, workload, format);
    int rc = format->print(f, &g);
    fputc('\n', f);
    grid_free(&g);
    return rc;
}

/* Builds of a lane stand library by library and compiler by compiler. */
static size_t group_end(const struct lane *l, size_t from)
{
    size_t i = from;
    while (i < l->nbuilds && l->builds[i]->library == l->builds[from]->library &&
           l->builds[i]->compiler == l->builds[from]->compiler)
        i++;
    return i;
}

static size_t row_sizes(const struct lane *l, size_t at)
{
    size_t n = 1;
    const struct cell *c = &l->cells[at];
    while (at + n * l->nbuilds < l->ncells && c[n * l->nbuilds].alg == c->alg &&
           !strcmp(c[n * l->nbuilds].op, c->op))
        n++;
    return n;
}

static int lane_print(FILE *f, const struct plan *p, const struct lane *l,
                      const struct table_format *format)
{
    size_t nsizes;
    for (size_t at = 0; at < l->ncells; at += nsizes * l->nbuilds) {
        size_t to;
        nsizes = row_sizes(l, at);
        for (size_t from = 0; from < l->nbuilds; from = to) {
            to = group_end(l, from);
            struct block b = {l, &l->cells[at], from, to - from, nsizes};
            if (block_print(f, &b, p->workload, format))
                return -1;
        }
    }
    return 0;
}

int table_print(FILE *f, const struct plan *p, const char *format)
{
    const struct table_format *row = NULL;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (!strcmp(formats[i].name, format))
            row = &formats[i];
    if (!row)
        return -1;
    for (size_t i = 0; i < p->nlanes; i++)
        if (lane_print(f, p, &p->lanes[i], row))
            return -1;
    fputs("1 kB = 1000 bytes. stripped: bytes of the stripped shared library. ~ before a change:\n"
          "noise alone may explain it (its 95% interval holds zero).\n",
          f);
    failures_print(f, p);
    return ferror(f) ? -1 : 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/* Throughput, or instructions per byte, against block size. */
#include "plot_make.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "block.h"
#include "mem.h"

/* Sizes nearer to each other than that, as a ratio, have marks that would touch. */
static const double near_sizes = 1.6;

static int size_order(const void *a, const void *b)
{
    const struct plot_point *x = a, *y = b;
    return (x->x > y->x) - (x->x < y->x);
}

static int row_has(const struct block *b, enum figure f, size_t row)
{
    struct figure_value v;
    for (size_t s = 0; s < b->nsizes; s++)
        if (block_cell(b, row, s) && !figure_of(block_cell(b, row, s), f, &v))
            return 1;
    return 0;
}

static void row_draw(const struct block *b, enum figure f, size_t row, struct plot_panel *p)
{
    const struct result_build *build = b->builds[row];
    struct plot_line *line =
        plot_line_add(p,
                      xasprintf("%s%s%s%s", build->config, build->side ? " (" : "",
                                build->side ? build->side : "", build->side ? ")" : ""),
                      PLOT_JOINED);
    for (size_t s = 0; s < b->nsizes; s++) {
        const struct result_cell *c = block_cell(b, row, s);
        struct figure_value v;
        if (c && !figure_of(c, f, &v))
            plot_point_add(line, (struct plot_point){.x = (double)c->bytes,
                                                     .y = v.y,
                                                     .low = v.low,
                                                     .high = v.high,
                                                     .have_interval = v.have_interval});
    }
    qsort(line->v, line->n, sizeof *line->v, size_order);
}

/* Every block size that was measured is a mark. */
static void tics_add(const struct block *b, struct plot_panel *p)
{
    for (size_t s = 0; s < b->nsizes; s++) {
        plot_tic_add(p, (double)b->sizes[s], xasprintf("%" PRIu64, b->sizes[s]));
        for (size_t k = 0; k < s; k++)
            p->turned |= fabs(log((double)b->sizes[s] / (double)b->sizes[k])) < log(near_sizes);
    }
}

/* Rows from `row` on, as many as a panel takes; returns the row after them. */
static size_t panel_draw(const struct block *b, enum figure f, size_t row, char *title,
                         struct plot *out)
{
    struct plot_panel *p =
        plot_panel_add(out, title, plot_toolchain(b->builds[0], 1), plot_note(f, b->lane));
    p->lane = b->lane;
    p->target = b->lane->target;
    p->alg = b->first->alg;
    p->x_label = xstrdup("block size, bytes (log scale)");
    p->y_label = figure_label(f);
    p->log_x = p->log_y = 1;
    tics_add(b, p);
    for (; row < b->nbuilds && p->nlines < PLOT_LINES; row++)
        if (row_has(b, f, row))
            row_draw(b, f, row, p);
    while (row < b->nbuilds && !row_has(b, f, row))
        row++;
    return row;
}

static void block_draw(const struct block *b, const struct list *metric, const char *prefix,
                       struct plot *out, size_t file)
{
    for (size_t f = 0; f < FIGURE_COUNT; f++) {
        if (!figure_wanted((enum figure)f, metric, b->cells, b->nbuilds * b->nsizes))
            continue;
        size_t part = 1;
        for (size_t row = 0; row < b->nbuilds; part++) {
            char *machine = plot_machine(b->lane);
            char *more = part > 1 ? xasprintf(" (part %zu)", part) : xstrdup("");
            row = panel_draw(b, (enum figure)f, row,
                             xasprintf("%s%s %s, %s: %s%s", prefix, b->first->alg, b->first->op,
                                       b->first->workload, machine, more),
                             out);
            out->v[out->n - 1].file = file;
            free(machine);
            free(more);
        }
    }
}

void plot_block_size(const struct result_file *files, size_t n, const struct list *metric,
                     struct plot *out)
{
    for (size_t i = 0; i < n; i++) {
        struct blocks all;
        char *prefix = plot_file_prefix(files, n, i);
        blocks_make(&files[i], &all);
        for (size_t k = 0; k < all.n; k++)
            block_draw(&all.v[k], metric, prefix, out, i);
        blocks_free(&all);
        free(prefix);
    }
}

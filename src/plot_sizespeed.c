/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/* Speed, or instructions, against the size of the library: all configs of a target. */
#include "plot_make.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "mem.h"
#include "pareto.h"
#include "str.h"

enum { MOST_NAMES = 12 }; /* on the front, and as many beside it; of more, only how many */

/* Blocks of one lane, workload and library. */
struct group {
    const struct block **blocks;
    size_t n;
    const struct result_build **builds;
    size_t nbuilds;
    const struct result_cell **works; /* one cell of each algorithm, operation and size */
    size_t nworks, nalgs, nops, nsizes;
};

/* A build in the picture. */
struct spot {
    const struct result_build *build;
    double kb;             /* of code and data */
    struct figure_value v; /* the geometric mean over all works */
};

struct spots {
    struct spot *v;
    size_t n;
    enum figure figure;
    struct str left_out; /* names of builds that lack a number or a size */
};

static int same_group(const struct block *a, const struct block *b)
{
    return a->lane == b->lane && !strcmp(a->first->workload, b->first->workload) &&
           !strcmp(a->first->library, b->first->library);
}

static int same_work(const struct result_cell *a, const struct result_cell *b)
{
    return a->bytes == b->bytes && !strcmp(a->alg, b->alg) && !strcmp(a->op, b->op);
}

static int same_alg(const struct result_cell *a, const struct result_cell *b)
{
    return !strcmp(a->alg, b->alg);
}

static int same_op(const struct result_cell *a, const struct result_cell *b)
{
    return !strcmp(a->op, b->op);
}

static int same_size(const struct result_cell *a, const struct result_cell *b)
{
    return a->bytes == b->bytes;
}

static void build_add(struct group *g, const struct result_build *build)
{
    for (size_t i = 0; i < g->nbuilds; i++)
        if (g->builds[i] == build)
            return;
    g->builds[g->nbuilds++] = build;
}

static void work_add(struct group *g, const struct result_cell *c)
{
    int alg = 1, op = 1, size = 1;
    for (size_t i = 0; i < g->nworks; i++) {
        if (same_work(g->works[i], c))
            return;
        alg = alg && !same_alg(g->works[i], c);
        op = op && !same_op(g->works[i], c);
        size = size && !same_size(g->works[i], c);
    }
    g->works[g->nworks++] = c;
    g->nalgs += (size_t)alg;
    g->nops += (size_t)op;
    g->nsizes += (size_t)size;
}

/* The group of block `first`; its works are those of which some build has the figure. */
static struct group group_make(const struct blocks *all, size_t first, enum figure f)
{
    struct group g = {xcalloc(all->n, sizeof(struct block *)), 0, NULL, 0, NULL, 0, 0, 0, 0};
    size_t builds = 0, cells = 0;
    for (size_t i = first; i < all->n; i++)
        if (same_group(&all->v[first], &all->v[i])) {
            g.blocks[g.n++] = &all->v[i];
            builds += all->v[i].nbuilds;
            cells += all->v[i].nbuilds * all->v[i].nsizes;
        }
    g.builds = xcalloc(builds, sizeof(struct result_build *));
    g.works = xcalloc(cells, sizeof(struct result_cell *));
    for (size_t i = 0; i < g.n; i++) {
        const struct block *b = g.blocks[i];
        struct figure_value v;
        for (size_t k = 0; k < b->nbuilds; k++)
            build_add(&g, b->builds[k]);
        for (size_t k = 0; k < b->nbuilds * b->nsizes; k++)
            if (b->cells[k] && !figure_of(b->cells[k], f, &v))
                work_add(&g, b->cells[k]);
    }
    return g;
}

static void group_free(struct group *g)
{
    free(g->blocks);
    free(g->builds);
    free(g->works);
}

/* Geometric mean of a build's figures and of their bounds. -1 when it lacks one. */
static int mean_of(const struct group *g, const struct result_build *build, enum figure f,
                   struct figure_value *out)
{
    double y = 0, low = 0, high = 0;
    size_t n = 0, intervals = 0;
    for (size_t i = 0; i < g->n; i++)
        for (size_t k = 0; k < g->blocks[i]->nbuilds * g->blocks[i]->nsizes; k++) {
            const struct result_cell *c = g->blocks[i]->cells[k];
            struct figure_value v;
            if (!c || c->build != build || figure_of(c, f, &v))
                continue;
            n++;
            y += log(v.y);
            if (v.have_interval) {
                intervals++;
                low += log(v.low);
                high += log(v.high);
            }
        }
    if (!n || n != g->nworks)
        return -1;
    *out = (struct figure_value){exp(y / (double)n), exp(low / (double)n), exp(high / (double)n),
                                 intervals == n};
    return 0;
}

static char *build_name(const struct group *g, const struct result_build *b)
{
    struct str out = STR_INIT;
    int compilers = 0;
    for (size_t i = 0; i < g->nbuilds; i++)
        compilers = compilers || strcmp(g->builds[i]->cc, b->cc) != 0;
    str_add(&out, b->config);
    if (compilers)
        str_addf(&out, ", %s", b->cc);
    if (b->side)
        str_addf(&out, " (%s)", b->side);
    return str_take(&out);
}

static struct spots spots_make(const struct group *g, enum figure f)
{
    struct spots s = {xcalloc(g->nbuilds, sizeof *s.v), 0, f, STR_INIT};
    for (size_t i = 0; i < g->nbuilds; i++) {
        const struct result_build *b = g->builds[i];
        struct figure_value v;
        if (!b->have_sizes || mean_of(g, b, f, &v)) {
            char *name = build_name(g, b);
            str_addf(&s.left_out, "%s%s", s.left_out.n ? ", " : "", name);
            free(name);
        } else {
            s.v[s.n++] = (struct spot){b, (double)(b->text + b->rodata + b->data) / 1000, v};
        }
    }
    return s;
}

static double cost_of(const struct spots *s, size_t i)
{
    return figure_more_is_better(s->figure) ? 1 / s->v[i].v.y : s->v[i].v.y;
}

/* Intervals that overlap do not tell two apart. */
static int cost_order(const void *arg, size_t i, size_t k)
{
    const struct spots *s = arg;
    const struct figure_value *a = &s->v[i].v, *b = &s->v[k].v;
    double x = cost_of(s, i), y = cost_of(s, k);
    if (a->have_interval && b->have_interval && a->low <= b->high && b->low <= a->high)
        return 0;
    return (x > y) - (x < y);
}

static int along_order(const void *a, const void *b)
{
    const struct plot_point *x = a, *y = b;
    int r = (x->x > y->x) - (x->x < y->x);
    return r ? r : (x->y > y->y) - (x->y < y->y);
}

static struct plot_point point_of(const struct spot *s)
{
    return (struct plot_point){.x = s->kb,
                               .y = s->v.y,
                               .low = s->v.low,
                               .high = s->v.high,
                               .have_interval = s->v.have_interval};
}

static char *spot_name(const struct group *g, const struct spots *s,
                       const struct pareto_point *marks, size_t i)
{
    char *own = build_name(g, s->v[i].build);
    if (!marks[i].dominated)
        return own;
    char *by = build_name(g, s->v[marks[i].by].build);
    int unclear = cost_of(s, i) < cost_of(s, marks[i].by);
    char *text = xasprintf(unclear ? "%s (~ %s, smaller)" : "%s (beaten by %s)", own, by);
    free(own);
    free(by);
    return text;
}

/* The front as stairs, its points filled, the others hollow and with who beats them. */
static void spots_draw(const struct group *g, const struct spots *s, struct plot_panel *p)
{
    struct pareto_point *marks = xcalloc(s->n, sizeof *marks);
    for (size_t i = 0; i < s->n; i++)
        marks[i] = (struct pareto_point){.bytes = s->v[i].kb, .cost = cost_of(s, i)};
    pareto_mark(marks, s->n, cost_order, s);

    struct plot_line *front = plot_line_add(p, xstrdup("Pareto front"), PLOT_STAIRS);
    for (size_t i = 0; i < s->n; i++)
        if (!marks[i].dominated)
            plot_point_add(front, point_of(&s->v[i]));
    size_t front_n = front->n;
    qsort(front->v, front->n, sizeof *front->v, along_order);
    for (int dominated = 0; dominated < 2; dominated++) {
        size_t n = dominated ? s->n - front_n : front_n;
        struct plot_line *line = NULL;
        for (size_t i = 0; i < s->n; i++) {
            if (marks[i].dominated != dominated)
                continue;
            if (!line || n <= MOST_NAMES) {
                line = plot_line_add(
                    p, n <= MOST_NAMES ? spot_name(g, s, marks, i) : xasprintf("%zu configs", n),
                    PLOT_POINTS);
                line->style = i; /* as in the other panels */
                line->hollow = dominated;
            }
            plot_point_add(line, point_of(&s->v[i]));
        }
    }
    free(marks);
}

static char *works_text(const struct group *g)
{
    const struct result_cell *c = g->works[0];
    if (g->nworks == 1)
        return xasprintf("%s %s, %" PRIu64 " B", c->alg, c->op, c->bytes);
    struct str out = STR_INIT;
    str_addf(&out, "geometric mean of %zu cells: ", g->nworks);
    if (g->nalgs == 1)
        str_add(&out, c->alg);
    else
        str_addf(&out, "%zu algorithms", g->nalgs);
    if (g->nops == 1)
        str_addf(&out, ", %s", c->op);
    else
        str_addf(&out, ", %zu operations", g->nops);
    if (g->nsizes == 1)
        str_addf(&out, ", %" PRIu64 " B", c->bytes);
    else
        str_addf(&out, ", %zu block sizes", g->nsizes);
    return str_take(&out);
}

static char *note_text(const struct group *g, const struct spots *s)
{
    char *note = plot_note(s->figure, g->blocks[0]->lane);
    struct str out = STR_INIT;
    int intervals = s->v[0].v.have_interval;
    str_add(&out, note);
    if (intervals && g->nworks > 1)
        str_add(&out, " (geometric mean of the cells')");
    if (intervals)
        str_add(&out, "; ~: they overlap");
    if (s->left_out.n)
        str_addf(&out, "; left out, for want of a number: %s", s->left_out.p);
    free(note);
    return str_take(&out);
}

static void group_draw(const struct group *g, enum figure f, const char *prefix, struct plot *out)
{
    const struct block *first = g->blocks[0];
    struct spots s = spots_make(g, f);
    if (s.n) {
        char *works = works_text(g), *machine = plot_machine(first->lane);
        char *library = plot_toolchain(first->builds[0], 0);
        struct plot_panel *p =
            plot_panel_add(out, xasprintf("%s%s, %s", prefix, works, first->first->workload),
                           xasprintf("%s; %s", machine, library), note_text(g, &s));
        p->lane = first->lane;
        p->target = first->lane->target;
        p->alg = g->nalgs == 1 ? g->works[0]->alg : NULL;
        p->x_label = xstrdup("size: code and data in libcrypto.a, kB (1 kB = 1000 bytes)");
        p->y_label = figure_label(f);
        spots_draw(g, &s, p);
        free(works);
        free(machine);
        free(library);
    }
    str_free(&s.left_out);
    free(s.v);
}

static int is_first(const struct blocks *all, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (same_group(&all->v[k], &all->v[i]))
            return 0;
    return 1;
}

void plot_size_speed(const struct result_file *files, size_t n, const struct list *metric,
                     struct plot *out)
{
    for (size_t i = 0; i < n; i++) {
        struct blocks all;
        char *prefix = plot_file_prefix(files, n, i);
        blocks_make(&files[i], &all);
        for (size_t k = 0; k < all.n; k++)
            for (size_t f = 0; f < FIGURE_COUNT && is_first(&all, k); f++) {
                if (!figure_ranks((enum figure)f) || !figure_chosen((enum figure)f, metric))
                    continue;
                struct group g = group_make(&all, k, (enum figure)f);
                size_t before = out->n;
                if (g.nworks)
                    group_draw(&g, (enum figure)f, prefix, out);
                if (out->n > before)
                    out->v[out->n - 1].file = i;
                group_free(&g);
            }
        blocks_free(&all);
        free(prefix);
    }
}

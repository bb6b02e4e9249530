/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "profile.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "mem.h"
#include "prediction.h"

/* Functions shown; what is left out is summed in one row. */
enum { ROWS = 15 };

/* A function on both sides; NULL: not there, or below what is kept. */
struct line {
    const char *name;
    const struct prediction_function *base, *now;
    double by; /* cycles that it gained */
};

/* How cycles are shown: as they are, or as shares of `whole`. */
struct scale {
    double whole; /* 0: as they are */
};

static char *cycles_text(const struct scale *s, double v)
{
    return s->whole > 0 ? xasprintf("%.1f%%", 100 * v / s->whole) : xasprintf("%.0f", v);
}

static char *change_text(const struct scale *s, double v)
{
    return s->whole > 0 ? xasprintf("%+.1f%%", 100 * v / s->whole) : xasprintf("%+.0f", v);
}

static struct scale scale_of(const struct prediction *base, const struct prediction *now)
{
    int ratio_only = base->band < 0 || now->band < 0;
    return (struct scale){ratio_only ? (double)base->cycles : 0};
}

/* One that is not there may be among those too small to be kept. */
static char *side_text(const struct scale *s, const struct prediction *p,
                       const struct prediction_function *f)
{
    return f ? cycles_text(s, f->cycles) : xstrdup(p->rest > 0 ? "~0" : "0");
}

static char *waits_text(const struct prediction_function *f)
{
    return f ? prediction_waits_text(f) : xstrdup("");
}

/* All functions that are kept, as one. */
static char *total_waits_text(const struct prediction *p)
{
    struct prediction_function all = {0};
    for (size_t i = 0; i < p->nfunctions; i++) {
        all.cycles += p->functions[i].cycles;
        for (size_t w = 0; w < WAITS; w++)
            all.waits[w] += p->functions[i].waits[w];
    }
    return prediction_waits_text(&all);
}

static void heading_start(FILE *f, const struct result_cell *c, const char *format)
{
    fprintf(f, "%s%s %s %" PRIu64 " B, %s: %s%s%s, %s %s", strcmp(format, "markdown") ? "" : "### ",
            c->alg, c->op, c->bytes, c->workload, c->target, c->cpu[0] ? " " : "", c->cpu,
            c->library, c->config);
}

static void heading_end(FILE *f, const struct prediction *p, const char *format)
{
    char *label = prediction_label(p), *band = prediction_band_text(p);
    fprintf(f, "%s; %s%s\n%s", label, p->band < 0 ? "fit for ratios only" : "band ",
            p->band < 0 ? "" : band, strcmp(format, "markdown") ? "" : "\n");
    free(label);
    free(band);
}

static int grid_end(FILE *f, struct grid *g, const char *format)
{
    int rc = grid_print(f, g, format);
    fputc('\n', f);
    grid_free(g);
    return rc;
}

static void heads_add(struct grid *g, const char *const *heads, size_t n)
{
    grid_start(g, n);
    for (size_t i = 0; i < n; i++)
        grid_add(g, xstrdup(heads[i]));
}

int profile_print(FILE *f, const struct result_cell *c, const char *format)
{
    static const char *const heads[] = {"function", "cycles", "share", "waits for"};
    const struct prediction *p = &c->modelled;
    struct scale s = scale_of(p, p), shares = {(double)p->cycles};
    double left = p->rest;
    struct grid g;

    heading_start(f, c, format);
    fputs(": ", f);
    heading_end(f, p, format);
    heads_add(&g, heads, sizeof heads / sizeof heads[0]);
    for (size_t i = 0; i < p->nfunctions; i++) {
        const struct prediction_function *x = &p->functions[i];
        if (i >= ROWS) {
            left += x->cycles;
            continue;
        }
        grid_add(&g, xstrdup(x->name));
        grid_add(&g, s.whole > 0 ? xstrdup("-") : cycles_text(&s, x->cycles));
        grid_add(&g, cycles_text(&shares, x->cycles));
        grid_add(&g, prediction_waits_text(x));
    }
    if (left > 0) {
        grid_add(&g, xstrdup("(others)"));
        grid_add(&g, s.whole > 0 ? xstrdup("-") : cycles_text(&s, left));
        grid_add(&g, cycles_text(&shares, left));
        grid_add(&g, xstrdup(""));
    }
    grid_add(&g, xstrdup("total"));
    grid_add(&g, s.whole > 0 ? xstrdup("-") : cycles_text(&s, (double)p->cycles));
    grid_add(&g, cycles_text(&shares, (double)p->cycles));
    grid_add(&g, total_waits_text(p));
    return grid_end(f, &g, format);
}

static const struct prediction_function *function_find(const struct prediction *p, const char *name)
{
    for (size_t i = 0; i < p->nfunctions; i++)
        if (!strcmp(p->functions[i].name, name))
            return &p->functions[i];
    return NULL;
}

static int line_order(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    double dx = fabs(x->by), dy = fabs(y->by);
    if (dx != dy)
        return dx < dy ? 1 : -1;
    return strcmp(x->name, y->name);
}

/* Functions of either side; caller frees. */
static struct line *lines_make(const struct prediction *base, const struct prediction *now,
                               size_t *n)
{
    struct line *v = xcalloc(base->nfunctions + now->nfunctions + 1, sizeof *v);
    *n = 0;
    for (size_t i = 0; i < base->nfunctions; i++) {
        const struct prediction_function *b = &base->functions[i], *x = function_find(now, b->name);
        v[(*n)++] = (struct line){b->name, b, x, (x ? x->cycles : 0) - b->cycles};
    }
    for (size_t i = 0; i < now->nfunctions; i++) {
        const struct prediction_function *x = &now->functions[i];
        if (!function_find(base, x->name))
            v[(*n)++] = (struct line){x->name, NULL, x, x->cycles};
    }
    qsort(v, *n, sizeof *v, line_order);
    return v;
}

static void lines_add(struct grid *g, const struct prediction *base, const struct prediction *now,
                      const struct scale *s)
{
    size_t n;
    struct line *v = lines_make(base, now, &n);
    double left = now->rest - base->rest;

    for (size_t i = 0; i < n; i++) {
        if (i >= ROWS) {
            left += v[i].by;
            continue;
        }
        grid_add(g, xstrdup(v[i].name));
        grid_add(g, side_text(s, base, v[i].base));
        grid_add(g, side_text(s, now, v[i].now));
        grid_add(g, change_text(s, v[i].by));
        grid_add(g, waits_text(v[i].base));
        grid_add(g, waits_text(v[i].now));
    }
    if (n > ROWS || fabs(left) >= 0.5) {
        grid_add(g, xstrdup("(others)"));
        grid_add(g, xstrdup(""));
        grid_add(g, xstrdup(""));
        grid_add(g, change_text(s, left));
        grid_add(g, xstrdup(""));
        grid_add(g, xstrdup(""));
    }
    free(v);
}

int profile_pair_print(FILE *f, const struct result_cell *base, const struct result_cell *now,
                       const char *format)
{
    const struct prediction *b = &base->modelled, *n = &now->modelled;
    struct scale s = scale_of(b, n);
    char *ratio = prediction_ratio_text(prediction_ratio(b, n));
    int same_name = !strcmp(base->config, now->config);
    const char *base_name = same_name ? "base" : base->config,
               *new_name = same_name ? "new" : now->config;
    struct grid g;

    heading_start(f, now, format);
    fprintf(f, " against %s %s: %s; ", base->library, base->config, ratio);
    heading_end(f, n, format);
    grid_start(&g, 6);
    grid_add(&g, xstrdup("function"));
    grid_add(&g, xstrdup(base_name));
    grid_add(&g, xstrdup(new_name));
    grid_add(&g, xstrdup("change"));
    grid_add(&g, xasprintf("%s waits for", base_name));
    grid_add(&g, xasprintf("%s waits for", new_name));
    lines_add(&g, b, n, &s);
    grid_add(&g, xstrdup("total"));
    grid_add(&g, cycles_text(&s, (double)b->cycles));
    grid_add(&g, cycles_text(&s, (double)n->cycles));
    grid_add(&g, change_text(&s, (double)n->cycles - (double)b->cycles));
    grid_add(&g, total_waits_text(b));
    grid_add(&g, total_waits_text(n));
    free(ratio);
    return grid_end(f, &g, format);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "cmd.h"
#include "explain.h"
#include "grid.h"
#include "ledgertable.h"
#include "mem.h"
#include "prediction.h"
#include "profile.h"
#include "request.h"
#include "sides.h"

/* Functions shown a cell; what is left out is summed in one row. */
enum { ROWS = 15 };

/* Same work and config. Runners may differ: a count is a count. */
static int work_order(const struct result_cell *a, const struct result_cell *b)
{
    int r = (a->bytes > b->bytes) - (a->bytes < b->bytes);
    const char *const x[] = {a->alg, a->op, a->workload, a->target, a->cpu, a->config};
    const char *const y[] = {b->alg, b->op, b->workload, b->target, b->cpu, b->config};
    for (size_t i = 0; i < sizeof x / sizeof x[0] && !r; i++)
        r = strcmp(x[i], y[i]);
    return r;
}

static int cell_order(const void *a, const void *b)
{
    const struct result_cell *const *x = a, *const *y = b;
    int r = work_order(*x, *y);
    return r ? r : (*x > *y) - (*x < *y);
}

static int has_insns(const struct result_cell *c)
{
    return c->insns.counted;
}

static int has_modelled(const struct result_cell *c)
{
    return c->modelled.known;
}

/* The base side's cells that have the figure, sorted. */
struct counted {
    const struct result_cell **v;
    size_t n;
};

static struct counted counted_cells(const struct result_file *f,
                                    int (*has)(const struct result_cell *c))
{
    struct counted x = {xcalloc(f->ncells + 1, sizeof(struct result_cell *)), 0};
    for (size_t i = 0; i < f->ncells; i++)
        if (has(&f->cells[i]))
            x.v[x.n++] = &f->cells[i];
    qsort(x.v, x.n, sizeof(struct result_cell *), cell_order);
    return x;
}

/* Index of the first that is not before key. */
static size_t counted_from(const struct counted *x, const struct result_cell *key)
{
    size_t low = 0, high = x->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (work_order(x->v[middle], key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The cell to compare with c: config given by name. Two files may be of two libraries, so there the
 * library's name decides only between several candidates. */
static const struct result_cell *counterpart(const struct counted *x, const struct result_cell *c,
                                             const char *config, int same_library)
{
    struct result_cell key = *c;
    const struct result_cell *found = NULL;
    key.config = (char *)(uintptr_t)config;
    for (size_t i = counted_from(x, &key); i < x->n && !work_order(x->v[i], &key); i++) {
        const struct result_cell *y = x->v[i];
        if (!strcmp(y->library, c->library) && !strcmp(y->compiler, c->compiler))
            return y;
        if (!same_library && !found)
            found = y;
    }
    return found;
}

static char *percent(uint64_t base, uint64_t now)
{
    if (!base)
        return xstrdup("new");
    return xasprintf("%+.1f%%", 100 * ((double)now / (double)base - 1));
}

static char *figure(uint64_t v, int unknown)
{
    return unknown ? xstrdup("?") : xasprintf("%" PRIu64, v);
}

static void change_rows(struct grid *g, const struct changes *all, const struct result_cell *base,
                        const struct result_cell *now)
{
    int64_t left = all->rest;
    for (size_t i = 0; i < all->n; i++) {
        const struct change *c = &all->v[i];
        int64_t by = (int64_t)c->now - (int64_t)c->base;
        if (i >= ROWS) {
            left += by;
            continue;
        }
        grid_add(g, xstrdup(c->name));
        grid_add(g, figure(c->base, c->base_unknown));
        grid_add(g, figure(c->now, c->now_unknown));
        grid_add(g, xasprintf("%+" PRId64, by));
    }
    if (left) {
        grid_add(g, xstrdup("(others)"));
        grid_add(g, xstrdup(""));
        grid_add(g, xstrdup(""));
        grid_add(g, xasprintf("%+" PRId64, left));
    }
    grid_add(g, xstrdup("total"));
    grid_add(g, xasprintf("%" PRIu64, base->insns.per_op));
    grid_add(g, xasprintf("%" PRIu64, now->insns.per_op));
    grid_add(g, xasprintf("%+" PRId64, (int64_t)now->insns.per_op - (int64_t)base->insns.per_op));
}

static int pair_print(const struct options *o, const struct result_cell *base,
                      const struct result_cell *now)
{
    struct changes all;
    struct grid g = {0};
    char *change = percent(base->insns.per_op, now->insns.per_op);

    changes_make(&base->insns, &now->insns, &all);
    printf("%s%s %s %" PRIu64
           " B, %s: %s%s%s, %s %s against %s %s: %s instructions per operation\n",
           strcmp(o->format, "markdown") ? "" : "### ", now->alg, now->op, now->bytes,
           now->workload, now->target, now->cpu[0] ? " " : "", now->cpu, now->library, now->config,
           base->library, base->config, change);
    if (!strcmp(o->format, "markdown"))
        putchar('\n');
    grid_start(&g, 4);
    grid_add(&g, xstrdup("function"));
    grid_add(&g, xstrdup(strcmp(base->config, now->config) ? base->config : "base"));
    grid_add(&g, xstrdup(strcmp(base->config, now->config) ? now->config : "new"));
    grid_add(&g, xstrdup("change"));
    change_rows(&g, &all, base, now);
    int rc = grid_print(stdout, &g, o->format);
    putchar('\n');
    grid_free(&g);
    changes_free(&all);
    free(change);
    return rc;
}

/* ---- what is explained ---- */

enum difference { DIFFERENT, SAME, UNLIKE }; /* UNLIKE: must not be compared */

static enum difference insns_differ(const struct result_cell *base, const struct result_cell *now)
{
    return base->insns.per_op == now->insns.per_op ? SAME : DIFFERENT;
}

static enum difference modelled_differ(const struct result_cell *base,
                                       const struct result_cell *now)
{
    char *mismatch = prediction_mismatch(&base->modelled, &now->modelled);
    int close = prediction_is_close(prediction_ratio(&base->modelled, &now->modelled));

    if (mismatch)
        fprintf(stderr, "%s %s %" PRIu64 " B: %s\n", now->alg, now->op, now->bytes, mismatch);
    enum difference d = mismatch ? UNLIKE : close ? SAME : DIFFERENT;
    free(mismatch);
    return d;
}

static int modelled_pair_print(const struct options *o, const struct result_cell *base,
                               const struct result_cell *now)
{
    return profile_pair_print(stdout, base, now, o->format);
}

static const struct explained {
    const char *metric;
    int (*has)(const struct result_cell *c);
    enum difference (*differ)(const struct result_cell *base, const struct result_cell *now);
    int (*print)(const struct options *o, const struct result_cell *base,
                 const struct result_cell *now);
    const char *same, *none; /* words for the summary, and for when there is nothing */
} explained[] = {
    {"insns", has_insns, insns_differ, pair_print, "the same to the instruction",
     "no cells with instruction counts on both sides; make them with: crypto-bench run --metric "
     "insns"},
    {"modelled", has_modelled, modelled_differ, modelled_pair_print, "too close to call",
     "no cells with modelled cycles on both sides; make them with: crypto-bench run --metric "
     "modelled, on a CPU model with a core (crypto-bench list cores)"},
};

static int explain_pairs(const struct options *o, const struct explained *x, const struct sides *s,
                         struct err *e)
{
    struct counted all = counted_cells(s->base, x->has);
    size_t changed = 0, same = 0, alone = 0;
    int rc = 0;

    for (size_t i = 0; i < s->now->ncells && !rc; i++) {
        const struct result_cell *c = &s->now->cells[i], *base;
        if (!x->has(c) || !request_wants(o, c) ||
            (s->new_config && strcmp(c->config, s->new_config)))
            continue;
        base = counterpart(&all, c, s->base_config ? s->base_config : c->config, s->base == s->now);
        enum difference d = base ? x->differ(base, c) : UNLIKE;
        alone += d == UNLIKE ? 1u : 0u;
        same += d == SAME ? 1u : 0u;
        changed += d == DIFFERENT ? 1u : 0u;
        if (d == DIFFERENT)
            rc = x->print(o, base, c);
    }
    printf("%zu cell%s changed, %zu %s, %zu without a counterpart.\n", changed,
           changed == 1 ? "" : "s", same, x->same, alone);
    free(all.v);
    if (rc)
        return err_set(e, "the table cannot be laid out");
    return changed + same ? 0 : err_set(e, "%s", x->none);
}

/* Of one file: where the modelled cycles of each cell go. */
static int explain_profiles(const struct options *o, struct err *e)
{
    struct result_file f;
    size_t n = 0;
    int rc = result_file_read(o->args.v[0], &f, e);

    if (!rc)
        rc = request_configs_known(&f, &o->config, e);
    for (size_t i = 0; i < f.ncells && !rc; i++) {
        const struct result_cell *c = &f.cells[i];
        if (!c->modelled.known || !request_wants_config(o, c))
            continue;
        rc = profile_print(stdout, c, o->format) ? err_set(e, "the table cannot be laid out") : 0;
        n++;
    }
    if (!rc && !n)
        rc = err_set(e, "no cell that was chosen has modelled cycles; make them with: crypto-bench "
                        "run --metric modelled, on a CPU model with a core (crypto-bench list "
                        "cores)");
    result_file_free(&f);
    return rc;
}

static int is_profile(const struct options *o)
{
    return o->args.n == 1 && o->config.n != 2 && o->metric.n == 1 &&
           list_has(&o->metric, "modelled");
}

int cmd_explain(struct options *o)
{
    struct sides s = {0};
    struct err e = ERR_INIT;
    int status = EXIT_OK;

    if (strcmp(o->format, "table") && strcmp(o->format, "markdown"))
        err_usage(&e, "--format '%s': explain prints table or markdown", o->format);
    else if (is_profile(o) && !o->size_ledger)
        explain_profiles(o, &e);
    else if (!sides_open(o, &s, &e) && o->size_ledger)
        ledger_tables_print(stdout, o, &s, &e);
    for (size_t i = 0; s.now && !o->size_ledger && i < sizeof explained / sizeof explained[0]; i++)
        if (!e.text && (o->metric.n ? list_has(&o->metric, explained[i].metric) : i == 0))
            explain_pairs(o, &explained[i], &s, &e);
    if (e.text) {
        fprintf(stderr, "crypto-bench: %s\n", e.text);
        status = e.exit_code;
    }
    err_clear(&e);
    sides_free(&s);
    return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "advise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"
#include "mem.h"
#include "prediction.h"

int advise_order(const struct result_cell *a, const struct result_cell *b)
{
    int r = (a->lane > b->lane) - (a->lane < b->lane);
    if (!r)
        r = strcmp(a->library, b->library);
    if (!r)
        r = strcmp(a->compiler, b->compiler);
    return r ? r : strcmp(a->workload, b->workload);
}

int advise_usable(const struct result_cell *c, enum metric m)
{
    if (m == METRIC_JUDGED_INSNS)
        return c->insns.counted && c->insns.per_op;
    if (m == METRIC_JUDGED_MODELLED)
        return c->modelled.known;
    return c->time.n && c->time.have_interval && !c->emulated;
}

/* ---- rows ---- */

static int row_order(const void *a, const void *b)
{
    const struct result_cell *const *x = a, *const *y = b;
    int r = strcmp((*x)->alg, (*y)->alg);
    if (!r)
        r = strcmp((*x)->op, (*y)->op);
    return r ? r : ((*x)->bytes > (*y)->bytes) - ((*x)->bytes < (*y)->bytes);
}

/* What takes room in flash. */
static double flash_bytes(const struct result_build *b)
{
    return (double)(b->text + b->rodata + b->data);
}

static int size_order(const void *a, const void *b)
{
    const struct advice_config *x = a, *y = b;
    double p = flash_bytes(x->build), q = flash_bytes(y->build);
    return p < q ? -1 : p > q ? 1 : strcmp(x->build->config, y->build->config);
}

static struct advice_config *config_at(struct advice_config *v, size_t *n,
                                       const struct result_build *b)
{
    for (size_t i = 0; i < *n; i++)
        if (v[i].build == b)
            return &v[i];
    v[*n] = (struct advice_config){.build = b};
    return &v[(*n)++];
}

/* Sorts builds into those that can be compared and those that cannot. */
static void configs_find(const struct cell_group *g, struct advice *a)
{
    size_t n = 0;
    struct advice_config *all = xcalloc(g->n, sizeof *all);
    for (size_t i = 0; i < g->n; i++) {
        struct advice_config *c = config_at(all, &n, g->v[i]->build);
        size_t usable = (size_t)advise_usable(g->v[i], a->metric);
        c->all++;
        c->usable += usable;
        a->usable += usable;
    }
    a->configs = xcalloc(n, sizeof *a->configs);
    a->out = xcalloc(n, sizeof *a->out);
    for (size_t i = 0; i < n; i++) {
        if (all[i].usable && all[i].build->have_sizes && flash_bytes(all[i].build) > 0)
            a->configs[a->n++] = all[i];
        else
            a->out[a->nout++] = all[i];
    }
    qsort(a->configs, a->n, sizeof *a->configs, size_order);
    free(all);
}

/* Takes the cells of one algorithm, operation and size in when all configs have a number there. */
static void row_take(struct advice *a, const struct result_cell **v, size_t n)
{
    size_t found = 0;
    for (size_t c = 0; c < a->n; c++)
        for (size_t i = 0; i < n; i++)
            if (v[i]->build == a->configs[c].build && advise_usable(v[i], a->metric)) {
                a->configs[c].cells[a->rows] = v[i];
                found++;
            }
    a->rows += found == a->n;
}

static void rows_find(const struct cell_group *g, struct advice *a)
{
    const struct result_cell **sorted = xcalloc(g->n, sizeof(struct result_cell *));
    size_t to;
    for (size_t i = 0; i < g->n; i++)
        sorted[i] = g->v[i];
    qsort(sorted, g->n, sizeof(struct result_cell *), row_order);
    for (size_t c = 0; c < a->n; c++)
        a->configs[c].cells = xcalloc(g->n, sizeof(struct result_cell *));
    for (size_t from = 0; from < g->n && a->n; from = to) {
        for (to = from + 1; to < g->n && !row_order(&sorted[from], &sorted[to]); to++)
            ;
        row_take(a, &sorted[from], to - from);
    }
    free(sorted);
}

/* ---- costs ---- */

/* Of one row: the ratio and what is left open around it; logarithms are summed. */
static void row_compare(const struct result_cell *now, const struct result_cell *base,
                        enum metric m, struct advice_pair *sum)
{
    double ratio, low, high, noise = 0;
    struct estimate x, null;
    enum verdict v;
    if (m == METRIC_JUDGED_INSNS) {
        ratio = low = high = (double)now->insns.per_op / (double)base->insns.per_op;
    } else if (m == METRIC_JUDGED_MODELLED) {
        ratio = low = high = prediction_ratio(&base->modelled, &now->modelled);
        noise = PREDICTION_CLOSE;
    } else if (!estimate_pair(&base->series, &now->series, &x) && x.have_interval) {
        ratio = x.median;
        low = x.low;
        high = x.high;
        noise = estimate_null_pair(&base->series, &now->series, &null) ? 0 : noise_floor(&null);
    } else { /* both have intervals of their own: no rounds in common */
        ratio = now->time.median / base->time.median;
        low = now->time.low / base->time.high;
        high = now->time.high / base->time.low;
    }
    v = judge(ratio, low, high, 1, 0, noise);
    sum->less += v == VERDICT_BETTER;
    sum->more += v == VERDICT_WORSE;
    sum->same += v != VERDICT_BETTER && v != VERDICT_WORSE;
    sum->ratio += log(ratio);
    sum->low += log(fmin(low, ratio / (1 + noise)));
    sum->high += log(fmax(high, ratio * (1 + noise)));
}

static struct advice_pair pair_make(const struct advice *a, size_t i, size_t k)
{
    struct advice_pair p = {0};
    for (size_t row = 0; row < a->rows; row++)
        row_compare(a->configs[i].cells[row], a->configs[k].cells[row], a->metric, &p);
    p.ratio = exp(p.ratio / (double)a->rows);
    p.low = exp(p.low / (double)a->rows);
    p.high = exp(p.high / (double)a->rows);
    return p;
}

const struct advice_pair *advise_pair(const struct advice *a, size_t i, size_t k)
{
    return &a->pairs[i * a->n + k];
}

static int cost_order(const void *arg, size_t i, size_t k)
{
    const struct advice_pair *p = advise_pair(arg, i, k);
    return p->high < 1 ? -1 : p->low > 1;
}

/* Of a group without a real time. Counts those that have either. */
static enum metric untimed_metric(const struct cell_group *g, struct advice *a)
{
    const struct prediction *first = NULL;
    int comparable = 1;
    for (size_t i = 0; i < g->n; i++) {
        const struct prediction *p = &g->v[i]->modelled;
        int counted = advise_usable(g->v[i], METRIC_JUDGED_INSNS);
        a->counted += (size_t)counted;
        a->modelled += (size_t)(counted && p->known);
        if (!p->known)
            continue;
        first = first ? first : p;
        comparable &= prediction_comparable(first, p);
    }
    return first && comparable && a->modelled == a->counted ? METRIC_JUDGED_MODELLED
                                                            : METRIC_JUDGED_INSNS;
}

void advise_make(const struct cell_group *g, struct advice *out)
{
    size_t timed = 0;
    *out = (struct advice){.first = g->v[0], .cells = g->n};
    for (size_t i = 0; i < g->n; i++) {
        const struct result_cell *c = g->v[i];
        timed += (size_t)advise_usable(c, METRIC_JUDGED_TIME);
        out->emulated += c->time.n && c->emulated && !c->insns.counted;
    }
    out->metric = timed ? METRIC_JUDGED_TIME : untimed_metric(g, out);
    configs_find(g, out);
    rows_find(g, out);
    out->points = xcalloc(out->n + 1, sizeof *out->points);
    out->pairs = xcalloc(out->n * out->n + 1, sizeof *out->pairs);
    if (!out->rows)
        return;
    for (size_t i = 0; i < out->n; i++)
        for (size_t k = 0; k <= i; k++) {
            struct advice_pair p = pair_make(out, i, k);
            out->pairs[i * out->n + k] = p;
            out->pairs[k * out->n + i] =
                (struct advice_pair){1 / p.ratio, 1 / p.high, 1 / p.low, p.more, p.less, p.same};
        }
    for (size_t i = 0; i < out->n; i++) {
        out->points[i].bytes = flash_bytes(out->configs[i].build);
        out->points[i].cost = 100 * advise_pair(out, i, 0)->ratio;
    }
    pareto_mark(out->points, out->n, cost_order, out);
}

void advise_free(struct advice *a)
{
    for (size_t i = 0; i < a->n; i++)
        free(a->configs[i].cells);
    free(a->configs);
    free(a->out);
    free(a->points);
    free(a->pairs);
    *a = (struct advice){0};
}

size_t advise_best(const struct advice *a, double weight)
{
    size_t best = a->n;
    for (size_t i = 0; i < a->n; i++)
        if (!a->points[i].dominated &&
            (best == a->n || a->points[i].bytes + weight * a->points[i].cost <
                                 a->points[best].bytes + weight * a->points[best].cost))
            best = i;
    return best;
}

double advise_behind(const struct advice *a, size_t i, size_t k, double weight, double *low,
                     double *high)
{
    const struct advice_pair *p = advise_pair(a, i, k);
    double bytes = a->points[i].bytes - a->points[k].bytes, each = weight * a->points[k].cost;
    *low = bytes + each * (p->low - 1);
    *high = bytes + each * (p->high - 1);
    return bytes + each * (p->ratio - 1);
}

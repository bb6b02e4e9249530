/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"

/* place: in the order of findings. */
static const struct {
    int place;
    const char *names[METRIC_COUNT]; /* time, insns, size, modelled */
} verdicts[] = {
    [VERDICT_SAME] = {3, {"same", "same", "same", "same"}},
    [VERDICT_BETTER] = {2, {"faster", "faster", "smaller", "faster"}},
    [VERDICT_WORSE] = {0, {"slower", "slower", "larger", "slower"}},
    [VERDICT_UNCLEAR] = {1, {"unclear", "unclear", "unclear", "unclear"}},
    [VERDICT_EXCLUDED] = {4, {"excluded", "excluded", "excluded", "excluded"}},
};

static const struct {
    int outcome;
    const char *name;
} outcomes[] = {
    {EXIT_OK, "pass"},
    {EXIT_REGRESSION, "regression"},
    {EXIT_NO_VERDICT, "no verdict"},
};

const char *verdict_name(enum verdict v, enum metric m)
{
    return verdicts[v].names[m];
}

const char *outcome_name(int outcome)
{
    for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++)
        if (outcomes[i].outcome == outcome)
            return outcomes[i].name;
    return "no verdict";
}

size_t comparison_count_of(const struct comparison *c, enum metric m, enum verdict v)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++)
        n += c->findings[i].metric == m && c->findings[i].verdict == v;
    return n;
}

size_t comparison_count(const struct comparison *c, enum verdict v)
{
    size_t n = 0;
    for (size_t m = 0; m < METRIC_COUNT; m++)
        n += comparison_count_of(c, (enum metric)m, v);
    return n;
}

void comparison_add(struct comparison *c, const struct finding *f)
{
    /* Room is doubled whenever the count reaches a power of two: no capacity need be kept. */
    if ((c->n & (c->n - 1)) == 0)
        c->findings = xreallocarray(c->findings, c->n ? 2 * c->n : 1, sizeof *c->findings);
    c->findings[c->n++] = *f;
}

/* A ratio that can stand in a mean. */
static int has_ratio(const struct finding *f)
{
    return f->verdict != VERDICT_EXCLUDED && f->ratio > 0 && isfinite(f->ratio);
}

/* Halving counts as much as doubling. */
static double change_size(const struct finding *f)
{
    return has_ratio(f) ? fabs(log(f->ratio)) : 0;
}

static int in_order(const void *a, const void *b)
{
    const struct finding *x = a, *y = b;
    int px = verdicts[x->verdict].place, py = verdicts[y->verdict].place;
    if (px != py)
        return px - py;
    double cx = change_size(x), cy = change_size(y);
    if (cx != cy)
        return cx > cy ? -1 : 1;
    int r = strcmp(x->name, y->name);
    return r ? r : (int)x->metric - (int)y->metric;
}

/* After the sort, so that a sum does not depend on the order in which findings came. */
static void means_sum(struct comparison *c)
{
    double logs[METRIC_COUNT] = {0};
    memset(c->means, 0, sizeof c->means);
    for (size_t i = 0; i < c->n; i++) {
        const struct finding *f = &c->findings[i];
        struct mean *m = &c->means[f->metric];
        if (!has_ratio(f)) {
            m->excluded++;
            continue;
        }
        m->n++;
        logs[f->metric] += log(f->ratio);
    }
    for (size_t m = 0; m < METRIC_COUNT; m++)
        if (c->means[m].n)
            c->means[m].ratio = exp(logs[m] / (double)c->means[m].n);
}

void comparison_finish(struct comparison *c, const struct policy *p)
{
    if (c->n)
        qsort(c->findings, c->n, sizeof *c->findings, in_order);
    means_sum(c);
    for (size_t a = 0; a < ALLOW_COUNT; a++)
        if (p->allow[a])
            list_add(&c->allow, allow_name((enum allow)a));
    size_t excluded = comparison_count(c, VERDICT_EXCLUDED);
    size_t unclear = comparison_count(c, VERDICT_UNCLEAR);
    size_t worse = comparison_count(c, VERDICT_WORSE);
    if (c->n == excluded && !c->blockers.n)
        list_addf(&c->blockers, "nothing-compared: %s",
                  c->n ? "no cell has a number on both sides" : "the two sides share no cell");
    if (unclear && p->allow[ALLOW_UNCLEAR]) {
        list_addf(&c->allowed, "unclear: %zu %s too wide for a verdict", unclear,
                  unclear == 1 ? "interval is" : "intervals are");
        unclear = 0;
    }
    if (worse)
        c->outcome = EXIT_REGRESSION;
    else if (c->blockers.n || unclear || c->n == excluded)
        c->outcome = EXIT_NO_VERDICT;
    else
        c->outcome = EXIT_OK;
}

void comparison_free(struct comparison *c)
{
    for (size_t i = 0; i < c->n; i++) {
        free(c->findings[i].name);
        free(c->findings[i].reason);
    }
    free(c->findings);
    free(c->base_name);
    free(c->new_name);
    list_free(&c->missing);
    list_free(&c->extra);
    list_free(&c->blockers);
    list_free(&c->allowed);
    list_free(&c->allow);
    list_free(&c->notes);
    *c = (struct comparison){0};
}

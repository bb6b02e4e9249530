/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "selftest.h"

#include "mem.h"

/* Injected changes: from what a tight limit should see to what none may miss. */
static const double steps[] = {0.001, 0.0025, 0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05,
                               0.07,  0.1,    0.15,  0.2,  0.3,   0.5,  1,    2};
enum { STEPS = sizeof steps / sizeof steps[0] };

static uint64_t scaled(uint64_t v, double factor)
{
    return (uint64_t)((double)v * factor);
}

/* The copy gets what base has, times factor: both were read from one file. */
static void slow_time(struct result_file *f, const struct result_file *base, double factor)
{
    for (size_t i = 0; i < f->ncells; i++) {
        const struct series *from = &base->cells[i].series;
        for (size_t p = 0; p < from->n; p++)
            for (size_t k = 0; k < from->process[p].n; k++)
                f->cells[i].series.process[p].v[k].ns = scaled(from->process[p].v[k].ns, factor);
    }
    result_file_figures(f);
}

static void slow_insns(struct result_file *f, const struct result_file *base, double factor)
{
    for (size_t i = 0; i < f->ncells; i++)
        f->cells[i].insns.per_op = scaled(base->cells[i].insns.per_op, factor);
}

static void slow_modelled(struct result_file *f, const struct result_file *base, double factor)
{
    for (size_t i = 0; i < f->ncells; i++)
        f->cells[i].modelled.cycles = scaled(base->cells[i].modelled.cycles, factor);
}

static void grow_size(struct result_file *f, const struct result_file *base, double factor)
{
    for (size_t i = 0; i < f->nbuilds; i++) {
        const struct result_build *from = &base->builds[i];
        f->builds[i].text = scaled(from->text, factor);
        f->builds[i].rodata = scaled(from->rodata, factor);
        f->builds[i].data = scaled(from->data, factor);
        f->builds[i].bss = scaled(from->bss, factor);
    }
}

/* By enum metric. */
static void (*const inject[METRIC_COUNT])(struct result_file *, const struct result_file *,
                                          double) = {slow_time, slow_insns, grow_size,
                                                     slow_modelled};

/* What a test works on. */
struct bench {
    struct result_file base, copy;
    const struct match_request *request;
    const struct policy *policy;
    FILE *out;
};

/* One metric at one step. */
struct trial {
    size_t worse, judged;
    int outcome;
};

static struct trial try_step(struct bench *b, enum metric m, double change)
{
    struct match_request own = *b->request;
    struct comparison c = {0};
    struct trial t;

    inject[m](&b->copy, &b->base, 1 + change);
    own.base.file = &b->base;
    own.now.file = &b->copy;
    for (size_t i = 0; i < METRIC_COUNT; i++)
        own.metric[i] = i == m;
    match(&own, b->policy, &c);
    t.worse = comparison_count(&c, VERDICT_WORSE);
    t.judged = c.n - comparison_count(&c, VERDICT_EXCLUDED);
    t.outcome = c.outcome;
    comparison_free(&c);
    return t;
}

/* *all: the first step at which all that is judged is worse; *first: at which something is. */
static void ladder(struct bench *b, enum metric m, size_t *first, size_t *all)
{
    *first = *all = STEPS;
    for (size_t i = 0; i < STEPS && *all == STEPS; i++) {
        struct trial t = try_step(b, m, steps[i]);
        if (t.outcome == EXIT_REGRESSION && *first == STEPS)
            *first = i;
        if (t.outcome == EXIT_REGRESSION && t.worse == t.judged)
            *all = i;
    }
}

/* 1 when there was something to judge; *failed is set when it was not judged rightly. */
static int metric_test(struct bench *b, enum metric m, int *failed)
{
    const char *name = metric_name(m);
    struct trial same = try_step(b, m, 0);
    size_t first, all;

    if (!same.judged)
        return 0;
    ladder(b, m, &first, &all);
    inject[m](&b->copy, &b->base, 1);
    fprintf(b->out, "%s: unchanged copy: %s (%zu judged)\n", name, outcome_name(same.outcome),
            same.judged);
    *failed |= same.outcome == EXIT_REGRESSION || first == STEPS;
    if (first == STEPS)
        fprintf(b->out, "%s: even %+g%% does not fire: too few samples, or too much noise\n", name,
                100 * steps[STEPS - 1]);
    else
        fprintf(b->out, "%s: fires from an injected %+g%% on\n", name, 100 * steps[first]);
    if (all < STEPS && all != first)
        fprintf(b->out, "%s: in all that is judged from %+g%% on\n", name, 100 * steps[all]);
    if (first < STEPS && all == STEPS)
        fprintf(b->out, "%s: some never fire, not even at %+g%%\n", name, 100 * steps[STEPS - 1]);
    return 1;
}

int selftest(const char *path, const struct match_request *r, const struct policy *p, FILE *out,
             int *status, struct err *e)
{
    struct bench b = {.request = r, .policy = p, .out = out};
    int any = 0, judged = 0, failed = 0;

    if (result_file_read(path, &b.base, e))
        return -1;
    if (result_file_read(path, &b.copy, e)) {
        result_file_free(&b.base);
        return -1;
    }
    for (size_t i = 0; i < METRIC_COUNT; i++)
        any |= r->metric[i];
    for (size_t i = 0; i < METRIC_COUNT; i++)
        if (!any || r->metric[i])
            judged |= metric_test(&b, (enum metric)i, &failed);
    result_file_free(&b.base);
    result_file_free(&b.copy);
    if (!judged)
        fputs("nothing in this file can be judged: its times are emulated or too few, and it has "
              "neither instruction counts nor sizes\n",
              out);
    else
        fprintf(out, "selftest %s\n", failed ? "FAILED" : "passed");
    *status = !judged ? EXIT_NO_VERDICT : failed ? EXIT_FAILED : EXIT_OK;
    return 0;
}

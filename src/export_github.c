/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/*
 * The input of github-action-benchmark with `tool: customSmallerIsBetter`: an array of objects with
 * "name", "unit", "value", and as text "range" and "extra" (BenchmarkResult in src/extract.ts of
 * benchmark-action/github-action-benchmark; "Custom benchmarks" in its README). One file holds one
 * direction, so that there is no throughput here: time says the same.
 */
#include "export_format.h"

#include <math.h>
#include <stdlib.h>

#include "json.h"
#include "mem.h"
#include "number.h"
#include "point.h"

static const struct {
    const char *suffix, *unit;
} measures[MEASURES] = {
    [MEASURE_TIME] = {"time", "ns/op"},
    [MEASURE_CYCLES] = {"cycles", "cycles/op"},
    [MEASURE_INSNS] = {"instructions", "instructions/op"},
    [MEASURE_SIZE] = {"library size", "bytes"},
    [MEASURE_STRIPPED] = {"stripped library", "bytes"},
    [MEASURE_FRAME] = {"largest stack frame", "bytes"},
};

/* The format has one number to either side: the larger one. */
static void interval_add(struct json *o, const struct figure *f, const char *unit)
{
    char *wide = double_text(fmax(f->high - f->value, f->value - f->low));
    char *low = double_text(f->low), *high = double_text(f->high);
    char *range = xasprintf("± %s", wide);
    char *extra =
        xasprintf("95%% interval: %s to %s %s\nsamples: %zu", low, high, unit, f->samples);
    json_add_str(o, "range", range);
    json_add_str(o, "extra", extra);
    free(wide);
    free(low);
    free(high);
    free(range);
    free(extra);
}

static void figure_add(struct json *all, const struct point *p, enum measure m)
{
    const struct figure *f = &p->v[m];
    struct json *o = json_add_object(all, NULL);
    char *name = xasprintf("%s %s", p->name, measures[m].suffix);
    json_add_str(o, "name", name);
    json_add_str(o, "unit", measures[m].unit);
    if (f->exact)
        json_add_u64(o, "value", f->count);
    else
        json_add_double(o, "value", f->value);
    if (f->have_interval)
        interval_add(o, f, measures[m].unit);
    free(name);
}

int export_github_action_benchmark(FILE *f, const struct export *x, struct err *e)
{
    struct points all;
    int rc = points_find(x, &all, e);
    if (!rc) {
        struct json *array = json_new_array();
        for (size_t i = 0; i < all.n; i++)
            for (size_t m = 0; m < MEASURES; m++)
                if (all.v[i].v[m].known)
                    figure_add(array, &all.v[i], (enum measure)m);
        char *text = json_text(array);
        fputs(text, f);
        free(text);
        json_free(array);
    }
    points_free(&all);
    return rc;
}

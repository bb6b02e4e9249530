/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/*
 * Bencher Metric Format: an object of benchmarks, each an object of measures with "value" and, of
 * an interval, "lower_value" and "upper_value" (bencher.dev/docs/reference/bencher-metric-format
 * and the JSON Schema there). "latency" is Bencher's own measure, in nanoseconds; the others are
 * made when they first come up.
 */
#include "export_format.h"

#include <stdlib.h>

#include "json.h"
#include "point.h"

static const char *const slugs[MEASURES] = {
    [MEASURE_TIME] = "latency",           [MEASURE_CYCLES] = "processor-cycles",
    [MEASURE_INSNS] = "instructions",     [MEASURE_SIZE] = "library-size",
    [MEASURE_STRIPPED] = "stripped-size", [MEASURE_FRAME] = "stack-frame",
};

static void figure_add(struct json *benchmark, const char *slug, const struct figure *f)
{
    struct json *o = json_add_object(benchmark, slug);
    if (f->exact)
        json_add_u64(o, "value", f->count);
    else
        json_add_double(o, "value", f->value);
    if (!f->have_interval)
        return;
    json_add_double(o, "lower_value", f->low);
    json_add_double(o, "upper_value", f->high);
}

int export_bmf(FILE *f, const struct export *x, struct err *e)
{
    struct points all;
    int rc = points_find(x, &all, e);
    if (!rc) {
        struct json *root = json_new_object();
        for (size_t i = 0; i < all.n; i++) {
            struct json *benchmark = json_add_object(root, all.v[i].name);
            for (size_t m = 0; m < MEASURES; m++)
                if (all.v[i].v[m].known)
                    figure_add(benchmark, slugs[m], &all.v[i].v[m]);
        }
        char *text = json_text(root);
        fputs(text, f);
        free(text);
        json_free(root);
    }
    points_free(&all);
    return rc;
}

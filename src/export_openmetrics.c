/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/*
 * OpenMetrics text, version 1.0 (prometheus.io/docs/specs/om/open_metrics_spec, "Text format"):
 * families of gauges, each with TYPE, UNIT (which ends its name) and HELP, base units (seconds),
 * labels with backslash, quote and line feed escaped, "# EOF" at the end. A gauge has no interval:
 * its bounds are families of their own.
 */
#include "export_format.h"

#include <inttypes.h>
#include <stdlib.h>

#include "number.h"
#include "point.h"

static char *value_text(const struct figure *f)
{
    return figure_text(f);
}

static char *seconds_text(const struct figure *f)
{
    return double_text(f->value / 1e9);
}

static char *seconds_low(const struct figure *f)
{
    return f->have_interval ? double_text(f->low / 1e9) : NULL;
}

static char *seconds_high(const struct figure *f)
{
    return f->have_interval ? double_text(f->high / 1e9) : NULL;
}

static char *bound_low(const struct figure *f)
{
    return f->have_interval ? double_text(f->low) : NULL;
}

static char *bound_high(const struct figure *f)
{
    return f->have_interval ? double_text(f->high) : NULL;
}

static const struct family {
    enum measure measure;
    const char *name, *unit, *help;
    char *(*text)(const struct figure *f); /* NULL: not known */
} families[] = {
    {MEASURE_TIME, "crypto_bench_operation_time_seconds", "seconds", "Time of one operation.",
     seconds_text},
    {MEASURE_TIME, "crypto_bench_operation_time_low_seconds", "seconds",
     "Lower bound of the 95% interval of that.", seconds_low},
    {MEASURE_TIME, "crypto_bench_operation_time_high_seconds", "seconds",
     "Upper bound of the 95% interval of that.", seconds_high},
    {MEASURE_CYCLES, "crypto_bench_operation_cycles", "cycles",
     "Cycles of one operation by the processor's counter.", value_text},
    {MEASURE_CYCLES, "crypto_bench_operation_low_cycles", "cycles",
     "Lower bound of the 95% interval of that.", bound_low},
    {MEASURE_CYCLES, "crypto_bench_operation_high_cycles", "cycles",
     "Upper bound of the 95% interval of that.", bound_high},
    {MEASURE_INSNS, "crypto_bench_operation_instructions", "instructions",
     "Instructions of one operation, exact.", value_text},
    {MEASURE_SIZE, "crypto_bench_library_size_bytes", "bytes",
     "Text, rodata, data and bss of libcrypto.a.", value_text},
    {MEASURE_STRIPPED, "crypto_bench_library_stripped_bytes", "bytes",
     "Size of the stripped shared library.", value_text},
    {MEASURE_FRAME, "crypto_bench_library_stack_frame_bytes", "bytes", "Largest stack frame.",
     value_text},
};

static void label_add(struct str *out, const char *name, const char *value)
{
    str_addf(out, "%s%s=\"", out->n ? "," : "", name);
    for (const char *p = value; *p; p++) {
        if (*p == '\n')
            str_add(out, "\\n");
        else if (*p == '\\' || *p == '"')
            str_addf(out, "\\%c", *p);
        else
            str_addc(out, *p);
    }
    str_addc(out, '"');
}

static void labels_add(struct str *out, const struct point *p)
{
    const struct result_cell *c = p->cell;
    const struct result_build *b = p->build;
    char bytes[24];

    label_add(out, "target", b->target);
    if (c && c->cpu[0])
        label_add(out, "cpu", c->cpu);
    if (c)
        label_add(out, "runner", c->runner);
    label_add(out, "library", b->library);
    label_add(out, "compiler", b->cc);
    label_add(out, "config", b->config);
    if (!c)
        return;
    snprintf(bytes, sizeof bytes, "%" PRIu64, c->bytes);
    label_add(out, "workload", c->workload);
    label_add(out, "alg", c->alg);
    label_add(out, "op", c->op);
    label_add(out, "bytes", bytes);
}

/* A family without a sample is left out. */
static void family_print(FILE *f, const struct family *family, const struct points *all,
                         char *const *labels)
{
    int any = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct figure *v = &all->v[i].v[family->measure];
        char *text = v->known ? family->text(v) : NULL;
        if (!text)
            continue;
        if (!any)
            fprintf(f, "# TYPE %s gauge\n# UNIT %s %s\n# HELP %s %s\n", family->name, family->name,
                    family->unit, family->name, family->help);
        any = 1;
        fprintf(f, "%s{%s} %s\n", family->name, labels[i], text);
        free(text);
    }
}

int export_openmetrics(FILE *f, const struct export *x, struct err *e)
{
    struct points all;
    int rc = points_find(x, &all, e);
    if (!rc) {
        struct list labels = LIST_INIT;
        for (size_t i = 0; i < all.n; i++) {
            struct str s = STR_INIT;
            labels_add(&s, &all.v[i]);
            list_add(&labels, s.p);
            str_free(&s);
        }
        for (size_t i = 0; i < sizeof families / sizeof *families; i++)
            family_print(f, &families[i], &all, labels.v);
        fputs("# EOF\n", f);
        list_free(&labels);
    }
    points_free(&all);
    return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/*
 * A report for LLVM's LNT, format_version 2 ("LNT Report File Format" in llvm.org/docs/lnt/
 * importing_data.html, docs/report-example.json of llvm/llvm-lnt): one machine, one run, and tests
 * with the metrics that the suite on the server declares: docs/lnt-suite.yaml.
 */
#include "export_format.h"

#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "mem.h"
#include "point.h"

static const char *const metrics[MEASURES] = {
    [MEASURE_TIME] = "ns_per_op",         [MEASURE_CYCLES] = "cycles_per_op",
    [MEASURE_INSNS] = "insns_per_op",     [MEASURE_SIZE] = "library_size",
    [MEASURE_STRIPPED] = "stripped_size", [MEASURE_FRAME] = "stack_frame",
};

/* A fact that is a string; NULL for others and for null. Caller owns. */
static char *fact_text(const struct result_file *r, const char *name)
{
    const char *value = result_fact(r, name), *text;
    char *out = NULL;
    struct err e = ERR_INIT;
    struct json_doc *d = value ? json_parse(value, strlen(value), name, &e) : NULL;
    if (d && !json_value_str(json_root(d), &text))
        out = xstrdup(text);
    json_close(d);
    err_clear(&e);
    return out;
}

/* Machines are told by their name and the rest of what stands here. */
static void machine_add(struct json *root, const struct result_file *r)
{
    static const char *const facts[] = {"machine", "cpu_model", "os", "kernel", "governor"};
    struct json *o = json_add_object(root, "machine");
    char *machine = fact_text(r, "machine"), *model = fact_text(r, "cpu_model");
    char *name = xasprintf("%s%s%s",
                           machine ? machine
                           : model ? ""
                                   : "several machines",
                           machine && model ? " " : "", model ? model : "");
    json_add_str(o, "name", name);
    free(name);
    free(machine);
    free(model);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        char *text = fact_text(r, facts[i]);
        if (text)
            json_add_str(o, facts[i], text);
        free(text);
    }
}

/* "2026-01-02T03:04:05Z" is "2026-01-02T03:04:05" in LNT, and 20260102030405 as a number to order
 * runs by: no result knows a revision of the project. */
static void run_add(struct json *root, const struct result_file *r)
{
    struct json *o = json_add_object(root, "run");
    char *time = xstrndup(r->created, strcspn(r->created, "Z"));
    struct str order = STR_INIT;
    for (const char *p = time; *p; p++)
        if (*p >= '0' && *p <= '9')
            str_addc(&order, *p);
    char *digits = str_take(&order);
    json_add_str(o, "start_time", time);
    json_add_str(o, "end_time", time); /* a result does not say when it ended */
    json_add_str(o, "llvm_project_revision", digits);
    json_add_str(o, "tool", "crypto-bench");
    free(digits);
    free(time);
}

static void test_add(struct json *tests, const struct point *p)
{
    struct json *o = json_add_object(tests, NULL);
    json_add_str(o, "name", p->name);
    for (size_t m = 0; m < MEASURES; m++) {
        if (!p->v[m].known)
            continue;
        if (p->v[m].exact)
            json_add_u64(o, metrics[m], p->v[m].count);
        else
            json_add_double(o, metrics[m], p->v[m].value);
    }
}

int export_lnt(FILE *f, const struct export *x, struct err *e)
{
    struct points all = {0};
    if (x->n > 1)
        return err_usage(e, "report: an LNT report is of one machine and one run: give one file, "
                            "or join several with crypto-bench merge");
    int rc = points_find(x, &all, e);
    if (!rc) {
        struct json *root = json_new_object();
        json_add_str(root, "format_version", "2");
        machine_add(root, x->files);
        run_add(root, x->files);
        struct json *tests = json_add_array(root, "tests");
        for (size_t i = 0; i < all.n; i++)
            test_add(tests, &all.v[i]);
        char *text = json_text(root);
        fputs(text, f);
        free(text);
        json_free(root);
    }
    points_free(&all);
    return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "suite.h"

#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "datafile.h"
#include "layout.h"
#include "mem.h"
#include "workload.h"

static struct json_doc *suite_open(const char *path, struct err *e)
{
    static const char *const keys[] = {
        "schema", "name", "summary", "source",   "library", "target",   "config", "cc", "cpu",
        "alg",    "op",   "size",    "workload", "metric",  "baseline", "layout", NULL};
    return datafile_open(path, "crypto-bench-suite/1", keys, e);
}

/* A list of words into an axis that the command line left open. */
static int axis_fill(const struct json_doc *d, const char *key, struct list *axis, struct err *e)
{
    const struct json *o = json_root(d), *v = json_get(o, key);
    struct list words = LIST_INIT;
    int rc = 0;

    if (v && (rc = json_strings(d, o, key, JSON_REQUIRED, &words, e)) == 0 && !words.n)
        rc = datafile_refuse(d, o, key, e, "expected at least one word");
    for (size_t i = 0; i < words.n && !rc; i++)
        if (!words.v[i][0])
            rc = datafile_refuse(d, o, key, e, "an empty word");
    if (!rc && !axis->n)
        list_add_all(axis, &words);
    list_free(&words);
    return rc;
}

static int sizes_fill(const struct json_doc *d, struct options *o, struct err *e)
{
    const struct json *root = json_root(d), *all = NULL;
    uint64_t *sizes;
    size_t n = 0;

    if (json_array(d, root, "size", JSON_OPTIONAL, &all, e) || !all)
        return e->text ? -1 : 0;
    sizes = xcalloc(json_count(all) + 1, sizeof *sizes);
    for (const struct json *v = json_first(all); v; v = json_next(v), n++)
        if (json_value_u64(v, &sizes[n]) || !sizes[n] || sizes[n] > BLOCK_SIZE_MAX) {
            free(sizes);
            return datafile_refuse(d, root, "size", e,
                                   "expected whole numbers of bytes from 1 to %u", BLOCK_SIZE_MAX);
        }
    if (o->nsizes || !n) {
        free(sizes);
        return n ? 0 : datafile_refuse(d, root, "size", e, "expected at least one size");
    }
    o->sizes = sizes;
    o->nsizes = n;
    return 0;
}

static int layouts_check(const struct json_doc *d, const struct options *o, struct err *e)
{
    struct list known = LIST_INIT;
    int rc = 0;

    layout_names(&known);
    for (size_t i = 0; i < o->layout.n && !rc; i++)
        if (!list_has(&known, o->layout.v[i])) {
            char *all = list_join(&known, ", ");
            rc = datafile_refuse(d, json_root(d), "layout", e, "'%s' is none; known: %s",
                                 o->layout.v[i], all);
            free(all);
        }
    list_free(&known);
    return rc;
}

static int suite_fill(const struct json_doc *d, struct options *o, struct err *e)
{
    const struct {
        const char *key;
        struct list *axis;
    } axes[] = {{"library", &o->library}, {"target", &o->target}, {"config", &o->config},
                {"cc", &o->cc},           {"cpu", &o->cpu},       {"alg", &o->alg},
                {"op", &o->op},           {"metric", &o->metric}, {"workload", &o->workload},
                {"layout", &o->layout}};
    char *baseline = NULL;

    for (size_t i = 0; i < sizeof axes / sizeof axes[0]; i++)
        if (axis_fill(d, axes[i].key, axes[i].axis, e))
            return -1;
    if (sizes_fill(d, o, e) || layouts_check(d, o, e) ||
        datafile_name(d, json_root(d), "baseline", JSON_OPTIONAL, &baseline, e))
        return -1;
    /* one that --config left out is no baseline of this run */
    if (baseline && !o->baseline && (!o->config.n || list_has(&o->config, baseline))) {
        o->baseline = baseline;
        baseline = NULL;
    }
    free(baseline);
    return 0;
}

int suite_apply(struct options *o, struct err *e)
{
    char *path = NULL;
    struct suite s = {0};
    struct json_doc *d;
    int rc;

    if (catalog_path("suites", "suite", o->suite, &path, e))
        return -1;
    d = suite_load(path, &s, e) ? NULL : suite_open(path, e);
    rc = d ? suite_fill(d, o, e) : -1;
    if (rc)
        e->exit_code = EXIT_USAGE;
    o->skip_missing = 1;
    o->no_emulated_time = 1; /* it could only mislead beside the counts */
    json_close(d);
    suite_free(&s);
    free(path);
    return rc;
}

int suite_load(const char *path, struct suite *out, struct err *e)
{
    struct json_doc *d = suite_open(path, e);
    char *source = NULL;
    int rc = d ? 0 : -1;

    *out = (struct suite){0};
    if (!rc)
        rc = datafile_name(d, json_root(d), "name", JSON_REQUIRED, &out->name, e) ||
             datafile_text(d, json_root(d), "summary", JSON_REQUIRED, &out->summary, e) ||
             datafile_text(d, json_root(d), "source", JSON_OPTIONAL, &source, e);
    free(source);
    json_close(d);
    if (rc)
        suite_free(out);
    return rc ? -1 : 0;
}

void suite_free(struct suite *s)
{
    free(s->name);
    free(s->summary);
    *s = (struct suite){0};
}

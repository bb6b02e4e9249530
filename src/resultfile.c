/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "resultfile.h"

#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "mem.h"

#define SCHEMA "crypto-bench/1"

/* A string of an object: its key, and where it goes. */
struct text_row {
    const char *key;
    const char **to;
    int may_be_null;
};

static int texts_read(const struct json_doc *d, const struct json *o, const struct text_row *rows,
                      size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++)
        if (json_str_ref(d, o, rows[i].key, rows[i].may_be_null ? JSON_OPTIONAL : JSON_REQUIRED,
                         rows[i].to, e))
            return -1;
    return 0;
}

#define TEXTS(d, o, rows, e) texts_read(d, o, rows, sizeof(rows) / sizeof(rows)[0], e)

/* A member that may be null: *out is NULL then. */
static int object_or_null(const struct json_doc *d, const struct json *o, const char *key,
                          const struct json **out, struct err *e)
{
    const struct json *v = json_get(o, key);
    *out = NULL;
    if (v && json_typeof(v) == JSON_NULL)
        return 0;
    return json_object(d, o, key, JSON_REQUIRED, out, e);
}

/* ---- builds ---- */

static int sizes_read(const struct json_doc *d, const struct json *build, struct result_build *b,
                      struct err *e)
{
    const struct json *sizes, *a;
    if (object_or_null(d, build, "sizes", &sizes, e))
        return -1;
    if (!sizes)
        return 0;
    if (json_object(d, sizes, "archive", JSON_REQUIRED, &a, e) ||
        json_u64(d, a, "text", JSON_REQUIRED, &b->text, e) ||
        json_u64(d, a, "rodata", JSON_REQUIRED, &b->rodata, e) ||
        json_u64(d, a, "data", JSON_REQUIRED, &b->data, e) ||
        json_u64(d, a, "bss", JSON_REQUIRED, &b->bss, e))
        return -1;
    b->have_sizes = 1;
    const struct json *shared = json_get(sizes, "shared_stripped");
    if (!shared || json_typeof(shared) == JSON_NULL)
        return 0;
    b->have_shared = 1;
    return json_u64(d, sizes, "shared_stripped", JSON_REQUIRED, &b->shared_stripped, e) ||
                   json_u64(d, sizes, "shared_stripped_gzip9", JSON_REQUIRED, &b->shared_gzip, e) ||
                   json_u64(d, sizes, "shared_stripped_xz9e", JSON_REQUIRED, &b->shared_xz, e)
               ? -1
               : 0;
}

static int build_read(const struct json_doc *d, const struct json *o, struct result_build *b,
                      struct err *e)
{
    const struct json *library, *compiler, *config, *target, *effective;
    if (json_object(d, o, "library", JSON_REQUIRED, &library, e) ||
        json_object(d, o, "compiler", JSON_REQUIRED, &compiler, e) ||
        json_object(d, o, "config", JSON_REQUIRED, &config, e) ||
        json_object(d, o, "target", JSON_REQUIRED, &target, e) ||
        object_or_null(d, o, "effective", &effective, e))
        return -1;
    const struct text_row own[] = {{"id", &b->id, 0},         {"status", &b->status, 0},
                                   {"reason", &b->reason, 1}, {"log", &b->log, 1},
                                   {"key", &b->key, 1},       {"side", &b->side, 1}};
    const struct text_row of_library[] = {{"name", &b->library, 0},
                                          {"version", &b->version, 1},
                                          {"source_sha256", &b->source_sha256, 1}};
    const struct text_row of_compiler[] = {
        {"word", &b->cc, 0}, {"family", &b->family, 1}, {"version", &b->cc_version, 1}};
    const struct text_row of_config[] = {{"name", &b->config, 0}, {"baseline", &b->baseline, 1}};
    const struct text_row of_target[] = {{"name", &b->target, 0}};
    const struct text_row in_effect[] = {{"optimisation", &b->optimisation, 1}};
    if (TEXTS(d, o, own, e) || TEXTS(d, library, of_library, e) ||
        TEXTS(d, compiler, of_compiler, e) || TEXTS(d, config, of_config, e) ||
        TEXTS(d, target, of_target, e) || (effective && TEXTS(d, effective, in_effect, e)))
        return -1;
    return sizes_read(d, o, b, e) || details_read(d, o, &b->stack, &b->objects, e) ? -1 : 0;
}

/* ---- lanes ---- */

/* "" for null: the machine as it is. */
static int cpu_read(const struct json_doc *d, const struct json *o, const char **out, struct err *e)
{
    const struct json *cpu = json_get(o, "cpu");
    if (cpu && json_typeof(cpu) != JSON_NULL)
        return json_str_ref(d, o, "cpu", JSON_REQUIRED, out, e);
    *out = "";
    return 0;
}

static int lane_read(const struct json_doc *d, const struct json *o, struct result_lane *l,
                     struct err *e)
{
    const struct json *drivers;
    const struct text_row rows[] = {{"target", &l->target, 0},
                                    {"runner", &l->runner, 0},
                                    {"runner_version", &l->runner_version, 1},
                                    {"counter", &l->counter, 1}};
    if (TEXTS(d, o, rows, e) || cpu_read(d, o, &l->cpu, e) ||
        json_bool(d, o, "emulated", JSON_REQUIRED, &l->emulated, e) ||
        json_strings(d, o, "metrics", JSON_REQUIRED, &l->metrics, e) ||
        json_array(d, o, "drivers", JSON_REQUIRED, &drivers, e))
        return -1;
    for (const struct json *x = json_first(drivers); x; x = json_next(x)) {
        const char *build, *capabilities = "";
        if (json_str_ref(d, x, "build", JSON_REQUIRED, &build, e) ||
            json_str_ref(d, x, "capabilities", JSON_OPTIONAL, &capabilities, e))
            return -1;
        list_add(&l->driver_builds, build);
        list_add(&l->driver_capabilities, capabilities);
    }
    return 0;
}

/* ---- cells ---- */

/* For fields that are owned elsewhere: here nothing frees them one by one. */
static char *shared(const char *text)
{
    return (char *)(uintptr_t)text;
}

static int insns_read(const struct json_doc *d, const struct json *cell, struct result_file *file,
                      struct insns *out, struct err *e)
{
    const struct json *o, *list = NULL;
    const char *text = NULL;

    if (object_or_null(d, cell, "insns", &o, e) ||
        json_str_ref(d, cell, "insns_reason", JSON_OPTIONAL, &text, e))
        return -1;
    out->reason = shared(text);
    if (!o)
        return 0;
    if (json_u64(d, o, "per_op", JSON_REQUIRED, &out->per_op, e) ||
        json_u64(d, o, "overhead", JSON_REQUIRED, &out->overhead, e) ||
        json_u64(d, o, "rest", JSON_REQUIRED, &out->rest, e) ||
        json_array(d, o, "functions", JSON_REQUIRED, &list, e))
        return -1;
    out->functions = arena_take(&file->arena, json_count(list) * sizeof *out->functions + 1);
    for (const struct json *f = json_first(list); f; f = json_next(f)) {
        struct insns_function *to = &out->functions[out->nfunctions];
        if (json_str_ref(d, f, "name", JSON_REQUIRED, &text, e) ||
            json_u64(d, f, "insns", JSON_REQUIRED, &to->insns, e))
            return -1;
        to->name = shared(text);
        out->nfunctions++;
    }
    out->counted = 1;
    return 0;
}

/* Error at a member of o. */
static int member_bad(const struct json_doc *d, const struct json *o, const char *key,
                      const char *what, struct err *e)
{
    char *where = json_where(d, o);
    err_set(e, "%s.%s: %s", where, key, what);
    free(where);
    return -1;
}

/* What is left of a cell's samples while its processes are read. */
struct samples_left {
    const uint64_t *v; /* pairs */
    size_t n;
    struct sample *to; /* room for all of them */
    struct series *series;
    int bad;
};

static void process_read(struct samples_left *left, uint64_t n)
{
    struct samples *s = &left->series->process[left->series->n++];
    left->bad |= !n || n > left->n;
    *s = (struct samples){.v = left->to};
    for (uint64_t i = 0; i < n && !left->bad; i++, left->v += 2, left->n--) {
        left->bad = !left->v[0] || !left->v[1];
        *left->to++ = (struct sample){.ops = left->v[0], .ns = left->v[1], .round = i};
        s->n++;
    }
}

/* One launch: an array of how many samples each of its processes has. */
static int launch_read(const struct json *launch, struct samples_left *left, size_t twins)
{
    uint64_t n;
    if (json_typeof(launch) != JSON_ARRAY || json_count(launch) != twins)
        return -1;
    for (const struct json *x = json_first(launch); x; x = json_next(x)) {
        if (json_value_u64(x, &n))
            return -1;
        process_read(left, n);
    }
    return 0;
}

static void series_room(struct result_file *f, struct series *s, size_t launches, size_t twins)
{
    s->twins = twins;
    s->process = arena_take(&f->arena, launches * twins * sizeof *s->process + 1);
}

static int launches_read(const struct json_doc *d, const struct json *time, struct result_file *f,
                         struct samples_left *left, struct err *e)
{
    static const char what[] = "expected arrays of how many samples each process has, of one "
                               "length";
    const struct json *v = json_get(time, "launches");
    left->to = arena_take(&f->arena, left->n * sizeof *left->to + 1);
    if (v && json_typeof(v) == JSON_PAIRS) {
        const uint64_t *counts;
        size_t n;
        json_pairs(d, time, "launches", &counts, &n, e);
        series_room(f, left->series, n, 2);
        for (size_t i = 0; i < 2 * n; i++)
            process_read(left, counts[i]);
        return 0;
    }
    if (json_array(d, time, "launches", JSON_REQUIRED, &v, e))
        return -1;
    const struct json *first = json_first(v);
    size_t twins = first && json_typeof(first) == JSON_ARRAY ? json_count(first) : 0;
    if (!twins)
        return member_bad(d, time, "launches", what, e);
    /* a process has a sample at least; more of them than samples would only ask for memory */
    left->bad = json_count(v) > left->n / twins;
    if (left->bad)
        return 0;
    series_room(f, left->series, json_count(v), twins);
    for (const struct json *launch = first; launch; launch = json_next(launch))
        if (launch_read(launch, left, twins))
            return member_bad(d, time, "launches", what, e);
    return 0;
}

static int time_read(const struct json_doc *d, const struct json *cell, struct result_file *f,
                     struct result_cell *c, struct err *e)
{
    const struct json *o;
    struct samples_left left = {.series = &c->series};
    if (object_or_null(d, cell, "time", &o, e))
        return -1;
    if (!o)
        return 0;
    if (json_bool(d, o, "emulated", JSON_REQUIRED, &c->emulated, e) ||
        json_pairs(d, o, "samples", &left.v, &left.n, e) || launches_read(d, o, f, &left, e))
        return -1;
    if (left.bad || left.n || !series_count(&c->series))
        return member_bad(d, o, "samples",
                          "expected as many [operations, ns] pairs, both at least 1, as "
                          "\"launches\" says",
                          e);
    return 0;
}

/* As many as there are samples of time, in their order. */
static int cycles_read(const struct json_doc *d, const struct json *cell, struct result_cell *c,
                       struct err *e)
{
    const struct json *o, *all, *v;
    if (object_or_null(d, cell, "cycles", &o, e) ||
        json_str_ref(d, cell, "cycles_reason", JSON_OPTIONAL, &c->cycles_reason, e))
        return -1;
    if (!o)
        return 0;
    if (json_str_ref(d, o, "source", JSON_REQUIRED, &c->cycle_source, e) ||
        json_array(d, o, "samples", JSON_REQUIRED, &all, e))
        return -1;
    v = json_first(all);
    for (size_t p = 0; p < c->series.n; p++)
        for (size_t i = 0; i < c->series.process[p].n; i++, v = json_next(v))
            if (!v || json_value_u64(v, &c->series.process[p].v[i].cycles))
                return member_bad(d, o, "samples",
                                  "expected a whole number for each of "
                                  "time.samples",
                                  e);
    return v ? member_bad(d, o, "samples", "more numbers than time.samples has", e) : 0;
}

/* Which run it is of. Where there is one, no cell says so. */
static int cell_run_read(const struct json_doc *d, const struct json *o,
                         const struct result_file *f, struct result_cell *c, struct err *e)
{
    uint64_t run = 0;
    if (json_u64(d, o, "run", f->nruns > 1 ? JSON_REQUIRED : JSON_OPTIONAL, &run, e))
        return -1;
    c->run = (size_t)run;
    return run < f->nruns ? 0 : member_bad(d, o, "run", "expected the index of one of \"runs\"", e);
}

static int cell_read(const struct json_doc *d, const struct json *o, struct result_file *f,
                     struct result_cell *c, struct err *e)
{
    const struct json *vs;
    const struct text_row rows[] = {{"library", &c->library, 0}, {"compiler", &c->compiler, 0},
                                    {"config", &c->config, 0},   {"target", &c->target, 0},
                                    {"runner", &c->runner, 0},   {"workload", &c->workload, 0},
                                    {"alg", &c->alg, 0},         {"op", &c->op, 0},
                                    {"status", &c->status, 0},   {"reason", &c->reason, 1}};

    if (TEXTS(d, o, rows, e) || cpu_read(d, o, &c->cpu, e) || cell_run_read(d, o, f, c, e) ||
        json_u64(d, o, "bytes", JSON_REQUIRED, &c->bytes, e))
        return -1;
    if (!c->bytes)
        return member_bad(d, o, "bytes", "expected a block size of at least 1", e);
    if (time_read(d, o, f, c, e) || cycles_read(d, o, c, e) || insns_read(d, o, f, &c->insns, e) ||
        prediction_read(d, o, &f->arena, &c->modelled, e) ||
        object_or_null(d, o, "vs_baseline", &vs, e))
        return -1;
    return vs ? json_str_ref(d, vs, "build", JSON_REQUIRED, &c->baseline_build, e) : 0;
}

/* ---- what belongs together ---- */

/* By id; ids are unique. */
static int build_order(const void *a, const void *b)
{
    const struct result_build *const *x = a, *const *y = b;
    return strcmp((*x)->id, (*y)->id);
}

/* Builds sorted by id. */
struct build_index {
    const struct result_build **v;
    size_t n;
};

static const struct result_build *build_find(const struct build_index *x, const char *id)
{
    const struct result_build key = {.id = id}, *p = &key;
    const struct result_build *const *at =
        bsearch(&p, x->v, x->n, sizeof(struct result_build *), build_order);
    return at ? *at : NULL;
}

int result_cell_order(const struct result_cell *a, const struct result_cell *b)
{
    int r = (a->bytes > b->bytes) - (a->bytes < b->bytes);
    if (!r)
        r = strcmp(a->alg, b->alg);
    if (!r)
        r = strcmp(a->op, b->op);
    if (!r)
        r = strcmp(a->target, b->target);
    if (!r)
        r = strcmp(a->cpu, b->cpu);
    if (!r)
        r = strcmp(a->runner, b->runner);
    return r ? r : strcmp(a->workload, b->workload);
}

static int cell_order(const void *a, const void *b)
{
    const struct result_cell *const *x = a, *const *y = b;
    int r = result_cell_order(*x, *y);
    return r ? r : ((*x)->build > (*y)->build) - ((*x)->build < (*y)->build);
}

/* Cell i of the file; a damaged one names the place. */
static int cell_bad(const struct result_file *f, const struct result_cell *c, const char *what,
                    struct err *e)
{
    return err_set(e, "%s: $.cells[%zu]: %s", f->path, (size_t)(c - f->cells), what);
}

static int baselines_join(struct result_file *f, const struct build_index *builds, struct err *e)
{
    const struct result_cell **sorted = xcalloc(f->ncells + 1, sizeof(struct result_cell *));
    int rc = 0;
    for (size_t i = 0; i < f->ncells; i++)
        sorted[i] = &f->cells[i];
    qsort(sorted, f->ncells, sizeof(struct result_cell *), cell_order);
    for (size_t i = 1; i < f->ncells && !rc; i++)
        if (!cell_order(&sorted[i - 1], &sorted[i]))
            rc = cell_bad(f, sorted[i] > sorted[i - 1] ? sorted[i] : sorted[i - 1],
                          "the same build, work and runner as another cell", e);
    for (size_t i = 0; i < f->ncells && !rc; i++) {
        struct result_cell *c = &f->cells[i];
        struct result_cell key = *c;
        const struct result_cell *p = &key, **at;
        if (!c->baseline_build)
            continue;
        key.build = build_find(builds, c->baseline_build);
        at = key.build ? bsearch(&p, sorted, f->ncells, sizeof(struct result_cell *), cell_order)
                       : NULL;
        if (!at)
            rc = cell_bad(f, c, "vs_baseline.build names no build that has such a cell", e);
        else
            c->baseline = *at;
    }
    free(sorted);
    return rc;
}

static const struct result_lane *lane_find(const struct result_file *f, const struct result_cell *c)
{
    for (size_t i = 0; i < f->nlanes; i++)
        if (!strcmp(f->lanes[i].target, c->target) && !strcmp(f->lanes[i].cpu, c->cpu) &&
            !strcmp(f->lanes[i].runner, c->runner))
            return &f->lanes[i];
    return NULL;
}

/* Statistics of every cell. */
void result_file_figures(struct result_file *f)
{
    for (size_t i = 0; i < f->ncells; i++) {
        struct result_cell *c = &f->cells[i];
        if (!c->series.n)
            continue;
        estimate_series(&c->series, &c->time);
        if (!c->cycle_source || estimate_cycles(&c->series, &c->cycles))
            c->cycles = (struct estimate){0};
        if (estimate_null(&c->series, &c->null))
            c->null = (struct estimate){0};
        /* what was not measured in one run was not measured in turn */
        if (!c->baseline || c->baseline->run != c->run ||
            estimate_pair(&c->baseline->series, &c->series, &c->ratio))
            c->ratio = (struct estimate){0};
    }
}

static int cells_join(struct result_file *f, const struct json *cells, const struct json_doc *d,
                      struct err *e)
{
    struct build_index index = {xcalloc(f->nbuilds + 1, sizeof(struct result_build *)), f->nbuilds};
    const struct json *o = json_first(cells);
    int rc = 0;

    for (size_t i = 0; i < f->nbuilds; i++)
        index.v[i] = &f->builds[i];
    qsort(index.v, index.n, sizeof(struct result_build *), build_order);
    for (size_t i = 1; i < f->nbuilds && !rc; i++)
        if (!build_order(&index.v[i - 1], &index.v[i]))
            rc = err_set(e, "%s: $.builds: two have the id '%s'", f->path, index.v[i]->id);
    for (size_t i = 0; i < f->ncells && !rc; i++, o = json_next(o)) {
        struct result_cell *c = &f->cells[i];
        const char *id;
        const struct json *v = json_get(o, "build");
        if (!v || json_value_str(v, &id) || !(c->build = build_find(&index, id)))
            rc = member_bad(d, o, "build", "expected the id of one of the builds", e);
        else if (!(c->lane = lane_find(f, c)))
            rc = cell_bad(f, c, "no lane has its target, cpu and runner", e);
    }
    if (!rc)
        rc = baselines_join(f, &index, e);
    free(index.v);
    return rc;
}

/* ---- the whole ---- */

static int warnings_read(const struct json_doc *d, struct result_file *f, struct err *e)
{
    const struct json *all;
    if (json_array(d, json_root(d), "warnings", JSON_REQUIRED, &all, e))
        return -1;
    for (const struct json *v = json_first(all); v; v = json_next(v)) {
        const char *code, *text;
        if (json_str_ref(d, v, "code", JSON_REQUIRED, &code, e) ||
            json_str_ref(d, v, "text", JSON_REQUIRED, &text, e))
            return -1;
        list_addf(&f->warnings, "%s: %s", code, text);
    }
    return 0;
}

/* 0 for null. */
static int mhz_read(const struct json_doc *d, const struct json *settings, double *out,
                    struct err *e)
{
    const struct json *v = json_get(settings, "cpu_mhz");
    return v && json_typeof(v) == JSON_NULL
               ? 0
               : json_double(d, settings, "cpu_mhz", JSON_OPTIONAL, out, e);
}

/* Members of the root: schema first, so that another format is refused for what it is. */
static int root_read(const struct json_doc *d, struct result_file *f, struct err *e)
{
    const struct json *root = json_root(d), *settings, *builds, *lanes, *cells;
    const char *schema;

    if (json_str_ref(d, root, "schema", JSON_REQUIRED, &schema, e))
        return -1;
    if (strcmp(schema, SCHEMA))
        return err_set(e,
                       "%s: $.schema: '%s' is not a result file this version reads; expected '%s'",
                       f->path, schema, SCHEMA);
    if (json_str_ref(d, root, "created", JSON_REQUIRED, &f->created, e) ||
        json_object(d, root, "settings", JSON_REQUIRED, &settings, e) ||
        json_double(d, settings, "seconds_per_cell", JSON_REQUIRED, &f->seconds, e) ||
        json_strings(d, settings, "layout", JSON_OPTIONAL, &f->layout, e) ||
        json_strings(d, settings, "metric", JSON_OPTIONAL, &f->metric, e) ||
        json_str_ref(d, settings, "baseline", JSON_OPTIONAL, &f->baseline, e) ||
        json_u64(d, settings, "max_stack", JSON_OPTIONAL, &f->max_stack, e) ||
        mhz_read(d, settings, &f->cpu_mhz, e) || result_facts_read(d, root, &f->host, e) ||
        result_runs_read(d, root, &f->runs, &f->nruns, e) || warnings_read(d, f, e) ||
        json_array(d, root, "builds", JSON_REQUIRED, &builds, e) ||
        json_array(d, root, "lanes", JSON_REQUIRED, &lanes, e) ||
        json_array(d, root, "cells", JSON_REQUIRED, &cells, e))
        return -1;
    f->builds = xcalloc(json_count(builds) + 1, sizeof *f->builds);
    f->lanes = xcalloc(json_count(lanes) + 1, sizeof *f->lanes);
    f->cells = xcalloc(json_count(cells) + 1, sizeof *f->cells);
    for (const struct json *v = json_first(builds); v; v = json_next(v))
        if (build_read(d, v, &f->builds[f->nbuilds++], e))
            return -1;
    for (const struct json *v = json_first(lanes); v; v = json_next(v))
        if (lane_read(d, v, &f->lanes[f->nlanes++], e))
            return -1;
    for (const struct json *v = json_first(cells); v; v = json_next(v))
        if (cell_read(d, v, f, &f->cells[f->ncells++], e))
            return -1;
    return cells_join(f, cells, d, e);
}

/* What follows from the rest, and is computed anew: it is most of a large file. */
static const char *const derived[] = {"ns_per_op", "noise", "time_ratio", "fits", NULL};

/* Takes d over, which may be NULL. */
static int doc_read(struct json_doc *d, const char *path, struct result_file *out, struct err *e)
{
    char *own;
    *out = (struct result_file){.doc = d};
    out->path = own = arena_take(&out->arena, strlen(path) + 1);
    memcpy(own, path, strlen(path) + 1);
    int rc = d ? root_read(d, out, e) : -1;
    if (rc)
        result_file_free(out);
    else
        result_file_figures(out);
    return rc;
}

int result_file_read(const char *path, struct result_file *out, struct err *e)
{
    return doc_read(json_open_packed(path, derived, e), path, out, e);
}

int result_file_parse(const char *text, size_t n, const char *name, struct result_file *out,
                      struct err *e)
{
    return doc_read(json_parse_packed(text, n, name, derived, e), name, out, e);
}

void result_file_keep(struct result_file *f,
                      int (*wanted)(const void *arg, const struct result_cell *c), const void *arg)
{
    struct result_cell *some = xcalloc(f->ncells + 1, sizeof *some);
    size_t n = 0;

    for (size_t i = 0; i < f->ncells; i++)
        if (wanted(arg, &f->cells[i]))
            some[n++] = f->cells[i];
    f->owned = f->cells;
    f->nowned = f->ncells;
    f->cells = some;
    f->ncells = n;
}

const char *result_fact(const struct result_file *f, const char *name)
{
    return result_facts_find(&f->host, name);
}

void result_file_free(struct result_file *f)
{
    for (size_t i = 0; i < f->nbuilds; i++) {
        stack_free(&f->builds[i].stack.use);
        object_sizes_free(&f->builds[i].objects);
    }
    for (size_t i = 0; i < f->nlanes; i++) {
        list_free(&f->lanes[i].metrics);
        list_free(&f->lanes[i].driver_builds);
        list_free(&f->lanes[i].driver_capabilities);
    }
    result_facts_free(&f->host);
    result_runs_free(f->runs, f->nruns);
    list_free(&f->layout);
    list_free(&f->warnings);
    list_free(&f->metric);
    free(f->builds);
    free(f->lanes);
    free(f->cells);
    free(f->owned);
    arena_free(&f->arena);
    json_close(f->doc);
    *f = (struct result_file){0};
}

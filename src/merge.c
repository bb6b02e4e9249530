/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "merge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "json.h"
#include "mem.h"
#include "mergefile.h"
#include "mergelane.h"
#include "mergerun.h"
#include "workload.h"

/* Warnings that a merge makes: those of an earlier one are not carried over. */
static const char *const own_warnings[] = {
    "missing-shard: ", "several-machines: ", "tool-versions: ", NULL};

struct merged_build {
    const struct merge_file *file;
    size_t index; /* in it */
};

struct merged_cell {
    const struct merge_file *file;
    size_t index; /* in it */
    const struct result_cell *cell;
    size_t run, lane, build; /* in the merged file */
    size_t rank[3];          /* of workload, algorithm and operation in their tables */
};

struct merge {
    struct merge_file *files;
    size_t n;
    struct merge_runs runs;
    struct merge_lanes lanes;
    struct merged_build *builds;
    size_t nbuilds;
    struct merged_cell *cells;
    size_t ncells;
    const struct merge_file *alone; /* where all cells come from; NULL: from several */
    int machines;                   /* 1: a lane may have several */
};

/* ---- builds ---- */

static const struct result_build *build_of(const struct merged_build *b)
{
    return &b->file->result.builds[b->index];
}

/* What tells when and where one was built is the one file's or the other's. */
static int build_same(const struct merged_build *b, const struct merge_file *f, size_t index,
                      struct err *e)
{
    static const char *const ignored[] = {"build_seconds", "log", "path", "reason", NULL};
    struct difference d;
    if (!difference_find(b->file->builds[b->index], f->builds[index], ignored, &d))
        return 0;
    err_set(e,
            "%s and %s: build '%s' is not the same: its %s is %s and %s; results of two libraries "
            "need two names: repeat one of the runs",
            b->file->path, f->path, build_of(b)->id, d.path, d.a, d.b);
    difference_free(&d);
    return -1;
}

static int builds_find(struct merge *m, struct err *e)
{
    size_t all = 0;
    for (size_t i = 0; i < m->n; i++)
        all += m->files[i].result.nbuilds;
    m->builds = xcalloc(all + 1, sizeof *m->builds);
    for (size_t i = 0; i < m->n; i++) {
        struct merge_file *f = &m->files[i];
        for (size_t k = 0; k < f->result.nbuilds; k++) {
            size_t at = 0;
            while (at < m->nbuilds && strcmp(build_of(&m->builds[at])->id, f->result.builds[k].id))
                at++;
            f->build[k] = at;
            if (at == m->nbuilds)
                m->builds[m->nbuilds++] = (struct merged_build){f, k};
            else if (build_same(&m->builds[at], f, k, e))
                return -1;
        }
    }
    return 0;
}

/* ---- cells ---- */

static size_t workload_rank(const char *name)
{
    size_t i = 0;
    while (i < workload_count() && strcmp(workload_at(i)->name, name))
        i++;
    return i;
}

static size_t algorithm_rank(const char *name)
{
    size_t i = 0;
    while (i < algorithm_count() && strcmp(algorithm_at(i)->name, name))
        i++;
    return i;
}

static size_t operation_rank(const char *name)
{
    size_t i = 0;
    while (i < operation_count() && strcmp(operation_at(i), name))
        i++;
    return i;
}

static int size_order(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

/* As a run has them: lane, workload, algorithm, operation, size, build; shards deal them out in
 * turn. Names of no table come last. Equal: the same cell of two files, the first file's first. */
static int cell_order(const void *a, const void *b)
{
    const struct merged_cell *x = a, *y = b;
    int r = size_order(x->lane, y->lane);
    for (size_t i = 0; i < 3 && !r; i++)
        r = size_order(x->rank[i], y->rank[i]);
    if (!r)
        r = strcmp(x->cell->workload, y->cell->workload);
    if (!r)
        r = strcmp(x->cell->alg, y->cell->alg);
    if (!r)
        r = strcmp(x->cell->op, y->cell->op);
    if (!r)
        r = (x->cell->bytes > y->cell->bytes) - (x->cell->bytes < y->cell->bytes);
    return r ? r : size_order(x->build, y->build);
}

static int cell_file_order(const void *a, const void *b)
{
    const struct merged_cell *x = a, *y = b;
    int r = cell_order(x, y);
    return r ? r : (x->file > y->file) - (x->file < y->file);
}

static int cell_place_order(const void *a, const void *b)
{
    const struct merged_cell *x = a, *y = b;
    return size_order(x->index, y->index);
}

static void cells_collect(struct merge *m)
{
    size_t all = 0;
    for (size_t i = 0; i < m->n; i++)
        all += m->files[i].result.ncells;
    m->cells = xcalloc(all + 1, sizeof *m->cells);
    for (size_t i = 0; i < m->n; i++) {
        const struct merge_file *f = &m->files[i];
        for (size_t k = 0; k < f->result.ncells; k++) {
            const struct result_cell *c = &f->result.cells[k];
            m->cells[m->ncells++] = (struct merged_cell){
                f,
                k,
                c,
                f->run[c->run],
                f->lane[c->lane - f->result.lanes],
                f->build[c->build - f->result.builds],
                {workload_rank(c->workload), algorithm_rank(c->alg), operation_rank(c->op)}};
        }
    }
}

/* The same cell of two files. */
static int cell_same(const struct merged_cell *a, const struct merged_cell *b, struct err *e)
{
    static const char *const ignored[] = {"run", "reason", NULL};
    const struct result_cell *c = a->cell;
    struct difference d;
    if (!difference_find(a->file->cells[a->index], b->file->cells[b->index], ignored, &d))
        return 0;
    err_set(e,
            "%s, $.cells[%zu], and %s, $.cells[%zu]: %s %s %" PRIu64 " B of %s, %s%s%s %s, is not "
            "the same: its %s is %s and %s; leave one of the files out, or that cell in one of "
            "them",
            a->file->path, a->index, b->file->path, b->index, c->alg, c->op, c->bytes, c->build->id,
            c->target, c->cpu[0] ? ":" : "", c->cpu, c->runner, d.path, d.a, d.b);
    difference_free(&d);
    return -1;
}

static int cells_unite(struct merge *m, struct err *e)
{
    size_t kept = 0;
    qsort(m->cells, m->ncells, sizeof *m->cells, cell_file_order);
    for (size_t i = 0; i < m->ncells; i++) {
        if (kept && !cell_order(&m->cells[kept - 1], &m->cells[i])) {
            if (cell_same(&m->cells[kept - 1], &m->cells[i], e))
                return -1;
            continue;
        }
        m->cells[kept++] = m->cells[i];
    }
    m->ncells = kept;
    m->alone = kept ? m->cells[0].file : NULL;
    for (size_t i = 0; i < kept && m->alone; i++)
        m->alone = m->cells[i].file == m->alone ? m->alone : NULL;
    if (m->alone)
        qsort(m->cells, m->ncells, sizeof *m->cells, cell_place_order);
    return 0;
}

/* ---- machines ---- */

/* 1 when what it says depends on the machine that ran it. */
static int is_of_machine(const struct merged_cell *c)
{
    return !c->cell->lane->emulated && !strcmp(c->cell->status, "ok");
}

/* Times of two machines in one lane look like what they are not. */
static int machines_check(const struct merge *m, struct list *warnings, struct err *e)
{
    const struct merged_cell **first = xcalloc(m->lanes.n + 1, sizeof *first);
    int *said = xcalloc(m->lanes.n + 1, sizeof *said), rc = 0;
    for (size_t i = 0; i < m->ncells && !rc; i++) {
        const struct merged_cell *c = &m->cells[i], *f;
        const struct result_lane *l = c->cell->lane;
        if (!is_of_machine(c))
            continue;
        if (!first[c->lane])
            first[c->lane] = c;
        f = first[c->lane];
        const struct result_run *a = merge_run_result(&m->runs.v[f->run]),
                                *b = merge_run_result(&m->runs.v[c->run]);
        const struct machine_fact *fact = result_runs_differ(a, b);
        if (!fact || said[c->lane])
            continue;
        said[c->lane] = 1;
        if (m->machines)
            list_addf(warnings,
                      "several-machines: lane %s%s%s %s was measured on several machines (%s: %s "
                      "and %s, among others): compare cells of one run only, which the changes "
                      "against the baseline do",
                      l->target, l->cpu[0] ? ":" : "", l->cpu, l->runner, fact->what,
                      result_run_fact(a, fact->name), result_run_fact(b, fact->name));
        else
            rc = err_set(e,
                         "%s and %s: lane %s%s%s %s was measured on two machines (%s: %s and %s), "
                         "whose times are no comparison: measure instructions (--metric insns), or "
                         "merge with --allow machine, which says so in the result",
                         f->file->path, c->file->path, l->target, l->cpu[0] ? ":" : "", l->cpu,
                         l->runner, fact->what, result_run_fact(a, fact->name),
                         result_run_fact(b, fact->name));
    }
    free(first);
    free(said);
    return rc;
}

/* ---- writing ---- */

static void raw_add(struct json *parent, const char *key, struct slice s)
{
    char *text = xstrndup(s.p, s.n);
    json_add_raw(parent, key, text);
    free(text);
}

static void cells_add(struct json *root, const struct merge *m)
{
    struct json *all = json_add_array(root, "cells");
    for (size_t i = 0; i < m->ncells; i++) {
        const struct merged_cell *c = &m->cells[i];
        struct slice text = c->file->cells[c->index];
        if (m->runs.n == 1) {
            raw_add(all, NULL, text);
            continue;
        }
        struct str with = STR_INIT;
        char *run = xasprintf("%zu", c->run);
        slice_with(&with, text, "run", run);
        json_add_raw(all, NULL, with.p);
        free(run);
        str_free(&with);
    }
}

static void fit_add(struct json *fits, const struct result_cell *c, const struct line_fit *f)
{
    struct json *o = json_add_object(fits, NULL);
    json_add_str(o, "build", c->build->id);
    json_add_str(o, "target", c->target);
    json_add_str(o, "cpu", c->cpu[0] ? c->cpu : NULL);
    json_add_str(o, "runner", c->runner);
    json_add_str(o, "workload", c->workload);
    json_add_str(o, "alg", c->alg);
    json_add_str(o, "op", c->op);
    json_add_u64(o, "sizes", f->n);
    json_add_double(o, "insns_per_message", f->per_message);
    json_add_double(o, "insns_per_byte", f->per_byte);
}

/* Lines through the sizes, which may have been in several files. */
static void fits_add(struct json *root, const struct result_file *merged)
{
    struct json *fits = json_add_array(root, "fits");
    struct blocks all;
    struct line_fit f;
    blocks_make(merged, &all);
    for (size_t i = 0; i < all.n; i++)
        for (size_t row = 0; row < all.v[i].nbuilds; row++)
            if (!block_fit(&all.v[i], row, &f))
                fit_add(fits, block_row(&all.v[i], row), &f);
    blocks_free(&all);
}

static void warnings_add(struct json *root, const struct list *lines)
{
    struct json *all = json_add_array(root, "warnings");
    for (size_t i = 0; i < lines->n; i++) {
        const char *colon = strstr(lines->v[i], ": ");
        char *code = xstrndup(lines->v[i], (size_t)(colon - lines->v[i]));
        struct json *o = json_add_object(all, NULL);
        json_add_str(o, "code", code);
        json_add_str(o, "text", colon + 2);
        free(code);
    }
}

static int is_own_warning(const char *line)
{
    for (const char *const *w = own_warnings; *w; w++)
        if (!strncmp(line, *w, strlen(*w)))
            return 1;
    return 0;
}

/* The files' own, each once, and then the merge's. */
static void warnings_join(const struct merge *m, const struct list *own, struct list *out)
{
    for (size_t i = 0; i < m->n; i++) {
        const struct list *from = &m->files[i].result.warnings;
        for (size_t k = 0; k < from->n; k++)
            if (!is_own_warning(from->v[k]) && !list_has(out, from->v[k]))
                list_add(out, from->v[k]);
    }
    list_add_all(out, own);
}

static struct json *root_make(const struct merge *m)
{
    struct json *root = json_new_object();
    json_add_str(root, "schema", "crypto-bench/1");
    if (m->runs.n == 1) {
        raw_add(root, "tool", m->runs.v[0].tool);
    } else {
        struct json *tool = json_add_object(root, "tool");
        json_add_str(tool, "name", "crypto-bench");
        json_add_str(tool, "version", CB_VERSION);
    }
    merge_runs_add(root, &m->runs);
    struct json *builds = json_add_array(root, "builds");
    for (size_t i = 0; i < m->nbuilds; i++)
        raw_add(builds, NULL, m->builds[i].file->builds[m->builds[i].index]);
    merge_lanes_add(root, &m->lanes);
    cells_add(root, m);
    return root;
}

/* The cells as one file has them, for those who go through files. */
struct view {
    struct result_file file;
    struct result_build *builds;
    struct result_lane *lanes;
};

static void view_make(const struct merge *m, struct view *v)
{
    v->builds = xcalloc(m->nbuilds + 1, sizeof *v->builds);
    v->lanes = xcalloc(m->lanes.n + 1, sizeof *v->lanes);
    v->file = (struct result_file){.cells = xcalloc(m->ncells + 1, sizeof *v->file.cells),
                                   .ncells = m->ncells};
    for (size_t i = 0; i < m->nbuilds; i++)
        v->builds[i] = *build_of(&m->builds[i]);
    for (size_t i = 0; i < m->lanes.n; i++)
        v->lanes[i] = *m->lanes.v[i].lane;
    for (size_t i = 0; i < m->ncells; i++) {
        v->file.cells[i] = *m->cells[i].cell;
        v->file.cells[i].build = &v->builds[m->cells[i].build];
        v->file.cells[i].lane = &v->lanes[m->cells[i].lane];
    }
}

static void view_free(struct view *v)
{
    free(v->builds);
    free(v->lanes);
    free(v->file.cells);
}

static void text_make(const struct merge *m, const struct list *warnings, struct str *out)
{
    struct json *root = root_make(m);
    struct slice fits;
    if (m->alone && !slice_member(m->alone->root, "fits", &fits)) {
        raw_add(root, "fits", fits);
    } else {
        struct view v;
        view_make(m, &v);
        fits_add(root, &v.file);
        view_free(&v);
    }
    warnings_add(root, warnings);
    char *text = json_text(root);
    str_add(out, text);
    free(text);
    json_free(root);
}

int merge_files(const struct list *paths, int machines, struct str *out, struct list *warnings,
                struct err *e)
{
    struct merge m = {.machines = machines};
    struct list all = LIST_INIT;
    int rc = 0;

    m.files = xcalloc(paths->n + 1, sizeof *m.files);
    for (size_t i = 0; i < paths->n && !rc; i++)
        rc = merge_file_read(paths->v[i], &m.files[m.n++], e);
    rc = rc || merge_runs_find(m.files, m.n, &m.runs, e) || builds_find(&m, e) ||
                 merge_lanes_find(m.files, m.n, &m.lanes, e)
             ? -1
             : 0;
    if (!rc) {
        cells_collect(&m);
        rc = cells_unite(&m, e) || machines_check(&m, warnings, e) ? -1 : 0;
    }
    if (!rc) {
        merge_runs_warn(&m.runs, warnings);
        warnings_join(&m, warnings, &all);
        text_make(&m, &all, out);
    }
    list_free(&all);
    free(m.cells);
    free(m.builds);
    merge_lanes_free(&m.lanes);
    merge_runs_free(&m.runs);
    for (size_t i = 0; i < m.n; i++)
        merge_file_free(&m.files[i]);
    free(m.files);
    return rc;
}

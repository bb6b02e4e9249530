/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "mergerun.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"

const struct result_run *merge_run_result(const struct merge_run *r)
{
    return &r->file->result.runs[r->index];
}

/* ---- finding ---- */

static int u64_order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* 0: one run. */
static int run_order(const void *a, const void *b)
{
    const struct merge_run *x = a, *y = b;
    const struct result_run *p = merge_run_result(x), *q = merge_run_result(y);
    int r = u64_order(p->shards, q->shards);
    if (!r)
        r = u64_order(p->shard, q->shard);
    if (!r)
        r = strcmp(p->created, q->created);
    if (!r)
        r = slice_order(x->settings, y->settings);
    if (!r)
        r = slice_order(x->host, y->host);
    return r ? r : slice_order(x->tool, y->tool);
}

static int run_make(const struct merge_file *f, struct slice o, size_t index, struct merge_run *r,
                    struct err *e)
{
    const struct {
        const char *key;
        struct slice *to;
    } members[] = {{"created", &r->created},
                   {"tool", &r->tool},
                   {"settings", &r->settings},
                   {"host", &r->host}};
    *r = (struct merge_run){.file = f, .index = index};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (slice_member(o, members[i].key, members[i].to))
            return err_set(e, "%s: a run without the key \"%s\"", f->path, members[i].key);
    return 0;
}

static int runs_add(const struct merge_file *f, struct merge_runs *out, struct err *e)
{
    struct slice_walk w = {0};
    if (slice_member(f->root, "runs", &w.of))
        return run_make(f, f->root, 0, &out->v[out->n++], e);
    for (size_t i = 0; slice_next(&w); i++)
        if (run_make(f, w.value, i, &out->v[out->n++], e))
            return -1;
    return 0;
}

/* A sorted copy without repeats stays; every file learns where its runs are. */
static void runs_unite(struct merge_runs *r, struct merge_file *files, size_t n)
{
    size_t kept = 0;
    qsort(r->v, r->n, sizeof *r->v, run_order);
    for (size_t i = 0; i < r->n; i++) {
        const struct merge_run own = r->v[i];
        if (!kept || run_order(&r->v[kept - 1], &own))
            r->v[kept++] = own;
        for (size_t k = 0; k < n; k++)
            if (own.file == &files[k])
                files[k].run[own.index] = kept - 1;
    }
    r->n = kept;
}

static int file_order(const void *a, const void *b)
{
    const struct merge_file *x = a, *y = b;
    size_t p = SIZE_MAX, q = SIZE_MAX;
    for (size_t i = 0; i < x->result.nruns; i++)
        p = x->run[i] < p ? x->run[i] : p;
    for (size_t i = 0; i < y->result.nruns; i++)
        q = y->run[i] < q ? y->run[i] : q;
    return p != q ? (p > q) - (p < q) : slice_order(x->root, y->root);
}

/* Once files were sorted, runs point elsewhere. */
static void runs_point(struct merge_runs *r, const struct merge_file *files, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < files[i].result.nruns; k++) {
            r->v[files[i].run[k]].file = &files[i];
            r->v[files[i].run[k]].index = k;
        }
}

/* What a result has once, and its figures rest on. */
static int settings_agree(const struct merge_runs *r, struct err *e)
{
    static const char *const once[] = {"baseline", "max_stack"};
    for (size_t k = 0; k < sizeof once / sizeof *once; k++)
        for (size_t i = 1; i < r->n; i++) {
            struct slice a = {"null", 4}, b = a;
            slice_member(r->v[0].settings, once[k], &a);
            slice_member(r->v[i].settings, once[k], &b);
            if (!slice_equal(a, b))
                return err_set(e,
                               "%s and %s: $.settings.%s is %.*s and %.*s: a result has one, and "
                               "its figures rest on it; repeat one of the runs with that of the "
                               "other",
                               r->v[0].file->path, r->v[i].file->path, once[k], (int)a.n, a.p,
                               (int)b.n, b.p);
        }
    return 0;
}

int merge_runs_find(struct merge_file *files, size_t n, struct merge_runs *out, struct err *e)
{
    size_t all = 0;
    for (size_t i = 0; i < n; i++)
        all += files[i].result.nruns;
    *out = (struct merge_runs){xcalloc(all + 1, sizeof *out->v), 0};
    for (size_t i = 0; i < n; i++)
        if (runs_add(&files[i], out, e))
            return -1;
    runs_unite(out, files, n);
    qsort(files, n, sizeof *files, file_order);
    runs_point(out, files, n);
    return settings_agree(out, e);
}

void merge_runs_free(struct merge_runs *r)
{
    free(r->v);
    *r = (struct merge_runs){0};
}

/* ---- what they have in common ---- */

/* indent: of the line it is on. */
static void raw_add_at(struct json *o, const char *key, struct slice s, size_t indent)
{
    struct str text = STR_INIT;
    slice_indent(&text, s, indent);
    json_add_raw(o, key, text.p);
    str_free(&text);
}

static void raw_add(struct json *o, const char *key, struct slice s)
{
    raw_add_at(o, key, s, 4);
}

/* Where a member of each run is. */
enum part { SETTINGS, HOST };

static struct slice part_of(const struct merge_run *r, enum part part)
{
    return part == SETTINGS ? r->settings : r->host;
}

/* Lists are put together: each element once. */
static void lists_add(struct json *o, const char *key, const struct merge_runs *r, enum part part)
{
    struct json *all = json_add_array(o, key);
    struct slice *seen = NULL;
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) {
        struct slice_walk w = {0};
        if (slice_member(part_of(&r->v[i], part), key, &w.of))
            continue;
        while (slice_next(&w)) {
            size_t k = 0;
            while (k < n && !slice_equal(seen[k], w.value))
                k++;
            if (k < n)
                continue;
            seen = xreallocarray(seen, n + 1, sizeof *seen);
            seen[n++] = w.value;
            raw_add(all, NULL, w.value);
        }
    }
    free(seen);
}

/* The shortest: every cell was given that much at least. */
static void least_add(struct json *o, const char *key, const struct merge_runs *r, enum part part)
{
    const struct merge_run *least = &r->v[0];
    struct slice v;
    for (size_t i = 1; i < r->n; i++) {
        double a = r->v[i].file->result.seconds, b = least->file->result.seconds;
        least = a < b ? &r->v[i] : least;
    }
    if (!slice_member(part_of(least, part), key, &v))
        raw_add(o, key, v);
}

/* The value that all have; null where they differ. */
static void common_add(struct json *o, const char *key, const struct merge_runs *r, enum part part)
{
    struct slice first = {"null", 4};
    int same = 1;
    slice_member(part_of(&r->v[0], part), key, &first);
    for (size_t i = 1; i < r->n && same; i++) {
        struct slice v = {"null", 4};
        slice_member(part_of(&r->v[i], part), key, &v);
        same = slice_equal(first, v);
    }
    if (same)
        raw_add(o, key, first);
    else
        json_add_null(o, key);
}

static void nothing_add(struct json *o, const char *key, const struct merge_runs *r, enum part part)
{
    (void)r;
    (void)part;
    json_add_array(o, key);
}

/* Keys that are not put together by common_add(). */
static const struct {
    enum part part;
    const char *key;
    void (*add)(struct json *, const char *, const struct merge_runs *, enum part);
} joins[] = {
    {SETTINGS, "workload", lists_add},         {SETTINGS, "layout", lists_add},
    {SETTINGS, "metric", lists_add},           {SETTINGS, "argv", nothing_add},
    {SETTINGS, "seconds_per_cell", least_add},
};

static void part_add(struct json *root, const char *name, const struct merge_runs *r,
                     enum part part)
{
    struct json *o = json_add_object(root, name);
    struct list keys = LIST_INIT;
    for (size_t i = 0; i < r->n; i++) {
        struct slice_walk w = {.of = part_of(&r->v[i], part)};
        while (slice_next(&w)) {
            char *key = xstrndup(w.key.p, w.key.n);
            if (!list_has(&keys, key))
                list_add(&keys, key);
            free(key);
        }
    }
    for (size_t i = 0; i < keys.n; i++) {
        void (*add)(struct json *, const char *, const struct merge_runs *, enum part) = common_add;
        for (size_t k = 0; k < sizeof joins / sizeof *joins; k++)
            if (joins[k].part == part && !strcmp(joins[k].key, keys.v[i]))
                add = joins[k].add;
        add(o, keys.v[i], r, part);
    }
    list_free(&keys);
}

void merge_runs_add(struct json *root, const struct merge_runs *r)
{
    const struct merge_run *first = &r->v[0];
    for (size_t i = 1; i < r->n; i++)
        if (slice_order(r->v[i].created, first->created) < 0)
            first = &r->v[i];
    raw_add(root, "created", first->created);
    if (r->n == 1) {
        raw_add_at(root, "settings", first->settings, 2);
        raw_add_at(root, "host", first->host, 2);
        return;
    }
    part_add(root, "settings", r, SETTINGS);
    part_add(root, "host", r, HOST);
    struct json *runs = json_add_array(root, "runs");
    for (size_t i = 0; i < r->n; i++) {
        struct json *o = json_add_object(runs, NULL);
        raw_add(o, "created", r->v[i].created);
        raw_add_at(o, "tool", r->v[i].tool, 6);
        raw_add_at(o, "settings", r->v[i].settings, 6);
        raw_add_at(o, "host", r->v[i].host, 6);
    }
}

/* ---- warnings ---- */

/* Runs that are shard i of n. */
static size_t shard_count(const struct merge_runs *r, uint64_t i, uint64_t n)
{
    size_t found = 0;
    for (size_t k = 0; k < r->n; k++)
        found += merge_run_result(&r->v[k])->shard == i && merge_run_result(&r->v[k])->shards == n;
    return found;
}

/* Several matrices may have been cut into as many shards: a number that comes up less often than
 * another one is missing. */
static void missing_warn(const struct merge_runs *r, uint64_t of, struct list *warnings)
{
    enum { NAMED = 20 };
    struct str missing = STR_INIT;
    size_t most = 1, n = 0;
    for (size_t k = 0; k < r->n; k++) {
        size_t here = shard_count(r, merge_run_result(&r->v[k])->shard, of);
        most = here > most ? here : most;
    }
    for (uint64_t i = 1; i <= of; i++) {
        if (shard_count(r, i, of) >= most)
            continue;
        if (n < NAMED)
            str_addf(&missing, "%s%" PRIu64, n ? ", " : "", i);
        else if (n == NAMED)
            str_add(&missing, ", ...");
        if (++n > NAMED) /* a file may claim to be one of 2^64 */
            break;
    }
    if (n)
        list_addf(warnings,
                  "missing-shard: shard%s %s of %" PRIu64 " %s not among the files: the cells of "
                  "%s are not in this result; merge it again with them",
                  n == 1 ? "" : "s", missing.p, of, n == 1 ? "is" : "are",
                  n == 1 ? "that shard" : "those shards");
    str_free(&missing);
}

static void versions_warn(const struct merge_runs *r, struct list *warnings)
{
    struct list versions = LIST_INIT;
    for (size_t i = 0; i < r->n; i++) {
        struct slice v;
        if (slice_member(r->v[i].tool, "version", &v))
            continue;
        list_addn(&versions, v.p, v.n);
    }
    list_sort_unique(&versions);
    char *all = list_join(&versions, ", ");
    if (versions.n > 1)
        list_addf(warnings,
                  "tool-versions: the runs are of different versions of crypto-bench (%s), which "
                  "may measure differently; repeat the older ones",
                  all);
    free(all);
    list_free(&versions);
}

void merge_runs_warn(const struct merge_runs *r, struct list *warnings)
{
    for (size_t i = 0; i < r->n; i++) {
        uint64_t of = merge_run_result(&r->v[i])->shards;
        int again = !of;
        for (size_t k = 0; k < i; k++)
            again |= merge_run_result(&r->v[k])->shards == of;
        if (!again)
            missing_warn(r, of, warnings);
    }
    versions_warn(r, warnings);
}

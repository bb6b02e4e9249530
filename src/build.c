/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "build.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "buildjob.h"
#include "buildrecord.h"
#include "cache.h"
#include "catalog.h"
#include "file.h"
#include "jobserver.h"
#include "mem.h"
#include "source.h"
#include "spawn.h"
#include "stackfile.h"

/* Part of every key: to be raised when buildsteps.c or driverlink.c make something else of the
 * same inputs. (What they record beside it, such as stack use, is nothing else.) */
static const char RECIPE[] = "crypto-bench build recipe 1";

enum {
    NAP_NS = 10000000,   /* between two looks at the children */
    TICK_NS = 200000000, /* between two ticks for the watch */
};

/* A compiler by what it does and is called, not where it lies. */
static void hash_add_compiler(struct hash *h, const struct compiler *cc)
{
    hash_add_str(h, cc->hash);
    hash_add_str(h, cc->version);
    for (size_t i = 0; i < cc->argv.n; i++)
        hash_add_str(h, i ? cc->argv.v[i] : path_base(cc->argv.v[i]));
}

static int build_keys(struct build *b, struct err *e)
{
    struct hash *h = hash_new();
    hash_add_str(h, RECIPE);
    hash_add_str(h, library_kind_name(b->library->kind));
    hash_add_str(h, b->library->content_hash);
    hash_add_compiler(h, b->compiler);
    hash_add_str(h, b->target->triplet);
    hash_add_list(h, &b->target->cflags);
    if (b->library->kind != LIBRARY_PREFIX) {
        hash_add_str(h, b->target->configure);
        hash_add_list(h, &b->config->cflags);
        hash_add_list(h, &b->config->configure);
    }
    int r = b->library->kind == LIBRARY_LINUX ? linuxaes_hash(h, e) : 0;
    hash_end(h, b->key);
    if (r)
        return -1;

    char *data = data_dir(), *bench = path_join(data, "bench");
    h = hash_new();
    hash_add_str(h, b->key);
    r = driver_hash(h, bench, e);
    hash_end(h, b->driver_key);
    free(data);
    free(bench);
    return r;
}

int build_init(struct build *b, const struct library *l, const struct compiler *cc,
               const char *cc_word, const struct config *c, const struct target *t, struct err *e)
{
    *b = (struct build){.library = l,
                        .compiler = cc,
                        .config = c,
                        .target = t,
                        .cc_word = xstrdup(cc_word),
                        .status = cc ? STATUS_SKIPPED : STATUS_COMPILER_MISSING};
    b->id = xasprintf("%s/%s/%s/%s", l->name, cc_word, c->name, t->name);
    return cc ? build_keys(b, e) : 0;
}

void build_free(struct build *b)
{
    free(b->cc_word);
    free(b->id);
    free(b->reason);
    free(b->log);
    free(b->driver);
    build_facts_free(&b->facts);
    stack_free(&b->stack);
    object_sizes_free(&b->objects);
    *b = (struct build){0};
}

/* Fills b from the cache; 0 when it is not all there. */
static int build_load(struct build *b, const char *cache)
{
    struct err ignored = ERR_INIT;
    struct archive_record record = {0};
    char *dir = cache_path(cache, "builds", b->key);
    char *drivers = cache_path(cache, "drivers", b->driver_key);
    build_facts_free(&b->facts);
    int loaded = build_record_read(dir, b->key, 0, &b->facts, &record, &ignored) == 0 &&
                 driver_record_read(drivers, b, &ignored) == 0;
    err_clear(&ignored);
    archive_record_free(&record);
    free(dir);
    free(drivers);
    return loaded;
}

int build_is_cached(const struct build *b)
{
    struct err ignored = ERR_INIT;
    int cached = 0;
    if (!b->compiler)
        return 0;
    char *cache = cache_dir(&ignored);
    if (cache) {
        struct build copy = {.library = b->library};
        memcpy(copy.key, b->key, sizeof copy.key);
        memcpy(copy.driver_key, b->driver_key, sizeof copy.driver_key);
        cached = build_load(&copy, cache);
        build_free(&copy);
    }
    err_clear(&ignored);
    free(cache);
    return cached;
}

void build_details(struct build *b)
{
    struct err ignored = ERR_INIT;
    char *cache = cache_dir(&ignored), *archive = NULL;
    if (b->library->kind == LIBRARY_PREFIX) {
        b->stack.reason = xstrdup("a prebuilt library: only the compiler that made it could tell");
        archive = xstrdup(b->library->prefix_archive);
    } else if (cache) {
        char *dir = cache_path(cache, "builds", b->key);
        stack_read(dir, b->key, &b->stack);
        archive = path_join(dir, "libcrypto.a");
        free(dir);
    }
    if (archive && archive_objects(archive, &b->objects, &ignored))
        b->objects = (struct object_sizes){0};
    err_clear(&ignored);
    free(archive);
    free(cache);
}

/* Sources of the run's libraries: each is fetched, or failed to be, once. */
struct archive {
    const struct library *library;
    char *path, *error;
};

struct run {
    struct build *const *builds;
    size_t n;
    int rebuild;
    struct build_shared shared;
    struct archive *archives;
    size_t narchives;
    size_t *pending; /* indexes of builds not started */
    size_t npending;
    struct buildjob **jobs; /* running */
    size_t njobs;
    int started, total;
    struct list made;  /* keys made in this run: not to be made again for another build */
    struct list noted; /* keys whose wait was told of */
    uint64_t ticked;
};

static void run_note(void *arg, const char *text)
{
    const struct build_watch *w = ((struct run *)arg)->shared.watch;
    if (w && w->note)
        w->note(w->arg, text);
}

static const char *run_archive(void *arg, const struct library *l, struct err *e)
{
    struct run *r = arg;
    struct archive *a = NULL;
    for (size_t i = 0; i < r->narchives && !a; i++)
        if (strcmp(r->archives[i].library->sha256, l->sha256) == 0)
            a = &r->archives[i];
    if (!a) {
        r->archives = xreallocarray(r->archives, r->narchives + 1, sizeof *r->archives);
        a = &r->archives[r->narchives++];
        *a = (struct archive){.library = l};
        if (source_fetch(l, run_note, r, &a->path, e))
            a->error = xstrdup(e->text);
    }
    if (!a->path)
        err_set(e, "%s", a->error);
    return a->path;
}

/* Another build of this run has the lock. */
static int run_has_key(const struct run *r, const char *key)
{
    for (size_t i = 0; i < r->njobs; i++)
        if (strcmp(r->jobs[i]->build->key, key) == 0)
            return 1;
    return 0;
}

static void run_start(struct run *r, struct build *b, int lock)
{
    const struct build_watch *w = r->shared.watch;
    int fresh = r->rebuild && !list_has(&r->made, b->key);
    r->started++;
    if (w && w->start)
        w->start(w->arg, b, r->started, r->total);
    r->jobs[r->njobs++] = buildjob_start(b, &r->shared, lock, fresh, r->started);
}

/* Starts what can be started: needs its lock and a processor. */
static int run_start_pending(struct run *r, struct err *e)
{
    size_t kept = 0;
    int got = 0;
    if (r->njobs == 0)
        jobserver_refill(&r->shared.jobserver);
    for (size_t i = 0; i < r->npending; i++) {
        struct build *b = r->builds[r->pending[i]];
        int lock = -1;
        if (got >= 0 && jobserver_take(&r->shared.jobserver)) {
            got = cache_lock_try(r->shared.cache, b->key, &lock, e);
            if (got == 1) {
                run_start(r, b, lock);
                continue;
            }
            jobserver_give(&r->shared.jobserver);
            if (got == 0 && !run_has_key(r, b->key) && !list_has(&r->noted, b->key)) {
                char *text = xasprintf("waiting for another crypto-bench that builds %s", b->id);
                list_add(&r->noted, b->key);
                run_note(r, text);
                free(text);
            }
        }
        r->pending[kept++] = r->pending[i];
    }
    r->npending = kept;
    return got < 0 ? -1 : 0;
}

/* Moves all jobs on; the number of those that ended. */
static size_t run_poll(struct run *r)
{
    const struct build_watch *w = r->shared.watch;
    size_t kept = 0, ended = 0;
    for (size_t i = 0; i < r->njobs; i++) {
        struct buildjob *j = r->jobs[i];
        if (!buildjob_poll(j)) {
            r->jobs[kept++] = j;
            continue;
        }
        struct build *b = j->build;
        int nth = j->nth;
        if (b->status != STATUS_OK && interrupt_pending()) {
            /* Cut short, which is no failure of its own. */
            b->status = STATUS_SKIPPED;
            free(b->reason);
            b->reason = NULL;
        }
        double seconds = (double)(now_ns() - j->started_ns) / 1e9;
        ended++;
        list_add(&r->made, b->key);
        buildjob_free(j);
        jobserver_give(&r->shared.jobserver);
        if (w && w->end && !interrupt_pending())
            w->end(w->arg, b, nth, r->total, seconds);
    }
    r->njobs = kept;
    return ended;
}

static void run_idle(struct run *r)
{
    const struct build_watch *w = r->shared.watch;
    struct timespec t = {0, NAP_NS};
    nanosleep(&t, NULL);
    if (w && w->tick && now_ns() - r->ticked >= TICK_NS) {
        r->ticked = now_ns();
        w->tick(w->arg);
    }
}

/* What the cache has needs no work; the rest is put on the list. */
static void run_plan(struct run *r)
{
    for (size_t i = 0; i < r->n; i++) {
        struct build *b = r->builds[i];
        if (!b->compiler || b->status == STATUS_COMPILER_MISSING)
            continue;
        if (!r->rebuild && build_load(b, r->shared.cache)) {
            b->status = STATUS_OK;
            b->was_cached = 1;
            continue;
        }
        b->status = STATUS_SKIPPED;
        r->pending[r->npending++] = i;
    }
    r->total = (int)r->npending;
}

static int run_all(struct run *r, struct err *e)
{
    run_plan(r);
    while (r->npending || r->njobs) {
        if (interrupt_pending())
            return err_set(e, "interrupted");
        if (run_start_pending(r, e))
            return -1;
        if (run_poll(r) == 0)
            run_idle(r);
    }
    /* The last job may have ended because of it. */
    return interrupt_pending() ? err_set(e, "interrupted") : 0;
}

static void run_end(struct run *r)
{
    /* All first: removing a work directory takes seconds, in which the others would go on. */
    for (size_t i = 0; i < r->njobs; i++)
        buildjob_kill(r->jobs[i]);
    for (size_t i = 0; i < r->njobs; i++) {
        r->jobs[i]->build->status = STATUS_SKIPPED;
        buildjob_free(r->jobs[i]);
    }
    for (size_t i = 0; i < r->narchives; i++) {
        free(r->archives[i].path);
        free(r->archives[i].error);
    }
    free(r->archives);
    free(r->jobs);
    free(r->pending);
    list_free(&r->made);
    list_free(&r->noted);
}

int build_all(struct build *const *b, size_t n, int jobs, int rebuild, const struct build_watch *w,
              struct err *e)
{
    int result = -1;
    char *data = data_dir(), *bench = path_join(data, "bench"), *cache = cache_open(e);
    struct run r = {.builds = b,
                    .n = n,
                    .rebuild = rebuild,
                    .shared = {.cache = cache,
                               .bench = bench,
                               .jobserver = {{-1, -1, -1}, -1, 0},
                               .watch = w,
                               .archive = run_archive}};
    r.shared.arg = &r;
    if (!cache || jobserver_open(&r.shared.jobserver, jobs, e))
        goto out;
    r.pending = xcalloc(n + 1, sizeof *r.pending);
    r.jobs = xcalloc(n + 1, sizeof(struct buildjob *));
    result = run_all(&r, e);
out:
    run_end(&r);
    jobserver_close(&r.shared.jobserver);
    free(data);
    free(bench);
    free(cache);
    return result;
}

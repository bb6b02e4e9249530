/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "execute.h"

#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "defect.h"
#include "file.h"
#include "hoststate.h"
#include "hostwarning.h"
#include "measure.h"
#include "mem.h"
#include "processor.h"
#include "result.h"
#include "spawn.h"
#include "stackwarning.h"

/* results/TIME-TARGETS.json, with a number when two runs fall into one second. Shards, of which
 * many may begin in one, are told apart by name. */
static char *result_path(const struct plan *p, const struct shard *s)
{
    struct list names = LIST_INIT;
    for (size_t i = 0; i < p->ntargets; i++)
        list_add(&names, p->targets[i].name);
    char *targets = list_join(&names, "+"), *when = time_compact();
    char *part = s->of ? xasprintf("-shard-%" PRIu64 "-of-%" PRIu64, s->index, s->of) : xstrdup("");
    if (strlen(targets) > 100) { /* a file name has at most 255 bytes */
        free(targets);
        targets = xasprintf("%zu-targets", p->ntargets);
    }
    char *path = xasprintf("results/%s-%s%s.json", when, targets, part);
    for (int n = 2; path_is_file(path); n++) {
        free(path);
        path = xasprintf("results/%s-%s%s-%d.json", when, targets, part, n);
    }
    free(part);
    free(targets);
    free(when);
    list_free(&names);
    return path;
}

size_t execute_failed_builds(const struct plan *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->nbuilds; i++)
        n += p->builds[i]->status != STATUS_OK;
    return n;
}

/* A place that cannot be written should be known before an hour of work. */
int execute_out_check(const struct options *o, struct err *e)
{
    char *dir;
    int rc = 0;
    if (o->out && !strcmp(o->out, "-"))
        return 0;
    if (!o->out)
        return dir_make("results", e);
    if (path_is_dir(o->out))
        return err_usage(e, "--out '%s' is a directory; name a file in it", o->out);
    const char *slash = strrchr(o->out, '/');
    dir = slash ? xstrndup(o->out, (size_t)(slash - o->out) + (slash == o->out)) : xstrdup(".");
    if (!path_is_dir(dir))
        rc = err_usage(e, "--out '%s': there is no directory '%s'; make it first", o->out, dir);
    else
        rc = file_write_probe(dir, e);
    free(dir);
    return rc;
}

size_t execute_failed_cells(const struct plan *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->nlanes; i++)
        for (size_t k = 0; k < p->lanes[i].ncells; k++)
            n += p->lanes[i].cells[k].status != STATUS_OK;
    return n;
}

static void measure_all(struct plan *p, const struct options *o, int pin, struct progress *pr)
{
    const struct measure_settings s = {
        .counter = (enum counter_kind)counter_kind_by_name(o->counter),
        .seconds = o->seconds,
        .timeout = o->timeout,
        .precision = o->precision,
        .launches = measure_launches(o->seconds),
        .twins = 2,
        .seed = o->seed,
        .pin = pin,
    };
    char *plugins = plugin_dir();
    struct measure_watch w = progress_measure_watch(pr);
    size_t done = 0, total = plan_cell_count(p);
    /* after an interrupt the other lanes are still gone through: they mark their cells */
    for (size_t i = 0; i < p->nlanes; i++) {
        measure_lane(&p->lanes[i], &s, &w, &done, total);
        insns_lane(&p->lanes[i], &s, plugins, &w, &done, total);
        lane_defects(&p->lanes[i], &s, &p->warnings);
    }
    free(plugins);
}

/* 1 when drivers of the lane were timed on a processor of this machine. */
static int timed_here(const struct lane *l)
{
    return l->metrics & METRIC_TIME && l->runner.kind == RUNNER_NATIVE && l->clock;
}

/* Measures, and keeps what became of the machine meanwhile. */
static void measure_watched(struct plan *p, const struct options *o, int pin, struct host *h,
                            struct progress *pr)
{
    struct host_state before, after;
    int timed = 0, unpinned = 0;
    cpu_set_t used;

    host_state_read("", &before);
    measure_all(p, o, pin, pr);
    host_state_read("", &after);
    CPU_ZERO(&used);
    for (size_t i = 0; i < p->nlanes; i++) {
        const struct lane *l = &p->lanes[i];
        timed |= timed_here(l);
        unpinned |= timed_here(l) && !l->pinned;
        if (timed_here(l) && l->pinned)
            CPU_SET((size_t)l->pinned - 1, &used);
    }
    host_change_make(&before, &after, timed && !unpinned ? &used : NULL, &h->change);
    if (timed)
        host_warnings(h, &p->warnings);
    host_state_free(&before);
    host_state_free(&after);
}

int execute_plan(struct plan *p, const struct options *o, struct host *h, struct progress *pr,
                 struct err *e)
{
    struct build_watch bw = progress_build_watch(pr);
    int pin;

    if (build_all(p->builds, p->nbuilds, o->jobs, o->rebuild, &bw, e))
        return -1;
    progress_end(pr);
    /* only now: while building, none is quiet */
    if (processor_pick(o->pin, &pin, e))
        return -1;
    pr->started = now_ns();
    measure_watched(p, o, pin, h, pr);
    progress_end(pr);
    runner_cleanup();
    if (interrupt_pending())
        list_addf(&p->warnings,
                  "interrupted: stopped by signal %d; cells not reached are 'skipped'",
                  interrupt_pending());
    result_finish(p);
    for (size_t i = 0; i < p->nbuilds; i++)
        if (p->builds[i]->status == STATUS_OK)
            build_details(p->builds[i]);
    stack_warnings(p, o);
    return 0;
}

int execute_write(const struct plan *p, const struct options *o, const struct host *h,
                  const char *created, struct str *text, char **path, struct err *e)
{
    struct json *root = result_json(p, o, h, created);
    char *all = json_text(root);

    json_free(root);
    *path = o->out ? xstrdup(o->out) : result_path(p, &o->shard);
    str_add(text, all);
    free(all);
    return strcmp(*path, "-") ? file_write_atomic(*path, text->p, text->n, e) : 0;
}

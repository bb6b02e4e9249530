/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "cmd.h"
#include "defect.h"
#include "file.h"
#include "host.h"
#include "hostwarning.h"
#include "measure.h"
#include "mem.h"
#include "plan.h"
#include "progress.h"
#include "result.h"
#include "spawn.h"
#include "table.h"

/* results/TIME-TARGETS.json, with a number when two runs fall into one second. */
static char *result_path(const struct plan *p)
{
    struct list names = LIST_INIT;
    for (size_t i = 0; i < p->ntargets; i++)
        list_add(&names, p->targets[i].name);
    char *targets = list_join(&names, "+"), *when = time_compact();
    if (strlen(targets) > 100) { /* a file name has at most 255 bytes */
        free(targets);
        targets = xasprintf("%zu-targets", p->ntargets);
    }
    char *path = xasprintf("results/%s-%s.json", when, targets);
    for (int n = 2; path_is_file(path); n++) {
        free(path);
        path = xasprintf("results/%s-%s-%d.json", when, targets, n);
    }
    free(targets);
    free(when);
    list_free(&names);
    return path;
}

/* A place that cannot be written should be known before an hour of work. */
static int out_check(const struct options *o, struct err *e)
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

static size_t failed_cells(const struct plan *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->nlanes; i++)
        for (size_t k = 0; k < p->lanes[i].ncells; k++)
            n += p->lanes[i].cells[k].status != STATUS_OK;
    return n;
}

static int measure_all(struct plan *p, const struct options *o, struct progress *pr)
{
    const struct measure_settings s = {
        .counter = (enum counter_kind)counter_kind_by_name(o->counter),
        .seconds = o->seconds,
        .timeout = o->timeout,
        .precision = o->precision,
        .launches = measure_launches(o->seconds),
        .twins = 2,
        .seed = o->seed,
    };
    char *plugins = plugin_dir();
    struct measure_watch w = progress_measure_watch(pr);
    size_t done = 0, total = plan_cell_count(p);
    int rc = 0;
    /* after an interrupt the other lanes are still gone through: they mark their cells */
    for (size_t i = 0; i < p->nlanes; i++) {
        rc |= measure_lane(&p->lanes[i], p->workload, &s, &w, &done, total);
        rc |= insns_lane(&p->lanes[i], p->workload, &s, plugins, &w, &done, total);
        lane_defects(&p->lanes[i], &s, &p->warnings);
    }
    free(plugins);
    return rc;
}

/* 1 when drivers of the lane were timed on a processor of this machine. */
static int timed_here(const struct lane *l)
{
    return l->metrics & METRIC_TIME && l->runner.kind == RUNNER_NATIVE && l->clock;
}

/* Measures, and keeps what became of the machine meanwhile. */
static void measure_watched(struct plan *p, const struct options *o, struct host *h,
                            struct progress *pr)
{
    struct host_state before, after;
    int timed = 0, unpinned = 0;
    cpu_set_t used;

    host_state_read("", &before);
    measure_all(p, o, pr);
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

/* The file, and what goes to standard output. */
static int results_out(const struct plan *p, const struct options *o, const char *created,
                       const struct host *h, struct progress *pr, struct err *e)
{
    struct json *root = result_json(p, o, h, created);
    char *text = json_text(root), *path = o->out ? xstrdup(o->out) : result_path(p);
    int to_stdout = !strcmp(path, "-"), rc = 0;

    json_free(root);
    if (!to_stdout)
        rc = file_write_atomic(path, text, strlen(text), e);
    if (to_stdout || !strcmp(o->format, "json"))
        fputs(text, stdout);
    else if (strcmp(o->format, "none"))
        table_print(stdout, p, o->format);
    fflush(stdout);
    for (size_t i = 0; i < p->warnings.n; i++)
        fprintf(stderr, "warning: %s\n", p->warnings.v[i]);
    if (!rc && !to_stdout && !pr->quiet)
        fprintf(stderr, "result file: %s\n", path);
    free(text);
    free(path);
    return rc;
}

int cmd_run(struct options *o)
{
    struct plan p = {0};
    struct host h = {0};
    struct progress pr;
    struct err e = ERR_INIT;
    char *created = time_iso();
    int status = EXIT_FAILED;

    progress_start(&pr, o->quiet);
    host_read("", &h);
    if (o->args.n) {
        err_usage(&e, "'%s': run takes options only; see crypto-bench --help", o->args.v[0]);
        goto out;
    }
    if (plan_make(o, &p, &e) || out_check(o, &e))
        goto out;
    struct build_watch bw = progress_build_watch(&pr);
    if (build_all(p.builds, p.nbuilds, o->jobs, o->rebuild, &bw, &e))
        goto out;
    progress_end(&pr);
    pr.started = now_ns();
    measure_watched(&p, o, &h, &pr);
    progress_end(&pr);
    runner_cleanup();
    if (interrupt_pending())
        list_addf(&p.warnings, "interrupted: stopped by signal %d; cells not reached are 'skipped'",
                  interrupt_pending());
    result_finish(&p);
    if (results_out(&p, o, created, &h, &pr, &e))
        goto out;
    size_t failed = failed_cells(&p), total = plan_cell_count(&p);
    if (failed)
        fprintf(stderr, "crypto-bench: %zu of %zu cells have no number\n", failed, total);
    status = failed ? EXIT_FAILED : EXIT_OK;
out:
    progress_end(&pr);
    if (e.text) {
        fprintf(stderr, "crypto-bench: %s\n", e.text);
        status = e.exit_code;
    }
    err_clear(&e);
    plan_free(&p);
    host_free(&h);
    free(created);
    return status;
}

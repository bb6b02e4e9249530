/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "insns.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "counter.h"
#include "driver.h"
#include "json.h"
#include "measure.h"
#include "mem.h"
#include "model.h"
#include "plan.h"
#include "prediction.h"
#include "spawn.h"

enum { START_TRIES = 2 }; /* failed starts in a row until a build is given up */

void insns_free(struct insns *i)
{
    for (size_t k = 0; k < i->nfunctions; k++)
        free(i->functions[k].name);
    free(i->functions);
    free(i->reason);
    *i = (struct insns){0};
}

int line_fit(const uint64_t *bytes, const uint64_t *insns, size_t n, struct line_fit *out)
{
    double mx = 0, my = 0, sxx = 0, sxy = 0;
    for (size_t i = 0; i < n; i++) {
        mx += (double)bytes[i] / (double)n;
        my += (double)insns[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        double dx = (double)bytes[i] - mx;
        sxx += dx * dx;
        sxy += dx * ((double)insns[i] - my);
    }
    if (n < 2 || sxx <= 0)
        return -1;
    *out = (struct line_fit){my - sxy / sxx * mx, sxy / sxx, n};
    return 0;
}

static void insns_set(struct insns *i, const struct count *c)
{
    size_t keep = c->nfunctions < INSNS_FUNCTIONS ? c->nfunctions : INSNS_FUNCTIONS;
    insns_free(i);
    i->counted = 1;
    i->per_op = c->insns;
    i->overhead = c->overhead;
    i->functions = xcalloc(keep + 1, sizeof *i->functions);
    for (size_t k = 0; k < c->nfunctions; k++) {
        if (k < keep)
            i->functions[i->nfunctions++] =
                (struct insns_function){xstrdup(c->functions[k].name), c->functions[k].insns};
        else
            i->rest += c->functions[k].insns;
    }
}

static int u64_order(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* By the processor's own counter: the median of a few operations, less the median of as many empty
 * stretches. No functions are known. */
static enum status perf_count(struct driver *d, const struct count_request *r, struct insns *out,
                              struct err *e)
{
    uint64_t runs[64], empty[64];
    const struct json *list = NULL;
    struct json_doc *doc;
    size_t n = 0;
    enum status status = driver_work(d, "perf", r, &doc, e);

    if (status != STATUS_OK)
        return status;
    if (json_array(doc, json_root(doc), "counts", JSON_REQUIRED, &list, e)) {
        status = STATUS_BAD_ANSWER;
        goto out;
    }
    for (const struct json *v = json_first(list); v && n < 64; v = json_next(v), n++) {
        const struct json *first = json_typeof(v) == JSON_ARRAY ? json_first(v) : NULL;
        if (!first || !json_next(first) || json_value_u64(first, &runs[n]) ||
            json_value_u64(json_next(first), &empty[n]) || runs[n] <= empty[n]) {
            status = STATUS_BAD_ANSWER;
            err_set(e, "a count is not [instructions, of an empty stretch]");
            goto out;
        }
    }
    if (!n) {
        status = STATUS_BAD_ANSWER;
        err_set(e, "no counts in the driver's answer");
        goto out;
    }
    qsort(runs, n, sizeof *runs, u64_order);
    qsort(empty, n, sizeof *empty, u64_order);
    insns_free(out);
    *out = (struct insns){.counted = 1, .overhead = empty[n / 2]};
    out->per_op = out->rest = runs[n / 2] - empty[n / 2];
out:
    json_close(doc);
    return status;
}

/* One build of the lane at work. */
struct worker {
    struct lane *lane;
    const struct build *build;
    struct driver *native; /* the driver where the processor counts; NULL under QEMU */
    int timeout_ms;
    struct counter_setup setup;
    const struct counter_choice *choice;
    struct counter *counter;
    struct model *model; /* of the counter's driver; NULL until wanted */
    char *model_reason;  /* why this build has none; NULL when it was not tried */
    const struct algorithm *checked;
    int failed_starts;
};

static void worker_close(struct worker *w)
{
    /* names in it are the counter's */
    model_close(w->model);
    counter_close(w->counter);
    driver_close(w->native);
    w->model = NULL;
    w->counter = NULL;
    w->native = NULL;
    w->checked = NULL;
}

static void cell_refuse(const struct lane *l, struct cell *c, enum status status,
                        const char *reason)
{
    free(c->insns.reason);
    c->insns.reason = xstrdup(reason && *reason ? reason : status_summary(status));
    if (l->metrics & METRIC_MODELLED)
        prediction_refuse(&c->modelled, l->core_reason ? l->core_reason : c->insns.reason);
    if (l->metrics & METRIC_TIME)
        return;
    c->status = status;
    free(c->reason);
    c->reason = xstrdup(c->insns.reason);
}

static int counts_in_qemu(const struct lane *l)
{
    return l->runner.kind == RUNNER_QEMU;
}

static enum status worker_start(struct worker *w, struct err *e)
{
    struct list argv = LIST_INIT;
    enum status status = STATUS_RUNNER_MISSING;

    if (counts_in_qemu(w->lane))
        return counter_start(&w->setup, w->choice, &w->counter, e);
    if (!runner_argv(&w->lane->runner, w->build, &argv, e))
        status = driver_start(&argv, &w->lane->runner.env, w->timeout_ms, &w->native, e);
    list_free(&argv);
    return status;
}

/* Never fails a cell: without cycles it has its count. */
static void cell_model(struct worker *w, struct cell *c, const struct count *count)
{
    const struct core *core = w->lane->core;
    struct modelled m = {0};
    struct err e = ERR_INIT;

    if (!w->model && !w->model_reason && core &&
        model_open(w->setup.driver, counter_symbols(w->counter), core, &w->model, &e))
        w->model_reason = xstrdup(e.text);
    if (!core)
        err_set(&e, "%s", w->lane->core_reason);
    else if (w->model_reason)
        err_set(&e, "%s", w->model_reason);
    else if (count->trace_cut)
        err_set(&e, "its trace is longer than %d blocks", TALLY_TRACE_MAX);
    else if (!model_operation(w->model, count, &m, &e))
        prediction_set(&c->modelled, &m, core, c->bytes);
    if (!c->modelled.known)
        prediction_refuse(&c->modelled, e.text);
    modelled_free(&m);
    err_clear(&e);
}

static enum status cell_count(struct worker *w, struct cell *c, struct err *e)
{
    int model = (w->lane->metrics & METRIC_MODELLED) != 0;
    const struct count_request r = {c->workload, c->alg->name, c->op, c->bytes};
    struct count count = {0};
    enum status status = STATUS_OK;

    if (!w->counter && !w->native) {
        status = worker_start(w, e);
        w->failed_starts = status == STATUS_OK ? 0 : w->failed_starts + 1;
    }
    struct driver *driver = w->counter ? counter_driver(w->counter) : w->native;
    if (status == STATUS_OK && w->checked != c->alg) {
        status = driver_check(driver, c->alg->name, e);
        if (status == STATUS_OK)
            w->checked = c->alg;
    }
    if (status == STATUS_OK && w->native)
        status = perf_count(w->native, &r, &c->insns, e);
    if (status == STATUS_OK && w->native && model)
        prediction_refuse(&c->modelled, w->lane->core_reason);
    if (status == STATUS_OK && w->counter) {
        status = counter_count(w->counter, &r, model && w->lane->core, &count, e);
        if (status == STATUS_OK)
            insns_set(&c->insns, &count);
        if (status == STATUS_OK && model)
            cell_model(w, c, &count);
        count_free(&count);
    }
    if (status == STATUS_OK && !(w->lane->metrics & METRIC_TIME))
        c->status = STATUS_OK;
    if (status != STATUS_OK && status != STATUS_UNSUPPORTED)
        worker_close(w);
    return status;
}

/* Cells of build number b. -1: interrupted. */
static int build_count(struct lane *l, size_t b, struct worker *w,
                       const struct measure_watch *watch, size_t *done, size_t total)
{
    struct err e = ERR_INIT;
    const struct build *build = l->builds[b];

    w->build = build;
    w->failed_starts = 0;
    for (size_t i = b; i < l->ncells; i += l->nbuilds) {
        struct cell *c = &l->cells[i];
        enum status status = build->status;
        if (interrupt_pending())
            break;
        if (status != STATUS_OK)
            err_set(&e, "%s", build->reason);
        else if ((l->metrics & METRIC_TIME) && c->status != STATUS_OK)
            err_set(&e, "not counted: its timing ended with %s", status_name(c->status));
        else if (w->failed_starts < START_TRIES)
            status = cell_count(w, c, &e);
        else
            status = STATUS_DRIVER_DIED; /* e still says why it did not start */
        if (interrupt_pending())
            break;
        if (!c->insns.counted)
            cell_refuse(l, c, status, e.text);
        if (!(l->metrics & METRIC_TIME)) {
            ++*done;
            if (watch && watch->cell)
                watch->cell(watch->arg, c, *done, total);
        }
    }
    worker_close(w);
    free(w->model_reason);
    w->model_reason = NULL;
    err_clear(&e);
    return interrupt_pending() ? -1 : 0;
}

static void lane_refuse(struct lane *l, enum status status, const char *reason)
{
    for (size_t i = 0; i < l->ncells; i++)
        if (!l->cells[i].insns.counted)
            cell_refuse(l, &l->cells[i], status, reason);
}

static const struct build *lane_first_good(const struct lane *l)
{
    for (size_t i = 0; i < l->nbuilds; i++)
        if (l->builds[i]->status == STATUS_OK)
            return l->builds[i];
    return l->builds[0];
}

int insns_lane(struct lane *l, const struct measure_settings *s, const char *plugin_dir,
               const struct measure_watch *watch, size_t *done, size_t total)
{
    double ms = s->timeout * 1e3;
    struct worker w = {.lane = l, .timeout_ms = ms < INT_MAX ? (int)ms : INT_MAX};
    struct counter_choice choice = {0};
    struct err e = ERR_INIT;
    int rc = 0;

    if (!(l->metrics & METRIC_INSNS) || !l->ncells)
        return 0;
    if (l->status != STATUS_OK) {
        lane_refuse(l, l->status, l->reason);
        goto out;
    }
    w.setup = (struct counter_setup){&l->runner.prefix, &l->runner.env, lane_first_good(l)->driver,
                                     w.timeout_ms};
    w.choice = &choice;
    if (!counts_in_qemu(l)) {
        l->counter = xstrdup("perf_event");
    } else if (lane_first_good(l)->status == STATUS_OK) {
        enum status status = counter_choose(&w.setup, plugin_dir, s->counter, &choice, &e);
        if (status != STATUS_OK) {
            lane_refuse(l, interrupt_pending() ? STATUS_SKIPPED : status, e.text);
            rc = interrupt_pending() ? -1 : 0;
            goto out;
        }
        l->counter = xasprintf("qemu-%s", counter_kind_name(choice.kind));
        if (choice.reason)
            l->counter_reason = xstrdup(choice.reason);
    }
    if (watch && watch->row)
        watch->row(watch->arg, l, NULL, 0, (double)*done / (double)total);
    for (size_t b = 0; b < l->nbuilds && !rc; b++) {
        w.setup.driver = l->builds[b]->driver;
        rc = build_count(l, b, &w, watch, done, total);
    }
    if (rc)
        lane_refuse(l, STATUS_SKIPPED, "interrupted");
out:
    counter_choice_free(&choice);
    err_clear(&e);
    return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "cmd.h"
#include "comparison.h"
#include "execute.h"
#include "match.h"
#include "mem.h"
#include "request.h"
#include "result.h"
#include "resultfile.h"
#include "spawn.h"

static int words_check(struct options *o, struct err *e)
{
    if (o->args.n)
        return err_usage(e, "'%s': gate takes options only; see crypto-bench gate --help",
                         o->args.v[0]);
    if ((o->base != NULL) != (o->new_ != NULL))
        return err_usage(e, "gate: --base and --new go together: give the library that %s",
                         o->base ? "is judged with --new" : "it is compared with with --base");
    if (o->base && o->library.n)
        return err_usage(e, "gate: --library '%s' has no meaning beside --base and --new",
                         o->library.v[0]);
    if (!o->base && o->config.n != 2)
        return err_usage(e, "gate: give two libraries, --base LIBRARY --new LIBRARY, or two "
                            "configs of one, --config BASE,NEW");
    if (!o->base && o->library.n > 1)
        return err_usage(e, "gate: --library takes one library when two configs are compared");
    return 0;
}

/* What a verdict needs: one config, two metrics, and no more emulated time than asked for. */
static void defaults_set(struct options *o)
{
    if (!o->config.n)
        list_add(&o->config, "O2");
    if (!o->base) {
        free(o->baseline);
        o->baseline = xstrdup(o->config.v[0]);
    }
    if (!o->metric.n) {
        list_add(&o->metric, "time");
        list_add(&o->metric, "insns");
        o->no_emulated_time = 1;
    } else if (list_has(&o->metric, "size") && o->metric.n == 1) {
        list_add(&o->metric, "insns"); /* something must be run: a size of what does not work is
                                          no use */
    }
}

/* The library of a side, as it is called in the file. */
static const char *side_name(const struct plan *p, const char *side)
{
    for (size_t i = 0; i < p->nlibraries; i++)
        if (p->libraries[i].side && !strcmp(p->libraries[i].side, side))
            return p->libraries[i].name;
    return NULL;
}

static int judge_file(const struct options *o, const struct list *metric, const struct plan *p,
                      const struct policy *policy, const struct result_file *f, int *status,
                      struct err *e)
{
    struct match_request r = {.base = {.file = f}, .now = {.file = f}};
    struct comparison c = {0};

    for (size_t i = 0; i < METRIC_COUNT; i++)
        r.metric[i] = list_has(metric, metric_name((enum metric)i));
    if (o->base) {
        r.base.library = side_name(p, "base");
        r.now.library = side_name(p, "new");
        c.base_name = xasprintf("%s (%s)", r.base.library, o->base);
        c.new_name = xasprintf("%s (%s)", r.now.library, o->new_);
    } else {
        r.base.config = o->config.v[0];
        r.now.config = o->config.v[1];
        c.base_name = xstrdup(r.base.config);
        c.new_name = xstrdup(r.now.config);
    }
    match(&r, policy, &c);
    int rc = comparison_print(stdout, &c, o->format, e);
    *status = c.outcome;
    comparison_free(&c);
    return rc;
}

static int gate_run(struct options *o, const struct policy *policy, struct progress *pr,
                    int *status, struct err *e)
{
    struct plan p = {0};
    struct host h = {0};
    struct str text = STR_INIT;
    struct result_file f = {0};
    struct list asked = LIST_INIT;
    char *created = time_iso(), *path = NULL;
    int rc = -1;

    host_read("", &h);
    if (words_check(o, e))
        goto out;
    list_add_all(&asked, &o->metric);
    defaults_set(o);
    if (plan_make(o, &p, e) || execute_out_check(o, e) || execute_plan(&p, o, &h, pr, e) ||
        execute_write(&p, o, &h, created, &text, &path, e) ||
        result_file_parse(text.p, text.n, path, &f, e))
        goto out;
    if (interrupt_pending()) {
        err_set(e, "interrupted: no verdict; what was measured is in %s", path);
        goto out;
    }
    for (size_t i = 0; i < p.warnings.n; i++)
        fprintf(stderr, "warning: %s\n", p.warnings.v[i]);
    if (strcmp(path, "-") && !pr->quiet)
        fprintf(stderr, "result file: %s\n", path);
    rc = judge_file(o, &asked, &p, policy, &f, status, e);
out:
    result_file_free(&f);
    list_free(&asked);
    plan_free(&p);
    host_free(&h);
    str_free(&text);
    free(path);
    free(created);
    return rc;
}

int cmd_gate(struct options *o)
{
    struct policy policy;
    struct progress pr;
    struct err e = ERR_INIT;
    int status = EXIT_FAILED;

    progress_start(&pr, o->quiet);
    int bad = request_policy(o, &policy, &e) || gate_run(o, &policy, &pr, &status, &e);
    progress_end(&pr);
    if (bad) {
        fprintf(stderr, "crypto-bench: %s\n", e.text);
        status = e.exit_code;
    }
    policy_free(&policy);
    err_clear(&e);
    return status;
}

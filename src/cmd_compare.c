/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "comparison.h"
#include "match.h"
#include "mem.h"
#include "request.h"
#include "resultfile.h"
#include "selftest.h"

/* The files, and what of them is compared. */
struct sides {
    struct result_file base, now; /* now is empty when both sides are in one file */
    struct match_request request;
    char *base_name, *new_name;
};

/* A side of a file that `gate` wrote. */
static const char *side_library(const struct result_file *f, const char *side)
{
    for (size_t i = 0; i < f->nbuilds; i++)
        if (f->builds[i].side && !strcmp(f->builds[i].side, side))
            return f->builds[i].library;
    return NULL;
}

/* Both sides in one file: two configs, or the sides of a gate. */
static int one_file(const struct options *o, struct sides *s, struct err *e)
{
    struct side *base = &s->request.base, *now = &s->request.now;

    if (result_file_read(o->args.v[0], &s->base, e))
        return -1;
    base->file = now->file = &s->base;
    if (o->config.n == 2) {
        if (request_configs_known(&s->base, &o->config, e))
            return -1;
        base->config = o->config.v[0];
        now->config = o->config.v[1];
        s->base_name = xasprintf("%s, %s", o->args.v[0], base->config);
        s->new_name = xasprintf("%s, %s", o->args.v[0], now->config);
        return 0;
    }
    base->library = side_library(&s->base, "base");
    now->library = side_library(&s->base, "new");
    if (o->config.n || !base->library || !now->library)
        return err_usage(e,
                         "compare: '%s' alone has no two sides: give two result files, BASE NEW, "
                         "or --config BASE,NEW, or a file that gate --base --new wrote",
                         o->args.v[0]);
    s->base_name = xstrdup(base->library);
    s->new_name = xstrdup(now->library);
    return 0;
}

/* One file while it is read, in a thread of its own. */
struct reading {
    const char *path;
    struct result_file *file;
    struct err e;
    int failed;
};

static void *reading_run(void *arg)
{
    struct reading *r = arg;
    r->failed = result_file_read(r->path, r->file, &r->e);
    return NULL;
}

static int two_files(const struct options *o, struct sides *s, struct err *e)
{
    if (o->config.n)
        return err_usage(e, "compare: --config BASE,NEW goes with one result file, not with two");
    struct reading base = {o->args.v[0], &s->base, ERR_INIT, 0};
    struct reading now = {o->args.v[1], &s->now, ERR_INIT, 0};
    pthread_t thread;
    /* large files take a second each */
    int alone = pthread_create(&thread, NULL, reading_run, &now);
    reading_run(&base);
    if (alone)
        reading_run(&now);
    else
        pthread_join(thread, NULL);
    struct err *first = base.failed ? &base.e : &now.e;
    if (base.failed || now.failed)
        err_set(e, "%s", first->text);
    err_clear(&base.e);
    err_clear(&now.e);
    if (base.failed || now.failed)
        return -1;
    s->request.base.file = &s->base;
    s->request.now.file = &s->now;
    s->base_name = xstrdup(o->args.v[0]);
    s->new_name = xstrdup(o->args.v[1]);
    return 0;
}

static int sides_open(const struct options *o, struct sides *s, struct err *e)
{
    request_choose(o, 1, &s->request);
    if (o->args.n == 1)
        return one_file(o, s, e);
    if (o->args.n == 2)
        return two_files(o, s, e);
    return err_usage(e, "compare: give two result files, BASE NEW, or one with --config BASE,NEW");
}

/* 0 with the exit status in *status. */
static int compare(const struct options *o, const struct policy *p, int *status, struct err *e)
{
    struct sides s = {0};
    struct comparison c = {0};
    int rc = sides_open(o, &s, e);

    if (!rc) {
        c.base_name = xstrdup(s.base_name);
        c.new_name = xstrdup(s.new_name);
        match(&s.request, p, &c);
        rc = comparison_print(stdout, &c, o->format, e);
        *status = c.outcome;
    }
    comparison_free(&c);
    result_file_free(&s.base);
    result_file_free(&s.now);
    free(s.base_name);
    free(s.new_name);
    return rc;
}

static int selftest_run(const struct options *o, const struct policy *p, int *status, struct err *e)
{
    struct match_request r = {0};

    if (o->args.n != 1)
        return err_usage(e, "compare --selftest: give one result file");
    request_choose(o, 1, &r);
    return selftest(o->args.v[0], &r, p, stdout, status, e);
}

int cmd_compare(struct options *o)
{
    struct policy p;
    struct err e = ERR_INIT;
    int status = EXIT_FAILED;

    if (request_policy(o, &p, &e) || (o->selftest ? selftest_run : compare)(o, &p, &status, &e)) {
        fprintf(stderr, "crypto-bench: %s\n", e.text);
        status = e.exit_code;
    }
    policy_free(&p);
    err_clear(&e);
    return status;
}

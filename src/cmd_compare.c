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
    struct result_file files[2]; /* the second is empty when both sides are in one */
    struct match_request request;
    char *base_name, *new_name;
};

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
    struct reading base = {o->args.v[0], &s->files[0], ERR_INIT, 0};
    struct reading now = {o->args.v[1], &s->files[1], ERR_INIT, 0};
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
    return 0;
}

static int sides_open(const struct options *o, struct sides *s, struct err *e)
{
    request_choose(o, 1, &s->request);
    if (o->args.n != 1 && o->args.n != 2)
        return err_usage(e,
                         "compare: give two result files, BASE NEW, or one with --config BASE,NEW");
    if (o->args.n == 1 ? result_file_read(o->args.v[0], &s->files[0], e) : two_files(o, s, e))
        return -1;
    return request_sides("compare", o, s->files, o->args.n, &s->request, &s->base_name,
                         &s->new_name, e);
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
    result_file_free(&s.files[0]);
    result_file_free(&s.files[1]);
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

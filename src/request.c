/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "request.h"

#include <string.h>

#include "catalog.h"
#include "mem.h"

int request_policy(const struct options *o, struct policy *p, struct err *e)
{
    const struct {
        const struct list *words;
        enum metric metric;
    } limits[] = {{&o->max_slowdown, METRIC_JUDGED_TIME},
                  {&o->max_insns, METRIC_JUDGED_INSNS},
                  {&o->max_size, METRIC_JUDGED_SIZE},
                  {&o->max_modelled, METRIC_JUDGED_MODELLED}};

    policy_start(p);
    if (o->policy && policy_read(p, o->policy, e))
        return -1;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        for (size_t k = 0; k < limits[i].words->n; k++)
            if (policy_limit_add(p, limits[i].metric, limits[i].words->v[k], e))
                return -1;
    for (size_t i = 0; i < o->allow.n; i++)
        if (policy_allow_add(p, o->allow.v[i], e))
            return -1;
    return 0;
}

int request_wants(const void *options, const struct result_cell *c)
{
    const struct options *o = options;
    int size = !o->nsizes;

    for (size_t i = 0; i < o->nsizes; i++)
        size = size || o->sizes[i] == c->bytes;
    return size && (!o->target.n || list_has(&o->target, c->target)) &&
           (!o->alg.n || list_has(&o->alg, c->alg)) && (!o->op.n || list_has(&o->op, c->op)) &&
           (!o->cpu.n || list_has(&o->cpu, c->cpu)) &&
           (!o->cc.n || list_has(&o->cc, c->compiler)) &&
           (!o->library.n || list_has(&o->library, c->library));
}

int request_wants_config(const void *options, const struct result_cell *c)
{
    const struct options *o = options;
    return request_wants(o, c) && (!o->config.n || list_has(&o->config, c->config));
}

void request_choose(const struct options *o, int filter, struct match_request *r)
{
    for (size_t i = 0; i < METRIC_COUNT; i++)
        r->metric[i] = list_has(&o->metric, metric_name((enum metric)i));
    if (filter) {
        r->wanted = request_wants;
        r->arg = o;
    }
}

/* A side of a file that `gate` wrote. */
static const char *side_library(const struct result_file *f, const char *side)
{
    for (size_t i = 0; i < f->nbuilds; i++)
        if (f->builds[i].side && !strcmp(f->builds[i].side, side))
            return f->builds[i].library;
    return NULL;
}

int request_sides(const char *command, const struct options *o, const struct result_file *files,
                  size_t n, struct match_request *r, char **base_name, char **new_name,
                  struct err *e)
{
    r->base.file = &files[0];
    r->now.file = &files[n - 1];
    if (n == 2) {
        *base_name = xstrdup(files[0].path);
        *new_name = xstrdup(files[1].path);
        return 0;
    }
    if (n == 1 && o->config.n == 2) {
        r->base.config = o->config.v[0];
        r->now.config = o->config.v[1];
        *base_name = xasprintf("%s, %s", files->path, r->base.config);
        *new_name = xasprintf("%s, %s", files->path, r->now.config);
        return request_configs_known(files, &o->config, e);
    }
    r->base.library = n == 1 ? side_library(files, "base") : NULL;
    r->now.library = n == 1 ? side_library(files, "new") : NULL;
    if (o->config.n || !r->base.library || !r->now.library)
        return err_usage(e,
                         "%s: '%s' alone has no two sides: give two result files, BASE NEW, or "
                         "--config BASE,NEW, or a file that gate --base --new wrote",
                         command, files->path);
    *base_name = xstrdup(r->base.library);
    *new_name = xstrdup(r->now.library);
    return 0;
}

int request_configs_known(const struct result_file *f, const struct list *words, struct err *e)
{
    struct list known = LIST_INIT;
    int rc = 0;

    for (size_t i = 0; i < f->nbuilds; i++)
        if (!list_has(&known, f->builds[i].config))
            list_add(&known, f->builds[i].config);
    for (size_t i = 0; i < words->n && !rc; i++)
        if (!list_has(&known, words->v[i]))
            rc = unknown_word(e, "config of this file:", words->v[i], &known);
    list_free(&known);
    return rc;
}

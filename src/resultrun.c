/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "resultrun.h"

#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "mem.h"

int result_facts_read(const struct json_doc *d, const struct json *o, struct result_facts *out,
                      struct err *e)
{
    const struct json *host;
    *out = (struct result_facts){0};
    if (json_object(d, o, "host", JSON_REQUIRED, &host, e))
        return -1;
    out->v = xcalloc(json_count(host) + 1, sizeof *out->v);
    for (const struct json *v = json_first(host); v; v = json_next(v))
        if (json_typeof(v) != JSON_PAIRS)
            out->v[out->n++] = (struct result_fact){xstrdup(json_key(v)), json_line(v)};
    return 0;
}

const char *result_facts_find(const struct result_facts *f, const char *name)
{
    for (size_t i = 0; i < f->n; i++)
        if (!strcmp(f->v[i].name, name))
            return f->v[i].value;
    return NULL;
}

void result_facts_free(struct result_facts *f)
{
    for (size_t i = 0; i < f->n; i++) {
        free(f->v[i].name);
        free(f->v[i].value);
    }
    free(f->v);
    *f = (struct result_facts){0};
}

/* Absent or null: the whole. */
static int shard_read(const struct json_doc *d, const struct json *settings, struct result_run *r,
                      struct err *e)
{
    const struct json *shard = json_get(settings, "shard");
    if (!shard || json_typeof(shard) == JSON_NULL)
        return 0;
    if (json_object(d, settings, "shard", JSON_REQUIRED, &shard, e) ||
        json_u64(d, shard, "index", JSON_REQUIRED, &r->shard, e) ||
        json_u64(d, shard, "of", JSON_REQUIRED, &r->shards, e))
        return -1;
    if (r->shard && r->shard <= r->shards)
        return 0;
    char *where = json_where(d, shard);
    err_set(e, "%s: expected an index from 1 to the number of shards", where);
    free(where);
    return -1;
}

static int run_read(const struct json_doc *d, const struct json *o, struct result_run *r,
                    struct err *e)
{
    const struct json *settings;
    return json_str_ref(d, o, "created", JSON_REQUIRED, &r->created, e) ||
                   json_object(d, o, "settings", JSON_REQUIRED, &settings, e) ||
                   shard_read(d, settings, r, e) || result_facts_read(d, o, &r->host, e)
               ? -1
               : 0;
}

int result_runs_read(const struct json_doc *d, const struct json *root, struct result_run **out,
                     size_t *n, struct err *e)
{
    const struct json *runs = NULL;
    *out = NULL;
    *n = 0;
    if (json_array(d, root, "runs", JSON_OPTIONAL, &runs, e))
        return -1;
    *out = xcalloc((runs ? json_count(runs) : 1) + 1, sizeof **out);
    if (!runs)
        return run_read(d, root, &(*out)[(*n)++], e);
    for (const struct json *v = json_first(runs); v; v = json_next(v))
        if (run_read(d, v, &(*out)[(*n)++], e))
            return -1;
    return 0;
}

void result_runs_free(struct result_run *runs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        result_facts_free(&runs[i].host);
    free(runs);
}

const char *result_run_fact(const struct result_run *r, const char *name)
{
    const char *v = result_facts_find(&r->host, name);
    return v ? v : "null";
}

const struct machine_fact machine_facts[] = {
    {"machine", "architecture"},
    {"cpu_model", "CPU model"},
    {"governor", "frequency governor"},
    {"frequency_max_khz", "frequency limit"},
    {"turbo", "turbo"},
    {"virtualisation", "virtualisation"},
};
const size_t machine_fact_count = sizeof machine_facts / sizeof machine_facts[0];

const struct machine_fact *result_runs_differ(const struct result_run *a,
                                              const struct result_run *b)
{
    for (size_t i = 0; a != b && i < machine_fact_count; i++)
        if (strcmp(result_run_fact(a, machine_facts[i].name),
                   result_run_fact(b, machine_facts[i].name)))
            return &machine_facts[i];
    return NULL;
}

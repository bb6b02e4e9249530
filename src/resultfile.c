/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "resultfile.h"

#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "mem.h"

#define SCHEMA "crypto-bench/1"

static int insns_read(const struct json_doc *d, const struct json *cell, struct insns *out,
                      struct err *e)
{
    const struct json *o = json_get(cell, "insns"), *list = NULL;

    if (!o || json_typeof(o) == JSON_NULL)
        return 0;
    if (json_u64(d, o, "per_op", JSON_REQUIRED, &out->per_op, e) ||
        json_u64(d, o, "overhead", JSON_REQUIRED, &out->overhead, e) ||
        json_u64(d, o, "rest", JSON_REQUIRED, &out->rest, e) ||
        json_array(d, o, "functions", JSON_REQUIRED, &list, e))
        return -1;
    out->functions = xcalloc(json_count(list) + 1, sizeof *out->functions);
    for (const struct json *f = json_first(list); f; f = json_next(f)) {
        struct insns_function *to = &out->functions[out->nfunctions];
        if (json_str(d, f, "name", JSON_REQUIRED, &to->name, e))
            return -1;
        out->nfunctions++;
        if (json_u64(d, f, "insns", JSON_REQUIRED, &to->insns, e))
            return -1;
    }
    out->counted = 1;
    return 0;
}

static int cell_read(const struct json_doc *d, const struct json *c, struct result_cell *out,
                     struct err *e)
{
    const struct {
        const char *key;
        char **to;
    } texts[] = {{"library", &out->library}, {"compiler", &out->compiler},
                 {"config", &out->config},   {"target", &out->target},
                 {"runner", &out->runner},   {"workload", &out->workload},
                 {"alg", &out->alg},         {"op", &out->op},
                 {"status", &out->status}};
    const struct json *cpu = json_get(c, "cpu");

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (json_str(d, c, texts[i].key, JSON_REQUIRED, texts[i].to, e))
            return -1;
    if (cpu && json_typeof(cpu) != JSON_NULL) {
        if (json_str(d, c, "cpu", JSON_REQUIRED, &out->cpu, e))
            return -1;
    } else {
        out->cpu = xstrdup("");
    }
    return json_u64(d, c, "bytes", JSON_REQUIRED, &out->bytes, e) ||
                   insns_read(d, c, &out->insns, e)
               ? -1
               : 0;
}

int result_file_read(const char *path, struct result_file *out, struct err *e)
{
    struct json_doc *d = json_open(path, e);
    const struct json *cells = NULL;
    char *schema = NULL;
    int rc = -1;

    *out = (struct result_file){.path = xstrdup(path)};
    if (!d || json_str(d, json_root(d), "schema", JSON_REQUIRED, &schema, e))
        goto out;
    if (strcmp(schema, SCHEMA)) {
        err_set(e, "%s: $.schema: '%s' is not a result file this version reads; expected '%s'",
                path, schema, SCHEMA);
        goto out;
    }
    if (json_array(d, json_root(d), "cells", JSON_REQUIRED, &cells, e))
        goto out;
    out->cells = xcalloc(json_count(cells) + 1, sizeof *out->cells);
    for (const struct json *c = json_first(cells); c; c = json_next(c))
        if (cell_read(d, c, &out->cells[out->ncells++], e))
            goto out;
    rc = 0;
out:
    free(schema);
    json_close(d);
    if (rc)
        result_file_free(out);
    return rc;
}

void result_file_free(struct result_file *f)
{
    for (size_t i = 0; i < f->ncells; i++) {
        struct result_cell *c = &f->cells[i];
        free(c->library);
        free(c->compiler);
        free(c->config);
        free(c->target);
        free(c->cpu);
        free(c->runner);
        free(c->workload);
        free(c->alg);
        free(c->op);
        free(c->status);
        insns_free(&c->insns);
    }
    free(f->cells);
    free(f->path);
    *f = (struct result_file){0};
}

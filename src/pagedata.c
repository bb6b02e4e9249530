/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "pagedata.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "change.h"
#include "file.h"
#include "json.h"
#include "mem.h"
#include "prediction.h"
#include "str.h"

/* Words that many cells share, by number. */
struct names {
    const char **v;
    size_t n;
};

struct page {
    struct names algs, ops, workloads, statuses, sources, models;
};

static const char *const columns[] = {
    "lane",
    "build",
    "baseline",
    "alg",
    "op",
    "workload",
    "bytes",
    "status",
    "kB_per_s",
    "low",
    "high",
    "change_percent",
    "unclear",
    "insns",
    "insns_per_byte",
    "insns_change_percent",
    "cycles_per_byte",
    "cycle_source",
    "modelled_per_byte",
    "modelled_band_percent",
    "modelled_ratio",
    "modelled_close",
    "model",
    "reason",
};

static size_t name_number(struct names *names, const char *name)
{
    size_t i = 0;
    while (i < names->n && strcmp(names->v[i], name) != 0)
        i++;
    if (i == names->n) {
        names->v = xreallocarray(names->v, names->n + 1, sizeof *names->v);
        names->v[names->n++] = name;
    }
    return i;
}

/* Takes the names, and frees the table. */
static void names_add(struct json *root, const char *key, struct names *names)
{
    struct json *array = json_add_array(root, key);
    for (size_t i = 0; i < names->n; i++)
        json_add_str(array, NULL, names->v[i]);
    free(names->v);
}

/* Takes the labels too. */
static void models_add(struct json *root, struct names *models)
{
    struct json *array = json_add_array(root, "models");
    for (size_t i = 0; i < models->n; i++) {
        json_add_str(array, NULL, models->v[i]);
        free((char *)(uintptr_t)models->v[i]);
    }
    free(models->v);
}

/* To that many decimals: what a table shows, and no digits that noise made. */
static void rounded_add(struct json *row, int known, double v, double per_unit)
{
    if (known)
        json_add_double(row, NULL, round(v * per_unit) / per_unit);
    else
        json_add_null(row, NULL);
}

static void time_add(struct json *row, const struct result_cell *c)
{
    const struct estimate *t = &c->time;
    int known = t->n > 0, interval = known && t->have_interval;
    int change = c->ratio.n > 0 && !c->emulated && !c->lane->emulated;
    rounded_add(row, known, known ? rate_kb_s(t->median, c->bytes) : 0, 10);
    rounded_add(row, interval, interval ? rate_kb_s(t->high, c->bytes) : 0, 10);
    rounded_add(row, interval, interval ? rate_kb_s(t->low, c->bytes) : 0, 10);
    /* speed is the inverse of time */
    rounded_add(row, change, change ? 100 * (1 / c->ratio.median - 1) : 0, 100);
    if (change)
        json_add_u64(row, NULL, (uint64_t)change_in_noise(c));
    else
        json_add_null(row, NULL);
}

static void insns_add(struct json *row, const struct result_cell *c)
{
    const struct result_cell *b = c->baseline;
    double per_op = (double)c->insns.per_op;
    int known = c->insns.counted, change = known && b && b->insns.counted && b->insns.per_op;
    if (known)
        json_add_u64(row, NULL, c->insns.per_op);
    else
        json_add_null(row, NULL);
    rounded_add(row, known, per_op / (double)c->bytes, 10000);
    rounded_add(row, change, change ? 100 * (per_op / (double)b->insns.per_op - 1) : 0, 100);
}

/* The label of a model, by number; as there are few cores, each is kept once. */
static size_t model_number(struct names *models, const struct prediction *p)
{
    char *label = prediction_label(p);
    size_t before = models->n, i = name_number(models, label);
    if (models->n == before)
        free(label);
    return i;
}

static void modelled_add(struct json *row, struct page *page, const struct result_cell *c)
{
    const struct result_cell *b = c->baseline;
    const struct prediction *p = &c->modelled;
    int absolute = p->known && p->band >= 0, ratio = b && prediction_comparable(&b->modelled, p);
    double by = ratio ? prediction_ratio(&b->modelled, p) : 0;
    rounded_add(row, absolute, absolute ? (double)p->cycles / (double)c->bytes : 0, 10000);
    rounded_add(row, absolute, p->band, 1);
    rounded_add(row, ratio, by, 10000);
    if (ratio)
        json_add_u64(row, NULL, (uint64_t)prediction_is_close(by));
    else
        json_add_null(row, NULL);
    if (p->known)
        json_add_u64(row, NULL, model_number(&page->models, p));
    else
        json_add_null(row, NULL);
}

/* first_lane and first_build: the numbers of the file's first ones. */
static void cell_add(struct json *cells, struct page *page, const struct result_file *f,
                     const struct result_cell *c, size_t first_lane, size_t first_build)
{
    struct json *row = json_add_array(cells, NULL);
    json_add_u64(row, NULL, first_lane + (size_t)(c->lane - f->lanes));
    json_add_u64(row, NULL, first_build + (size_t)(c->build - f->builds));
    if (c->baseline)
        json_add_u64(row, NULL, first_build + (size_t)(c->baseline->build - f->builds));
    else
        json_add_null(row, NULL);
    json_add_u64(row, NULL, name_number(&page->algs, c->alg));
    json_add_u64(row, NULL, name_number(&page->ops, c->op));
    json_add_u64(row, NULL, name_number(&page->workloads, c->workload));
    json_add_u64(row, NULL, c->bytes);
    json_add_u64(row, NULL, name_number(&page->statuses, c->status));
    time_add(row, c);
    insns_add(row, c);
    rounded_add(row, c->cycles.n > 0, c->cycles.n ? c->cycles.median / (double)c->bytes : 0, 10000);
    if (c->cycles.n && c->cycle_source)
        json_add_u64(row, NULL, name_number(&page->sources, c->cycle_source));
    else
        json_add_null(row, NULL);
    modelled_add(row, page, c);
    json_add_str(row, NULL, c->reason);
}

static void lane_add(struct json *lanes, const struct result_file *f, size_t n,
                     const struct result_lane *l)
{
    struct json *o = json_add_object(lanes, NULL);
    char *label =
        xasprintf("%s%s%s%s%s, %s%s", n > 1 ? path_base(f->path) : "", n > 1 ? ": " : "", l->target,
                  l->cpu[0] ? " " : "", l->cpu, l->runner, l->emulated ? " (emulated)" : "");
    json_add_str(o, "label", label);
    json_add_str(o, "target", l->target);
    json_add_bool(o, "emulated", l->emulated);
    free(label);
}

static void build_add(struct json *builds, const struct result_build *b)
{
    struct json *o = json_add_object(builds, NULL);
    char *config = xasprintf("%s%s%s%s", b->config, b->side ? " (" : "", b->side ? b->side : "",
                             b->side ? ")" : "");
    char *library =
        xasprintf("%s%s%s", b->library, b->version ? " " : "", b->version ? b->version : "");
    char *cc =
        b->family && b->cc_version ? xasprintf("%s %s", b->family, b->cc_version) : xstrdup(b->cc);
    json_add_str(o, "config", config);
    json_add_str(o, "library", library);
    json_add_str(o, "compiler", cc);
    if (b->have_sizes)
        json_add_u64(o, "size", b->text + b->rodata + b->data);
    else
        json_add_null(o, "size");
    if (b->have_shared)
        json_add_u64(o, "stripped", b->shared_stripped);
    else
        json_add_null(o, "stripped");
    free(config);
    free(library);
    free(cc);
}

char *pagedata_text(const struct result_file *files, size_t n, size_t *lane_base)
{
    struct json *root = json_new_object();
    struct json *names = json_add_array(root, "columns");
    struct json *lanes = json_add_array(root, "lanes"), *builds = json_add_array(root, "builds");
    struct json *cells = json_add_array(root, "cells");
    struct page page = {0};
    size_t lane = 0, build = 0;

    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        json_add_str(names, NULL, columns[i]);
    for (size_t i = 0; i < n; i++) {
        const struct result_file *f = &files[i];
        lane_base[i] = lane;
        for (size_t k = 0; k < f->nlanes; k++)
            lane_add(lanes, f, n, &f->lanes[k]);
        for (size_t k = 0; k < f->nbuilds; k++)
            build_add(builds, &f->builds[k]);
        for (size_t k = 0; k < f->ncells; k++)
            cell_add(cells, &page, f, &f->cells[k], lane, build);
        lane += f->nlanes;
        build += f->nbuilds;
    }
    names_add(root, "algs", &page.algs);
    names_add(root, "ops", &page.ops);
    names_add(root, "workloads", &page.workloads);
    names_add(root, "statuses", &page.statuses);
    names_add(root, "sources", &page.sources);
    models_add(root, &page.models);
    char *text = json_line(root);
    json_free(root);
    return text;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "mem.h"
#include "plan.h"

/* What a suite leaves out because it is not installed, each once. */
static void skip_note(struct plan *p, const char *target, const char *what, const char *reason)
{
    char *text = xasprintf("skipped: %s for %s: %s", what, target, reason);
    if (!list_has(&p->warnings, text))
        list_add(&p->warnings, text);
    free(text);
}

static int build_add(struct plan *p, size_t t, size_t k, const struct library *l,
                     const struct config *c, struct err *e)
{
    size_t at = t * p->ncc + k;
    struct build *b = xcalloc(1, sizeof *b);
    int missing = p->compiler_errors[at] != NULL;
    const char *family = missing ? NULL : p->compilers[at].family;

    if (family && p->skip_missing && c->families.n && !list_has(&c->families, family)) {
        char *reason = xasprintf("its flags are not for %s", p->cc_words[k]);
        skip_note(p, p->targets[t].name, c->name, reason);
        free(reason);
        free(b);
        return 0;
    }
    if (missing && p->skip_missing) {
        if (!l->side || !strcmp(l->side, "base"))
            skip_note(p, p->targets[t].name, p->cc_words[k], p->compiler_errors[at]);
        free(b);
        return 0;
    }
    p->builds = xreallocarray(p->builds, p->nbuilds + 1, sizeof(struct build *));
    p->builds[p->nbuilds++] = b;
    if (build_init(b, l, missing ? NULL : &p->compilers[at], p->cc_words[k], c, &p->targets[t], e))
        return -1;
    if (missing) {
        b->status = STATUS_COMPILER_MISSING;
        b->reason = xstrdup(p->compiler_errors[at]);
    }
    return 0;
}

/* CPU models of target t that are run. */
static size_t cpu_count(const struct plan *p, size_t t)
{
    return p->cpus[t].n ? p->cpus[t].n : 1;
}

/* Builds that target, library l and a compiler have: one a config. */
static size_t config_count(const struct plan *p, size_t l)
{
    return p->libraries[l].kind == LIBRARY_PREFIX ? 1 : p->nconfigs;
}

/* Which rows of target t, group g (a library and a compiler) and CPU model cpu are done. */
static struct shard_range *part_at(const struct plan *p, size_t t, size_t g, size_t cpu)
{
    return &p->parts[(t * p->nlibraries * p->ncc + g) * p->ncpus + cpu];
}

/* What lies in the line that shards are cut from. */
enum cut {
    CUT_ROWS,   /* of cells */
    CUT_GROUPS, /* builds that are compared with each other: nothing is run */
    CUT_BUILDS
};

/*
 * The matrix lies in one line: by target, library, compiler, CPU model and row, so that a shard
 * needs few builds. A row is not cut, and weighs what it has cells. Words alone decide, not what
 * this machine has: all shards must come to the same cuts.
 */
static void parts_make(const struct options *o, struct plan *p, enum cut cut, size_t rows)
{
    size_t ngroups = p->nlibraries * p->ncc;
    uint64_t total = 0, at = 0;

    for (size_t t = 0; t < p->ntargets; t++)
        p->ncpus = cpu_count(p, t) > p->ncpus ? cpu_count(p, t) : p->ncpus;
    p->parts = xcalloc(p->ntargets * ngroups * p->ncpus + 1, sizeof *p->parts);
    /* once for the length of the line */
    for (int measured = 0; measured < 2; measured++) {
        for (size_t t = 0; t < p->ntargets; t++) {
            for (size_t g = 0; g < ngroups; g++) {
                size_t builds = config_count(p, g / p->ncc);
                for (size_t c = 0; c < (cut == CUT_ROWS ? cpu_count(p, t) : 1); c++) {
                    size_t n = cut == CUT_BUILDS ? builds : cut == CUT_GROUPS ? 1 : rows;
                    uint64_t weight = cut == CUT_BUILDS ? 1 : builds;
                    if (measured)
                        *part_at(p, t, g, c) = shard_take(&o->shard, total, &at, n, weight);
                    else
                        total += n * weight;
                }
            }
        }
    }
}

/* 1 when something of the target and group is done. */
static int part_any(const struct plan *p, size_t t, size_t g)
{
    for (size_t c = 0; c < p->ncpus; c++)
        if (part_at(p, t, g, c)->first < part_at(p, t, g, c)->end)
            return 1;
    return 0;
}

/* An earlier compiler that is the very same, where this one was not asked for by its name but found
 * for `all`; NULL: none. */
static const char *same_compiler(const struct options *o, const struct plan *p, size_t t, size_t k)
{
    const struct compiler *all = &p->compilers[t * p->ncc], *c = &all[k];
    if (!c->argv.n || list_has(&o->cc, c->word))
        return NULL;
    for (size_t i = 0; i < k; i++)
        if (all[i].argv.n && compiler_is_same(&all[i], c))
            return all[i].word;
    return NULL;
}

/* The builds of one target, library and compiler. */
static int group_builds(const struct options *o, struct plan *p, size_t t, size_t l, size_t k,
                        enum cut cut, struct err *e)
{
    const struct library *library = &p->libraries[l];
    size_t g = l * p->ncc + k;
    struct shard_range all = {0, config_count(p, l)};
    const char *same = same_compiler(o, p, t, k);

    if (same && !l)
        list_addf(&p->warnings, "same-compiler: %s is %s for %s, built once", p->cc_words[k], same,
                  p->targets[t].name);
    if (same)
        return 0;
    if (cut == CUT_BUILDS)
        all = *part_at(p, t, g, 0);
    else if (!part_any(p, t, g))
        return 0;
    for (size_t c = all.first; c < all.end; c++)
        if (build_add(p, t, k, library,
                      library->kind == LIBRARY_PREFIX ? &p->as_built : &p->configs[c], e))
            return -1;
    return 0;
}

/* rows: of one target, library, compiler and CPU model, with CUT_ROWS. */
static int builds_make(const struct options *o, struct plan *p, enum cut cut, size_t rows,
                       struct err *e)
{
    *p = (struct plan){.skip_missing = o->skip_missing};
    p->as_built.name = xstrdup("as-built");
    p->as_built.summary = xstrdup("whatever flags the prebuilt library was made with");
    if (o->shard.of && list_has(&o->cc, "all"))
        return err_usage(e, "--cc 'all' is whatever each machine has, so shards of several would "
                            "not fit together; beside --shard name the compilers");
    if (plan_axes(o, p, e))
        return -1;
    parts_make(o, p, cut, rows);
    for (size_t t = 0; t < p->ntargets; t++) {
        for (size_t l = 0; l < p->nlibraries; l++) {
            for (size_t k = 0; k < p->ncc; k++)
                if (group_builds(o, p, t, l, k, cut, e))
                    return -1;
            if (p->libraries[l].kind == LIBRARY_PREFIX && o->config.n && !t) {
                list_addf(&p->warnings,
                          "prefix-config: %s is prebuilt: its flags are what they are, --config "
                          "does not apply to it",
                          p->libraries[l].path);
            }
        }
    }
    return 0;
}

int plan_make_builds(const struct options *o, struct plan *p, struct err *e)
{
    return builds_make(o, p, CUT_BUILDS, 0, e);
}

/* Words of an axis that is a fixed list, with 'all' and the default. */
static int fixed_axis(const struct list *given, const char *noun, const struct list *known,
                      const char *default_word, struct list *out, struct err *e)
{
    for (size_t i = 0; i < given->n; i++) {
        if (!strcmp(given->v[i], "all")) {
            for (size_t k = 0; k < known->n; k++)
                if (!list_has(out, known->v[k]))
                    list_add(out, known->v[k]);
        } else if (!list_has(known, given->v[i])) {
            return unknown_word(e, noun, given->v[i], known);
        } else if (!list_has(out, given->v[i])) {
            list_add(out, given->v[i]);
        }
    }
    if (!given->n) {
        for (size_t k = 0; k < known->n; k++)
            if (!default_word || !strcmp(default_word, known->v[k]))
                list_add(out, known->v[k]);
    }
    return 0;
}

struct work {
    struct list algs, ops, workloads;
    const uint64_t *sizes;
    size_t nsizes;
};

static int work_resolve(const struct options *o, struct work *w, struct err *e)
{
    struct list algs = LIST_INIT, usual = LIST_INIT, ops = LIST_INIT, workloads = LIST_INIT;
    int rc = -1;

    for (size_t i = 0; i < algorithm_count(); i++) {
        list_add(&algs, algorithm_at(i)->name);
        if (algorithm_at(i)->in_default_set)
            list_add(&usual, algorithm_at(i)->name);
    }
    for (size_t i = 0; i < operation_count(); i++)
        list_add(&ops, operation_at(i));
    for (size_t i = 0; i < workload_count(); i++)
        list_add(&workloads, workload_at(i)->name);
    w->sizes = o->nsizes ? o->sizes : default_sizes;
    w->nsizes = o->nsizes ? o->nsizes : default_size_count;
    if (fixed_axis(o->alg.n ? &o->alg : &usual, "algorithm", &algs, NULL, &w->algs, e) ||
        fixed_axis(&o->op, "operation", &ops, "encrypt", &w->ops, e) ||
        fixed_axis(&o->workload, "workload", &workloads, "record/1", &w->workloads, e))
        goto out;
    for (size_t a = 0; a < w->algs.n; a++) {
        const struct algorithm *alg = algorithm_find(w->algs.v[a]);
        for (size_t s = 0; s < w->nsizes; s++) {
            if (w->sizes[s] % alg->block) {
                err_usage(
                    e,
                    "--size '%llu': %s takes multiples of %u bytes only, such as %llu; choose "
                    "another size, or other algorithms with --alg",
                    (unsigned long long)w->sizes[s], alg->name, alg->block,
                    (unsigned long long)(w->sizes[s] / alg->block + 1) * alg->block);
                goto out;
            }
        }
    }
    rc = 0;
out:
    list_free(&algs);
    list_free(&usual);
    list_free(&ops);
    list_free(&workloads);
    return rc;
}

static void row_cells(struct lane *l, const char *workload, const char *alg, const char *op,
                      uint64_t bytes)
{
    for (size_t b = 0; b < l->nbuilds; b++)
        l->cells[l->ncells++] = (struct cell){
            .build = l->builds[b],
            .lane = l,
            .workload = workload_find(workload),
            .alg = algorithm_find(alg),
            .op = operation_find(op),
            .bytes = bytes,
            .status = STATUS_SKIPPED,
        };
}

static size_t row_count(const struct work *w)
{
    return w->workloads.n * w->algs.n * w->ops.n * w->nsizes;
}

static void lane_cells(struct lane *l, const struct work *w, struct shard_range part)
{
    size_t row = 0;
    l->cells = xcalloc((part.end - part.first) * l->nbuilds, sizeof *l->cells);
    for (size_t k = 0; k < w->workloads.n; k++)
        for (size_t a = 0; a < w->algs.n; a++)
            for (size_t o = 0; o < w->ops.n; o++)
                for (size_t s = 0; s < w->nsizes; s++, row++)
                    if (row >= part.first && row < part.end)
                        row_cells(l, w->workloads.v[k], w->algs.v[a], w->ops.v[o], w->sizes[s]);
}

static const char *baseline_name(const struct options *o, const struct config *c)
{
    return o->baseline ? o->baseline : c->baseline;
}

/* In a gate: the same config and compiler of the base side. */
static struct cell *base_side(struct cell *row, const struct cell *c)
{
    for (size_t b = 0; b < c->lane->nbuilds; b++) {
        const struct build *x = row[b].build;
        if (x->library->side && !strcmp(x->library->side, "base") &&
            !strcmp(x->config->name, c->build->config->name) &&
            !strcmp(x->cc_word, c->build->cc_word))
            return &row[b];
    }
    return NULL;
}

/* Cells of one row are neighbours, one a build: the baseline is in the same row. */
static void lane_baselines(struct lane *l, const struct options *o)
{
    for (size_t i = 0; i < l->ncells; i++) {
        struct cell *c = &l->cells[i], *row = &l->cells[i - i % l->nbuilds];
        const char *name = baseline_name(o, c->build->config);
        const char *side = c->build->library->side;
        if (side) {
            c->baseline = strcmp(side, "new") ? NULL : base_side(row, c);
            continue;
        }
        for (size_t b = 0; b < l->nbuilds && name; b++) {
            const struct build *x = row[b].build;
            if (&row[b] != c && !strcmp(x->config->name, name) && x->library == c->build->library &&
                !strcmp(x->cc_word, c->build->cc_word))
                c->baseline = &row[b];
        }
    }
}

/* The metrics asked for; 0: none in particular. */
static unsigned metrics_wanted(const struct options *o)
{
    unsigned m = 0;
    if (list_has(&o->metric, "all"))
        return METRIC_TIME | METRIC_INSNS | METRIC_CYCLES | METRIC_MODELLED;
    if (list_has(&o->metric, "time"))
        m |= METRIC_TIME;
    if (list_has(&o->metric, "insns"))
        m |= METRIC_INSNS;
    /* the same samples serve both */
    if (list_has(&o->metric, "cycles"))
        m |= METRIC_TIME | METRIC_CYCLES;
    /* the trace that cycles are modelled from is counted, and its count belongs beside them */
    if (list_has(&o->metric, "modelled"))
        m |= METRIC_INSNS | METRIC_MODELLED;
    return m;
}

/* Only what the builds tell: nothing is run. */
static int stack_alone(const struct options *o)
{
    return !metrics_wanted(o) && list_has(&o->metric, "stack");
}

/* A lane to be: where and how one target on one CPU model is measured. */
struct lane_spec {
    size_t target, cpu_index;
    const char *cpu; /* NULL: the runner's default */
    const char *runner;
    unsigned metrics; /* 0: time, and insns and modelled too if the runner counts them */
};

/* Instructions are counted under QEMU, so where time is taken natively and both are wanted there
 * are two lanes. */
static size_t lane_specs(const struct plan *p, const struct options *o, struct lane_spec *out)
{
    const unsigned counted = METRIC_INSNS | METRIC_MODELLED;
    unsigned wanted = metrics_wanted(o);
    int automatic = !strcmp(o->runner, "auto");
    size_t n = 0;
    if (stack_alone(o))
        return 0;
    for (size_t t = 0; t < p->ntargets; t++) {
        int native = automatic && target_is_native(&p->targets[t]);
        for (size_t k = 0; k < cpu_count(p, t); k++) {
            const char *cpu = p->cpus[t].n ? p->cpus[t].v[k] : NULL;
            if (native && wanted & METRIC_INSNS) {
                if (wanted & METRIC_TIME)
                    out[n++] = (struct lane_spec){t, k, cpu, "native", wanted & ~counted};
                out[n++] = (struct lane_spec){t, k, cpu, "qemu", wanted & counted};
            } else {
                out[n++] = (struct lane_spec){t, k, cpu, o->runner, wanted};
            }
        }
    }
    return n;
}

/* The group, by its number, that a build of the plan is in. */
static size_t build_group(const struct plan *p, const struct build *b)
{
    size_t k = 0;
    while (strcmp(p->cc_words[k], b->cc_word))
        k++;
    return (size_t)(b->library - p->libraries) * p->ncc + k;
}

/* Instructions that are counted under QEMU are put through the CPU model's pipeline as well, where
 * it has one. */
static int lane_core(struct lane *l, struct err *e)
{
    int traced = l->runner.kind == RUNNER_QEMU;
    const char *core = l->cpu ? l->cpu->core : NULL;

    if (traced && core && l->metrics & METRIC_INSNS)
        l->metrics |= METRIC_MODELLED;
    if (!(l->metrics & METRIC_MODELLED))
        return 0;
    if (traced && core) {
        l->core = xcalloc(1, sizeof *l->core);
        return core_load(core, l->core, e);
    }
    if (traced)
        l->core_reason = xasprintf("no pipeline table for the core of %s%s%s (crypto-bench list "
                                   "cores)",
                                   l->target->name, l->cpu ? " " : "", l->cpu ? l->cpu->name : "");
    else
        l->core_reason = xstrdup("cycles are modelled from QEMU's trace: --runner qemu");
    return 0;
}

/* groups: whose builds are in the lane; rows: its part of the cells. */
static int lane_make(struct plan *p, const struct lane_spec *spec, struct shard_range groups,
                     struct shard_range rows, const struct options *o, const struct work *w,
                     struct lane *l, struct err *e)
{
    const char *cpu = spec->cpu;
    size_t t = spec->target;
    struct err why = ERR_INIT;
    int rc = 0;

    l->target = &p->targets[t];
    l->builds = xcalloc(p->nbuilds, sizeof(struct build *));
    for (size_t i = 0; i < p->nbuilds; i++) {
        size_t g = build_group(p, p->builds[i]);
        if (p->builds[i]->target == l->target && g >= groups.first && g < groups.end)
            l->builds[l->nbuilds++] = p->builds[i];
    }
    l->capabilities = xcalloc(l->nbuilds, sizeof *l->capabilities);
    l->library_text = xcalloc(l->nbuilds, sizeof *l->library_text);
    if (runner_find(spec->runner, l->target, cpu, &l->runner, &l->status, &why)) {
        if (why.exit_code == EXIT_USAGE)
            rc = err_usage(e, "%s", why.text);
        else
            l->reason = xstrdup(why.text);
    }
    l->cpu = l->runner.cpu ? l->runner.cpu : cpu ? target_cpu(l->target, cpu, e) : NULL;
    err_clear(&why);
    l->metrics = spec->metrics;
    if (!l->metrics)
        l->metrics = METRIC_TIME | (l->runner.kind == RUNNER_QEMU ? METRIC_INSNS : 0u);
    if (o->no_emulated_time && l->runner.emulated && l->metrics & METRIC_INSNS)
        l->metrics &= ~(unsigned)METRIC_TIME;
    if (lane_core(l, e))
        rc = -1;
    lane_cells(l, w, rows);
    lane_baselines(l, o);
    return rc;
}

static void lane_free(struct lane *l)
{
    for (size_t i = 0; i < l->ncells; i++) {
        free(l->cells[i].reason);
        series_free(&l->cells[i].series);
        insns_free(&l->cells[i].insns);
        prediction_free(&l->cells[i].modelled);
    }
    for (size_t i = 0; i < l->nbuilds; i++) {
        free(l->capabilities[i]);
        free(l->library_text[i]);
    }
    free(l->cells);
    free(l->builds);
    free(l->capabilities);
    free(l->library_text);
    free(l->clock);
    free(l->cycle_source);
    free(l->cycle_reason);
    free(l->counter);
    free(l->counter_reason);
    free(l->core_reason);
    if (l->core)
        core_free(l->core);
    free(l->core);
    free(l->reason);
    runner_free(&l->runner);
}

static int baseline_check(const struct options *o, const struct plan *p, struct err *e)
{
    struct list known = LIST_INIT;
    int rc = 0;
    for (size_t i = 0; i < p->nconfigs; i++)
        list_add(&known, p->configs[i].name);
    if (o->baseline && !list_has(&known, o->baseline)) {
        char *all = list_join(&known, ", ");
        rc = err_usage(
            e, "--baseline '%s' is not among the configs of this run (%s); add it to --config",
            o->baseline, all);
        free(all);
    }
    list_free(&known);
    return rc;
}

/* One lane of a spec into the plan, unless it is left out. */
static int lane_add(struct plan *p, const struct lane_spec *spec, struct shard_range groups,
                    struct shard_range rows, const struct options *o, const struct work *w,
                    struct err *e)
{
    struct lane *l = &p->lanes[p->nlanes];
    int rc = lane_make(p, spec, groups, rows, o, w, l, e);

    if (!rc && o->skip_missing && (l->status != STATUS_OK || !l->nbuilds)) {
        if (l->status != STATUS_OK)
            skip_note(p, l->target->name, l->runner.name ? l->runner.name : spec->runner,
                      l->reason);
        lane_free(l);
        *l = (struct lane){0};
    } else {
        p->nlanes++; /* counted also on error, so that plan_free sees it */
    }
    return rc;
}

/* The lanes of a spec: one, but for shards, whose cut may leave groups other rows than their
 * neighbours. *planned is advanced by how many, those left out included. */
static int spec_lanes(struct plan *p, const struct lane_spec *spec, const struct options *o,
                      const struct work *w, size_t *planned, struct err *e)
{
    size_t ngroups = p->nlibraries * p->ncc, before = p->nlanes, next;

    for (size_t g = 0; g < ngroups; g = next) {
        struct shard_range rows = *part_at(p, spec->target, g, spec->cpu_index);
        for (next = g + 1; next < ngroups; next++) {
            const struct shard_range *r = part_at(p, spec->target, next, spec->cpu_index);
            if (r->first != rows.first || r->end != rows.end)
                break;
        }
        if (rows.first == rows.end)
            continue;
        ++*planned;
        if (lane_add(p, spec, (struct shard_range){g, next}, rows, o, w, e))
            return -1;
    }
    for (size_t i = before + 1; i < p->nlanes; i++)
        p->lanes[i].whole = &p->lanes[before];
    return 0;
}

static int lanes_make(struct plan *p, const struct options *o, const struct work *w, struct err *e)
{
    size_t nspecs = 0, planned = 0;
    int rc = 0;

    for (size_t t = 0; t < p->ntargets; t++)
        nspecs += 2 * cpu_count(p, t);
    struct lane_spec *specs = xcalloc(nspecs, sizeof *specs);
    nspecs = lane_specs(p, o, specs);
    p->lanes = xcalloc(nspecs * p->nlibraries * p->ncc + 1, sizeof *p->lanes);
    for (size_t i = 0; i < nspecs && !rc; i++)
        rc = spec_lanes(p, &specs[i], o, w, &planned, e);
    free(specs);
    /* Of a shard that is no failure: other machines may have what this one lacks. */
    if (!rc && planned && !p->nlanes && !o->shard.of) {
        char *why = list_join(&p->warnings, "; ");
        rc = err_set(e, "nothing of this suite is left to run: %s", why);
        free(why);
    }
    return rc;
}

int plan_make(const struct options *o, struct plan *p, struct err *e)
{
    struct work w = {0};
    int rc = -1;

    *p = (struct plan){0};
    /* cheap words before anything that reads trees or asks compilers */
    if (!work_resolve(o, &w, e) &&
        !builds_make(o, p, stack_alone(o) ? CUT_GROUPS : CUT_ROWS, row_count(&w), e) &&
        !baseline_check(o, p, e))
        rc = lanes_make(p, o, &w, e);
    list_free(&w.algs);
    list_free(&w.ops);
    list_free(&w.workloads);
    return rc;
}

size_t plan_cell_count(const struct plan *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->nlanes; i++)
        n += p->lanes[i].ncells;
    return n;
}

void plan_free(struct plan *p)
{
    for (size_t i = 0; i < p->nlanes; i++)
        if (p->lanes[i].target)
            lane_free(&p->lanes[i]);
    free(p->lanes);
    free(p->parts);
    for (size_t i = 0; i < p->nbuilds; i++) {
        build_free(p->builds[i]);
        free(p->builds[i]);
    }
    free(p->builds);
    for (size_t i = 0; p->compilers && i < p->ncc * p->ntargets; i++) {
        compiler_free(&p->compilers[i]);
        free(p->compiler_errors[i]);
    }
    for (size_t i = 0; p->cc_words && i < p->ncc; i++)
        free(p->cc_words[i]);
    free(p->compilers);
    free(p->compiler_errors);
    free(p->cc_words);
    for (size_t i = 0; i < p->nlibraries; i++)
        library_free(&p->libraries[i]);
    for (size_t i = 0; i < p->nconfigs; i++)
        config_free(&p->configs[i]);
    for (size_t i = 0; i < p->ntargets; i++) {
        target_free(&p->targets[i]);
        list_free(&p->cpus[i]);
    }
    free(p->libraries);
    free(p->configs);
    free(p->targets);
    free(p->cpus);
    config_free(&p->as_built);
    list_free(&p->warnings);
    *p = (struct plan){0};
}

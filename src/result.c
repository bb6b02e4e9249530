/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mem.h"
#include "result.h"
#include "resultdetail.h"
#include "stackwarning.h"

static char *time_text(const char *format)
{
    char buf[40];
    time_t now = time(NULL);
    struct tm tm;
    gmtime_r(&now, &tm);
    strftime(buf, sizeof buf, format, &tm);
    return xstrdup(buf);
}

char *time_compact(void)
{
    return time_text("%Y%m%dT%H%M%SZ");
}

char *time_iso(void)
{
    return time_text("%Y-%m-%dT%H:%M:%SZ");
}

static void cell_finish(struct cell *c)
{
    if (c->status != STATUS_OK || estimate_series(&c->series, &c->time))
        c->time = (struct estimate){0};
    if (!c->time.n || estimate_cycles(&c->series, &c->cycles))
        c->cycles = (struct estimate){0};
    if (!c->time.n || estimate_null(&c->series, &c->null))
        c->null = (struct estimate){0};
}

static void warn_flags(struct plan *p, const struct build *b)
{
    const struct build_facts *f = &b->facts;
    if (!f->optimisation)
        return;
    if (!f->optimisation[0])
        list_addf(&p->warnings,
                  "no-optimisation-level: %s was compiled without any -O option (effective: -O0); "
                  "name one in the config's cflags",
                  b->id);
    else if (f->optimisation_repeated)
        list_addf(&p->warnings,
                  "optimisation-level-repeated: %s has more than one -O option on a compile line; "
                  "the last one counts, so it is measured at %s; keep one of them",
                  b->id, f->optimisation);
    else if (!strncmp(f->optimisation, "mixed", 5))
        list_addf(&p->warnings,
                  "optimisation-level-mixed: files of %s were compiled at different levels (%s)",
                  b->id, f->optimisation);
}

static void warn_builds(struct plan *p)
{
    for (size_t i = 0; i < p->nbuilds; i++) {
        const struct build *b = p->builds[i];
        if (b->status != STATUS_OK)
            continue;
        warn_flags(p, b);
        for (size_t k = 0; k < b->facts.linker_warnings.n; k++)
            list_addf(&p->warnings, "linker: %s: %s", b->id, b->facts.linker_warnings.v[k]);
        /* Of the kernel's code there never is one. */
        if (!b->facts.sizes.have_shared && b->facts.sizes.shared_reason &&
            b->library->kind != LIBRARY_LINUX)
            list_addf(&p->warnings, "no-shared-size: %s: %s", b->id, b->facts.sizes.shared_reason);
    }
}

/* Speeds of two builds and the change between them, taken in pairs, tell different stories when the
 * machine had several speeds during the run and the medians fell on different ones. */
static int is_unsteady(const struct cell *c)
{
    if (!c->baseline || !c->ratio.n)
        return 0;
    double apart = c->time.median / c->baseline->time.median / c->ratio.median;
    return apart > 1.05 || apart < 1 / 1.05;
}

/* A shard's cut may part a lane, which is one in the file: what one part does not know of itself,
 * since none of its builds ran, another may. */
static void parts_join(struct plan *p)
{
    for (size_t i = 0; i < p->nlanes; i++) {
        const struct lane *l = &p->lanes[i];
        if (!l->whole)
            continue;
        if (!l->whole->clock && l->clock)
            l->whole->clock = xstrdup(l->clock);
        if (!l->whole->counter && l->counter)
            l->whole->counter = xstrdup(l->counter);
        if (!l->whole->counter_reason && l->counter_reason)
            l->whole->counter_reason = xstrdup(l->counter_reason);
        if (!l->whole->pinned)
            l->whole->pinned = l->pinned;
    }
}

static void warn_once(struct plan *p, char *text)
{
    if (!list_has(&p->warnings, text))
        list_add(&p->warnings, text);
    free(text);
}

static void warn_lanes(struct plan *p)
{
    for (size_t i = 0; i < p->nlanes; i++) {
        const struct lane *l = &p->lanes[i];
        size_t timed = 0, few = 0, unsteady = 0;
        for (size_t k = 0; k < l->ncells; k++) {
            timed += l->cells[k].time.n > 0;
            unsteady += is_unsteady(&l->cells[k]) ? 1u : 0u;
            few += l->cells[k].time.n > 0 && !l->cells[k].time.have_interval;
        }
        if (timed && l->runner.emulated)
            warn_once(p, xasprintf("emulated-time: times for %s%s%s are those of %s on this "
                                   "machine; they say nothing about the real CPU and do not rank "
                                   "algorithms",
                                   l->target->name, l->cpu ? " " : "", l->cpu ? l->cpu->name : "",
                                   l->runner.version ? l->runner.version : l->runner.name));
        if (unsteady && !l->runner.emulated)
            list_addf(
                &p->warnings,
                "unsteady-machine: in %zu cells of %s the speeds of two builds differ from "
                "their change, which is measured in pairs, by more than 5%%: this machine ran at "
                "several speeds; go by the changes, not by the speeds, or repeat the run with "
                "nothing else running",
                unsteady, l->target->name);
        if (few)
            list_addf(
                &p->warnings,
                "few-samples: %zu cells of %s have too few samples for an interval; give more "
                "--time",
                few, l->target->name);
    }
}

void result_finish(struct plan *p)
{
    for (size_t i = 0; i < p->nlanes; i++) {
        struct lane *l = &p->lanes[i];
        for (size_t k = 0; k < l->ncells; k++)
            cell_finish(&l->cells[k]);
        for (size_t k = 0; k < l->ncells; k++) {
            struct cell *c = &l->cells[k];
            if (c->time.n && c->baseline && c->baseline->time.n &&
                estimate_pair(&c->baseline->series, &c->series, &c->ratio))
                c->ratio = (struct estimate){0};
        }
    }
    parts_join(p);
    warn_builds(p);
    warn_lanes(p);
}

static void estimate_json(struct json *parent, const char *key, const struct estimate *x)
{
    struct json *o = json_add_object(parent, key);
    json_add_u64(o, "n", x->n);
    json_add_double(o, "median", x->median);
    if (x->have_interval) {
        json_add_double(o, "low", x->low);
        json_add_double(o, "high", x->high);
    } else {
        json_add_null(o, "low");
        json_add_null(o, "high");
    }
    json_add_double(o, "mad", x->mad);
    json_add_u64(o, "outliers", x->outliers);
}

static void sizes_json(struct json *b, const struct build *x)
{
    const struct library_sizes *s = &x->facts.sizes;
    if (!s->archive.members) {
        json_add_null(b, "sizes");
        return;
    }
    struct json *o = json_add_object(b, "sizes");
    struct json *a = json_add_object(o, "archive");
    json_add_u64(a, "text", s->archive.text);
    json_add_u64(a, "rodata", s->archive.rodata);
    json_add_u64(a, "data", s->archive.data);
    json_add_u64(a, "bss", s->archive.bss);
    json_add_u64(a, "total",
                 s->archive.text + s->archive.rodata + s->archive.data + s->archive.bss);
    json_add_u64(a, "members", s->archive.members);
    if (s->have_shared) {
        json_add_u64(o, "shared_stripped", s->shared_stripped);
        json_add_u64(o, "shared_stripped_gzip9", s->shared_gzip);
        json_add_u64(o, "shared_stripped_xz9e", s->shared_xz);
    } else {
        json_add_null(o, "shared_stripped");
        json_add_null(o, "shared_stripped_gzip9");
        json_add_null(o, "shared_stripped_xz9e");
    }
    json_add_str(o, "shared_reason", s->have_shared ? NULL : s->shared_reason);
}

static void elf_json(struct json *parent, const char *key, const struct elf_id *id)
{
    struct json *o = json_add_object(parent, key);
    json_add_str(o, "machine", elf_machine_name(id->machine));
    json_add_u64(o, "bits", (uint64_t)id->bits);
    json_add_str(o, "endian", id->big ? "big" : "little");
}

static void library_json(struct json *b, const struct library *l)
{
    struct json *o = json_add_object(b, "library");
    json_add_str(o, "name", l->name);
    json_add_str(o, "kind", library_kind_name(l->kind));
    json_add_str(o, "version", l->version);
    json_add_str(o, "source_sha256", l->content_hash);
    json_add_str(o, "path", l->archive ? NULL : l->path);
}

static void compiler_json(struct json *b, const struct build *x)
{
    struct json *o = json_add_object(b, "compiler");
    const struct compiler *c = x->compiler;
    json_add_str(o, "word", x->cc_word);
    json_add_str(o, "path", c && c->argv.n ? c->argv.v[0] : NULL);
    json_add_str(o, "family", c ? c->family : NULL);
    json_add_str(o, "version", c ? c->version : NULL);
    json_add_str(o, "banner", c ? c->banner : NULL);
    json_add_str(o, "machine", c ? c->machine : NULL);
    json_add_str(o, "sha256", c && c->hash[0] ? c->hash : NULL);
}

static void config_json(struct json *b, const struct config *c)
{
    struct json *o = json_add_object(b, "config");
    json_add_str(o, "name", c->name);
    json_add_strings(o, "cflags", &c->cflags);
    json_add_strings(o, "configure", &c->configure);
    json_add_str(o, "baseline", c->baseline);
}

static void target_json(struct json *b, const struct target *t)
{
    struct json *o = json_add_object(b, "target");
    json_add_str(o, "name", t->name);
    json_add_str(o, "triplet", t->triplet);
    json_add_str(o, "configure", t->configure);
    json_add_strings(o, "cflags", &t->cflags);
    elf_json(o, "elf", &t->elf);
}

static void effective_json(struct json *b, const struct build_facts *f)
{
    struct json *o = json_add_object(b, "effective");
    json_add_str(o, "optimisation", f->optimisation);
    json_add_bool(o, "optimisation_repeated", f->optimisation_repeated);
    json_add_str(o, "flags", f->flags);
    json_add_str(o, "configure", f->configure);
    json_add_str(o, "version_text", f->version_text);
}

static void build_json(struct json *builds, const struct build *x, uint64_t max_stack)
{
    struct json *b = json_add_object(builds, NULL);
    json_add_str(b, "id", x->id);
    json_add_str(b, "status", status_name(x->status));
    json_add_str(b, "reason", x->status == STATUS_OK ? NULL : x->reason);
    json_add_str(b, "log", x->log);
    json_add_str(b, "key", x->key[0] ? x->key : NULL);
    json_add_str(b, "side", x->library->side);
    library_json(b, x->library);
    compiler_json(b, x);
    config_json(b, x->config);
    target_json(b, x->target);
    if (x->status != STATUS_OK) {
        json_add_null(b, "effective");
        json_add_null(b, "asm_modules");
        json_add_null(b, "driver");
        json_add_null(b, "sizes");
        json_add_null(b, "build_seconds");
        details_json(b, NULL, 0, &x->objects);
        return;
    }
    effective_json(b, &x->facts);
    if (x->facts.have_asm_modules)
        json_add_strings(b, "asm_modules", &x->facts.asm_modules);
    else
        json_add_null(b, "asm_modules");
    struct json *d = json_add_object(b, "driver");
    json_add_str(d, "sha256", x->driver_sha256);
    elf_json(d, "elf", &x->driver_elf);
    sizes_json(b, x);
    json_add_double(b, "build_seconds", x->facts.build_seconds);
    details_json(b, &x->stack, max_stack, &x->objects);
}

static void drivers_json(struct json *drivers, const struct lane *l)
{
    for (size_t i = 0; i < l->nbuilds; i++) {
        if (!l->library_text[i])
            continue;
        struct json *d = json_add_object(drivers, NULL);
        json_add_str(d, "build", l->builds[i]->id);
        json_add_str(d, "library", l->library_text[i]);
        json_add_str(d, "capabilities", l->capabilities[i]);
    }
}

static void lane_json(struct json *lanes, const struct plan *p, const struct lane *l)
{
    struct json *o = json_add_object(lanes, NULL);
    json_add_str(o, "target", l->target->name);
    json_add_str(o, "cpu", l->cpu ? l->cpu->name : NULL);
    json_add_str(o, "runner", l->runner.name);
    json_add_str(o, "runner_version", l->runner.version);
    json_add_bool(o, "emulated", l->runner.emulated);
    struct json *metrics = json_add_array(o, "metrics");
    if (l->metrics & METRIC_TIME)
        json_add_str(metrics, NULL, "time");
    if (l->metrics & METRIC_INSNS)
        json_add_str(metrics, NULL, "insns");
    if (l->metrics & METRIC_CYCLES)
        json_add_str(metrics, NULL, "cycles");
    if (l->metrics & METRIC_MODELLED)
        json_add_str(metrics, NULL, "modelled");
    json_add_strings(o, "cpu_environment", l->cpu ? &l->cpu->env : NULL);
    json_add_str(o, "clock", l->clock);
    if (l->pinned)
        json_add_u64(o, "pinned_processor", (uint64_t)(l->pinned - 1));
    else
        json_add_null(o, "pinned_processor");
    json_add_str(o, "counter", l->counter);
    json_add_str(o, "counter_reason", l->counter_reason);
    json_add_str(o, "status", status_name(l->status));
    json_add_str(o, "reason", l->reason);
    struct json *drivers = json_add_array(o, "drivers");
    for (size_t i = 0; i < p->nlanes; i++)
        if (&p->lanes[i] == l || p->lanes[i].whole == l)
            drivers_json(drivers, &p->lanes[i]);
}

static void null_json(struct json *t, const struct cell *c)
{
    if (!c->null.n) {
        json_add_null(t, "noise");
        return;
    }
    struct json *o = json_add_object(t, "noise");
    json_add_double(o, "floor", noise_floor(&c->null));
    estimate_json(o, "null_ratio", &c->null);
}

static void time_json(struct json *o, const struct cell *c)
{
    struct json *t = json_add_object(o, "time");
    json_add_bool(t, "emulated", c->lane->runner.emulated);
    estimate_json(t, "ns_per_op", &c->time);
    json_add_double(t, "kB_per_s", rate_kb_s(c->time.median, c->bytes));
    null_json(t, c);
    /* per launch, how many of the samples are each process's */
    struct json *launches = json_add_array(t, "launches"), *launch = NULL;
    struct json *all = json_add_array(t, "samples");
    for (size_t p = 0; p < c->series.n; p++) {
        const struct samples *s = &c->series.process[p];
        if (p % c->series.twins == 0)
            launch = json_add_array(launches, NULL);
        json_add_u64(launch, NULL, s->n);
        for (size_t i = 0; i < s->n; i++) {
            struct json *pair = json_add_array(all, NULL);
            json_add_u64(pair, NULL, s->v[i].ops);
            json_add_u64(pair, NULL, s->v[i].ns);
        }
    }
}

static void cycles_json(struct json *o, const struct cell *c)
{
    const struct lane *l = c->lane;
    if (c->cycles.n) {
        struct json *y = json_add_object(o, "cycles");
        json_add_str(y, "source", l->cycle_source);
        if (l->cycle_hz > 0)
            json_add_double(y, "hz", l->cycle_hz);
        else
            json_add_null(y, "hz");
        estimate_json(y, "per_op", &c->cycles);
        json_add_double(y, "per_byte", c->cycles.median / (double)c->bytes);
        /* as many as time.samples; 0: not known */
        struct json *all = json_add_array(y, "samples");
        for (size_t p = 0; p < c->series.n; p++)
            for (size_t i = 0; i < c->series.process[p].n; i++)
                json_add_u64(all, NULL, c->series.process[p].v[i].cycles);
    } else {
        json_add_null(o, "cycles");
    }
    json_add_str(o, "cycles_reason",
                 c->cycles.n || !(l->metrics & METRIC_CYCLES) ? NULL
                 : l->cycle_reason                            ? l->cycle_reason
                                                              : "the counter gave no number");
}

static void insns_json(struct json *o, const struct cell *c)
{
    const struct insns *x = &c->insns;
    if (x->counted) {
        struct json *i = json_add_object(o, "insns");
        json_add_u64(i, "per_op", x->per_op);
        json_add_double(i, "per_byte", (double)x->per_op / (double)c->bytes);
        json_add_u64(i, "overhead", x->overhead);
        json_add_str(i, "source", c->lane->counter);
        struct json *all = json_add_array(i, "functions");
        for (size_t k = 0; k < x->nfunctions; k++) {
            struct json *f = json_add_object(all, NULL);
            json_add_str(f, "name", x->functions[k].name);
            json_add_u64(f, "insns", x->functions[k].insns);
        }
        json_add_u64(i, "rest", x->rest);
    } else {
        json_add_null(o, "insns");
    }
    json_add_str(o, "insns_reason", x->reason);
}

static void cell_json(struct json *cells, const struct cell *c)
{
    struct json *o = json_add_object(cells, NULL);
    json_add_str(o, "build", c->build->id);
    json_add_str(o, "target", c->build->target->name);
    json_add_str(o, "cpu", c->lane->cpu ? c->lane->cpu->name : NULL);
    json_add_str(o, "runner", c->lane->runner.name);
    json_add_str(o, "library", c->build->library->name);
    json_add_str(o, "compiler", c->build->cc_word);
    json_add_str(o, "config", c->build->config->name);
    json_add_str(o, "workload", c->workload);
    json_add_str(o, "alg", c->alg->name);
    json_add_str(o, "op", c->op);
    json_add_u64(o, "bytes", c->bytes);
    json_add_str(o, "status", status_name(c->status));
    json_add_str(o, "reason", c->status == STATUS_OK ? NULL : c->reason);
    if (c->time.n)
        time_json(o, c);
    else
        json_add_null(o, "time");
    cycles_json(o, c);
    insns_json(o, c);
    prediction_json(o, &c->modelled, c->bytes);
    const struct cell *b = c->baseline;
    int both_counted = b && c->insns.counted && b->insns.counted;
    int both_modelled = b && c->modelled.known && b->modelled.known;
    if (!b || (!c->ratio.n && !both_counted)) {
        json_add_null(o, "vs_baseline");
        return;
    }
    struct json *v = json_add_object(o, "vs_baseline");
    json_add_str(v, "build", b->build->id);
    if (c->ratio.n)
        estimate_json(v, "time_ratio", &c->ratio);
    else
        json_add_null(v, "time_ratio");
    if (both_counted)
        json_add_double(v, "insns_ratio", (double)c->insns.per_op / (double)b->insns.per_op);
    else
        json_add_null(v, "insns_ratio");
    if (both_modelled)
        json_add_double(v, "modelled_ratio", prediction_ratio(&b->modelled, &c->modelled));
    else
        json_add_null(v, "modelled_ratio");
}

/* One line through the sizes of each build, algorithm and operation. Cells of one such row of
 * sizes are nbuilds apart. */
static void lane_fits_json(struct json *fits, const struct lane *l)
{
    uint64_t *bytes = xcalloc(l->ncells + 1, sizeof *bytes),
             *insns = xcalloc(l->ncells + 1, sizeof *insns);
    for (size_t first = 0; first < l->ncells; first++) {
        const struct cell *c = &l->cells[first];
        const struct cell *before = first >= l->nbuilds ? c - l->nbuilds : NULL;
        struct line_fit f;
        size_t n = 0;
        if (before && before->alg == c->alg && before->op == c->op &&
            before->workload == c->workload)
            continue;
        for (size_t i = first; i < l->ncells; i += l->nbuilds) {
            const struct cell *x = &l->cells[i];
            if (x->alg != c->alg || x->op != c->op || x->workload != c->workload)
                break;
            if (x->insns.counted) {
                bytes[n] = x->bytes;
                insns[n++] = x->insns.per_op;
            }
        }
        if (line_fit(bytes, insns, n, &f))
            continue;
        struct json *o = json_add_object(fits, NULL);
        json_add_str(o, "build", c->build->id);
        json_add_str(o, "target", l->target->name);
        json_add_str(o, "cpu", l->cpu ? l->cpu->name : NULL);
        json_add_str(o, "runner", l->runner.name);
        json_add_str(o, "workload", c->workload);
        json_add_str(o, "alg", c->alg->name);
        json_add_str(o, "op", c->op);
        json_add_u64(o, "sizes", f.n);
        json_add_double(o, "insns_per_message", f.per_message);
        json_add_double(o, "insns_per_byte", f.per_byte);
    }
    free(bytes);
    free(insns);
}

static void warnings_json(struct json *root, const struct plan *p)
{
    struct json *all = json_add_array(root, "warnings");
    for (size_t i = 0; i < p->warnings.n; i++) {
        const char *text = p->warnings.v[i], *colon = strstr(text, ": ");
        char *code = colon ? xstrndup(text, (size_t)(colon - text)) : xstrdup("warning");
        struct json *o = json_add_object(all, NULL);
        json_add_str(o, "code", code);
        json_add_str(o, "text", colon ? colon + 2 : text);
        free(code);
    }
}

static void settings_json(struct json *root, const struct options *o)
{
    struct json *s = json_add_object(root, "settings");
    struct json *workloads = json_add_array(s, "workload");
    for (size_t i = 0; i < o->workload.n; i++)
        json_add_str(workloads, NULL, o->workload.v[i]);
    if (!o->workload.n)
        json_add_str(workloads, NULL, "record/1");
    json_add_double(s, "seconds_per_cell", o->seconds);
    json_add_double(s, "timeout_seconds", o->timeout);
    json_add_double(s, "precision", o->precision);
    json_add_u64(s, "seed", o->seed);
    json_add_str(s, "pin", o->pin);
    json_add_str(s, "suite", o->suite);
    json_add_strings(s, "layout", &o->layout);
    json_add_str(s, "runner", o->runner);
    json_add_str(s, "baseline", o->baseline);
    json_add_strings(s, "metric", &o->metric);
    json_add_str(s, "counter", o->counter);
    json_add_u64(s, "max_stack", stack_limit(o));
    if (o->shard.of) {
        struct json *shard = json_add_object(s, "shard");
        json_add_u64(shard, "index", o->shard.index);
        json_add_u64(shard, "of", o->shard.of);
    } else {
        json_add_null(s, "shard");
    }
    if (o->cpu_mhz > 0)
        json_add_double(s, "cpu_mhz", o->cpu_mhz);
    else
        json_add_null(s, "cpu_mhz");
    json_add_strings(s, "argv", &o->argv);
}

struct json *result_json(const struct plan *p, const struct options *o, const struct host *h,
                         const char *created)
{
    struct json *root = json_new_object();
    json_add_str(root, "schema", "crypto-bench/1");
    struct json *tool = json_add_object(root, "tool");
    json_add_str(tool, "name", "crypto-bench");
    json_add_str(tool, "version", CB_VERSION);
    json_add_str(root, "created", created);
    settings_json(root, o);
    host_to_json(h, root);
    struct json *builds = json_add_array(root, "builds");
    for (size_t i = 0; i < p->nbuilds; i++)
        build_json(builds, p->builds[i], stack_limit(o));
    struct json *lanes = json_add_array(root, "lanes");
    for (size_t i = 0; i < p->nlanes; i++)
        if (!p->lanes[i].whole)
            lane_json(lanes, p, &p->lanes[i]);
    struct json *cells = json_add_array(root, "cells");
    for (size_t i = 0; i < p->nlanes; i++)
        for (size_t k = 0; k < p->lanes[i].ncells; k++)
            cell_json(cells, &p->lanes[i].cells[k]);
    struct json *fits = json_add_array(root, "fits");
    for (size_t i = 0; i < p->nlanes; i++)
        lane_fits_json(fits, &p->lanes[i]);
    warnings_json(root, p);
    return root;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "match.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"
#include "mem.h"

/* What is judged of a cell, by metric. Sizes are judged by build. */
struct cell_metric {
    enum metric metric;
    const char *lane_metric; /* its lane's word when it was asked for */
    int (*has)(const struct result_cell *c);
};

static int has_time(const struct result_cell *c)
{
    return c->time.n > 0;
}

static int has_insns(const struct result_cell *c)
{
    return c->insns.counted;
}

static int has_modelled(const struct result_cell *c)
{
    return c->modelled.known;
}

static const struct cell_metric cell_metrics[] = {
    {METRIC_JUDGED_TIME, "time", has_time},
    {METRIC_JUDGED_INSNS, "insns", has_insns},
    {METRIC_JUDGED_MODELLED, "modelled", has_modelled},
};

enum { SHOWN = 3 }; /* names of cells in a message */

/* Both sides, while they are compared. */
struct matching {
    const struct match_request *r;
    const struct policy *policy;
    struct comparison *out;
    int paired;          /* both sides come from one file */
    int apart;           /* some cells of the two sides are of different runs */
    int by_library;      /* a side has several libraries: they are told apart */
    int by_config;       /* one config against another: their names differ on purpose */
    size_t shared;       /* cells that both sides have, by metric */
    size_t few;          /* cells with too few samples */
    size_t failed;       /* cells without a number on the new side, but with one on the base */
    size_t unsized;      /* builds without a size on the new side, but with one on the base */
    size_t emulated;     /* cells with emulated time that was to be judged */
    size_t workloads;    /* pairs of other workload ids */
    struct list masks;   /* pairs of masks that were reported */
    struct list machine; /* "machine: ..." of pairs whose times are no comparison */
    struct list few_first, failed_first, unsized_first, emulated_first, workload_first;
};

static int in_side(const struct match_request *r, const struct side *s, const struct result_cell *c)
{
    return (!s->config || !strcmp(s->config, c->config)) &&
           (!s->library || !strcmp(s->library, c->library)) && (!r->wanted || r->wanted(r->arg, c));
}

/* What must be the same for two cells to be compared; workload ids are looked at afterwards. */
static int pair_order(const struct matching *m, const struct result_cell *a,
                      const struct result_cell *b)
{
    int r = strcmp(a->target, b->target);
    if (!r)
        r = strcmp(a->cpu, b->cpu);
    if (!r)
        r = strcmp(a->compiler, b->compiler);
    if (!r && m->by_library)
        r = strcmp(a->library, b->library);
    if (!r && !m->by_config)
        r = strcmp(a->config, b->config);
    if (!r)
        r = strcmp(a->alg, b->alg);
    if (!r)
        r = strcmp(a->op, b->op);
    return r ? r : (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

static int cell_order(const void *a, const void *b, void *arg)
{
    const struct result_cell *const *x = a, *const *y = b;
    int r = pair_order(arg, *x, *y);
    return r ? r : (*x > *y) - (*x < *y);
}

/* Cells of a side whose lane was to give the metric, sorted. */
static const struct result_cell **side_cells(const struct matching *m, const struct side *s,
                                             const struct cell_metric *metric, size_t *n)
{
    const struct result_cell **v = xcalloc(s->file->ncells + 1, sizeof(struct result_cell *));
    *n = 0;
    for (size_t i = 0; i < s->file->ncells; i++) {
        const struct result_cell *c = &s->file->cells[i];
        if (in_side(m->r, s, c) && list_has(&c->lane->metrics, metric->lane_metric))
            v[(*n)++] = c;
    }
    qsort_r(v, *n, sizeof(struct result_cell *), cell_order, (void *)(uintptr_t)m);
    return v;
}

static char *cell_name(const struct matching *m, const struct result_cell *c)
{
    return xasprintf("%s%s%s/%s%s%s/%s/%s/%s/%" PRIu64, c->target, c->cpu[0] ? ":" : "", c->cpu,
                     m->by_library ? c->library : "", m->by_library ? "/" : "", c->compiler,
                     c->config, c->alg, c->op, c->bytes);
}

/* Counts, and keeps the first names for the message. */
static void note(struct list *first, size_t *n, const char *name)
{
    if (first->n < SHOWN)
        list_add(first, name);
    ++*n;
}

/* A reason against a verdict, or, when it is allowed, its record. */
static void block(struct matching *m, int allowed, char *text)
{
    list_add(allowed ? &m->out->allowed : &m->out->blockers, text);
    free(text);
}

/* 1 when one mask is the beginning of the other, word by word: later versions of the library know
 * more words. */
static int masks_agree(const char *a, const char *b)
{
    for (;;) {
        size_t na = strcspn(a, ":"), nb = strcspn(b, ":");
        if (na != nb || strncmp(a, b, na))
            return 0;
        if (!a[na] || !b[nb])
            return 1;
        a += na + 1;
        b += nb + 1;
    }
}

static const char *capabilities_of(const struct result_cell *c)
{
    for (size_t i = 0; i < c->lane->driver_builds.n; i++)
        if (!strcmp(c->lane->driver_builds.v[i], c->build->id))
            return c->lane->driver_capabilities.v[i];
    return "";
}

/* Code is chosen by the mask: with another one, it is another code that ran. One message a target
 * and CPU model. 1 when these two must not be compared. */
static int mask_check(struct matching *m, const struct result_cell *b, const struct result_cell *c)
{
    const char *x = capabilities_of(b), *y = capabilities_of(c);
    int allowed = m->policy->allow[ALLOW_CPUMASK];

    if (m->paired || !*x || !*y || masks_agree(x, y))
        return 0;
    char *key = xasprintf("%s/%s %s %s", c->target, c->cpu, x, y);
    if (!list_has(&m->masks, key)) {
        list_add(&m->masks, key);
        block(m, allowed,
              xasprintf("capabilities: %s%s%s: CPU capability masks differ: base %s, new %s: other "
                        "code ran; measure both with one CPU model",
                        c->target, c->cpu[0] ? " " : "", c->cpu, x, y));
    }
    free(key);
    return !allowed;
}

/* ---- one pair ---- */

/* Samples with the same index were taken in turn. */
static int in_turn(const struct matching *m, const struct result_cell *b,
                   const struct result_cell *c)
{
    return m->paired && b->run == c->run;
}

/* Each cause once. */
static void machine_say(struct matching *m, char *text)
{
    if (!list_has(&m->machine, text))
        list_add(&m->machine, text);
    free(text);
}

static int throttled(struct matching *m, const struct side *s, const struct result_cell *c)
{
    const char *v = result_run_fact(&s->file->runs[c->run], "throttle_events");
    if (!strcmp(v, "null") || !strcmp(v, "0"))
        return 0;
    machine_say(m,
                xasprintf("machine: %s: the processor was throttled %s times during the run; let "
                          "it cool, improve its cooling or lower its frequency limit, and "
                          "repeat",
                          s->file->path, v));
    return 1;
}

/* 1 when times of the two must not be compared: other machines, or one that was too hot. */
static int machine_check(struct matching *m, const struct result_cell *b,
                         const struct result_cell *c)
{
    const struct side *base = &m->r->base, *now = &m->r->now;
    const struct result_run *x = &base->file->runs[b->run], *y = &now->file->runs[c->run];
    int differ = 0;

    for (size_t i = 0; x != y && i < machine_fact_count; i++) {
        const char *p = result_run_fact(x, machine_facts[i].name),
                   *q = result_run_fact(y, machine_facts[i].name);
        if (!strcmp(p, q))
            continue;
        differ = 1;
        machine_say(m, xasprintf("machine: %s differs: base %s, new %s; times of two machines are "
                                 "no comparison: run both on one (crypto-bench gate), or compare "
                                 "instructions (--metric insns)",
                                 machine_facts[i].what, p, q));
    }
    differ |= throttled(m, base, b);
    if (x != y)
        differ |= throttled(m, now, c);
    return differ && !m->policy->allow[ALLOW_MACHINE];
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* The difference that noise alone makes between the two. */
static double pair_noise(const struct matching *m, const struct result_cell *b,
                         const struct result_cell *c)
{
    struct estimate null;
    if (in_turn(m, b, c))
        return estimate_null_pair(&b->series, &c->series, &null) ? 0 : noise_floor(&null);
    return larger(
        larger(b->null.n ? noise_floor(&b->null) : 0, c->null.n ? noise_floor(&c->null) : 0),
        larger(series_spread(&b->series), series_spread(&c->series)));
}

static void judge_time(struct matching *m, const struct result_cell *b, const struct result_cell *c,
                       struct finding *f)
{
    struct estimate x;
    int turn = in_turn(m, b, c), none = turn ? estimate_pair(&b->series, &c->series, &x)
                                             : estimate_unpaired(&b->series, &c->series, &x);
    m->apart |= !turn;
    f->base = b->time.median;
    f->now = c->time.median;
    f->ratio = none ? f->now / f->base : x.median;
    f->have_interval = !none && x.have_interval;
    f->low = f->have_interval ? x.low : 0;
    f->high = f->have_interval ? x.high : 0;
    f->noise = pair_noise(m, b, c);
    if (!f->have_interval) {
        note(&m->few_first, &m->few, f->name);
        /* allowed: the figures are taken for what they are */
        if (m->policy->allow[ALLOW_SINGLE]) {
            f->verdict = judge(f->ratio, f->ratio, f->ratio, 1, f->limit, f->noise);
            return;
        }
    }
    f->verdict = judge(f->ratio, f->low, f->high, f->have_interval, f->limit, f->noise);
}

static void judge_exact(double base, double now, struct finding *f)
{
    f->base = base;
    f->now = now;
    f->ratio = f->low = f->high = now / base;
    f->have_interval = 1;
    f->verdict = judge(f->ratio, f->low, f->high, 1, f->limit, 0);
}

static void exclude(struct finding *f, char *reason)
{
    f->verdict = VERDICT_EXCLUDED;
    f->reason = reason;
}

/* The same on every run, but no measurement: what a model gets wrong in both builds alike cancels
 * only in part, so that less than PREDICTION_CLOSE is no difference. */
static void judge_modelled(struct matching *m, const struct prediction *base,
                           const struct prediction *now, struct finding *f)
{
    char *mismatch = prediction_mismatch(base, now);
    if (mismatch) {
        exclude(f, mismatch);
        return;
    }
    f->base = (double)base->cycles;
    f->now = (double)now->cycles;
    f->ratio = prediction_ratio(base, now);
    f->noise = PREDICTION_CLOSE;
    f->ratio_only = base->band < 0 || now->band < 0;
    f->verdict = judge(f->ratio, f->ratio, f->ratio, 1, f->limit, f->noise);
    char *label = prediction_label(now);
    char *text = xasprintf("%s; a ratio below 5%% is too close to call", label);
    if (!list_has(&m->out->notes, text))
        list_add(&m->out->notes, text);
    free(label);
    free(text);
}

static char *no_number(const char *side, const struct result_cell *c, enum metric m)
{
    const char *why = c->reason ? c->reason : c->insns.reason ? c->insns.reason : "";
    if (m == METRIC_JUDGED_MODELLED && !c->reason && c->modelled.reason)
        return xasprintf("%s: %s", side, c->modelled.reason);
    return xasprintf("%s: %s%s%s", side, c->status, *why ? ": " : "", why);
}

/* Cells that a run did not want to have a number: nothing is wrong with them. One that was
 * interrupted did want to. */
static int is_left_out(const struct result_cell *c)
{
    return !strcmp(c->status, "unsupported") ||
           (!strcmp(c->status, "skipped") && !(c->reason && !strcmp(c->reason, "interrupted")));
}

/* 1 for modelled cycles that nobody asked for: they come with instructions, which decide whether
 * there is anything to compare; where only one side has them they keep nobody from a verdict. */
static int is_companion(const struct matching *m, const struct cell_metric *metric)
{
    return metric->metric == METRIC_JUDGED_MODELLED && !m->r->metric[METRIC_JUDGED_MODELLED];
}

static void judge_pair(struct matching *m, const struct cell_metric *metric,
                       const struct result_cell *b, const struct result_cell *c)
{
    struct finding f = {.metric = metric->metric,
                        .name = cell_name(m, c),
                        .base_cell = b,
                        .new_cell = c,
                        .base_build = b->build,
                        .new_build = c->build};

    f.limit = policy_limit(m->policy, f.metric, f.name);
    if (mask_check(m, b, c)) {
        exclude(&f, xstrdup("CPU capability masks differ"));
    } else if (strcmp(b->workload, c->workload)) {
        note(&m->workload_first, &m->workloads, f.name);
        exclude(&f, xasprintf("workload %s against %s: another work, never compared", c->workload,
                              b->workload));
    } else if (!metric->has(c)) {
        exclude(&f, no_number("new", c, metric->metric));
        if (metric->has(b) && !is_left_out(c) && !is_companion(m, metric))
            note(&m->failed_first, &m->failed, f.name);
    } else if (!metric->has(b)) {
        exclude(&f, no_number("base", b, metric->metric));
    } else if (metric->metric == METRIC_JUDGED_TIME) {
        judge_time(m, b, c, &f);
        if (b->emulated || c->emulated) {
            note(&m->emulated_first, &m->emulated, f.name);
            if (!m->policy->allow[ALLOW_EMULATED])
                exclude(&f, xstrdup("emulated time is no measure of the CPU"));
        }
        if (f.verdict != VERDICT_EXCLUDED && machine_check(m, b, c))
            exclude(&f, xstrdup("the machine was not the same"));
    } else if (metric->metric == METRIC_JUDGED_MODELLED) {
        judge_modelled(m, &b->modelled, &c->modelled, &f);
    } else {
        judge_exact((double)b->insns.per_op, (double)c->insns.per_op, &f);
    }
    comparison_add(m->out, &f);
}

/* Emulated time is not worth a word where the same work has instruction counts to go by. */
static int time_is_idle(const struct matching *m, const struct result_cell *c)
{
    return c->emulated && c->insns.counted && !m->r->metric[METRIC_JUDGED_TIME];
}

static void cells_match(struct matching *m, const struct cell_metric *metric)
{
    size_t nb, nc, i = 0, k = 0;
    const struct result_cell **base = side_cells(m, &m->r->base, metric, &nb);
    const struct result_cell **now = side_cells(m, &m->r->now, metric, &nc);
    int is_time = metric->metric == METRIC_JUDGED_TIME;

    while (i < nb || k < nc) {
        int r = i == nb ? 1 : k == nc ? -1 : pair_order(m, base[i], now[k]);
        const struct result_cell *c = r <= 0 ? base[i] : now[k];
        int idle = is_time && time_is_idle(m, c) && (r || time_is_idle(m, now[k]));
        if (is_companion(m, metric))
            idle = r || (!metric->has(base[i]) && !metric->has(now[k]));
        if (!idle && r == 0) {
            judge_pair(m, metric, base[i], now[k]);
            m->shared++;
        } else if (!idle) {
            char *name = cell_name(m, c);
            list_addf(r < 0 ? &m->out->missing : &m->out->extra, "%s (%s)", name,
                      metric_name(metric->metric));
            free(name);
        }
        i += r <= 0 ? 1 : 0;
        k += r >= 0 ? 1 : 0;
    }
    free(base);
    free(now);
}

/* ---- sizes ---- */

static int build_in_side(const struct matching *m, const struct side *s,
                         const struct result_build *b)
{
    for (size_t i = 0; i < s->file->ncells; i++)
        if (s->file->cells[i].build == b && in_side(m->r, s, &s->file->cells[i]))
            return 1;
    return 0;
}

static int same_build(const struct matching *m, const struct result_build *a,
                      const struct result_build *b)
{
    return !strcmp(a->target, b->target) && !strcmp(a->cc, b->cc) &&
           (m->by_config || !strcmp(a->config, b->config)) &&
           (!m->by_library || !strcmp(a->library, b->library));
}

static uint64_t build_size(const struct result_build *b)
{
    return b->have_sizes ? b->text + b->rodata + b->data + b->bss : 0;
}

/* The build of a side that is to be compared with x; NULL: there is none. */
static const struct result_build *counterpart(const struct matching *m, const struct side *s,
                                              const struct result_build *x)
{
    for (size_t i = 0; i < s->file->nbuilds; i++) {
        const struct result_build *b = &s->file->builds[i];
        if (same_build(m, b, x) && build_in_side(m, s, b))
            return b;
    }
    return NULL;
}

static char *build_name(const struct matching *m, const struct result_build *b)
{
    return xasprintf("%s/%s%s%s/%s", b->target, m->by_library ? b->library : "",
                     m->by_library ? "/" : "", b->cc, b->config);
}

static void judge_sizes(struct matching *m, const struct result_build *b,
                        const struct result_build *c)
{
    struct finding f = {
        .metric = METRIC_JUDGED_SIZE, .name = build_name(m, c), .base_build = b, .new_build = c};
    const struct result_build *without = !build_size(b) ? b : !build_size(c) ? c : NULL;

    f.limit = policy_limit(m->policy, f.metric, f.name);
    if (without)
        exclude(&f, xasprintf("%s: no size%s%s", without == b ? "base" : "new",
                              without->reason ? ": " : "", without->reason ? without->reason : ""));
    else
        judge_exact((double)build_size(b), (double)build_size(c), &f);
    if (build_size(b) && !build_size(c))
        note(&m->unsized_first, &m->unsized, f.name);
    comparison_add(m->out, &f);
}

/* Builds of one side. Where cells are listed already, those say it. */
static void sizes_alone(struct matching *m, const struct side *s, const struct side *other,
                        struct list *out)
{
    if (out->n)
        return;
    for (size_t i = 0; i < s->file->nbuilds; i++) {
        const struct result_build *b = &s->file->builds[i];
        if (!build_in_side(m, s, b) || counterpart(m, other, b))
            continue;
        char *name = build_name(m, b);
        list_addf(out, "%s (%s)", name, metric_name(METRIC_JUDGED_SIZE));
        free(name);
    }
}

static void sizes_match(struct matching *m)
{
    const struct side *base = &m->r->base, *now = &m->r->now;

    sizes_alone(m, base, now, &m->out->missing);
    sizes_alone(m, now, base, &m->out->extra);
    for (size_t i = 0; i < now->file->nbuilds; i++) {
        const struct result_build *c = &now->file->builds[i];
        const struct result_build *b = build_in_side(m, now, c) ? counterpart(m, base, c) : NULL;
        if (b)
            judge_sizes(m, b, c);
    }
}

/* ---- what keeps from a verdict ---- */

static void count_block(struct matching *m, int allowed, const char *code, const char *noun,
                        size_t n, const struct list *first, const char *what)
{
    if (!n)
        return;
    struct list shown = LIST_INIT;
    for (size_t i = 0; i < first->n && i < SHOWN; i++)
        list_add(&shown, first->v[i]);
    char *names = list_join(&shown, ", ");
    block(m, allowed,
          xasprintf("%s: %zu %s%s %s: %s%s", code, n, noun, n == 1 ? "" : "s", what, names,
                    n > shown.n ? ", ..." : ""));
    free(names);
    list_free(&shown);
}

static void blockers_find(struct matching *m)
{
    const int *allow = m->policy->allow;

    count_block(m, 0, "workload", "cell", m->workloads, &m->workload_first,
                "have another workload id");
    count_block(m, allow[ALLOW_MISSING], "missing", "cell", m->out->missing.n, &m->out->missing,
                "only the base side has");
    count_block(m, allow[ALLOW_EXTRA], "extra", "cell", m->out->extra.n, &m->out->extra,
                "only the new side has");
    count_block(m, allow[ALLOW_MISSING], "failed", "cell", m->failed, &m->failed_first,
                "had a number before and have none now");
    /* The cells of such a build say so themselves, where they are looked at. */
    if (!m->failed)
        count_block(m, allow[ALLOW_MISSING], "failed", "build", m->unsized, &m->unsized_first,
                    "had a size before and have none now");
    count_block(m, allow[ALLOW_EMULATED], "emulated", "cell", m->emulated, &m->emulated_first,
                "have an emulator's time, which is no measure of the CPU; compare instructions "
                "(--metric insns)");
    count_block(m, allow[ALLOW_SINGLE], "few-samples", "cell", m->few, &m->few_first,
                "have too few samples for an interval; give more --time");
    for (size_t i = 0; i < m->machine.n; i++)
        block(m, allow[ALLOW_MACHINE], xstrdup(m->machine.v[i]));
}

/* Several libraries on one side are told apart by name; one on each is the comparison's subject. */
static int has_libraries(const struct match_request *r, const struct side *s)
{
    const char *first = NULL;
    for (size_t i = 0; i < s->file->ncells; i++) {
        const struct result_cell *c = &s->file->cells[i];
        if (!in_side(r, s, c))
            continue;
        if (first && strcmp(first, c->library))
            return 1;
        first = c->library;
    }
    return 0;
}

static void lists_free(struct matching *m)
{
    list_free(&m->masks);
    list_free(&m->machine);
    list_free(&m->few_first);
    list_free(&m->failed_first);
    list_free(&m->unsized_first);
    list_free(&m->emulated_first);
    list_free(&m->workload_first);
}

/* A pattern that fits nothing is a slip of the pen, and its limit holds nowhere. */
static void patterns_check(const struct policy *p, int judged[METRIC_COUNT], struct comparison *out)
{
    for (size_t i = 0; i < p->n; i++) {
        const struct limit *l = &p->limits[i];
        size_t k = 0;
        while (k < out->n && (out->findings[k].metric != l->metric ||
                              fnmatch(l->pattern, out->findings[k].name, 0) != 0))
            k++;
        if (k == out->n && judged[l->metric])
            list_addf(&out->notes, "--%s '%s=...' fits no name here, so that limit was not used.",
                      metric_limit_name(l->metric), l->pattern);
    }
}

void match(const struct match_request *r, const struct policy *p, struct comparison *out)
{
    struct matching m = {.r = r, .policy = p, .out = out};
    int any = 0;

    m.paired = r->base.file == r->now.file;
    m.by_library = has_libraries(r, &r->base) || has_libraries(r, &r->now);
    m.by_config = r->base.config && r->now.config;
    for (size_t i = 0; i < METRIC_COUNT; i++)
        any |= r->metric[i];
    for (size_t i = 0; i < sizeof cell_metrics / sizeof cell_metrics[0]; i++)
        if (!any || r->metric[cell_metrics[i].metric])
            cells_match(&m, &cell_metrics[i]);
    int apart = !m.shared && (out->missing.n || out->extra.n);
    if (!any || r->metric[METRIC_JUDGED_SIZE])
        sizes_match(&m);
    blockers_find(&m);
    /* Whatever is allowed: equal sizes say nothing of cells that nobody compared. */
    if (apart && !out->blockers.n)
        list_add(&out->blockers, "nothing-compared: the two sides share no cell");
    if (m.paired ? m.apart : !any)
        list_add(&out->notes, "The two sides are of different runs: differences between them that "
                              "an interleaved run (crypto-bench gate) would see can be lost in "
                              "noise here.");
    lists_free(&m);
    int judged[METRIC_COUNT] = {0};
    for (size_t i = 0; i < out->n; i++)
        judged[out->findings[i].metric] = 1;
    patterns_check(p, judged, out);
    comparison_finish(out, p);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "advisetext.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "grid.h"
#include "mem.h"
#include "prediction.h"
#include "rivals.h"
#include "wording.h"

/* What is being printed. */
struct telling {
    FILE *f;
    const struct cell_group *group;
    const struct advice *a;
    const char *format;
    struct list names; /* of the configs, fit for the format */
    const char *cost;  /* "time", "instructions", "modelled cycles" */
};

static void say(const struct telling *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* A sentence is a line, in Markdown an item. */
static void say(const struct telling *t, const char *fmt, ...)
{
    va_list ap;
    fputs(strcmp(t->format, "markdown") ? "" : "- ", t->f);
    va_start(ap, fmt);
    vfprintf(t->f, fmt, ap);
    va_end(ap);
    fputc('\n', t->f);
}

/* "-30.10%", and what noise leaves open of it: "-30.10% (-31.02% to -29.2%)". */
static char *change_text(const struct advice_pair *p)
{
    char *change = wording_change(p->ratio), *low = wording_change(p->low),
         *high = wording_change(p->high);
    char *text = p->low < p->high ? xasprintf("%s (%s to %s)", change, low, high) : xstrdup(change);
    free(change);
    free(low);
    free(high);
    return text;
}

/* ---- heading and table ---- */

static void heading_print(const struct telling *t)
{
    const struct result_cell *c = t->a->first;
    const struct result_build *b = c->build;
    int known = b->family && b->cc_version;
    const char *cc = known ? b->family : b->cc;
    const char *raw[] = {c->target, c->cpu[0] ? c->cpu : NULL,    c->runner,   c->library,
                         cc,        known ? b->cc_version : NULL, c->workload, b->version};
    int markdown = !strcmp(t->format, "markdown");
    struct list s = LIST_INIT;
    escape_names(&s, raw, sizeof raw / sizeof *raw, t->format);
    fprintf(t->f, "%s%s%s%s by %s, %s%s%s, %s%s%s, %s%s", markdown ? "### " : "", s.v[0],
            raw[1] ? " " : "", s.v[1], s.v[2], s.v[3], raw[7] ? " " : "", s.v[7], s.v[4],
            raw[5] ? " " : "", s.v[5], s.v[6], markdown ? "\n\n" : "\n");
    list_free(&s);
}

/* What modelled cycles are; by instructions, why they were not taken where some cells have them. */
static void modelled_say(const struct telling *t)
{
    const struct advice *a = t->a;
    const struct prediction *p = NULL;
    for (size_t i = 0; i < t->group->n && !p; i++)
        p = t->group->v[i]->modelled.known ? &t->group->v[i]->modelled : NULL;
    if (p && a->metric == METRIC_JUDGED_MODELLED) {
        char *label = prediction_label_for(p, t->format);
        say(t, "Cost: %s; differences below 5%% are too close to call, and ties.", label);
        free(label);
    } else if (a->metric == METRIC_JUDGED_INSNS && a->modelled) {
        say(t,
            "Cost: instructions; modelled cycles are not taken, since %zu of %zu counted cells "
            "have them%s.",
            a->modelled, a->counted,
            a->modelled == a->counted ? ", but not of one core and table version" : "");
    } else {
        return;
    }
    if (!strcmp(t->format, "markdown"))
        fputc('\n', t->f); /* or the table would be part of the item */
}

static int table_print(const struct telling *t)
{
    const struct advice *a = t->a;
    struct grid g;
    grid_start(&g, 6);
    grid_add(&g, xstrdup("config"));
    grid_add(&g, xstrdup("bytes"));
    grid_add(&g, xasprintf("vs %s", t->names.v[0]));
    grid_add(&g, xstrdup(t->cost));
    grid_add(&g, xstrdup("less/more/same"));
    grid_add(&g, xstrdup("dominated by"));
    for (size_t i = 0; i < a->n; i++) {
        const struct advice_pair *p = advise_pair(a, i, 0);
        grid_add(&g, xstrdup(t->names.v[i]));
        grid_add(&g, xasprintf("%.0f", a->points[i].bytes));
        grid_add(&g, i ? xasprintf("%+.0f", a->points[i].bytes - a->points[0].bytes) : xstrdup(""));
        grid_add(&g, i ? change_text(p) : xstrdup(""));
        grid_add(&g, i ? xasprintf("%zu/%zu/%zu", p->less, p->more, p->same) : xstrdup(""));
        grid_add(&g, xstrdup(a->points[i].dominated ? t->names.v[a->points[i].by] : "-"));
    }
    int rc = grid_print(t->f, &g, t->format);
    fputc('\n', t->f);
    grid_free(&g);
    return rc;
}

/* ---- sentences ---- */

static void out_say(const struct telling *t)
{
    for (size_t i = 0; i < t->a->nout; i++) {
        const struct advice_config *c = &t->a->out[i];
        const char *status = strcmp(c->build->status, "ok") ? c->build->status : "";
        char *name = escape_name(c->build->config, t->format);
        say(t, "%s is left out: %zu of its %zu cells have %s that counts%s%s%s.", name, c->usable,
            c->all, t->cost, c->build->have_sizes ? "" : ", and its size is not known",
            *status ? "; " : "", status);
        free(name);
    }
}

static void dominated_say(const struct telling *t)
{
    const struct advice *a = t->a;
    for (size_t i = 0; i < a->n; i++) {
        if (!a->points[i].dominated)
            continue;
        size_t by = a->points[i].by;
        const struct advice_pair *p = advise_pair(a, by, i);
        char *change = change_text(p);
        say(t, "%s is dominated by %s: %.0f bytes less, and %s %s%s.", t->names.v[i],
            t->names.v[by], a->points[i].bytes - a->points[by].bytes, t->cost, change,
            p->high < 1                              ? ""
            : t->a->metric == METRIC_JUDGED_MODELLED ? ", too close to call"
            : p->low < 1 || p->high > p->low         ? ", within noise"
                                                     : ", the same");
        free(change);
    }
}

/* Which config is best for which weight. */
static void ranges_say(const struct telling *t)
{
    const struct advice *a = t->a;
    size_t *hull = xcalloc(a->n, sizeof *hull), n = pareto_hull(a->points, a->n, hull);
    struct str s = STR_INIT;
    for (size_t i = 0; i < n; i++) {
        double from = i ? pareto_exchange(&a->points[hull[i - 1]], &a->points[hull[i]]) : 0;
        double to = i + 1 < n ? pareto_exchange(&a->points[hull[i]], &a->points[hull[i + 1]]) : 0;
        str_add(&s, i ? "; " : "");
        if (n == 1)
            str_addf(&s, "%s whatever it is worth, with the fewest bytes (%.0f) and no more %s",
                     t->names.v[hull[i]], a->points[hull[i]].bytes, t->cost);
        else if (i + 1 == n)
            str_addf(&s, "%s from %.0f up", t->names.v[hull[i]], from);
        else if (i)
            str_addf(&s, "%s from %.0f to %.0f", t->names.v[hull[i]], from, to);
        else
            str_addf(&s, "%s up to %.0f", t->names.v[hull[i]], to);
    }
    say(t, "Best, by the bytes that 1%% of the %s of %s is worth (--weight): %s.", t->cost,
        t->names.v[0], s.p);
    str_free(&s);
    free(hull);
}

static void winner_say(const struct telling *t, uint64_t weight)
{
    const struct advice *a = t->a;
    size_t best = advise_best(a, (double)weight);
    struct str ties = STR_INIT, behind = STR_INIT;
    for (size_t i = 0; i < a->n; i++) {
        double low, high;
        if (i == best)
            continue;
        double by = advise_behind(a, i, best, (double)weight, &low, &high);
        struct str *to = low <= 0 ? &ties : &behind;
        str_add(to, to->n ? ", " : "");
        str_addf(to, "%s by %.0f", t->names.v[i], by);
        if (low < high)
            str_addf(to, " (%.0f to %.0f)", low, high);
    }
    char *change = change_text(advise_pair(a, best, 0));
    if (best)
        say(t, "For %" PRIu64 " bytes per 1%%, %s is best: %+.0f bytes and %s %s against %s.",
            weight, t->names.v[best], a->points[best].bytes - a->points[0].bytes, change, t->cost,
            t->names.v[0]);
    else
        say(t, "For %" PRIu64 " bytes per 1%%, %s is best, the smallest with %.0f bytes.", weight,
            t->names.v[best], a->points[best].bytes);
    if (behind.n)
        say(t, "Behind it, in bytes and what 1%% is worth: %s.", behind.p);
    if (ties.n)
        say(t, "A tie with it, since %s both open: %s.",
            t->a->metric == METRIC_JUDGED_MODELLED
                ? "modelled cycles nearer than 5% are too close to call and leave"
                : "noise leaves",
            ties.p);
    free(change);
    str_free(&ties);
    str_free(&behind);
}

/* ---- AES-GCM or ChaCha20 ---- */

enum { SIZES = 8 }; /* of a list in a sentence */

/* "16, 64 B", or how far a long list goes. */
static char *sizes_text(const struct list *sizes)
{
    if (sizes->n > SIZES)
        return xasprintf("%s to %s B", sizes->v[0], sizes->v[sizes->n - 1]);
    char *all = list_join(sizes, ", "), *text = xasprintf("%s B", all);
    free(all);
    return text;
}

static const char *preferred(const struct rivals *r)
{
    return r->aes_at.n && !r->chacha_at.n   ? r->aes
           : r->chacha_at.n && !r->aes_at.n ? r->chacha
                                            : NULL;
}

/* "+-15%", "+-15% to +-35%". */
static char *band_text(const int range[2])
{
    return range[0] == range[1] ? xasprintf("+-%d%%", range[0])
                                : xasprintf("+-%d%% to +-%d%%", range[0], range[1]);
}

/* What modelled cycles of two algorithms leave open. */
static char *bands_text(const struct rivals *r)
{
    char *aes = band_text(r->aes_band), *chacha = band_text(r->chacha_band);
    char *within =
        r->within ? xasprintf("; at %zu of the sizes the two bands hold the difference", r->within)
                  : xstrdup("");
    char *text = xasprintf(", by modelled cycles, not measured, which may be off by %s for %s and "
                           "%s for %s%s",
                           aes, r->aes, chacha, r->chacha, within);
    free(aes);
    free(chacha);
    free(within);
    return text;
}

static void bandless_say(const struct telling *t, const char *config, const struct rivals *r)
{
    char *op = escape_name(r->op, t->format);
    say(t,
        "%s, %s: %s and %s are not told apart at %zu block sizes, where modelled cycles are fit "
        "for ratios of one algorithm only.",
        config, op, r->aes, r->chacha, r->bandless);
    free(op);
}

static void rivals_say(const struct telling *t, const char *config, const struct rivals *r)
{
    int time = t->a->metric == METRIC_JUDGED_TIME,
        modelled = t->a->metric == METRIC_JUDGED_MODELLED;
    if (!r->sizes) {
        bandless_say(t, config, r);
        return;
    }
    char *last = bands_text(r);
    const char *winner = preferred(r);
    struct str s = STR_INIT;
    char *op = escape_name(r->op, t->format);
    const struct {
        const char *name;
        const struct list *at;
    } sides[] = {{r->aes, &r->aes_at}, {r->chacha, &r->chacha_at}};
    for (size_t i = 0; i < 2; i++) {
        char *at = sizes_text(sides[i].at);
        if (sides[i].at->n)
            str_addf(&s, "%s takes less %s at %zu (%s), ", sides[i].name, t->cost, sides[i].at->n,
                     at);
        free(at);
    }
    size_t same = r->sizes - r->aes_at.n - r->chacha_at.n;
    if (same)
        str_addf(&s, "%s at %zu, ",
                 time       ? "no difference beyond noise"
                 : modelled ? "too close to call"
                            : "no difference",
                 same);
    say(t,
        "%s, %s, %zu block sizes: %s%s over %s is %.2f times (%" PRIu64
        " B) to %.2f times (%" PRIu64 " B): %s%s%s.",
        config, op, r->sizes, s.p ? s.p : "", r->chacha, r->aes, r->least, r->least_bytes, r->most,
        r->most_bytes,
        !winner                            ? "no preference for all sizes"
        : time || (modelled && !r->within) ? "prefer "
                                           : "weakly for ",
        winner ? winner : "",
        modelled          ? last
        : !winner || time ? ""
                          : ", by instructions alone");
    if (r->bandless)
        bandless_say(t, config, r);
    str_free(&s);
    free(last);
    free(op);
}

/* Of the configs that are not dominated. 1 when there was anything to say. */
static int algorithms_say(const struct telling *t)
{
    int any = 0;
    for (size_t i = 0; i < t->names.n; i++) {
        struct rivals *r = NULL;
        size_t n = t->a->points[i].dominated
                       ? 0
                       : rivals_find(t->group, t->a->configs[i].build, t->a->metric, &r);
        for (size_t k = 0; k < n; k++)
            rivals_say(t, t->names.v[i], &r[k]);
        any |= n > 0;
        rivals_free(r, n);
    }
    return any;
}

static const char *const cost_names[METRIC_COUNT] = {[METRIC_JUDGED_TIME] = "time",
                                                     [METRIC_JUDGED_INSNS] = "instructions",
                                                     [METRIC_JUDGED_MODELLED] = "modelled cycles"};

int advise_print(FILE *f, const struct cell_group *g, const struct advice *a, uint64_t weight,
                 const char *format)
{
    int rc = 0;
    struct telling t = {f, g, a, format, LIST_INIT, cost_names[a->metric]};

    for (size_t i = 0; i < a->n; i++) {
        char *name = escape_name(a->configs[i].build->config, format);
        list_add(&t.names, name);
        free(name);
    }
    heading_print(&t);
    modelled_say(&t);
    if (t.names.n < 2 || !a->rows) {
        say(&t,
            "No choice between configs: %zu of them can be compared, in %zu of their %zu cells "
            "(%zu "
            "have nothing but an emulator's time, which ranks nothing); --metric insns counts "
            "on any machine.",
            a->n, a->n * a->rows, a->cells, a->emulated);
    } else {
        rc = table_print(&t);
        dominated_say(&t);
        ranges_say(&t);
        if (weight)
            winner_say(&t, weight);
    }
    out_say(&t);
    int advice = a->n >= 2 && a->rows;
    int any = algorithms_say(&t);
    if (any && a->metric == METRIC_JUDGED_INSNS)
        say(&t,
            "Instructions of %zu cells are all there is: they are near to speed within one "
            "algorithm, far less so between two; time on the device decides.",
            a->usable);
    fputc('\n', f);
    list_free(&t.names);
    return rc ? -1 : advice || any;
}

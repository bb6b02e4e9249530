/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "wording.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "prediction.h"
#include "str.h"

static const struct {
    const char *one, *many; /* what is compared */
    const char *worse;      /* in the headline */
    const char *unit;       /* after a value */
} words[METRIC_COUNT] = {
    [METRIC_JUDGED_TIME] = {"cell", "cells", "slower", " ns"},
    [METRIC_JUDGED_INSNS] = {"cell", "cells", "slower by instructions", ""},
    [METRIC_JUDGED_SIZE] = {"build", "builds", "larger", " B"},
    [METRIC_JUDGED_MODELLED] = {"cell", "cells", "slower by modelled cycles", ""},
};

const char wording_legend[] =
    "Change: new against base; + is slower, more instructions, larger. Interval: 95%, of the "
    "change.\n"
    "Slower, faster, larger and smaller: beyond limit and noise with the whole interval; modelled\n"
    "cycles have none, and nearer than 5% they are too close to call.\n";

static const char *noun(enum metric m, size_t n)
{
    return n == 1 ? words[m].one : words[m].many;
}

static size_t compared(const struct comparison *c, enum metric m)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++)
        n += c->findings[i].metric == m && c->findings[i].verdict != VERDICT_EXCLUDED;
    return n;
}

char *wording_value(const struct finding *f, double value)
{
    /* Counts are whole numbers; four digits of a time, and all before the point. */
    int decimals = f->metric != METRIC_JUDGED_TIME ? (value != floor(value) ? 2 : 0)
                   : value < 10                    ? 3
                   : value < 100                   ? 2
                   : value < 1000                  ? 1
                                                   : 0;
    if (f->verdict == VERDICT_EXCLUDED || f->ratio_only)
        return xstrdup("-");
    return xasprintf("%.*f%s", decimals, value, words[f->metric].unit);
}

const char *wording_verdict(const struct finding *f)
{
    if (f->metric == METRIC_JUDGED_MODELLED && f->verdict == VERDICT_SAME &&
        prediction_is_close(f->ratio))
        return "too close to call";
    return verdict_name(f->verdict, f->metric);
}

char *wording_change(double ratio)
{
    double percent = 100 * (ratio - 1), half = 0.005; /* what rounds to 0 at 2 decimals */
    int decimals = 2;
    if (percent == 0)
        return xstrdup("0.00%");
    /* Rounding errors of a ratio are far below these 9 decimals. */
    for (; decimals < 9 && fabs(percent) < half; half /= 10)
        decimals++;
    return xasprintf("%+.*f%%", decimals, percent);
}

static int is_exact(const struct finding *f)
{
    return f->have_interval && f->low == f->high;
}

char *wording_interval(const struct finding *f)
{
    if (f->verdict == VERDICT_EXCLUDED)
        return xstrdup("-");
    if (!f->have_interval)
        return xstrdup("none");
    if (is_exact(f))
        return xstrdup("exact");
    char *low = wording_change(f->low), *high = wording_change(f->high);
    char *text = xasprintf("%s to %s", low, high);
    free(low);
    free(high);
    return text;
}

char *wording_percent(double fraction)
{
    double percent = 100 * fraction;
    return xasprintf(percent < 999.5 ? "%.3g%%" : "%.0f%%", percent);
}

static char *noise_text(const struct finding *f)
{
    return is_exact(f) || f->verdict == VERDICT_EXCLUDED ? xstrdup("-") : wording_percent(f->noise);
}

char *wording_finding(const struct finding *f)
{
    if (f->verdict == VERDICT_EXCLUDED)
        return xstrdup(f->reason ? f->reason : "no reason known");
    char *change = wording_change(f->ratio), *interval = wording_interval(f);
    char *base = wording_value(f, f->base), *now = wording_value(f, f->now);
    char *limit = wording_percent(f->limit), *noise = noise_text(f);
    char *values = f->ratio_only ? xstrdup("") : xasprintf(" (%s to %s)", base, now);
    char *text = xasprintf("%s%s, interval %s, limit %s%s%s", change, values, interval, limit,
                           *noise == '-' ? "" : ", noise ", *noise == '-' ? "" : noise);
    free(values);
    free(change);
    free(interval);
    free(base);
    free(now);
    free(limit);
    free(noise);
    return text;
}

size_t wording_deciding(const struct comparison *c)
{
    return comparison_count(c, VERDICT_WORSE) + comparison_count(c, VERDICT_UNCLEAR);
}

int wording_unclear_allowed(const struct comparison *c)
{
    return list_has(&c->allow, allow_name(ALLOW_UNCLEAR));
}

/* "2 of 120 cells are slower"; none of them: only when the headline wants it so. */
static void share(struct list *parts, const struct comparison *c, enum metric m, enum verdict v,
                  const char *word, int none_too)
{
    size_t n = comparison_count_of(c, m, v), of = compared(c, m);
    if (n)
        list_addf(parts, "%zu of %zu %s %s %s", n, of, noun(m, of), n == 1 ? "is" : "are", word);
    else if (none_too && of)
        list_addf(parts, "none of %zu %s is %s", of, noun(m, of), word);
}

char *wording_headline(const struct comparison *c)
{
    struct list parts = LIST_INIT;
    size_t unclear = comparison_count(c, VERDICT_UNCLEAR);
    if (c->outcome != EXIT_NO_VERDICT)
        for (size_t m = 0; m < METRIC_COUNT; m++)
            share(&parts, c, (enum metric)m, VERDICT_WORSE, words[m].worse, c->outcome == EXIT_OK);
    if (c->blockers.n)
        list_addf(&parts, "%zu blocker%s", c->blockers.n, c->blockers.n == 1 ? "" : "s");
    if (c->outcome == EXIT_NO_VERDICT && !wording_unclear_allowed(c))
        for (size_t m = 0; m < METRIC_COUNT; m++)
            share(&parts, c, (enum metric)m, VERDICT_UNCLEAR, "unclear", 0);
    if (unclear && wording_unclear_allowed(c))
        list_addf(&parts, "%zu unclear, allowed", unclear);
    char *all = list_join(&parts, "; ");
    char *text = xasprintf("%s: %s", outcome_name(c->outcome), all);
    free(all);
    list_free(&parts);
    return text;
}

void wording_counts(const struct comparison *c, struct list *out)
{
    static const enum verdict order[] = {VERDICT_WORSE, VERDICT_UNCLEAR, VERDICT_BETTER,
                                         VERDICT_SAME, VERDICT_EXCLUDED};
    for (size_t k = 0; k < METRIC_COUNT; k++) {
        enum metric m = (enum metric)k;
        const struct mean *mean = &c->means[m];
        struct list parts = LIST_INIT;
        size_t all = 0;
        for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
            size_t n = comparison_count_of(c, m, order[i]);
            all += n;
            if (n)
                list_addf(&parts, "%zu %s", n, verdict_name(order[i], m));
        }
        char *joined = list_join(&parts, ", ");
        char *change = mean->n ? wording_change(mean->ratio) : NULL;
        if (all && change)
            list_addf(out, "%s: %zu %s: %s; geometric mean %s over %zu", metric_name(m), all,
                      noun(m, all), joined, change, mean->n);
        else if (all)
            list_addf(out, "%s: %zu %s: %s", metric_name(m), all, noun(m, all), joined);
        free(change);
        free(joined);
        list_free(&parts);
    }
}

static int same_cause(const struct finding *a, const struct finding *b)
{
    return a->verdict == b->verdict && a->metric == b->metric &&
           !strcmp(a->reason ? a->reason : "", b->reason ? b->reason : "");
}

void wording_excluded(const struct comparison *c, struct list *out)
{
    char *done = xcalloc(c->n + 1, 1);
    for (size_t i = 0; i < c->n; i++) {
        const struct finding *f = &c->findings[i];
        size_t same = 0;
        if (f->verdict != VERDICT_EXCLUDED || done[i])
            continue;
        for (size_t k = i; k < c->n; k++)
            if (same_cause(f, &c->findings[k])) {
                done[k] = 1;
                same++;
            }
        list_addf(out, "%zu (%s): %s; first %s", same, metric_name(f->metric),
                  f->reason ? f->reason : "no reason known", f->name);
    }
    free(done);
}

char *wording_code(const char *line, const char **text)
{
    const char *colon = strstr(line, ": ");
    *text = colon ? colon + 2 : line;
    return colon ? xstrndup(line, (size_t)(colon - line)) : xstrdup("other");
}

struct grid wording_grid(const struct finding *f, size_t n, char *(*escape)(const char *))
{
    static const char *const headings[] = {"cell",   "metric",       "verdict", "base", "new",
                                           "change", "95% interval", "limit",   "noise"};
    static const enum tone tones[] = {[VERDICT_SAME] = TONE_PLAIN,
                                      [VERDICT_BETTER] = TONE_GOOD,
                                      [VERDICT_WORSE] = TONE_BAD,
                                      [VERDICT_UNCLEAR] = TONE_WARNING,
                                      [VERDICT_EXCLUDED] = TONE_PLAIN};
    struct grid g;
    grid_start(&g, sizeof headings / sizeof *headings);
    for (size_t i = 0; i < g.columns; i++)
        grid_add(&g, xstrdup(headings[i]));
    for (; n; f++, n--) {
        grid_add(&g, escape(f->name));
        grid_add(&g, xstrdup(metric_name(f->metric)));
        grid_add(&g, xstrdup(wording_verdict(f)));
        grid_tone(&g, tones[f->verdict]);
        grid_add(&g, wording_value(f, f->base));
        grid_add(&g, wording_value(f, f->now));
        grid_add(&g, f->verdict == VERDICT_EXCLUDED ? xstrdup("-") : wording_change(f->ratio));
        grid_add(&g, wording_interval(f));
        grid_add(&g, wording_percent(f->limit));
        grid_add(&g, noise_text(f));
    }
    return g;
}

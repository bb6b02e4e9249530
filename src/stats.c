/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "stats.h"

#include <math.h>
#include <stdlib.h>

#include "mem.h"

/* 95% coverage: this much may be left out at either end. */
static const double tail = 0.025;
/* Makes the MAD of normal data an estimate of its standard deviation: 1 / Phi^-1(3/4). */
static const double mad_scale = 1.4826;
static const double outlier_mads = 5;

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Ascending. qsort(), without a call for each comparison: files have millions of samples. */
static void sort(double *v, size_t n)
{
    enum { SMALL = 24, DEPTH = 48 };
    for (int depth = 0; n > SMALL; depth++) {
        if (depth == DEPTH) { /* an order that defeats the choice of pivots */
            qsort(v, n, sizeof *v, compare_doubles);
            return;
        }
        double a = v[0], b = v[n / 2], c = v[n - 1];
        double pivot = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
        size_t i = 0, j = n - 1;
        for (;;) {
            while (v[i] < pivot)
                i++;
            while (v[j] > pivot)
                j--;
            if (i >= j)
                break;
            double kept = v[i];
            v[i++] = v[j];
            v[j--] = kept;
        }
        /* v[0..i-1] <= pivot <= v[j+1..] */
        sort(v, i);
        v += i;
        n -= i;
    }
    for (size_t i = 1; i < n; i++) {
        double x = v[i];
        size_t k = i;
        for (; k && v[k - 1] > x; k--)
            v[k] = v[k - 1];
        v[k] = x;
    }
}

static double sorted_median(const double *v, size_t n)
{
    return n % 2 ? v[n / 2] : v[n / 2 - 1] + (v[n / 2] - v[n / 2 - 1]) / 2;
}

/*
 * The k such that the k-th smallest and the k-th largest of n values enclose the median of what
 * they were drawn from with at least 95% probability, as close together as that allows; 0 when even
 * the extremes do not. The values below that median are binomial(n, 1/2), so k is the largest with
 * P(B <= k - 1) <= 2.5% (David and Nagaraja, Order Statistics, section 7.1).
 *
 * Exact for every n: the terms C(n,i) are taken relative to the middle one, so that none overflows,
 * and those that vanish beside it (beyond 38 standard deviations) add nothing.
 */
static size_t interval_rank(size_t n)
{
    size_t middle = n / 2;
    double lower = 0; /* sum of the terms 0..middle */
    double term = 1;
    for (size_t i = middle; term > 0; i--) {
        lower += term;
        if (i == 0)
            break;
        term *= (double)i / (double)(n - i + 1);
    }
    /* By symmetry; for even n the middle term belongs to both halves. */
    double total = n % 2 ? 2 * lower : 2 * lower - 1;

    term = 1;
    for (size_t i = middle;; i--) {
        if (lower <= tail * total)
            return i + 1;
        if (i == 0)
            return 0;
        lower -= term;
        term *= (double)i / (double)(n - i + 1);
    }
}

int estimate_values(double *values, size_t n, struct estimate *out)
{
    *out = (struct estimate){.n = n};
    if (n == 0)
        return -1;
    sort(values, n);
    out->median = sorted_median(values, n);

    double *away = xcalloc(n, sizeof *away);
    /* nearest first: the values on either side of the median are in that order already */
    size_t below = n / 2, above = n / 2;
    for (size_t i = 0; i < n; i++) {
        int down =
            above == n || (below && out->median - values[below - 1] < values[above] - out->median);
        away[i] = fabs(down ? out->median - values[--below] : values[above++] - out->median);
    }
    out->mad = sorted_median(away, n);
    for (size_t i = n; i-- > 0 && away[i] > outlier_mads * mad_scale * out->mad;)
        out->outliers++;
    free(away);

    size_t k = interval_rank(n);
    if (k) {
        out->low = values[k - 1];
        out->high = values[n - k];
        out->have_interval = 1;
    }
    return 0;
}

/* Values of one process, one after the other, and where each process ends. */
struct groups {
    double *values;
    size_t n;
    size_t *ends;
    size_t ngroups;
};

static void groups_start(struct groups *g, size_t values, size_t groups)
{
    *g = (struct groups){.values = xcalloc(values + 1, sizeof *g->values),
                         .ends = xcalloc(groups + 1, sizeof *g->ends)};
}

/* A group without values is none. */
static void group_end(struct groups *g)
{
    if (g->n > (g->ngroups ? g->ends[g->ngroups - 1] : 0))
        g->ends[g->ngroups++] = g->n;
}

static void groups_free(struct groups *g)
{
    free(g->values);
    free(g->ends);
}

/* The median of each group, in g's order; caller owns. Sorts within the groups. */
static double *group_medians(struct groups *g)
{
    double *medians = xcalloc(g->ngroups + 1, sizeof *medians);
    size_t start = 0;

    for (size_t i = 0; i < g->ngroups; i++) {
        sort(g->values + start, g->ends[i] - start);
        medians[i] = sorted_median(g->values + start, g->ends[i] - start);
        start = g->ends[i];
    }
    return medians;
}

/* Median of all values, interval of the groups' medians if there are enough of them. */
static int estimate_groups(struct groups *g, struct estimate *out)
{
    double *medians = group_medians(g);
    struct estimate between;
    int r = estimate_values(g->values, g->n, out);

    if (!r && g->ngroups > 1 && !estimate_values(medians, g->ngroups, &between) &&
        between.have_interval) {
        /* Groups of unequal spread can have their medians on one side of that of all values. */
        out->low = between.low < out->median ? between.low : out->median;
        out->high = between.high > out->median ? between.high : out->median;
    }
    free(medians);
    return r;
}

static double cycles_per_op(const struct sample *s)
{
    return (double)s->cycles / (double)s->ops;
}

/* Values that are 0 are not known. */
static int estimate_of(const struct series *s, double (*value)(const struct sample *),
                       struct estimate *out)
{
    struct groups g;
    groups_start(&g, series_count(s), s->n);
    for (size_t p = 0; p < s->n; p++) {
        for (size_t i = 0; i < s->process[p].n; i++) {
            g.values[g.n] = value(&s->process[p].v[i]);
            g.n += g.values[g.n] > 0 ? 1 : 0;
        }
        group_end(&g);
    }
    int r = estimate_groups(&g, out);
    groups_free(&g);
    return r;
}

int estimate_series(const struct series *s, struct estimate *out)
{
    return estimate_of(s, sample_ns_per_op, out);
}

int estimate_cycles(const struct series *s, struct estimate *out)
{
    return estimate_of(s, cycles_per_op, out);
}

/* Index of the first sample of the next round. */
static size_t next_round(const struct samples *s, size_t i)
{
    uint64_t round = s->v[i].round;
    while (i < s->n && s->v[i].round == round)
        i++;
    return i;
}

/* A group of the ratios of one process of either. */
static void ratios_add(struct groups *g, const struct samples *base, const struct samples *new_)
{
    size_t i = 0, j = 0;
    while (i < base->n && j < new_->n) {
        const struct sample *b = &base->v[i], *w = &new_->v[j];
        if (b->round == w->round)
            g->values[g->n++] = sample_ns_per_op(w) / sample_ns_per_op(b);
        /* w is read before i moves on: in the same round both do. */
        if (b->round <= w->round)
            i = next_round(base, i);
        if (w->round <= b->round)
            j = next_round(new_, j);
    }
    group_end(g);
}

int estimate_pair(const struct series *base, const struct series *new_, struct estimate *out)
{
    size_t n = base->n < new_->n ? base->n : new_->n;
    struct groups g;
    groups_start(&g, series_count(base), n);
    for (size_t p = 0; p < n; p++)
        ratios_add(&g, &base->process[p], &new_->process[p]);
    int r = estimate_groups(&g, out);
    groups_free(&g);
    return r;
}

/* The twins of each launch of n series. */
static int estimate_twins(const struct series *const *s, size_t n, struct estimate *out)
{
    struct groups g;
    size_t samples = 0, processes = 0;
    *out = (struct estimate){0};
    for (size_t i = 0; i < n; i++) {
        if (s[i]->twins < 2)
            return -1;
        samples += series_count(s[i]);
        processes += s[i]->n;
    }
    groups_start(&g, samples, processes);
    for (size_t i = 0; i < n; i++)
        for (size_t p = 0; p + 1 < s[i]->n; p += s[i]->twins)
            ratios_add(&g, &s[i]->process[p], &s[i]->process[p + 1]);
    double *medians = group_medians(&g);
    size_t launches = g.ngroups;
    int r = estimate_groups(&g, out);
    if (!r && launches > 1) {
        struct estimate between;
        estimate_values(medians, launches, &between); /* sorts */
        out->low = between.have_interval ? between.low : medians[0];
        out->high = between.have_interval ? between.high : medians[launches - 1];
        out->have_interval = 1;
    }
    free(medians);
    groups_free(&g);
    return r;
}

int estimate_null(const struct series *s, struct estimate *out)
{
    return estimate_twins(&s, 1, out);
}

int estimate_null_pair(const struct series *a, const struct series *b, struct estimate *out)
{
    const struct series *const both[] = {a, b};
    return estimate_twins(both, 2, out);
}

double noise_floor(const struct estimate *null)
{
    double high = null->have_interval ? null->high : null->median;
    double low = null->have_interval ? null->low : null->median;
    double up = high - 1, down = 1 / low - 1;
    double most = up > down ? up : down;
    return most > 0 ? most : 0;
}

/* Samples of each process as a group. */
static void groups_of(struct groups *g, const struct series *s)
{
    groups_start(g, series_count(s), s->n);
    for (size_t p = 0; p < s->n; p++) {
        for (size_t i = 0; i < s->process[p].n; i++)
            g->values[g->n++] = sample_ns_per_op(&s->process[p].v[i]);
        group_end(g);
    }
}

double series_spread(const struct series *s)
{
    struct groups g;
    double least = 0, most = 0;
    groups_of(&g, s);
    double *medians = group_medians(&g);
    for (size_t i = 0; i < g.ngroups; i++) {
        least = i && least < medians[i] ? least : medians[i];
        most = i && most > medians[i] ? most : medians[i];
    }
    free(medians);
    groups_free(&g);
    return least > 0 ? most / least - 1 : 0;
}

/* Stretches of a side that has few processes: neighbouring samples are alike, so the medians of
 * stretches are worth more than as many single samples. */
enum { STRETCHES = 12, PROCESSES_MIN = 4, SIDE_MAX = 64 };

/* Up to SIDE_MAX values that stand for a side. Returns how many. */
static size_t side_values(const struct series *s, double out[SIDE_MAX])
{
    struct groups g;
    size_t each = 0;
    groups_start(&g, series_count(s), series_count(s) + 1);
    if (s->n < PROCESSES_MIN)
        each = (series_count(s) + STRETCHES - 1) / STRETCHES;
    for (size_t p = 0; p < s->n; p++) {
        for (size_t i = 0; i < s->process[p].n; i++) {
            g.values[g.n++] = sample_ns_per_op(&s->process[p].v[i]);
            if (each && (i + 1) % each == 0)
                group_end(&g);
        }
        group_end(&g);
    }
    double *medians = group_medians(&g);
    size_t n = g.ngroups < SIDE_MAX ? g.ngroups : SIDE_MAX;
    for (size_t i = 0; i < n; i++)
        out[i] = medians[i * g.ngroups / n];
    free(medians);
    groups_free(&g);
    return n;
}

/*
 * The c such that the c-th smallest and c-th largest of the m x n differences enclose the shift
 * with at least 95% probability: the largest with P(U <= c - 1) <= 2.5%, U being Mann and Whitney's
 * statistic (Hollander, Wolfe, Chicken, Nonparametric Statistical Methods, section 4.3). 0 when
 * even the extremes do not. The distribution is counted exactly: ways[u] subsets have U = u, by
 * adding one value of the second side at a time (the Gaussian binomial coefficient).
 */
static size_t shift_rank(size_t m, size_t n)
{
    size_t most = m * n;
    double *ways = xcalloc(most + 1, sizeof *ways), total = 0, below = 0;
    size_t c = 0;
    ways[0] = 1;
    for (size_t k = 1; k <= n; k++) {
        /* times (1 - q^(m + k)) / (1 - q^k) */
        for (size_t u = most; u >= m + k; u--)
            ways[u] -= ways[u - m - k];
        for (size_t u = k; u <= most; u++)
            ways[u] += ways[u - k];
    }
    for (size_t u = 0; u <= most; u++)
        total += ways[u];
    while (c <= most / 2 && below + ways[c] <= tail * total)
        below += ways[c++];
    free(ways);
    return c;
}

/* The same again for the next pair of cells, as a rule. */
static size_t shift_rank_kept(size_t m, size_t n)
{
    static size_t ranks[SIDE_MAX + 1][SIDE_MAX + 1]; /* plus one; 0: not known yet */
    if (!ranks[m][n])
        ranks[m][n] = shift_rank(m, n) + 1;
    return ranks[m][n] - 1;
}

int estimate_unpaired(const struct series *base, const struct series *new_, struct estimate *out)
{
    double b[SIDE_MAX], w[SIDE_MAX];
    size_t m = side_values(base, b), n = side_values(new_, w), c;
    *out = (struct estimate){.n = m < n ? m : n};
    if (!m || !n)
        return -1;
    double *ratios = xcalloc(m * n, sizeof *ratios);
    for (size_t i = 0; i < m; i++)
        for (size_t k = 0; k < n; k++)
            ratios[i * n + k] = w[k] / b[i];
    sort(ratios, m * n);
    out->median = sorted_median(ratios, m * n);
    c = shift_rank_kept(m, n);
    if (c) {
        out->low = ratios[c - 1];
        out->high = ratios[m * n - c];
        out->have_interval = 1;
    }
    free(ratios);
    return 0;
}

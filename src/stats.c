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
    qsort(values, n, sizeof *values, compare_doubles);
    out->median = sorted_median(values, n);

    double *away = xcalloc(n, sizeof *away);
    for (size_t i = 0; i < n; i++)
        away[i] = fabs(values[i] - out->median);
    qsort(away, n, sizeof *away, compare_doubles);
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

int estimate_samples(const struct samples *s, struct estimate *out)
{
    double *values = xcalloc(s->n, sizeof *values);
    for (size_t i = 0; i < s->n; i++)
        values[i] = sample_ns_per_op(&s->v[i]);
    int r = estimate_values(values, s->n, out);
    free(values);
    return r;
}

/* Index of the first sample of the next round. */
static size_t next_round(const struct samples *s, size_t i)
{
    uint64_t round = s->v[i].round;
    while (i < s->n && s->v[i].round == round)
        i++;
    return i;
}

int estimate_ratio(const struct samples *base, const struct samples *new_, struct estimate *out)
{
    double *ratios = xcalloc(base->n, sizeof *ratios);
    size_t n = 0, i = 0, j = 0;
    while (i < base->n && j < new_->n) {
        const struct sample *b = &base->v[i], *w = &new_->v[j];
        if (b->round == w->round)
            ratios[n++] = sample_ns_per_op(w) / sample_ns_per_op(b);
        /* w is read before i moves on: in the same round both do. */
        if (b->round <= w->round)
            i = next_round(base, i);
        if (w->round <= b->round)
            j = next_round(new_, j);
    }
    int r = estimate_values(ratios, n, out);
    free(ratios);
    return r;
}

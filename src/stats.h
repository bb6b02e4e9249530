/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_STATS_H
#define CB_STATS_H

/* Statistics on raw samples. All pure functions of their arguments. */
#include <stddef.h>

#include "sample.h"

/* Median with a distribution-free 95% interval from order statistics
 * (binomial); the interval is unset with fewer than 6 values, where no pair of
 * order statistics covers 95%. */
struct estimate {
    size_t n;
    double median;
    double mad; /* median absolute deviation, unscaled */
    double low, high;
    int have_interval;
    size_t outliers; /* values over 5 scaled MADs (x 1.4826) from the median: counted, kept */
};

/* -1 when n is 0. values is sorted in place. */
int estimate_values(double *values, size_t n, struct estimate *out);
/* Of ns per operation. */
int estimate_samples(const struct samples *s, struct estimate *out);
/* Of time ratios new/base, one for each round that both have. Over 1: new is slower. -1 when
 * they share no round. */
int estimate_ratio(const struct samples *base, const struct samples *new_, struct estimate *out);

#endif

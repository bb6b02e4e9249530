/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_STATS_H
#define CB_STATS_H

/*
 * Statistics on raw samples. All pure functions of their arguments.
 *
 * Samples of one driver process are not independent: where its stack and heap lie, and what shares
 * its cache lines, shifts them all. So wherever there are enough processes an interval is that of
 * their medians, not of single samples.
 */
#include <stddef.h>

#include "sample.h"

/* Median with a distribution-free 95% interval. Not set where there are too few values. */
struct estimate {
    size_t n;
    double median;
    double mad; /* median absolute deviation, unscaled */
    double low, high;
    int have_interval;
    size_t outliers; /* values over 5 scaled MADs (x 1.4826) from the median: counted, kept */
};

/* Interval from order statistics (binomial), which needs 6 values. -1 when n is 0. values is sorted
 * in place. */
int estimate_values(double *values, size_t n, struct estimate *out);
/* ns per operation: median, MAD and outliers of all samples; the interval is that of the median of
 * the processes' medians where there are 6 processes, else of the samples. */
int estimate_series(const struct series *s, struct estimate *out);
/* The same of cycles per operation, over those samples that have them. */
int estimate_cycles(const struct series *s, struct estimate *out);
/*
 * Time ratios new/base of drivers that were sampled in turn, one for each round that both have;
 * over 1: new is slower. Median, MAD and outliers of all those; the interval is that of the
 * processes' medians where there are 6, else of the rounds. -1 when they share no round.
 */
int estimate_pair(const struct series *base, const struct series *new_, struct estimate *out);
/*
 * The same between runs, where nothing was taken in turn: the Hodges-Lehmann estimate of the ratio
 * and its Mann-Whitney (Moses) interval over processes' medians; with fewer than 4 processes on a
 * side, over up to 12 stretches of its samples. That needs 4 values on either side. mad is not set,
 * n counts the values on the smaller side.
 */
int estimate_unpaired(const struct series *base, const struct series *new_, struct estimate *out);
/*
 * What identical code shows against itself: ratios of the two twins of each launch. median, and as
 * low and high the interval of the launches' medians where there are 6, else their extremes; with
 * one launch, the interval of its rounds. -1 without twins.
 */
int estimate_null(const struct series *s, struct estimate *out);
/* The same over the twins of two builds that were sampled in turn: twice as many. */
int estimate_null_pair(const struct series *a, const struct series *b, struct estimate *out);
/* How far that is from 1: the largest difference, as a fraction, that noise alone made. 0.012 is
 * 1.2%. */
double noise_floor(const struct estimate *null);
/* How far the medians of a series' processes lie apart, as a fraction of the smallest: what a run
 * shows when it is compared with another. 0 with one process. */
double series_spread(const struct series *s);

#endif

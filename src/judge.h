/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_JUDGE_H
#define CB_JUDGE_H

/* What a ratio new/base with its interval says about a limit. */
#include "compare.h"

/*
 * ratio: over 1 is worse; low, high: its 95% interval, for exact counts the ratio itself; limit:
 * the change that is allowed, noise: the change that noise alone makes (0 for exact counts), both
 * as fractions. The larger of these two is what must be passed, and by the whole interval: a change
 * of just that much is not beyond it. An interval that crosses the border on the side of better
 * only is "same": whether it is faster is open, but slower it is not. Without an interval, or with
 * numbers that are none, unclear. Never VERDICT_EXCLUDED.
 */
enum verdict judge(double ratio, double low, double high, int have_interval, double limit,
                   double noise);

#endif

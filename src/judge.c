/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "judge.h"

#include <math.h>

/*
 * 1020.0 / 1000 and 1 + 2.0 / 100 need not be the same double, so a ratio this near to a border
 * (relatively) lies on it. That is far over the rounding of a few operations (some 1e-16 each), and
 * under the smallest change there is to see: one instruction or byte of 10^9.
 */
#define TOLERANCE 1e-9

static int is_over(double a, double border)
{
    return a > border * (1 + TOLERANCE);
}

static int is_under(double a, double border)
{
    return a < border * (1 - TOLERANCE);
}

enum verdict judge(double ratio, double low, double high, int have_interval, double limit,
                   double noise)
{
    double most = 1 + fmax(0, fmax(limit, noise)), least = 1 / most;
    if (!have_interval || !isfinite(ratio) || !isfinite(low) || !isfinite(high) || low > high)
        return VERDICT_UNCLEAR;
    if (is_over(low, most))
        return VERDICT_WORSE;
    if (is_under(high, least))
        return VERDICT_BETTER;
    return is_over(high, most) ? VERDICT_UNCLEAR : VERDICT_SAME;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "clock.h"

#include <time.h>

/* Steps to look at, and readings after which a clock that did not move is given up: at 20 ns a
 * reading, 2^21 of them see a 100 Hz clock move at least four times. */
#define STEPS        200
#define READINGS_MAX (UINT32_C(1) << 21)

uint64_t clock_now(void)
{
    struct timespec t;

    if (clock_gettime(CLOCK_MONOTONIC, &t) != 0)
        return 0;
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t tick_find(void)
{
    uint64_t smallest = 0, last = clock_now();
    uint32_t still = 0;

    for (int steps = 0; steps < STEPS && still < READINGS_MAX;) {
        uint64_t now = clock_now();

        if (now > last) {
            if (smallest == 0 || now - last < smallest)
                smallest = now - last;
            steps++;
            still = 0;
        } else {
            still++;
        }
        last = now;
    }
    return smallest;
}

uint64_t clock_tick(void)
{
    static int looked;
    static uint64_t tick;

    if (!looked) {
        tick = tick_find();
        looked = 1;
    }
    return tick;
}

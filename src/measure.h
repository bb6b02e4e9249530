/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_MEASURE_H
#define CB_MEASURE_H

/*
 * Timing of all cells of a lane. Drivers of all its builds live side by side; within a workload
 * they are asked in turn for one sample each, in alternating order (A B C D, D C B A, ...), so that
 * drift and noise meet all alike.
 */
#include "counter.h"
#include "plan.h"

struct measure_settings {
    enum counter_kind counter; /* for instruction counts */
    double seconds;            /* measuring time per cell */
    double timeout;            /* seconds without an answer until a driver is given up */
};

struct measure_watch {
    /* Before the samples of one workload row; first NULL: before the lane's instructions are
     * counted. */
    void (*row)(void *arg, const struct lane *l, const struct cell *first, size_t done,
                size_t total);
    /* After every sample of a cell. */
    void (*sample)(void *arg, const struct cell *c, const struct sample *s);
    /* A cell is finished (any status). One that is ok can still become wrong-answer, by the test
     * after the last row of its algorithm. */
    void (*cell)(void *arg, const struct cell *c, size_t done, size_t total);
    void *arg;
};

/* done/total count cells over the whole run: *done is advanced. Returns -1 only when
 * interrupted; the cells not reached are STATUS_SKIPPED then. */
int measure_lane(struct lane *l, const char *workload, const struct measure_settings *s,
                 const struct measure_watch *w, size_t *done, size_t total);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_MEASURE_H
#define CB_MEASURE_H

/*
 * Timing of all cells of a lane. Every build has one or two drivers (twins, identical code) that
 * live side by side with those of all other builds; within a workload all are asked in turn for one
 * sample each, in an order that is drawn anew for every second round and reversed for the next, so
 * that drift and noise meet all alike. All cells are gone through once a launch; each launch starts
 * all drivers anew, with an environment of another size, so that the layout of memory is
 * sampled too.
 */
#include "counter.h"
#include "plan.h"

struct measure_settings {
    enum counter_kind counter; /* for instruction counts */
    double seconds;            /* measuring time per cell, over all launches and twins */
    double timeout;            /* seconds without an answer until a driver is given up */
    double precision;          /* stop a row early when all intervals are as tight as this, as a
                                  fraction of the median each way; 0: never */
    size_t launches, twins;    /* for lanes that are not emulated; 0: 1 */
    uint64_t seed;             /* of order and environment sizes */
    int pin;                   /* processor that drivers on this machine share; -1: any */
};

/* Launches that fit into so much measuring time per cell. */
size_t measure_launches(double seconds);

struct measure_watch {
    /* Before the samples of one workload row; first NULL: before the lane's instructions are
     * counted. part: of the whole run's work done so far, 0 to 1. */
    void (*row)(void *arg, const struct lane *l, const struct cell *first, size_t launch,
                double part);
    /* After every sample of a cell. */
    void (*sample)(void *arg, const struct cell *c, const struct sample *s);
    /* A cell is finished (any status). One that is ok can still become wrong-answer, by the test
     * after the last row of its algorithm. */
    void (*cell)(void *arg, const struct cell *c, size_t done, size_t total);
    void *arg;
};

/* done/total count cells over the whole run: *done is advanced. Returns -1 only when
 * interrupted; the cells not reached are STATUS_SKIPPED then. */
int measure_lane(struct lane *l, const struct measure_settings *s, const struct measure_watch *w,
                 size_t *done, size_t total);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_RANDOM_H
#define CB_RANDOM_H

/*
 * Random numbers that can be had again from a seed: for the order of samples and sizes of
 * environments, never for secrets. SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
 */
#include <stdint.h>

struct random {
    uint64_t state;
};

void random_start(struct random *r, uint64_t seed);
uint64_t random_next(struct random *r);
/* 0 .. n - 1; n >= 1. */
uint64_t random_below(struct random *r, uint64_t n);
/* A seed that differs from run to run. */
uint64_t random_seed(void);

#endif

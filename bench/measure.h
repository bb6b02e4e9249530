/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_MEASURE_H
#define CB_MEASURE_H

/* The measuring loop. */
#include <stdint.h>

#include "cipher.h"
#include "fail.h"
#include "op.h"

struct measure_request {
    const struct workload *workload;
    const struct cipher *cipher;
    int encrypt;
    uint64_t bytes;
    uint64_t sample_ns; /* wanted length of a sample */
    uint64_t count;     /* samples wanted */
};

struct measure_sample {
    uint64_t ops;
    uint64_t ns;
    uint64_t cycles; /* 0: not known */
};

/* Takes r->count samples. The operation and its count per sample are kept for the next request, as
 * long as that asks for the same work. On failure no sample counts, and everything is dropped. */
int measure_take(const struct measure_request *r, struct measure_sample *out, struct fail *f);
/* Frees what is kept. */
void measure_end(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_PERF_H
#define CB_PERF_H

/* Instructions of one operation by the processor's own counter, where the kernel gives it. */
#include <stddef.h>
#include <stdint.h>

#include "cipher.h"
#include "fail.h"
#include "op.h"

#define PERF_RUNS 9 /* odd, so that the median is one of them */

/*
 * User-mode instructions of PERF_RUNS single operations after warm-up ones, and of as many empty
 * stretches, for the counter's own cost. -1: the operation failed, or (FAIL_UNSUPPORTED, with the
 * kernel's answer) there is no counter.
 */
int perf_run(const struct workload *w, const struct cipher *c, int encrypt, size_t bytes,
             uint64_t insns[PERF_RUNS], uint64_t empty[PERF_RUNS], struct fail *f);

#endif

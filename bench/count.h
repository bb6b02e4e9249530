/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_COUNT_H
#define CB_COUNT_H

/* One operation between marks, for instruction counts taken from outside. */
#include <stddef.h>

#include "cipher.h"
#include "fail.h"
#include "op.h"

/*
 * Makes the operation anew, so that IVs and counters start from the same state every time, runs it
 * a fixed number of times, then passes the marks twice: with nothing between them, and with exactly
 * one operation. Either both pairs are passed or none, whatever is returned.
 */
int count_run(const struct workload *w, const struct cipher *c, int encrypt, size_t bytes,
              struct fail *f);

#endif

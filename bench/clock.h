/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_CLOCK_H
#define CB_CLOCK_H

/* The clock that samples are taken with. */
#include <stdint.h>

#define CLOCK_NAME "CLOCK_MONOTONIC"

/* Nanoseconds since some fixed point; 0 when there is no such clock. */
uint64_t clock_now(void);
/* Smallest step other than zero between successive readings, in ns, looked for once and kept; 0
 * when the clock never moved. Includes the time a reading takes. */
uint64_t clock_tick(void);

#endif

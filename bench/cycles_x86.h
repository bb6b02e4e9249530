/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_CYCLES_X86_H
#define CB_CYCLES_X86_H

/* The time stamp counter: steps of a fixed rate, near the nominal one, whatever the core's speed.
 * Linux sets it alike on all CPUs. A process may be denied it (PR_SET_TSC): SIGSEGV. */
#include <stdint.h>

#include "cycles.h"

static inline uint64_t tsc_read(void)
{
    uint32_t low, high;

    /* rdtsc waits for nothing and nothing waits for it: the fences keep the work on its side. */
    __asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
    return (uint64_t)high << 32 | low;
}

static inline const struct cycles_counter *cycles_here(void)
{
    static const struct cycles_counter tsc = {"tsc", 64, 0, tsc_read, NULL};

    return &tsc;
}

#endif

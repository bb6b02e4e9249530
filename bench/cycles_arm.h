/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_CYCLES_ARM_H
#define CB_CYCLES_ARM_H

/* The core's own cycle counter, of ARMv7 and later (PMCCNTR). Linux denies it to user mode unless
 * told otherwise: SIGILL. */
#include <stdint.h>

#include "cycles.h"

static inline uint64_t pmccntr_read(void)
{
    uint32_t count;

    __asm__ volatile("isb\n\tmrc p15, 0, %0, c9, c13, 0\n\tisb" : "=r"(count) : : "memory");
    return count;
}

static inline const struct cycles_counter *cycles_here(void)
{
    static const struct cycles_counter pmccntr = {"pmccntr", 32, 1, pmccntr_read, NULL};

    return &pmccntr;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_CYCLES_AARCH64_H
#define CB_CYCLES_AARCH64_H

/* The core's own cycle counter. Linux denies it to user mode unless told otherwise: SIGILL. */
#include <stdint.h>

#include "cycles.h"

static inline uint64_t pmccntr_read(void)
{
    uint64_t count;

    __asm__ volatile("isb\n\tmrs %0, pmccntr_el0\n\tisb" : "=r"(count) : : "memory");
    return count;
}

static inline const struct cycles_counter *cycles_here(void)
{
    static const struct cycles_counter pmccntr = {"pmccntr", 64, 1, pmccntr_read, NULL};

    return &pmccntr;
}

#endif

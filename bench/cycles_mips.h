/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_CYCLES_MIPS_H
#define CB_CYCLES_MIPS_H

/* The counter of coprocessor 0 (CC), one step for each CCRes cycles, both read by rdhwr: an
 * instruction of release 2, which Linux emulates on older processors. */
#include <stdint.h>

#include "cycles.h"

#define RDHWR(value, number)                                                                       \
    __asm__ volatile(".set push\n\t.set mips32r2\n\trdhwr %0, $" number "\n\t.set pop"             \
                     : "=r"(value)                                                                 \
                     :                                                                             \
                     : "memory")

static inline uint64_t rdhwr_cc_read(void)
{
    uint32_t count;

    RDHWR(count, "2");
    return count;
}

static inline uint64_t rdhwr_ccres_read(void)
{
    uint32_t cycles;

    RDHWR(cycles, "3");
    return cycles;
}

static inline const struct cycles_counter *cycles_here(void)
{
    static const struct cycles_counter cc = {"rdhwr-cc", 32, 1, rdhwr_cc_read, rdhwr_ccres_read};

    return &cc;
}

#endif

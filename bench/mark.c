/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "mark.h"

/* A file of their own and different bodies (the operand ends up nowhere): no compiler inlines them,
 * takes the calls away or makes one of the two. */
__attribute__((noinline)) void cb_mark_begin(void)
{
    __asm__ volatile("" : : "i"(1) : "memory");
}

__attribute__((noinline)) void cb_mark_end(void)
{
    __asm__ volatile("" : : "i"(2) : "memory");
}

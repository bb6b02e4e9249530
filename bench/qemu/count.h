/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_QEMU_COUNT_H
#define CB_QEMU_COUNT_H

/*
 * What the plugin writes: records in the byte order of the machine both ends run on, a head and
 * then n items.
 *
 *   HELLO  n is COUNT_FORMAT; no items. First of all, once.
 *   BLOCK  n uint64_t: addresses of a translation block's instructions. The first BLOCK is number
 *          0, the next 1, and so on.
 *   RUN    n uint32_t: numbers of the blocks that were executed between marks, in order. Only
 *          blocks told of before.
 *   BEGIN  n is 0. Execution is at the begin mark; the mark's own block follows as executed.
 *   END    n is 0. Execution is at the end mark, whose block is not told of.
 *   FAULT  n is an enum count_fault; the last record.
 *
 * Both are only written between BEGIN and END, or before BEGIN: the driver's answer comes after
 * everything that belongs to it was written.
 */
#include <stdint.h>

#define COUNT_FORMAT 1u

enum count_tag {
    COUNT_HELLO = 0x43423031, /* an odd value, so that other output is not taken for it */
    COUNT_BLOCK,
    COUNT_RUN,
    COUNT_BEGIN,
    COUNT_END,
    COUNT_FAULT
};

enum count_fault {
    COUNT_FAULT_MEMORY, /* no memory for a block */
    COUNT_FAULT_THREAD  /* more than one thread ran between marks: no order */
};

struct count_head {
    uint32_t tag; /* enum count_tag */
    uint32_t n;
};

#endif

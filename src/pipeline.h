/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_PIPELINE_H
#define CB_PIPELINE_H

/*
 * Cycles that a core takes for a stream of instructions: caches and branch prediction are perfect.
 *
 * A stream is a sequence of indexes into an array of instructions, in which each distinct one is
 * there once. A branch is taken where the next address is not address + length. Fused pairs are one
 * instruction of class CLASS_AESF, with the length of both.
 */
#include <stddef.h>
#include <stdint.h>

#include "core.h"
#include "err.h"
#include "insn.h"
#include "wait.h"

/*
 * What an instruction is charged with, over all its executions. Charges of all instructions add up
 * to the cycles of the stream exactly.
 *
 * In order: by how much it moves the cycle of the latest issue. Up to the cycle in which width and
 * slots let it issue that is WAIT_ISSUE, and so are further cycles in which it holds the issue
 * stage itself; what is beyond is charged to the one thing that came last: the result (of a load,
 * of a multiplication, of anything else), the unit, or the taken branch before it. So the consumer
 * is charged for a latency, and the target for a branch.
 *
 * Out of order: by how much it moves the cycle of the latest retirement, which is in order. That is
 * charged to what held up its micro-operation that issued last:
 *   - waited for a unit: that unit, then its own latency, then what it waited for before
 *   - else waited for operands: its own latency, under the kind of its class, then these operands
 *   - else it issued at once: what held up dispatch (a full queue or reorder buffer, a unit that
 *     takes one micro-operation a cycle, a taken branch, width), then its own latency
 * each with as many cycles as it lasted, until the move is used up. A cycle more because only so
 * many retire at once is WAIT_ISSUE, and so is what nothing accounts for.
 */
struct pipeline_charge {
    uint64_t waits[WAITS];
    uint64_t units[CORE_UNITS]; /* waits[WAIT_UNIT], by the core's unit that was waited for */
};

struct pipeline_stream {
    const struct insn *insns;
    size_t ninsns;
    const uint32_t *order; /* indexes into insns, as executed */
    size_t n;
};

/*
 * From an empty pipeline to the last issue (in order) or retirement (out of order). charges: NULL,
 * or ninsns of them, which are added to; 10 million instructions take 0.2 s in order and 1 to
 * 2 s out of order, with charges or without. Memory goes with ninsns, not with n. Errors: a class
 * that the core's table lacks, named with the address; an instruction or index that is no such
 * thing.
 */
int pipeline_cycles(const struct core *c, const struct pipeline_stream *s,
                    struct pipeline_charge *charges, uint64_t *cycles, struct err *e);

/* The cost of an operation among others of its kind: the stream twice, less the stream once.
 * Charges are those of the second time, and add up to it. */
int pipeline_operation(const struct core *c, const struct pipeline_stream *s,
                       struct pipeline_charge *charges, uint64_t *cycles, struct err *e);

#endif

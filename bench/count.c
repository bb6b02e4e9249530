/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "count.h"

#include <stdint.h>

#include "mark.h"

/* Operations before the one that counts. The first does what is done once (dynamic choice of code,
 * tables made on demand); one more sees the state that an operation leaves behind. */
#define WARM_OPS 4
/* Copying code branches on addresses modulo a vector, a cache line or a page, never more. */
#define STACK_STEP 4096

struct counted {
    int warm_failed, failed; /* as op_explain wants them */
};

/* Not inlined: its frame is what count_on_aligned_stack puts to a known place. */
static __attribute__((noinline)) struct counted count_between_marks(struct op *o)
{
    struct counted r;

    r.warm_failed = o->run(o, WARM_OPS);
    cb_mark_begin();
    cb_mark_end();
    cb_mark_begin();
    r.failed = o->run(o, 1);
    cb_mark_end();
    return r;
}

/*
 * The kernel puts arguments and environment above the stack, so their length would move all frames:
 * code that works on local buffers takes other branches at other alignments.
 */
static __attribute__((noinline)) struct counted count_on_aligned_stack(struct op *o)
{
    volatile unsigned char here = 0;
    volatile unsigned char pad[((uintptr_t)&here & (STACK_STEP - 1)) + 1];

    pad[0] = here;
    (void)pad[0];
    return count_between_marks(o);
}

int count_run(const struct workload *w, const struct cipher *c, int encrypt, size_t bytes,
              struct fail *f)
{
    /* Holds the IV and the tag, which must lie at the same place whatever the stack does. */
    static struct op o;
    struct counted r;
    int rc = 0;

    if (op_open(&o, w, c, encrypt, bytes, f) != 0)
        return -1;
    if (op_rewind(&o, f) != 0) {
        op_close(&o);
        return -1;
    }
    r = count_on_aligned_stack(&o);
    if (r.warm_failed)
        rc = op_explain(&o, r.warm_failed, f);
    else if (r.failed)
        rc = op_explain(&o, r.failed, f);
    op_close(&o);
    return rc;
}

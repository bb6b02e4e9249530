/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "pipeline.h"

#include <stdlib.h>

#include "mem.h"
#include "pipeline_engine.h"

static const struct pipeline_engine *const engines[] = {
    [CORE_IN_ORDER] = &pipeline_inorder,
    [CORE_OUT_OF_ORDER] = &pipeline_ooo,
};

/* The stream so many times over; cycles and charges of the last time. */
static int last_pass(const struct core *c, const struct pipeline_stream *s, int passes,
                     struct pipeline_charge *charges, uint64_t *cycles, struct err *e)
{
    const struct pipeline_engine *engine = engines[c->kind];
    struct op_list l;
    struct pipeline_charge *unwanted = NULL;
    void *state = NULL;
    uint64_t before = 0;
    int rc = -1;
    if (op_list_make(c, s, &l, e))
        goto out;
    if (charges && passes > 1)
        unwanted = xcalloc(s->ninsns + 1, sizeof *unwanted);
    state = engine->start(c);
    for (int pass = 1; pass <= passes && s->n; pass++) {
        int is_last = pass == passes;
        before = engine->cycles(state);
        if (engine->run(state, l.ops, s->order, s->n, is_last ? NULL : &l.ops[s->order[0]],
                        is_last ? charges : unwanted, e))
            goto out;
    }
    *cycles = engine->cycles(state) - before;
    rc = 0;
out:
    if (state)
        engine->stop(state);
    free(unwanted);
    op_list_free(&l);
    return rc;
}

int pipeline_cycles(const struct core *c, const struct pipeline_stream *s,
                    struct pipeline_charge *charges, uint64_t *cycles, struct err *e)
{
    return last_pass(c, s, 1, charges, cycles, e);
}

/* What comes after an instruction does not change when it issues or retires: where the first pass
 * ends inside the two is where it ends alone. */
int pipeline_operation(const struct core *c, const struct pipeline_stream *s,
                       struct pipeline_charge *charges, uint64_t *cycles, struct err *e)
{
    return last_pass(c, s, 2, charges, cycles, e);
}

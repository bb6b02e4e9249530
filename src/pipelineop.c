/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "pipelineop.h"

#include <inttypes.h>

static int insn_check(const struct insn *x, struct err *e)
{
    int bad = x->class >= CLASSES || x->nsources > INSN_OPERANDS ||
              x->ndestinations > INSN_OPERANDS || x->n < 1 || x->n > INSN_OPERANDS;
    for (int i = 0; i < x->nsources && !bad; i++)
        bad = x->sources[i].reg >= INSN_REGISTERS || x->sources[i].kind >= SOURCE_KINDS;
    for (int i = 0; i < x->ndestinations && !bad; i++)
        bad = x->destinations[i].reg >= INSN_REGISTERS || x->destinations[i].kind > INSN_OPERANDS;
    if (bad)
        return err_set(e, "the instruction at 0x%" PRIx64 " is decoded to what no instruction is",
                       x->address);
    return 0;
}

static void sources_make(const struct core_class *k, const struct insn *x, struct arena *memory,
                         struct op *op)
{
    op->sources = arena_take(memory, x->nsources * sizeof *op->sources);
    op->nsources = x->nsources;
    for (int i = 0; i < x->nsources; i++)
        op->sources[i] = (struct op_source){
            .reg = x->sources[i].reg,
            .is_address = x->sources[i].kind == SOURCE_ADDRESS,
            .read = (int16_t)k->read[x->sources[i].kind],
        };
}

/* Cycles from issue to the index-th result. */
static int result_after(const struct core_class *k, int index, int groups)
{
    if (k->group_together)
        return k->latency + groups - 1;
    return k->latency + (k->group ? index / k->group * k->group_latency : 0);
}

/* 1 when a base register is written back. */
static int results_make(const struct core_class *k, const struct insn *x, int groups,
                        struct arena *memory, struct op *op)
{
    int writes_base = 0;
    op->results = arena_take(memory, x->ndestinations * sizeof *op->results);
    op->nresults = x->ndestinations;
    for (int i = 0; i < x->ndestinations; i++) {
        int kind = x->destinations[i].kind, is_base = kind == DESTINATION_BASE;
        int index = kind >= 2 ? kind - 1 : 0;
        op->results[i] = (struct op_result){
            .reg = x->destinations[i].reg,
            .is_base = (uint8_t)is_base,
            .latency = (int16_t)(is_base ? k->base_latency : k->latency),
            .after = is_base ? k->base_latency : result_after(k, index, groups),
        };
        writes_base |= is_base;
    }
    return writes_base;
}

static void uses_make(const struct core *c, const struct core_class *k, int groups, int writes_base,
                      struct arena *memory, struct op *op)
{
    size_t repeats = k->group_units ? (size_t)groups : 1, n = 0;
    int in_order = c->kind == CORE_IN_ORDER;
    op->uses = arena_take(memory, (k->nuses * repeats + 2) * sizeof *op->uses);
    for (size_t r = 0; r < (in_order ? 1 : repeats); r++)
        for (size_t i = 0; i < k->nuses; i++) {
            uint32_t busy = k->uses[i].busy;
            if (in_order)
                busy *= (uint32_t)repeats; /* the same unit, for one group after the other */
            op->uses[n++] = (struct op_use){.units = k->uses[i].units, .busy = busy};
        }
    if (writes_base && c->writeback)
        op->uses[n++] = (struct op_use){.units = c->writeback, .busy = 1, .is_base = 1};
    if (!n && !in_order)
        op->uses[n++] = (struct op_use){.busy = 1};
    op->nuses = (uint16_t)n;
}

static void op_make(const struct core *c, const struct insn *x, struct arena *memory, struct op *op)
{
    const struct core_class *k = &c->classes[x->class];
    int groups = k->group ? (x->n + k->group - 1) / k->group : 1;
    *op = (struct op){
        .address = x->address,
        .next = x->address + x->length,
        .class = x->class,
        .is_known = (uint8_t)k->present,
        .wait = (uint8_t)wait_for_class((enum insn_class)x->class),
        .slots = (uint8_t)k->slots,
        .issue_cycles = k->group_pipelined ? 1 : k->issue_cycles * groups,
    };
    if (!k->present)
        return;
    sources_make(k, x, memory, op);
    uses_make(c, k, groups, results_make(k, x, groups, memory, op), memory, op);
}

static int stream_check(const struct core *c, const struct pipeline_stream *s, const struct op *ops,
                        struct err *e)
{
    for (size_t i = 0; i < s->n; i++) {
        if (s->order[i] >= s->ninsns)
            return err_set(e, "instruction number %" PRIu32 " of a stream that has %zu",
                           s->order[i], s->ninsns);
        const struct op *op = &ops[s->order[i]];
        if (!op->is_known)
            return err_set(e,
                           "the table of core %s (version %d) lacks the class '%s' (%s) of the "
                           "instruction at 0x%" PRIx64,
                           c->name, c->version, insn_class_name((enum insn_class)op->class),
                           insn_class_summary((enum insn_class)op->class), op->address);
    }
    return 0;
}

int op_list_make(const struct core *c, const struct pipeline_stream *s, struct op_list *out,
                 struct err *e)
{
    *out = (struct op_list){0};
    out->ops = arena_take(&out->memory, s->ninsns * sizeof *out->ops);
    for (size_t i = 0; i < s->ninsns; i++) {
        if (insn_check(&s->insns[i], e))
            return -1;
        op_make(c, &s->insns[i], &out->memory, &out->ops[i]);
    }
    return stream_check(c, s, out->ops, e);
}

void op_list_free(struct op_list *l)
{
    arena_free(&l->memory);
    l->ops = NULL;
}

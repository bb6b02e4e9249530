/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "pipelineop.h"

#include <inttypes.h>
#include <stdlib.h>

#include "mem.h"

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

static int groups_of(const struct core_class *k, const struct insn *x)
{
    return k->group ? (x->n + k->group - 1) / k->group : 1;
}

/* Out of order each group has micro-operations of its own; in order it has the same unit, one after
 * the other. */
static size_t repeats_of(const struct core *c, const struct core_class *k, int groups)
{
    return c->kind == CORE_OUT_OF_ORDER && k->group_units ? (size_t)groups : 1;
}

static void sources_make(const struct core_class *k, const struct insn *x, struct op_source *out)
{
    for (int i = 0; i < x->nsources; i++)
        out[i] = (struct op_source){
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

static void results_make(const struct core_class *k, const struct insn *x, int groups,
                         struct op_result *out)
{
    for (int i = 0; i < x->ndestinations; i++) {
        int kind = x->destinations[i].kind, is_base = kind == DESTINATION_BASE;
        int index = kind >= 2 ? kind - 1 : 0;
        out[i] = (struct op_result){
            .reg = x->destinations[i].reg,
            .is_base = (uint8_t)is_base,
            .latency = (int16_t)(is_base ? k->base_latency : k->latency),
            .after = is_base ? k->base_latency : result_after(k, index, groups),
        };
    }
}

static int writes_base(const struct insn *x)
{
    for (int i = 0; i < x->ndestinations; i++)
        if (x->destinations[i].kind == DESTINATION_BASE)
            return 1;
    return 0;
}

/* How many there are. */
static size_t uses_make(const struct core *c, const struct core_class *k, const struct insn *x,
                        int groups, struct op_use *out)
{
    size_t repeats = repeats_of(c, k, groups), n = 0;
    uint32_t times = c->kind == CORE_IN_ORDER && k->group_units ? (uint32_t)groups : 1;
    for (size_t r = 0; r < repeats; r++)
        for (size_t i = 0; i < k->nuses; i++)
            out[n++] = (struct op_use){.units = k->uses[i].units, .busy = k->uses[i].busy * times};
    if (c->writeback && writes_base(x))
        out[n++] = (struct op_use){.units = c->writeback, .busy = 1, .is_base = 1};
    if (!n && c->kind == CORE_OUT_OF_ORDER)
        out[n++] = (struct op_use){.busy = 1};
    return n;
}

/* Arrays that hold what all instructions need. */
static void list_allocate(const struct core *c, const struct pipeline_stream *s,
                          struct op_list *out)
{
    size_t sources = 1, results = 1, uses = 1; /* never of no size */
    for (size_t i = 0; i < s->ninsns; i++) {
        const struct insn *x = &s->insns[i];
        const struct core_class *k = &c->classes[x->class];
        sources += x->nsources;
        results += x->ndestinations;
        uses += k->nuses * repeats_of(c, k, groups_of(k, x)) + 1;
    }
    out->ops = xcalloc(s->ninsns + 1, sizeof *out->ops);
    out->sources = xcalloc(sources, sizeof *out->sources);
    out->results = xcalloc(results, sizeof *out->results);
    out->uses = xcalloc(uses, sizeof *out->uses);
}

static void list_fill(const struct core *c, const struct pipeline_stream *s, struct op_list *out)
{
    struct op_source *sources = out->sources;
    struct op_result *results = out->results;
    struct op_use *uses = out->uses;
    for (size_t i = 0; i < s->ninsns; i++) {
        const struct insn *x = &s->insns[i];
        const struct core_class *k = &c->classes[x->class];
        int groups = groups_of(k, x);
        sources_make(k, x, sources);
        results_make(k, x, groups, results);
        size_t nuses = uses_make(c, k, x, groups, uses);
        out->ops[i] = (struct op){
            .address = x->address,
            .next = x->address + x->length,
            .sources = sources,
            .results = results,
            .uses = uses,
            .nsources = x->nsources,
            .nresults = x->ndestinations,
            .nuses = (uint16_t)nuses,
            .class = x->class,
            .is_known = (uint8_t)k->present,
            .wait = (uint8_t)wait_for_class((enum insn_class)x->class),
            .slots = (uint8_t)k->slots,
            .issue_cycles = k->group_pipelined ? 1 : k->issue_cycles * groups,
        };
        sources += x->nsources;
        results += x->ndestinations;
        uses += nuses;
    }
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
    for (size_t i = 0; i < s->ninsns; i++)
        if (insn_check(&s->insns[i], e))
            return -1;
    list_allocate(c, s, out);
    list_fill(c, s, out);
    return stream_check(c, s, out->ops, e);
}

void op_list_free(struct op_list *l)
{
    free(l->ops);
    free(l->sources);
    free(l->results);
    free(l->uses);
    *l = (struct op_list){0};
}

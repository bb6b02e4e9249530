/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */

/* In-order issue of up to two instructions a cycle, as on Cortex-A53, Cortex-A7 and MIPS 24K. */
#include <stdlib.h>

#include "mem.h"
#include "pipeline_engine.h"

struct inorder {
    int width, taken_branch;
    int64_t cycle;    /* in which the latest instruction issued, or let go of the issue stage */
    int64_t redirect; /* nothing issues before: a branch was taken */
    int issued;       /* in that cycle */
    int first_slots;  /* that the first of them may have */
    int is_full;      /* nothing else issues in that cycle */
    int is_empty;     /* nothing has issued yet */
    int64_t ready[INSN_REGISTERS];
    int64_t free_from[CORE_UNITS];
    uint8_t writer[INSN_REGISTERS]; /* enum wait, for charges */
};

/* The time an instruction issues at, and what made it so late. */
struct moment {
    int64_t t;
    enum wait wait;
    int unit; /* for WAIT_UNIT */
};

static inline void not_before(struct moment *m, int64_t t, enum wait wait, int unit)
{
    if (t > m->t)
        *m = (struct moment){t, wait, unit};
}

/* 1 when width and slots let it issue in the current cycle. */
static inline int fits(const struct inorder *p, const struct op *op)
{
    if (p->is_full || p->issued >= p->width)
        return 0;
    if (!p->issued)
        return 1;
    int a = p->first_slots, b = op->slots;
    return (a & SLOT_FIRST && b & SLOT_SECOND) || (a & SLOT_SECOND && b & SLOT_FIRST);
}

/* Of the alternatives the one that is free first; of several, that of the lowest number. */
static inline int unit_choose(const struct inorder *p, unsigned units)
{
    int best = __builtin_ctz(units);
    for (units &= units - 1; units; units &= units - 1) {
        int u = __builtin_ctz(units);
        if (p->free_from[u] < p->free_from[best])
            best = u;
    }
    return best;
}

static inline void charge(struct pipeline_charge *to, const struct inorder *p,
                          const struct moment *m, int64_t earliest, int issue_cycles)
{
    to->waits[WAIT_ISSUE] += (uint64_t)(earliest - p->cycle + p->is_empty + issue_cycles - 1);
    to->waits[m->wait] += (uint64_t)(m->t - earliest);
    if (m->wait == WAIT_UNIT)
        to->units[m->unit] += (uint64_t)(m->t - earliest);
}

/* The cycle it issues in. */
static inline int64_t issue(struct inorder *p, const struct op *op, struct pipeline_charge *to)
{
    int unit[CORE_USES];
    int64_t earliest = fits(p, op) ? p->cycle : p->cycle + 1;
    struct moment m = {earliest, WAIT_ISSUE, 0};

    not_before(&m, p->redirect, WAIT_BRANCH, 0);
    for (int i = 0; i < op->nsources; i++)
        not_before(&m, p->ready[op->sources[i].reg] - op->sources[i].read,
                   (enum wait)p->writer[op->sources[i].reg], 0);
    /* Results of one register come in program order. */
    for (int i = 0; i < op->nresults; i++)
        not_before(&m, p->ready[op->results[i].reg] - op->results[i].latency,
                   (enum wait)p->writer[op->results[i].reg], 0);
    for (int i = 0; i < op->nuses; i++) {
        unit[i] = unit_choose(p, op->uses[i].units);
        not_before(&m, p->free_from[unit[i]], WAIT_UNIT, unit[i]);
    }

    if (to)
        charge(to, p, &m, earliest, op->issue_cycles);
    if (m.t > p->cycle) {
        p->cycle = m.t;
        p->issued = 0;
        p->is_full = 0;
    }
    p->is_empty = 0;
    if (!p->issued++)
        p->first_slots = op->slots;
    if (op->slots == SLOT_ALONE)
        p->is_full = 1;
    if (op->issue_cycles > 1) {
        p->cycle = m.t + op->issue_cycles - 1;
        p->is_full = 1;
    }
    for (int i = 0; i < op->nuses; i++)
        p->free_from[unit[i]] = m.t + op->uses[i].busy;
    for (int i = 0; i < op->nresults; i++) {
        p->ready[op->results[i].reg] = m.t + op->results[i].after;
        p->writer[op->results[i].reg] = op->results[i].is_base ? WAIT_RESULT : op->wait;
    }
    return m.t;
}

static int run(void *state, const struct op *ops, const uint32_t *order, size_t n,
               const struct op *next, struct pipeline_charge *charges, struct err *e)
{
    struct inorder *p = state;
    (void)e; /* has no limits */
    for (size_t i = 0; i < n; i++) {
        const struct op *op = &ops[order[i]], *then = i + 1 < n ? &ops[order[i + 1]] : next;
        int64_t t = issue(p, op, charges ? &charges[order[i]] : NULL);
        if (then && then->address != op->next)
            p->redirect = t + 1 + p->taken_branch;
    }
    return 0;
}

static void *start(const struct core *c)
{
    struct inorder *p = xcalloc(1, sizeof *p);
    p->width = c->width;
    p->taken_branch = c->taken_branch;
    p->is_empty = 1;
    for (int i = 0; i < INSN_REGISTERS; i++)
        p->writer[i] = WAIT_RESULT;
    return p;
}

static uint64_t cycles(const void *state)
{
    const struct inorder *p = state;
    return p->is_empty ? 0 : (uint64_t)p->cycle + 1;
}

const struct pipeline_engine pipeline_inorder = {start, run, cycles, free};

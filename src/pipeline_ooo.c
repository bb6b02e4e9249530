/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */

/*
 * Out-of-order issue from one queue per port, or per few ports, as on Cortex-A57, Cortex-A72 and
 * Cortex-A9. Program order is walked once: since nothing that follows can delay what came before,
 * the issue cycle of a micro-operation is known when it is dispatched.
 */
#include <stdlib.h>

#include "mem.h"
#include "pipeline_engine.h"

/* Cycles ahead of dispatch that ports can be reserved in: at first, and at most. A 128-entry buffer
 * full of divisions on Cortex-A57 is 2432. Results of a table that needs more are no cycles of any
 * core; 16 ports have 32 MiB then. */
#define AHEAD_FIRST (INT64_C(1) << 10)
#define AHEAD_MOST  (INT64_C(1) << 18)

struct queue {
    int entries, in_order;
    int oldest; /* index of the first of issues */
    /* Issue cycles of the latest so many micro-operations, a ring in ascending order. One that is
     * not after the current cycle has left the queue. */
    int64_t issues[CORE_QUEUE_MAX];
    int64_t last_issue; /* latest so far */
};

/* Why dispatch stood still, and for how long. */
struct stalls {
    int64_t width, branch, full, unit;
    int which; /* unit */
};

struct ooo {
    const struct core *core;
    int64_t dispatch; /* current cycle of it */
    int dispatched;   /* micro-operations in that cycle */
    unsigned fed;     /* queues that have got theirs in that cycle, as bits */
    int64_t redirect; /* nothing is dispatched before: a branch was taken */
    unsigned turn;    /* of alternatives */

    int64_t *left;  /* reorder buffer, a ring: when the entry's last owner retired */
    size_t oldest;  /* entry to be used next */
    int64_t retire; /* latest cycle in which an instruction retired */
    int retired;    /* instructions in that cycle */

    int64_t ready[INSN_REGISTERS];
    uint8_t writer[INSN_REGISTERS]; /* enum wait, for charges */
    struct queue queues[CORE_UNITS];

    /* Cycle t of a port is taken when ahead[t mod size] is t. What is not after dispatch is never
     * asked for again. */
    int64_t *ahead[CORE_UNITS];
    int64_t ahead_size;   /* power of two */
    struct stalls stalls; /* for charges; since the last instruction */
};

/* A micro-operation on its way. */
struct passage {
    int64_t dispatched, ready, in_turn, issued;
    enum wait operand; /* that it was ready no sooner for */
    int port;          /* -1: none */
};

static inline void dispatch_move(struct ooo *p, int64_t to)
{
    if (to > p->dispatch) {
        p->dispatch = to;
        p->dispatched = 0;
        p->fed = 0;
    }
}

static inline void stall(struct ooo *p, int64_t to, int64_t *reason)
{
    if (to > p->dispatch) {
        *reason += to - p->dispatch;
        dispatch_move(p, to);
    }
}

/* The port of the alternatives whose turn it is; those after it are the ones above it, and from
 * the lowest again. */
static inline unsigned ports_from_turn(const struct ooo *p, unsigned units)
{
    unsigned n = (unsigned)__builtin_popcount(units);
    for (unsigned skip = n == 2 ? p->turn & 1 : p->turn % n; skip; skip--)
        units &= units - 1;
    return units;
}

/* Where a micro-operation waits is settled when it is dispatched: alternatives take turns, and one
 * that can take none now is passed over. */
static inline int port_choose(struct ooo *p, unsigned units)
{
    int alone = !(units & (units - 1));
    for (;;) {
        int64_t again = INT64_MAX;
        int busy = -1;
        unsigned upper = alone ? units : ports_from_turn(p, units), rest = upper;
        while (rest) {
            int port = __builtin_ctz(rest), number = p->core->queue_of[port];
            const struct queue *q = &p->queues[number];
            int64_t when = q->issues[q->oldest];
            if (p->fed >> number & 1) {
                again = p->dispatch + 1;
                busy = port;
            } else if (when <= p->dispatch) {
                p->turn += !alone;
                return port;
            } else if (when < again) {
                again = when;
            }
            rest &= rest - 1;
            if (!rest) {
                rest = units & ~upper;
                upper = units;
            }
        }
        if (busy >= 0) {
            p->stalls.which = busy;
            stall(p, again, &p->stalls.unit);
        } else {
            stall(p, again, &p->stalls.full);
        }
    }
}

/* Room for a reservation until end. */
static int ahead_grow(struct ooo *p, int64_t end, struct err *e)
{
    int64_t size = p->ahead_size;
    while (end - p->dispatch >= size)
        size *= 2;
    if (size > AHEAD_MOST)
        return err_set(e,
                       "the table of core %s (version %d) lets instructions wait for more than %d "
                       "cycles; no core does",
                       p->core->name, p->core->version, (int)AHEAD_MOST);
    for (size_t u = 0; u < p->core->nunits; u++) {
        int64_t *ring = xcalloc((size_t)size, sizeof *ring);
        for (int64_t i = 0; i < p->ahead_size; i++) {
            int64_t t = p->ahead[u][i];
            if (t > p->dispatch)
                ring[t & (size - 1)] = t;
        }
        free(p->ahead[u]);
        p->ahead[u] = ring;
    }
    p->ahead_size = size;
    return 0;
}

/* First cycle from t on that the port is free in for so long; takes it. -1 on error. */
static inline int64_t port_reserve(struct ooo *p, int port, int64_t t, int64_t busy, struct err *e)
{
    for (int64_t i = 0; i < busy;) {
        if (p->ahead[port][(t + i) & (p->ahead_size - 1)] == t + i) {
            t += i + 1;
            i = 0;
        } else {
            i++;
        }
    }
    if (t + busy - p->dispatch >= p->ahead_size && ahead_grow(p, t + busy, e))
        return -1;
    for (int64_t i = 0; i < busy; i++)
        p->ahead[port][(t + i) & (p->ahead_size - 1)] = t + i;
    return t;
}

/* In place of the oldest, which has left. */
static inline void queue_enter(struct queue *q, int64_t issue)
{
    int at = q->oldest;
    if (++q->oldest == q->entries)
        q->oldest = 0;
    while (at != q->oldest) {
        int before = (at ? at : q->entries) - 1;
        if (q->issues[before] <= issue)
            break;
        q->issues[at] = q->issues[before];
        at = before;
    }
    q->issues[at] = issue;
    if (issue > q->last_issue)
        q->last_issue = issue;
}

/* Room in the dispatch group, the reorder buffer and a queue; the port, -1 when it needs none. */
static inline int use_dispatch(struct ooo *p, const struct op_use *use)
{
    if (p->dispatched >= p->core->width)
        stall(p, p->dispatch + 1, &p->stalls.width);
    stall(p, p->left[p->oldest] + 1, &p->stalls.full);
    if (++p->oldest == (size_t)p->core->entries)
        p->oldest = 0;
    int port = use->units ? port_choose(p, use->units) : -1;
    if (port >= 0)
        p->fed |= 1u << p->core->queue_of[port];
    p->dispatched++;
    return port;
}

static inline int use_issue(struct ooo *p, const struct op *op, const struct op_use *use, int port,
                            struct passage *w, struct err *e)
{
    *w = (struct passage){.ready = p->dispatch + 1, .operand = WAIT_RESULT, .port = port};
    w->dispatched = p->dispatch;
    for (int i = 0; i < op->nsources; i++) {
        const struct op_source *s = &op->sources[i];
        int64_t t = p->ready[s->reg] - s->read;
        if (t > w->ready && (!use->is_base || s->is_address)) {
            w->ready = t;
            w->operand = (enum wait)p->writer[s->reg];
        }
    }
    w->in_turn = w->issued = w->ready;
    if (port < 0)
        return 0;
    struct queue *q = &p->queues[p->core->queue_of[port]];
    if (q->in_order && q->last_issue > w->in_turn)
        w->in_turn = q->last_issue;
    w->issued = port_reserve(p, port, w->in_turn, use->busy, e);
    if (w->issued < 0)
        return -1;
    queue_enter(q, w->issued);
    return 0;
}

/* When all micro-operations of an instruction have issued. */
struct issues {
    int64_t first, last, base; /* base: of the one for the base register; -1: there is none */
};

/* The cycle in which the instruction is done. */
static inline int64_t results_write(struct ooo *p, const struct op *op, const struct issues *at)
{
    int64_t done = at->last + 1;
    for (int i = 0; i < op->nresults; i++) {
        const struct op_result *r = &op->results[i];
        int64_t t = at->first + r->after;
        if (r->is_base)
            t = at->base >= 0 ? at->base + 1 : t;
        else if (t < at->last + 1)
            t = at->last + 1;
        p->ready[r->reg] = t;
        p->writer[r->reg] = r->is_base ? WAIT_RESULT : op->wait;
        if (t > done)
            done = t;
    }
    return done;
}

/* The cycle it retires in. */
static inline int64_t retire(struct ooo *p, int64_t done)
{
    if (done > p->retire) {
        p->retire = done;
        p->retired = 1;
    } else if (++p->retired > p->core->retire) {
        p->retire++;
        p->retired = 1;
    }
    return p->retire;
}

/* Takes up to so many cycles of what is left to be charged. */
static inline void take(struct pipeline_charge *to, int64_t *rest, enum wait wait, int64_t most,
                        int unit)
{
    int64_t n = most < *rest ? most : *rest;
    *rest -= n;
    to->waits[wait] += (uint64_t)n;
    if (wait == WAIT_UNIT)
        to->units[unit] += (uint64_t)n;
}

static void take_stalls(struct pipeline_charge *to, int64_t *rest, const struct stalls *s)
{
    take(to, rest, WAIT_QUEUE, s->full, 0);
    take(to, rest, WAIT_UNIT, s->unit, s->which);
    take(to, rest, WAIT_BRANCH, s->branch, 0);
    take(to, rest, WAIT_ISSUE, s->width, 0);
}

/* As pipeline.h says. w: the passage that issued last; before: the latest retirement before. */
static void charge(struct pipeline_charge *to, const struct ooo *p, const struct op *op,
                   const struct passage *w, int64_t done, int64_t before)
{
    int64_t rest = p->retire - before, own = done - w->issued;
    int64_t operands = w->ready - w->dispatched - 1;
    if (!rest)
        return;
    if (done > before) {
        if (w->issued == w->ready && !operands)
            take_stalls(to, &rest, &p->stalls);
        take(to, &rest, WAIT_UNIT, w->issued - w->in_turn, w->port);
        take(to, &rest, WAIT_ISSUE, w->in_turn - w->ready, 0);
        take(to, &rest, (enum wait)op->wait, own, 0);
        take(to, &rest, w->operand, operands, 0);
        if (w->issued != w->ready || operands)
            take_stalls(to, &rest, &p->stalls);
    }
    to->waits[WAIT_ISSUE] += (uint64_t)rest;
}

static inline int step(struct ooo *p, const struct op *op, struct pipeline_charge *to,
                       struct err *e)
{
    struct issues at = {-1, -1, -1};
    struct passage latest = {.issued = -1};
    size_t entry = p->oldest;
    p->stalls = (struct stalls){0};
    stall(p, p->redirect, &p->stalls.branch);
    for (int i = 0; i < op->nuses; i++) {
        struct passage w;
        int port = use_dispatch(p, &op->uses[i]);
        if (use_issue(p, op, &op->uses[i], port, &w, e))
            return -1;
        if (op->uses[i].is_base) {
            at.base = w.issued;
        } else {
            if (at.first < 0)
                at.first = w.issued;
            if (w.issued > at.last)
                at.last = w.issued;
        }
        if (w.issued >= latest.issued)
            latest = w;
    }
    if (at.first < 0)
        at.first = at.last = at.base;
    int64_t before = p->retire, done = results_write(p, op, &at), left = retire(p, done);
    for (int i = 0; i < op->nuses; i++) {
        p->left[entry] = left;
        if (++entry == (size_t)p->core->entries)
            entry = 0;
    }
    if (to)
        charge(to, p, op, &latest, done, before);
    return 0;
}

static int run(void *state, const struct op *ops, const uint32_t *order, size_t n,
               const struct op *next, struct pipeline_charge *charges, struct err *e)
{
    struct ooo *p = state;
    for (size_t i = 0; i < n; i++) {
        const struct op *op = &ops[order[i]], *then = i + 1 < n ? &ops[order[i + 1]] : next;
        if (step(p, op, charges ? &charges[order[i]] : NULL, e))
            return -1;
        if (then && then->address != op->next)
            p->redirect = p->dispatch + 1 + p->core->taken_branch;
    }
    return 0;
}

static void *start(const struct core *c)
{
    struct ooo *p = xcalloc(1, sizeof *p);
    p->core = c;
    p->left = xcalloc((size_t)c->entries, sizeof *p->left);
    for (int i = 0; i < c->entries; i++)
        p->left[i] = -1;
    for (int i = 0; i < INSN_REGISTERS; i++)
        p->writer[i] = WAIT_RESULT;
    for (size_t i = 0; i < c->nqueues; i++) {
        p->queues[i].entries = c->queues[i].entries;
        p->queues[i].in_order = c->queues[i].in_order;
    }
    p->ahead_size = AHEAD_FIRST;
    for (size_t u = 0; u < c->nunits; u++)
        p->ahead[u] = xcalloc((size_t)p->ahead_size, sizeof *p->ahead[u]);
    return p;
}

static uint64_t cycles(const void *state)
{
    const struct ooo *p = state;
    return (uint64_t)p->retire;
}

static void stop(void *state)
{
    struct ooo *p = state;
    for (size_t u = 0; u < CORE_UNITS; u++)
        free(p->ahead[u]);
    free(p->left);
    free(p);
}

const struct pipeline_engine pipeline_ooo = {start, run, cycles, stop};

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "tally.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"

enum {
    /* The driver has some 10^5 blocks, and QEMU translates each a few times at most. */
    BLOCKS_MAX = 1 << 22,
    ADDRESSES_MAX = 1 << 26,
};

enum interval { EMPTY, OPERATION, INTERVALS };

struct block {
    size_t first, n;             /* of addresses */
    int is_touched;              /* in the list of such */
    uint64_t times[INTERVALS];   /* executed */
    uint64_t repeats[INTERVALS]; /* executions that began by going on with a string instruction */
};

struct tally {
    int has_strings; /* the machine has repeated string instructions */
    uint64_t last;   /* address of the instruction executed last between marks */
    struct block *blocks;
    size_t nblocks, blocks_room;
    uint64_t *addresses;
    size_t naddresses, addresses_room;
    uint32_t *touched; /* blocks with any times */
    size_t ntouched, touched_room;
    enum interval at; /* the one under way, or next */
    int active;       /* between marks */
    int want_trace;
    uint32_t *trace; /* of the operation */
    size_t ntrace, trace_room;
    int trace_cut;
};

struct tally *tally_new(int machine)
{
    struct tally *t = xcalloc(1, sizeof *t);

    t->has_strings = machine == EM_X86_64 || machine == EM_386;
    return t;
}

void tally_free(struct tally *t)
{
    if (t == NULL)
        return;
    free(t->blocks);
    free(t->addresses);
    free(t->touched);
    free(t->trace);
    free(t);
}

/* Room for one more element. */
static void *grow(void *p, size_t n, size_t *room, size_t size)
{
    if (n < *room)
        return p;
    *room = *room ? 2 * *room : 1024;
    return xreallocarray(p, *room, size);
}

int tally_block(struct tally *t, const uint64_t *addresses, size_t n, uint32_t *number,
                struct err *e)
{
    if (n == 0)
        return err_set(e, "a translation block without instructions");
    if (t->nblocks == BLOCKS_MAX || n > ADDRESSES_MAX - t->naddresses)
        return err_set(e, "more than %d translation blocks or %d instructions in them", BLOCKS_MAX,
                       ADDRESSES_MAX);
    t->blocks = grow(t->blocks, t->nblocks, &t->blocks_room, sizeof *t->blocks);
    t->blocks[t->nblocks] = (struct block){.first = t->naddresses, .n = n};
    for (size_t i = 0; i < n; i++) {
        t->addresses = grow(t->addresses, t->naddresses, &t->addresses_room, sizeof *t->addresses);
        t->addresses[t->naddresses++] = addresses[i];
    }
    *number = (uint32_t)t->nblocks++;
    return 0;
}

int tally_begin(struct tally *t, struct err *e)
{
    if (t->active)
        return err_set(e, "two begin marks without an end mark between them");
    if (t->at == INTERVALS)
        return err_set(e, "a begin mark that nobody asked for");
    t->active = 1;
    t->last = UINT64_MAX;
    return 0;
}

int tally_end(struct tally *t, struct err *e)
{
    if (!t->active)
        return err_set(e, "an end mark without a begin mark");
    t->active = 0;
    t->at++;
    return 0;
}

static void trace_add(struct tally *t, uint32_t number)
{
    t->trace_cut |= t->ntrace == TALLY_TRACE_MAX;
    if (t->trace_cut)
        return;
    t->trace = grow(t->trace, t->ntrace, &t->trace_room, sizeof *t->trace);
    t->trace[t->ntrace++] = number;
}

int tally_run(struct tally *t, uint32_t number, struct err *e)
{
    struct block *b;

    if (!t->active)
        return 0;
    if (number >= t->nblocks)
        return err_set(e, "block %u was executed, only %zu were translated", number, t->nblocks);
    b = &t->blocks[number];
    if (!b->is_touched) {
        b->is_touched = 1;
        t->touched = grow(t->touched, t->ntouched, &t->touched_room, sizeof *t->touched);
        t->touched[t->ntouched++] = number;
    }
    b->times[t->at]++;
    if (t->has_strings && t->addresses[b->first] == t->last)
        b->repeats[t->at]++;
    t->last = t->addresses[b->first + b->n - 1];
    if (t->want_trace && t->at == OPERATION)
        trace_add(t, number);
    return 0;
}

int tally_is_complete(const struct tally *t)
{
    return t->at == INTERVALS;
}

void tally_reset(struct tally *t)
{
    for (size_t i = 0; i < t->ntouched; i++) {
        struct block *b = &t->blocks[t->touched[i]];

        b->is_touched = 0;
        memset(b->times, 0, sizeof b->times);
        memset(b->repeats, 0, sizeof b->repeats);
    }
    t->ntouched = t->ntrace = 0;
    t->trace_cut = 0;
    t->active = 0;
    t->at = EMPTY;
}

void tally_want_trace(struct tally *t, int wanted)
{
    t->want_trace = wanted;
}

void count_free(struct count *c)
{
    for (size_t i = 0; i < c->nblocks; i++)
        free(c->blocks[i].addresses);
    free(c->functions);
    free(c->blocks);
    free(c->trace);
    *c = (struct count){0};
}

/* Adds what a block executed in an interval to its functions. */
static void block_attribute(const struct tally *t, const struct block *b, const struct symbols *s,
                            enum interval k, uint64_t *by_function)
{
    uint64_t low = 1, high = 0; /* nothing lies in it */
    size_t number = 0;

    for (size_t i = 0; i < b->n; i++) {
        uint64_t address = t->addresses[b->first + i];

        if (address < low || address >= high)
            number = symbols_range(s, address, &low, &high);
        by_function[number] += b->times[k] - (i == 0 ? b->repeats[k] : 0);
    }
}

static int function_compare(const void *a, const void *b)
{
    const struct count_function *x = a, *y = b;

    if (x->insns != y->insns)
        return x->insns < y->insns ? 1 : -1;
    return strcmp(x->name, y->name);
}

static int functions_make(const struct tally *t, const struct symbols *s, struct count *out,
                          struct err *e)
{
    size_t n = symbols_count(s);
    uint64_t *sums[INTERVALS] = {xcalloc(n, sizeof(uint64_t)), xcalloc(n, sizeof(uint64_t))};
    int rc = 0;

    for (size_t i = 0; i < t->ntouched; i++) {
        const struct block *b = &t->blocks[t->touched[i]];
        for (enum interval k = EMPTY; k < INTERVALS; k++)
            if (b->times[k] > 0)
                block_attribute(t, b, s, k, sums[k]);
    }
    out->functions = xcalloc(n, sizeof *out->functions);
    for (size_t i = 0; i < n && rc == 0; i++) {
        out->overhead += sums[EMPTY][i];
        if (sums[OPERATION][i] < sums[EMPTY][i]) {
            rc = err_set(e,
                         "%s has %llu instructions between marks with nothing between them, "
                         "%llu with an operation",
                         symbols_name(s, i), (unsigned long long)sums[EMPTY][i],
                         (unsigned long long)sums[OPERATION][i]);
            break;
        }
        uint64_t insns = sums[OPERATION][i] - sums[EMPTY][i];
        out->insns += insns;
        if (insns > 0)
            out->functions[out->nfunctions++] = (struct count_function){symbols_name(s, i), insns};
    }
    if (rc == 0 && out->insns == 0)
        rc = err_set(e, "no instructions between the marks");
    qsort(out->functions, out->nfunctions, sizeof *out->functions, function_compare);
    free(sums[EMPTY]);
    free(sums[OPERATION]);
    return rc;
}

static void trace_make(struct tally *t, struct count *out)
{
    uint32_t *index;

    if (!t->want_trace)
        return;
    out->trace_cut = t->trace_cut;
    if (t->trace_cut)
        return;
    index = xcalloc(t->nblocks + 1, sizeof *index);
    out->blocks = xcalloc(t->ntouched + 1, sizeof *out->blocks);
    for (size_t i = 0; i < t->ntouched; i++) {
        const struct block *b = &t->blocks[t->touched[i]];
        struct count_block *to = &out->blocks[out->nblocks];

        if (b->times[OPERATION] == 0)
            continue;
        to->addresses = xcalloc(b->n + 1, sizeof *to->addresses);
        memcpy(to->addresses, t->addresses + b->first, b->n * sizeof *to->addresses);
        to->n = b->n;
        index[t->touched[i]] = (uint32_t)out->nblocks++;
    }
    for (size_t i = 0; i < t->ntrace; i++)
        t->trace[i] = index[t->trace[i]];
    out->trace = t->trace;
    out->ntrace = t->ntrace;
    t->trace = NULL;
    t->ntrace = t->trace_room = 0;
    free(index);
}

int tally_take(struct tally *t, const struct symbols *s, struct count *out, struct err *e)
{
    int rc;

    *out = (struct count){0};
    if (!tally_is_complete(t))
        return err_set(e, "the marks were not passed twice");
    rc = functions_make(t, s, out, e);
    if (rc == 0)
        trace_make(t, out);
    else
        count_free(out);
    tally_reset(t);
    return rc;
}

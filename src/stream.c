/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "stream.h"

#include <stdlib.h>
#include <string.h>

#include "mem.h"

/* The driver's (bench/mark.c). */
static const char begin_mark[] = "cb_mark_begin";

void stream_free(struct stream *s)
{
    free(s->insns);
    free(s->times);
    free(s->order);
    *s = (struct stream){0};
}

/* Instructions in the trace. */
static int trace_length(const struct count *c, uint64_t *total, struct err *e)
{
    *total = 0;
    for (size_t i = 0; i < c->ntrace; i++) {
        if (c->trace[i] >= c->nblocks)
            return err_set(e, "the trace has block %u, and only %zu were kept", c->trace[i],
                           c->nblocks);
        if (c->blocks[c->trace[i]].n > STREAM_MAX - *total)
            return err_set(e, "the operation has more than %d instructions", STREAM_MAX);
        *total += c->blocks[c->trace[i]].n;
    }
    if (*total == 0)
        return err_set(e, "no trace of the operation was kept");
    if (*total < c->overhead || *total - c->overhead != c->insns)
        return err_set(e, "the trace has %llu instructions, where %llu and %llu were counted",
                       (unsigned long long)*total, (unsigned long long)c->insns,
                       (unsigned long long)c->overhead);
    return 0;
}

/* Instructions of the begin mark's function that the trace starts with. */
static int mark_length(const struct symbols *s, const struct count *c, uint64_t *length,
                       struct err *e)
{
    uint64_t mark, low, high;

    *length = 0;
    if (symbols_address(s, begin_mark, &mark))
        return err_set(e, "the driver has no function %s", begin_mark);
    symbols_range(s, mark, &low, &high);
    for (size_t i = 0; i < c->ntrace; i++) {
        const struct count_block *b = &c->blocks[c->trace[i]];

        for (size_t k = 0; k < b->n; k++) {
            if (b->addresses[k] < low || b->addresses[k] >= high)
                return 0;
            if (++*length > c->overhead)
                return err_set(e, "%s has more instructions in the trace than were counted",
                               begin_mark);
        }
    }
    return 0;
}

/* Numbers of the instructions of all blocks, one after the other; starts[i] is where block i's
 * begin. Caller owns *numbers. */
static int blocks_decode(struct decoder *d, const struct count *c, size_t *starts,
                         uint32_t **numbers, struct err *e)
{
    size_t total = 0, at = 0;

    for (size_t i = 0; i < c->nblocks; i++) {
        starts[i] = total;
        total += c->blocks[i].n;
    }
    *numbers = xcalloc(total + 1, sizeof **numbers);
    for (size_t i = 0; i < c->nblocks; i++)
        for (size_t k = 0; k < c->blocks[i].n; k++)
            if (decoder_at(d, c->blocks[i].addresses[k], &(*numbers)[at++], e))
                return err_prefix(e, "the trace is not of this driver: ");
    return 0;
}

/* The order, without `skip` instructions at the front and what is beyond `n`. */
static void order_fill(const struct count *c, const size_t *starts, const uint32_t *numbers,
                       uint64_t skip, uint64_t n, struct stream *out)
{
    out->order = xcalloc(n + 1, sizeof *out->order);
    for (size_t i = 0; i < c->ntrace && out->n < n; i++) {
        size_t length = c->blocks[c->trace[i]].n;
        const uint32_t *from = numbers + starts[c->trace[i]];

        if (skip >= length) {
            skip -= length;
            continue;
        }
        from += skip;
        length -= (size_t)skip;
        skip = 0;
        if (length > n - out->n)
            length = (size_t)n - out->n;
        memcpy(out->order + out->n, from, length * sizeof *from);
        out->n += length;
    }
    out->executed = out->n;
}

static int is_fused(const struct insn *a, const struct insn *b)
{
    uint8_t reg;

    if (a->class != CLASS_AESE || b->class != CLASS_AESMC || b->address != a->address + a->length ||
        !a->ndestinations || !b->ndestinations || !b->nsources)
        return 0;
    reg = a->destinations[0].reg;
    return b->destinations[0].reg == reg && b->sources[0].reg == reg;
}

/* Makes one of each pair. What follows an AESE is always the same instruction, so the first of a
 * pair tells the pair. */
static void pairs_fuse(struct stream *s)
{
    uint32_t *fused = xcalloc(s->ninsns + 1, sizeof *fused); /* by the first; 0: not yet */
    size_t room = s->ninsns, to = 0;

    for (size_t i = 0; i < s->n; i++, to++) {
        uint32_t first = s->order[i], second = i + 1 < s->n ? s->order[i + 1] : first;

        s->order[to] = first;
        if (s->insns[first].class != CLASS_AESE || !is_fused(&s->insns[first], &s->insns[second]))
            continue;
        if (!fused[first]) {
            if (s->ninsns == room) {
                room += 256;
                s->insns = xreallocarray(s->insns, room, sizeof *s->insns);
            }
            s->insns[s->ninsns] = s->insns[first];
            s->insns[s->ninsns].class = CLASS_AESF;
            s->insns[s->ninsns].length =
                (uint8_t)(s->insns[first].length + s->insns[second].length);
            fused[first] = (uint32_t)s->ninsns++;
        }
        s->order[to] = fused[first];
        i++;
    }
    s->n = to;
    free(fused);
}

int stream_make(struct decoder *d, const struct symbols *s, const struct count *c, int fuse_aes,
                struct stream *out, struct err *e)
{
    uint64_t total, mark;
    size_t *starts;
    uint32_t *numbers = NULL;
    const struct insn *insns;
    int rc;

    *out = (struct stream){0};
    if (trace_length(c, &total, e) || mark_length(s, c, &mark, e))
        return -1;
    starts = xcalloc(c->nblocks + 1, sizeof *starts);
    rc = blocks_decode(d, c, starts, &numbers, e);
    if (rc == 0) {
        order_fill(c, starts, numbers, mark, total - c->overhead, out);
        insns = decoder_insns(d, &out->ninsns);
        out->insns = xcalloc(out->ninsns + 1, sizeof *out->insns);
        memcpy(out->insns, insns, out->ninsns * sizeof *insns);
        if (fuse_aes)
            pairs_fuse(out);
        out->times = xcalloc(out->ninsns + 1, sizeof *out->times);
        for (size_t i = 0; i < out->n; i++)
            out->times[out->order[i]]++;
    }
    free(numbers);
    free(starts);
    return rc;
}

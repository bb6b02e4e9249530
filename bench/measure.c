/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "measure.h"

#include <inttypes.h>

#include "clock.h"
#include "cycles.h"

/* Least warm-up, in ns: a processor at rest takes some ms to get to speed, and an emulator has to
 * translate the code first. */
#define WARM_NS UINT64_C(10000000)
/* Each request starts with this part of a sample, untimed: other processes ran since the last one
 * and left their data in the caches. */
#define REWARM_PART 16
/* Work after which a clock that shows 0 ns for it is broken. */
#define ZERO_BYTES_MAX (UINT64_C(1) << 30)
#define ZERO_OPS_MAX   (UINT64_C(1) << 24)

/* What is kept between requests. */
static struct {
    struct op op;
    int open;
    uint64_t sample_ns; /* that ops was found for */
    uint64_t ops;       /* operations per sample */
    int off;            /* the last sample was too short (-1), too long (1), or neither */
} kept;

/*
 * The only place where time is taken. Nothing is written and nothing decided between the readings.
 * Cycles are read outside of the clock: the time is the same with and without them, even where
 * reading them is a system call, and what both clock readings add to them is part of the cost that
 * cycles.c knows and takes off.
 */
static int run_timed(struct op *o, uint64_t n, struct measure_sample *s, struct fail *f)
{
    int (*run)(struct op *, uint64_t) = o->run;
    struct cycles_reading first, last;
    uint64_t start, end;
    int failed;

    if (op_rewind(o, f) != 0)
        return -1;
    cycles_read(&first);
    start = clock_now();
    failed = run(o, n);
    end = clock_now();
    cycles_read(&last);
    if (failed)
        return op_explain(o, failed, f);
    if (end < start)
        return fail_set(f, FAIL_BAD_CLOCK,
                        CLOCK_NAME " moved backwards: %" PRIu64 " ns, then %" PRIu64 " ns", start,
                        end);
    s->ops = n;
    s->ns = end - start;
    s->cycles = cycles_between(&first, &last, s->ns);
    return 0;
}

/* Operations that fill sample_ns at ns_per_op, from 1 to most. */
static uint64_t ops_fill(double ns_per_op, uint64_t sample_ns, uint64_t most)
{
    double want = (double)sample_ns / ns_per_op;

    if (ns_per_op <= 0 || want >= (double)most)
        return most;
    return want < 1.0 ? 1 : (uint64_t)want;
}

/* Ten times n, no more than a run can have. */
static uint64_t ops_grown(const struct op *o, uint64_t n)
{
    return n > o->run_max / 10 ? o->run_max : 10 * n;
}

/*
 * Grows the count from 1 until a run fills at least half a sample and everything is warm. Of the
 * runs that long the fastest counts: another process may have come between in the others.
 */
static int ops_find(struct op *o, uint64_t sample_ns, uint64_t *ops, struct fail *f)
{
    uint64_t warm = sample_ns + WARM_NS;
    uint64_t n = 1, total = 0;
    double best = 0;

    for (;;) {
        struct measure_sample s = {0, 0, 0};
        double ns_per_op;
        int is_long;

        if (run_timed(o, n, &s, f) != 0)
            return -1;
        if (s.ns == 0 && (n >= ZERO_OPS_MAX || n >= ZERO_BYTES_MAX / o->bytes || n >= o->run_max))
            return fail_set(f, FAIL_BAD_CLOCK,
                            CLOCK_NAME " shows 0 ns for %" PRIu64 " operations of %lu bytes", n,
                            (unsigned long)o->bytes);
        ns_per_op = (double)s.ns / (double)n;
        is_long = s.ns >= sample_ns / 2 || n >= o->run_max;
        if (is_long && (best <= 0 || ns_per_op < best))
            best = ns_per_op;
        total += s.ns;
        if (is_long && total >= warm)
            break;
        n = ops_fill(ns_per_op, sample_ns, ops_grown(o, n));
    }
    *ops = ops_fill(best, sample_ns, ops_grown(o, n));
    return 0;
}

/* -1, 0, 1: a sample of that length is under half of, near, over twice what was asked for. */
static int sample_off(uint64_t ns, uint64_t sample_ns)
{
    if (ns < sample_ns / 2)
        return -1;
    return ns / 2 > sample_ns ? 1 : 0;
}

static int same_work(const struct op *o, const struct measure_request *r)
{
    return o->workload == r->workload && o->cipher == r->cipher && o->encrypt == r->encrypt &&
           o->bytes == r->bytes;
}

static int request_open(const struct measure_request *r, struct fail *f)
{
    if (kept.open && same_work(&kept.op, r) && kept.sample_ns == r->sample_ns)
        return 0;
    if (!kept.open || !same_work(&kept.op, r)) {
        measure_end();
        if (op_open(&kept.op, r->workload, r->cipher, r->encrypt, (size_t)r->bytes, f) != 0)
            return -1;
        kept.open = 1;
    }
    kept.sample_ns = r->sample_ns;
    kept.off = 0;
    return ops_find(&kept.op, r->sample_ns, &kept.ops, f);
}

static int samples_take(const struct measure_request *r, struct measure_sample *out, struct fail *f)
{
    struct measure_sample warm;

    if (run_timed(&kept.op, kept.ops / REWARM_PART + 1, &warm, f) != 0)
        return -1;
    for (uint64_t i = 0; i < r->count; i++) {
        uint64_t ns;
        int off;

        if (run_timed(&kept.op, kept.ops, &out[i], f) != 0)
            return -1;
        ns = out[i].ns;
        if (ns == 0)
            return fail_set(f, FAIL_BAD_CLOCK,
                            CLOCK_NAME " shows 0 ns for %" PRIu64
                                       " operations of %lu bytes that took longer before",
                            kept.ops, (unsigned long)kept.op.bytes);
        /* Two in a row, on the same side: a processor that got slower or faster for good, not
         * another process that came between. */
        off = sample_off(ns, r->sample_ns);
        if (off != 0 && off == kept.off) {
            kept.ops = ops_fill((double)ns / (double)kept.ops, r->sample_ns,
                                ops_grown(&kept.op, kept.ops));
            off = 0;
        }
        kept.off = off;
    }
    return 0;
}

int measure_take(const struct measure_request *r, struct measure_sample *out, struct fail *f)
{
    if (clock_tick() == 0)
        return fail_set(f, FAIL_BAD_CLOCK, CLOCK_NAME " does not move");
    if (clock_tick() > r->sample_ns)
        return fail_set(f, FAIL_BAD_CLOCK,
                        CLOCK_NAME " moves in steps of %" PRIu64
                                   " ns: too long for samples of %" PRIu64 " ns",
                        clock_tick(), r->sample_ns);
    if (request_open(r, f) != 0 || samples_take(r, out, f) != 0) {
        measure_end();
        return -1;
    }
    return 0;
}

void measure_end(void)
{
    op_close(&kept.op);
    kept.open = 0;
}

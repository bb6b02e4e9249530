/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "cycles.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"
#include "cycles_arch.h"
#include "event.h"

/* A counter is proven by that many steps, each after a spin of some microseconds. */
#define PROOF_STEPS 16
#define SPIN_TURNS  10000
#define EMPTY_RUNS  15 /* odd, so that the median is one of them */
/* Time over which a rate is measured: 20 ns of uncertainty at both ends are 2 parts in a million.
 */
#define RATE_NS    UINT64_C(20000000)
#define RATE_TRIES 3
#define NS_PER_S   UINT64_C(1000000000)

/* Hidden by unistd.h, since it is not POSIX. */
long syscall(long number, ...);

static struct {
    const struct cycles_counter *counter; /* NULL: none */
    uint64_t unit;                        /* cycles for each of its steps */
    uint64_t hz;
    uint64_t cost; /* cycles of an empty stretch */
    int fd;        /* the kernel's event, when that is the counter */
} chosen = {NULL, 1, 0, 0, -1};

static uint64_t event_count(void)
{
    struct event_reading r;

    event_read(chosen.fd, &r);
    return r.count;
}

static const struct cycles_counter event_counter = {"perf_event", 64, 0, event_count, NULL};

/* What a counter that is not to be read raises, by processor and kernel. */
static const struct {
    int number;
    const char *name;
} traps[] = {{SIGILL, "SIGILL"}, {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}};
#define TRAPS (sizeof traps / sizeof traps[0])

static sigjmp_buf trap_return;
static volatile sig_atomic_t trap_caught;

static void trap_handler(int sig)
{
    trap_caught = sig;
    siglongjmp(trap_return, 1);
}

/* Lives outside of the function that a trap returns to: that one's variables may be lost. */
struct proof {
    const struct cycles_counter *counter;
    uint64_t unit;
    const char *fault; /* NULL: none */
};

static void spin(void)
{
    for (volatile unsigned i = 0; i < SPIN_TURNS; i++)
        ;
}

/* Where a counter goes on from 0. */
static uint64_t counter_mask(const struct cycles_counter *c)
{
    return c->bits < 64 ? (UINT64_C(1) << c->bits) - 1 : UINT64_MAX;
}

static void proof_run(struct proof *p)
{
    const uint64_t mask = counter_mask(p->counter);
    uint64_t last;

    p->unit = p->counter->unit == NULL ? 1 : p->counter->unit();
    if (p->unit == 0) {
        p->fault = "has steps of 0 cycles";
        return;
    }
    last = p->counter->read();
    for (int i = 0; i < PROOF_STEPS; i++) {
        uint64_t now, step;

        spin();
        now = p->counter->read();
        step = (now - last) & mask;
        if (step == 0 || step > mask / 2) {
            p->fault = step == 0 ? "does not move" : "moves backwards";
            return;
        }
        last = now;
    }
}

/* 0, or the signal that ended the proof. */
static int proof_guarded(struct proof *p)
{
    struct sigaction catch = {0}, old[TRAPS];
    sigset_t set, old_set;

    sigemptyset(&set);
    for (size_t i = 0; i < TRAPS; i++)
        sigaddset(&set, traps[i].number);
    catch.sa_handler = trap_handler;
    sigemptyset(&catch.sa_mask);
    for (size_t i = 0; i < TRAPS; i++)
        sigaction(traps[i].number, &catch, &old[i]);
    /* A trap that is blocked ends the process whatever its handler. */
    sigprocmask(SIG_UNBLOCK, &set, &old_set);
    trap_caught = 0;
    if (sigsetjmp(trap_return, 1) == 0)
        proof_run(p);
    sigprocmask(SIG_SETMASK, &old_set, NULL);
    for (size_t i = 0; i < TRAPS; i++)
        sigaction(traps[i].number, &old[i], NULL);
    return trap_caught;
}

int cycles_prove(const struct cycles_counter *c, uint64_t *unit, char *why, size_t n)
{
    struct proof p = {c, 1, NULL};
    int sig = proof_guarded(&p);

    for (size_t i = 0; i < TRAPS; i++)
        if (sig == traps[i].number) {
            snprintf(why, n, "%s: traps (%s)", c->name, traps[i].name);
            return -1;
        }
    if (p.fault != NULL) {
        snprintf(why, n, "%s: %s", c->name, p.fault);
        return -1;
    }
    *unit = p.unit;
    return 0;
}

static uint64_t cpu_now(void)
{
    unsigned cpu = 0;

    syscall(SYS_getcpu, &cpu, NULL, NULL);
    return cpu;
}

void cycles_read(struct cycles_reading *out)
{
    out->count = 0;
    out->place = 0;
    if (chosen.counter == &event_counter) {
        struct event_reading r;

        event_read(chosen.fd, &r);
        out->count = r.count;
        /* Grows while others have the processor's counter: cycles were missed. */
        out->place = r.enabled_ns - r.running_ns;
    } else if (chosen.counter != NULL) {
        if (chosen.counter->per_cpu)
            out->place = cpu_now();
        out->count = chosen.counter->read();
    }
}

/* 0 when they are of different places, or the counter went backwards. */
static uint64_t elapsed(const struct cycles_reading *first, const struct cycles_reading *last)
{
    const uint64_t mask = counter_mask(chosen.counter);
    uint64_t steps = (last->count - first->count) & mask;

    return first->place != last->place || steps > mask / 2 ? 0 : steps * chosen.unit;
}

uint64_t cycles_between(const struct cycles_reading *first, const struct cycles_reading *last,
                        uint64_t ns)
{
    uint64_t cycles;

    if (chosen.counter == NULL)
        return 0;
    /* Half way round is not told from backwards, and longer ones not from shorter ones. */
    if (ns > counter_mask(chosen.counter) / 2 / CYCLES_PER_NS_MAX)
        return 0;
    cycles = elapsed(first, last);
    if (cycles <= chosen.cost || (cycles - chosen.cost) / CYCLES_PER_NS_MAX >= ns)
        return 0;
    return cycles - chosen.cost;
}

static int number_order(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* The readings of a sample (measure.c), with no work between: the median. */
static uint64_t cost_measure(void)
{
    uint64_t runs[EMPTY_RUNS];

    for (int i = 0; i < EMPTY_RUNS; i++) {
        struct cycles_reading first, last;

        cycles_read(&first);
        (void)clock_now();
        (void)clock_now();
        cycles_read(&last);
        runs[i] = elapsed(&first, &last);
    }
    qsort(runs, EMPTY_RUNS, sizeof runs[0], number_order);
    return runs[EMPTY_RUNS / 2];
}

/* Counter and clock at one time: of several attempts the one that took least. */
static uint64_t instant_read(struct cycles_reading *out)
{
    uint64_t least = UINT64_MAX, at = 0;

    for (int i = 0; i < EMPTY_RUNS; i++) {
        struct cycles_reading now;
        uint64_t before = clock_now(), after;

        cycles_read(&now);
        after = clock_now();
        if (after - before < least) {
            least = after - before;
            at = before + least / 2;
            *out = now;
        }
    }
    return at;
}

/* Cycles per second, 0 when it cannot be told. */
static uint64_t rate_measure(void)
{
    for (int i = 0; i < RATE_TRIES && clock_tick() != 0; i++) {
        struct cycles_reading first, last;
        uint64_t start = instant_read(&first), ns, cycles;

        /* At work, not asleep: some counters stop with the processor. */
        while (clock_now() < start + RATE_NS)
            spin();
        ns = instant_read(&last) - start;
        cycles = cycles_between(&first, &last, ns);
        if (cycles != 0)
            return (uint64_t)((double)cycles * (double)NS_PER_S / (double)ns + 0.5);
    }
    return 0;
}

static void choose(const struct cycles_counter *c, uint64_t unit)
{
    chosen.counter = c;
    chosen.unit = unit;
    chosen.hz = 0;
    chosen.cost = 0;
}

static int event_choose(char *why, size_t n)
{
    uint64_t unit;

    chosen.fd = event_open(EVENT_CYCLES, why, n);
    if (chosen.fd < 0)
        return -1;
    event_start(chosen.fd);
    if (cycles_prove(&event_counter, &unit, why, n) != 0) {
        close(chosen.fd);
        chosen.fd = -1;
        return -1;
    }
    choose(&event_counter, unit);
    return 0;
}

static int counter_choose(const struct cycles_counter *c, char *why, size_t n)
{
    uint64_t unit;

    if (c == NULL) {
        snprintf(why, n, "no other counter is known for this architecture");
        return -1;
    }
    if (cycles_prove(c, &unit, why, n) != 0)
        return -1;
    choose(c, unit);
    chosen.hz = rate_measure();
    if (chosen.hz == 0) {
        chosen.counter = NULL;
        snprintf(why, n, "%s: no rate in the time of " CLOCK_NAME, c->name);
        return -1;
    }
    return 0;
}

int cycles_start(char why[CYCLES_WHY_BYTES])
{
    char first[CYCLES_WHY_BYTES / 2] = "", second[CYCLES_WHY_BYTES / 2 - 4] = "";

    if (chosen.counter != NULL)
        return 0;
    if (event_choose(first, sizeof first) != 0 &&
        counter_choose(cycles_here(), second, sizeof second) != 0) {
        snprintf(why, CYCLES_WHY_BYTES, "%s; %s", first, second);
        return -1;
    }
    chosen.cost = cost_measure();
    return 0;
}

const char *cycles_source(void)
{
    return chosen.counter == NULL ? NULL : chosen.counter->name;
}

uint64_t cycles_hz(void)
{
    return chosen.hz;
}

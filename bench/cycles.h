/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_CYCLES_H
#define CB_CYCLES_H

/*
 * Cycles: the kernel's counter where it gives one, else the architecture's, else none, with the
 * reason. Nothing is looked at before cycles_start.
 */
#include <stddef.h>
#include <stdint.h>

/* No processor of today has more; a counter that seems to have jumped from one CPU to another. */
#define CYCLES_PER_NS_MAX 10
#define CYCLES_WHY_BYTES  400

/* A counter that an instruction reads. Reading it may trap. */
struct cycles_counter {
    const char *name;
    unsigned bits; /* it goes on from 0 after that many, 64 at most */
    int per_cpu;   /* each CPU has its own, and they differ */
    uint64_t (*read)(void);
    uint64_t (*unit)(void); /* cycles for each step of it; NULL: 1 */
};

struct cycles_reading {
    uint64_t count;
    uint64_t place; /* readings of different places have nothing to do with each other */
};

/* Chooses a source, proves that it counts and measures its rate (20 ms of work); when one was
 * chosen before, nothing. 0, or -1 with the reasons against each source in one line. */
int cycles_start(char why[CYCLES_WHY_BYTES]);
/* "perf_event" or an architecture's name; NULL when none was chosen. */
const char *cycles_source(void);
/* Cycles per second of clock.h's clock, as measured; 0 where they need not be at a fixed rate: for
 * perf_event. */
uint64_t cycles_hz(void);

/* Two of them belong around two readings of the clock, as near to it as can be: what that costs is
 * known. Harmless without a source. */
void cycles_read(struct cycles_reading *out);
/* Cycles between two readings that are ns apart, their own cost taken off; 0 when not known: no
 * source, the thread moved, the counter went backwards or may have gone round. */
uint64_t cycles_between(const struct cycles_reading *first, const struct cycles_reading *last,
                        uint64_t ns);

/* 0 when the counter can be read, moves, and never backwards; *unit is then the cycles for each
 * step. -1 with the reason. A trap is caught, and handlers and signal mask are as before. */
int cycles_prove(const struct cycles_counter *c, uint64_t *unit, char *why, size_t n);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_SAMPLE_H
#define CB_SAMPLE_H

/* Raw samples as the driver sends them, in the order they were taken. */
#include <stddef.h>
#include <stdint.h>

struct sample {
    uint64_t ops;    /* operations done, >= 1 */
    uint64_t ns;     /* duration, >= 1 */
    uint64_t round;  /* interleaving round it belongs to: samples of one round, of
                        different drivers, were taken one right after the other */
    uint64_t cycles; /* that it took by the driver's counter; 0: not known */
};

struct samples {
    struct sample *v;
    size_t n, cap;
};

/* Room for n in all. */
void samples_reserve(struct samples *s, size_t n);
/* One more, of unknown cycles. */
void samples_add(struct samples *s, uint64_t ops, uint64_t ns, uint64_t round);
/* A copy of one. */
void samples_add_copy(struct samples *s, const struct sample *one);
void samples_free(struct samples *s);

/*
 * All samples of one cell, by driver process. Processes are in launches of `twins` that ran side by
 * side: process p belongs to launch p / twins. Cells of one row have the same processes and rounds,
 * so process p of one build was sampled in turn with process p of every other.
 */
struct series {
    struct samples *process;
    size_t n;
    size_t twins; /* >= 1 once anything was added */
};

/* Of process p, which is made (with those before it) where it is not there yet. */
struct samples *series_at(struct series *s, size_t p);
/* Samples of all processes. */
size_t series_count(const struct series *s);
/* Forgets process p and those after it. */
void series_cut(struct series *s, size_t p);
void series_free(struct series *s);

/* ns per operation of one sample. */
double sample_ns_per_op(const struct sample *s);
/* kB/s, 1 kB = 1000 bytes, for operations of that many bytes. */
double rate_kb_s(double ns_per_op, uint64_t bytes);

#endif

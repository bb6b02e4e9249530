/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_POINT_H
#define CB_POINT_H

/*
 * What result files have for programs that keep figures over time and raise alarms: one point for
 * each cell and each build, named by what it is and not by when or on what it was measured. Of an
 * emulator's clock there is nothing: it would raise alarms about the machine that emulates.
 */
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "export.h"

/* Less is better in all of them. The first three are of cells, the others of builds. */
enum measure {
    MEASURE_TIME,     /* ns of one operation */
    MEASURE_CYCLES,   /* of one operation, by the processor's counter */
    MEASURE_INSNS,    /* instructions of one operation */
    MEASURE_SIZE,     /* bytes of text, rodata, data and bss in libcrypto.a */
    MEASURE_STRIPPED, /* bytes of the stripped shared library */
    MEASURE_FRAME,    /* bytes of the largest stack frame */
    MEASURES
};

struct figure {
    int known;
    int exact;      /* 1: count; 0: the rest */
    uint64_t count; /* exact ones */
    double value, low, high;
    int have_interval; /* 95% */
    size_t samples;    /* 0: exact */
};

struct point {
    const struct result_file *file;
    const struct result_cell *cell; /* NULL: it is of the build */
    const struct result_build *build;
    /* "TARGET[:CPU]/RUNNER/LIBRARY/CC/CONFIG/WORKLOAD/ALG/OP/BYTES"; of a build
     * "TARGET/LIBRARY/CC/CONFIG"; owned */
    char *name;
    struct figure v[MEASURES]; /* one at least is known */
};

struct points {
    struct point *v; /* owned; cells, then builds, in the order of the files */
    size_t n;
};

/* Of the chosen cells, and of the builds that these are of (of all where a file has no cells). What
 * has no number is left out, and x->notes says how many. Refuses files that have a name twice. The
 * caller frees, on error too. */
int points_find(const struct export *x, struct points *out, struct err *e);
void points_free(struct points *p);
/* A figure's number with all its digits. Caller owns. */
char *figure_text(const struct figure *f);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_FIGURE_H
#define CB_FIGURE_H

/* What of a cell is drawn on a y axis, and which of it may be drawn at all. */
#include <stddef.h>

#include "resultfile.h"

enum figure {
    FIGURE_SPEED,    /* kB/s of a real processor */
    FIGURE_INSNS,    /* instructions per byte */
    FIGURE_EMULATED, /* kB/s of an emulator: drawn only where there is nothing else, never ranked */
    FIGURE_COUNT
};

/* Value with a 95% interval, where it has one; interval 0: exact, or too few samples. */
struct figure_value {
    double y, low, high;
    int have_interval;
};

/* -1 when the cell has no such number. */
int figure_of(const struct result_cell *c, enum figure f, struct figure_value *out);
/* Label of the axis, with the unit. */
const char *figure_label(enum figure f);
/* What must be said beside it: what intervals are, that time is emulated. */
const char *figure_note(enum figure f);
/* 1 when cells may be ranked by it. */
int figure_ranks(enum figure f);
/* 1 when more of it is better. */
int figure_more_is_better(enum figure f);
/* The metrics that are chosen: words of --metric; NULL or empty: all. */
int figure_chosen(enum figure f, const struct list *metric);
/* Whether f is to be drawn of these n cells: it is chosen and some has it (NULLs have nothing);
 * emulated time only where it was asked for, or nothing else is known. */
int figure_wanted(enum figure f, const struct list *metric, const struct result_cell *const *cells,
                  size_t n);

#endif

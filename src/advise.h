/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_ADVISE_H
#define CB_ADVISE_H

/*
 * Which config is worth its bytes: the configs of one lane, library, compiler and workload, their
 * sizes, and what the same work costs with each. Emulated time is never looked at. Differences
 * within noise are ties, and those of modelled cycles below 5%.
 */
#include "cellgroup.h"
#include "pareto.h"
#include "policy.h"

/* One config's cost of all rows over another's, as geometric mean; over 1 is more. */
struct advice_pair {
    double ratio;
    double low,
        high; /* what intervals and noise leave open; both are ratio where counts are exact */
    size_t less, more, same; /* rows, each judged by itself */
};

struct advice_config {
    const struct result_build *build;
    const struct result_cell **cells; /* one a row; owned */
    size_t all, usable;               /* cells in the file, and those with a number that counts */
};

struct advice {
    const struct result_cell *first;
    /* METRIC_JUDGED_TIME where it is real; else _MODELLED, where all counted cells have modelled
     * cycles of one table; else _INSNS */
    enum metric metric;
    struct advice_config *configs; /* fewest bytes first; those that can be compared */
    size_t n;
    struct pareto_point *points; /* of configs: bytes of text, rodata and data; cost in per cent of
                                    the first one's */
    size_t rows;                 /* algorithms, operations and sizes that all configs have */
    struct advice_pair *pairs;   /* n * n, by new config and base config */
    struct advice_config *out;   /* configs that cannot be compared */
    size_t nout;
    /* Cells of the group: all, those whose figure counts, those of nothing but emulated time. */
    size_t cells, usable, emulated;
    /* By instructions: counted cells, and those of them that have modelled cycles. */
    size_t counted, modelled;
};

/* Cells of an advice are equal in this. */
int advise_order(const struct result_cell *a, const struct result_cell *b);
/* The group's file must live as long as the advice. The caller frees it. */
void advise_make(const struct cell_group *g, struct advice *out);
void advise_free(struct advice *a);
/* Cost of config i over that of config k. */
const struct advice_pair *advise_pair(const struct advice *a, size_t i, size_t k);
/* The config, of those not dominated, that is best when one per cent of the first one's cost is
 * worth `weight` bytes. There is one where there are rows. */
size_t advise_best(const struct advice *a, double weight);
/* What config i is behind config k then, in bytes, and between what noise leaves open: low, high.
 */
double advise_behind(const struct advice *a, size_t i, size_t k, double weight, double *low,
                     double *high);
/* 1 when a cell has the metric and it counts: no emulated time, no time without an interval. */
int advise_usable(const struct result_cell *c, enum metric m);

#endif

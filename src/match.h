/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_MATCH_H
#define CB_MATCH_H

/* Brings the cells and builds of two sides together and judges each metric of each pair. */
#include "compare.h"
#include "resultfile.h"

/* One side of a comparison: a file, or the part of one with that config or library. */
struct side {
    const struct result_file *file;
    const char *config;  /* NULL: all */
    const char *library; /* NULL: all */
};

struct match_request {
    struct side base, now;
    /* Cells that are looked at; NULL: all. */
    int (*wanted)(const void *arg, const struct result_cell *c);
    const void *arg;
    int metric[METRIC_COUNT]; /* 1: judged; where none is set, all that both sides have */
};

/*
 * Compares. Cells of one run were measured in turn, so time is compared sample by sample; of two
 * files, or two runs merged into one, nothing was, and differences between processes of a run count
 * as noise. Times of runs on different machines are not compared.
 */
void match(const struct match_request *r, const struct policy *p, struct comparison *out);

#endif

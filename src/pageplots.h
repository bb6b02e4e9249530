/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_PAGEPLOTS_H
#define CB_PAGEPLOTS_H

/* The plots of a page: SVG inside of HTML. */
#include <stdio.h>

#include "err.h"
#include "resultfile.h"

/*
 * Figures of every kind of plot (of history with more than one file), a bounded number of each, and
 * a sentence on those left out; without gnuplot a sentence on that. lane_base: for each file, the
 * number of its first lane in the page; figures say which lane and algorithm they are of, for the
 * page's script.
 */
int pageplots_print(FILE *f, const struct result_file *files, size_t n, const size_t *lane_base,
                    struct err *e);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_GRID_H
#define CB_GRID_H

/* A table of strings and its two layouts. The first row is the heading. */
#include <stddef.h>
#include <stdio.h>

#include "screen.h"

struct grid_cell {
    char *text; /* owned */
    enum tone tone;
};

struct grid {
    struct grid_cell *v; /* row by row */
    size_t columns, n, cap;
};

void grid_start(struct grid *g, size_t columns);
/* Next cell; takes text over. */
void grid_add(struct grid *g, char *text);
/* Of the cell that was added last. */
void grid_tone(struct grid *g, enum tone t);
void grid_free(struct grid *g);
/*
 * format: "table" (aligned text, by libsmartcols) or "markdown". First column left, others right.
 * On a terminal a table that is too wide is printed in parts, each with the first column, and tones
 * are colours. -1 on error.
 */
int grid_print(FILE *f, const struct grid *g, const char *format);

#endif

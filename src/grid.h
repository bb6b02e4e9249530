/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_GRID_H
#define CB_GRID_H

/* A table of strings and its two layouts. The first row is the heading. */
#include <stddef.h>
#include <stdio.h>

struct grid {
    char **v; /* row by row, owned */
    size_t columns, n, cap;
};

void grid_start(struct grid *g, size_t columns);
/* Next cell; takes text over. */
void grid_add(struct grid *g, char *text);
void grid_free(struct grid *g);
/* format: "table" (aligned text, by libsmartcols) or "markdown". First column left, others right.
 * -1 on error. */
int grid_print(FILE *f, const struct grid *g, const char *format);

#endif

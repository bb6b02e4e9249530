/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_CELLGROUP_H
#define CB_CELLGROUP_H

/* Cells of a result file that belong together, as the caller's order says: a table each, say. */
#include <stddef.h>

#include "resultfile.h"

struct cell_group {
    const struct result_cell **v; /* in the order of the file; at least one */
    size_t n;
};

struct cell_groups {
    struct cell_group *v; /* by their first cells, in the order of the file */
    size_t n;
    const struct result_cell **cells; /* what the groups point into */
};

/* order: as strcmp() does; 0 for cells of one group. */
typedef int cell_group_order(const struct result_cell *a, const struct result_cell *b);

/* The caller frees out; the file must live as long. */
void cell_groups_make(const struct result_file *r, cell_group_order *order,
                      struct cell_groups *out);
void cell_groups_free(struct cell_groups *g);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_MERGELANE_H
#define CB_MERGELANE_H

/* The lanes of merged files: a lane that several have must be one. */
#include "json.h"
#include "mergefile.h"

struct merge_lane {
    const struct result_lane *lane; /* as the first file has it */
    const struct merge_file *file;  /* that one */
    size_t index;                   /* in it */
    char *text;                     /* put together from several files; NULL: as it stands there */
};

struct merge_lanes {
    struct merge_lane *v; /* owned */
    size_t n;
};

/* Sets `lane` of the files. The caller frees, on error too. */
int merge_lanes_find(struct merge_file *files, size_t n, struct merge_lanes *out, struct err *e);
void merge_lanes_free(struct merge_lanes *l);
/* Member "lanes". */
void merge_lanes_add(struct json *root, const struct merge_lanes *l);

#endif

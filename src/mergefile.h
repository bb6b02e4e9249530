/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_MERGEFILE_H
#define CB_MERGEFILE_H

/* A result file to be merged with others: what it says, and how it is written. */
#include "jsonslice.h"
#include "resultfile.h"

struct merge_file {
    const char *path; /* the caller's */
    struct str text;
    struct result_file result;
    struct slice root;
    struct slice *builds, *lanes, *cells; /* as many as result has, in its order */
    /* by index in result: which of the merged file's */
    size_t *run, *build, *lane;
};

/* Refuses what result_file_read() refuses. The caller frees, on error too. */
int merge_file_read(const char *path, struct merge_file *f, struct err *e);
void merge_file_free(struct merge_file *f);

/* How two objects differ: the path of the first member that does ("sizes.archive.text"), both its
 * values, on one line and cut where they are long ("nothing": absent). Owned by the caller. */
struct difference {
    char *path, *a, *b;
};
/* 1 when they do; out is empty otherwise. Members with a key in ignored (NULL-terminated) do not
 * count, at any depth of objects in objects. */
int difference_find(struct slice a, struct slice b, const char *const *ignored,
                    struct difference *out);
/* The texts for a member that differs; an empty value: absent. */
void difference_set(struct difference *d, const char *path, struct slice a, struct slice b);
void difference_free(struct difference *d);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_MERGERUN_H
#define CB_MERGERUN_H

/* The runs of merged files: which there are, what they have in common, which are missing. */
#include "json.h"
#include "mergefile.h"

struct merge_run {
    struct slice created, tool, settings, host;
    const struct merge_file *file; /* a file that has it */
    size_t index;                  /* in that file */
};

struct merge_runs {
    struct merge_run *v; /* owned */
    size_t n;
};

/* The runs of all files, each once: shards by number, else by time. Sets `run` of the files, and
 * sorts those by their first run, so that their order on the command line makes no difference.
 * Settings that no result can have twice are refused. The caller frees, on error too. */
int merge_runs_find(struct merge_file *files, size_t n, struct merge_runs *out, struct err *e);
void merge_runs_free(struct merge_runs *r);
const struct result_run *merge_run_result(const struct merge_run *r);
/* Members "created", "settings", "host" and, of several runs, "runs". */
void merge_runs_add(struct json *root, const struct merge_runs *r);
/* Adds "code: text" of shards that are missing, and of other versions of the program. */
void merge_runs_warn(const struct merge_runs *r, struct list *warnings);

#endif

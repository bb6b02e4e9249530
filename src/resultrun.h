/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_RESULTRUN_H
#define CB_RESULTRUN_H

/* The runs that a result file's cells were measured in: one, or, in a file that `merge` wrote,
 * several, each on a machine of its own. */
#include <stddef.h>
#include <stdint.h>

#include "err.h"

struct json;
struct json_doc;

/* A fact of a host: its name in the file, and its value as JSON text. */
struct result_fact {
    char *name, *value;
};

struct result_facts {
    struct result_fact *v; /* owned */
    size_t n;
};

struct result_run {
    const char *created; /* the document's */
    struct result_facts host;
    uint64_t shard, shards; /* part `shard` of `shards`, from 1; 0 of 0: the whole */
};

/* Member "host" of o. The caller frees, on error too. */
int result_facts_read(const struct json_doc *d, const struct json *o, struct result_facts *out,
                      struct err *e);
/* The value as JSON text; NULL when there is none of that name. */
const char *result_facts_find(const struct result_facts *f, const char *name);
void result_facts_free(struct result_facts *f);

/* Of the root of a file: its "runs", or the one run that it is. The caller frees, on error too. */
int result_runs_read(const struct json_doc *d, const struct json *root, struct result_run **out,
                     size_t *n, struct err *e);
void result_runs_free(struct result_run *runs, size_t n);
/* Facts of the machine without which two times cannot be compared. */
struct machine_fact {
    const char *name, *what; /* in the file; for people */
};
extern const struct machine_fact machine_facts[];
extern const size_t machine_fact_count;
/* The first of them in which the machines of two runs differ; NULL: in none. */
const struct machine_fact *result_runs_differ(const struct result_run *a,
                                              const struct result_run *b);
/* A fact of the machine of one run, as JSON text; "null" when there is none of that name. */
const char *result_run_fact(const struct result_run *r, const char *name);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_RESULTFILE_H
#define CB_RESULTFILE_H

/*
 * A result file read back (docs/format.md). Statistics are not taken from the file but computed
 * anew from its samples, so that all that is printed of a file follows from what was measured.
 */
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "err.h"
#include "insns.h"
#include "prediction.h"
#include "resultdetail.h"
#include "resultrun.h"
#include "sample.h"
#include "stats.h"
#include "str.h"

struct json_doc;

struct result_build {
    const char *id, *status;
    const char *reason, *log; /* NULL when ok */
    const char *key;          /* NULL when it has none */
    const char *library, *version, *source_sha256;
    const char *cc, *family, *cc_version; /* the last two NULL when the compiler is missing */
    const char *config, *baseline;        /* baseline NULL: none */
    const char *target;
    const char *optimisation; /* NULL: not known */
    const char *side;         /* "base" or "new", of a gate; NULL otherwise */
    int have_sizes, have_shared;
    uint64_t text, rodata, data, bss; /* bytes, of the archive's sections */
    uint64_t shared_stripped, shared_gzip, shared_xz;
    struct stack_result stack;
    struct object_sizes objects; /* of the archive; none: not known */
};

struct result_lane {
    const char *target, *cpu, *runner; /* cpu: "" for the machine as it is */
    const char *runner_version;        /* NULL: none */
    int emulated;
    struct list metrics;
    const char *counter;
    /* of each driver: its build's id, and the library's capability mask */
    struct list driver_builds, driver_capabilities;
};

struct result_cell {
    const struct result_build *build;
    const struct result_lane *lane;
    const char *library, *compiler, *config, *target, *cpu,
        *runner; /* cpu: "" for the machine as it is */
    const char *workload, *alg, *op;
    uint64_t bytes;
    size_t run;                  /* index of the run that measured it */
    const char *status, *reason; /* reason: NULL when ok */
    int emulated;
    struct series series;                     /* empty: no time */
    struct estimate time;                     /* ns per operation; valid when time.n > 0 */
    struct estimate null;                     /* of twins; valid when null.n > 0 */
    struct estimate cycles;                   /* per operation; valid when cycles.n > 0 */
    const char *cycle_source, *cycles_reason; /* NULL: none */
    struct insns insns;                       /* functions sorted as in the file: most first */
    struct prediction modelled;               /* likewise */
    const char *baseline_build;               /* NULL: none */
    const struct result_cell *baseline;
    struct estimate ratio; /* of time to the baseline's, paired; valid when ratio.n > 0 */
};

struct result_file {
    /* all strings above and below belong to doc or arena, and live as long as the file */
    struct json_doc *doc;
    struct arena arena;
    const char *path, *created;
    double seconds;           /* measuring time per cell that was asked for */
    struct list metric;       /* that were asked for; empty: the default */
    const char *baseline;     /* config that was asked for; NULL: each config's own */
    uint64_t max_stack;       /* 0: from before there was one */
    struct result_facts host; /* merged from several runs: what they have in common, else null */
    struct result_run *runs;  /* that the cells were measured in; at least one */
    size_t nruns;
    double cpu_mhz; /* clock that was given for estimates; 0: none */
    struct result_build *builds;
    size_t nbuilds;
    struct result_lane *lanes;
    size_t nlanes;
    struct result_cell *cells;
    size_t ncells;
    struct result_cell
        *owned; /* all cells of the file, where `cells` are some: result_file_keep() */
    size_t nowned;
    struct list layout;   /* of the suite it was made by */
    struct list warnings; /* "code: text" */
};

/* Refuses other schemas and damaged files with the place inside. */
int result_file_read(const char *path, struct result_file *out, struct err *e);
/* The same of text; name is used in errors, and as the path. */
int result_file_parse(const char *text, size_t n, const char *name, struct result_file *out,
                      struct err *e);
void result_file_free(struct result_file *f);
/* Computes all statistics again, after samples were changed. */
void result_file_figures(struct result_file *f);
/* Leaves in `cells` only those that are wanted; what they are compared with stays as it was. Once.
 */
void result_file_keep(struct result_file *f,
                      int (*wanted)(const void *arg, const struct result_cell *c), const void *arg);
/* The value of a fact as JSON text; NULL when the file has none of that name. Of a file merged from
 * several runs it is "null" where they differ: result_run_fact() has those of one. */
const char *result_fact(const struct result_file *f, const char *name);
/* What is the same work on the same machine: by workload, algorithm, operation, size, target, CPU
 * model and runner; as strcmp() does. */
int result_cell_order(const struct result_cell *a, const struct result_cell *b);

#endif

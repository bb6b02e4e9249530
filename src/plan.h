/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_PLAN_H
#define CB_PLAN_H

/*
 * What a run will do: the axes, resolved from words on the command line to
 * things, and from them builds, lanes and cells.
 */
#include "build.h"
#include "compiler.h"
#include "config.h"
#include "core.h"
#include "insns.h"
#include "library.h"
#include "options.h"
#include "prediction.h"
#include "runner.h"
#include "sample.h"
#include "stats.h"
#include "status.h"
#include "target.h"
#include "workload.h"

/* What a lane measures; cycles: with time, modelled: with insns. */
enum { METRIC_TIME = 1, METRIC_INSNS = 2, METRIC_CYCLES = 4, METRIC_MODELLED = 8 };

/* One build x one workload x one runner. */
struct cell {
    struct build *build;
    const struct lane *lane;
    const struct algorithm *alg;
    const char *workload; /* its id, of the table in workload.h */
    const char *op;
    uint64_t bytes;

    enum status status;
    char *reason;
    struct series series;
    struct estimate time;  /* ns per operation; valid when status is ok and time.n > 0 */
    struct cell *baseline; /* the cell it is compared with; NULL: none in this run */
    struct insns insns;
    struct prediction modelled; /* cycles of an operation */
    struct estimate ratio;      /* of time to the baseline's, paired; valid when ratio.n > 0 */
    struct estimate null;       /* of its twins' times, paired; valid when null.n > 0 */
    struct estimate cycles;     /* per operation; valid when cycles.n > 0 */
};

/* Builds of one target on one runner and CPU model: they are timed together. */
struct lane {
    const struct target *target;
    const struct cpu *cpu; /* NULL: the machine as it is */
    struct runner runner;
    int pinned;           /* processor that all drivers were timed on, plus one; 0: not pinned */
    unsigned metrics;     /* METRIC_* */
    char *counter;        /* how instructions were counted; NULL until known */
    char *counter_reason; /* why not a better way; may be NULL */
    struct core *core;    /* for modelled cycles; NULL: none, or not wanted */
    char *core_reason;    /* why there is none, where one was wanted; else NULL */
    enum status status;   /* of the runner */
    char *reason;
    struct build **builds;
    char **capabilities; /* per build, from the driver; NULL until known */
    char **library_text; /* per build, version at run time; NULL until known */
    size_t nbuilds;
    char *clock;        /* the driver's clock; NULL until known */
    char *cycle_source; /* the driver's cycle counter; NULL: none */
    double cycle_hz;    /* its rate; 0: not known */
    char *cycle_reason; /* why there is none, where one was asked for; else NULL */
    struct cell *cells; /* ordered by workload, algorithm, operation, size, then build */
    size_t ncells;
    struct lane *whole; /* the lane that this is one with but for a shard's cut; NULL: none */
};

struct plan {
    struct target *targets;
    struct list *cpus; /* per target: CPU models asked for; empty: the runner's default */
    struct config *configs;
    struct library *libraries;
    struct compiler
        *compilers; /* target-major: compilers[target * ncc + cc]; argv empty when missing */
    char **compiler_errors; /* likewise: why it is missing; NULL when it is there */
    char **cc_words;
    size_t ntargets, nconfigs, nlibraries, ncc;
    struct config as_built; /* stands for the flags of a prebuilt prefix */
    struct build **builds;
    size_t nbuilds;
    struct lane *lanes;
    size_t nlanes;
    struct shard_range *parts; /* what of the matrix is done; see part_at in plan.c */
    size_t ncpus;              /* CPU models of a target, at most */
    int skip_missing;          /* leave out what is not installed, with a warning */
    struct list warnings;      /* "code: text", from planning */
};

/* Resolves everything that can be known before building. Unknown words are
 * usage errors; a missing compiler or runner is not, it becomes a status. */
int plan_make(const struct options *o, struct plan *p, struct err *e);
/* Only targets, configs, libraries and compilers (axes.c). */
int plan_axes(const struct options *o, struct plan *p, struct err *e);
/* Those and the builds (for `build`, where a shard may be a single build). */
int plan_make_builds(const struct options *o, struct plan *p, struct err *e);
void plan_free(struct plan *p);
size_t plan_cell_count(const struct plan *p);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_COMPARE_H
#define CB_COMPARE_H

/*
 * Judges one set of cells against another: what got slower, faster, larger or smaller beyond what
 * was allowed and beyond what noise makes, and whether that can be said at all.
 */
#include <stddef.h>

#include "err.h"
#include "policy.h"
#include "str.h"

struct result_build;
struct result_cell;

enum verdict {
    VERDICT_SAME,    /* not worse than limit or noise allow, with its whole interval */
    VERDICT_BETTER,  /* faster, fewer, smaller: beyond both, with its whole interval */
    VERDICT_WORSE,   /* slower, more, larger: likewise */
    VERDICT_UNCLEAR, /* the interval crosses the limit: more measuring would tell */
    VERDICT_EXCLUDED /* one side has no number */
};
/* "slower", "faster", "larger", "smaller", "same", "unclear", "excluded": by metric. */
const char *verdict_name(enum verdict v, enum metric m);

/* One metric of one cell (for sizes: of one build) on both sides. */
struct finding {
    enum metric metric;
    char *name; /* "TARGET[:CPU]/CC/CONFIG/ALG/OP/BYTES"; sizes: "TARGET/CC/CONFIG"; owned */
    enum verdict verdict;
    double base, now; /* ns, instructions or modelled cycles per operation, bytes; 0 if excluded */
    int ratio_only;   /* base and now are not for people: modelled cycles of a small block */
    double ratio;     /* now / base, over 1 is worse; time: from the samples, not base and
                         now */
    double low, high; /* its 95% interval; equal to ratio where counts are exact */
    int have_interval;
    double limit; /* change that is allowed, as a fraction: 0.02 is 2% */
    double noise; /* change that noise alone makes, as a fraction; 0 where counts are exact */
    char *reason; /* excluded: why; else NULL; owned */
    /* What was compared, of the files; NULL where none is: sizes have no cells, findings that were
     * made by hand have neither. */
    const struct result_cell *base_cell, *new_cell;
    const struct result_build *base_build, *new_build;
};

/* Over all cells of a metric that both sides have. */
struct mean {
    double ratio; /* geometric mean of the ratios; 0 when n is 0 */
    size_t n, excluded;
};

struct comparison {
    char *base_name, *new_name; /* files, libraries or configs, for people; owned */
    struct finding *findings;   /* deciding ones first: worse, unclear, better, same, excluded;
                                   within these the largest change first */
    size_t n;
    struct mean means[METRIC_COUNT];
    struct list missing, extra; /* names of cells only the base, only the new side has */
    struct list blockers;       /* "code: text": why there is no verdict */
    struct list allowed;        /* "code: text": would be blockers, but --allow */
    struct list allow;          /* words of --allow in force, also those that nothing needed */
    struct list notes;          /* what to know, for people */
    int outcome;                /* EXIT_OK, EXIT_REGRESSION, EXIT_NO_VERDICT */
};

size_t comparison_count(const struct comparison *c, enum verdict v);
/* The same of one metric. */
size_t comparison_count_of(const struct comparison *c, enum metric m, enum verdict v);
/* "pass", "regression", "no verdict". */
const char *outcome_name(int outcome);
/* Adds to findings: all of f is the comparison's then. */
void comparison_add(struct comparison *c, const struct finding *f);
/*
 * Sorts, sums up and sets the outcome: regression when something is worse; else no verdict when
 * there are blockers, something is unclear or nothing was compared; else pass. Where the policy
 * allows it, unclear findings become a line of `allowed`; when nothing was compared and nothing
 * says why, that becomes a blocker. Once per comparison.
 */
void comparison_finish(struct comparison *c, const struct policy *p);
void comparison_free(struct comparison *c);

#endif

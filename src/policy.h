/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_POLICY_H
#define CB_POLICY_H

/*
 * What a comparison allows: limits per metric, for all cells and for those whose name matches a
 * pattern, and what must not keep it from a verdict. From a policy file (docs/policy.schema.json)
 * and options; options come last and win.
 */
#include <stddef.h>

#include "err.h"
#include "str.h"

/* Metrics that are judged. */
enum metric {
    METRIC_JUDGED_TIME,
    METRIC_JUDGED_INSNS,
    METRIC_JUDGED_SIZE,
    METRIC_JUDGED_MODELLED,
    METRIC_COUNT
};
/* "time", "insns", "size", "modelled". */
const char *metric_name(enum metric m);
/* "--max-slowdown", "--max-insns", "--max-size", "--max-modelled", without the dashes. */
const char *metric_limit_name(enum metric m);

/* What --allow takes. */
enum allow {
    ALLOW_MISSING,  /* cells that only the base side has */
    ALLOW_EXTRA,    /* cells that only the new side has */
    ALLOW_MACHINE,  /* another CPU model, governor, frequency limit, throttling */
    ALLOW_CPUMASK,  /* another CPU capability mask */
    ALLOW_EMULATED, /* time measured under an emulator */
    ALLOW_SINGLE,   /* too few samples for an interval */
    ALLOW_UNCLEAR,  /* cells whose interval crosses the limit */
    ALLOW_COUNT
};
/* "missing", "extra", "machine", "capabilities", "emulated", "few-samples", "unclear". */
const char *allow_name(enum allow a);
const char *allow_summary(enum allow a);

struct limit {
    enum metric metric;
    char *pattern; /* fnmatch(3) on a finding's name, '*' matches '/' too; owned */
    double most;   /* as a fraction */
};

struct policy {
    struct limit *limits; /* the last that matches counts */
    size_t n;
    int allow[ALLOW_COUNT];
};

/* The defaults: time 2%, insns 0.5%, size 1%, modelled 5%, nothing allowed. */
void policy_start(struct policy *p);
/* Adds what a file says. -1 names the file, the place in it, and what would be right. */
int policy_read(struct policy *p, const char *path, struct err *e);
/* "2%", "2", or "PATTERN=2%", also several with commas; a usage error otherwise. */
int policy_limit_add(struct policy *p, enum metric m, const char *text, struct err *e);
/* One word of --allow; a usage error when it is none. */
int policy_allow_add(struct policy *p, const char *word, struct err *e);
/* The limit for a finding of that name. */
double policy_limit(const struct policy *p, enum metric m, const char *name);
void policy_free(struct policy *p);

#endif

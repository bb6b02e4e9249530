/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_OPTIONS_H
#define CB_OPTIONS_H

/*
 * Command line. One table (options.c) is the source of --help, the manual page and the bash
 * completion.
 */
#include <stdint.h>
#include <stdio.h>

#include "err.h"
#include "shard.h"
#include "str.h"

struct options {
    /* axes: words as given, split at commas; empty: the default set */
    struct list target, config, library, cc, cpu, alg, op, metric,
        workload; /* workload: default "record/1" */
    uint64_t *sizes;
    size_t nsizes;
    char *runner;     /* default "auto" */
    char *counter;    /* how instructions are counted: "auto", "plugin", "log" */
    char *baseline;   /* config that all are compared with; NULL: each config's own */
    char *out;        /* NULL: results/..., "-": stdout */
    char *format;     /* "table", "markdown", "json", "none" */
    double seconds;   /* --time, per cell */
    double timeout;   /* --timeout, seconds */
    double precision; /* --precision, as a fraction; 0: use all of the time */
    uint64_t seed;    /* --seed, or drawn */
    char *pin;        /* processor for natively run drivers: "auto", "none" or a number */
    /* --max-stack, bytes; 0: not given */
    uint64_t max_stack;
    double cpu_mhz; /* --cpu-mhz: clock for estimates from modelled cycles; 0: not given */
    int jobs;
    int rebuild;
    int quiet;
    /* compare and gate */
    char *base, *new_; /* gate: libraries; NULL: not given */
    struct list max_slowdown, max_insns, max_size, max_modelled; /* "2%" or "PATTERN=2%" */
    char *policy;                                                /* file; NULL: none */
    struct list allow;
    int selftest;
    char *suite;          /* run: name or file; NULL: none */
    struct shard shard;   /* run and build: of 0: all */
    struct list layout;   /* of the suite */
    int skip_missing;     /* suites: what is not installed is left out, and said */
    int no_emulated_time; /* gate: where it was not asked for */
    int size_ledger;      /* explain --size without a list */
    uint64_t weight;      /* advise: bytes that 1% of cost is worth; 0: not given */
    int missing_packages; /* doctor --missing-packages */
    char *plot;           /* report: one of plot_kinds(); NULL: the first */
    int help;
    struct list args; /* what is no option */
    struct list argv; /* the whole command line, for the record */
};

struct command {
    const char *name;
    const char *summary;
    const char *usage;             /* after the name */
    const char *details;           /* paragraphs for help and manual; may be NULL */
    int (*run)(struct options *o); /* returns an exit status */
};
extern const struct command commands[]; /* ends with name NULL; main.c */
const struct command *command_find(const char *name);

void options_free(struct options *o);
/* Parses argv[1..] for a command. Usage errors name the option, the value and
 * what would be right. */
int options_parse(const struct command *c, int argc, char **argv, struct options *o, struct err *e);
/* One row of the option table, for the documents. */
struct option_doc {
    const char *name;
    char letter;       /* 0: none */
    const char *value; /* name of the value; NULL: a flag */
    const char *help;
    const char *words; /* values for completion: words, "@kind", or NULL */
};
size_t option_doc_count(void);
struct option_doc option_doc_at(size_t i);
/* 1 when command c takes it; c NULL: any does. */
int option_doc_applies(size_t i, const struct command *c);

/* Help of one command, or of the whole program (c NULL). */
void options_help(FILE *f, const struct command *c);
/* The generated documents: what is "man" or "bash". */
int options_document(FILE *f, const char *what);

#endif

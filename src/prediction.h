/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_PREDICTION_H
#define CB_PREDICTION_H

/*
 * The modelled cycles of a cell, as results keep, label and judge them (docs/model.md). Never
 * measured: no clock and no counter has a part in them.
 */
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "core.h"
#include "err.h"
#include "json.h"
#include "model.h"
#include "wait.h"

struct prediction_function {
    char *name; /* owned */
    double cycles;
    double waits[WAITS]; /* add up to cycles */
    char *unit;          /* that it waited for most; owned; NULL: none */
};

/* Zeroed: none, and not asked for. */
struct prediction {
    int known;
    char *reason;        /* why there is none, when it was asked for; else NULL */
    uint64_t cycles;     /* of one operation */
    char *core;          /* "cortex-a53" */
    uint64_t version;    /* of its table */
    int band;            /* percent by which cycles may be off; -1: fit for ratios only */
    uint64_t insns;      /* of the trace, the marks' own included */
    uint64_t unknown;    /* of these, not in the decoder's tables */
    char *unknown_names; /* "a, b"; NULL: none */
    struct prediction_function
        *functions; /* most cycles first; those below 1 in 1000 are left out */
    size_t nfunctions;
    double rest; /* cycles of further functions */
};

/* Functions kept a cell. */
enum { PREDICTION_FUNCTIONS = 32 };

/* Two builds nearer than this, either way, are too close to call. */
#define PREDICTION_CLOSE 0.05

/* out is zeroed or a prediction, which is freed first. bytes: the block. */
void prediction_set(struct prediction *out, const struct modelled *m, const struct core *c,
                    uint64_t bytes);
/* There is none, and why. */
void prediction_refuse(struct prediction *out, const char *reason);
void prediction_free(struct prediction *f);

/* Why the cycles of the two must not be compared, for people, owned by the caller; NULL: they may
 * be. Both are known. */
char *prediction_mismatch(const struct prediction *base, const struct prediction *now);
/* 1 when both are known and nothing speaks against it. */
int prediction_comparable(const struct prediction *a, const struct prediction *b);
/* now's cycles over base's. Both are known. */
double prediction_ratio(const struct prediction *base, const struct prediction *now);
/* 1 when a ratio is too close to call. */
int prediction_is_close(double ratio);
/* "7.58x", or "too close to call". Caller owns. */
char *prediction_ratio_text(double ratio);
/* "modelled cycles, Cortex-A53 table v1; caches and predictors perfect; not measured". Caller owns.
 */
char *prediction_label(const struct prediction *f);
/* The same, fit for the format: "markdown", or any other. */
char *prediction_label_for(const struct prediction *f, const char *format);
/* "Cortex-A53" for "cortex-a53". Caller owns. */
char *core_title(const char *name);
/* "+-15%"; "-" where only ratios hold. Caller owns. */
char *prediction_band_text(const struct prediction *f);
/* kB/s (1000 bytes) at that clock. */
double prediction_rate(const struct prediction *f, uint64_t bytes, double mhz);
/* Longest waits of a function first, those of a tenth of its cycles and more: "issue width 61%,
 * unit flo 22%". Caller owns. */
char *prediction_waits_text(const struct prediction_function *f);

/* Members "modelled" and "modelled_reason" of a cell. */
void prediction_json(struct json *cell, const struct prediction *f, uint64_t bytes);
/* Absent in files from before. Strings are the document's, memory the arena's: not to be freed. */
int prediction_read(const struct json_doc *d, const struct json *cell, struct arena *arena,
                    struct prediction *out, struct err *e);

#endif

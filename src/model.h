/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_MODEL_H
#define CB_MODEL_H

/*
 * Modelled cycles (docs/model.md): the blocks that one operation executed, decoded from the
 * driver's own ELF file, through the pipeline description of a core. Not measured, and never to be
 * mixed with what was.
 *
 *   model_open(driver, core, &m, &e)            once for a driver and core
 *   model_operation(m, &count, &result, &e)     count: from counter_count with want_trace
 *   modelled_free(&result)
 *   model_close(m)
 */
#include <stddef.h>
#include <stdint.h>

#include "core.h"
#include "err.h"
#include "symbols.h"
#include "tally.h"
#include "wait.h"

struct model;

struct modelled_function {
    const char *name; /* the symbols' */
    uint64_t insns;
    double cycles;            /* add up to those of the operation */
    double waits[WAITS];      /* add up to cycles */
    const char *busiest_unit; /* that it waited for most; the core's; NULL: none */
};

struct modelled {
    uint64_t cycles;     /* of one operation: the stream twice less the stream once */
    uint64_t insns;      /* executed in the stream once, fused pairs as two */
    uint64_t unknown;    /* of these, not in the decoder's tables */
    char *unknown_names; /* their mnemonics, "a, b"; NULL: none; owned */
    struct modelled_function *functions; /* most cycles first */
    size_t nfunctions;
};
void modelled_free(struct modelled *m);

/* Above this share of unknown instructions there is no figure. */
#define MODEL_UNKNOWN_MAX 0.005

/* driver: a static ELF file of the core's instruction set. */
int model_open(const char *driver, const struct symbols *s, const struct core *core,
               struct model **out, struct err *e);
/* Error with the reason: too many unknown instructions (named), a trace with addresses outside the
 * text, too long a trace, a class that the core's table lacks. */
int model_operation(struct model *m, const struct count *trace, struct modelled *out,
                    struct err *e);
void model_close(struct model *m);

#endif

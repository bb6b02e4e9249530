/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_PIPELINE_ENGINE_H
#define CB_PIPELINE_ENGINE_H

/* What pipeline.c needs of the model of one kind of core. */
#include "pipelineop.h"

struct pipeline_engine {
    /* An empty pipeline; free it with stop. */
    void *(*start)(const struct core *c);
    /* The stream goes on with those; next: what follows them, NULL: nothing. charges: NULL, or one
     * for each of the stream's instructions; all calls with, or all without. */
    int (*run)(void *state, const struct op *ops, const uint32_t *order, size_t n,
               const struct op *next, struct pipeline_charge *charges, struct err *e);
    /* Of all so far. */
    uint64_t (*cycles)(const void *state);
    void (*stop)(void *state);
};

extern const struct pipeline_engine pipeline_inorder, pipeline_ooo;

#endif

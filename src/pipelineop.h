/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_PIPELINEOP_H
#define CB_PIPELINEOP_H

/* Instructions as the engines of pipeline.h want them: all that a core's table says of one is
 * looked up once, before the stream is run through. */
#include "pipeline.h"

struct op_source {
    uint8_t reg;
    uint8_t is_address;
    int16_t read; /* cycles after issue */
};

struct op_result {
    uint8_t reg;
    uint8_t is_base; /* written back */
    int16_t latency; /* of the class, which a later write of the register is held to */
    int32_t after;   /* cycles after issue when it exists; in its group, if there are groups */
};

struct op_use {
    uint16_t units;  /* alternatives; 0: none is needed (a micro-operation without a port) */
    uint8_t is_base; /* micro-operation that writes the base register back */
    uint32_t busy;   /* cycles */
};

struct op {
    uint64_t address, next; /* next: where it goes on unless it is a taken branch */
    const struct op_source *sources;
    const struct op_result *results;
    const struct op_use *uses; /* out of order: one for each micro-operation, at least one */
    uint16_t nsources, nresults, nuses;
    uint16_t class;
    uint8_t is_known; /* 0: the core's table lacks the class */
    uint8_t wait;     /* enum wait: what those wait for that need its results */
    uint8_t slots;
    int32_t issue_cycles; /* for all groups */
};

struct op_list {
    struct op *ops; /* of the instructions with the same indexes */
    struct op_source *sources;
    struct op_result *results;
    struct op_use *uses;
};

/* All instructions of a stream; each that the stream executes is known. Nothing
 * points into s or c. Free with op_list_free, also after an error. */
int op_list_make(const struct core *c, const struct pipeline_stream *s, struct op_list *out,
                 struct err *e);
void op_list_free(struct op_list *l);

#endif

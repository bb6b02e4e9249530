/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_RESULTFILE_H
#define CB_RESULTFILE_H

/* A result file read back: the cells and what comparisons need of them. */
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "insns.h"

struct result_cell {
    char *library, *compiler, *config, *target, *cpu,
        *runner; /* cpu: "" for the machine as it is */
    char *workload, *alg, *op;
    uint64_t bytes;
    char *status;
    struct insns insns; /* functions sorted as in the file: most first */
};

struct result_file {
    char *path;
    struct result_cell *cells;
    size_t ncells;
};

/* Refuses other schemas and damaged files with the place inside. */
int result_file_read(const char *path, struct result_file *out, struct err *e);
void result_file_free(struct result_file *f);

#endif

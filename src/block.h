/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_BLOCK_H
#define CB_BLOCK_H

/*
 * What one table shows: cells of one lane, library, compiler, workload, algorithm and operation.
 * Rows are builds (configs), columns block sizes, both in the order of the file.
 */
#include "insns.h"
#include "resultfile.h"

struct block {
    const struct result_lane *lane;
    const struct result_cell *first;
    const struct result_build **builds; /* rows */
    size_t nbuilds;
    uint64_t *sizes; /* columns, bytes */
    size_t nsizes;
    const struct result_cell **cells; /* row by row; NULL where there is none */
};

struct blocks {
    struct block *v;
    size_t n;
};

void blocks_make(const struct result_file *r, struct blocks *out);
void blocks_free(struct blocks *b);
/* NULL where there is none. */
const struct result_cell *block_cell(const struct block *b, size_t row, size_t column);
/* Some cell of that row; every row has one. */
const struct result_cell *block_row(const struct block *b, size_t row);
/* What all its cells have in common: "aes-256-gcm encrypt, record/1: aarch64 cortex-a53,
 * openssl-3.0 3.0.20, gcc 12.2.0". Caller owns. */
char *block_heading(const struct block *b, const char *format);
/* Instructions of a row as a straight line. -1 with fewer than two sizes. */
int block_fit(const struct block *b, size_t row, struct line_fit *out);

#endif

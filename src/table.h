/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_TABLE_H
#define CB_TABLE_H

/*
 * Tables of a result: per target, runner and algorithm; configs as rows, block sizes as
 * columns in kB/s, change against the baseline config, sizes and their change. Emulated time
 * says so.
 */
#include <stdio.h>

#include "resultfile.h"

/* format: "table" (libsmartcols, text), "markdown". metrics: what is shown of time, cycles, insns
 * and stack, as far as it was measured; NULL or empty: all. 0, or -1 on write error. */
int table_print(FILE *f, const struct result_file *r, const char *format,
                const struct list *metrics);

#endif

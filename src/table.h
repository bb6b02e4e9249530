/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_TABLE_H
#define CB_TABLE_H

/*
 * The table on stdout: per target, runner and algorithm; configs as rows, block sizes as
 * columns in kB/s, change against the baseline config, stripped size and its change. Emulated time
 * says so.
 */
#include <stdio.h>

#include "plan.h"

/* format: "table" (libsmartcols, text), "markdown". 0, or -1 on write error. */
int table_print(FILE *f, const struct plan *p, const char *format);

#endif

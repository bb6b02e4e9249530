/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_PAGEDATA_H
#define CB_PAGEDATA_H

/* What the script of a page shows: the cells of result files, as JSON. report/page.js reads it. */
#include <stddef.h>

#include "resultfile.h"

/*
 * On one line: lanes, builds, names, and cells as arrays of numbers (the order of the columns is in
 * "columns"); null for what is not known. Emulated time has no change against a baseline. Lanes are
 * numbered through all files; lane_base gets the number of each file's first (room for n). Caller
 * owns.
 */
char *pagedata_text(const struct result_file *files, size_t n, size_t *lane_base);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_PROFILE_H
#define CB_PROFILE_H

/* Modelled cycles by function, and what each waits for: of one cell, or of two against each other.
 */
#include <stdio.h>

#include "resultfile.h"

/* Both print a table with its heading; format: "table" or "markdown". -1 on write error. Blocks fit
 * for ratios only have shares instead of cycles. */
int profile_print(FILE *f, const struct result_cell *c, const char *format);
/* Largest change first. Both have modelled cycles that may be compared (prediction_mismatch). */
int profile_pair_print(FILE *f, const struct result_cell *base, const struct result_cell *now,
                       const char *format);

#endif

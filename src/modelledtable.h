/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_MODELLEDTABLE_H
#define CB_MODELLEDTABLE_H

/* Modelled cycles in tables of their own, beside instructions and never among measured cycles. */
#include <stdio.h>

#include "block.h"

/* Cycles/byte and ratios to the baseline, with the band; with a clock (mhz above 0), estimates of
 * kB/s in a second table. Nothing where the block has no modelled cycles. format: "table" or
 * "markdown". -1 on write error. */
int modelled_tables_print(FILE *f, const struct block *b, double mhz, const char *format);
/* How to read them, where the file has any. */
void modelled_legend_print(FILE *f, const struct result_file *r);
/* Why cells that are ok have none although their lane was to have them, each cause once. */
void modelled_reasons_print(FILE *f, const struct result_file *r, const char *format);

#endif

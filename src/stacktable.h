/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_STACKTABLE_H
#define CB_STACKTABLE_H

/* The tables of stack use, for people: one for each target, library and compiler, a row a config.
 */
#include <stdio.h>

#include "resultfile.h"

/* 1 when the run was to show stack use. */
int stack_tables_wanted(const struct result_file *r);
/* Nothing when the run did not ask for stack use. format: as grid_print() takes it; -1 when the
 * file cannot be written. */
int stack_tables_print(FILE *f, const struct result_file *r, const char *format);

#endif

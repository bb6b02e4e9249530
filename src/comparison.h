/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_COMPARISON_H
#define CB_COMPARISON_H

/* Prints a finished comparison, for people and for what reads after them. */
#include <stdio.h>

#include "compare.h"
#include "err.h"
#include "str.h"

/* format: one of comparison_formats(), else a usage error. "github" also appends the Markdown form
 * to the file that $GITHUB_STEP_SUMMARY names. -1 also when something cannot be written. */
int comparison_print(FILE *f, const struct comparison *c, const char *format, struct err *e);
/* Adds the names: "table", "markdown", "json", "junit", "github". */
void comparison_formats(struct list *out);
/* One line for people; NULL for an unknown format. */
const char *comparison_format_summary(const char *format);

#endif

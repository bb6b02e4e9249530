/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_COMPARISON_FORMAT_H
#define CB_COMPARISON_FORMAT_H

/* The formats of comparison_print(), one file each. -1 with an error; whether f could be written is
 * the caller's to check. */
#include <stdio.h>

#include "compare.h"
#include "err.h"

int comparison_table(FILE *f, const struct comparison *c, struct err *e);
int comparison_markdown(FILE *f, const struct comparison *c, struct err *e);
int comparison_json(FILE *f, const struct comparison *c, struct err *e);
int comparison_junit(FILE *f, const struct comparison *c, struct err *e);
int comparison_github(FILE *f, const struct comparison *c, struct err *e);

#endif

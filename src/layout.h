/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_LAYOUT_H
#define CB_LAYOUT_H

/* Results in the layouts of published experiments, so that they can be laid side by side. */
#include <stdio.h>

#include "resultfile.h"
#include "str.h"

/* format: "table" or "markdown". 0, or -1 on write error or for a name that is none. */
int layout_print(FILE *f, const char *name, const struct result_file *r, const char *format);
void layout_names(struct list *out);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_FACTSHEET_H
#define CB_FACTSHEET_H

/* Objects of a result file as tables of HTML, whatever is in them. */
#include <stdio.h>

#include "json.h"

/*
 * A table of two columns: paths such as "compiler.version", and values, escaped. null is said to be
 * not known; of long lists (what each object file has, say) only how many entries there are.
 * caption: any text, escaped here.
 */
void factsheet_print(FILE *f, const struct json_doc *d, const struct json *object,
                     const char *caption);

#endif

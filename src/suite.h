/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_SUITE_H
#define CB_SUITE_H

/* Experiments: suites/ JSON files that name axes, metrics and layout (docs/suite.schema.json). */
#include "options.h"

struct suite {
    char *name, *summary;
};

/* Reads the suite that --suite names (a name or a JSON file of the user's) and fills in every axis
 * that o leaves open; o->layout and o->skip_missing are set. Usage errors name file and place. */
int suite_apply(struct options *o, struct err *e);
/* Name and summary only, for lists. */
int suite_load(const char *path, struct suite *out, struct err *e);
void suite_free(struct suite *s);

#endif

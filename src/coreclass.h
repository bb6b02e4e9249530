/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_CORECLASS_H
#define CB_CORECLASS_H

/* Rows of a core table's file, for core.c. */
#include "core.h"
#include "json.h"
#include "str.h"

/* An integer from low to high; an absent optional one leaves *out as it was. */
int core_number(const struct json_doc *d, const struct json *o, const char *key,
                enum json_need need, int low, int high, int *out, struct err *e);
/* Array of names of c's units, as bits; empty, unknown or repeated ones are refused. */
int core_unit_set(const struct json_doc *d, const struct json *o, const char *key,
                  const struct core *c, uint16_t *out, struct err *e);
/* "source", one of sources, and "fitted", keys among the NULL-terminated values. */
int core_origin(const struct json_doc *d, const struct json *o, const struct list *sources,
                const char *const *values, struct err *e);

/* Member "classes" of root into c->classes; all else of c must be there already. */
int core_classes(const struct json_doc *d, const struct json *root, const struct list *sources,
                 struct core *c, struct err *e);

#endif

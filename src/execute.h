/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_EXECUTE_H
#define CB_EXECUTE_H

/* Carries out a plan: builds, measures, writes the result file. */
#include "host.h"
#include "options.h"
#include "plan.h"
#include "progress.h"

/* Whether --out can be written, which should be known before an hour of work. */
int execute_out_check(const struct options *o, struct err *e);
/* Builds and measures all; a build or cell that fails is no error. h: as read before. -1 when the
 * cache cannot be used, no processor can be had, or interrupted while building. */
int execute_plan(struct plan *p, const struct options *o, struct host *h, struct progress *pr,
                 struct err *e);
/* The result as text, and into *path: --out or results/TIME-TARGETS.json; caller owns. "-" is not
 * written. */
int execute_write(const struct plan *p, const struct options *o, const struct host *h,
                  const char *created, struct str *text, char **path, struct err *e);
size_t execute_failed_cells(const struct plan *p);
size_t execute_failed_builds(const struct plan *p);

#endif

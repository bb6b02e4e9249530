/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_RESULT_H
#define CB_RESULT_H

/* The result file, "crypto-bench/1": see docs/format.md and docs/result.schema.json. */
#include "host.h"
#include "json.h"
#include "options.h"
#include "plan.h"

/* Computes estimates, baselines, ratios of all cells, and the warnings. */
void result_finish(struct plan *p);
/* The whole file. argv: the command line for the record. Caller frees with json_free(). */
struct json *result_json(const struct plan *p, const struct options *o, const struct host *h,
                         const char *created);
/* "20261130T183000Z" / "2026-11-30T18:30:00Z" for now. Caller owns. */
char *time_compact(void);
char *time_iso(void);

#endif

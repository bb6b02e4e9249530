/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_REQUEST_H
#define CB_REQUEST_H

/* What compare and gate have in common: from options to a request and a policy, and the end. */
#include "compare.h"
#include "match.h"
#include "options.h"

/* Limits and allowances: defaults, --policy, then the other options. Caller frees p, on failure
 * too. */
int request_policy(const struct options *o, struct policy *p, struct err *e);
/* Metrics of --metric into r; with none given, all. Which cells the options choose, where
 * `filter` is set: o must live as long as r. */
void request_choose(const struct options *o, int filter, struct match_request *r);
/*
 * What of n files, 1 or 2, is set against what: two files as they are; of one file the two configs
 * of --config BASE,NEW, or the sides of a gate. Sets r's sides, and their names for people, which
 * the caller owns. A usage error, beginning with the command's name, when there are no two sides.
 */
int request_sides(const char *command, const struct options *o, const struct result_file *files,
                  size_t n, struct match_request *r, char **base_name, char **new_name,
                  struct err *e);
/* Words of --config must be configs of the file; a usage error otherwise. */
int request_configs_known(const struct result_file *f, const struct list *words, struct err *e);
/* Whether options choose a cell: words of --target, --alg and the like, empty for all. */
int request_wants(const void *options, const struct result_cell *c);
/* The same, and --config. */
int request_wants_config(const void *options, const struct result_cell *c);

#endif

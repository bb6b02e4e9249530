/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_MERGE_H
#define CB_MERGE_H

/*
 * Joins result files of several machines, or of shards of one matrix, into one (docs/format.md).
 * Builds, lanes and cells are carried over as they are written; what two files have both must be
 * the same in both.
 */
#include "err.h"
#include "str.h"

/*
 * The text of the result. Files that contradict each other are refused, with the place and both
 * names. machines: 1 to take times of several machines into one lane. Adds "code: text" to warnings
 * of what the result has a warning of that no file had. The order of the files makes no difference.
 */
int merge_files(const struct list *paths, int machines, struct str *out, struct list *warnings,
                struct err *e);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_PLOTKIND_H
#define CB_PLOTKIND_H

/* Which pictures there are of result files: the words of --plot. */
#include "err.h"
#include "plot.h"
#include "resultfile.h"
#include "str.h"

/* Adds the names; the first one is the default. */
void plot_kinds(struct list *out);
/* One line for people; NULL for an unknown kind. */
const char *plot_kind_summary(const char *kind);
/* A usage error when kind is none of plot_kinds(), or format no picture. NULL is fine. */
int plot_check_word(const char *kind, const char *format, struct err *e);
/* All panels of n files (at least 1), however many. kind: one of plot_kinds(), NULL for the first.
 * metric: "time" and "insns", what of them is drawn; NULL or empty: time of real processors, and
 * instructions. out is freed with plot_free(), and refers to files. */
void plot_make(const char *kind, const struct result_file *files, size_t n,
               const struct list *metric, struct plot *out);
/* What options would make a choice among the files' cells, to be said when there is too much or too
 * little: "--target (aarch64, x86_64), --alg (...)"; "" when all cells agree. Caller owns. */
char *plot_choices(const struct result_file *files, size_t n);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_SELFTEST_H
#define CB_SELFTEST_H

/* Proves on a user's own file that a comparison fires, and from which change on. */
#include <stdio.h>

#include "match.h"

/*
 * Compares the file with a copy of itself, then with copies that were made worse step by step, one
 * metric at a time, and says what came of it. *status: EXIT_OK when the unchanged copy is no
 * regression and each metric the file has fires; EXIT_FAILED when one does not; EXIT_NO_VERDICT
 * when the file has nothing that could be judged. r: which metrics and cells. -1 when the file
 * cannot be read.
 */
int selftest(const char *path, const struct match_request *r, const struct policy *p, FILE *out,
             int *status, struct err *e);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_LEDGERTABLE_H
#define CB_LEDGERTABLE_H

/* What explain --size prints. */
#include <stdio.h>

#include "sides.h"

/* A table for each build of the new side that the options choose and that has a counterpart. An
 * error when there is none, or when either has no sizes of objects. */
int ledger_tables_print(FILE *f, const struct options *o, const struct sides *s, struct err *e);

#endif

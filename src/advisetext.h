/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_ADVISETEXT_H
#define CB_ADVISETEXT_H

/* Advice in words: every sentence with the figures that it rests on. */
#include <stdio.h>

#include "advise.h"

/* weight: bytes that one per cent of cost is worth, 0: not given; format: "table" or "markdown".
 * Returns 1 when there was advice to give, 0 when none, -1 when a table cannot be laid out. */
int advise_print(FILE *f, const struct cell_group *g, const struct advice *a, uint64_t weight,
                 const char *format);

#endif

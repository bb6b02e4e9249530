/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_CHANGE_H
#define CB_CHANGE_H

/* What may be said of a cell's change against its baseline. */
#include "resultfile.h"

/* Whether noise alone may have made the difference: its interval holds none at all, or two drivers
 * of one build, of either side, differ by as much. c->ratio.n is not 0. */
int change_in_noise(const struct result_cell *c);

#endif

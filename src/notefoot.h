/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_NOTEFOOT_H
#define CB_NOTEFOOT_H

/* What release notes call the sides that they compare, and the line with units and conditions that
 * stands below them. Markdown, with names escaped. */
#include <stdio.h>

#include "match.h"

/* A side, now or base: its config, else its library and version where these differ, else its file.
 * Caller owns. */
char *notefoot_side(const struct match_request *r, int now);
/* One line: what the figures are, how they were measured, and what counts as a change. */
void notefoot_print(FILE *f, const struct comparison *c, const struct match_request *r);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_SCREEN_H
#define CB_SCREEN_H

/* What text is shown on: a terminal of some width, or anything else, which gets plain text. */
#include <stdio.h>

struct screen {
    size_t columns; /* of characters; 0: no terminal, lines may be of any length */
    int colour;     /* 1: colours are shown and wanted */
};

/* Of a stream. The width is that of $COLUMNS, else what the terminal says, else 80. No colour where
 * $NO_COLOR is set and not empty (no-color.org) or $TERM is dumb. */
struct screen screen_of(FILE *f);

/* What a piece of text is, for those that see colours: the words say it as well. */
enum tone { TONE_PLAIN, TONE_GOOD, TONE_BAD, TONE_WARNING, TONE_COUNT };
/* The name of its colour, as libsmartcols knows it; NULL for TONE_PLAIN. */
const char *tone_colour(enum tone t);
/* Starts, and with TONE_PLAIN ends, a tone in running text; nothing on a screen without colour. */
void tone_print(FILE *f, const struct screen *s, enum tone t);

#endif

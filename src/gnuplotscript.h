/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_GNUPLOTSCRIPT_H
#define CB_GNUPLOTSCRIPT_H

/*
 * Panels as a script for gnuplot. No text of users can become a command in it: texts are of one
 * line in single quotes, where gnuplot substitutes nothing, and data blocks hold only numbers.
 */
#include "plot.h"

/* How the picture is wanted. */
struct gnuplot_terminal {
    int png;     /* else SVG */
    int inlined; /* SVG without a background of its own */
};

/* A picture with n panels (at least 1), one below the other, or in two columns when there are many.
 * In SVG, texts are as svg_text() has them, for svg_finish(). Caller owns. */
char *gnuplot_script(const struct plot_panel *panels, size_t n, struct gnuplot_terminal t);

/* At most `most` (at least 3) characters of UTF-8: of longer text the ends, with an ellipsis
 * between. Caller owns. */
char *text_shortened(const char *s, size_t most);

#endif

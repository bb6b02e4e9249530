/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_SVG_H
#define CB_SVG_H

/* SVG as gnuplot writes it, made the same for every version of it, and fit to stand in a page. */
#include "str.h"

/*
 * Text on its way through gnuplot into SVG: one line, good UTF-8, and characters of XML replaced by
 * others of the private use area, which svg_finish() makes references of; what gnuplot itself would
 * do with them depends on its version. Caller owns.
 */
char *svg_text(const char *s);
/*
 * A document of gnuplot's: without its name and version and what it calls lines, with `title`
 * instead, which is for those who hear the picture; XML of svg_text()'s characters. `prefix` (of
 * letters and digits) goes before every id, so that pictures in one page do not share them; with
 * inlined, it begins at <svg> and is drawn in the page's colour of text where it was black.
 * Appended to out.
 */
void svg_finish(const char *drawn, const char *title, const char *prefix, int inlined,
                struct str *out);

#endif

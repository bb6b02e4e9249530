/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_GNUPLOT_H
#define CB_GNUPLOT_H

/* The program that draws. */
#include "err.h"
#include "str.h"

/* 1 when there is such a program on PATH. */
int gnuplot_found(void);
/* What to say when there is none: what it is for, and how to get it. */
extern const char gnuplot_missing[];
/* Runs a script (gnuplotscript.h), which it gets on its standard input; what it draws is appended
 * to out. */
int gnuplot_run(const char *script, struct str *out, struct err *e);

#endif

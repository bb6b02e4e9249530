/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_AXIS_H
#define CB_AXIS_H

/* Round bounds of an axis, and where it is marked. Pure functions of their arguments. */
#include <stddef.h>

enum { AXIS_TICS = 32 };

struct axis {
    double low, high; /* low < high */
    double tic[AXIS_TICS];
    size_t n;
};

/* Around [least, most], both finite, by steps of 1, 2 or 5 times a power of ten. */
struct axis axis_linear(double least, double most);
/* The same on a logarithmic scale; both above 0. */
struct axis axis_log(double least, double most);
/* As people read it, in every locale: digits in groups of three with no-break spaces between, no
 * digits that say nothing. Caller owns. */
char *axis_text(double v);

#endif

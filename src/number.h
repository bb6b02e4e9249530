/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_NUMBER_H
#define CB_NUMBER_H

/* Numbers in text, the same in every locale. 0, or -1 when the whole text is
 * not such a number. */
#include <stdint.h>

/* Decimal digits only: no sign, space or prefix. */
int number_u64(const char *text, uint64_t *out);
/* Digits with an optional '.', no sign, exponent or white space: finite by nature. */
int number_double(const char *text, double *out);

/* A finite number with the fewest digits (15 to 17) that read back the same, with '.' in every
 * locale. Caller owns. */
char *double_text(double v);

#endif

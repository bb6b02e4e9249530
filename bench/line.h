/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_LINE_H
#define CB_LINE_H

/* Lines of standard input, and the words and numbers in them. */
#include <stddef.h>
#include <stdint.h>

/* Longest line in bytes, without its end. */
#define LINE_MAX_BYTES 4096

enum line { LINE_OK, LINE_BAD, LINE_END };

/* Reads a line into text (LINE_MAX_BYTES + 1), without its end. LINE_BAD: too long, or with a NUL
 * byte; it was skipped as a whole. A last line without an end is a line. */
enum line line_read(char *text);
/* Cuts text at single spaces, in place. Number of words; max + 1 when there are more than max. Two
 * spaces in a row give an empty word. */
size_t line_split(char *text, char **words, size_t max);
/* Decimal digits and nothing else, from low to high; -1 otherwise. */
int line_number(const char *word, uint64_t low, uint64_t high, uint64_t *out);

#endif

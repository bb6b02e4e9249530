/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_JSONSCAN_H
#define CB_JSONSCAN_H

/*
 * Strict syntax of JSON text (RFC 8259), which cJSON does not enforce. Refuses also what the
 * RFC leaves open: nesting over 64 levels, lone surrogates, U+0000 in strings, numbers of more than
 * 60 characters. Part of json.c's inside; nobody else needs it.
 */
#include <stddef.h>

#include "err.h"

/* Where keys and numbers begin, in the order of the text: the tree that cJSON makes has neither
 * positions nor the digits of numbers. */
struct json_scan {
    size_t *at; /* byte offsets; owned */
    size_t n, cap;
};

/* Errors: "NAME:LINE:COLUMN: ...". out is set on success only. */
int json_scan(const char *text, size_t n, const char *name, struct json_scan *out, struct err *e);
void json_scan_free(struct json_scan *s);
/* Sets e to "NAME:LINE:COLUMN: what" for a byte offset; columns count characters from 1. Returns
 * -1. */
int json_scan_error(struct err *e, const char *name, const char *text, size_t at, const char *what);

/* Bytes of the UTF-8 character at p, of which n are there; 0 when it is none (overlong forms,
 * surrogates and beyond U+10FFFF included). n >= 1. */
size_t utf8_length(const char *p, size_t n);

#endif

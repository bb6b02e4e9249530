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
#include <stdint.h>

#include "arena.h"
#include "err.h"
#include "str.h"

/* Where keys and numbers begin, in the order of the text: the tree that cJSON makes has neither
 * positions nor the digits of numbers. */
struct json_scan {
    size_t *at; /* byte offsets; owned */
    size_t n, cap;
    struct json_packed *packed;
    size_t npacked, packed_cap;
    struct arena arena; /* the numbers of packed arrays */
};

/* An array of one or more pairs of integers from 0 to 2^64 - 1 that was read already. Its numbers
 * are not among the marks; where it begins is. */
struct json_packed {
    size_t from, to; /* byte offsets: of the bracket, and after the last one */
    uint64_t *v;     /* 2 x n; in the scan's arena */
    size_t n;        /* pairs */
};

/* Errors: "NAME:LINE:COLUMN: ...". out is set on success only. skip: not NULL: reads arrays of
 * pairs, and leaves out the values of members with these keys, NULL-terminated, but for their
 * syntax. */
int json_scan(const char *text, size_t n, const char *name, const char *const *skip,
              struct json_scan *out, struct err *e);
void json_scan_free(struct json_scan *s);
/* Puts a number and spaces in place of each array that was read. */
void json_scan_blank(char *text, const struct json_scan *s);
/* Ends each number of the text by a NUL. After that no place in it can be told any more. */
void json_scan_end_numbers(char *text, const struct json_scan *s);
/* Sets e to "NAME:LINE:COLUMN: what" for a byte offset; columns count characters from 1. Returns
 * -1. */
int json_scan_error(struct err *e, const char *name, const char *text, size_t at, const char *what);

/* Adds a key to a path inside a document: ".key", or ["any key"]. */
void json_path_add(struct str *path, const char *key);
/* A string as JSON, in quotes. Bytes that are not UTF-8 become U+FFFD. */
void json_quote(struct str *out, const char *s);

/* Bytes of the UTF-8 character at p, of which n are there; 0 when it is none (overlong forms,
 * surrogates and beyond U+10FFFF included). n >= 1. */
size_t utf8_length(const char *p, size_t n);

#endif

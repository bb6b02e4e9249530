/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_JSONSLICE_H
#define CB_JSONSLICE_H

/*
 * Values as they stand in a JSON text, to be carried into another one without a digit changed. Only
 * for text that json.h has read without an error: nothing here checks syntax.
 */
#include <stddef.h>

#include "str.h"

/* A value, or a key with its quotes, inside a text that the caller keeps. */
struct slice {
    const char *p;
    size_t n;
};

/* The value that the text is. */
struct slice slice_of(const char *text, size_t n);

/* Goes through an array or object. Begin with {container}, the rest zero. */
struct slice_walk {
    struct slice of;
    size_t at;        /* offset after what was found */
    struct slice key; /* of a member: without its quotes, as written; empty in arrays */
    struct slice value;
};
/* 1 with the next one in w, 0 after the last. 0 at once when it is no container. */
int slice_next(struct slice_walk *w);

/* Member of an object: as it is written, so that a key with escapes is found by nobody. 0, or -1
 * when there is none. */
int slice_member(struct slice object, const char *key, struct slice *out);
/* Elements or members. */
size_t slice_count(struct slice container);
/* 1 when both are the same but for white space between values. */
int slice_equal(struct slice a, struct slice b);
/* 1 when it is written so. */
int slice_is(struct slice s, const char *text);
/* Order of bytes, white space between values apart; as strcmp() does. */
int slice_order(struct slice a, struct slice b);
/* The value with its lines moved left or right, so that its last one is indented by that many
 * spaces; nothing else changes. Appends. */
void slice_indent(struct str *out, struct slice s, size_t indent);
/* The object with a member put first; one of that key that it has already is left out. Appends. */
void slice_with(struct str *out, struct slice object, const char *key, const char *value);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_JSON_H
#define CB_JSON_H

/*
 * JSON, strict. The only user of cJSON. Reading refuses: anything after the
 * value, duplicate keys, unknown keys, wrong types, numbers that are not
 * finite, nesting over 64 levels, invalid UTF-8. Errors name the file and the path inside it:
 * "targets/x.json: $.cpus[1].name: expected a string, found a number".
 * Integers are exact over the whole range of 64 bits.
 */
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "str.h"

struct json;     /* a document being read, or any value inside it */
struct json_doc; /* owner of all values read from one text */

/* Reads a file (at most 1 GiB) or text; name is used in errors. Syntax
 * errors give line and column. The result is freed with json_close(). */
struct json_doc *json_open(const char *path, struct err *e);
struct json_doc *json_parse(const char *text, size_t n, const char *name, struct err *e);
/* The same for large files: arrays of one or more pairs of integers, such as samples, are not made
 * into values but are of type JSON_PAIRS, and read by json_pairs() only. Members with a key in skip
 * (NULL-terminated) are checked for their syntax, and have no value that could be read. */
struct json_doc *json_open_packed(const char *path, const char *const *skip, struct err *e);
struct json_doc *json_parse_packed(const char *text, size_t n, const char *name,
                                   const char *const *skip, struct err *e);
const struct json *json_root(const struct json_doc *d);
void json_close(struct json_doc *d);

/* Where v is, for errors of one's own: "file: $.a[2]". Caller owns. */
char *json_where(const struct json_doc *d, const struct json *v);

enum json_type {
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT,
    JSON_PAIRS /* see json_open_packed */
};
enum json_type json_typeof(const struct json *v);

/* Refuses keys of object o that are not among the NULL-terminated keys, and
 * an o that is no object. */
int json_only(const struct json_doc *d, const struct json *o, const char *const *keys,
              struct err *e);
/* Member, or NULL when absent. Case-sensitive. */
const struct json *json_get(const struct json *o, const char *key);

/* Typed members of object o. When the key is absent: `need` set gives an
 * error, otherwise 0 and *out untouched. A JSON null counts as absent for
 * the _opt string only. Strings and lists are copies that the caller owns. */
enum json_need { JSON_OPTIONAL, JSON_REQUIRED };
int json_str(const struct json_doc *d, const struct json *o, const char *key, enum json_need need,
             char **out, struct err *e);
/* The same without a copy: the text is the document's. */
int json_str_ref(const struct json_doc *d, const struct json *o, const char *key,
                 enum json_need need, const char **out, struct err *e);
int json_bool(const struct json_doc *d, const struct json *o, const char *key, enum json_need need,
              int *out, struct err *e);
int json_u64(const struct json_doc *d, const struct json *o, const char *key, enum json_need need,
             uint64_t *out, struct err *e);
int json_i64(const struct json_doc *d, const struct json *o, const char *key, enum json_need need,
             int64_t *out, struct err *e);
int json_double(const struct json_doc *d, const struct json *o, const char *key,
                enum json_need need, double *out, struct err *e);
/* Array of strings. */
int json_strings(const struct json_doc *d, const struct json *o, const char *key,
                 enum json_need need, struct list *out, struct err *e);
int json_object(const struct json_doc *d, const struct json *o, const char *key,
                enum json_need need, const struct json **out, struct err *e);
int json_array(const struct json_doc *d, const struct json *o, const char *key, enum json_need need,
               const struct json **out, struct err *e);

/* Of a document from json_open_packed(): 2 x n numbers, which live as long as that. Required; an
 * empty array gives 0 pairs. */
int json_pairs(const struct json_doc *d, const struct json *o, const char *key,
               const uint64_t **out, size_t *n, struct err *e);

/* Walking arrays and objects: first child, next sibling, key of a member. */
const struct json *json_first(const struct json *v);
const struct json *json_next(const struct json *v);
const char *json_key(const struct json *v);
size_t json_count(const struct json *v);
/* Values of array elements (no key). -1 when of another type or range. */
int json_value_str(const struct json *v, const char **out);
int json_value_u64(const struct json *v, uint64_t *out);
int json_value_double(const struct json *v, double *out);
/* Digits of a number as they were written, or what json_add_raw() was given; v must be one. */
const char *json_number_text(const struct json *v);
/* 1 for true. */
int json_value_bool(const struct json *v);

/*
 * Building. Values are owned by the parent once added; the root is freed with
 * json_free(). A key is given for members, NULL for elements of an array.
 * Numbers are written with '.' in every locale; a double that is not finite
 * is written as null. Doubles are written with the fewest digits (15 to 17) that read back the
 * same.
 */
struct json *json_new_object(void);
struct json *json_new_array(void);
void json_free(struct json *root);
struct json *json_add_object(struct json *parent, const char *key);
struct json *json_add_array(struct json *parent, const char *key);
void json_add_str(struct json *parent, const char *key, const char *s); /* NULL: null */
void json_add_bool(struct json *parent, const char *key, int v);
void json_add_u64(struct json *parent, const char *key, uint64_t v);
void json_add_i64(struct json *parent, const char *key, int64_t v);
void json_add_double(struct json *parent, const char *key, double v);
void json_add_null(struct json *parent, const char *key);
void json_add_strings(struct json *parent, const char *key, const struct list *l); /* NULL: [] */
/* Text that is JSON already, printed as it is. */
void json_add_raw(struct json *parent, const char *key, const char *text);
/* Takes child over. */
void json_add(struct json *parent, const char *key, struct json *child);
/* Text of a value with a final newline, two-space indents; arrays of numbers and
 * arrays of [number, number] pairs stay on one line. Caller owns. */
char *json_text(const struct json *v);
/* On one line, no newline. Caller owns. */
char *json_line(const struct json *v);

#endif

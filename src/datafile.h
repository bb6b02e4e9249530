/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_DATAFILE_H
#define CB_DATAFILE_H

/*
 * What the JSON data files (targets/, configs/, libraries/) have in common. The user may
 * name such a file on the command line, so every error here is a usage error.
 */
#include "err.h"
#include "json.h"
#include "str.h"

/* Opens a file, refuses keys of the root object that are not among the NULL-terminated keys, and
 * a "schema" other than schema. NULL on error; close with json_close(). */
struct json_doc *datafile_open(const char *path, const char *schema, const char *const *keys,
                               struct err *e);
/* Usage error "FILE: PATH.KEY: text"; about o itself when key is NULL. Returns -1. */
int datafile_refuse(const struct json_doc *d, const struct json *o, const char *key, struct err *e,
                    const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* 1 when s is made of letters, digits, '.', '_', '+', '-' and begins with neither '-' nor '.':
 * fit to be a part of ids, file names and command lines. */
int name_is_sane(const char *s);

/* Typed members, as in json.h, with the rules of the data files on top. Results are copies that
 * the caller owns; absent optional ones leave *out as it was. */
int datafile_name(const struct json_doc *d, const struct json *o, const char *key,
                  enum json_need need, char **out, struct err *e);
/* One line for people: not empty, no control characters. */
int datafile_text(const struct json_doc *d, const struct json *o, const char *key,
                  enum json_need need, char **out, struct err *e);
/* Words for make and Configure, which split at white space and pass the rest through a shell: no
 * white space, control characters, quotes or other characters that mean something to either. */
int datafile_words(const struct json_doc *d, const struct json *o, const char *key,
                   struct list *out, struct err *e);
/* Such words that begin with '-'. */
int datafile_flags(const struct json_doc *d, const struct json *o, const char *key,
                   struct list *out, struct err *e);
/* Like those words, one; "" only when empty_too. */
int datafile_word(const struct json_doc *d, const struct json *o, const char *key,
                  enum json_need need, int empty_too, char **out, struct err *e);
/* Array of https, http, ftp or file URLs. */
int datafile_urls(const struct json_doc *d, const struct json *o, const char *key, struct list *out,
                  struct err *e);
/* Array of names, e.g. of Debian packages. */
int datafile_names(const struct json_doc *d, const struct json *o, const char *key,
                   struct list *out, struct err *e);

#endif

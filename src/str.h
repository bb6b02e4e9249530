/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_STR_H
#define CB_STR_H

/* A growing string, always NUL-terminated once anything was added. */
#include <stdarg.h>
#include <stddef.h>

struct str {
    char *p; /* owned; NULL while empty and never written */
    size_t n, cap;
};
#define STR_INIT                                                                                   \
    {                                                                                              \
        0, 0, 0                                                                                    \
    }

/* Room for that many bytes more. */
void str_reserve(struct str *s, size_t more);
void str_add(struct str *s, const char *text);
void str_addn(struct str *s, const void *bytes, size_t n);
void str_addc(struct str *s, char c);
void str_addf(struct str *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void str_vaddf(struct str *s, const char *fmt, va_list ap);
/* Removes trailing white space. */
void str_trim(struct str *s);
/* Hands the text over (never NULL; "" when empty) and empties s. */
char *str_take(struct str *s);
void str_free(struct str *s);

/* A list of strings, each owned by the list. v[n] is NULL: usable as argv. */
struct list {
    char **v;
    size_t n;
};
#define LIST_INIT                                                                                  \
    {                                                                                              \
        0, 0                                                                                       \
    }

void list_add(struct list *l, const char *s);
void list_addn(struct list *l, const char *s, size_t n);
void list_addf(struct list *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void list_add_all(struct list *l, const struct list *from);
/* 1 when s is in l. */
int list_has(const struct list *l, const char *s);
/* Appends the parts of text between separators; empty parts are kept. */
void list_split(struct list *l, const char *text, char sep);
/* Byte order, and without repeats. */
void list_sort_unique(struct list *l);
/* Caller owns the result; "" for an empty list. */
char *list_join(const struct list *l, const char *sep);
void list_free(struct list *l);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "str.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"

/* Room for `more` bytes and the final NUL. */
void str_reserve(struct str *s, size_t more)
{
    /* An impossible size makes xreallocarray() fail, which is fatal. */
    size_t need = more < SIZE_MAX - s->n ? s->n + more + 1 : SIZE_MAX;
    if (need <= s->cap)
        return;
    size_t cap = s->cap < SIZE_MAX / 2 ? s->cap * 2 : SIZE_MAX;
    if (cap < need)
        cap = need;
    if (cap < 32)
        cap = 32;
    s->p = xreallocarray(s->p, cap, 1);
    s->cap = cap;
}

void str_addn(struct str *s, const void *bytes, size_t n)
{
    str_reserve(s, n);
    if (n)
        memcpy(s->p + s->n, bytes, n);
    s->n += n;
    s->p[s->n] = '\0';
}

void str_add(struct str *s, const char *text)
{
    str_addn(s, text, strlen(text));
}

void str_addc(struct str *s, char c)
{
    str_addn(s, &c, 1);
}

void str_vaddf(struct str *s, const char *fmt, va_list ap)
{
    va_list first;
    va_copy(first, ap);
    int n = vsnprintf(NULL, 0, fmt, first);
    va_end(first);
    if (n < 0) {
        /* Only a result over INT_MAX or a broken format string get here. */
        fputs("crypto-bench: text too long\n", stderr);
        abort();
    }
    str_reserve(s, (size_t)n);
    vsnprintf(s->p + s->n, (size_t)n + 1, fmt, ap);
    s->n += (size_t)n;
}

void str_addf(struct str *s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    str_vaddf(s, fmt, ap);
    va_end(ap);
}

/* isspace() would depend on the locale. */
static int is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

void str_trim(struct str *s)
{
    if (!s->p)
        return;
    while (s->n && is_space(s->p[s->n - 1]))
        s->n--;
    s->p[s->n] = '\0';
}

char *str_take(struct str *s)
{
    char *p = s->p ? s->p : xstrdup("");
    *s = (struct str)STR_INIT;
    return p;
}

void str_free(struct str *s)
{
    free(s->p);
    *s = (struct str)STR_INIT;
}

/* Takes s over. Room is doubled whenever the count of slots in use, the final NULL
 * included, reaches a power of two, so that no capacity need be kept. */
static void list_push(struct list *l, char *s)
{
    size_t used = l->n + 1;
    if ((used & (used - 1)) == 0)
        l->v = xreallocarray(l->v, used, 2 * sizeof *l->v);
    l->v[l->n++] = s;
    l->v[l->n] = NULL;
}

void list_add(struct list *l, const char *s)
{
    list_push(l, xstrdup(s));
}

void list_addn(struct list *l, const char *s, size_t n)
{
    list_push(l, xstrndup(s, n));
}

void list_addf(struct list *l, const char *fmt, ...)
{
    struct str s = STR_INIT;
    va_list ap;
    va_start(ap, fmt);
    str_vaddf(&s, fmt, ap);
    va_end(ap);
    list_push(l, str_take(&s));
}

void list_add_all(struct list *l, const struct list *from)
{
    size_t n = from->n; /* l and from may be the same list */
    for (size_t i = 0; i < n; i++)
        list_add(l, from->v[i]);
}

int list_has(const struct list *l, const char *s)
{
    for (size_t i = 0; i < l->n; i++)
        if (strcmp(l->v[i], s) == 0)
            return 1;
    return 0;
}

void list_split(struct list *l, const char *text, char sep)
{
    for (;;) {
        const char *end = strchr(text, sep);
        if (!end || sep == '\0') {
            list_add(l, text);
            return;
        }
        list_addn(l, text, (size_t)(end - text));
        text = end + 1;
    }
}

static int compare_strings(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void list_sort_unique(struct list *l)
{
    if (l->n < 2)
        return;
    qsort(l->v, l->n, sizeof *l->v, compare_strings);
    size_t kept = 1;
    for (size_t i = 1; i < l->n; i++) {
        if (strcmp(l->v[i], l->v[kept - 1]) == 0)
            free(l->v[i]);
        else
            l->v[kept++] = l->v[i];
    }
    l->n = kept;
    l->v[kept] = NULL;
}

char *list_join(const struct list *l, const char *sep)
{
    struct str s = STR_INIT;
    for (size_t i = 0; i < l->n; i++) {
        if (i)
            str_add(&s, sep);
        str_add(&s, l->v[i]);
    }
    return str_take(&s);
}

void list_free(struct list *l)
{
    for (size_t i = 0; i < l->n; i++)
        free(l->v[i]);
    free(l->v);
    *l = (struct list)LIST_INIT;
}

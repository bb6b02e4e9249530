/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "jsonslice.h"

#include <string.h>

static int is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t space_skip(struct slice s, size_t at)
{
    while (at < s.n && is_space(s.p[at]))
        at++;
    return at;
}

/* After the string that begins at `at`. */
static size_t string_skip(struct slice s, size_t at)
{
    for (at++; at < s.n && s.p[at] != '"'; at++)
        at += s.p[at] == '\\' ? 1 : 0;
    return at < s.n ? at + 1 : s.n;
}

/* After the value that begins at `at`. */
static size_t value_skip(struct slice s, size_t at)
{
    size_t depth = 0;
    do {
        char c = s.p[at];
        if (c == '"') {
            at = string_skip(s, at);
        } else if (c == '{' || c == '[') {
            depth++;
            at++;
        } else if (c == '}' || c == ']') {
            depth--;
            at++;
        } else if (depth) {
            at++;
        } else {
            while (at < s.n && !is_space(s.p[at]) && !strchr(",]}", s.p[at]))
                at++;
        }
    } while (depth && at < s.n);
    return at;
}

struct slice slice_of(const char *text, size_t n)
{
    struct slice s = {text, n};
    size_t from = space_skip(s, 0), to = from < n ? value_skip(s, from) : n;
    return (struct slice){text + from, to - from};
}

int slice_next(struct slice_walk *w)
{
    struct slice s = w->of;
    if (!s.n || (s.p[0] != '{' && s.p[0] != '['))
        return 0;
    size_t at = space_skip(s, w->at ? w->at : 1);
    if (at < s.n && s.p[at] == ',')
        at = space_skip(s, at + 1);
    if (at >= s.n || s.p[at] == '}' || s.p[at] == ']')
        return 0;
    w->key = (struct slice){0};
    if (s.p[0] == '{') {
        size_t end = string_skip(s, at);
        w->key = (struct slice){s.p + at + 1, end - at - 2};
        at = space_skip(s, space_skip(s, end) + 1); /* the colon */
    }
    w->at = value_skip(s, at);
    w->value = (struct slice){s.p + at, w->at - at};
    return 1;
}

int slice_is(struct slice s, const char *text)
{
    return strlen(text) == s.n && !memcmp(s.p, text, s.n);
}

int slice_member(struct slice object, const char *key, struct slice *out)
{
    struct slice_walk w = {.of = object};
    if (!object.n || object.p[0] != '{')
        return -1;
    while (slice_next(&w))
        if (slice_is(w.key, key)) {
            *out = w.value;
            return 0;
        }
    return -1;
}

size_t slice_count(struct slice container)
{
    struct slice_walk w = {.of = container};
    size_t n = 0;
    while (slice_next(&w))
        n++;
    return n;
}

int slice_order(struct slice a, struct slice b)
{
    size_t i = 0, k = 0;
    int in_string = 0;
    for (;;) {
        if (!in_string) {
            i = space_skip(a, i);
            k = space_skip(b, k);
        }
        if (i == a.n || k == b.n)
            return (i < a.n) - (k < b.n);
        if (a.p[i] != b.p[k])
            return (unsigned char)a.p[i] < (unsigned char)b.p[k] ? -1 : 1;
        if (in_string && a.p[i] == '\\' && i + 1 < a.n && k + 1 < b.n && a.p[i + 1] == b.p[k + 1]) {
            i++;
            k++;
        } else if (a.p[i] == '"') {
            in_string = !in_string;
        }
        i++;
        k++;
    }
}

int slice_equal(struct slice a, struct slice b)
{
    return !slice_order(a, b);
}

/* Spaces from `at` on. */
static size_t spaces(struct slice s, size_t at)
{
    size_t n = 0;
    while (at + n < s.n && s.p[at + n] == ' ')
        n++;
    return n;
}

void slice_indent(struct str *out, struct slice s, size_t indent)
{
    size_t last = s.n, now;
    while (last && s.p[last - 1] != '\n')
        last--;
    now = spaces(s, last);
    /* strings have no line feeds as such */
    for (size_t at = 0; at < s.n; at++) {
        str_addc(out, s.p[at]);
        if (s.p[at] != '\n')
            continue;
        size_t n = spaces(s, at + 1);
        at += n;
        for (n = n + indent > now ? n + indent - now : 0; n; n--)
            str_addc(out, ' ');
    }
}

void slice_with(struct str *out, struct slice object, const char *key, const char *value)
{
    struct slice_walk w = {.of = object};
    size_t gap = space_skip(object, 1) - 1, end = gap + 1; /* before the first, so before each */

    str_addc(out, '{');
    str_addn(out, object.p + 1, gap);
    str_addf(out, "\"%s\": %s", key, value);
    while (slice_next(&w)) {
        const char *member = w.key.p - 1;
        end = w.at;
        if (slice_is(w.key, key))
            continue;
        str_addc(out, ',');
        str_addn(out, object.p + 1, gap);
        str_addn(out, member, (size_t)(w.value.p + w.value.n - member));
    }
    str_addn(out, object.p + end, object.n - end);
}

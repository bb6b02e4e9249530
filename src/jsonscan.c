/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "jsonscan.h"

#include <stdlib.h>
#include <string.h>

#include "mem.h"

enum {
    LEVELS_MAX = 64,
    /* cJSON takes at most 63 characters of a number and misreads longer ones. */
    NUMBER_MAX = 60
};

struct scanner {
    const char *text, *p, *end;
    const char *name;
    struct json_scan found;
    int pack;
    const char *const *skip;
    uint64_t *pairs; /* room for the array that is being read */
    size_t pairs_cap;
    struct err *e;
};

static int scan_value(struct scanner *s, int level);

size_t utf8_length(const char *p, size_t n)
{
    /* RFC 3629: the first byte gives the length, the second is narrowed for four first bytes. */
    const unsigned char *u = (const unsigned char *)p;
    size_t length = u[0] < 0x80 ? 1 : u[0] < 0xc2 ? 0 : u[0] < 0xe0 ? 2 : u[0] < 0xf0 ? 3 : 4;
    if (length == 1)
        return 1;
    if (length == 0 || length > n || u[0] > 0xf4)
        return 0;
    unsigned low = u[0] == 0xe0 ? 0xa0 : u[0] == 0xf0 ? 0x90 : 0x80;
    unsigned high = u[0] == 0xed ? 0x9f : u[0] == 0xf4 ? 0x8f : 0xbf;
    if (u[1] < low || u[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((u[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

/* Strings come from compilers and drivers too: what is not UTF-8 becomes U+FFFD. */
void json_quote(struct str *out, const char *s)
{
    static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
    size_t left = strlen(s);
    str_addc(out, '"');
    while (left) {
        size_t n = utf8_length(s, left);
        const char *special = strchr(from, *s);
        if (n == 0) {
            str_add(out, "\xef\xbf\xbd");
            n = 1;
        } else if (special) {
            str_addc(out, '\\');
            str_addc(out, to[special - from]);
        } else if ((unsigned char)*s < ' ') {
            str_addf(out, "\\u%04x", (unsigned)*s);
        } else {
            str_addn(out, s, n);
        }
        s += n;
        left -= n;
    }
    str_addc(out, '"');
}

static int is_plain_key(const char *key)
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char rest[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789-";
    return *key && strchr(first, *key) && key[strspn(key, rest)] == '\0';
}

void json_path_add(struct str *path, const char *key)
{
    if (is_plain_key(key))
        str_addf(path, ".%s", key);
    else
        str_addf(path, "[\"%s\"]", key);
}

int json_scan_error(struct err *e, const char *name, const char *text, size_t at, const char *what)
{
    size_t line = 1, column = 1;
    for (size_t i = 0; i < at; i++) {
        if (text[i] == '\n') {
            line++;
            column = 1;
        } else if (((unsigned char)text[i] & 0xc0) != 0x80) {
            column++;
        }
    }
    return err_set(e, "%s:%zu:%zu: %s", name, line, column, what);
}

static int scan_error(const struct scanner *s, const char *at, const char *what)
{
    return json_scan_error(s->e, s->name, s->text, (size_t)(at - s->text), what);
}

/* "expected X, found Y" where the scanner stands. */
static int scan_expected(const struct scanner *s, const char *what)
{
    char *text;
    if (s->p == s->end)
        text = xasprintf("expected %s, found the end of the text", what);
    else if (*s->p > ' ' && *s->p < 0x7f)
        text = xasprintf("expected %s, found '%c'", what, *s->p);
    else
        text = xasprintf("expected %s, found byte 0x%02x", what, (unsigned char)*s->p);
    int r = scan_error(s, s->p, text);
    free(text);
    return r;
}

static void scan_note(struct scanner *s)
{
    struct json_scan *f = &s->found;
    if (f->n == f->cap) {
        f->cap = f->cap ? f->cap * 2 : 64;
        f->at = xreallocarray(f->at, f->cap, sizeof *f->at);
    }
    f->at[f->n++] = (size_t)(s->p - s->text);
}

static void scan_space(struct scanner *s)
{
    while (s->p < s->end && (*s->p == ' ' || *s->p == '\t' || *s->p == '\n' || *s->p == '\r'))
        s->p++;
}

static int scan_is(const struct scanner *s, char c)
{
    return s->p < s->end && *s->p == c;
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The value of four hex digits at p; -1 when there are none. */
static int scan_hex4(const struct scanner *s, const char *p)
{
    int value = 0;
    if (s->end - p < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        int c = (unsigned char)p[i];
        int lower = c | 0x20;
        if (is_digit((char)c))
            value = value * 16 + c - '0';
        else if (lower >= 'a' && lower <= 'f')
            value = value * 16 + lower - 'a' + 10;
        else
            return -1;
    }
    return value;
}

/* p is at the backslash; is left after the escape. */
static int scan_escape(struct scanner *s)
{
    const char *start = s->p++;
    if (s->p == s->end || !*s->p || !strchr("\"\\/bfnrtu", *s->p))
        return scan_error(s, start,
                          "unknown escape; JSON has \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
    if (*s->p++ != 'u')
        return 0;
    int unit = scan_hex4(s, s->p);
    if (unit < 0)
        return scan_error(s, start, "\\u needs four hexadecimal digits");
    if (unit == 0)
        return scan_error(s, start, "U+0000 in a string");
    s->p += 4;
    if (unit < 0xd800 || unit > 0xdfff)
        return 0;
    int low = s->end - s->p >= 6 && s->p[0] == '\\' && s->p[1] == 'u' ? scan_hex4(s, s->p + 2) : -1;
    if (unit > 0xdbff || low < 0xdc00 || low > 0xdfff)
        return scan_error(s, start, "surrogate without its other half");
    s->p += 6;
    return 0;
}

static int scan_string(struct scanner *s, const char *what)
{
    if (!scan_is(s, '"'))
        return scan_expected(s, what);
    const char *start = s->p++;
    while (s->p < s->end) {
        unsigned char c = (unsigned char)*s->p;
        if (c == '"') {
            s->p++;
            return 0;
        }
        if (c == '\\') {
            if (scan_escape(s))
                return -1;
            continue;
        }
        if (c < ' ')
            return scan_error(s, s->p, "control character in a string; write it as an escape");
        size_t length = utf8_length(s->p, (size_t)(s->end - s->p));
        if (length == 0)
            return scan_error(s, s->p, "invalid UTF-8");
        s->p += length;
    }
    return scan_error(s, start, "string without its end");
}

static int scan_digits(struct scanner *s)
{
    if (s->p == s->end || !is_digit(*s->p))
        return scan_expected(s, "a digit");
    while (s->p < s->end && is_digit(*s->p))
        s->p++;
    return 0;
}

static int scan_number(struct scanner *s)
{
    const char *start = s->p;
    scan_note(s);
    if (scan_is(s, '-'))
        s->p++;
    int zero = scan_is(s, '0');
    const char *digits = s->p;
    if (scan_digits(s))
        return -1;
    if (zero && s->p - digits > 1)
        return scan_error(s, start, "number with a leading zero");
    if (scan_is(s, '.')) {
        s->p++;
        if (scan_digits(s))
            return -1;
    }
    if (scan_is(s, 'e') || scan_is(s, 'E')) {
        s->p++;
        if (scan_is(s, '+') || scan_is(s, '-'))
            s->p++;
        if (scan_digits(s))
            return -1;
    }
    if (s->p - start > NUMBER_MAX)
        return scan_error(s, start, "number of more than 60 characters");
    return 0;
}

static int scan_word(struct scanner *s)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if ((size_t)(s->end - s->p) >= n && memcmp(s->p, words[i], n) == 0) {
            s->p += n;
            return 0;
        }
    }
    return scan_expected(s, "a JSON value");
}

/* After an element: 1 when another one follows the comma, 0 after the closing bracket. */
static int scan_more(struct scanner *s, char close, const char *what)
{
    scan_space(s);
    if (scan_is(s, close)) {
        s->p++;
        return 0;
    }
    if (!scan_is(s, ','))
        return scan_expected(s, what);
    s->p++;
    scan_space(s);
    return 1;
}

/* Digits without a leading zero, at most 19 of them: below 2^64. */
static int pair_number(struct scanner *s, uint64_t *out)
{
    const char *start = s->p;
    uint64_t v = 0;
    while (s->p < s->end && is_digit(*s->p) && s->p - start < 19)
        v = v * 10 + (uint64_t)(*s->p++ - '0');
    *out = v;
    return s->p > start && (*start != '0' || s->p - start == 1) &&
           !(s->p < s->end && (is_digit(*s->p) || strchr(".eE", *s->p)));
}

static int pair_char(struct scanner *s, char c)
{
    scan_space(s);
    if (!scan_is(s, c))
        return 0;
    s->p++;
    scan_space(s);
    return 1;
}

static void packed_add(struct json_scan *f, const struct json_packed *p)
{
    if (f->npacked == f->packed_cap) {
        f->packed_cap = f->packed_cap ? 2 * f->packed_cap : 64;
        f->packed = xreallocarray(f->packed, f->packed_cap, sizeof *f->packed);
    }
    f->packed[f->npacked++] = *p;
}

/* 1 when an array of pairs was here, and read; else nothing has happened. */
static int scan_pairs(struct scanner *s)
{
    struct json_packed p = {.from = (size_t)(s->p - s->text)};
    const char *start = s->p;
    int more = 1, good = pair_char(s, '[') && scan_is(s, '[');

    while (good && more) {
        if (p.n == s->pairs_cap) {
            s->pairs_cap = s->pairs_cap ? 2 * s->pairs_cap : 256;
            s->pairs = xreallocarray(s->pairs, 2 * s->pairs_cap, sizeof *s->pairs);
        }
        uint64_t *v = s->pairs + 2 * p.n;
        good = pair_char(s, '[') && pair_number(s, &v[0]) && pair_char(s, ',') &&
               pair_number(s, &v[1]) && pair_char(s, ']');
        p.n += good ? 1 : 0;
        more = good && pair_char(s, ',');
    }
    if (!good || !scan_is(s, ']')) {
        s->p = start;
        return 0;
    }
    p.v = arena_take(&s->found.arena, 2 * p.n * sizeof *p.v);
    memcpy(p.v, s->pairs, 2 * p.n * sizeof *p.v);
    p.to = (size_t)(s->p + 1 - s->text);
    s->p = start;
    scan_note(s);
    s->p = s->text + p.to;
    packed_add(&s->found, &p);
    return 1;
}

static int scan_array(struct scanner *s, int level)
{
    int more = 1;
    if (s->pack && scan_pairs(s))
        return 0;
    s->p++;
    scan_space(s);
    if (scan_is(s, ']')) {
        s->p++;
        return 0;
    }
    while (more == 1) {
        if (scan_value(s, level))
            return -1;
        more = scan_more(s, ']', "',' or ']'");
    }
    return more;
}

/* What s->skip names is checked for its syntax only. */
static int is_skipped(const struct scanner *s, const char *key, size_t n)
{
    for (const char *const *k = s->skip; k && *k; k++)
        if (strlen(*k) == n && !memcmp(*k, key, n))
            return 1;
    return 0;
}

/* Goes through a value and leaves nothing of it but its place, as of an array of no pairs. */
static int scan_skipped(struct scanner *s, int level)
{
    struct json_packed p = {.from = (size_t)(s->p - s->text)};
    size_t marks = s->found.n, packed = s->found.npacked;
    scan_note(s);
    if (scan_value(s, level))
        return -1;
    s->found.n = marks + 1;
    s->found.npacked = packed;
    p.to = (size_t)(s->p - s->text);
    packed_add(&s->found, &p);
    return 0;
}

static int scan_object(struct scanner *s, int level)
{
    int more = 1;
    s->p++;
    scan_space(s);
    if (scan_is(s, '}')) {
        s->p++;
        return 0;
    }
    while (more == 1) {
        const char *key = s->p + 1;
        scan_note(s);
        if (scan_string(s, "a key in double quotes"))
            return -1;
        size_t length = (size_t)(s->p - 1 - key);
        scan_space(s);
        if (!scan_is(s, ':'))
            return scan_expected(s, "':'");
        s->p++;
        scan_space(s);
        if (is_skipped(s, key, length) ? scan_skipped(s, level) : scan_value(s, level))
            return -1;
        more = scan_more(s, '}', "',' or '}'");
    }
    return more;
}

/* level: containers around the value. */
static int scan_value(struct scanner *s, int level)
{
    char c = s->p < s->end ? *s->p : '\0';
    if ((c == '[' || c == '{') && level == LEVELS_MAX)
        return scan_error(s, s->p, "nesting of more than 64 levels");
    if (c == '[')
        return scan_array(s, level + 1);
    if (c == '{')
        return scan_object(s, level + 1);
    if (c == '"')
        return scan_string(s, "a string");
    if (c == '-' || is_digit(c))
        return scan_number(s);
    return scan_word(s);
}

int json_scan(const char *text, size_t n, const char *name, const char *const *skip,
              struct json_scan *out, struct err *e)
{
    struct scanner s = {.text = text,
                        .p = text,
                        .end = text + n,
                        .name = name,
                        .pack = skip != NULL,
                        .skip = skip,
                        .e = e};
    scan_space(&s);
    int r = scan_value(&s, 0);
    if (r == 0) {
        scan_space(&s);
        if (s.p != s.end)
            r = scan_expected(&s, "nothing after the value");
    }
    free(s.pairs);
    if (r)
        json_scan_free(&s.found);
    else
        *out = s.found;
    return r;
}

void json_scan_free(struct json_scan *s)
{
    arena_free(&s->arena);
    free(s->packed);
    free(s->at);
    *s = (struct json_scan){0};
}

void json_scan_blank(char *text, const struct json_scan *s)
{
    for (size_t i = 0; i < s->npacked; i++) {
        const struct json_packed *p = &s->packed[i];
        memset(text + p->from, ' ', p->to - p->from);
        text[p->from] = '0';
    }
}

void json_scan_end_numbers(char *text, const struct json_scan *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (text[s->at[i]] != '"')
            text[s->at[i] + strspn(text + s->at[i], "+-.0123456789eE")] = '\0';
}

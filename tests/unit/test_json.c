/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "json.h"
#include "mem.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Parses text that must be good. */
static struct json_doc *doc(const char *text)
{
    struct err e = ERR_INIT;
    struct json_doc *d = json_parse(text, strlen(text), "t.json", &e);
    if (!d)
        fail_msg("%s: %s", text, e.text);
    return d;
}

static void refused(const char *text, size_t n, const char *error)
{
    struct err e = ERR_INIT;
    struct json_doc *d = json_parse(text, n, "t.json", &e);
    if (d)
        fail_msg("accepted: %s", text);
    assert_string_equal(e.text, error);
    assert_int_equal(e.exit_code, EXIT_FAILED);
    err_clear(&e);
}

static void assert_line(const struct json *v, const char *text)
{
    char *line = json_line(v);
    assert_string_equal(line, text);
    free(line);
}

static void accepts_what_is_json(void **state)
{
    (void)state;
    static const struct {
        const char *text, *line;
    } rows[] = {
        {"null", "null"},
        {" \t\r\n true \n", "true"},
        {"[]", "[]"},
        {"{ }", "{}"},
        {"[1 , -2,\n3.5e+2]", "[1,-2,3.5e+2]"},
        {"[0,-0,0.0,1e5,1E-5]", "[0,-0,0.0,1e5,1E-5]"},
        {"{\"a\":{\"a\":1},\"A\":2}", "{\"a\":{\"a\":1},\"A\":2}"},
        {"\"\\u00e4\\ud83d\\ude00\\/\\b\\u0001\"", "\"\xc3\xa4\xf0\x9f\x98\x80/\\b\\u0001\""},
        {"\"\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf\x7f\"",
         "\"\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf\x7f\""},
        {"{\"\":[{}]}", "{\"\":[{}]}"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct json_doc *d = doc(rows[i].text);
        assert_line(json_root(d), rows[i].line);
        json_close(d);
    }
}

static void refuses_what_is_not(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"", "1:1: expected a JSON value, found the end of the text"},
        {" \n ", "2:2: expected a JSON value, found the end of the text"},
        {"\xef\xbb\xbf{}", "1:1: expected a JSON value, found byte 0xef"},
        {"{} x", "1:4: expected nothing after the value, found 'x'"},
        {"[1]]", "1:4: expected nothing after the value, found ']'"},
        {"{\"a\":1,\n \"b\":2,\n \"a\":3}", "3:2: duplicate key \"a\""},
        {"{\"a\":1,\"\\u0061\":1}", "1:8: duplicate key \"a\""},
        {"[{\"x\":{\"k\":1,\"l\":[7],\"k\":2}}]", "1:22: duplicate key \"k\""},
        {"[1,]", "1:4: expected a JSON value, found ']'"},
        {"[1 2]", "1:4: expected ',' or ']', found '2'"},
        {"{\"a\":1,}", "1:8: expected a key in double quotes, found '}'"},
        {"{a:1}", "1:2: expected a key in double quotes, found 'a'"},
        {"{\"a\" 1}", "1:6: expected ':', found '1'"},
        {"{\"a\":1", "1:7: expected ',' or '}', found the end of the text"},
        {"[", "1:2: expected a JSON value, found the end of the text"},
        {"nul", "1:1: expected a JSON value, found 'n'"},
        {"True", "1:1: expected a JSON value, found 'T'"},
        {"NaN", "1:1: expected a JSON value, found 'N'"},
        {"-Infinity", "1:2: expected a digit, found 'I'"},
        {"truex", "1:5: expected nothing after the value, found 'x'"},
        {"'a'", "1:1: expected a JSON value, found '''"},
        {"// c\n1", "1:1: expected a JSON value, found '/'"},
        {"01", "1:1: number with a leading zero"},
        {"-01", "1:1: number with a leading zero"},
        {"+1", "1:1: expected a JSON value, found '+'"},
        {".5", "1:1: expected a JSON value, found '.'"},
        {"5.", "1:3: expected a digit, found the end of the text"},
        {"[1.e5]", "1:4: expected a digit, found 'e'"},
        {"1e", "1:3: expected a digit, found the end of the text"},
        {"0x10", "1:2: expected nothing after the value, found 'x'"},
        {"1,5", "1:2: expected nothing after the value, found ','"},
        {"{\"n\":\n1e999}", "2:1: number too large for a double"},
        {"-1e999", "1:1: number too large for a double"},
        {"\"a", "1:1: string without its end"},
        {"\"a\\\"", "1:1: string without its end"},
        {"[\"\xc3\xa4\tb\"]", "1:4: control character in a string; write it as an escape"},
        {"\"\\x\"", "1:2: unknown escape; JSON has \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX"},
        {"\"\\u12g4\"", "1:2: \\u needs four hexadecimal digits"},
        {"\"\\u12", "1:2: \\u needs four hexadecimal digits"},
        {"\"a\\u0000b\"", "1:3: U+0000 in a string"},
        {"\"\\ud800\"", "1:2: surrogate without its other half"},
        {"\"\\ud800\\u0041\"", "1:2: surrogate without its other half"},
        {"\"\\udc00\\ud800\"", "1:2: surrogate without its other half"},
        {"\"\xff\"", "1:2: invalid UTF-8"},
        {"\"\x80\"", "1:2: invalid UTF-8"},
        {"\"\xc3\"", "1:2: invalid UTF-8"},
        {"\"\xc0\xaf\"", "1:2: invalid UTF-8"},         /* overlong */
        {"\"\xe0\x9f\xbf\"", "1:2: invalid UTF-8"},     /* overlong */
        {"\"\xf0\x8f\xbf\xbf\"", "1:2: invalid UTF-8"}, /* overlong */
        {"\"\xed\xa0\x80\"", "1:2: invalid UTF-8"},     /* surrogate */
        {"\"\xf4\x90\x80\x80\"", "1:2: invalid UTF-8"}, /* over U+10FFFF */
        {"\"\xe2\x82", "1:2: invalid UTF-8"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char *error = xasprintf("t.json:%s", rows[i].error);
        /* In memory of exactly that size, so that a sanitizer sees any read behind it. */
        size_t n = strlen(rows[i].text);
        char *text = xmalloc(n);
        memcpy(text, rows[i].text, n);
        refused(text, n, error);
        free(text);
        free(error);
    }
    refused("\"a\0b\"", 5, "t.json:1:3: control character in a string; write it as an escape");
    refused("1\0", 2, "t.json:1:2: expected nothing after the value, found byte 0x00");
}

static char *nested(size_t levels)
{
    struct str s = STR_INIT;
    for (size_t i = 0; i < levels; i++)
        str_addc(&s, '[');
    for (size_t i = 0; i < levels; i++)
        str_addc(&s, ']');
    return str_take(&s);
}

static void depth_has_a_limit(void **state)
{
    (void)state;
    char *good = nested(64), *bad = nested(65), *huge = nested(1000000);
    struct json_doc *d = doc(good);
    assert_line(json_root(d), good);
    json_close(d);
    refused(bad, strlen(bad), "t.json:1:65: nesting of more than 64 levels");
    refused(huge, strlen(huge), "t.json:1:65: nesting of more than 64 levels");
    free(huge);
    free(bad);
    free(good);
}

static void long_numbers(void **state)
{
    (void)state;
    char text[80];
    memset(text, '1', sizeof text);
    struct json_doc *d;
    struct err e = ERR_INIT;
    double v = 0;
    text[0] = '0';
    text[1] = '.';
    d = json_parse(text, 60, "t.json", &e);
    assert_non_null(d);
    assert_int_equal(json_value_double(json_root(d), &v), 0);
    assert_true(v == 1.0 / 9);
    json_close(d);
    refused(text, 61, "t.json:1:1: number of more than 60 characters");
}

/* One integer in a document. */
static struct json_doc *number_doc(const char *number)
{
    char *text = xasprintf("{\"n\":%s}", number);
    struct json_doc *d = doc(text);
    free(text);
    return d;
}

static void integers_are_exact(void **state)
{
    (void)state;
    static const uint64_t values[] = {
        0,
        1,
        (1ull << 53) - 1,
        1ull << 53,
        (1ull << 53) + 1, /* the first that a double cannot hold */
        9007199254740995ull,
        (uint64_t)INT64_MAX,
        (uint64_t)INT64_MAX + 1,
        UINT64_MAX - 1,
        UINT64_MAX,
    };
    struct err e = ERR_INIT;
    for (size_t i = 0; i < COUNT(values); i++) {
        struct json *o = json_new_object();
        json_add_u64(o, "n", values[i]);
        char *text = json_text(o), *number = xasprintf("%llu", (unsigned long long)values[i]);
        struct json_doc *d = doc(text);
        uint64_t u = 77;
        assert_int_equal(json_u64(d, json_root(d), "n", JSON_REQUIRED, &u, &e), 0);
        assert_true(u == values[i]);
        char *line = xasprintf("{\"n\":%s}", number);
        assert_line(json_root(d), line);
        json_close(d);
        json_free(o);
        free(line);
        free(number);
        free(text);
    }
    static const int64_t signed_values[] = {INT64_MIN, -9007199254740993, -1, 0, INT64_MAX};
    for (size_t i = 0; i < COUNT(signed_values); i++) {
        struct json *o = json_new_object();
        json_add_i64(o, "n", signed_values[i]);
        char *text = json_line(o);
        struct json_doc *d = doc(text);
        int64_t v = 77;
        assert_int_equal(json_i64(d, json_root(d), "n", JSON_REQUIRED, &v, &e), 0);
        assert_true(v == signed_values[i]);
        json_close(d);
        free(text);
        json_free(o);
    }
}

static void integers_out_of_range(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    static const char *const no_u64[] = {"18446744073709551616",   "-1", "-0", "1.0", "1e3",
                                         "99999999999999999999999"};
    for (size_t i = 0; i < COUNT(no_u64); i++) {
        struct json_doc *d = number_doc(no_u64[i]);
        uint64_t u = 77;
        assert_int_equal(json_u64(d, json_root(d), "n", JSON_REQUIRED, &u, &e), -1);
        char *error = xasprintf("t.json: $.n: expected an integer from 0 to 18446744073709551615, "
                                "found %s",
                                no_u64[i]);
        assert_string_equal(e.text, error);
        assert_int_equal(u, 77);
        assert_int_equal(json_value_u64(json_get(json_root(d), "n"), &u), -1);
        free(error);
        json_close(d);
    }
    static const char *const no_i64[] = {"9223372036854775808", "-9223372036854775809", "0.5",
                                         "\"1\""};
    for (size_t i = 0; i < COUNT(no_i64); i++) {
        struct json_doc *d = number_doc(no_i64[i]);
        int64_t v = 77;
        assert_int_equal(json_i64(d, json_root(d), "n", JSON_REQUIRED, &v, &e), -1);
        assert_int_equal(v, 77);
        json_close(d);
    }
    err_clear(&e);
}

static void getters(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct json_doc *d = doc("{\"s\":\"text\",\"b\":true,\"f\":false,\"u\":5,\"d\":-2.5,"
                             "\"l\":[\"x\",\"y\"],\"o\":{\"in\":1},\"z\":null}");
    const struct json *o = json_root(d), *v = NULL;
    char *s = NULL;
    int b = 77;
    double f = 0;
    uint64_t u = 0;
    struct list l = LIST_INIT;
    assert_int_equal(json_str(d, o, "s", JSON_REQUIRED, &s, &e), 0);
    assert_string_equal(s, "text");
    free(s);
    assert_int_equal(json_bool(d, o, "b", JSON_REQUIRED, &b, &e), 0);
    assert_int_equal(b, 1);
    assert_int_equal(json_bool(d, o, "f", JSON_REQUIRED, &b, &e), 0);
    assert_int_equal(b, 0);
    assert_int_equal(json_double(d, o, "d", JSON_REQUIRED, &f, &e), 0);
    assert_true(f == -2.5);
    assert_int_equal(json_double(d, o, "u", JSON_REQUIRED, &f, &e), 0);
    assert_true(f == 5);
    assert_int_equal(json_strings(d, o, "l", JSON_REQUIRED, &l, &e), 0);
    assert_int_equal(l.n, 2);
    assert_string_equal(l.v[1], "y");
    list_free(&l);
    assert_int_equal(json_object(d, o, "o", JSON_REQUIRED, &v, &e), 0);
    assert_int_equal(json_u64(d, v, "in", JSON_REQUIRED, &u, &e), 0);
    assert_int_equal(u, 1);

    /* Absent, and optional: untouched. Keys have a case. */
    s = NULL;
    v = NULL;
    assert_int_equal(json_str(d, o, "S", JSON_OPTIONAL, &s, &e), 0);
    assert_int_equal(json_str(d, o, "z", JSON_OPTIONAL, &s, &e), 0);
    assert_null(s);
    assert_int_equal(json_bool(d, o, "none", JSON_OPTIONAL, &b, &e), 0);
    assert_int_equal(b, 0);
    assert_int_equal(json_strings(d, o, "none", JSON_OPTIONAL, &l, &e), 0);
    assert_int_equal(l.n, 0);
    assert_int_equal(json_array(d, o, "none", JSON_OPTIONAL, &v, &e), 0);
    assert_null(v);
    assert_null(json_get(o, "B"));
    assert_null(e.text);
    json_close(d);
}

static void getter_errors_have_the_path(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct json_doc *d = doc("{\"cpus\":[{\"name\":\"a\"},{\"name\":7,\"odd key\":1}],"
                             "\"cflags\":[\"-Os\",3],\"z\":null}");
    const struct json *o = json_root(d), *cpus = NULL, *v = NULL;
    char *s = NULL;
    int b;
    uint64_t u;
    struct list l = LIST_INIT;
    assert_int_equal(json_array(d, o, "cpus", JSON_REQUIRED, &cpus, &e), 0);
    const struct json *second = json_next(json_first(cpus));
    assert_int_equal(json_str(d, second, "name", JSON_REQUIRED, &s, &e), -1);
    assert_string_equal(e.text, "t.json: $.cpus[1].name: expected a string, found a number");
    assert_int_equal(e.exit_code, EXIT_FAILED);
    assert_int_equal(json_bool(d, second, "native", JSON_REQUIRED, &b, &e), -1);
    assert_string_equal(e.text, "t.json: $.cpus[1].native: expected true or false, found nothing");
    assert_int_equal(json_bool(d, second, "odd key", JSON_OPTIONAL, &b, &e), -1);
    assert_string_equal(e.text,
                        "t.json: $.cpus[1][\"odd key\"]: expected true or false, found a number");
    assert_int_equal(json_strings(d, o, "cflags", JSON_REQUIRED, &l, &e), -1);
    assert_string_equal(e.text, "t.json: $.cflags[1]: expected a string, found a number");
    assert_int_equal(l.n, 0);
    assert_int_equal(json_object(d, o, "cpus", JSON_REQUIRED, &v, &e), -1);
    assert_string_equal(e.text, "t.json: $.cpus: expected an object, found an array");
    assert_int_equal(json_str(d, o, "z", JSON_REQUIRED, &s, &e), -1);
    assert_string_equal(e.text, "t.json: $.z: expected a string, found null");
    assert_int_equal(json_u64(d, o, "z", JSON_OPTIONAL, &u, &e), -1);
    /* Asking an array for a member is the file's fault, not a crash. */
    assert_int_equal(json_u64(d, cpus, "x", JSON_OPTIONAL, &u, &e), -1);
    assert_string_equal(e.text, "t.json: $.cpus: expected an object, found an array");
    assert_null(s);

    char *where = json_where(d, second);
    assert_string_equal(where, "t.json: $.cpus[1]");
    free(where);
    where = json_where(d, o);
    assert_string_equal(where, "t.json: $");
    free(where);
    err_clear(&e);
    json_close(d);
}

static void unknown_keys(void **state)
{
    (void)state;
    static const char *const keys[] = {"name", "cflags", NULL};
    struct err e = ERR_INIT;
    struct json_doc *d = doc("{\"x\":{\"name\":1,\"cflag\":[]},\"ok\":{\"cflags\":1},\"Name\":1}");
    const struct json *o = json_root(d);
    assert_int_equal(json_only(d, json_get(o, "ok"), keys, &e), 0);
    assert_int_equal(json_only(d, json_get(o, "x"), keys, &e), -1);
    assert_string_equal(e.text, "t.json: $.x.cflag: unknown key; did you mean 'cflags'? "
                                "Known: name, cflags");
    assert_int_equal(json_only(d, json_get(o, "Name"), keys, &e), -1);
    assert_string_equal(e.text, "t.json: $.Name: expected an object, found a number");
    assert_int_equal(json_only(d, o, keys, &e), -1);
    assert_string_equal(e.text, "t.json: $.x: unknown key. Known: name, cflags");
    err_clear(&e);
    json_close(d);
}

static void walking(void **state)
{
    (void)state;
    struct json_doc *d = doc("{\"a\":[1,\"two\",[]],\"b\":{}}");
    const struct json *o = json_root(d), *a = json_first(o), *b = json_next(a);
    uint64_t u = 0;
    double f;
    const char *s = NULL;
    assert_int_equal(json_count(o), 2);
    assert_string_equal(json_key(a), "a");
    assert_string_equal(json_key(b), "b");
    assert_null(json_next(b));
    assert_null(json_first(b));
    assert_int_equal(json_count(b), 0);
    assert_int_equal(json_typeof(a), JSON_ARRAY);
    assert_int_equal(json_typeof(b), JSON_OBJECT);
    const struct json *one = json_first(a), *two = json_next(one), *three = json_next(two);
    assert_null(json_key(one));
    assert_int_equal(json_value_u64(one, &u), 0);
    assert_int_equal(u, 1);
    assert_int_equal(json_value_str(one, &s), -1);
    assert_int_equal(json_value_str(two, &s), 0);
    assert_string_equal(s, "two");
    assert_int_equal(json_value_u64(two, &u), -1);
    assert_int_equal(json_value_double(two, &f), -1);
    assert_int_equal(json_value_double(three, &f), -1);
    assert_null(json_next(three));
    json_close(d);
}

static void doubles_read_back_the_same(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text; /* NULL: only that it reads back */
    } rows[] = {
        {0.1, "0.1"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1.0 / 3, "0.3333333333333333"},
        {3, "3"},
        {-0.0, "-0"},
        {1e21, "1e+21"},
        {1456.5, "1456.5"},
        {123456.789, "123456.789"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {DBL_MIN, NULL},
        {5e-324, NULL},
        {9007199254740993.0, NULL},
        {NAN, "null"},
        {INFINITY, "null"},
        {-INFINITY, "null"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct json *a = json_new_array();
        json_add_double(a, NULL, rows[i].value);
        char *text = json_line(a);
        if (rows[i].text) {
            char *want = xasprintf("[%s]", rows[i].text);
            assert_string_equal(text, want);
            free(want);
        }
        struct json_doc *d = doc(text);
        double back = 0;
        if (isfinite(rows[i].value)) {
            assert_int_equal(json_value_double(json_first(json_root(d)), &back), 0);
            assert_memory_equal(&back, &rows[i].value, sizeof back);
        } else {
            assert_int_equal(json_typeof(json_first(json_root(d))), JSON_NULL);
        }
        json_close(d);
        free(text);
        json_free(a);
    }
}

/* A locale that is installed and writes one half as "0,5". */
static const char *comma_locale(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8",  "fr_FR.UTF-8",
                                        "de_DE",       "nl_NL.UTF-8", "sv_SE.UTF-8"};
    for (size_t i = 0; i < COUNT(names); i++) {
        locale_t l = newlocale(LC_ALL_MASK, names[i], (locale_t)0);
        if (!l)
            continue;
        char half[8];
        locale_t old = uselocale(l);
        snprintf(half, sizeof half, "%.1f", 0.5);
        uselocale(old);
        freelocale(l);
        if (strcmp(half, "0,5") == 0)
            return names[i];
    }
    return NULL;
}

static void doubles_in_any_locale(void **state)
{
    (void)state;
    const char *name = comma_locale();
    if (!name)
        skip();
    locale_t comma = newlocale(LC_ALL_MASK, name, (locale_t)0), old = (locale_t)0;
    /* Once for the thread, once for the process. */
    for (int way = 0; way < 2; way++) {
        if (way == 0)
            old = uselocale(comma);
        else
            assert_non_null(setlocale(LC_ALL, name));
        doubles_read_back_the_same(state);
        struct json_doc *d = doc("[1234.5,2.5e-1,0.1]");
        double v = 0;
        assert_int_equal(json_value_double(json_first(json_root(d)), &v), 0);
        assert_true(v == 1234.5);
        assert_line(json_root(d), "[1234.5,2.5e-1,0.1]");
        json_close(d);
        if (way == 0)
            uselocale(old);
        else
            setlocale(LC_ALL, "C");
    }
    freelocale(comma);
}

static void strings_print_as_valid_json(void **state)
{
    (void)state;
    struct json *o = json_new_object();
    json_add_str(o, "esc", "\"\\/\b\f\n\r\t\x01\x1f\x7f");
    json_add_str(o, "utf8", "\xc3\xa4\xf0\x9f\x98\x80");
    /* Not UTF-8: a lone continuation byte, a cut character, a surrogate. */
    json_add_str(o, "bad",
                 "a\x80"
                 "b\xe2\x82");
    json_add_str(o, "k\"\xff", "");
    json_add_str(o, "none", NULL);
    const char *want = "{\"esc\":\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\","
                       "\"utf8\":\"\xc3\xa4\xf0\x9f\x98\x80\","
                       "\"bad\":\"a\xef\xbf\xbd"
                       "b\xef\xbf\xbd\xef\xbf\xbd\","
                       "\"k\\\"\xef\xbf\xbd\":\"\",\"none\":null}";
    assert_line(o, want);
    struct json_doc *d = doc(want);
    assert_line(json_root(d), want);
    json_close(d);
    json_free(o);
}

static void layout(void **state)
{
    (void)state;
    struct list flags = LIST_INIT, many = LIST_INIT;
    list_add(&flags, "-O2");
    list_add(&flags, "-g");
    for (int i = 0; i < 3; i++)
        list_addf(&many, "%040d", i);
    struct json *o = json_new_object();
    json_add_str(o, "schema", "crypto-bench/1");
    json_add_bool(o, "ok", 1);
    json_add_bool(o, "bad", 0);
    json_add_strings(o, "flags", &flags);
    json_add_strings(o, "many", &many);
    json_add_object(o, "empty");
    json_add_strings(o, "nothing", NULL);
    struct json *cells = json_add_array(o, "cells");
    struct json *cell = json_new_object();
    json_add(cells, NULL, cell);
    struct json *samples = json_add_array(cell, "samples");
    for (uint64_t i = 0; i < 2; i++) {
        struct json *pair = json_add_array(samples, NULL);
        json_add_u64(pair, NULL, 23041);
        json_add_u64(pair, NULL, 20013452 + i);
    }
    struct json *numbers = json_add_array(cell, "numbers");
    for (int i = 0; i < 60; i++)
        json_add_i64(numbers, NULL, -i);
    struct json *mixed = json_add_array(cell, "mixed");
    json_add_null(mixed, NULL);
    json_add_array(mixed, NULL);
    struct str row = STR_INIT;
    for (int i = 0; i < 60; i++)
        str_addf(&row, "%s%d", i ? ", " : "", -i);
    char *want = xasprintf("{\n"
                           "  \"schema\": \"crypto-bench/1\",\n"
                           "  \"ok\": true,\n"
                           "  \"bad\": false,\n"
                           "  \"flags\": [\"-O2\", \"-g\"],\n"
                           "  \"many\": [\n"
                           "    \"%s\",\n"
                           "    \"%s\",\n"
                           "    \"%s\"\n"
                           "  ],\n"
                           "  \"empty\": {},\n"
                           "  \"nothing\": [],\n"
                           "  \"cells\": [\n"
                           "    {\n"
                           "      \"samples\": [[23041, 20013452], [23041, 20013453]],\n"
                           "      \"numbers\": [%s],\n"
                           "      \"mixed\": [\n"
                           "        null,\n"
                           "        []\n"
                           "      ]\n"
                           "    }\n"
                           "  ]\n"
                           "}\n",
                           many.v[0], many.v[1], many.v[2], row.p);
    char *text = json_text(o);
    assert_string_equal(text, want);
    free(text);
    free(want);
    str_free(&row);
    json_free(o);
    list_free(&flags);
    list_free(&many);
}

static void many_objects(void **state)
{
    (void)state;
    enum { N = 50000 };
    struct json *a = json_new_array();
    for (uint64_t i = 0; i < N; i++) {
        struct json *o = json_add_object(a, NULL);
        json_add_u64(o, "i", UINT64_MAX - i);
        json_add_str(o, "s", "text");
        json_add_double(o, "d", 0.5);
    }
    char *text = json_text(a);
    json_free(a);
    struct json_doc *d = doc(text);
    struct err e = ERR_INIT;
    uint64_t i = 0;
    for (const struct json *o = json_first(json_root(d)); o; o = json_next(o), i++) {
        uint64_t u = 0;
        assert_int_equal(json_u64(d, o, "i", JSON_REQUIRED, &u, &e), 0);
        assert_true(u == UINT64_MAX - i);
    }
    assert_int_equal(i, N);
    char *again = json_text(json_root(d));
    assert_string_equal(again, text);
    free(again);
    free(text);
    json_close(d);
}

static void files(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    const char *base = getenv("TMPDIR");
    char *dir = xasprintf("%s/cb-test-XXXXXX", base ? base : P_tmpdir);
    assert_non_null(mkdtemp(dir));
    char *path = path_join(dir, "x.json");
    assert_null(json_open(path, &e));
    assert_non_null(strstr(e.text, path));
    assert_int_equal(file_write_atomic(path, "{\"a\":\n!}", 8, &e), 0);
    assert_null(json_open(path, &e));
    char *want = xasprintf("%s:2:1: expected a JSON value, found '!'", path);
    assert_string_equal(e.text, want);
    assert_int_equal(file_write_atomic(path, "{\"a\":1}", 7, &e), 0);
    struct json_doc *d = json_open(path, &e);
    assert_non_null(d);
    assert_line(json_root(d), "{\"a\":1}");
    json_close(d);
    json_close(NULL);
    assert_int_equal(tree_remove(dir, &e), 0);
    err_clear(&e);
    free(want);
    free(path);
    free(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_what_is_json),
        cmocka_unit_test(refuses_what_is_not),
        cmocka_unit_test(depth_has_a_limit),
        cmocka_unit_test(long_numbers),
        cmocka_unit_test(integers_are_exact),
        cmocka_unit_test(integers_out_of_range),
        cmocka_unit_test(getters),
        cmocka_unit_test(getter_errors_have_the_path),
        cmocka_unit_test(unknown_keys),
        cmocka_unit_test(walking),
        cmocka_unit_test(doubles_read_back_the_same),
        cmocka_unit_test(doubles_in_any_locale),
        cmocka_unit_test(strings_print_as_valid_json),
        cmocka_unit_test(layout),
        cmocka_unit_test(many_objects),
        cmocka_unit_test(files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

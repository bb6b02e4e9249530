/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "jsonslice.h"

static struct slice text(const char *s)
{
    return slice_of(s, strlen(s));
}

static void is(struct slice s, const char *want)
{
    if (!slice_is(s, want))
        fail_msg("'%.*s' is not '%s'", (int)s.n, s.p, want);
}

static void white_space_around(void **state)
{
    (void)state;
    is(text(" \n\t{\"a\": 1} \r\n"), "{\"a\": 1}");
    is(text("  12.50e+3 "), "12.50e+3");
    is(text("\"a } \\\" ] b\""), "\"a } \\\" ] b\"");
    is(text("   "), "");
    is(text(""), "");
}

static void walks(void **state)
{
    (void)state;
    static const char *const values[] = {"1",          "\"x,]\\\"}\"",         "[ ]",
                                         "{\"k\":[]}", "-0.10000000000000001", "null"};
    struct slice_walk w = {
        .of = text("[1 ,\"x,]\\\"}\", [ ],{\"k\":[]} , -0.10000000000000001,null ]")};
    size_t n = 0;
    for (; slice_next(&w); n++) {
        assert_true(n < 6);
        is(w.value, values[n]);
        assert_int_equal(w.key.n, 0);
    }
    assert_int_equal(n, 6);
    assert_int_equal(slice_next(&w), 0);
    assert_int_equal(slice_count(text("[]")), 0);
    assert_int_equal(slice_count(text("[ \n]")), 0);
    assert_int_equal(slice_count(text("{ \"a\" : {\"b\":1,\"c\":2}, \"d\":3 }")), 2);
    assert_int_equal(slice_count(text("12")), 0);
    assert_int_equal(slice_count(text("\"[1,2]\"")), 0);
}

static void members(void **state)
{
    (void)state;
    struct slice v, o = text("{\"a\\\"b\": {\"b\": 2}, \"b\" :\n [1, 2] , \"ab\":true}");
    assert_int_equal(slice_member(o, "b", &v), 0); /* not the one inside */
    is(v, "[1, 2]");
    assert_int_equal(slice_member(o, "ab", &v), 0);
    is(v, "true");
    assert_int_equal(slice_member(o, "a\\\"b", &v), 0);
    is(v, "{\"b\": 2}");
    assert_int_equal(slice_member(o, "a", &v), -1);
    assert_int_equal(slice_member(text("[\"b\", 1]"), "b", &v), -1);
}

static void equal_but_for_space(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        int order;
    } rows[] = {
        {"{\"a\": [1, 2]}", "{\n  \"a\":[1,2]\n}", 0},
        {"\"a b\"", "\"ab\"", -1},          /* space in strings counts */
        {"\"a\\\" b\"", "\"a\\\"  b\"", 1}, /* an escaped quote ends none */
        {"\"a\\\\\" ", "\"a\\\\\"", 0},     /* but a quote after a backslash's escape does */
        {"[1]", "[1,2]", 1},                /* ']' comes after ',' */
        {"[1.0]", "[1]", -1},               /* as written */
        {"", "", 0},
        {"", "1", -1},
        {"{\"a\":\"\\\\\", \"b\":1}", "{\"a\":\"\\\\\",\"b\":1}", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int r = slice_order(text(rows[i].a), text(rows[i].b));
        if ((r > 0) - (r < 0) != rows[i].order)
            fail_msg("row %zu: %d", i, r);
        assert_int_equal(slice_order(text(rows[i].b), text(rows[i].a)), -rows[i].order);
        assert_int_equal(slice_equal(text(rows[i].a), text(rows[i].b)), !rows[i].order);
    }
}

static void put_first(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
    } rows[] = {
        {"{}", "{\"run\": 3}"},
        {"{\"a\":1,\"b\":[2]}", "{\"run\": 3,\"a\":1,\"b\":[2]}"},
        {"{\n  \"a\": 1,\n  \"b\": 2\n}", "{\n  \"run\": 3,\n  \"a\": 1,\n  \"b\": 2\n}"},
        {"{\n  \"run\": 10,\n  \"b\": 2\n}", "{\n  \"run\": 3,\n  \"b\": 2\n}"},
        {"{\"a\":{\"run\":1},\"run\":7}", "{\"run\": 3,\"a\":{\"run\":1}}"},
        {"{\"run\":7}", "{\"run\": 3}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str out = STR_INIT;
        slice_with(&out, text(rows[i].from), "run", "3");
        assert_string_equal(out.p, rows[i].to);
        str_free(&out);
    }
}

static void moved(void **state)
{
    (void)state;
    static const struct {
        const char *from;
        size_t indent;
        const char *to;
    } rows[] = {
        {"{\n  \"a\": 1\n}", 4, "{\n      \"a\": 1\n    }"},
        {"{\n      \"a\": 1\n    }", 0, "{\n  \"a\": 1\n}"},
        {"{\n      \"a\": 1\n    }", 4, "{\n      \"a\": 1\n    }"},
        {"{\"a\":1}", 8, "{\"a\":1}"},
        {"{\n \"a\": 1\n   }", 0, "{\n\"a\": 1\n}"}, /* never beyond the margin */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str out = STR_INIT;
        slice_indent(&out, text(rows[i].from), rows[i].indent);
        assert_string_equal(out.p, rows[i].to);
        str_free(&out);
    }
}

static void raw_in_a_tree(void **state)
{
    (void)state;
    struct json *root = json_new_object();
    json_add_raw(root, "n", "0.10000000000000001");
    struct json *all = json_add_array(root, "v");
    json_add_raw(all, NULL, "{\"a\":\n  18446744073709551616}");
    json_add_u64(all, NULL, 1);
    char *out = json_line(root);
    assert_string_equal(out,
                        "{\"n\":0.10000000000000001,\"v\":[{\"a\":\n  18446744073709551616},1]}");
    free(out);
    json_free(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(white_space_around),
        cmocka_unit_test(walks),
        cmocka_unit_test(members),
        cmocka_unit_test(equal_but_for_space),
        cmocka_unit_test(put_first),
        cmocka_unit_test(moved),
        cmocka_unit_test(raw_in_a_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

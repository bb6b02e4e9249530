/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "mergefile.h"

static const char *const ignored[] = {"path", "run", NULL};

static int differ(const char *a, const char *b, struct difference *d)
{
    return difference_find(slice_of(a, strlen(a)), slice_of(b, strlen(b)), ignored, d);
}

static void is(const char *a, const char *b, const char *path, const char *x, const char *y)
{
    struct difference d;
    assert_int_equal(differ(a, b, &d), 1);
    assert_string_equal(d.path, path);
    assert_string_equal(d.a, x);
    assert_string_equal(d.b, y);
    difference_free(&d);
}

static void first_member(void **state)
{
    (void)state;
    is("{\"a\":1,\"b\":2}", "{\"a\":1,\"b\":3}", "b", "2", "3");
    is("{\"a\":{\"b\":{\"c\":[1, 2]}}}", "{\"a\":{\"b\":{\"c\":[1,\n 3]}}}", "a.b.c", "[1, 2]",
       "[1, 3]");
    is("{\"a\":1}", "{\"a\":1,\"z\":null}", "z", "nothing", "null");
    is("{\"a\":1,\"y\":\"\"}", "{\"a\":1}", "y", "\"\"", "nothing");
    is("{\"a\":{\"x\":1}}", "{\"a\":null}", "a", "{\"x\":1}", "null");
    /* The path of what was the same is gone. */
    is("{\"a\":{\"path\":1},\"b\":1}", "{\"a\":{\"path\":2},\"b\":2}", "b", "1", "2");
}

static void not_that(void **state)
{
    (void)state;
    struct difference d;
    assert_int_equal(differ("{\"a\": 1}", "{ \"a\":1 }", &d), 0);
    assert_int_equal(differ("{\"run\":1,\"a\":{\"path\":\"x\"}}", "{\"a\":{\"path\":\"y\"}}", &d),
                     0);
    assert_int_equal(differ("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", &d), 0);
}

static void long_values_are_cut(void **state)
{
    (void)state;
    struct difference d;
    struct str a = STR_INIT;
    str_add(&a, "{\"a\":\"");
    for (size_t i = 0; i < 50; i++)
        str_add(&a, "\xc3\xa9");
    str_add(&a, "\"}");
    assert_int_equal(differ(a.p, "{\"a\":1}", &d), 1);
    assert_true(strlen(d.a) < 70);
    assert_string_equal(d.a + strlen(d.a) - 3, "...");
    assert_int_equal((unsigned char)d.a[strlen(d.a) - 4], 0xa9); /* between two characters */
    difference_free(&d);
    str_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_member),
        cmocka_unit_test(not_that),
        cmocka_unit_test(long_values_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

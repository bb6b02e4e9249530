/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json.h"

static struct json_doc *packed(const char *text, struct err *e)
{
    char path[] = "/tmp/test_json_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    static const char *const skip[] = {"left", "out", NULL};
    struct json_doc *d = json_open_packed(path, skip, e);
    unlink(path);
    return d;
}

static void pairs_are_packed(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct json_doc *d = packed("{\"a\": [[1,2], [ 30 ,9999999999999999999] ,[0,5]],\n"
                                " \"k\": -7, \"none\": [], \"one\": [[1]], \"neg\": [[1,-2]],\n"
                                " \"more\": [[1,2],[3,4,5]], \"frac\": [[1,2.5]], \"b\": [[7,8]],\n"
                                " \"deep\": {\"c\": [[11,12]], \"m\": 3}}",
                                &e);
    const uint64_t *v;
    const struct json *o;
    size_t n;
    int64_t k;
    assert_non_null(d);
    o = json_root(d);
    assert_int_equal(json_typeof(json_get(o, "a")), JSON_PAIRS);
    assert_int_equal(json_pairs(d, o, "a", &v, &n, &e), 0);
    assert_int_equal(n, 3);
    static const uint64_t want[] = {1, 2, 30, 9999999999999999999u, 0, 5};
    assert_memory_equal(v, want, sizeof want);
    assert_int_equal(json_i64(d, o, "k", JSON_REQUIRED, &k, &e), 0);
    assert_int_equal(k, -7);
    assert_int_equal(json_pairs(d, o, "none", &v, &n, &e), 0);
    assert_int_equal(n, 0);
    assert_int_equal(json_pairs(d, o, "b", &v, &n, &e), 0);
    assert_int_equal(v[1], 8);
    assert_int_equal(json_pairs(d, json_get(o, "deep"), "c", &v, &n, &e), 0);
    assert_int_equal(v[0], 11);
    for (const char *const *key = (const char *const[]){"one", "neg", "more", "frac", NULL}; *key;
         key++) {
        assert_int_equal(json_typeof(json_get(o, *key)), JSON_ARRAY);
        assert_int_equal(json_pairs(d, o, *key, &v, &n, &e), -1);
        assert_non_null(strstr(e.text, "expected an array of pairs of whole numbers"));
    }
    assert_int_equal(json_pairs(d, o, "k", &v, &n, &e), -1);
    json_close(d);
    /* errors have their place as ever */
    assert_null(packed("{\"a\": [[1,2],\n [3,4}", &e));
    assert_non_null(strstr(e.text, ":2:6: expected ',' or ']', found '}'"));
    assert_null(packed("{\"a\": [[1,2]],\n \"a\": 1}", &e));
    assert_non_null(strstr(e.text, ":2:2: duplicate key"));
    err_clear(&e);
}

static void members_are_left_out(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct json_doc *d =
        packed("{\"a\": 1, \"left\": {\"x\": [1, {\"y\": [[1,2]]}], \"z\": 7}, \"b\": [[3,4]],\n"
               " \"c\": {\"out\": \"text\", \"d\": 12345678901234567890}, \"left2\": 5}",
               &e);
    const uint64_t *v;
    uint64_t u;
    size_t n;
    assert_non_null(d);
    const struct json *o = json_root(d);
    assert_int_equal(json_u64(d, o, "a", JSON_REQUIRED, &u, &e), 0);
    assert_int_equal(u, 1);
    assert_int_equal(json_pairs(d, o, "b", &v, &n, &e), 0);
    assert_int_equal(n, 1);
    assert_int_equal(v[1], 4);
    assert_int_equal(json_u64(d, json_get(o, "c"), "d", JSON_REQUIRED, &u, &e), 0);
    assert_true(u == 12345678901234567890u);
    assert_int_equal(json_u64(d, o, "left2", JSON_REQUIRED, &u, &e), 0);
    assert_int_equal(u, 5);
    assert_int_equal(json_u64(d, o, "left", JSON_REQUIRED, &u, &e), -1);
    json_close(d);
    /* their syntax counts, and they are no place for a second one */
    assert_null(packed("{\"left\": {\"x\": [1,}}", &e));
    assert_null(packed("{\"left\": 1, \"left\": 2}", &e));
    assert_non_null(strstr(e.text, "duplicate key"));
    err_clear(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_packed),
        cmocka_unit_test(members_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

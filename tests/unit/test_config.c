/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "catalog.h"
#include "config.h"
#include "file.h"
#include "mem.h"

static int setup(void **state)
{
    const char *base = getenv("TMPDIR");
    char *dir = xasprintf("%s/cb-test-XXXXXX", base ? base : P_tmpdir);
    if (!mkdtemp(dir))
        return -1;
    *state = dir;
    return 0;
}

static int teardown(void **state)
{
    struct err e = ERR_INIT;
    int rc = tree_remove(*state, &e);
    err_clear(&e);
    free(*state);
    return rc;
}

/* Loads a file of the keys that all need and those given. */
static int load(const char *dir, const char *more, struct config *c, struct err *e)
{
    char *text = xasprintf("{\"schema\": \"crypto-bench-config/1\", \"name\": \"mine\", "
                           "\"summary\": \"of mine\"%s}\n",
                           more);
    char *path = path_join(dir, "mine.json");
    assert_int_equal(file_write_atomic(path, text, strlen(text), e), 0);
    int rc = config_load(path, c, e);
    free(path);
    free(text);
    return rc;
}

static void loads_all(void **state)
{
    struct config c;
    struct err e = ERR_INIT;
    assert_int_equal(load(*state,
                          ", \"source\": \"here\", \"baseline\": \"O2\", \"cflags\": [\"-Os\", "
                          "\"-DX=1\"], \"configure\": [\"no-asm\", \"--x=y\", \"-DY=2\"], "
                          "\"in_default_set\": true, \"order\": 9",
                          &c, &e),
                     0);
    assert_string_equal(path_base(c.path), "mine.json");
    assert_string_equal(c.name, "mine");
    assert_string_equal(c.summary, "of mine");
    assert_string_equal(c.baseline, "O2");
    assert_int_equal(c.cflags.n, 2);
    assert_string_equal(c.cflags.v[1], "-DX=1");
    assert_int_equal(c.configure.n, 3);
    assert_string_equal(c.configure.v[0], "no-asm");
    assert_int_equal(c.in_default_set, 1);
    assert_int_equal(c.order, 9);
    config_free(&c);
    assert_null(c.name);
}

static void little_is_needed(void **state)
{
    struct config c;
    struct err e = ERR_INIT;
    assert_int_equal(load(*state, ", \"baseline\": null", &c, &e), 0);
    assert_null(c.baseline);
    assert_int_equal(c.cflags.n, 0);
    assert_int_equal(c.configure.n, 0);
    assert_int_equal(c.in_default_set, 0);
    assert_true(c.order > 100); /* after the shipped ones */
    config_free(&c);
}

static void refuses(void **state)
{
    static const struct {
        const char *more, *where, *what;
    } cases[] = {
        {", \"cflag\": []", "$.cflag", "cflags"},
        {", \"cflags\": \"-Os\"", "$.cflags", "array"},
        {", \"cflags\": [\"Os\"]", "$.cflags[0]", "Os"},
        {", \"cflags\": [\"-O2\", \"-O3 -g\"]", "$.cflags[1]", "-O3 -g"},
        {", \"cflags\": [\"-O2\\u0000\"]", "mine.json", ""},
        {", \"cflags\": [\"-DX=`id`\"]", "$.cflags[0]", "-DX=`id`"},
        {", \"configure\": [\"CC=clang\"]", "$.configure", "CC=clang"},
        {", \"configure\": [\"a b\"]", "$.configure[0]", "a b"},
        {", \"baseline\": \"mine\"", "$.baseline", "itself"},
        {", \"baseline\": \"../O2\"", "$.baseline", "../O2"},
        {", \"baseline\": false", "$.baseline", "string"},
        {", \"in_default_set\": null", "$.in_default_set", "true or false"},
        {", \"order\": -1", "$.order", "0 to 1000000"},
        {", \"order\": 1.5", "$.order", "integer"},
        {", \"order\": 99999999999", "$.order", "0 to 1000000"},
        {", \"name\": \"again\"", "name", "duplicate"},
        {"} trailing {", "mine.json", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct config c;
        struct err e = ERR_INIT;
        if (!load(*state, cases[i].more, &c, &e))
            fail_msg("accepted: %s", cases[i].more);
        assert_int_equal(e.exit_code, EXIT_USAGE);
        assert_non_null(strstr(e.text, "mine.json"));
        if (!strstr(e.text, cases[i].where) || !strstr(e.text, cases[i].what))
            fail_msg("%s: expected '%s' and '%s' in: %s", cases[i].more, cases[i].where,
                     cases[i].what, e.text);
        err_clear(&e);
    }
}

/* Shipped files: each loads and has its file's name, orders differ, baselines are there, and the
 * default set is the documented one, its baselines in it. */
static void shipped_files_are_good(void **state)
{
    (void)state;
    struct list names = LIST_INIT, defaults = LIST_INIT, orders = LIST_INIT;
    struct err e = ERR_INIT;
    assert_int_equal(catalog_names("configs", &names, &e), 0);
    for (size_t i = 0; i < names.n; i++) {
        char *path = NULL;
        struct config c;
        assert_int_equal(catalog_path("configs", "config", names.v[i], &path, &e), 0);
        if (config_load(path, &c, &e))
            fail_msg("%s", e.text);
        assert_string_equal(c.name, names.v[i]);
        assert_true(!c.baseline || list_has(&names, c.baseline));
        char *order = xasprintf("%d", c.order);
        assert_false(list_has(&orders, order));
        list_add(&orders, order);
        free(order);
        if (c.in_default_set)
            list_add(&defaults, c.name);
        config_free(&c);
        free(path);
    }
    list_sort_unique(&defaults);
    char *all = list_join(&defaults, " ");
    assert_string_equal(all, "O2 O3 Os small-footprint");
    free(all);
    list_free(&names);
    list_free(&defaults);
    list_free(&orders);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(loads_all, setup, teardown),
        cmocka_unit_test_setup_teardown(little_is_needed, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses, setup, teardown),
        cmocka_unit_test(shipped_files_are_good),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

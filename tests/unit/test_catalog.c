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
#include <sys/stat.h>
#include <unistd.h>

#include "catalog.h"
#include "datafile.h"
#include "file.h"
#include "mem.h"

static const char *const variables[] = {"CRYPTO_BENCH_DATA", "CRYPTO_BENCH_CACHE", "XDG_CACHE_HOME",
                                        "HOME"};
enum { VARIABLES = sizeof variables / sizeof *variables };

struct place {
    char *dir;             /* of this test alone */
    char *were[VARIABLES]; /* environment before */
};

static int setup(void **state)
{
    const char *base = getenv("TMPDIR");
    char *dir = xasprintf("%s/cb-test-XXXXXX", base ? base : P_tmpdir);
    struct place *p = xcalloc(1, sizeof *p);
    if (!mkdtemp(dir) || !(p->dir = realpath(dir, NULL)))
        return -1;
    free(dir);
    for (size_t i = 0; i < VARIABLES; i++) {
        p->were[i] = xstrdup(getenv(variables[i]));
        unsetenv(variables[i]);
    }
    *state = p;
    return 0;
}

static int teardown(void **state)
{
    struct place *p = *state;
    struct err e = ERR_INIT;
    int rc = tree_remove(p->dir, &e);
    err_clear(&e);
    for (size_t i = 0; i < VARIABLES; i++) {
        if (p->were[i])
            setenv(variables[i], p->were[i], 1);
        else
            unsetenv(variables[i]);
        free(p->were[i]);
    }
    free(p->dir);
    free(p);
    return rc;
}

static void put(const char *dir, const char *name)
{
    struct err e = ERR_INIT;
    char *path = path_join(dir, name);
    char *parent = xstrndup(path, (size_t)(path_base(path) - path) - 1);
    assert_int_equal(dir_make(parent, &e), 0);
    assert_int_equal(file_write_atomic(path, "{}\n", 3, &e), 0);
    free(parent);
    free(path);
}

static void paths_and_names(void **state)
{
    (void)state;
    assert_true(catalog_is_path("./x"));
    assert_true(catalog_is_path("a/b"));
    assert_true(catalog_is_path("/a"));
    assert_true(catalog_is_path("x.json"));
    assert_false(catalog_is_path("x"));
    assert_false(catalog_is_path("openssl-3.5"));
    assert_false(catalog_is_path(".json")); /* no name before it */
    assert_false(catalog_is_path("x.json5"));
    assert_false(catalog_is_path(""));
}

static void names_that_are_sane(void **state)
{
    (void)state;
    static const char *const sane[] = {"a", "O2", "openssl-1.1.1w", "a_b+c", "7", "_x", "+x"};
    static const char *const odd[] = {"",     "-a",    ".a",  "..",   "a b",      "a/b",
                                      "a\nb", "a:b",   "a,b", "a\\b", "\xc3\xa4", "a=b",
                                      "a%",   "a\x7f", "~",   "a*"};
    for (size_t i = 0; i < sizeof sane / sizeof *sane; i++)
        assert_true(name_is_sane(sane[i]));
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        assert_false(name_is_sane(odd[i]));
}

static void data_from_the_environment(void **state)
{
    struct place *p = *state;
    setenv("CRYPTO_BENCH_DATA", p->dir, 1);
    char *dir = data_dir();
    assert_string_equal(dir, p->dir);
    free(dir);
    /* relative is fine; what comes out is absolute */
    char *old = getcwd(NULL, 0);
    assert_non_null(old);
    assert_int_equal(chdir(p->dir), 0);
    setenv("CRYPTO_BENCH_DATA", ".", 1);
    dir = data_dir();
    assert_int_equal(chdir(old), 0);
    assert_string_equal(dir, p->dir);
    free(dir);
    free(old);
}

/* Without the variable the test program finds the checkout it was built in, if it lies in one; else
 * share/crypto-bench beside its directory. */
static void data_beside_the_program(void **state)
{
    (void)state;
    setenv("CRYPTO_BENCH_DATA", "", 1); /* empty counts as unset */
    char *dir = data_dir();
    char *targets = path_join(dir, "targets"), *bench = path_join(dir, "bench");
    assert_int_equal(dir[0], '/');
    if (!path_is_dir(targets) || !path_is_dir(bench))
        assert_non_null(strstr(dir, "share/crypto-bench"));
    free(targets);
    free(bench);
    free(dir);
}

static void lists_names_sorted(void **state)
{
    struct place *p = *state;
    struct list names = LIST_INIT;
    struct err e = ERR_INIT;
    static const char *const files[] = {"targets/b.json",   "targets/a.json", "targets/notes.txt",
                                        "targets/.#a.json", "targets/.json",  "targets/c.json~",
                                        "targets/a b.json", "configs/z.json"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        put(p->dir, files[i]);
    setenv("CRYPTO_BENCH_DATA", p->dir, 1);
    assert_int_equal(catalog_names("targets", &names, &e), 0);
    char *all = list_join(&names, " ");
    assert_string_equal(all, "a b");
    free(all);
    list_free(&names);
    assert_int_equal(catalog_names("libraries", &names, &e), -1);
    assert_non_null(strstr(e.text, "CRYPTO_BENCH_DATA"));
    assert_non_null(strstr(e.text, p->dir));
    err_clear(&e);
}

static void words_to_paths(void **state)
{
    struct place *p = *state;
    struct err e = ERR_INIT;
    char *path = NULL, *own = path_join(p->dir, "own.json");
    put(p->dir, "targets/arm.json");
    put(p->dir, "targets/mips.json");
    put(p->dir, "own.json");
    setenv("CRYPTO_BENCH_DATA", p->dir, 1);

    assert_int_equal(catalog_path("targets", "target", "arm", &path, &e), 0);
    char *expected = path_join(p->dir, "targets/arm.json");
    assert_string_equal(path, expected);
    free(expected);
    free(path);

    assert_int_equal(catalog_path("targets", "target", own, &path, &e), 0);
    assert_string_equal(path, own);
    free(path);
    free(own);

    static const struct {
        const char *word, *text;
    } bad[] = {
        {"amr", "did you mean 'arm'"},    {"vaxvax", "unknown target 'vaxvax'. Known: arm, mips"},
        {"", "unknown target ''"},        {"no/such.json", "'no/such.json'"},
        {"absent.json", "'absent.json'"}, {"../targets", "'../targets'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(catalog_path("targets", "target", bad[i].word, &path, &e), -1);
        assert_int_equal(e.exit_code, EXIT_USAGE);
        if (!strstr(e.text, bad[i].text))
            fail_msg("expected \"%s\" in: %s", bad[i].text, e.text);
        err_clear(&e);
    }
}

static void cache_is(const char *expected)
{
    struct err e = ERR_INIT;
    char *dir = cache_dir(&e);
    if (!dir)
        fail_msg("%s", e.text);
    assert_string_equal(dir, expected);
    assert_true(path_is_dir(dir));
    free(dir);
}

static void cache_places(void **state)
{
    struct place *p = *state;
    char *home = path_join(p->dir, "home"), *xdg = path_join(p->dir, "xdg"),
         *own = path_join(p->dir, "own/deep");
    char *in_home = path_join(home, ".cache/crypto-bench"),
         *in_xdg = path_join(xdg, "crypto-bench");
    setenv("HOME", home, 1);
    cache_is(in_home);
    setenv("XDG_CACHE_HOME", "relative", 1); /* invalid, so ignored */
    cache_is(in_home);
    assert_int_equal(access("relative", F_OK), -1);
    setenv("XDG_CACHE_HOME", "", 1);
    cache_is(in_home);
    setenv("XDG_CACHE_HOME", xdg, 1);
    cache_is(in_xdg);
    setenv("CRYPTO_BENCH_CACHE", own, 1);
    cache_is(own);
    cache_is(own); /* there already */
    free(home);
    free(xdg);
    free(own);
    free(in_home);
    free(in_xdg);
}

static void cache_errors(void **state)
{
    struct place *p = *state;
    struct err e = ERR_INIT;
    assert_null(cache_dir(&e)); /* HOME unset */
    assert_non_null(strstr(e.text, "HOME"));
    assert_non_null(strstr(e.text, "CRYPTO_BENCH_CACHE"));
    err_clear(&e);

    put(p->dir, "file");
    char *below_file = path_join(p->dir, "file/cache");
    setenv("CRYPTO_BENCH_CACHE", below_file, 1);
    assert_null(cache_dir(&e));
    assert_non_null(strstr(e.text, below_file));
    assert_non_null(strstr(e.text, "CRYPTO_BENCH_CACHE"));
    err_clear(&e);
    free(below_file);

    if (geteuid() == 0)
        return; /* nothing is read-only to root */
    char *closed = path_join(p->dir, "closed");
    assert_int_equal(mkdir(closed, 0500), 0);
    setenv("CRYPTO_BENCH_CACHE", closed, 1);
    assert_null(cache_dir(&e));
    assert_non_null(strstr(e.text, closed));
    err_clear(&e);
    free(closed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_and_names),
        cmocka_unit_test(names_that_are_sane),
        cmocka_unit_test_setup_teardown(data_from_the_environment, setup, teardown),
        cmocka_unit_test_setup_teardown(data_beside_the_program, setup, teardown),
        cmocka_unit_test_setup_teardown(lists_names_sorted, setup, teardown),
        cmocka_unit_test_setup_teardown(words_to_paths, setup, teardown),
        cmocka_unit_test_setup_teardown(cache_places, setup, teardown),
        cmocka_unit_test_setup_teardown(cache_errors, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

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

#include "file.h"
#include "linuxsource.h"
#include "mem.h"

#define ZEROS "0000000000000000000000000000000000000000000000000000000000000000"

static const char good[] =
    "{\"schema\": \"crypto-bench-library/1\", \"name\": \"k\", \"summary\": \"kernel\",\n"
    " \"version\": \"6.1\", \"linux\": {\"archive\": \"linux.tar.xz\", \"package\": "
    "\"linux-source\",\n"
    "  \"files\": {\"crypto/aes_generic.c\": \"" ZEROS "\", \"lib/crypto/aes.c\": \"" ZEROS
    "\"}}}\n";

static int setup(void **state)
{
    char dir[] = "/tmp/test_linuxsource.XXXXXX";
    *state = mkdtemp(dir) ? xstrdup(dir) : NULL;
    return *state ? 0 : -1;
}

static int teardown(void **state)
{
    struct err e = ERR_INIT;
    int rc = tree_remove(*state, &e);
    err_clear(&e);
    free(*state);
    return rc;
}

static void put(const char *dir, const char *name, const char *text)
{
    struct err e = ERR_INIT;
    char *path = path_join(dir, name);
    char *below = xstrndup(path, (size_t)(path_base(path) - path - 1));
    assert_int_equal(dir_make(below, &e), 0);
    assert_int_equal(file_write_atomic(path, text, strlen(text), &e), 0);
    free(path);
    free(below);
}

static void archives_by_name(void **state)
{
    (void)state;
    assert_true(linuxsource_is_archive("linux-6.1.tar.xz"));
    assert_true(linuxsource_is_archive("/a/b.tgz"));
    assert_true(linuxsource_is_archive("x.tar"));
    assert_false(linuxsource_is_archive(".tar"));
    assert_false(linuxsource_is_archive("linux.tar.json"));
    assert_false(linuxsource_is_archive("tar.xz/"));
}

static void versions_by_name(void **state)
{
    static const struct {
        const char *path, *version;
    } cases[] = {
        {"/usr/src/linux-source-6.1.tar.xz", "6.1"},
        {"linux-5.10.209.tar.gz", "5.10.209"},
        {"linux.tar.xz", NULL},
        {"v6.tar", "6"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *version = linuxsource_name_version(cases[i].path);
        if (cases[i].version)
            assert_string_equal(version, cases[i].version);
        else
            assert_null(version);
        free(version);
    }
}

static void a_tree_is_found_by_its_files(void **state)
{
    struct library l, again;
    struct err e = ERR_INIT;
    char *dir = path_join(*state, "linux");
    put(dir, "Makefile", "# SPDX\nVERSION = 6\nPATCHLEVEL = 1\nSUBLEVEL = 192\nEXTRAVERSION =\n");
    put(dir, "crypto/aes_generic.c", "int a;\n");
    assert_false(linuxsource_is_tree(dir));
    put(dir, "lib/crypto/aes.c", "int b;\n");
    assert_true(linuxsource_is_tree(dir));
    assert_int_equal(library_find(dir, &l, &e), 0);
    assert_int_equal(l.kind, LIBRARY_LINUX);
    assert_string_equal(library_kind_name(l.kind), "linux-aes");
    assert_string_equal(l.version, "6.1.192");
    put(dir, "lib/crypto/aes.c", "int c;\n");
    assert_int_equal(library_find(dir, &again, &e), 0);
    assert_string_not_equal(l.content_hash, again.content_hash);
    library_free(&l);
    library_free(&again);
    free(dir);
}

static int load(const char *dir, const char *from, const char *to, struct library *l, struct err *e)
{
    const char *at = strstr(good, from);
    assert_non_null(at);
    char *text = xasprintf("%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
    char *path = path_join(dir, "k.json");
    put(dir, "k.json", text);
    int rc = library_load(path, l, e);
    free(path);
    free(text);
    return rc;
}

static void loads_a_library_file(void **state)
{
    struct library l;
    struct err e = ERR_INIT;
    char hex[LINUX_FILES][65] = {ZEROS, ZEROS}, both[65];
    assert_int_equal(load(*state, "k", "k", &l, &e), 0);
    assert_int_equal(l.kind, LIBRARY_LINUX);
    assert_string_equal(l.archive, "linux.tar.xz");
    assert_string_equal(l.debian_package, "linux-source");
    linuxsource_combine(hex, both);
    assert_string_equal(l.content_hash, both);
    library_free(&l);
}

static void refuses(void **state)
{
    static const struct {
        const char *from, *to, *what;
    } cases[] = {
        {"\"lib/crypto/aes.c\"", "\"lib/crypto/des.c\"", "lib/crypto/des.c"},
        {", \"lib/crypto/aes.c\": \"" ZEROS "\"", "", "lib/crypto/aes.c"},
        {ZEROS, "00", "64 hexadecimal"},
        {"\"linux.tar.xz\"", "\"../linux.tar.xz\"", "$.linux.archive"},
        {"\"linux\": {", "\"debian\": {}, \"linux\": {", "$.debian"},
        {"\"linux\"", "\"windows\"", "windows"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct library l;
        struct err e = ERR_INIT;
        assert_int_equal(load(*state, cases[i].from, cases[i].to, &l, &e), -1);
        assert_int_equal(e.exit_code, EXIT_USAGE);
        if (!strstr(e.text, cases[i].what))
            fail_msg("case %zu: expected '%s' in: %s", i, cases[i].what, e.text);
        err_clear(&e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(archives_by_name),
        cmocka_unit_test(versions_by_name),
        cmocka_unit_test_setup_teardown(a_tree_is_found_by_its_files, setup, teardown),
        cmocka_unit_test_setup_teardown(loads_a_library_file, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

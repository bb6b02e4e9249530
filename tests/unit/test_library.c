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
#include <sys/utsname.h>
#include <unistd.h>

#include "catalog.h"
#include "file.h"
#include "library.h"
#include "mem.h"

#define SHA "0123456789abcdefABCDEF0123456789abcdef0123456789abcdef0123456789"

static const char good[] =
    "{\"schema\": \"crypto-bench-library/1\", \"name\": \"mylib\", \"summary\": \"my library\",\n"
    " \"version\": \"3.5.7\", \"lifecycle\": \"long\", \"default\": true,\n"
    " \"archive\": {\"file\": \"mylib-3.5.7.tar.gz\", \"sha256\": \"" SHA "\",\n"
    "               \"urls\": [\"https://example.org/a?b=c&d\", \"file:///mirror/x\"]},\n"
    " \"debian\": {\"package\": \"openssl\", \"suite\": \"trixie\"}}\n";

/* Each test works in a directory of its own. */
static int setup(void **state)
{
    const char *base = getenv("TMPDIR");
    char *dir = xasprintf("%s/cb-test-XXXXXX", base ? base : P_tmpdir);
    if (!mkdtemp(dir))
        return -1;
    *state = realpath(dir, NULL);
    free(dir);
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

/* Writes dir/name with its directories. */
static void put(const char *dir, const char *name, const char *text)
{
    struct err e = ERR_INIT;
    char *path = path_join(dir, name);
    char *parent = xstrndup(path, (size_t)(path_base(path) - path) - 1);
    assert_int_equal(dir_make(parent, &e), 0);
    assert_int_equal(file_write_atomic(path, text, strlen(text), &e), 0);
    free(parent);
    free(path);
}

static void take_away(const char *dir, const char *name)
{
    struct err e = ERR_INIT;
    char *path = path_join(dir, name);
    assert_int_equal(tree_remove(path, &e), 0);
    free(path);
}

static int load_changed(const char *dir, const char *from, const char *to, struct library *l,
                        struct err *e)
{
    const char *at = strstr(good, from);
    assert_non_null(at);
    char *text = xasprintf("%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
    put(dir, "mylib.json", text);
    char *path = path_join(dir, "mylib.json");
    int rc = library_find(path, l, e); /* a path: the user's file works like a shipped one */
    free(path);
    free(text);
    return rc;
}

static void loads_a_release(void **state)
{
    struct library l;
    struct err e = ERR_INIT;
    assert_int_equal(load_changed(*state, "my", "my", &l, &e), 0);
    assert_int_equal(l.kind, LIBRARY_RELEASE);
    assert_string_equal(path_base(l.path), "mylib.json");
    assert_string_equal(l.name, "mylib");
    assert_string_equal(l.summary, "my library");
    assert_string_equal(l.version, "3.5.7");
    assert_string_equal(l.lifecycle, "long");
    assert_int_equal(l.is_default, 1);
    assert_string_equal(l.archive, "mylib-3.5.7.tar.gz");
    assert_string_equal(l.sha256,
                        "0123456789abcdefabcdef0123456789abcdef0123456789abcdef0123456789");
    assert_string_equal(l.content_hash, l.sha256);
    assert_int_equal(l.urls.n, 2);
    assert_string_equal(l.urls.v[0], "https://example.org/a?b=c&d");
    assert_string_equal(l.debian_package, "openssl");
    assert_string_equal(l.debian_suite, "trixie");
    assert_null(l.prefix_archive);
    assert_string_equal(library_kind_name(l.kind), "release");
    library_free(&l);
    assert_null(l.name);
}

static void release_without_debian_and_urls(void **state)
{
    struct library l;
    struct err e = ERR_INIT;
    const char *debian = strstr(good, ",\n \"debian\"");
    char *all = xstrndup(debian, strlen(debian) - 2); /* all but the last brace */
    assert_int_equal(load_changed(*state, all, "", &l, &e), 0);
    assert_null(l.debian_package);
    assert_null(l.debian_suite);
    library_free(&l);
    free(all);
}

static void refuses(void **state)
{
    static const struct {
        const char *from, *to, *where, *what;
    } cases[] = {
        {"library/1", "target/1", "$.schema", "crypto-bench-library/1"},
        {"\"mylib\"", "\"my lib\"", "$.name", "my lib"},
        {"\"3.5.7\"", "3.5", "$.version", "string"},
        {"\"default\"", "\"defualt\"", "$.defualt", "default"},
        {"mylib-3.5.7.tar.gz", "../mylib.tar.gz", "$.archive.file", "../mylib.tar.gz"},
        {SHA, "0123", "$.archive.sha256", "64 hexadecimal"},
        {"\"0123456789a", "\"0123456789g", "$.archive.sha256", "64 hexadecimal"},
        {"https:", "gopher:", "$.archive.urls[0]", "gopher:"},
        {"file:///mirror/x", "/mirror/x", "$.archive.urls[1]", "/mirror/x"},
        {"/mirror/x", "/mirror/x y", "$.archive.urls[1]", "x y"},
        {"\"trixie\"", "\"--trixie\"", "$.debian.suite", "--trixie"},
        {", \"suite\": \"trixie\"", "", "$.debian.suite", "string"},
        {"}}\n", "}} 1\n", "mylib.json", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct library l;
        struct err e = ERR_INIT;
        assert_int_equal(load_changed(*state, cases[i].from, cases[i].to, &l, &e), -1);
        assert_int_equal(e.exit_code, EXIT_USAGE);
        assert_non_null(strstr(e.text, "mylib.json"));
        if (!strstr(e.text, cases[i].where) || !strstr(e.text, cases[i].what))
            fail_msg("case %zu: expected '%s' and '%s' in: %s", i, cases[i].where, cases[i].what,
                     e.text);
        err_clear(&e);
    }
}

static void find(const char *word, struct library *l)
{
    struct err e = ERR_INIT;
    if (library_find(word, l, &e))
        fail_msg("%s: %s", word, e.text);
}

static void finds_a_tree_and_hashes_it(void **state)
{
    struct library l;
    char *dir = path_join(*state, "open ssl"), hash[65];
    put(dir, "Configure", "#! perl\n");
    put(dir, "crypto/mem.c", "int x;\n");
    put(dir, "include/openssl/opensslv.h",
        "# define OPENSSL_VERSION_NUMBER  0x1010117fL\n"
        "# define OPENSSL_VERSION_TEXT    \"OpenSSL 1.1.1w  11 Sep 2023\"\n");
    find(dir, &l);
    assert_int_equal(l.kind, LIBRARY_TREE);
    assert_string_equal(library_kind_name(l.kind), "tree");
    assert_string_equal(l.path, dir);
    assert_string_equal(l.name, "open_ssl");
    assert_string_equal(l.version, "1.1.1w");
    assert_int_equal(strlen(l.content_hash), 64);
    memcpy(hash, l.content_hash, sizeof hash);
    library_free(&l);

    /* 3.x: VERSION.dat rules, also over a header of another build */
    put(dir, "VERSION.dat",
        "MAJOR=3\nMINOR=5\nPATCH=8\nPRE_RELEASE_TAG=dev\n"
        "BUILD_METADATA=\nRELEASE_DATE=\"\"\nSHLIB_VERSION=3\n");
    find(dir, &l);
    assert_string_equal(l.version, "3.5.8-dev");
    assert_string_not_equal(l.content_hash, hash);
    memcpy(hash, l.content_hash, sizeof hash);
    library_free(&l);
    find(dir, &l);
    assert_string_equal(l.content_hash, hash); /* nothing changed */
    library_free(&l);

    put(dir, "VERSION.dat", "MAJOR=3\nMINOR=5\nPATCH=7\nPRE_RELEASE_TAG=\n");
    put(dir, "crypto/mem.c", "int y;\n");
    find(dir, &l);
    assert_string_equal(l.version, "3.5.7");
    assert_string_not_equal(l.content_hash, hash);
    library_free(&l);

    /* no version to be seen is no error */
    take_away(dir, "VERSION.dat");
    take_away(dir, "include");
    find(dir, &l);
    assert_null(l.version);
    library_free(&l);
    free(dir);
}

static const char header3[] = "# define OPENSSL_VERSION_MAJOR  3\n"
                              "# define OPENSSL_VERSION_STR \"3.0.19\"\n"
                              "# define OPENSSL_FULL_VERSION_STR \"3.0.19-quic\"\n"
                              "# define OPENSSL_VERSION_TEXT \"OpenSSL 3.0.19 27 Jan 2026\"\n";

static void finds_a_prefix(void **state)
{
    static const char *const places[] = {"lib/libcrypto.a", "lib64/libcrypto.a",
                                         "lib/s390x-linux-gnu/libcrypto.a"};
    struct library l;
    char *dir = path_join(*state, "prefix");
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        put(dir, "include/openssl/opensslv.h", header3);
        put(dir, "include/s390x-linux-gnu/openssl/opensslconf.h", "\n");
        put(dir, places[i], "!<arch>\n");
        find(dir, &l);
        assert_int_equal(l.kind, LIBRARY_PREFIX);
        assert_string_equal(library_kind_name(l.kind), "prefix");
        assert_string_equal(l.path, dir);
        assert_string_equal(l.name, "prefix");
        assert_string_equal(l.version, "3.0.19-quic");
        char *archive = path_join(dir, places[i]), *include = path_join(dir, "include");
        assert_string_equal(l.prefix_archive, archive);
        assert_string_equal(l.prefix_include, include);
        if (i == 2)
            assert_string_equal(path_base(l.prefix_include_arch), "s390x-linux-gnu");
        else
            assert_null(l.prefix_include_arch);
        library_free(&l);
        free(archive);
        free(include);
        take_away(*state, "prefix");
    }
    free(dir);
}

static void prefix_hash_covers_archive_and_headers(void **state)
{
    static const struct {
        const char *name, *text;
    } changes[] = {
        {"include/openssl/evp.h", "int evp;\n"},
        {"include/openssl/evp.h", "int evq;\n"},
        {"include/s390x-linux-gnu/openssl/opensslconf.h", "int conf;\n"},
        {"lib/s390x-linux-gnu/libcrypto.a", "!<arch>\nx"},
    };
    struct list seen = LIST_INIT;
    struct library l;
    const char *dir = *state;
    put(dir, "include/openssl/opensslv.h", header3);
    put(dir, "lib/s390x-linux-gnu/libcrypto.a", "!<arch>\n");
    put(dir, "include/unrelated.h", "int u;\n");
    for (size_t i = 0; i <= sizeof changes / sizeof *changes; i++) {
        find(dir, &l);
        assert_false(list_has(&seen, l.content_hash));
        list_add(&seen, l.content_hash);
        library_free(&l);
        put(dir, "include/unrelated.h", "int v;\n");
        find(dir, &l);
        assert_true(list_has(&seen, l.content_hash));
        library_free(&l);
        if (i < sizeof changes / sizeof *changes)
            put(dir, changes[i].name, changes[i].text);
    }
    list_free(&seen);
}

static void several_machines_in_a_prefix(void **state)
{
    struct library l;
    struct err e = ERR_INIT;
    struct utsname host;
    const char *dir = *state;
    put(dir, "include/openssl/opensslv.h", header3);
    put(dir, "lib/s390-linux-gnu/libcrypto.a", "!<arch>\n");
    put(dir, "lib/vax-linux-gnu/libcrypto.a", "!<arch>\n");
    assert_int_equal(library_find(dir, &l, &e), -1);
    assert_int_equal(e.exit_code, EXIT_USAGE);
    assert_non_null(strstr(e.text, "s390-linux-gnu, vax-linux-gnu"));
    err_clear(&e);
    assert_int_equal(uname(&host), 0);
    char *own = xasprintf("lib/%s-linux-gnu/libcrypto.a", host.machine);
    put(dir, own, "!<arch>\n");
    find(dir, &l);
    assert_non_null(strstr(l.prefix_archive, own));
    library_free(&l);
    free(own);
}

static void neither_tree_nor_prefix(void **state)
{
    static const char *const words[] = {"Configure", "crypto/", "include/openssl/opensslv.h",
                                        "libcrypto.a"};
    struct library l;
    struct err e = ERR_INIT;
    const char *dir = *state;
    put(dir, "include/openssl/opensslv.h", header3); /* half a prefix */
    put(dir, "Configure", "");                       /* half a tree */
    assert_int_equal(library_find(dir, &l, &e), -1);
    assert_int_equal(e.exit_code, EXIT_USAGE);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        assert_non_null(strstr(e.text, words[i]));
    assert_non_null(strstr(e.text, dir));
    err_clear(&e);
}

static void unknown_words(void **state)
{
    struct library l;
    struct err e = ERR_INIT;
    char *old = getcwd(NULL, 0);
    assert_non_null(old);
    assert_int_equal(library_find("opensll-3.5", &l, &e), -1);
    assert_int_equal(e.exit_code, EXIT_USAGE);
    assert_non_null(strstr(e.text, "did you mean 'openssl-3.5'"));
    err_clear(&e);
    assert_int_equal(library_find("", &l, &e), -1);
    assert_int_equal(e.exit_code, EXIT_USAGE);
    err_clear(&e);
    assert_int_equal(library_find("no/such/thing", &l, &e), -1);
    assert_int_equal(e.exit_code, EXIT_USAGE);
    assert_non_null(strstr(e.text, "no/such/thing"));
    err_clear(&e);
    /* A directory here, written without a slash, is not taken for a path, but told of. */
    put(*state, "openssl/Configure", "");
    put(*state, "openssl/crypto/x.c", "");
    assert_int_equal(chdir(*state), 0);
    assert_int_equal(library_find("openssl", &l, &e), -1);
    assert_int_equal(e.exit_code, EXIT_USAGE);
    assert_non_null(strstr(e.text, "'./openssl'"));
    err_clear(&e);
    find("./openssl", &l);
    assert_string_equal(l.name, "openssl");
    assert_int_equal(l.path[0], '/');
    library_free(&l);
    assert_int_equal(chdir(old), 0);
    free(old);
}

static void shipped_files_are_good(void **state)
{
    (void)state;
    struct list names = LIST_INIT;
    struct err e = ERR_INIT;
    size_t defaults = 0;
    assert_int_equal(catalog_names("libraries", &names, &e), 0);
    assert_true(names.n >= 3);
    for (size_t i = 0; i < names.n; i++) {
        struct library l;
        find(names.v[i], &l);
        assert_string_equal(l.name, names.v[i]);
        assert_non_null(strstr(l.archive, l.version));
        assert_true(l.urls.n > 0 || l.kind == LIBRARY_LINUX);
        assert_non_null(l.lifecycle);
        if (l.is_default) {
            defaults++;
            assert_string_equal(l.name, "openssl-3.5");
        }
        library_free(&l);
    }
    assert_int_equal(defaults, 1);
    list_free(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(loads_a_release, setup, teardown),
        cmocka_unit_test_setup_teardown(release_without_debian_and_urls, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses, setup, teardown),
        cmocka_unit_test_setup_teardown(finds_a_tree_and_hashes_it, setup, teardown),
        cmocka_unit_test_setup_teardown(finds_a_prefix, setup, teardown),
        cmocka_unit_test_setup_teardown(prefix_hash_covers_archive_and_headers, setup, teardown),
        cmocka_unit_test_setup_teardown(several_machines_in_a_prefix, setup, teardown),
        cmocka_unit_test_setup_teardown(neither_tree_nor_prefix, setup, teardown),
        cmocka_unit_test_setup_teardown(unknown_words, setup, teardown),
        cmocka_unit_test(shipped_files_are_good),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

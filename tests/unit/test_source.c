/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "debsource.h"
#include "file.h"
#include "mem.h"
#include "source.h"
#include "spawn.h"

enum { TOOL_MS = 60000 };

struct place {
    char *dir;
};

static int setup(void **state)
{
    char dir[] = "/tmp/cb-source-XXXXXX";
    struct place *p = xcalloc(1, sizeof *p);
    if (!mkdtemp(dir))
        return -1;
    p->dir = xstrdup(dir);
    char *cache = path_join(dir, "cache");
    setenv("CRYPTO_BENCH_CACHE", cache, 1);
    unsetenv("CRYPTO_BENCH_SOURCES");
    free(cache);
    *state = p;
    return 0;
}

static int teardown(void **state)
{
    struct place *p = *state;
    struct err e = ERR_INIT;
    int r = tree_remove(p->dir, &e);
    free(p->dir);
    free(p);
    return r;
}

static char *file_put(const struct place *p, const char *name, const char *text)
{
    struct err e = ERR_INIT;
    char *path = path_join(p->dir, name), *dir = xstrndup(path, (size_t)(path_base(path) - path));
    assert_int_equal(dir_make(dir, &e), 0);
    assert_int_equal(file_write_atomic(path, text, strlen(text), &e), 0);
    free(dir);
    return path;
}

static void put(const struct place *p, const char *name, const char *text)
{
    free(file_put(p, name, text));
}

static int run(const struct place *p, const char *words)
{
    struct list argv = LIST_INIT;
    struct err e = ERR_INIT;
    list_split(&argv, words, ' ');
    int r = spawn_output(&argv, NULL, p->dir, TOOL_MS, NULL, NULL, &e);
    err_clear(&e);
    list_free(&argv);
    return r;
}

/* A release whose archive is what `text` says, and its library file beside nothing else. */
static struct library release(const struct place *p, const char *text)
{
    struct library l = {.kind = LIBRARY_RELEASE, .version = "1.0"};
    struct err e = ERR_INIT;
    l.name = "thing";
    l.archive = "thing-1.0.tar.gz";
    l.path = file_put(p, "libraries/thing.json", "{}");
    char *sample = file_put(p, "sample", text);
    assert_int_equal(file_sha256(sample, l.sha256, &e), 0);
    free(sample);
    return l;
}

static void release_free(struct library *l)
{
    free(l->path);
    list_free(&l->urls);
}

static void note(void *arg, const char *text)
{
    list_add(arg, text);
}

static void takes_local_files_first(void **state)
{
    struct place *p = *state;
    struct library l = release(p, "right");
    struct err e = ERR_INIT;
    char *path = NULL;
    put(p, "libraries/thing-1.0.tar.gz", "right");
    assert_int_equal(source_fetch(&l, NULL, NULL, &path, &e), 0);
    char *expect = path_join(p->dir, "libraries/thing-1.0.tar.gz");
    assert_string_equal(path, expect);
    free(path);
    free(expect);

    /* The variable goes before; what it does not hold is looked for further on. */
    char *sources = path_join(p->dir, "mine");
    setenv("CRYPTO_BENCH_SOURCES", sources, 1);
    assert_int_equal(source_fetch(&l, NULL, NULL, &path, &e), 0);
    assert_null(strstr(path, "/mine/"));
    free(path);
    put(p, "mine/thing-1.0.tar.gz", "right");
    assert_int_equal(source_fetch(&l, NULL, NULL, &path, &e), 0);
    assert_non_null(strstr(path, "/mine/"));
    free(path);

    /* The user's wrong file: an error with both hashes, and it stays. */
    put(p, "mine/thing-1.0.tar.gz", "wrong");
    assert_int_equal(source_fetch(&l, NULL, NULL, &path, &e), -1);
    assert_non_null(strstr(e.text, l.sha256));
    char hex[65];
    char *wrong = path_join(p->dir, "mine/thing-1.0.tar.gz");
    struct err e2 = ERR_INIT;
    assert_int_equal(file_sha256(wrong, hex, &e2), 0);
    assert_non_null(strstr(e.text, hex));
    assert_non_null(strstr(e.text, wrong));
    err_clear(&e);
    unsetenv("CRYPTO_BENCH_SOURCES");
    free(wrong);
    free(sources);
    release_free(&l);
}

static void fetches_and_caches(void **state)
{
    struct place *p = *state;
    struct library l = release(p, "right");
    struct err e = ERR_INIT;
    struct list notes = LIST_INIT;
    char *path = NULL, *program = path_program("curl");
    if (!program)
        skip();
    free(program);
    put(p, "mirror/bad.tar.gz", "wrong");
    char *good = file_put(p, "mirror/good.tar.gz", "right");
    list_addf(&l.urls, "file://%s/mirror/none.tar.gz", p->dir);
    list_addf(&l.urls, "file://%s/mirror/bad.tar.gz", p->dir);
    list_addf(&l.urls, "file://%s/mirror/good.tar.gz", p->dir);
    assert_int_equal(source_fetch(&l, note, &notes, &path, &e), 0);
    assert_int_equal(notes.n, 3);
    assert_non_null(strstr(notes.v[2], "good.tar.gz"));
    char *expect = xasprintf("%s/cache/sources/%s/thing-1.0.tar.gz", p->dir, l.sha256);
    assert_string_equal(path, expect);
    free(path);

    /* From the cache from now on ... */
    assert_int_equal(unlink(good), 0);
    list_free(&notes);
    notes = (struct list)LIST_INIT;
    assert_int_equal(source_fetch(&l, note, &notes, &path, &e), 0);
    assert_string_equal(path, expect);
    assert_int_equal(notes.n, 0);
    free(path);

    /* ... unless it is damaged: dropped with a note, and fetched anew. */
    assert_int_equal(file_write_atomic(expect, "wrong", 5, &e), 0);
    put(p, "mirror/good.tar.gz", "right");
    assert_int_equal(source_fetch(&l, note, &notes, &path, &e), 0);
    assert_true(notes.n >= 2);
    assert_non_null(strstr(notes.v[0], "damaged"));
    char hex[65];
    assert_int_equal(file_sha256(path, hex, &e), 0);
    assert_string_equal(hex, l.sha256);
    free(path);

    /* Nothing of the attempts is left. */
    struct list left = LIST_INIT;
    char *tmp = path_join(p->dir, "cache/tmp");
    assert_int_equal(dir_list(tmp, "", &left, &e), 0);
    assert_int_equal(left.n, 0);
    free(tmp);
    free(expect);
    free(good);
    list_free(&notes);
    release_free(&l);
}

static void says_what_was_tried(void **state)
{
    struct place *p = *state;
    struct library l = release(p, "right");
    struct err e = ERR_INIT;
    char *path = NULL;
    put(p, "mirror/bad.tar.gz", "wrong");
    list_addf(&l.urls, "file://%s/mirror/none.tar.gz", p->dir);
    list_addf(&l.urls, "file://%s/mirror/bad.tar.gz", p->dir);
    assert_int_equal(source_fetch(&l, NULL, NULL, &path, &e), -1);
    assert_int_equal(e.exit_code, EXIT_FAILED);
    const char *const expect[] = {
        "thing-1.0.tar.gz",     "mirror/none.tar.gz: ",        "mirror/bad.tar.gz: ",
        "CRYPTO_BENCH_SOURCES", "/libraries/thing-1.0.tar.gz", l.sha256};
    for (size_t i = 0; i < sizeof expect / sizeof *expect; i++)
        assert_non_null(strstr(e.text, expect[i]));
    err_clear(&e);
    release_free(&l);
}

static void unpacks(void **state)
{
    struct place *p = *state;
    struct library l = {.kind = LIBRARY_RELEASE, .name = "thing"};
    struct err e = ERR_INIT;
    put(p, "thing-1.0/a/b.txt", "b");
    put(p, "thing-1.0/c.txt", "c");
    assert_int_equal(run(p, "tar -czf thing.tar.gz thing-1.0"), 0);
    char *to = path_join(p->dir, "out"), *archive = path_join(p->dir, "thing.tar.gz");
    assert_int_equal(dir_make(to, &e), 0);
    assert_int_equal(source_unpack(&l, archive, to, &e), 0);
    char *b = path_join(to, "a/b.txt"), *c = path_join(to, "c.txt");
    assert_true(path_is_file(b));
    assert_true(path_is_file(c));
    assert_int_equal(file_write_atomic(archive, "no archive", 10, &e), 0);
    assert_int_equal(source_unpack(&l, archive, to, &e), -1);
    assert_non_null(strstr(e.text, archive));
    err_clear(&e);
    free(to);
    free(archive);
    free(b);
    free(c);
}

static void tree_hash(const struct place *p, const char *name, char hex[65])
{
    struct err e = ERR_INIT;
    char *tree = path_join(p->dir, name);
    if (source_tree_hash(tree, hex, &e))
        fail_msg("%s", e.text);
    free(tree);
}

/* The hash must follow everything that shapes a build, and nothing else. */
static void hashes_a_tree(void **state)
{
    struct place *p = *state;
    char first[65], hex[65];
    put(p, "t/Configure", "x");
    put(p, "t/crypto/a.c", "int a;");
    tree_hash(p, "t", first);
    tree_hash(p, "t", hex);
    assert_string_equal(hex, first);

    /* products and administration do not count */
    put(p, "t/crypto/a.o", "o");
    put(p, "t/crypto/a.d", "d");
    put(p, "t/libcrypto.a", "a");
    put(p, "t/libcrypto.so.3", "so");
    put(p, "t/.hg/dirstate", "g");
    tree_hash(p, "t", hex);
    assert_string_equal(hex, first);

    put(p, "t/crypto/a.c", "int b;");
    tree_hash(p, "t", hex);
    assert_string_not_equal(hex, first);
    put(p, "t/crypto/a.c", "int a;");
    tree_hash(p, "t", hex);
    assert_string_equal(hex, first);

    char *configure = path_join(p->dir, "t/Configure"), *link = path_join(p->dir, "t/link");
    assert_int_equal(chmod(configure, 0755), 0);
    tree_hash(p, "t", hex);
    assert_string_not_equal(hex, first);
    assert_int_equal(chmod(configure, 0644), 0);
    assert_int_equal(symlink("crypto/a.c", link), 0);
    tree_hash(p, "t", hex);
    assert_string_not_equal(hex, first);
    free(configure);
    free(link);
}

static void leaves_out_what_a_build_in_place_made(void **state)
{
    struct place *p = *state;
    char clean[65], hex[65];
    put(p, "t/Configure", "x");
    put(p, "t/include/v.h.in", "template");
    put(p, "t/crypto/asm/aes.pl", "perl");
    put(p, "t/doc/Makefile", "a source of that name, elsewhere");
    tree_hash(p, "t", clean);
    put(p, "t/configdata.pm", "1;");
    put(p, "t/Makefile",
        "GENERATED_MANDATORY=crypto/bn_conf.h\nGENERATED=crypto/aes.s \\\n    crypto/sha.s\nX=1\n");
    put(p, "t/include/v.h", "made");
    put(p, "t/crypto/aes.s", "made");
    put(p, "t/crypto/sha.s", "made");
    put(p, "t/crypto/bn_conf.h", "made");
    tree_hash(p, "t", hex);
    assert_string_equal(hex, clean);
    put(p, "t/crypto/new.s", "not made");
    tree_hash(p, "t", hex);
    assert_string_not_equal(hex, clean);
}

static void copies_a_tree(void **state)
{
    struct place *p = *state;
    struct library l = {.kind = LIBRARY_TREE};
    struct err e = ERR_INIT;
    char before[65], after[65];
    put(p, "t/Configure", "x");
    put(p, "t/crypto/deep/a.c", "int a;");
    put(p, "t/crypto/a.o", "o");
    char *tree = path_join(p->dir, "t"), *to = path_join(p->dir, "copy");
    char *configure = path_join(tree, "Configure"), *link = path_join(tree, "link");
    assert_int_equal(chmod(configure, 0755), 0);
    assert_int_equal(symlink("nowhere", link), 0);
    assert_int_equal(dir_make(to, &e), 0);
    l.path = tree;
    l.name = "t";
    assert_int_equal(source_unpack(&l, NULL, to, &e), 0);
    tree_hash(p, "t", before);
    tree_hash(p, "copy", after);
    assert_string_equal(before, after);
    char *object = path_join(to, "crypto/a.o"), *copied = path_join(to, "Configure");
    assert_false(path_is_file(object));
    struct stat st;
    assert_int_equal(stat(copied, &st), 0);
    assert_true(st.st_mode & S_IXUSR);
    free(tree);
    free(to);
    free(configure);
    free(link);
    free(object);
    free(copied);
}

static void asks_git(void **state)
{
    struct place *p = *state;
    char first[65], hex[65];
    char *git = path_program("git");
    if (!git)
        skip();
    free(git);
    put(p, "t/Configure", "x");
    put(p, "t/crypto/a.c", "int a;");
    put(p, "t/.gitignore", "*.tmp\n");
    assert_int_equal(run(p, "git init -q t"), 0);
    assert_int_equal(run(p, "git -C t add Configure .gitignore"), 0);
    tree_hash(p, "t", first);
    put(p, "t/crypto/x.tmp", "ignored");
    tree_hash(p, "t", hex);
    assert_string_equal(hex, first);
    /* Changed, new and deleted files of the work tree count, committed or not. */
    put(p, "t/crypto/new.c", "int n;");
    tree_hash(p, "t", hex);
    assert_string_not_equal(hex, first);
    char *new = path_join(p->dir, "t/crypto/new.c"), *old = path_join(p->dir, "t/Configure");
    assert_int_equal(unlink(new), 0);
    tree_hash(p, "t", hex);
    assert_string_equal(hex, first);
    assert_int_equal(unlink(old), 0);
    tree_hash(p, "t", hex);
    assert_string_not_equal(hex, first);
    free(new);
    free(old);
}

static void converts_source_lists(void **state)
{
    (void)state;
    struct str out = STR_INIT;
    assert_int_equal(debsource_convert_list(
                         "# deb http://m.invalid/debian alpha main\n"
                         "deb http://m.invalid/debian alpha main contrib # why\n"
                         "deb-src http://m.invalid/debian alpha main\n"
                         "deb [arch=amd64 signed-by=/k.gpg] http://s.invalid/ alpha-security main\n"
                         "deb http://m.invalid/debian alpha-backports main\n"
                         "deb http://other.invalid/apt cloud-alpha main\n"
                         "deb http://m.invalid/debian alphabet main\n"
                         "deb http://m.invalid/debian oldstable-updates main\n"
                         "deb\n\n",
                         "alpha", "beta", &out),
                     3);
    assert_string_equal(
        out.p, "deb-src http://m.invalid/debian beta main contrib\n"
               "deb-src [arch=amd64 signed-by=/k.gpg] http://s.invalid/ beta-security main\n"
               "deb-src http://m.invalid/debian beta-updates main\n");
    str_free(&out);

    assert_int_equal(debsource_convert_sources(
                         "Types: deb deb-src\n# note\nURIs: http://m.invalid/debian\n"
                         "Suites: alpha alpha-updates\n alpha-backports\nComponents: main\n"
                         "Signed-By:\n -----BEGIN\n .\n -----END\n\n"
                         "Types: deb\nURIs: http://x.invalid/\nSuites: nodistro\n"
                         "Components: main\n\n"
                         "Enabled: no\nTypes: deb\nURIs: http://y.invalid/\nSuites: alpha\n"
                         "Components: main\n\n\n"
                         "Types: deb-src\nURIs: http://z.invalid/\nSuites: alpha\n",
                         "alpha", "beta", &out),
                     1);
    assert_string_equal(out.p, "Types: deb-src\nSuites: beta beta-updates\n"
                               "URIs: http://m.invalid/debian\nComponents: main\n"
                               "Signed-By:\n -----BEGIN\n .\n -----END\n\n");
    str_free(&out);
}

static void picks_versions(void **state)
{
    (void)state;
    struct list versions = LIST_INIT, others = LIST_INIT;
    debsource_versions("Package: openssl\nBinary: x\nVersion: 3.5.7-1~deb13u3\nFormat: 3.0\n\n"
                       "Package: openssl\nVersion: 3.5.7-1~deb13u2\n\n"
                       "Package: openssl\nVersion: 3.5.7-1~deb13u2\n\n"
                       "Package: openssl\nVersion: 1:3.5.6-1\n\n"
                       "Package: openssl-extra\nVersion: 3.5.7-9\n\n"
                       "Package: openssl\nVersion: 3.5.70-1\n",
                       "openssl", "3.5.7", &versions, &others);
    char *taken = list_join(&versions, " "), *left = list_join(&others, " ");
    assert_string_equal(taken, "3.5.7-1~deb13u3 3.5.7-1~deb13u2");
    assert_string_equal(left, "1:3.5.6-1 3.5.70-1");
    free(taken);
    free(left);
    list_free(&versions);
    list_free(&others);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(takes_local_files_first, setup, teardown),
        cmocka_unit_test_setup_teardown(fetches_and_caches, setup, teardown),
        cmocka_unit_test_setup_teardown(says_what_was_tried, setup, teardown),
        cmocka_unit_test_setup_teardown(unpacks, setup, teardown),
        cmocka_unit_test_setup_teardown(hashes_a_tree, setup, teardown),
        cmocka_unit_test_setup_teardown(leaves_out_what_a_build_in_place_made, setup, teardown),
        cmocka_unit_test_setup_teardown(copies_a_tree, setup, teardown),
        cmocka_unit_test_setup_teardown(asks_git, setup, teardown),
        cmocka_unit_test(converts_source_lists),
        cmocka_unit_test(picks_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

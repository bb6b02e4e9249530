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

#include "file.h"
#include "mem.h"

/* A directory of its own for each test. */
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
    int r = tree_remove(*state, &e);
    if (r)
        fprintf(stderr, "%s\n", e.text);
    err_clear(&e);
    free(*state);
    return r;
}

static void write_text(const char *path, const char *text)
{
    struct err e = ERR_INIT;
    if (file_write_atomic(path, text, strlen(text), &e))
        fail_msg("%s", e.text);
}

static void assert_file(const char *path, const char *text)
{
    struct err e = ERR_INIT;
    struct str s = STR_INIT;
    if (file_read(path, 1 << 20, &s, &e))
        fail_msg("%s", e.text);
    assert_string_equal(s.p, text);
    str_free(&s);
}

static mode_t mode_of(const char *path)
{
    struct stat st;
    assert_int_equal(lstat(path, &st), 0);
    return st.st_mode & 07777;
}

static size_t entries(const char *dir)
{
    struct err e = ERR_INIT;
    struct list l = LIST_INIT;
    assert_int_equal(dir_list(dir, "", &l, &e), 0);
    size_t n = l.n;
    list_free(&l);
    return n;
}

static void writes_whole_or_not_at_all(void **state)
{
    char *path = path_join(*state, "r.json");
    mode_t old = umask(027);
    write_text(path, "first");
    umask(old);
    assert_file(path, "first");
    assert_int_equal(mode_of(path), 0640);
    write_text(path, "second");
    assert_file(path, "second");
    write_text(path, "");
    assert_file(path, "");
    assert_int_equal(entries(*state), 1);

    /* A failure leaves nothing of ours behind. */
    struct err e = ERR_INIT;
    assert_int_equal(file_write_atomic(*state, "x", 1, &e), -1);
    assert_non_null(strstr(e.text, *state));
    assert_non_null(strstr(e.text, "directory"));
    assert_int_equal(entries(*state), 1);

    char *missing = path_join(*state, "none/r.json");
    assert_int_equal(file_write_atomic(missing, "x", 1, &e), -1);
    assert_non_null(strstr(e.text, missing));
    assert_non_null(strstr(e.text, "No such file or directory"));
    assert_int_equal(entries(*state), 1);
    err_clear(&e);
    free(missing);
    free(path);
}

static void writes_through_links_and_to_devices(void **state)
{
    struct err e = ERR_INIT;
    char *path = path_join(*state, "real"), *link = path_join(*state, "link");
    write_text(path, "old");
    assert_int_equal(symlink("real", link), 0);
    write_text(link, "new");
    assert_file(path, "new");
    struct stat st;
    assert_int_equal(lstat(link, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    /* A device is written to, never replaced. */
    assert_int_equal(file_write_atomic("/dev/null", "x", 1, &e), 0);
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
    free(link);
    free(path);
}

static void probe_leaves_nothing(void **state)
{
    struct err e = ERR_INIT;
    assert_int_equal(file_write_probe(*state, &e), 0);
    assert_int_equal(entries(*state), 0);
    char *missing = path_join(*state, "none");
    assert_int_equal(file_write_probe(missing, &e), -1);
    assert_non_null(strstr(e.text, missing));
    assert_non_null(strstr(e.text, "No such file or directory"));
    err_clear(&e);
    free(missing);
}

static void full_device_is_an_error(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    struct err e = ERR_INIT;
    assert_int_equal(file_write_atomic("/dev/full", "x", 1, &e), -1);
    assert_string_equal(e.text, "cannot write '/dev/full': No space left on device");
    err_clear(&e);
}

static void reads_up_to_the_limit(void **state)
{
    struct err e = ERR_INIT;
    struct str s = STR_INIT;
    char *path = path_join(*state, "f");
    write_text(path, "0123456789");
    str_add(&s, ">");
    assert_int_equal(file_read(path, 10, &s, &e), 0);
    assert_string_equal(s.p, ">0123456789");
    assert_int_equal(file_read(path, 9, &s, &e), -1);
    assert_non_null(strstr(e.text, path));
    assert_non_null(strstr(e.text, "more than 9 bytes"));
    assert_string_equal(s.p, ">0123456789");
    assert_int_equal(file_read(*state, 100, &s, &e), -1);
    assert_non_null(strstr(e.text, "Is a directory"));
    str_free(&s);
    err_clear(&e);
    free(path);
}

static void copies_bytes_and_mode(void **state)
{
    struct err e = ERR_INIT;
    char *from = path_join(*state, "from"), *to = path_join(*state, "to");
    size_t n = 200001; /* more than one chunk, and no multiple of it */
    char *data = xmalloc(n);
    for (size_t i = 0; i < n; i++)
        data[i] = (char)(i * 7 >> 3);
    assert_int_equal(file_write_atomic(from, data, n, &e), 0);
    assert_int_equal(chmod(from, 0750), 0);
    assert_int_equal(file_copy(from, to, &e), 0);
    struct str s = STR_INIT;
    assert_int_equal(file_read(to, n, &s, &e), 0);
    assert_int_equal(s.n, n);
    assert_memory_equal(s.p, data, n);
    assert_int_equal(mode_of(to) & 0700, 0700);
    assert_int_equal(file_copy("/nonexistent/file", to, &e), -1);
    assert_non_null(strstr(e.text, "/nonexistent/file"));
    assert_int_equal(entries(*state), 2);
    err_clear(&e);
    str_free(&s);
    free(data);
    free(to);
    free(from);
}

static void makes_directories(void **state)
{
    struct err e = ERR_INIT;
    char *deep = path_join(*state, "a//b/c/");
    assert_int_equal(dir_make(deep, &e), 0);
    assert_true(path_is_dir(deep));
    assert_int_equal(dir_make(deep, &e), 0);
    assert_int_equal(dir_make("/", &e), 0);
    char *file = path_join(*state, "file");
    write_text(file, "x");
    assert_true(path_is_file(file));
    assert_false(path_is_file(deep));
    assert_int_equal(dir_make(file, &e), -1);
    char *below = path_join(file, "sub");
    assert_int_equal(dir_make(below, &e), -1);
    assert_non_null(strstr(e.text, file));
    assert_non_null(strstr(e.text, "Not a directory"));
    err_clear(&e);
    free(below);
    free(file);
    free(deep);
}

static void lists_sorted_by_suffix(void **state)
{
    struct err e = ERR_INIT;
    static const char *const names[] = {"b.json", "a.json", "c.txt", ".hidden", "json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = path_join(*state, names[i]);
        write_text(path, "");
        free(path);
    }
    struct list l = LIST_INIT;
    list_add(&l, "first");
    assert_int_equal(dir_list(*state, ".json", &l, &e), 0);
    char *all = list_join(&l, " ");
    assert_string_equal(all, "first a.json b.json");
    free(all);
    list_free(&l);
    assert_int_equal(entries(*state), 5);
    assert_int_equal(dir_list("/nonexistent", "", &l, &e), -1);
    assert_non_null(strstr(e.text, "/nonexistent"));
    err_clear(&e);
}

static void removes_trees_but_follows_no_link(void **state)
{
    struct err e = ERR_INIT;
    char *outside = path_join(*state, "outside"), *kept = path_join(outside, "kept");
    char *tree = path_join(*state, "tree"), *locked = path_join(tree, "x/locked");
    char *inner = path_join(locked, "f"), *link = path_join(tree, "x/link");
    assert_int_equal(dir_make(outside, &e), 0);
    assert_int_equal(dir_make(locked, &e), 0);
    write_text(kept, "k");
    write_text(inner, "i");
    assert_int_equal(symlink(outside, link), 0);
    assert_int_equal(chmod(locked, 0), 0);
    assert_int_equal(tree_remove(tree, &e), 0);
    assert_false(path_is_dir(tree));
    assert_file(kept, "k");

    /* A link itself, also when its name ends in a slash. */
    char *alias = path_join(*state, "alias"), *alias_slash = path_join(*state, "alias/");
    assert_int_equal(symlink(outside, alias), 0);
    assert_int_equal(tree_remove(alias_slash, &e), 0);
    assert_int_equal(access(alias, F_OK), -1);
    assert_file(kept, "k");

    assert_int_equal(tree_remove(tree, &e), 0);
    assert_int_equal(tree_remove(kept, &e), 0);
    assert_int_equal(entries(outside), 0);
    assert_int_equal(tree_remove("/", &e), -1);
    assert_int_equal(tree_remove("", &e), -1);
    err_clear(&e);
    free(alias_slash);
    free(alias);
    free(link);
    free(inner);
    free(locked);
    free(tree);
    free(kept);
    free(outside);
}

static void joins_and_splits_paths(void **state)
{
    (void)state;
    static const struct {
        const char *dir, *name, *joined;
    } rows[] = {{"a", "b", "a/b"}, {"a/", "b", "a/b"}, {"/", "b", "/b"}, {"", "b", "b"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *joined = path_join(rows[i].dir, rows[i].name);
        assert_string_equal(joined, rows[i].joined);
        assert_string_equal(path_base(joined), "b");
        free(joined);
    }
    assert_string_equal(path_base("a/"), "");
}

static void finds_programs(void **state)
{
    char *sh = path_program("sh");
    assert_non_null(sh);
    assert_int_equal(sh[0], '/');
    assert_string_equal(path_base(sh), "sh");
    free(sh);
    assert_null(path_program("no-such-program-here"));
    assert_null(path_program(""));
    assert_null(path_program("/"));

    /* Neither a file that is not executable nor a directory is a program. */
    char *saved = xstrdup(getenv("PATH"));
    char *tool = path_join(*state, "tool"), *dir = path_join(*state, "dir");
    write_text(tool, "");
    assert_int_equal(mkdir(dir, 0777), 0);
    char *path = xasprintf("/nonexistent:%s", (char *)*state);
    assert_int_equal(setenv("PATH", path, 1), 0);
    assert_null(path_program("tool"));
    assert_null(path_program("dir"));
    assert_int_equal(chmod(tool, 0755), 0);
    char *found = path_program("tool");
    assert_string_equal(found, tool);
    free(found);

    /* A relative name is made absolute: children run in other directories. */
    char *cwd = getcwd(NULL, 0);
    assert_int_equal(chdir(*state), 0);
    found = path_program("./tool");
    assert_int_equal(chdir(cwd), 0);
    assert_non_null(found);
    assert_int_equal(found[0], '/');
    assert_true(path_is_file(found));
    free(found);
    free(cwd);
    if (saved)
        setenv("PATH", saved, 1);
    free(saved);
    free(path);
    free(dir);
    free(tool);
}

static void hash_of(const char *text, char hex[65])
{
    struct hash *h = hash_new();
    hash_add(h, text, strlen(text));
    hash_end(h, hex);
}

static void hashes_known_values(void **state)
{
    /* FIPS 180-2, appendix B, and the empty message. */
    static const struct {
        const char *text, *hex;
    } rows[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    struct err e = ERR_INIT;
    char hex[65], *path = path_join(*state, "f");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hash_of(rows[i].text, hex);
        assert_string_equal(hex, rows[i].hex);
        write_text(path, rows[i].text);
        assert_int_equal(file_sha256(path, hex, &e), 0);
        assert_string_equal(hex, rows[i].hex);
    }
    assert_int_equal(file_sha256("/nonexistent", hex, &e), -1);
    assert_string_equal(e.text, "cannot read '/nonexistent': No such file or directory");
    err_clear(&e);
    free(path);
}

static void list_hash(const char *text, char hex[65])
{
    struct list l = LIST_INIT;
    list_split(&l, text, ',');
    struct hash *h = hash_new();
    hash_add_list(h, &l);
    hash_end(h, hex);
    list_free(&l);
}

static void hashes_keep_borders(void **state)
{
    (void)state;
    char a[65], b[65];
    list_hash("ab,c", a);
    list_hash("a,bc", b);
    assert_string_not_equal(a, b);
    list_hash("ab,c", b);
    assert_string_equal(a, b);
    list_hash("ab,c,", b);
    assert_string_not_equal(a, b);

    struct hash *h = hash_new();
    hash_add_str(h, NULL);
    hash_end(h, a);
    h = hash_new();
    hash_add_str(h, "");
    hash_end(h, b);
    assert_string_not_equal(a, b);
}

#define IN_DIR(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIR(writes_whole_or_not_at_all),
        IN_DIR(writes_through_links_and_to_devices),
        IN_DIR(probe_leaves_nothing),
        cmocka_unit_test(full_device_is_an_error),
        IN_DIR(reads_up_to_the_limit),
        IN_DIR(copies_bytes_and_mode),
        IN_DIR(makes_directories),
        IN_DIR(lists_sorted_by_suffix),
        IN_DIR(removes_trees_but_follows_no_link),
        cmocka_unit_test(joins_and_splits_paths),
        IN_DIR(finds_programs),
        IN_DIR(hashes_known_values),
        cmocka_unit_test(hashes_keep_borders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

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

#include "file.h"
#include "mem.h"
#include "spawn.h"
#include "stackfile.h"

static struct stack_use parsed(const char *text)
{
    struct stack_use s = {0};
    struct err e = ERR_INIT;
    assert_int_equal(stack_add_text(&s, text, "x.su", &e), 0);
    assert_null(e.text);
    return s;
}

static void frame_is(const struct stack_frame *f, const char *file, const char *function,
                     uint64_t bytes, enum stack_kind kind)
{
    assert_string_equal(f->file, file);
    assert_string_equal(f->function, function);
    assert_int_equal(f->bytes, bytes);
    assert_int_equal(f->kind, kind);
}

static void test_lines(void **state)
{
    static const struct {
        const char *line, *file, *function;
        uint64_t bytes;
        enum stack_kind kind;
    } rows[] = {
        /* gcc, clang, clang without a line */
        {"crypto/a.c:12:6:f\t48\tstatic", "crypto/a.c", "f", 48, STACK_STATIC},
        {"crypto/a.c:12:f\t8\tdynamic", "crypto/a.c", "f", 8, STACK_DYNAMIC},
        {"a.c:f\t0\tstatic", "a.c", "f", 0, STACK_STATIC},
        {"a.c:1:1:f\t4112\tdynamic,bounded", "a.c", "f", 4112, STACK_BOUNDED},
        /* clones, and names of C++ */
        {"a.c:1:1:f.constprop.0\t16\tstatic", "a.c", "f.constprop.0", 16, STACK_STATIC},
        {"t.cc:1:43:int a::S::m(int)\t24\tstatic", "t.cc", "int a::S::m(int)", 24, STACK_STATIC},
        {"t.cc:1:43:a::operator \"\" _x(char)\t24\tstatic", "t.cc", "a::operator \"\" _x(char)", 24,
         STACK_STATIC},
        /* files with spaces, colons and tabs */
        {"a dir/b c.c:2:31:f\t16\tstatic", "a dir/b c.c", "f", 16, STACK_STATIC},
        {"a:b/c.c:2:31:f\t16\tstatic", "a:b/c.c", "f", 16, STACK_STATIC},
        {"a\tb.c:2:31:f\t16\tstatic", "a\tb.c", "f", 16, STACK_STATIC},
        {"./a.c:2:31:f\t16\tstatic", "a.c", "f", 16, STACK_STATIC},
        {"a.c:0:f\t18446744073709551615\tstatic", "a.c", "f", UINT64_MAX, STACK_STATIC},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct stack_use s = parsed(rows[i].line);
        assert_int_equal(s.n, 1);
        frame_is(&s.v[0], rows[i].file, rows[i].function, rows[i].bytes, rows[i].kind);
        stack_free(&s);
    }
}

static void test_bad_lines(void **state)
{
    static const char *const lines[] = {
        "f",
        "a.c:1:1:f\t16",
        "a.c:1:1:f\t16\tstatick",
        "a.c:1:1:f\t16\tstatic ",
        "a.c:1:1:f\t-16\tstatic",
        "a.c:1:1:f\t\tstatic",
        "a.c:1:1:f\t18446744073709551616\tstatic",
        "a.c:1:1:\t16\tstatic",
        ":1:1:f\t16\tstatic",
        "a.c\t16\tstatic",
        "\t16\tstatic",
        "a.c:\t16\tstatic",
    };
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct stack_use s = {0};
        struct err e = ERR_INIT;
        char *text = xasprintf("a.c:1:1:good\t1\tstatic\n\n%s\n", lines[i]);
        assert_int_equal(stack_add_text(&s, text, "d/x.su", &e), -1);
        assert_non_null(strstr(e.text, "d/x.su:3: "));
        assert_non_null(strstr(e.text, "is no line of stack usage"));
        err_clear(&e);
        stack_free(&s);
        free(text);
    }
}

static void test_sort(void **state)
{
    (void)state;
    struct stack_use s = parsed("a.c:1:1:small\t8\tstatic\n"
                                "h.h:1:1:inlined\t32\tstatic\n"
                                "b.c:1:1:large\t4096\tstatic\n"
                                "h.h:1:1:inlined\t64\tstatic\n"
                                "h.h:1:1:inlined\t16\tdynamic\n"
                                "c.c:1:1:small\t8\tstatic");
    stack_sort(&s);
    assert_int_equal(s.n, 4);
    frame_is(&s.v[0], "b.c", "large", 4096, STACK_STATIC);
    frame_is(&s.v[1], "h.h", "inlined", 64, STACK_DYNAMIC);
    frame_is(&s.v[2], "a.c", "small", 8, STACK_STATIC);
    frame_is(&s.v[3], "c.c", "small", 8, STACK_STATIC);
    assert_int_equal(stack_above(&s, 4096), 0);
    assert_int_equal(stack_above(&s, 4095), 1);
    assert_int_equal(stack_above(&s, 0), 4);
    assert_int_equal(stack_dynamic(&s), 1);
    stack_free(&s);
    stack_sort(&s);
    assert_int_equal(s.n, 0);
}

/* ---- files ---- */

static int setup(void **state)
{
    char dir[] = "/tmp/cb-stack-XXXXXX";
    *state = mkdtemp(dir) ? xstrdup(dir) : NULL;
    return *state ? 0 : -1;
}

static int teardown(void **state)
{
    struct err e = ERR_INIT;
    int r = tree_remove(*state, &e);
    free(*state);
    return r;
}

static void write_file(const char *dir, const char *name, const char *text)
{
    struct err e = ERR_INIT;
    char *path = path_join(dir, name);
    assert_int_equal(file_write_atomic(path, text, strlen(text), &e), 0);
    free(path);
}

static void run(const char *dir, const char *const *words)
{
    struct list argv = LIST_INIT, env = LIST_INIT;
    struct str out = STR_INIT;
    struct err e = ERR_INIT;
    for (; *words; words++)
        list_add(&argv, *words);
    list_addf(&env, "PATH=%s", getenv("PATH"));
    assert_int_equal(spawn_output(&argv, &env, dir, 60000, &out, NULL, &e), 0);
    str_free(&out);
    list_free(&argv);
    list_free(&env);
}

/* A tree with objects in two directories, one with a space; one object is not in the archive. */
static void test_gather(void **state)
{
    const char *dir = *state;
    struct stack_use s;
    struct err e = ERR_INIT;
    char *sub = path_join(dir, "sub dir"), *archive = path_join(dir, "libcrypto.a"),
         *link = path_join(dir, "loop");
    assert_int_equal(dir_make(sub, &e), 0);
    assert_int_equal(symlink(".", link), 0);
    write_file(dir, "one.c", "int one(void) { return 1; }\n");
    write_file(sub, "two x.c", "int two(void) { return 2; }\n");
    write_file(dir, "out.c", "int out(void) { return 3; }\n");
    static const char *const commands[][9] = {
        {"gcc", "-fstack-usage", "-c", "one.c", "-o", "one.o", NULL},
        {"gcc", "-fstack-usage", "-c", "sub dir/two x.c", "-o", "sub dir/lib-two x.o", NULL},
        {"gcc", "-fstack-usage", "-c", "out.c", "-o", "out.o", NULL},
        {"ar", "rcs", "libcrypto.a", "one.o", "sub dir/lib-two x.o", NULL},
    };
    for (size_t i = 0; i < 4; i++)
        run(dir, commands[i]);
    assert_int_equal(stack_gather(dir, archive, &s, &e), 0);
    assert_int_equal(s.n, 2);
    assert_null(s.reason);
    assert_string_equal(s.v[0].function, "one");
    assert_string_equal(s.v[1].function, "two");
    assert_string_equal(s.v[1].file, "sub dir/two x.c");
    stack_free(&s);
    /* a compiler called in the sub directory, and one that was given a whole path */
    write_file(sub, "lib-two x.su", "two x.c:1:5:two\t16\tstatic\n");
    char *text = xasprintf("%s/one.c:1:5:one\t32\tstatic\n", dir);
    write_file(dir, "one.su", text);
    free(text);
    assert_int_equal(stack_gather(dir, archive, &s, &e), 0);
    frame_is(&s.v[0], "one.c", "one", 32, STACK_STATIC);
    frame_is(&s.v[1], "sub dir/two x.c", "two", 16, STACK_STATIC);
    stack_free(&s);
    write_file(sub, "lib-two x.su", "nonsense\n");
    assert_int_equal(stack_gather(dir, archive, &s, &e), -1);
    assert_non_null(strstr(e.text, "sub dir/lib-two x.su:1: 'nonsense'"));
    err_clear(&e);
    /* nothing beside the objects */
    char *su = path_join(dir, "one.su"), *su2 = path_join(sub, "lib-two x.su");
    assert_int_equal(unlink(su) | unlink(su2), 0);
    assert_int_equal(stack_gather(dir, archive, &s, &e), 0);
    assert_int_equal(s.n, 0);
    assert_non_null(strstr(s.reason, "-flto"));
    stack_free(&s);
    free(su);
    free(su2);
    free(sub);
    free(link);
    free(archive);
}

static void test_record(void **state)
{
    const char *dir = *state;
    struct err e = ERR_INIT;
    struct stack_use s = parsed("crypto/a b.c:1:2:f(\"x\")\t4096\tdynamic\na.c:1:2:g\t8\tdynamic,"
                                "bounded"),
                     back;
    stack_sort(&s);
    stack_read(dir, "k1", &back);
    assert_int_equal(back.n, 0);
    assert_non_null(strstr(back.reason, "--rebuild makes it"));
    stack_free(&back);
    assert_int_equal(stack_write(dir, "k1", &s, &e), 0);
    stack_read(dir, "k1", &back);
    assert_null(back.reason);
    assert_int_equal(back.n, 2);
    frame_is(&back.v[0], "crypto/a b.c", "f(\"x\")", 4096, STACK_DYNAMIC);
    frame_is(&back.v[1], "a.c", "g", 8, STACK_BOUNDED);
    stack_free(&back);
    stack_free(&s);
    /* of another build, and with a reason in place of frames */
    stack_read(dir, "k2", &back);
    assert_non_null(strstr(back.reason, "damaged"));
    stack_free(&back);
    s.reason = xstrdup("gcc 4.4.0 does not take -fstack-usage");
    assert_int_equal(stack_write(dir, "k1", &s, &e), 0);
    stack_read(dir, "k1", &back);
    assert_string_equal(back.reason, s.reason);
    stack_free(&back);
    stack_free(&s);
}

static void test_damaged_record(void **state)
{
    static const char *const functions[] = {
        "{}",
        "[1]",
        "[[\"a.c\", \"f\", 8]]",
        "[[\"a.c\", \"f\", -8, \"static\"]]",
        "[[\"a.c\", \"f\", 8, \"statik\"]]",
        "[[\"a.c\", \"f\", 8, \"static\", 1]]",
        "[[\"a.c\", \"f\", 8, \"static\"], 2]",
        "[]",
    };
    const char *dir = *state;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        struct stack_use s;
        char *text = xasprintf("{\"schema\": \"crypto-bench-stack/1\", \"key\": \"k\", \"reason\": "
                               "null, \"functions\": %s}\n",
                               functions[i]);
        write_file(dir, "stack.json", text);
        stack_read(dir, "k", &s);
        assert_int_equal(s.n, 0);
        assert_non_null(strstr(s.reason, "damaged"));
        assert_non_null(strstr(s.reason, "--rebuild"));
        stack_free(&s);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_bad_lines),
        cmocka_unit_test(test_sort),
        cmocka_unit_test_setup_teardown(test_gather, setup, teardown),
        cmocka_unit_test_setup_teardown(test_record, setup, teardown),
        cmocka_unit_test_setup_teardown(test_damaged_record, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

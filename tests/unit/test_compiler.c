/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "compiler.h"
#include "file.h"
#include "mem.h"

/* Compilers and binutils here are scripts in a directory that is first on PATH. */
struct place {
    char *dir, *path;
};

#define MACROS_GCC  "#define __GNUC__ 9\n#define __GNUC_MINOR__ 1\n#define __GNUC_PATCHLEVEL__ 4\n"
#define MACROS_BE32 "#define __SIZEOF_POINTER__ 4\n#define __BYTE_ORDER__ __ORDER_BIG_ENDIAN__\n"
#define MACROS_LE32 "#define __SIZEOF_POINTER__ 4\n#define __BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__\n"
#define MACROS_LE64 "#define __SIZEOF_POINTER__ 8\n#define __BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__\n"
#define MACROS_CLANG                                                                               \
    "#define __GNUC__ 4\n#define __clang__ 1\n#define __clang_major__ 14\n"                        \
    "#define __clang_minor__ 0\n#define __clang_patchlevel__ 6\n"

static int setup(void **state)
{
    char dir[] = "/tmp/cb-compiler-XXXXXX";
    struct place *p = xcalloc(1, sizeof *p);
    if (!mkdtemp(dir))
        return -1;
    p->dir = xstrdup(dir);
    p->path = xstrdup(getenv("PATH"));
    char *path = xasprintf("%s:%s", p->dir, p->path);
    setenv("PATH", path, 1);
    free(path);
    *state = p;
    return 0;
}

static int teardown(void **state)
{
    struct place *p = *state;
    struct err e = ERR_INIT;
    int r = tree_remove(p->dir, &e);
    setenv("PATH", p->path, 1);
    free(p->dir);
    free(p->path);
    free(p);
    return r;
}

static void script_write(const struct place *p, const char *name, const char *text)
{
    struct err e = ERR_INIT;
    char *path = path_join(p->dir, name);
    assert_int_equal(file_write_atomic(path, text, strlen(text), &e), 0);
    assert_int_equal(chmod(path, 0755), 0);
    free(path);
}

/* macros: what it defines; with_target: what it defines when told of a --target. */
static void compiler_write(const struct place *p, const char *name, const char *macros,
                           const char *with_target)
{
    char *text = xasprintf("#!/bin/sh\n"
                           "case \"$*\" in\n"
                           "*--target=*-dM*) printf '%%s' '%s';;\n"
                           "*-dM*) printf '%%s' '%s';;\n"
                           "*--version*) echo 'fake (Fake) 9.1.4'; echo more;;\n"
                           "*-dumpmachine*) echo fake-linux;;\n"
                           "*-print-prog-name=*) echo no-such-program;;\n"
                           "esac\n",
                           with_target, macros);
    script_write(p, name, text);
    free(text);
}

static void tools_write(const struct place *p, const char *prefix)
{
    static const char *const tools[] = {"ar", "ranlib", "strip", "objcopy"};
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        char *name = xasprintf("%s%s", prefix, tools[i]);
        script_write(p, name, "#!/bin/sh\n");
        free(name);
    }
}

/* A target of a machine this is not, whose real tools cannot be on PATH either. */
static struct target target_mips(void)
{
    return (struct target){.name = "mips",
                           .triplet = "mips-fake_os-gnu",
                           .cross_prefix = "mips-fake_os-gnu-",
                           .configure = "linux-mips32",
                           .elf = {EM_MIPS, 32, 1}};
}

static void finds_a_cross_gcc(void **state)
{
    struct place *p = *state;
    struct target t = target_mips();
    struct compiler c;
    struct err e = ERR_INIT;
    compiler_write(p, "mips-fake_os-gnu-gcc", MACROS_GCC MACROS_BE32 "#define __mips__ 1\n", "");
    tools_write(p, "mips-fake_os-gnu-");
    assert_int_equal(compiler_find("gcc", &t, &c, &e), 0);
    assert_string_equal(c.word, "gcc");
    assert_string_equal(c.family, "gcc");
    assert_string_equal(c.version, "9.1.4");
    assert_string_equal(c.banner, "fake (Fake) 9.1.4");
    assert_string_equal(c.machine, "fake-linux");
    assert_int_equal(c.argv.n, 1);
    char *path = path_join(p->dir, "mips-fake_os-gnu-gcc"),
         *ar = path_join(p->dir, "mips-fake_os-gnu-ar");
    assert_string_equal(c.argv.v[0], path);
    assert_string_equal(c.ar, ar);
    assert_int_equal(strlen(c.hash), 64);

    /* Another program under the same name is another compiler. */
    struct compiler again, other;
    assert_int_equal(compiler_find("gcc", &t, &again, &e), 0);
    assert_string_equal(again.hash, c.hash);
    compiler_write(p, "mips-fake_os-gnu-gcc", MACROS_GCC MACROS_BE32 "#define __mips__ 1\n", "x");
    assert_int_equal(compiler_find("gcc", &t, &other, &e), 0);
    assert_string_not_equal(other.hash, c.hash);

    /* The same by path. */
    struct compiler by_path;
    assert_int_equal(compiler_find(path, &t, &by_path, &e), 0);
    assert_string_equal(by_path.argv.v[0], path);
    assert_string_equal(by_path.ar, ar);
    compiler_free(&c);
    compiler_free(&again);
    compiler_free(&other);
    compiler_free(&by_path);
    free(path);
    free(ar);
}

static void gives_clang_its_target(void **state)
{
    struct place *p = *state;
    struct target t = target_mips();
    struct compiler c;
    struct err e = ERR_INIT;
    compiler_write(p, "clang-99", MACROS_CLANG MACROS_LE64 "#define __x86_64__ 1\n",
                   MACROS_CLANG MACROS_BE32 "#define __mips__ 1\n");
    tools_write(p, "mips-fake_os-gnu-");
    char *path = path_join(p->dir, "clang-99");
    const char *const words[] = {"clang-99", path};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(compiler_find(words[i], &t, &c, &e), 0);
        assert_string_equal(c.family, "clang");
        assert_string_equal(c.version, "14.0.6");
        assert_int_equal(c.argv.n, 2);
        assert_string_equal(c.argv.v[0], path);
        assert_string_equal(c.argv.v[1], "--target=mips-fake_os-gnu");
        compiler_free(&c);
    }
    free(path);
}

static void refuses(void **state)
{
    struct place *p = *state;
    static const struct row {
        const char *macros, *expect[3];
    } rows[] = {
        {MACROS_GCC MACROS_LE64 "#define __x86_64__ 1\n",
         {"x86-64 64-bit little-endian", "MIPS 32-bit big-endian", "target mips"}},
        {MACROS_GCC MACROS_LE32 "#define __mips__ 1\n",
         {"MIPS 32-bit little-endian", "MIPS 32-bit big-endian", "mips-fake_os-gnu-gcc"}},
        {MACROS_BE32 "#define __mips__ 1\n", {"neither gcc nor clang", "__GNUC__", "__clang__"}},
        {"", {"neither gcc nor clang", "mips-fake_os-gnu-gcc", ""}},
    };
    struct target t = target_mips();
    tools_write(p, "mips-fake_os-gnu-");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct compiler c;
        struct err e = ERR_INIT;
        compiler_write(p, "mips-fake_os-gnu-gcc", rows[i].macros, "");
        assert_int_equal(compiler_find("gcc", &t, &c, &e), -1);
        assert_int_equal(e.exit_code, EXIT_FAILED);
        for (size_t k = 0; k < 3; k++)
            assert_non_null(strstr(e.text, rows[i].expect[k]));
        err_clear(&e);
    }
}

static void names_what_is_missing(void **state)
{
    struct place *p = *state;
    struct target t = target_mips();
    struct compiler c;
    struct err e = ERR_INIT;
    list_add(&t.compiler_packages, "gcc-mips-fake-os-gnu");
    list_add(&t.compiler_packages, "libc6-dev-fake");
    assert_int_equal(compiler_find("gcc-11", &t, &c, &e), -1);
    assert_non_null(strstr(e.text, "'mips-fake_os-gnu-gcc-11'"));
    assert_non_null(strstr(e.text, "apt-get install gcc-11-mips-fake-os-gnu libc6-dev-fake"));
    err_clear(&e);
    assert_int_equal(compiler_find("clang-98", &t, &c, &e), -1);
    assert_non_null(strstr(e.text, "apt-get install clang-98 libc6-dev-fake"));
    err_clear(&e);
    assert_int_equal(compiler_find("frob", &t, &c, &e), -1);
    assert_non_null(strstr(e.text, "'frob'"));
    err_clear(&e);
    assert_int_equal(compiler_find("/nonexistent/gcc", &t, &c, &e), -1);
    assert_non_null(strstr(e.text, "/nonexistent/gcc"));
    err_clear(&e);
    /* a compiler without its binutils */
    compiler_write(p, "mips-fake_os-gnu-gcc", MACROS_GCC MACROS_BE32 "#define __mips__ 1\n", "");
    assert_int_equal(compiler_find("gcc", &t, &c, &e), -1);
    assert_non_null(strstr(e.text, "mips-fake_os-gnu-ar"));
    assert_non_null(strstr(e.text, "apt-get install binutils-mips-fake-os-gnu"));
    err_clear(&e);
    list_free(&t.compiler_packages);
}

static void refuses_flags_the_compiler_refuses(void **state)
{
    struct place *p = *state;
    struct target t = target_mips();
    struct compiler c;
    struct err e = ERR_INIT;
    list_add(&t.cflags, "-march=frobnicate");
    script_write(
        p, "mips-fake_os-gnu-gcc",
        "#!/bin/sh\ncase \"$*\" in *-march=frobnicate*) echo 'gcc: error: bad -march' >&2; "
        "exit 1;; esac\n");
    assert_int_equal(compiler_find("gcc", &t, &c, &e), -1);
    assert_non_null(strstr(e.text, "bad -march"));
    assert_non_null(strstr(e.text, "target mips"));
    err_clear(&e);
    list_free(&t.cflags);
}

/* The machine the tests run on, under a prefix that is not there. */
static struct target target_native(void)
{
    struct target t = {.name = "native",
                       .triplet = "native-linux-gnu",
                       .cross_prefix = "native-fake-",
                       .configure = "linux-generic"};
    struct elf_file self;
    struct err e = ERR_INIT;
    assert_int_equal(elf_read("/proc/self/exe", &self, &e), 0);
    t.elf = self.id;
    return t;
}

static void falls_back_to_the_plain_name(void **state)
{
    (void)state;
    struct target t = target_native();
    struct compiler c;
    struct err e = ERR_INIT;
    char *gcc = path_program("gcc");
    if (!gcc)
        skip();
    assert_int_equal(compiler_find("gcc", &t, &c, &e), 0);
    assert_string_equal(c.argv.v[0], gcc);
    assert_string_equal(c.family, "gcc");
    assert_string_equal(path_base(c.strip), "strip");
    char *version = xasprintf("%d.%d.%d", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#ifndef __clang__
    assert_string_equal(c.version, version);
#endif
    free(version);
    free(gcc);
    compiler_free(&c);
}

static void names_packages(void **state)
{
    (void)state;
    struct target cross = target_mips(), native = target_native();
    const struct row {
        const char *word;
        const struct target *target;
        const char *package;
    } rows[] = {
        {"gcc", &cross, "gcc-mips-fake-os-gnu"},
        {"gcc-11", &cross, "gcc-11-mips-fake-os-gnu"},
        {"gcc", &native, "gcc"},
        {"gcc-11", &native, "gcc-11"},
        {"clang", &cross, "clang"},
        {"clang-15", &native, "clang-15"},
        {"tcc", &native, NULL},
        {"gcc-", &native, NULL},
        {"gcc-x", &native, NULL},
        {"/usr/bin/gcc", &native, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *package = compiler_package(rows[i].word, rows[i].target);
        if (rows[i].package)
            assert_string_equal(package, rows[i].package);
        else
            assert_null(package);
        free(package);
    }
}

static void scans_path(void **state)
{
    struct place *p = *state;
    struct target t = target_mips();
    struct list words = LIST_INIT;
    script_write(p, "mips-fake_os-gnu-gcc-11", "#!/bin/sh\n");
    script_write(p, "mips-fake_os-gnu-gcc", "#!/bin/sh\n");
    script_write(p, "gcc-12", "#!/bin/sh\n"); /* not this target's */
    script_write(p, "clang-15", "#!/bin/sh\n");
    setenv("PATH", p->dir, 1);
    compiler_scan(&t, &words);
    char *all = list_join(&words, " ");
    assert_string_equal(all, "gcc gcc-11 clang-15");
    free(all);
    list_free(&words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(finds_a_cross_gcc, setup, teardown),
        cmocka_unit_test_setup_teardown(gives_clang_its_target, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses, setup, teardown),
        cmocka_unit_test_setup_teardown(names_what_is_missing, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses_flags_the_compiler_refuses, setup, teardown),
        cmocka_unit_test(falls_back_to_the_plain_name),
        cmocka_unit_test(names_packages),
        cmocka_unit_test_setup_teardown(scans_path, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "buildlog.h"

/* The forms of OpenSSL 3.x and 1.1.1, shortened. */
#define CC_LINE(flags, base)                                                                       \
    "gcc  -I. -Iinclude  -DAES_ASM -fPIC -pthread -m64 -Wa,--noexecstack " flags                   \
    " -DOPENSSLDIR=\"\\\"/usr/local/ssl\\\"\" -DNDEBUG  -MMD -MF " base ".d.tmp -c -o " base       \
    ".o " base ".c\n"
#define ASM_LINE(base) "gcc  -I. -fPIC -Wa,--noexecstack -O3 -DNDEBUG -c -o " base ".o " base ".s\n"
#define PERL_LINE(base)                                                                            \
    "CC=\"gcc\" /usr/bin/perl crypto/aes/asm/" base ".pl \"linux64\" -I. -fPIC -O2 -c -o x.o "     \
    "crypto/aes/" base ".S\n"

static void reads_flags(void **state)
{
    (void)state;
    struct buildlog l;
    buildlog_read("# step compile\n# gcc -O9 -c -o x.o x.c\n"
                  "Configuring OpenSSL version 3.5.7 for target linux-x86_64\n" PERL_LINE("aes")
                      CC_LINE("-Os -DOPENSSL_SMALL_FOOTPRINT", "crypto/a")
                          CC_LINE("-Os -DOPENSSL_SMALL_FOOTPRINT", "crypto/b")
                              ASM_LINE("crypto/aes/"
                                       "vpaes-x86_64") ASM_LINE("crypto/aes/aesni-x86_64")
                                  ASM_LINE("crypto/aes/aesni-x86_64")
                                      CC_LINE("-Os -mavx512ifma -DX", "crypto/c"),
                  &l);
    assert_string_equal(l.flags, "-fPIC -pthread -m64 -Wa,--noexecstack -Os");
    assert_string_equal(l.optimisation, "-Os");
    assert_int_equal(l.repeated, 0);
    assert_null(l.repeated_example);
    assert_int_equal(l.compile_lines, 3);
    assert_int_equal(l.asm_modules.n, 2);
    assert_string_equal(l.asm_modules.v[0], "aesni-x86_64.s");
    assert_string_equal(l.asm_modules.v[1], "vpaes-x86_64.s");
    assert_true(list_has(&l.defines, "-DOPENSSL_SMALL_FOOTPRINT"));
    assert_true(list_has(&l.defines, "-DOPENSSLDIR=\"/usr/local/ssl\""));
    assert_false(list_has(&l.defines, "-DX"));
    buildlog_free(&l);
}

static void reads_levels(void **state)
{
    (void)state;
    static const struct row {
        const char *text, *optimisation;
        int repeated;
        const char *example;
    } rows[] = {
        {"", "", 0, NULL},
        {CC_LINE("", "a"), "", 0, NULL},
        {CC_LINE("-O2", "a"), "-O2", 0, NULL},
        {CC_LINE("-Wall -O3 -Os", "a"), "-Os", 1, "-O3 ... -Os"},
        {CC_LINE("-O2", "a") CC_LINE("-O3", "b"), "mixed: -O2 -O3", 0, NULL},
        {CC_LINE("-O2", "a") CC_LINE("", "b"), "mixed: -O2 none", 0, NULL},
        {CC_LINE("-O2", "a") CC_LINE("-O3 -O2", "b"), "-O2", 1, "-O3 ... -O2"},
        /* not levels */
        {CC_LINE("-Og -Object", "a"), "-Og", 0, NULL},
        /* one asm line at another level does not make C code mixed */
        {CC_LINE("-O2", "a") ASM_LINE("b"), "-O2", 0, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buildlog l;
        buildlog_read(rows[i].text, &l);
        assert_string_equal(l.optimisation, rows[i].optimisation);
        assert_int_equal(l.repeated, rows[i].repeated);
        if (rows[i].example)
            assert_string_equal(l.repeated_example, rows[i].example);
        else
            assert_null(l.repeated_example);
        buildlog_free(&l);
    }
}

static void knows_compile_lines(void **state)
{
    (void)state;
    assert_true(buildlog_is_compile("clang --target=mips-linux-gnu -Os -c -o a.o a.c"));
    assert_true(buildlog_is_compile("ccache gcc -c -o a.o \"dir with space/a.S\""));
    assert_false(buildlog_is_compile("# gcc -c -o a.o a.c"));
    assert_false(buildlog_is_compile("gcc -o driver bench/main.c libcrypto.a"));
    assert_false(buildlog_is_compile("/usr/bin/perl -c x.c"));
    assert_false(buildlog_is_compile("ar qc libcrypto.a a.o"));
    assert_false(buildlog_is_compile(""));
    assert_false(buildlog_is_compile(" -c"));
}

static void finds_first_error(void **state)
{
    (void)state;
    static const struct row {
        const char *text, *cause;
    } rows[] = {
        {"", ""},
        {"\n \n", ""},
        {"all fine\n\n", "all fine"},
        {"# in src/\n# make x\n", ""},
        {CC_LINE("-O2", "a") "a.c: In function 'f':\na.c:3:5: error: expected ';'\n"
                             "a.c:9:5: error: second\nmake: *** [Makefile:7: a.o] Error 1\n",
         "a.c:3:5: error: expected ';'"},
        {"a.c:1:10: fatal error: x.h: No such file or directory\n",
         "a.c:1:10: fatal error: x.h: No such file or directory"},
        {"a.s: Assembler messages:\na.s:12: Error: no such instruction: `foo'\n",
         "a.s:12: Error: no such instruction: `foo'"},
        {"/usr/bin/ld: a.o: in function `f':\na.c:(.text+0x5): undefined reference to `g'\n"
         "collect2: error: ld returned 1 exit status\n",
         "a.c:(.text+0x5): undefined reference to `g'"},
        {"make: *** No rule to make target 'libcrypto.a'.  Stop.\n",
         "make: *** No rule to make target 'libcrypto.a'.  Stop."},
        {"***** Unsupported options: no-nonsense\n", "***** Unsupported options: no-nonsense"},
        {"a.c:3:5: error: odd\nfatal error: error writing to /x.s: No space left on device\n",
         "fatal error: error writing to /x.s: No space left on device"},
        {"warning: x\nmake: *** [Makefile:7: a.o] Error 1\nmake: Target not remade\n",
         "make: *** [Makefile:7: a.o] Error 1"},
        {"gcc: fatal error: Killed signal terminated program cc1\n",
         "gcc: fatal error: Killed signal terminated program cc1"},
        {"last line\r\n", "last line"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *cause = buildlog_first_error(rows[i].text);
        assert_string_equal(cause, rows[i].cause);
        free(cause);
    }
}

static void bounds_a_line(void **state)
{
    (void)state;
    struct str s = STR_INIT;
    for (int i = 0; i < 100000; i++)
        str_add(&s, "long ");
    char *cause = buildlog_first_error(s.p);
    assert_true(strlen(cause) < 500);
    assert_string_equal(cause + strlen(cause) - 3, "...");
    free(cause);
    str_free(&s);
}

static void filters_linker_warnings(void **state)
{
    (void)state;
    struct list l = LIST_INIT;
    linker_warnings(
        "# in driver/\n"
        "/usr/bin/ld: libcrypto.a(dso_dlfcn.o): in function `dlfcn_globallookup':\n"
        "dso_dlfcn.c:(.text+0x15): warning: Using 'dlopen' in statically linked applications "
        "requires at runtime the shared libraries from the glibc version used for linking\n"
        "/usr/bin/ld: libcrypto.a(b_addr.o): in function `BIO_lookup_ex':\n"
        "b_addr.c:(.text+0x1): warning: Using 'getaddrinfo' in statically linked applications "
        "requires at runtime the shared libraries from the glibc version used for linking\n",
        &l);
    assert_int_equal(l.n, 0);
    linker_warnings(
        "/usr/bin/ld: warning: x.o: missing .note.GNU-stack section implies executable stack\n"
        "\n"
        "/usr/bin/ld: libcrypto.a(a.o): in function `f':\n"
        "a.c:(.text+0x1): warning: Using 'dlopen' in statically linked applications "
        "requires at runtime the shared libraries from the glibc version used for linking\n"
        "a.c:(.text+0x9): warning: the use of `tmpnam' is dangerous\n",
        &l);
    assert_int_equal(l.n, 2);
    assert_string_equal(l.v[0],
                        "/usr/bin/ld: warning: x.o: missing .note.GNU-stack section implies "
                        "executable stack");
    assert_string_equal(l.v[1], "/usr/bin/ld: libcrypto.a(a.o): in function `f': "
                                "a.c:(.text+0x9): warning: the use of `tmpnam' is dangerous");
    list_free(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_flags),         cmocka_unit_test(reads_levels),
        cmocka_unit_test(knows_compile_lines), cmocka_unit_test(finds_first_error),
        cmocka_unit_test(bounds_a_line),       cmocka_unit_test(filters_linker_warnings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

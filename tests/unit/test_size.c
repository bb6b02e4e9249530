/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "file.h"
#include "mem.h"
#include "size.h"
#include "spawn.h"

enum { TOOL_MS = 60000 };

struct place {
    char *dir;
};

static int setup(void **state)
{
    char dir[] = "/tmp/cb-size-XXXXXX";
    struct place *p = xcalloc(1, sizeof *p);
    if (!mkdtemp(dir))
        return -1;
    p->dir = xstrdup(dir);
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

static void write_file(const struct place *p, const char *name, const char *text)
{
    struct err e = ERR_INIT;
    char *path = path_join(p->dir, name);
    assert_int_equal(file_write_atomic(path, text, strlen(text), &e), 0);
    free(path);
}

/* words: separated by spaces. */
static void run(const struct place *p, const char *words)
{
    struct list argv = LIST_INIT;
    struct err e = ERR_INIT;
    list_split(&argv, words, ' ');
    if (spawn_output(&argv, NULL, p->dir, TOOL_MS, NULL, NULL, &e))
        fail_msg("%s", e.text);
    list_free(&argv);
}

static void sums_sections(void **state)
{
    struct place *p = *state;
    struct section_sizes s;
    struct err e = ERR_INIT;
    /* Every size is chosen, so that sums are known without asking another tool. */
    write_file(p, "a.s",
               ".text\n.skip 100\n.data\n.skip 20\n.bss\n.skip 3000\n"
               ".section .rodata\n.skip 7\n.section .rodata.x,\"a\"\n.skip 4\n"
               ".section .comment\n.skip 5000\n"
               ".section .text.f,\"ax\",%progbits\n.skip 11\n"
               ".section .data.rel.ro,\"aw\",%progbits\n.skip 8\n"
               ".section .tbss,\"awT\",%nobits\n.skip 16\n");
    write_file(p, "b.s", ".text\n.skip 1\n");
    write_file(p, "notes.txt", "no object file\n");
    run(p, "as -o a.o a.s");
    run(p, "as -o b.o b.s");
    run(p, "ar qc lib.a a.o b.o notes.txt");
    char *path = path_join(p->dir, "lib.a");
    assert_int_equal(archive_sizes(path, &s, &e), 0);
    assert_int_equal(s.text, 100 + 11 + 1);
    assert_int_equal(s.data, 20 + 8);
    assert_int_equal(s.bss, 3000 + 16);
    assert_int_equal(s.rodata, 7 + 4);
    assert_int_equal(s.members, 2);

    struct elf_id id;
    struct elf_file self;
    assert_int_equal(elf_read_archive(path, &id, &e), 0);
    assert_int_equal(elf_read("/proc/self/exe", &self, &e), 0);
    assert_true(elf_id_equal(&id, &self.id));
    free(path);
}

static void refuses_what_is_no_archive(void **state)
{
    struct place *p = *state;
    static const struct row {
        const char *name, *text, *expect;
    } rows[] = {
        {"text.a", "hello", "no ar archive"},
        {"empty.a", "!<arch>\n", "no ELF object"},
        {"zero.a", "", "no ar archive"},
        {"cut.a", "!<arch>\na.o/            0           0     0     644     999999    `\nxx",
         "no ELF object"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct section_sizes s;
        struct err e = ERR_INIT;
        char *path = path_join(p->dir, rows[i].name);
        write_file(p, rows[i].name, rows[i].text);
        assert_int_equal(archive_sizes(path, &s, &e), -1);
        assert_non_null(strstr(e.text, rows[i].expect));
        assert_non_null(strstr(e.text, rows[i].name));
        err_clear(&e);
        free(path);
    }
    struct section_sizes s;
    struct err e = ERR_INIT;
    assert_int_equal(archive_sizes("/nonexistent/lib.a", &s, &e), -1);
    assert_non_null(strstr(e.text, "/nonexistent/lib.a"));
    err_clear(&e);
}

static void tells_static_from_dynamic(void **state)
{
    struct place *p = *state;
    struct elf_file f;
    struct err e = ERR_INIT;
    write_file(p, "main.c", "int main(void) { return 0; }\n");
    run(p, "cc -static -o fixed main.c");
    run(p, "cc -o moving main.c");
    char *fixed = path_join(p->dir, "fixed"), *moving = path_join(p->dir, "moving");
    assert_int_equal(elf_read(fixed, &f, &e), 0);
    assert_true(f.is_static);
    assert_int_equal(elf_read(moving, &f, &e), 0);
    assert_false(f.is_static);
    char *source = path_join(p->dir, "main.c");
    assert_int_equal(elf_read(source, &f, &e), -1);
    assert_non_null(strstr(e.text, "no ELF file"));
    err_clear(&e);
    free(fixed);
    free(moving);
    free(source);
}

static void names_machines(void **state)
{
    (void)state;
    static const char *const names[] = {"EM_X86_64", "EM_AARCH64", "EM_ARM",  "EM_MIPS",
                                        "EM_386",    "EM_RISCV",   "EM_PPC64"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_string_equal(elf_machine_name(elf_machine_by_name(names[i])), names[i]);
    assert_int_equal(elf_machine_by_name("EM_AARCH64"), EM_AARCH64);
    assert_int_equal(elf_machine_by_name("EM_VAX_OF_MINE"), -1);
    assert_int_equal(elf_machine_by_name("aarch64"), -1);
    assert_string_equal(elf_machine_name(65000), "EM_?");
    struct elf_id mips = {EM_MIPS, 32, 1}, arm64 = {EM_AARCH64, 64, 0}, other = {65000, 32, 0};
    char *text = elf_id_text(&mips);
    assert_string_equal(text, "MIPS 32-bit big-endian");
    free(text);
    text = elf_id_text(&arm64);
    assert_string_equal(text, "AArch64 64-bit little-endian");
    free(text);
    text = elf_id_text(&other);
    assert_string_equal(text, "machine 65000 32-bit little-endian");
    free(text);
    assert_false(elf_id_equal(&mips, &arm64));
    mips.big = 0;
    assert_false(elf_id_equal(&mips, &(struct elf_id){EM_MIPS, 32, 1}));
    assert_true(elf_id_equal(&mips, &(struct elf_id){EM_MIPS, 32, 0}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sums_sections, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses_what_is_no_archive, setup, teardown),
        cmocka_unit_test_setup_teardown(tells_static_from_dynamic, setup, teardown),
        cmocka_unit_test(names_machines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

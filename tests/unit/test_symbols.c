/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/* Symbol tables made here with libelf, so that they hold what assemblers and linkers leave. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <gelf.h>
#include <libelf.h>

#include "symbols.h"

enum { TEXT = 0x1000, TEXT_BYTES = 0x400, PLT = 0x2000, PLT_BYTES = 0x40, SYMBOLS_MAX = 32 };

struct sym {
    const char *name;
    uint64_t value, size;
    int bind, type;
    int section; /* 1: .text, 2: .plt, 0: undefined */
};

static char path[] = "/tmp/cb-symbols-XXXXXX";

static int setup(void **state)
{
    int fd;

    (void)state;
    elf_version(EV_CURRENT);
    fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int teardown(void **state)
{
    (void)state;
    return unlink(path);
}

static void section_add(Elf *elf, uint32_t name, uint32_t type, uint64_t flags, uint64_t address,
                        void *bytes, size_t n, uint32_t link, size_t entry)
{
    Elf_Scn *scn = elf_newscn(elf);
    Elf_Data *data = elf_newdata(scn);
    GElf_Shdr sh;

    data->d_buf = bytes;
    data->d_size = n;
    data->d_align = entry ? 4 : 1;
    data->d_type = type == SHT_SYMTAB ? ELF_T_SYM : ELF_T_BYTE;
    assert_non_null(gelf_getshdr(scn, &sh));
    sh.sh_name = name;
    sh.sh_type = type;
    sh.sh_flags = flags;
    sh.sh_addr = address;
    sh.sh_link = link;
    sh.sh_entsize = entry;
    assert_true(gelf_update_shdr(scn, &sh));
}

/* A 32-bit executable with a text section, a procedure linkage table and these symbols. */
static void elf_write(int machine, int type, const struct sym *syms, size_t n)
{
    static const char names[] = "\0.text\0.plt\0.symtab\0.strtab";
    static char text[TEXT_BYTES], plt[PLT_BYTES];
    char strings[1024] = "";
    Elf32_Sym table[SYMBOLS_MAX];
    size_t used = 1;
    int fd = open(path, O_RDWR | O_TRUNC);
    Elf *elf = elf_begin(fd, ELF_C_WRITE, NULL);
    Elf32_Ehdr *eh = elf32_newehdr(elf);

    assert_non_null(eh);
    assert_true(n < SYMBOLS_MAX);
    memset(table, 0, sizeof table);
    for (size_t i = 0; i < n; i++) {
        size_t length = strlen(syms[i].name) + 1;

        assert_true(used + length <= sizeof strings);
        memcpy(strings + used, syms[i].name, length);
        table[i + 1].st_name = (Elf32_Word)used;
        table[i + 1].st_value = (Elf32_Addr)syms[i].value;
        table[i + 1].st_size = (Elf32_Word)syms[i].size;
        table[i + 1].st_info = (unsigned char)ELF32_ST_INFO(syms[i].bind, syms[i].type);
        table[i + 1].st_shndx = (Elf32_Half)syms[i].section;
        used += length;
    }
    eh->e_ident[EI_DATA] = ELFDATA2LSB;
    eh->e_machine = (Elf32_Half)machine;
    eh->e_type = (Elf32_Half)type;
    eh->e_version = EV_CURRENT;
    eh->e_shstrndx = 5;
    section_add(elf, 1, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TEXT, text, sizeof text, 0, 0);
    section_add(elf, 7, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, PLT, plt, sizeof plt, 0, 0);
    if (n > 0)
        section_add(elf, 12, SHT_SYMTAB, 0, 0, table, (n + 1) * sizeof table[0], 4,
                    sizeof table[0]);
    else
        section_add(elf, 12, SHT_NOTE, 0, 0, text, 4, 0, 0);
    section_add(elf, 20, SHT_STRTAB, 0, 0, strings, used, 0, 0);
    section_add(elf, 20, SHT_STRTAB, 0, 0, (void *)(uintptr_t)names, sizeof names, 0, 0);
    assert_true(elf_update(elf, ELF_C_WRITE) > 0);
    elf_end(elf);
    close(fd);
}

static struct symbols *read_back(int machine, const struct sym *syms, size_t n)
{
    struct err e = ERR_INIT;
    struct symbols *s;

    elf_write(machine, ET_EXEC, syms, n);
    s = symbols_read(path, &e);
    if (s == NULL)
        fail_msg("%s", e.text);
    return s;
}

static void at_is(const struct symbols *s, uint64_t address, const char *name)
{
    assert_string_equal(symbols_name(s, symbols_at(s, address)), name);
}

static void sized_functions_and_gaps(void **state)
{
    static const struct sym syms[] = {
        {"f", TEXT + 0x10, 0x20, STB_GLOBAL, STT_FUNC, 1},
        {"g", TEXT + 0x40, 0x10, STB_LOCAL, STT_FUNC, 1},
        {"data", TEXT + 0x44, 4, STB_GLOBAL, STT_OBJECT, 1},
        {"elsewhere", 0, 0, STB_GLOBAL, STT_FUNC, 0},
    };
    struct symbols *s = read_back(EM_386, syms, 4);
    uint64_t low, high;

    (void)state;
    at_is(s, TEXT, "[.text]");
    at_is(s, TEXT + 0xf, "[.text]");
    at_is(s, TEXT + 0x10, "f");
    at_is(s, TEXT + 0x2f, "f");
    at_is(s, TEXT + 0x30, "[.text]");
    at_is(s, TEXT + 0x44, "g");
    at_is(s, TEXT + 0x50, "[.text]");
    at_is(s, PLT + 1, "[.plt]");
    at_is(s, TEXT - 1, "[unknown]");
    at_is(s, TEXT + TEXT_BYTES, "[unknown]");
    at_is(s, UINT64_MAX, "[unknown]");
    assert_string_equal(symbols_name(s, symbols_range(s, TEXT + 0x20, &low, &high)), "f");
    assert_int_equal(low, TEXT + 0x10);
    assert_int_equal(high, TEXT + 0x30);
    assert_string_equal(symbols_name(s, symbols_range(s, 5, &low, &high)), "[unknown]");
    assert_int_equal(high, TEXT);
    symbols_free(s);
}

/* What perlasm's output looks like after linking: labels, mapping symbols, no sizes. */
static void labels_belong_to_their_function(void **state)
{
    static const struct sym syms[] = {
        {"aes_encrypt", TEXT + 0x11, 0x40, STB_GLOBAL, STT_FUNC, 1}, /* Thumb */
        {"$t", TEXT + 0x10, 0, STB_LOCAL, STT_NOTYPE, 1},
        {".Lloop", TEXT + 0x18, 0, STB_LOCAL, STT_NOTYPE, 1},
        {"Loop_enc", TEXT + 0x20, 0, STB_LOCAL, STT_NOTYPE, 1},
        {"enc_entry", TEXT + 0x28, 0, STB_GLOBAL, STT_NOTYPE, 1},
        {"$d.1", TEXT + 0x48, 0, STB_LOCAL, STT_NOTYPE, 1},
        {"no_size", TEXT + 0x60, 0, STB_GLOBAL, STT_FUNC, 1},
        {"$a", TEXT + 0x60, 0, STB_LOCAL, STT_NOTYPE, 1},
        {"inner", TEXT + 0x68, 0, STB_LOCAL, STT_NOTYPE, 1},
        {"untyped", TEXT + 0x80, 0, STB_GLOBAL, STT_NOTYPE, 1},
        {"sized", TEXT + 0xa1, 0x10, STB_GLOBAL, STT_FUNC, 1},
        {"lone", TEXT + 0xc0, 0, STB_LOCAL, STT_NOTYPE, 1},
        {"lone_too", TEXT + 0xd0, 0, STB_LOCAL, STT_NOTYPE, 1},
    };
    struct symbols *s = read_back(EM_ARM, syms, 13);
    uint64_t address = 0;

    (void)state;
    for (uint64_t a = TEXT + 0x10; a < TEXT + 0x50; a += 2)
        at_is(s, a, "aes_encrypt");
    at_is(s, TEXT + 0x50, "[.text]");
    at_is(s, TEXT + 0x60, "no_size");
    at_is(s, TEXT + 0x7e, "no_size");
    at_is(s, TEXT + 0x80, "untyped");
    at_is(s, TEXT + 0x9e, "untyped");
    at_is(s, TEXT + 0xa0, "sized");
    at_is(s, TEXT + 0xb0, "[.text]");
    at_is(s, TEXT + 0xc0, "lone");
    at_is(s, TEXT + 0xe0, "lone");
    assert_int_equal(symbols_address(s, "aes_encrypt", &address), 0);
    assert_int_equal(address, TEXT + 0x10);
    assert_int_equal(symbols_address(s, "absent", &address), -1);
    symbols_free(s);
}

static void the_better_of_several_names(void **state)
{
    static const struct sym syms[] = {
        {"__memcpy_generic", TEXT, 0, STB_GLOBAL, STT_FUNC, 1},
        {"a_local", TEXT, 0x20, STB_LOCAL, STT_FUNC, 1},
        {"memcpy_weak", TEXT, 0x20, STB_WEAK, STT_FUNC, 1},
        {"memcpy", TEXT, 0x20, STB_GLOBAL, STT_GNU_IFUNC, 1},
        {"memcpyX", TEXT, 0x20, STB_GLOBAL, STT_FUNC, 1},
    };
    struct symbols *s = read_back(EM_386, syms, 5);

    (void)state;
    at_is(s, TEXT, "memcpy");
    at_is(s, TEXT + 0x1f, "memcpy");
    at_is(s, TEXT + 0x20, "[.text]");
    symbols_free(s);
}

static void functions_inside_functions(void **state)
{
    static const struct sym syms[] = {
        {"outer", TEXT, 0x100, STB_GLOBAL, STT_FUNC, 1},
        {"inner", TEXT + 0x40, 0x20, STB_LOCAL, STT_FUNC, 1},
        {"innermost", TEXT + 0x48, 8, STB_LOCAL, STT_FUNC, 1},
        {"endless", TEXT + 0x80, 0, STB_LOCAL, STT_FUNC, 1},
        {"huge", TEXT + 0x200, UINT32_MAX, STB_LOCAL, STT_FUNC, 1},
    };
    struct symbols *s = read_back(EM_386, syms, 5);

    (void)state;
    at_is(s, TEXT + 0x3f, "outer");
    at_is(s, TEXT + 0x40, "inner");
    at_is(s, TEXT + 0x4f, "innermost");
    at_is(s, TEXT + 0x50, "inner");
    at_is(s, TEXT + 0x60, "outer");
    at_is(s, TEXT + 0x80, "endless");
    at_is(s, TEXT + 0xff, "endless");
    at_is(s, TEXT + 0x100, "[.text]");
    at_is(s, TEXT + TEXT_BYTES - 1, "huge");
    symbols_free(s);
}

static void one_number_for_one_name(void **state)
{
    static const struct sym syms[] = {
        {"init", TEXT, 0x10, STB_LOCAL, STT_FUNC, 1},
        {"other", TEXT + 0x10, 0x10, STB_LOCAL, STT_FUNC, 1},
        {"init", TEXT + 0x20, 0x10, STB_LOCAL, STT_FUNC, 1},
    };
    struct symbols *s = read_back(EM_386, syms, 3);

    (void)state;
    assert_int_equal(symbols_at(s, TEXT), symbols_at(s, TEXT + 0x20));
    assert_int_not_equal(symbols_at(s, TEXT), symbols_at(s, TEXT + 0x10));
    /* unknown, init, other, [.text], [.plt] */
    assert_int_equal(symbols_count(s), 5);
    symbols_free(s);
}

static void files_that_do_not_do(void **state)
{
    static const struct sym syms[] = {{"f", TEXT, 4, STB_GLOBAL, STT_FUNC, 1}};
    struct err e = ERR_INIT;
    struct symbols *s;

    (void)state;
    elf_write(EM_386, ET_EXEC, NULL, 0);
    assert_null(symbols_read(path, &e));
    assert_non_null(strstr(e.text, "symbol table"));
    assert_non_null(strstr(e.text, path));
    assert_int_equal(truncate(path, 3), 0);
    assert_null(symbols_read(path, &e));
    assert_null(symbols_read("/nonexistent/driver", &e));
    err_clear(&e);
    elf_write(EM_386, ET_DYN, syms, 1);
    s = symbols_read(path, &e);
    assert_non_null(s);
    assert_false(symbols_is_fixed(s));
    symbols_free(s);
    s = read_back(EM_ARM, syms, 1);
    assert_true(symbols_is_fixed(s));
    assert_int_equal(symbols_machine(s)->machine, EM_ARM);
    symbols_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sized_functions_and_gaps),
        cmocka_unit_test(labels_belong_to_their_function),
        cmocka_unit_test(the_better_of_several_names),
        cmocka_unit_test(functions_inside_functions),
        cmocka_unit_test(one_number_for_one_name),
        cmocka_unit_test(files_that_do_not_do),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}

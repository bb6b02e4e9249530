/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_TEST_CODEFILE_H
#define CB_TEST_CODEFILE_H

/* ELF executables with some code and symbols, made here with libelf. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <gelf.h>
#include <libelf.h>

struct code_symbol {
    const char *name;
    uint64_t value, size;
    int type; /* STT_FUNC, STT_NOTYPE */
};

struct code_file {
    int machine, elf_class; /* EM_*, ELFCLASS* */
    uint64_t address;
    const void *code;
    size_t n;
    const struct code_symbol *symbols;
    size_t nsymbols;
};

static Elf_Data *code_section(Elf *elf, uint32_t name, uint32_t type, const void *bytes, size_t n)
{
    Elf_Scn *scn = elf_newscn(elf);
    Elf_Data *data = elf_newdata(scn);
    GElf_Shdr sh;

    assert_non_null(data);
    data->d_buf = (void *)(uintptr_t)bytes;
    data->d_size = n;
    data->d_align = 8;
    data->d_type = type == SHT_SYMTAB ? ELF_T_SYM : ELF_T_BYTE;
    assert_non_null(gelf_getshdr(scn, &sh));
    sh.sh_name = name;
    sh.sh_type = type;
    assert_true(gelf_update_shdr(scn, &sh));
    return data;
}

/* Little-endian, into an existing file. */
static void code_file_write(const char *path, const struct code_file *f)
{
    static const char names[] = "\0.text\0.symtab\0.strtab";
    char strings[1024] = "", table[32 * sizeof(Elf64_Sym)] = "";
    int fd = open(path, O_RDWR | O_TRUNC);
    size_t used = 1;
    Elf_Data *data;
    GElf_Ehdr eh;
    GElf_Shdr sh;
    Elf *elf;

    elf_version(EV_CURRENT);
    elf = elf_begin(fd, ELF_C_WRITE, NULL);
    assert_non_null(elf);
    assert_non_null(gelf_newehdr(elf, f->elf_class));
    assert_non_null(gelf_getehdr(elf, &eh));
    eh.e_ident[EI_DATA] = ELFDATA2LSB;
    eh.e_machine = (GElf_Half)f->machine;
    eh.e_type = ET_EXEC;
    eh.e_version = EV_CURRENT;
    eh.e_shstrndx = 4;
    assert_true(gelf_update_ehdr(elf, &eh));
    code_section(elf, 1, SHT_PROGBITS, f->code, f->n);
    assert_non_null(gelf_getshdr(elf_getscn(elf, 1), &sh));
    sh.sh_flags = SHF_ALLOC | SHF_EXECINSTR;
    sh.sh_addr = f->address;
    assert_true(gelf_update_shdr(elf_getscn(elf, 1), &sh));
    data = code_section(elf, 7, SHT_SYMTAB, table,
                        (f->nsymbols + 1) * gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT));
    assert_true(data->d_size <= sizeof table);
    for (size_t k = 0; k < f->nsymbols; k++) {
        const struct code_symbol *s = &f->symbols[k];
        GElf_Sym sym = {.st_name = (GElf_Word)used,
                        .st_info = GELF_ST_INFO(STB_GLOBAL, s->type),
                        .st_shndx = 1,
                        .st_value = s->value,
                        .st_size = s->size};

        assert_true(used + strlen(s->name) < sizeof strings);
        memcpy(strings + used, s->name, strlen(s->name) + 1);
        used += strlen(s->name) + 1;
        assert_true(gelf_update_sym(data, (int)k + 1, &sym));
    }
    assert_non_null(gelf_getshdr(elf_getscn(elf, 2), &sh));
    sh.sh_link = 3;
    sh.sh_entsize = gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);
    assert_true(gelf_update_shdr(elf_getscn(elf, 2), &sh));
    code_section(elf, 15, SHT_STRTAB, strings, used);
    code_section(elf, 15, SHT_STRTAB, names, sizeof names);
    assert_true(elf_update(elf, ELF_C_WRITE) > 0);
    elf_end(elf);
    close(fd);
}

#endif

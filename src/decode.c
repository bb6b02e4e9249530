/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "decode.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gelf.h>
#include <libelf.h>

#include "decode_isa.h"
#include "mem.h"

enum {
    IT_BLOCK = 5,       /* most instructions, with the `it` */
    TABLE_FIRST = 4096, /* a power of 2 */
    INSNS_MAX = 1 << 22 /* the text of a driver has some 10^6 */
};

/* An encoding of an instruction set. */
struct encoding {
    unsigned mode; /* capstone's, besides endianness */
    unsigned unit; /* bytes that the length is a multiple of */
    void (*decode)(const cs_insn *from, struct insn *out);
};

static const struct isa {
    int machine, bits;
    int may_be_big; /* a big-endian program's code is too */
    cs_arch arch;
    struct encoding plain, thumb; /* thumb: unit 0 where there is no such thing */
} isas[] = {
    {EM_AARCH64, 64, 0, CS_ARCH_ARM64, {CS_MODE_ARM, 4, a64_decode}, {0}},
    /* V8: AES and PMULL are written as data words by code that an older assembler must take. */
    {EM_ARM,
     32,
     0,
     CS_ARCH_ARM,
     {CS_MODE_ARM | CS_MODE_V8, 4, arm_decode},
     {CS_MODE_THUMB | CS_MODE_V8, 2, thumb_decode}},
    {EM_MIPS, 32, 1, CS_ARCH_MIPS, {CS_MODE_MIPS32, 4, mips_decode}, {0}},
};

/* Bytes that are at consecutive addresses. */
struct section {
    uint64_t low, high;
    uint8_t *bytes;
};

/* From an address on code is Thumb, or not. */
struct mapping {
    uint64_t address;
    int is_thumb;
};

struct unknown {
    uint32_t number;
    char *name;
};

struct decoder {
    const struct isa *isa;
    csh handle;
    int is_open;  /* handle is */
    int is_thumb; /* the handle's mode */
    int big;
    struct section *sections;
    size_t nsections;
    struct mapping *mappings; /* by address */
    size_t nmappings;
    struct insn *insns;
    size_t ninsns, insns_room;
    uint32_t *table;   /* open addressing by address: number + 1, 0 is empty */
    size_t table_size; /* power of 2, over twice ninsns */
    struct unknown *unknowns;
    size_t nunknowns, unknowns_room;
};

static const struct isa *isa_find(const struct elf_id *id)
{
    for (size_t k = 0; k < sizeof isas / sizeof *isas; k++)
        if (isas[k].machine == id->machine && isas[k].bits == id->bits &&
            (!id->big || isas[k].may_be_big))
            return &isas[k];
    return NULL;
}

int decoder_machine_is_known(const struct elf_id *id)
{
    return isa_find(id) != NULL;
}

static unsigned capstone_mode(const struct decoder *d, const struct encoding *c)
{
    return c->mode | (d->big ? (unsigned)CS_MODE_BIG_ENDIAN : 0);
}

static size_t table_slot(const struct decoder *d, uint64_t address)
{
    /* Fibonacci hashing: 2^64 divided by the golden ratio. */
    size_t at = (size_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (d->table_size - 1);

    while (d->table[at] && d->insns[d->table[at] - 1].address != address)
        at = (at + 1) & (d->table_size - 1);
    return at;
}

static void table_grow(struct decoder *d)
{
    free(d->table);
    d->table_size = d->table_size ? 2 * d->table_size : TABLE_FIRST;
    d->table = xcalloc(d->table_size, sizeof *d->table);
    for (size_t k = 0; k < d->ninsns; k++)
        d->table[table_slot(d, d->insns[k].address)] = (uint32_t)k + 1;
}

static struct decoder *decoder_new(const struct elf_id *id, struct err *e)
{
    const struct isa *isa = isa_find(id);
    struct decoder *d;
    cs_err status;

    if (!isa) {
        char *text = elf_id_text(id);

        err_set(e, "no decoder for the instructions of %s", text);
        free(text);
        return NULL;
    }
    d = xcalloc(1, sizeof *d);
    d->isa = isa;
    d->big = id->big;
    table_grow(d);
    status = cs_open(isa->arch, (cs_mode)capstone_mode(d, &isa->plain), &d->handle);
    if (status == CS_ERR_OK) {
        d->is_open = 1;
        status = cs_option(d->handle, CS_OPT_DETAIL, CS_OPT_ON);
    }
    if (status != CS_ERR_OK) {
        err_set(e, "capstone does not decode %s: %s", elf_machine_name(id->machine),
                cs_strerror(status));
        decoder_close(d);
        return NULL;
    }
    return d;
}

void decoder_close(struct decoder *d)
{
    if (d == NULL)
        return;
    if (d->is_open)
        cs_close(&d->handle);
    for (size_t k = 0; k < d->nsections; k++)
        free(d->sections[k].bytes);
    for (size_t k = 0; k < d->nunknowns; k++)
        free(d->unknowns[k].name);
    free(d->sections);
    free(d->mappings);
    free(d->insns);
    free(d->table);
    free(d->unknowns);
    free(d);
}

static void section_add(struct decoder *d, uint64_t address, const void *bytes, size_t n)
{
    struct section *s;

    d->sections = xreallocarray(d->sections, d->nsections + 1, sizeof *d->sections);
    s = &d->sections[d->nsections++];
    *s = (struct section){address, address + n, xmalloc(n)};
    memcpy(s->bytes, bytes, n);
}

static void sections_read(struct decoder *d, Elf *elf)
{
    Elf_Scn *scn = NULL;

    while ((scn = elf_nextscn(elf, scn)) != NULL) {
        GElf_Shdr sh;
        Elf_Data *data;

        if (gelf_getshdr(scn, &sh) == NULL || (sh.sh_flags & SHF_EXECINSTR) == 0 ||
            sh.sh_type == SHT_NOBITS)
            continue;
        data = elf_rawdata(scn, NULL);
        if (data && data->d_buf && data->d_size && data->d_size <= UINT64_MAX - sh.sh_addr)
            section_add(d, sh.sh_addr, data->d_buf, data->d_size);
    }
}

/*
 * What a symbol says about the code from its address on: 1 Thumb, 0 ARM, -1 nothing. $d is data, or
 * instructions that were written as such and belong to the code around them. Functions say it by
 * the lowest bit of their address.
 */
static int symbol_is_thumb(const GElf_Sym *sym, const char *name)
{
    int is_mapping =
        name[0] == '$' && (name[1] == 'a' || name[1] == 't') && (name[2] == '\0' || name[2] == '.');

    if (sym->st_shndx == SHN_UNDEF)
        return -1;
    if (is_mapping)
        return name[1] == 't';
    return GELF_ST_TYPE(sym->st_info) == STT_FUNC ? (int)(sym->st_value & 1) : -1;
}

static int mapping_compare(const void *a, const void *b)
{
    const struct mapping *x = a, *y = b;

    return (x->address > y->address) - (x->address < y->address);
}

static void mappings_read(struct decoder *d, Elf *elf)
{
    Elf_Scn *scn = NULL;
    GElf_Shdr sh;
    Elf_Data *data;
    size_t count;

    while ((scn = elf_nextscn(elf, scn)) != NULL)
        if (gelf_getshdr(scn, &sh) != NULL && sh.sh_type == SHT_SYMTAB && sh.sh_entsize != 0)
            break;
    data = scn ? elf_getdata(scn, NULL) : NULL;
    if (!data || !d->isa->thumb.unit)
        return;
    count = data->d_size / sh.sh_entsize;
    d->mappings = xcalloc(count + 1, sizeof *d->mappings);
    for (size_t k = 0; k < count && k < INT32_MAX; k++) {
        GElf_Sym sym;
        const char *name;
        int is_thumb;

        if (gelf_getsym(data, (int)k, &sym) == NULL)
            continue;
        name = elf_strptr(elf, sh.sh_link, sym.st_name);
        is_thumb = name ? symbol_is_thumb(&sym, name) : -1;
        if (is_thumb >= 0)
            d->mappings[d->nmappings++] = (struct mapping){sym.st_value & ~UINT64_C(1), is_thumb};
    }
    qsort(d->mappings, d->nmappings, sizeof *d->mappings, mapping_compare);
}

int decoder_open(const char *path, struct decoder **out, struct err *e)
{
    struct elf_file file;
    struct decoder *d = NULL;
    Elf *elf;
    int fd;

    if (elf_read(path, &file, e) != 0)
        return -1;
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return err_set(e, "cannot read '%s': %s", path, strerror(errno));
    elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    d = decoder_new(&file.id, e);
    if (d) {
        sections_read(d, elf);
        mappings_read(d, elf);
        if (!d->nsections) {
            err_set(e, "no sections with code in it");
            decoder_close(d);
            d = NULL;
        }
    }
    elf_end(elf);
    close(fd);
    if (!d)
        return err_prefix(e, "'%s': ", path);
    *out = d;
    return 0;
}

int decoder_open_code(const struct elf_id *id, uint64_t address, const void *code, size_t n,
                      int is_thumb, struct decoder **out, struct err *e)
{
    struct decoder *d = decoder_new(id, e);

    if (!d)
        return -1;
    section_add(d, address, code, n);
    d->mappings = xcalloc(1, sizeof *d->mappings);
    d->mappings[d->nmappings++] = (struct mapping){address, is_thumb && d->isa->thumb.unit};
    *out = d;
    return 0;
}

static int is_thumb_at(const struct decoder *d, uint64_t address)
{
    size_t a = 0, b = d->nmappings;

    while (a < b) {
        size_t mid = a + (b - a) / 2;

        if (d->mappings[mid].address <= address)
            a = mid + 1;
        else
            b = mid;
    }
    return a > 0 && d->mappings[a - 1].is_thumb;
}

/* The place for what was decoded at an address, a new one or that of before. */
static uint32_t number_of(struct decoder *d, uint64_t address)
{
    size_t slot;

    if (d->ninsns * 2 >= d->table_size)
        table_grow(d);
    slot = table_slot(d, address);
    if (d->table[slot])
        return d->table[slot] - 1;
    if (d->ninsns == d->insns_room) {
        d->insns_room = d->insns_room ? 2 * d->insns_room : 1024;
        d->insns = xreallocarray(d->insns, d->insns_room, sizeof *d->insns);
    }
    d->insns[d->ninsns] = (struct insn){.address = address};
    d->table[slot] = (uint32_t)++d->ninsns;
    return d->table[slot] - 1;
}

static void unknown_add(struct decoder *d, uint32_t number, char *name)
{
    for (size_t k = 0; k < d->nunknowns; k++) {
        if (d->unknowns[k].number == number) {
            free(name);
            return;
        }
    }
    if (d->nunknowns == d->unknowns_room) {
        d->unknowns_room = d->unknowns_room ? 2 * d->unknowns_room : 16;
        d->unknowns = xreallocarray(d->unknowns, d->unknowns_room, sizeof *d->unknowns);
    }
    d->unknowns[d->nunknowns++] = (struct unknown){number, name};
}

const char *decoder_unknown_name(const struct decoder *d, uint32_t number)
{
    for (size_t k = 0; k < d->nunknowns; k++)
        if (d->unknowns[k].number == number)
            return d->unknowns[k].name;
    return "?";
}

/* Bytes that capstone cannot make anything of. */
static uint32_t nothing_decode(struct decoder *d, const struct encoding *c, uint64_t address,
                               const uint8_t *bytes, size_t left)
{
    uint32_t number = number_of(d, address);
    struct insn *i = &d->insns[number];
    char hex[9] = "";

    /* The first half-word of a long Thumb instruction begins with 0b11101 or more. */
    i->length = (uint8_t)(c->unit == 2 && left >= 2 && bytes[1] >> 3 >= 0x1d ? 4 : c->unit);
    if (i->length > left)
        i->length = (uint8_t)left;
    for (size_t k = 0; k < i->length; k++)
        snprintf(hex + 2 * k, 3, "%02x", bytes[k]);
    i->class = CLASS_ALU;
    i->n = 1;
    i->unknown = 1;
    unknown_add(d, number, xasprintf(".inst %s", hex));
    return number;
}

/* As many as depend on each other: an `it` and its block, else one. */
static uint32_t decode(struct decoder *d, const struct encoding *c, const struct section *s,
                       uint64_t address)
{
    const uint8_t *bytes = s->bytes + (address - s->low);
    size_t left = (size_t)(s->high - address), n;
    uint32_t first = 0;
    cs_insn *found = NULL;

    n = cs_disasm(d->handle, bytes, left, address, 1, &found);
    if (n == 1 && c->unit == 2 && found->id == ARM_INS_IT) {
        unsigned block = IT_BLOCK;

        /* The lowest set bit of the mask ends it. */
        for (unsigned mask = bytes[0]; block > 2 && !(mask & 1); mask >>= 1)
            block--;
        cs_free(found, n);
        n = cs_disasm(d->handle, bytes, left, address, block, &found);
    }
    if (n == 0)
        return nothing_decode(d, c, address, bytes, left);
    for (size_t k = 0; k < n; k++) {
        uint32_t number = number_of(d, found[k].address);
        struct insn *i = &d->insns[number];

        *i = (struct insn){.address = found[k].address, .length = (uint8_t)found[k].size};
        c->decode(&found[k], i);
        if (i->unknown)
            unknown_add(d, number, xstrdup(found[k].mnemonic));
        if (k == 0)
            first = number;
    }
    cs_free(found, n);
    return first;
}

int decoder_at(struct decoder *d, uint64_t address, uint32_t *number, struct err *e)
{
    const struct section *s = NULL;
    const struct encoding *c;
    size_t slot;
    int is_thumb;

    slot = table_slot(d, address);
    if (d->table[slot]) {
        *number = d->table[slot] - 1;
        return 0;
    }
    for (size_t k = 0; k < d->nsections && !s; k++)
        if (address >= d->sections[k].low && address < d->sections[k].high)
            s = &d->sections[k];
    if (!s)
        return err_set(e, "no code at address 0x%llx", (unsigned long long)address);
    is_thumb = is_thumb_at(d, address);
    c = is_thumb ? &d->isa->thumb : &d->isa->plain;
    if (address % c->unit || s->high - address < c->unit)
        return err_set(e, "no instruction can be at address 0x%llx", (unsigned long long)address);
    if (d->ninsns > INSNS_MAX)
        return err_set(e, "more than %d distinct instructions", INSNS_MAX);
    if (is_thumb != d->is_thumb) {
        cs_option(d->handle, CS_OPT_MODE, capstone_mode(d, c));
        d->is_thumb = is_thumb;
    }
    *number = decode(d, c, s, address);
    return 0;
}

const struct insn *decoder_insns(const struct decoder *d, size_t *n)
{
    *n = d->ninsns;
    return d->insns;
}

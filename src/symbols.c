/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gelf.h>
#include <libelf.h>

#include "mem.h"

/* An executable section. */
struct section {
    uint64_t low, high;
    char *name; /* "[.text]" */
};

/* A symbol that may be a function's. */
struct entry {
    uint64_t low, size;
    int rank; /* for one address: lower is the better name */
    int is_untyped;
    int is_label; /* untyped and local: only a function where no other is */
    char *name;
};

/* A stretch of code that is one function's. */
struct range {
    uint64_t low, high;
    size_t number;
};

struct name {
    const char *text;
    size_t number;
};

struct symbols {
    struct elf_id id;
    int is_fixed;
    struct section *sections;
    size_t nsections;
    struct entry *entries; /* by address, then rank */
    size_t nentries;
    struct range *ranges; /* by address, without overlap */
    size_t nranges, ranges_room;
    struct name *names; /* by text: to give equal names one number */
    const char **by_number;
    size_t nnames;
};

static const char unknown[] = "[unknown]";

/* $a, $d, $t, $x, $d.17, $x.rv64...: what follows is code or data (ELF for the Arm Architecture).
 */
static int is_mapping(const char *name)
{
    return name[0] == '$' && name[1] != '\0' && strchr("adtx", name[1]) != NULL &&
           (name[2] == '\0' || name[2] == '.');
}

static int is_local_label(const char *name)
{
    return strncmp(name, ".L", 2) == 0 || strncmp(name, "$L", 2) == 0;
}

/* Of several names for one address the better one is global, has fewer underscores in front, and is
 * shorter; at last byte order decides, so that the choice is the same in every build. */
static int name_rank(int binding, const char *name)
{
    static const int by_binding[] = {[STB_LOCAL] = 2, [STB_GLOBAL] = 0, [STB_WEAK] = 1};
    int rank = binding >= 0 && binding <= STB_WEAK ? by_binding[binding] : 2;
    size_t length = strlen(name), underscores = strspn(name, "_");

    if (underscores > 15)
        underscores = 15;
    if (length > 4095)
        length = 4095;
    return rank << 16 | (int)underscores << 12 | (int)length;
}

static int entry_compare(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    if (x->is_label != y->is_label)
        return x->is_label - y->is_label;
    if (x->rank != y->rank)
        return x->rank - y->rank;
    return strcmp(x->name, y->name);
}

static int section_compare(const void *a, const void *b)
{
    const struct section *x = a, *y = b;

    return x->low < y->low ? -1 : x->low > y->low;
}

static int name_compare(const void *a, const void *b)
{
    return strcmp(((const struct name *)a)->text, ((const struct name *)b)->text);
}

static const struct section *section_at(const struct symbols *s, uint64_t address)
{
    for (size_t i = 0; i < s->nsections; i++)
        if (address >= s->sections[i].low && address < s->sections[i].high)
            return &s->sections[i];
    return NULL;
}

static void sections_read(struct symbols *s, Elf *elf)
{
    size_t names = 0, count = 0;
    Elf_Scn *scn = NULL;

    if (elf_getshdrstrndx(elf, &names) != 0 || elf_getshdrnum(elf, &count) != 0)
        return;
    s->sections = xcalloc(count + 1, sizeof *s->sections);
    while ((scn = elf_nextscn(elf, scn)) != NULL && s->nsections < count) {
        GElf_Shdr sh;
        const char *name;

        if (gelf_getshdr(scn, &sh) == NULL || (sh.sh_flags & SHF_EXECINSTR) == 0 ||
            (sh.sh_flags & SHF_ALLOC) == 0 || sh.sh_size == 0 ||
            sh.sh_size > UINT64_MAX - sh.sh_addr)
            continue;
        name = elf_strptr(elf, names, sh.sh_name);
        s->sections[s->nsections++] = (struct section){sh.sh_addr, sh.sh_addr + sh.sh_size,
                                                       xasprintf("[%s]", name ? name : "?")};
    }
    qsort(s->sections, s->nsections, sizeof *s->sections, section_compare);
}

/* 1 and *out filled when the symbol may name a function. */
static int entry_make(const struct symbols *s, const GElf_Sym *sym, const char *name,
                      struct entry *out)
{
    int type = GELF_ST_TYPE(sym->st_info), binding = GELF_ST_BIND(sym->st_info);
    uint64_t address = sym->st_value;

    if (sym->st_shndx == SHN_UNDEF || *name == '\0' || is_mapping(name) || is_local_label(name))
        return 0;
    if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE)
        return 0;
    /* microMIPS and MIPS16 mark their functions the same way. */
    if (s->id.machine == EM_ARM || s->id.machine == EM_MIPS)
        address &= ~UINT64_C(1);
    if (section_at(s, address) == NULL)
        return 0;
    /* An untyped symbol has a size only by accident. */
    out->low = address;
    out->is_untyped = type == STT_NOTYPE;
    out->is_label = out->is_untyped && binding == STB_LOCAL;
    out->size = out->is_untyped ? 0 : sym->st_size;
    out->rank = name_rank(binding, name);
    out->name = xstrdup(name);
    return 1;
}

static int entries_read(struct symbols *s, Elf *elf, const char *path, struct err *e)
{
    Elf_Scn *scn = NULL;
    GElf_Shdr sh;

    while ((scn = elf_nextscn(elf, scn)) != NULL)
        if (gelf_getshdr(scn, &sh) != NULL && sh.sh_type == SHT_SYMTAB && sh.sh_entsize != 0)
            break;
    Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
    if (data == NULL)
        return err_set(e, "'%s' has no symbol table: it must not be stripped", path);
    size_t count = sh.sh_size / sh.sh_entsize;
    if (count > INT32_MAX)
        return err_set(e, "'%s' has a symbol table of %zu entries, over 2^31", path, count);
    s->entries = xcalloc(count + 1, sizeof *s->entries);
    for (size_t i = 0; i < count; i++) {
        GElf_Sym sym;
        const char *name;

        if (gelf_getsym(data, (int)i, &sym) == NULL)
            continue;
        name = elf_strptr(elf, sh.sh_link, sym.st_name);
        if (name != NULL && entry_make(s, &sym, name, &s->entries[s->nentries]))
            s->nentries++;
    }
    qsort(s->entries, s->nentries, sizeof *s->entries, entry_compare);
    return 0;
}

static void range_add(struct symbols *s, uint64_t low, uint64_t high, const char *name)
{
    if (low >= high)
        return;
    if (s->nranges == s->ranges_room) {
        s->ranges_room = s->ranges_room ? 2 * s->ranges_room : 1024;
        s->ranges = xreallocarray(s->ranges, s->ranges_room, sizeof *s->ranges);
        s->names = xreallocarray(s->names, s->ranges_room + 1, sizeof *s->names);
    }
    s->names[s->nranges].text = name;
    s->names[s->nranges].number = s->nranges;
    s->ranges[s->nranges++] = (struct range){low, high, 0};
}

/* Where a function ends: by its size, the largest that a symbol for the same place has; without
 * one, where the next function starts. */
static uint64_t function_end(const struct symbols *s, size_t i, uint64_t limit)
{
    uint64_t low = s->entries[i].low, size = 0;

    for (; i < s->nentries && s->entries[i].low == low; i++)
        if (s->entries[i].size > size)
            size = s->entries[i].size;
    if (size > 0)
        return size < limit - low ? low + size : limit;
    for (; i < s->nentries && s->entries[i].low < limit; i++)
        if (!s->entries[i].is_label)
            return s->entries[i].low;
    return limit;
}

/* A function that covers the address the sweep is at. */
struct open {
    uint64_t high;
    int is_sized;
    const char *name;
};

/* 1 when entry i, inside the function `in` (NULL: in none), starts a function. */
static int entry_starts(const struct symbols *s, size_t i, const struct open *in)
{
    const struct entry *en = &s->entries[i];

    if (i > 0 && s->entries[i - 1].low == en->low)
        return 0; /* another name of the same */
    return in == NULL || !(en->is_label || (en->is_untyped && in->is_sized));
}

/* One sweep over a section with the entries from first to last. `stack` holds the functions that
 * cover `at`, the innermost on top: there are functions inside functions. */
static void ranges_of_section(struct symbols *s, const struct section *sec, size_t first,
                              size_t last)
{
    struct open *stack = xcalloc(last - first + 1, sizeof *stack);
    size_t depth = 0;
    uint64_t at = sec->low;

    for (size_t i = first;; i++) {
        uint64_t next = i < last ? s->entries[i].low : sec->high;

        /* Up to the next entry: what is open, then what lies around it, then nobody's. */
        while (at < next) {
            uint64_t high = depth && stack[depth - 1].high < next ? stack[depth - 1].high : next;

            range_add(s, at, high, depth ? stack[depth - 1].name : sec->name);
            at = high;
            while (depth && stack[depth - 1].high <= at)
                depth--;
        }
        if (i == last)
            break;
        if (entry_starts(s, i, depth ? &stack[depth - 1] : NULL)) {
            uint64_t high = function_end(s, i, sec->high);
            int is_sized = s->entries[i].size > 0;

            if (!is_sized && depth && stack[depth - 1].is_sized && stack[depth - 1].high < high)
                high = stack[depth - 1].high;
            stack[depth++] = (struct open){high, is_sized, s->entries[i].name};
        }
    }
    free(stack);
}

static void ranges_make(struct symbols *s)
{
    size_t first = 0, last;

    for (size_t k = 0; k < s->nsections; k++) {
        while (first < s->nentries && s->entries[first].low < s->sections[k].low)
            first++;
        for (last = first; last < s->nentries && s->entries[last].low < s->sections[k].high; last++)
            ;
        ranges_of_section(s, &s->sections[k], first, last);
        first = last;
    }
}

/* Gives each name a number, 0 for unknown, and each range its name's. */
static void names_number(struct symbols *s)
{
    s->by_number = xcalloc(s->nranges + 1, sizeof *s->by_number);
    s->by_number[s->nnames++] = unknown;
    if (s->nranges == 0)
        return;
    qsort(s->names, s->nranges, sizeof *s->names, name_compare);
    for (size_t i = 0; i < s->nranges; i++) {
        if (i == 0 || strcmp(s->names[i].text, s->names[i - 1].text) != 0)
            s->by_number[s->nnames++] = s->names[i].text;
        s->ranges[s->names[i].number].number = s->nnames - 1;
    }
}

struct symbols *symbols_read(const char *path, struct err *e)
{
    struct symbols *s = NULL;
    struct elf_file file;
    GElf_Ehdr eh;
    Elf *elf;
    int fd;

    if (elf_read(path, &file, e) != 0)
        return NULL;
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        err_set(e, "cannot read '%s': %s", path, strerror(errno));
        return NULL;
    }
    elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    s = xcalloc(1, sizeof *s);
    s->id = file.id;
    s->is_fixed = gelf_getehdr(elf, &eh) != NULL && eh.e_type == ET_EXEC;
    sections_read(s, elf);
    if (s->nsections == 0) {
        err_set(e, "'%s' has no sections with code", path);
        goto fail;
    }
    if (entries_read(s, elf, path, e) != 0)
        goto fail;
    ranges_make(s);
    names_number(s);
    elf_end(elf);
    close(fd);
    return s;
fail:
    symbols_free(s);
    elf_end(elf);
    close(fd);
    return NULL;
}

void symbols_free(struct symbols *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; i < s->nsections; i++)
        free(s->sections[i].name);
    for (size_t i = 0; i < s->nentries; i++)
        free(s->entries[i].name);
    free(s->sections);
    free(s->entries);
    free(s->ranges);
    free(s->names);
    free(s->by_number);
    free(s);
}

const struct elf_id *symbols_machine(const struct symbols *s)
{
    return &s->id;
}

int symbols_is_fixed(const struct symbols *s)
{
    return s->is_fixed;
}

int symbols_address(const struct symbols *s, const char *name, uint64_t *address)
{
    for (size_t i = 0; i < s->nentries; i++) {
        if (strcmp(s->entries[i].name, name) == 0) {
            *address = s->entries[i].low;
            return 0;
        }
    }
    return -1;
}

size_t symbols_count(const struct symbols *s)
{
    return s->nnames;
}

const char *symbols_name(const struct symbols *s, size_t number)
{
    return number < s->nnames ? s->by_number[number] : unknown;
}

size_t symbols_range(const struct symbols *s, uint64_t address, uint64_t *low, uint64_t *high)
{
    size_t a = 0, b = s->nranges;

    while (a < b) {
        size_t mid = a + (b - a) / 2;

        if (s->ranges[mid].high <= address)
            a = mid + 1;
        else
            b = mid;
    }
    *low = a > 0 ? s->ranges[a - 1].high : 0;
    if (a == s->nranges || address < s->ranges[a].low) {
        *high = a < s->nranges ? s->ranges[a].low : UINT64_MAX;
        return 0;
    }
    *low = s->ranges[a].low;
    *high = s->ranges[a].high;
    return s->ranges[a].number;
}

size_t symbols_at(const struct symbols *s, uint64_t address)
{
    uint64_t low, high;

    return symbols_range(s, address, &low, &high);
}

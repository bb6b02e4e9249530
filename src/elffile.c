/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "elffile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gelf.h>
#include <libelf.h>

#include "mem.h"

static const struct machine {
    int number;
    const char *name; /* as in target files and elf.h */
    const char *text; /* for people */
} machines[] = {
    {EM_386, "EM_386", "x86"},
    {EM_68K, "EM_68K", "m68k"},
    {EM_AARCH64, "EM_AARCH64", "AArch64"},
    {EM_ALPHA, "EM_ALPHA", "Alpha"},
    {EM_ARC_COMPACT, "EM_ARC_COMPACT", "ARCompact"},
    {EM_ARCV2, "EM_ARCV2", "ARCv2"},
    {EM_ARM, "EM_ARM", "ARM"},
    {EM_CSKY, "EM_CSKY", "C-SKY"},
    {EM_IA_64, "EM_IA_64", "IA-64"},
    {EM_LOONGARCH, "EM_LOONGARCH", "LoongArch"},
    {EM_MICROBLAZE, "EM_MICROBLAZE", "MicroBlaze"},
    {EM_MIPS, "EM_MIPS", "MIPS"},
    {EM_ALTERA_NIOS2, "EM_ALTERA_NIOS2", "Nios II"},
    {EM_OPENRISC, "EM_OPENRISC", "OpenRISC"},
    {EM_PARISC, "EM_PARISC", "PA-RISC"},
    {EM_PPC, "EM_PPC", "PowerPC"},
    {EM_PPC64, "EM_PPC64", "PowerPC64"},
    {EM_RISCV, "EM_RISCV", "RISC-V"},
    {EM_S390, "EM_S390", "IBM Z"},
    {EM_SH, "EM_SH", "SuperH"},
    {EM_SPARC, "EM_SPARC", "SPARC"},
    {EM_SPARC32PLUS, "EM_SPARC32PLUS", "SPARC v8+"},
    {EM_SPARCV9, "EM_SPARCV9", "SPARC v9"},
    {EM_X86_64, "EM_X86_64", "x86-64"},
    {EM_XTENSA, "EM_XTENSA", "Xtensa"},
};

static const struct machine *machine_find(int number)
{
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        if (machines[i].number == number)
            return &machines[i];
    return NULL;
}

int elf_machine_by_name(const char *name)
{
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        if (strcmp(machines[i].name, name) == 0)
            return machines[i].number;
    return -1;
}

const char *elf_machine_name(int machine)
{
    const struct machine *m = machine_find(machine);
    return m ? m->name : "EM_?";
}

char *elf_id_text(const struct elf_id *id)
{
    const struct machine *m = machine_find(id->machine);
    char *name = m ? xstrdup(m->text) : xasprintf("machine %d", id->machine);
    char *text = xasprintf("%s %d-bit %s-endian", name, id->bits, id->big ? "big" : "little");
    free(name);
    return text;
}

int elf_id_equal(const struct elf_id *a, const struct elf_id *b)
{
    return a->machine == b->machine && a->bits == b->bits && a->big == b->big;
}

/* A static program may have a dynamic section (static-pie), but it needs nothing. */
static int elf_needs_libraries(Elf *elf)
{
    Elf_Scn *scn = NULL;
    while ((scn = elf_nextscn(elf, scn)) != NULL) {
        GElf_Shdr sh;
        if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_DYNAMIC || sh.sh_entsize == 0)
            continue;
        Elf_Data *data = elf_getdata(scn, NULL);
        for (int i = 0; data && (uint64_t)i < sh.sh_size / sh.sh_entsize; i++) {
            GElf_Dyn dyn;
            if (gelf_getdyn(data, i, &dyn) && dyn.d_tag == DT_NEEDED)
                return 1;
        }
    }
    return 0;
}

static int elf_has_interpreter(Elf *elf)
{
    size_t n;
    if (elf_getphdrnum(elf, &n) != 0)
        return 0;
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr ph;
        if (gelf_getphdr(elf, (int)i, &ph) && ph.p_type == PT_INTERP)
            return 1;
    }
    return 0;
}

/* -1 when elf is no ELF object. */
static int elf_id_read(Elf *elf, struct elf_id *out)
{
    GElf_Ehdr eh;
    if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &eh))
        return -1;
    out->machine = eh.e_machine;
    out->bits = eh.e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32;
    out->big = eh.e_ident[EI_DATA] == ELFDATA2MSB;
    return 0;
}

int elf_read(const char *path, struct elf_file *out, struct err *e)
{
    int r = -1;
    elf_version(EV_CURRENT);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return err_set(e, "cannot read '%s': %s", path, strerror(errno));
    Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    if (elf_id_read(elf, &out->id) == 0) {
        out->is_static = !elf_has_interpreter(elf) && !elf_needs_libraries(elf);
        r = 0;
    } else {
        err_set(e, "'%s' is no ELF file", path);
    }
    elf_end(elf);
    close(fd);
    return r;
}

int elf_read_archive(const char *path, struct elf_id *out, struct err *e)
{
    int r = -1;
    Elf_Cmd cmd = ELF_C_READ_MMAP;
    elf_version(EV_CURRENT);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return err_set(e, "cannot read '%s': %s", path, strerror(errno));
    Elf *archive = elf_begin(fd, cmd, NULL), *member;
    while (r && archive && (member = elf_begin(fd, cmd, archive)) != NULL) {
        r = elf_id_read(member, out);
        cmd = elf_next(member);
        elf_end(member);
    }
    if (r)
        err_set(e, "'%s' is no ar archive of ELF object files", path);
    elf_end(archive);
    close(fd);
    return r;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "size.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gelf.h>
#include <libelf.h>

static void section_count(const GElf_Shdr *sh, struct section_sizes *out)
{
    if (!(sh->sh_flags & SHF_ALLOC))
        return;
    if (sh->sh_type == SHT_NOBITS)
        out->bss += sh->sh_size;
    else if (sh->sh_flags & SHF_EXECINSTR)
        out->text += sh->sh_size;
    else if (sh->sh_flags & SHF_WRITE)
        out->data += sh->sh_size;
    else
        out->rodata += sh->sh_size;
}

static int member_count(Elf *member, struct section_sizes *out)
{
    Elf_Scn *scn = NULL;
    while ((scn = elf_nextscn(member, scn)) != NULL) {
        GElf_Shdr sh;
        if (!gelf_getshdr(scn, &sh))
            return -1;
        section_count(&sh, out);
    }
    out->members++;
    return 0;
}

int archive_sizes(const char *path, struct section_sizes *out, struct err *e)
{
    int r = -1;
    Elf *archive = NULL, *member;
    Elf_Cmd cmd = ELF_C_READ_MMAP;
    struct section_sizes sum = {0};
    elf_version(EV_CURRENT);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return err_set(e, "cannot read '%s': %s", path, strerror(errno));
    archive = elf_begin(fd, cmd, NULL);
    if (!archive || elf_kind(archive) != ELF_K_AR) {
        err_set(e, "'%s' is no ar archive (thin archives cannot be read)", path);
        goto out;
    }
    while ((member = elf_begin(fd, cmd, archive)) != NULL) {
        int bad = elf_kind(member) == ELF_K_ELF && member_count(member, &sum);
        cmd = elf_next(member);
        elf_end(member);
        if (bad) {
            err_set(e, "'%s' has a damaged member: %s", path, elf_errmsg(-1));
            goto out;
        }
    }
    if (sum.members == 0) {
        err_set(e, "'%s' holds no ELF object file", path);
        goto out;
    }
    *out = sum;
    r = 0;
out:
    elf_end(archive);
    close(fd);
    return r;
}

void library_sizes_free(struct library_sizes *s)
{
    free(s->shared_reason);
    s->shared_reason = NULL;
}

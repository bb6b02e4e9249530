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

#include "mem.h"

static void section_count(const GElf_Shdr *sh, struct object_size *out)
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

void object_sizes_add(struct object_sizes *s, struct object_size o)
{
    if ((s->n & (s->n - 1)) == 0) /* room doubles */
        s->v = xreallocarray(s->v, 2 * s->n + 1, sizeof *s->v);
    s->v[s->n++] = o;
}

static int member_count(Elf *member, struct object_sizes *out)
{
    struct object_size o = {0};
    Elf_Scn *scn = NULL;
    Elf_Arhdr *head = elf_getarhdr(member);
    if (!head || !head->ar_name)
        return -1;
    while ((scn = elf_nextscn(member, scn)) != NULL) {
        GElf_Shdr sh;
        if (!gelf_getshdr(scn, &sh))
            return -1;
        section_count(&sh, &o);
    }
    o.name = xstrdup(head->ar_name);
    object_sizes_add(out, o);
    return 0;
}

int archive_objects(const char *path, struct object_sizes *out, struct err *e)
{
    int r = -1;
    Elf *archive = NULL, *member;
    Elf_Cmd cmd = ELF_C_READ_MMAP;
    *out = (struct object_sizes){0};
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
        int bad = elf_kind(member) == ELF_K_ELF && member_count(member, out);
        cmd = elf_next(member);
        elf_end(member);
        if (bad) {
            err_set(e, "'%s' has a damaged member: %s", path, elf_errmsg(-1));
            goto out;
        }
    }
    if (out->n == 0) {
        err_set(e, "'%s' holds no ELF object file", path);
        goto out;
    }
    r = 0;
out:
    if (r)
        object_sizes_free(out);
    elf_end(archive);
    close(fd);
    return r;
}

void object_sizes_free(struct object_sizes *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->v[i].name);
    free(s->v);
    *s = (struct object_sizes){0};
}

int archive_sizes(const char *path, struct section_sizes *out, struct err *e)
{
    struct object_sizes all;
    if (archive_objects(path, &all, e))
        return -1;
    *out = (struct section_sizes){.members = all.n};
    for (size_t i = 0; i < all.n; i++) {
        out->text += all.v[i].text;
        out->rodata += all.v[i].rodata;
        out->data += all.v[i].data;
        out->bss += all.v[i].bss;
    }
    object_sizes_free(&all);
    return 0;
}

void library_sizes_free(struct library_sizes *s)
{
    free(s->shared_reason);
    s->shared_reason = NULL;
}

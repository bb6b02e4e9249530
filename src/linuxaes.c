/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/*
 * The steps that make a library of the kernel's aes-generic. Its two files are compiled, unchanged,
 * with the flags of the build; what libraries/linux-aes has (headers in place of the kernel's, and
 * OpenSSL's interface over it) with the same flags always, so that only the kernel's code differs.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "buildjob.h"
#include "buildlog.h"
#include "catalog.h"
#include "file.h"
#include "linuxsource.h"
#include "mem.h"
#include "source.h"
#include "spawn.h"
#include "stackfile.h"

/*
 * Those of the kernel's own build (its Makefile) that change code. Not position-independent: an
 * address register less is what this code's speed is about. Floating-point and vector registers are
 * not the kernel's to use, so it names none of them to the compiler (-mno-sse,
 * -mgeneral-regs-only); the vectorisers off is what every compiler and machine understands.
 */
static const char *const kernel_flags[] = {"-std=gnu11",
                                           "-fno-strict-aliasing",
                                           "-fno-strict-overflow",
                                           "-fno-delete-null-pointer-checks",
                                           "-fno-common",
                                           "-fno-pie",
                                           "-fno-tree-vectorize",
                                           "-fno-tree-slp-vectorize",
                                           NULL};
/* Stack frames of the kernel's functions; those of own_files are the same always. It changes no
 * code. */
static const char stack_option[] = "-fstack-usage";
static const char *const own_flags[] = {"-std=gnu11", "-O2", "-fno-pie", NULL};
static const char *const own_files[] = {"evp", "digest", NULL};

static void words_add(struct list *argv, const char *const *words)
{
    for (; *words; words++)
        list_add(argv, *words);
}

static char *own_dir(void)
{
    char *data = data_dir(), *dir = path_join(data, "libraries/linux-aes");
    free(data);
    return dir;
}

int linuxaes_hash(struct hash *h, struct err *e)
{
    char hex[65], *dir = own_dir();
    int r = source_tree_hash(dir, hex, e);
    free(dir);
    if (r)
        return -1;
    hash_add_str(h, hex);
    hash_add_str(h, stack_option);
    for (const char *const *flag = kernel_flags; *flag; flag++)
        hash_add_str(h, *flag);
    for (const char *const *flag = own_flags; *flag; flag++)
        hash_add_str(h, *flag);
    return 0;
}

/* src/: the kernel's files as in its tree; src/own/: libraries/linux-aes. */
static int sources_start(struct buildjob *j, struct err *e)
{
    const struct build *b = j->build;
    if (b->config->configure.n)
        return err_set(
            e,
            "config %s has '%s' for OpenSSL's Configure, which means nothing to %s: only "
            "cflags do",
            b->config->name, b->config->configure.v[0], b->library->name);
    const char *from = j->shared->archive(j->shared->arg, b->library, e);
    if (!from) {
        j->build->status = STATUS_SOURCE_MISSING;
        return -1;
    }
    char *data = own_dir(), *own = buildjob_path(j, "src/own");
    int r = dir_make(own, e) || source_tree_copy(data, own, e) ? -1 : 0;
    for (size_t i = 0; i < LINUX_FILES && r == 0; i++) {
        char *file = path_join(from, linux_files[i]), *src = buildjob_path(j, "src");
        char *to = path_join(src, linux_files[i]);
        char *below = xstrndup(to, (size_t)(path_base(to) - to - 1));
        r = dir_make(below, e) || file_copy(file, to, e) ? -1 : 0;
        free(file);
        free(src);
        free(to);
        free(below);
    }
    free(data);
    free(own);
    j->compile_ns = now_ns();
    return r;
}

static void kernel_argv(const struct build *b, struct list *argv)
{
    list_add_all(argv, &b->compiler->argv);
    words_add(argv, kernel_flags);
    list_add_all(argv, &b->target->cflags);
    list_add_all(argv, &b->config->cflags);
    list_add(argv, "-Iown/kernel");
    list_add(argv, "-c");
    for (size_t i = 0; i < LINUX_FILES; i++)
        list_add(argv, linux_files[i]);
}

static int kernel_start(struct buildjob *j, struct err *e)
{
    struct list argv = LIST_INIT;
    kernel_argv(j->build, &argv);
    stack_free(&j->stack);
    if (compiler_takes(j->build->compiler, stack_option))
        list_add(&argv, stack_option);
    else
        j->stack.reason = xasprintf("%s %s does not take %s", j->build->compiler->family,
                                    j->build->compiler->version, stack_option);
    int r = buildjob_command(j, "src", &argv, 0, NULL, e);
    list_free(&argv);
    return r;
}

static int own_start(struct buildjob *j, struct err *e)
{
    struct list argv = LIST_INIT;
    list_add_all(&argv, &j->build->compiler->argv);
    words_add(&argv, own_flags);
    list_add_all(&argv, &j->build->target->cflags);
    list_add(&argv, "-Iown/kernel");
    list_add(&argv, "-Iown/include");
    list_add(&argv, "-c");
    for (const char *const *name = own_files; *name; name++)
        list_addf(&argv, "own/%s.c", *name);
    int r = buildjob_command(j, "src", &argv, 0, NULL, e);
    list_free(&argv);
    return r;
}

static int archive_start(struct buildjob *j, struct err *e)
{
    struct list argv = LIST_INIT;
    list_add(&argv, j->build->compiler->ar);
    list_add(&argv, "rcsD");
    list_add(&argv, "libcrypto.a");
    for (size_t i = 0; i < LINUX_FILES; i++) {
        const char *name = path_base(linux_files[i]);
        list_addf(&argv, "%.*s.o", (int)(strlen(name) - strlen(".c")), name);
    }
    for (const char *const *name = own_files; *name; name++)
        list_addf(&argv, "%s.o", *name);
    int r = buildjob_command(j, "src", &argv, 0, NULL, e);
    list_free(&argv);
    return r;
}

/* Of the command that compiles the kernel's files: it is the truth of what flags they got. */
static void facts_set(struct buildjob *j)
{
    struct build_facts *f = &j->build->facts;
    struct list argv = LIST_INIT, flags = LIST_INIT;
    struct buildlog log;
    kernel_argv(j->build, &argv);
    char *line = list_join(&argv, " ");
    buildlog_read(line, &log);
    list_add(&flags, log.flags);
    list_add_all(&flags, &log.defines);
    f->flags = list_join(&flags, " ");
    f->optimisation = xstrdup(log.optimisation);
    f->optimisation_repeated = log.repeated;
    f->have_asm_modules = 1; /* there are none */
    f->version_text = xasprintf("aes-generic of Linux%s%s", j->build->library->version ? " " : "",
                                j->build->library->version ? j->build->library->version : "");
    f->build_seconds = (double)(now_ns() - j->compile_ns) / 1e9;
    f->sizes.shared_reason = xstrdup("the kernel's code is compiled for no shared object");
    buildlog_free(&log);
    list_free(&argv);
    list_free(&flags);
    free(line);
}

/* No reason to fail a build for. */
static void stack_done(struct buildjob *j, const char *archive)
{
    struct err e = ERR_INIT;
    char *src = buildjob_path(j, "src");
    if (!j->stack.reason && stack_gather(src, archive, &j->stack, &e))
        j->stack.reason = xstrdup(e.text);
    err_clear(&e);
    free(src);
}

/* entry/: the archive and its headers, as the cache keeps them. */
static int archive_done(struct buildjob *j, int failed, struct err *e)
{
    (void)failed; /* may_fail is not set */
    struct stat st;
    char *entry = buildjob_path(j, "entry"), *include = path_join(entry, "include");
    char *built = buildjob_path(j, "src/libcrypto.a"), *archive = path_join(entry, "libcrypto.a");
    char *headers = buildjob_path(j, "src/own/include");
    int r = -1;
    build_facts_free(&j->build->facts);
    archive_record_free(&j->record);
    facts_set(j);
    if (dir_make(entry, e))
        goto out;
    if (rename(built, archive) != 0 || rename(headers, include) != 0 || stat(archive, &st) != 0) {
        err_set(e, "there is no libcrypto.a: %s", strerror(errno));
        goto out;
    }
    stack_done(j, archive);
    j->record.bytes = (uint64_t)st.st_size;
    if (file_sha256(archive, j->record.sha256, e))
        goto out;
    j->library_dir = xstrdup(entry);
    r = 0;
out:
    free(entry);
    free(include);
    free(built);
    free(archive);
    free(headers);
    return r;
}

const struct build_step linuxaes_steps[] = {
    {"sources", 0, sources_start, NULL},
    {"compile the kernel's files", 0, kernel_start, NULL},
    {"compile the interface", 0, own_start, NULL},
    {"archive", 0, archive_start, archive_done},
    {"store", 0, library_store, NULL},
    {NULL, 0, NULL, NULL},
};

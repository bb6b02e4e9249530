/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/* The steps that link the driver against a library of the cache. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buildjob.h"
#include "buildlog.h"
#include "cache.h"
#include "file.h"
#include "mem.h"
#include "spawn.h"

enum { ASK_MS = 20000 };

/* The same for every build, whatever the library's flags: only the library is to differ. Symbols
 * are kept for profiling. */
static const char *const driver_flags[] = {"-std=c99", "-D_POSIX_C_SOURCE=200809L", "-O2",
                                           "-static", NULL};

/* Names of the driver's sources and headers. */
static int bench_list(const char *bench, struct list *sources, struct list *headers, struct err *e)
{
    if (dir_list(bench, ".c", sources, e) || dir_list(bench, ".h", headers, e))
        return err_prefix(e, "the driver's sources are needed: ");
    if (sources->n == 0)
        return err_set(e, "'%s' holds no driver sources (*.c)", bench);
    return 0;
}

int driver_hash(struct hash *h, const char *bench, struct err *e)
{
    struct list files = LIST_INIT, headers = LIST_INIT;
    int r = bench_list(bench, &files, &headers, e);
    list_add_all(&files, &headers);
    for (const char *const *flag = driver_flags; *flag; flag++)
        hash_add_str(h, *flag);
    for (size_t i = 0; i < files.n && r == 0; i++) {
        char hex[65];
        char *path = path_join(bench, files.v[i]);
        r = file_sha256(path, hex, e);
        hash_add_str(h, files.v[i]);
        hash_add_str(h, hex);
        free(path);
    }
    list_free(&files);
    list_free(&headers);
    return r;
}

/* driver/bench: a copy, so that command lines (and __FILE__) are the same wherever the data and
 * the cache lie, and an edit in mid-build mixes nothing. */
static int bench_copy(const struct buildjob *j, struct list *sources, struct err *e)
{
    struct list headers = LIST_INIT, files = LIST_INIT;
    char *dir = buildjob_path(j, "driver/bench");
    int r = bench_list(j->shared->bench, sources, &headers, e);
    if (r == 0)
        r = dir_make(dir, e);
    list_add_all(&files, sources);
    list_add_all(&files, &headers);
    for (size_t i = 0; i < files.n && r == 0; i++) {
        char *from = path_join(j->shared->bench, files.v[i]), *to = path_join(dir, files.v[i]);
        r = file_copy(from, to, e);
        free(from);
        free(to);
    }
    free(dir);
    list_free(&headers);
    list_free(&files);
    return r;
}

/* driver/NAME leads to where the library's part lies. */
static int library_link(const struct buildjob *j, const char *to, const char *name, struct err *e)
{
    char *dir = buildjob_path(j, "driver"), *at = path_join(dir, name);
    int r = 0;
    if (symlink(to, at) != 0)
        r = err_set(e, "cannot make link '%s': %s", at, strerror(errno));
    free(dir);
    free(at);
    return r;
}

static int library_links(const struct buildjob *j, struct err *e)
{
    const struct build *b = j->build;
    if (b->library->kind == LIBRARY_PREFIX) {
        const struct library *l = b->library;
        return library_link(j, l->prefix_include, "include", e) ||
                       library_link(j, l->prefix_archive, "libcrypto.a", e) ||
                       (l->prefix_include_arch &&
                        library_link(j, l->prefix_include_arch, "include-arch", e))
                   ? -1
                   : 0;
    }
    char *dir = cache_path(j->shared->cache, "builds", b->key);
    char *include = path_join(dir, "include"), *archive = path_join(dir, "libcrypto.a");
    int r = library_link(j, include, "include", e) || library_link(j, archive, "libcrypto.a", e)
                ? -1
                : 0;
    free(dir);
    free(include);
    free(archive);
    return r;
}

/* 64-bit atomics are no instructions on some 32-bit machines: libraries for these need libatomic,
 * whether or not they say so. -print-file-name gives a path only for what is there. */
static void atomic_add(const struct buildjob *j, struct list *argv)
{
    struct list ask = LIST_INIT;
    struct str out = STR_INIT;
    struct err ignored = ERR_INIT;
    if (j->build->target->elf.bits == 64)
        return;
    list_add_all(&ask, &j->build->compiler->argv);
    list_add_all(&ask, &j->build->target->cflags);
    list_add(&ask, "-print-file-name=libatomic.a");
    if (spawn_output(&ask, &j->env, NULL, ASK_MS, &out, NULL, &ignored) == 0 && out.p &&
        strchr(out.p, '/'))
        list_add(argv, "-latomic");
    err_clear(&ignored);
    str_free(&out);
    list_free(&ask);
}

static int link_start(struct buildjob *j, struct err *e)
{
    struct list argv = LIST_INIT, sources = LIST_INIT;
    int r = -1;
    if (buildjob_log(j, j->build->driver_key, "driver.log", e) || bench_copy(j, &sources, e) ||
        library_links(j, e))
        goto out;
    list_add_all(&argv, &j->build->compiler->argv);
    for (const char *const *flag = driver_flags; *flag; flag++)
        list_add(&argv, *flag);
    list_add_all(&argv, &j->build->target->cflags);
    list_add(&argv, "-Iinclude");
    if (j->build->library->prefix_include_arch)
        list_add(&argv, "-Iinclude-arch");
    list_add(&argv, "-Ibench");
    list_add(&argv, "-o");
    list_add(&argv, "driver");
    for (size_t i = 0; i < sources.n; i++)
        list_addf(&argv, "bench/%s", sources.v[i]);
    list_add(&argv, "libcrypto.a");
    list_add_all(&argv, &j->record.libs);
    list_add(&argv, "-ldl");
    list_add(&argv, "-lpthread");
    atomic_add(j, &argv);
    r = buildjob_command(j, "driver", &argv, 0, NULL, e);
out:
    list_free(&argv);
    list_free(&sources);
    return r;
}

/* The driver must be what the target is, and need nothing of the machine it runs on. */
static int driver_check(struct buildjob *j, const char *path, struct err *e)
{
    struct build *b = j->build;
    struct elf_file file;
    if (elf_read(path, &file, e))
        return -1;
    b->driver_elf = file.id;
    if (!elf_id_equal(&file.id, &b->target->elf)) {
        char *is = elf_id_text(&file.id), *want = elf_id_text(&b->target->elf);
        err_set(e, "the driver is for %s; target %s needs %s", is, b->target->name, want);
        b->status = STATUS_WRONG_MACHINE;
        free(is);
        free(want);
        return -1;
    }
    if (!file.is_static)
        return err_set(e, "the driver is not static: '%s' ignores -static", b->compiler->word);
    return 0;
}

/* entry-driver/: as the cache keeps it. */
static int link_done(struct buildjob *j, int failed, struct err *e)
{
    (void)failed;
    struct build *b = j->build;
    char *entry = buildjob_path(j, "entry-driver"), *to = path_join(entry, "driver");
    char *log = path_join(entry, "build.log"), *made = buildjob_path(j, "driver/driver");
    char *text = buildjob_output(j);
    int r = driver_check(j, made, e);
    list_free(&b->facts.linker_warnings);
    linker_warnings(text, &b->facts.linker_warnings);
    if (r == 0)
        r = dir_make(entry, e);
    if (r == 0 && rename(made, to) != 0)
        r = err_set(e, "cannot move '%s' to '%s': %s", made, to, strerror(errno));
    if (r == 0)
        r = file_sha256(to, b->driver_sha256, e);
    if (r == 0)
        r = file_copy(j->log, log, e);
    if (r == 0)
        r = driver_record_write(entry, b, e);
    if (r == 0)
        r = buildjob_store(j, "entry-driver", "drivers", b->driver_key, e);
    if (r == 0) {
        char *dir = cache_path(j->shared->cache, "drivers", b->driver_key);
        free(b->driver);
        b->driver = path_join(dir, "driver");
        free(dir);
    }
    free(entry);
    free(to);
    free(log);
    free(made);
    free(text);
    return r;
}

const struct build_step driver_steps[] = {
    {"driver", 0, link_start, link_done},
    {NULL, 0, NULL, NULL},
};

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "linuxsource.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache.h"
#include "compiler.h"
#include "file.h"
#include "mem.h"
#include "spawn.h"

enum {
    DOWNLOAD_MS = 900 * 1000, /* 140 MB over a slow line */
    EXTRACT_MS = 600 * 1000,  /* 10 s on a fast machine: all of the archive is decompressed */
    MAKEFILE_MAX = 1 << 20,
};

const char *const linux_files[] = {"crypto/aes_generic.c", "lib/crypto/aes.c"};
_Static_assert(sizeof linux_files / sizeof *linux_files == LINUX_FILES, "a name for each");

/* Where Debian's linux-source packages put their archives. */
static const char INSTALLED[] = "/usr/src";

int linuxsource_is_tree(const char *dir)
{
    int all = 1;
    for (size_t i = 0; i < LINUX_FILES && all; i++) {
        char *path = path_join(dir, linux_files[i]);
        all = path_is_file(path);
        free(path);
    }
    return all;
}

int linuxsource_is_archive(const char *path)
{
    static const char *const ends[] = {".tar",     ".tar.xz", ".tar.gz",
                                       ".tar.bz2", ".tgz",    ".tar.zst"};
    size_t n = strlen(path);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t m = strlen(ends[i]);
        if (n > m && strcmp(path + n - m, ends[i]) == 0)
            return 1;
    }
    return 0;
}

/* Value of "NAME = value" at the start of a line; caller owns, NULL when there is none. */
static char *makefile_value(const char *text, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = text; p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL) {
        const char *q = p + n;
        if (strncmp(p, name, n) != 0 || q[strspn(q, " ")] != '=')
            continue;
        q += strspn(q, " ") + 1;
        q += strspn(q, " ");
        return *q && *q != '\n' ? xstrndup(q, strcspn(q, " \r\n")) : NULL;
    }
    return NULL;
}

char *linuxsource_tree_version(const char *dir)
{
    struct str text = STR_INIT;
    struct err ignored = ERR_INIT;
    char *path = path_join(dir, "Makefile"), *version = NULL;
    if (file_read(path, MAKEFILE_MAX, &text, &ignored) == 0 && text.p) {
        char *major = makefile_value(text.p, "VERSION"),
             *minor = makefile_value(text.p, "PATCHLEVEL"),
             *patch = makefile_value(text.p, "SUBLEVEL");
        if (major && minor)
            version = xasprintf("%s.%s%s%s", major, minor, patch ? "." : "", patch ? patch : "");
        free(major);
        free(minor);
        free(patch);
    }
    err_clear(&ignored);
    str_free(&text);
    free(path);
    return version;
}

char *linuxsource_name_version(const char *path)
{
    const char *base = path_base(path), *p = base;
    while (*p && !isdigit((unsigned char)*p))
        p++;
    size_t n = strspn(p, "0123456789.");
    while (n && p[n - 1] == '.')
        n--;
    return n ? xstrndup(p, n) : NULL;
}

void linuxsource_combine(char hex[LINUX_FILES][65], char combined[65])
{
    struct hash *h = hash_new();
    for (size_t i = 0; i < LINUX_FILES; i++) {
        hash_add_str(h, linux_files[i]);
        hash_add_str(h, hex[i]);
    }
    hash_end(h, combined);
}

static int files_hash(const char *dir, char hex[LINUX_FILES][65], struct err *e)
{
    int r = 0;
    for (size_t i = 0; i < LINUX_FILES && r == 0; i++) {
        char *path = path_join(dir, linux_files[i]);
        r = file_sha256(path, hex[i], e);
        free(path);
    }
    return r;
}

int linuxsource_tree_hash(const char *dir, char hex[65], struct err *e)
{
    char each[LINUX_FILES][65];
    if (files_hash(dir, each, e))
        return -1;
    linuxsource_combine(each, hex);
    return 0;
}

/* One search for the files. */
struct search {
    const struct library *library;
    const char *cache;
    const char *work; /* on the cache's file system */
    void (*say)(void *arg, const char *text);
    void *arg;
    struct str tried; /* "WHERE: CAUSE; ..." */
    char *found;
};

static void search_say(const struct search *s, const char *verb, const char *what)
{
    if (!s->say)
        return;
    char *text = xasprintf("%s %s", verb, what);
    s->say(s->arg, text);
    free(text);
}

static void search_tried(struct search *s, const char *where, struct err *cause)
{
    str_addf(&s->tried, "%s%s: %s", s->tried.n ? "; " : "", where, cause->text);
    err_clear(cause);
}

/* The files of dir are what is pinned; of an archive of the user's, anything is right. */
static int files_check(const struct library *l, const char *dir, const char *where, struct err *e)
{
    char hex[LINUX_FILES][65];
    if (!linuxsource_is_tree(dir))
        return err_set(e, "'%s' is no Linux source: it holds no %s and %s", where, linux_files[0],
                       linux_files[1]);
    if (!l->linux_sha256[0][0])
        return 0;
    if (files_hash(dir, hex, e))
        return -1;
    for (size_t i = 0; i < LINUX_FILES; i++)
        if (strcmp(hex[i], l->linux_sha256[i]) != 0)
            return err_set(e, "%s in '%s' is not that of %s: its SHA-256 is %s, it should be %s",
                           linux_files[i], where, l->name, hex[i], l->linux_sha256[i]);
    return 0;
}

/* Puts the files of dir (below work, or a tree elsewhere) into the cache. */
static int files_take(struct search *s, const char *dir, const char *where, struct err *e)
{
    char *to = cache_path(s->cache, "sources", s->library->sha256), *made = NULL;
    int r = files_check(s->library, dir, where, e);
    if (r)
        goto out;
    made = path_join(s->work, "files");
    for (size_t i = 0; i < LINUX_FILES && r == 0; i++) {
        char *from = path_join(dir, linux_files[i]), *at = path_join(made, linux_files[i]);
        char *below = xstrndup(at, (size_t)(path_base(at) - at - 1));
        r = dir_make(below, e) ? -1 : file_copy(from, at, e);
        free(from);
        free(at);
        free(below);
    }
    if (r == 0)
        r = tree_remove(to, e);
    if (r == 0 && rename(made, to) != 0)
        r = err_set(e, "cannot move '%s' to '%s': %s", made, to, strerror(errno));
out:
    free(made);
    if (r == 0)
        s->found = to;
    else
        free(to);
    return r;
}

/* The two members of an archive, and what they are. */
static int archive_take(struct search *s, const char *archive, const char *where, struct err *e)
{
    struct list argv = LIST_INIT, env = LIST_INIT;
    struct str errout = STR_INIT;
    char *dir = path_join(s->work, "archive");
    int r = tree_remove(dir, e) || dir_make(dir, e) ? -1 : 0;
    static const char *const words[] = {"tar", "--strip-components=1", "--no-same-owner",
                                        "--wildcards", "--no-wildcards-match-slash"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        list_add(&argv, words[i]);
    list_add(&argv, "-xf");
    list_add(&argv, archive);
    list_add(&argv, "-C");
    list_add(&argv, dir);
    for (size_t i = 0; i < LINUX_FILES; i++)
        list_addf(&argv, "*/%s", linux_files[i]);
    compiler_env(&env);
    search_say(s, "taking two files out of", where);
    if (r == 0 && spawn_output(&argv, &env, NULL, EXTRACT_MS, NULL, &errout, e)) {
        r = -1;
        /* tar's first line is the cause, its last one only that there was one. */
        if (errout.n && !interrupt_pending())
            err_set(e, "'%s' is no archive of Linux with %s and %s: %.*s", where, linux_files[0],
                    linux_files[1], (int)strcspn(errout.p, "\n"), errout.p);
    }
    if (r == 0)
        r = files_take(s, dir, where, e);
    str_free(&errout);
    list_free(&argv);
    list_free(&env);
    free(dir);
    return r;
}

/* An archive the user put into dir; one that is not right is an error. */
static int search_local(struct search *s, const char *dir, struct err *e)
{
    char *path = path_join(dir, s->library->archive), *full = realpath(path, NULL);
    int r = full && path_is_file(full) ? archive_take(s, full, path, e) : 0;
    free(path);
    free(full);
    return r;
}

/* The package is installed: its archive, or what was unpacked beside it. */
static int search_installed(struct search *s, struct err *e)
{
    struct err cause = ERR_INIT;
    char *tree = path_join(INSTALLED, s->library->debian_package);
    char *archive = path_join(INSTALLED, s->library->archive);
    int r = 0;
    if (linuxsource_is_tree(tree) && files_take(s, tree, tree, &cause))
        search_tried(s, tree, &cause);
    if (!s->found && path_is_file(archive) && archive_take(s, archive, archive, &cause))
        search_tried(s, archive, &cause);
    if (interrupt_pending())
        r = err_set(e, "interrupted");
    free(tree);
    free(archive);
    return r;
}

static int program_run(const char *const *words, const char *dir, struct err *e)
{
    struct list argv = LIST_INIT, env = LIST_INIT;
    for (; *words; words++)
        list_add(&argv, *words);
    for (char **v = environ; *v; v++)
        if (strncmp(*v, "LC_", 3) != 0 && strncmp(*v, "LANG", 4) != 0)
            list_add(&env, *v);
    list_add(&env, "LC_ALL=C");
    int r = spawn_output(&argv, &env, dir, DOWNLOAD_MS, NULL, NULL, e);
    list_free(&argv);
    list_free(&env);
    return r;
}

/* The package, its archive, the two files of that. */
static int package_take(struct search *s, const char *dir, struct err *e)
{
    const struct library *l = s->library;
    struct list debs = LIST_INIT;
    char *program = path_program("apt-get"), *archive = NULL;
    int r = -1;
    if (!program) {
        err_set(e, "no apt-get on this system");
        goto out;
    }
    search_say(s, "fetching Debian package", l->debian_package);
    if (dir_make(dir, e) ||
        program_run((const char *const[]){"apt-get", "-q", "download", l->debian_package, NULL},
                    dir, e) ||
        dir_list(dir, ".deb", &debs, e))
        goto out;
    if (debs.n != 1) {
        err_set(e, "apt-get download brought no package");
        goto out;
    }
    if (program_run((const char *const[]){"dpkg-deb", "--extract", debs.v[0], "deb", NULL}, dir, e))
        goto out;
    archive = xasprintf("%s/deb%s/%s", dir, INSTALLED, l->archive);
    if (!path_is_file(archive)) {
        err_set(e, "it holds no %s/%s", INSTALLED, l->archive);
        goto out;
    }
    r = archive_take(s, archive, debs.v[0], e);
out:
    free(program);
    free(archive);
    list_free(&debs);
    return r;
}

static int search_package(struct search *s, struct err *e)
{
    struct err cause = ERR_INIT;
    char *dir = path_join(s->work, "package");
    if (package_take(s, dir, &cause)) {
        char *where = xasprintf("Debian package %s", s->library->debian_package);
        search_tried(s, where, &cause);
        free(where);
    }
    free(dir);
    return interrupt_pending() ? err_set(e, "interrupted") : 0;
}

static void search_cache(struct search *s)
{
    struct err ignored = ERR_INIT;
    char *dir = cache_path(s->cache, "sources", s->library->sha256);
    if (path_is_dir(dir) && files_check(s->library, dir, dir, &ignored) == 0)
        s->found = dir;
    else
        free(dir);
    err_clear(&ignored);
}

static void search_waits(void *arg)
{
    const struct search *s = arg;
    search_say(s, "waiting for another crypto-bench that fetches", s->library->name);
}

/* All that a pinned one may come from. */
static int search_pinned(struct search *s, const char *beside, struct err *e)
{
    const char *sources = getenv("CRYPTO_BENCH_SOURCES");
    if ((sources && *sources && search_local(s, sources, e)) ||
        (!s->found && search_local(s, beside, e)) || (!s->found && search_installed(s, e)) ||
        (!s->found && s->library->debian_package && search_package(s, e)))
        return -1;
    if (s->found)
        return 0;
    return err_set(
        e,
        "cannot get the sources of %s: %s; get %s%s%s, and put it as %s/%s (or set "
        "CRYPTO_BENCH_SOURCES to the directory that holds it), or give any Linux source "
        "tree or archive by its path: --library ./linux",
        s->library->name, s->tried.n ? s->tried.p : "no place to get it from is known",
        s->library->archive, s->library->debian_package ? ", which is in Debian package " : "",
        s->library->debian_package ? s->library->debian_package : "", beside, s->library->archive);
}

int linuxsource_fetch(const struct library *l, void (*say)(void *arg, const char *text), void *arg,
                      char **dir, struct err *e)
{
    struct search s = {.library = l, .say = say, .arg = arg};
    int lock = -1, r = -1;
    if (path_is_dir(l->path)) {
        *dir = xstrdup(l->path);
        return 0;
    }
    size_t n = (size_t)(path_base(l->path) - l->path);
    char *beside = n > 1 ? xstrndup(l->path, n - 1) : xstrdup(n ? "/" : "."), *work = NULL;
    char *cache = cache_open(e);
    s.cache = cache;
    if (!cache)
        goto out;
    search_cache(&s);
    if (!s.found) {
        if (cache_lock_wait(cache, l->sha256, search_waits, &s, &lock, e))
            goto out;
        search_cache(&s); /* it may have come while we waited */
    }
    if (!s.found) {
        s.work = work = cache_work_make(cache, l->sha256, e);
        if (!work ||
            (l->archive ? search_pinned(&s, beside, e) : archive_take(&s, l->path, l->path, e)))
            goto out;
    }
    *dir = s.found;
    r = 0;
out:
    if (work) {
        struct err ignored = ERR_INIT;
        cache_work_remove(work, &ignored);
        err_clear(&ignored);
    }
    if (lock >= 0)
        cache_unlock(lock);
    free(work);
    free(beside);
    free(cache);
    str_free(&s.tried);
    return r;
}

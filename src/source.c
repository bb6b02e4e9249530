/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache.h"
#include "compiler.h"
#include "debsource.h"
#include "file.h"
#include "linuxsource.h"
#include "mem.h"
#include "spawn.h"

enum {
    CONNECT_SECONDS = 10,
    FETCH_SECONDS = 900, /* 60 MB over a line of 0.5 Mbit/s */
    FETCH_MS = (FETCH_SECONDS + 10) * 1000,
    UNPACK_MS = 600 * 1000,
};

/* One search for an archive. */
struct search {
    const struct library *library;
    const char *cache;
    const char *work; /* for downloads; on the cache's file system */
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

static void search_tried(struct search *s, const char *where, const char *cause)
{
    str_addf(&s->tried, "%s%s: %s", s->tried.n ? "; " : "", where, cause);
}

/* A file the user put there: used when it is right, refused when it is not. */
static int search_local(struct search *s, const char *dir, struct err *e)
{
    const struct library *l = s->library;
    char hex[65];
    char *path = path_join(dir, l->archive);
    int r = 0;
    if (path_is_file(path)) {
        r = file_sha256(path, hex, e);
        if (r == 0 && strcmp(hex, l->sha256) != 0)
            r = err_set(e, "'%s' is not the archive of %s: its SHA-256 is %s, it should be %s",
                        path, l->name, hex, l->sha256);
    }
    /* Absolute: it is unpacked from within another directory. */
    if (r == 0 && path_is_file(path) && (s->found = realpath(path, NULL)) == NULL)
        r = err_set(e, "cannot read '%s': %s", path, strerror(errno));
    free(path);
    return r;
}

static char *search_cache_path(const struct search *s)
{
    return xasprintf("%s/sources/%s/%s", s->cache, s->library->sha256, s->library->archive);
}

static int search_cache(struct search *s, struct err *e)
{
    char hex[65];
    char *path = search_cache_path(s);
    if (!path_is_file(path)) {
        free(path);
        return 0;
    }
    if (file_sha256(path, hex, e) == 0 && strcmp(hex, s->library->sha256) == 0) {
        s->found = path;
        return 0;
    }
    err_clear(e);
    search_say(s, "the cached copy is damaged and will be fetched anew:", path);
    int r = tree_remove(path, e);
    free(path);
    return r;
}

/* Takes a downloaded file into the cache; one that is not what was asked for is only noted. */
static int search_take(struct search *s, const char *file, const char *where, struct err *e)
{
    char hex[65];
    if (file_sha256(file, hex, e))
        return -1;
    if (strcmp(hex, s->library->sha256) != 0) {
        char *cause =
            xasprintf("SHA-256 of the file is %s, it should be %s", hex, s->library->sha256);
        search_tried(s, where, cause);
        free(cause);
        return 0;
    }
    char *dir = cache_path(s->cache, "sources", s->library->sha256);
    char *path = search_cache_path(s);
    int r = dir_make(dir, e);
    if (r == 0 && rename(file, path) != 0)
        r = err_set(e, "cannot move '%s' to '%s': %s", file, path, strerror(errno));
    free(dir);
    if (r == 0)
        s->found = path;
    else
        free(path);
    return r;
}

static int search_url(struct search *s, const char *url, struct err *e)
{
    struct err cause = ERR_INIT;
    struct list argv = LIST_INIT;
    char *file = path_join(s->work, "download");
    int r = 0;
    char *text = xasprintf("%s from %s", s->library->archive, url);
    search_say(s, "fetching", text);
    free(text);
    list_add(&argv, "curl");
    list_add(&argv, "-fsSL");
    list_add(&argv, "--connect-timeout");
    list_addf(&argv, "%d", CONNECT_SECONDS);
    list_add(&argv, "--max-time");
    list_addf(&argv, "%d", FETCH_SECONDS);
    list_add(&argv, "--retry");
    list_add(&argv, "0");
    list_add(&argv, "-o");
    list_add(&argv, file);
    list_add(&argv, "--");
    list_add(&argv, url);
    if (spawn_output(&argv, NULL, NULL, FETCH_MS, NULL, NULL, &cause))
        search_tried(s, url, cause.text);
    else
        r = search_take(s, file, url, e);
    err_clear(&cause);
    list_free(&argv);
    free(file);
    return r;
}

static int search_debian(struct search *s, struct err *e)
{
    const struct library *l = s->library;
    struct err cause = ERR_INIT;
    struct list files = LIST_INIT;
    int r = 0;
    char *where = xasprintf("Debian '%s'", l->debian_suite);
    if (debsource_fetch(l, s->work, s->say, s->arg, &files, &cause))
        search_tried(s, where, cause.text);
    for (size_t i = 0; i < files.n && r == 0 && !s->found; i++)
        r = search_take(s, files.v[i], where, e);
    err_clear(&cause);
    list_free(&files);
    free(where);
    return r;
}

static int search_network(struct search *s, struct err *e)
{
    const struct library *l = s->library;
    for (size_t i = 0; i < l->urls.n && !s->found; i++) {
        if (search_url(s, l->urls.v[i], e))
            return -1;
        if (interrupt_pending())
            return err_set(e, "interrupted");
    }
    if (!s->found && l->debian_package && l->debian_suite && search_debian(s, e))
        return -1;
    return interrupt_pending() ? err_set(e, "interrupted") : 0;
}

static void search_waits(void *arg)
{
    const struct search *s = arg;
    search_say(s, "waiting for another crypto-bench that fetches", s->library->archive);
}

/* The steps that need the lock on the archive. */
static int search_locked(struct search *s, struct err *e)
{
    int lock;
    if (cache_lock_wait(s->cache, s->library->sha256, search_waits, s, &lock, e))
        return -1;
    int r = search_cache(s, e); /* it may have come while we waited */
    if (r == 0 && !s->found) {
        char *work = cache_work_make(s->cache, s->library->sha256, e);
        s->work = work;
        r = work ? search_network(s, e) : -1;
        s->work = NULL;
        struct err ignored = ERR_INIT;
        if (work)
            cache_work_remove(work, &ignored);
        err_clear(&ignored);
        free(work);
    }
    cache_unlock(lock);
    return r;
}

static int search_failed(const struct search *s, const char *beside, struct err *e)
{
    const struct library *l = s->library;
    return err_set(e,
                   "cannot get %s: %s; download %s and put it as %s/%s (or set "
                   "CRYPTO_BENCH_SOURCES to the directory that holds it)",
                   l->archive, s->tried.n ? s->tried.p : "no place to get it from is known",
                   l->urls.n ? l->urls.v[0] : "it", beside, l->archive);
}

int source_fetch(const struct library *l, void (*say)(void *arg, const char *text), void *arg,
                 char **path, struct err *e)
{
    struct search s = {.library = l, .say = say, .arg = arg};
    const char *sources = getenv("CRYPTO_BENCH_SOURCES");
    int r = -1;
    if (l->kind == LIBRARY_LINUX)
        return linuxsource_fetch(l, say, arg, path, e);
    if (l->kind != LIBRARY_RELEASE)
        return err_set(e, "library %s is no release: it has no archive", l->name);
    size_t n = (size_t)(path_base(l->path) - l->path);
    char *beside = n > 1 ? xstrndup(l->path, n - 1) : xstrdup(n ? "/" : ".");
    char *cache = cache_open(e);
    s.cache = cache;
    if (!cache)
        goto out;
    if (sources && *sources && search_local(&s, sources, e))
        goto out;
    if (!s.found && search_local(&s, beside, e))
        goto out;
    if (!s.found && search_cache(&s, e))
        goto out;
    if (!s.found && search_locked(&s, e))
        goto out;
    if (!s.found) {
        search_failed(&s, beside, e);
        goto out;
    }
    *path = s.found;
    r = 0;
out:
    free(beside);
    free(cache);
    str_free(&s.tried);
    return r;
}

void source_unpack_argv(const char *archive, const char *dir, struct list *argv)
{
    static const char *const words[] = {"tar", "--strip-components=1", "--no-same-owner"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        list_add(argv, words[i]);
    /* Compression is told by the contents. */
    list_add(argv, "-xf");
    list_add(argv, archive);
    list_add(argv, "-C");
    list_add(argv, dir);
}

int source_unpack(const struct library *l, const char *archive, const char *dir, struct err *e)
{
    if (l->kind == LIBRARY_TREE)
        return source_tree_copy(l->path, dir, e);
    if (l->kind != LIBRARY_RELEASE)
        return err_set(e, "library %s is a prefix: it has no sources", l->name);
    struct list argv = LIST_INIT, env = LIST_INIT;
    source_unpack_argv(archive, dir, &argv);
    compiler_env(&env);
    int r = spawn_output(&argv, &env, NULL, UNPACK_MS, NULL, NULL, e);
    list_free(&argv);
    list_free(&env);
    return r ? err_prefix(e, "cannot unpack '%s': ", archive) : 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "cache.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "catalog.h"
#include "file.h"
#include "mem.h"
#include "spawn.h"

enum {
    NAP_MS = 50,       /* between two looks at a lock another process holds */
    REMOVE_TRIES = 40, /* a dying compiler may still create a file or two: NAP_MS apart */
};

static void nap(void)
{
    struct timespec t = {0, NAP_MS * 1000000L};
    nanosleep(&t, NULL);
}

char *cache_path(const char *cache, const char *kind, const char *key)
{
    return xasprintf("%s/%s/%s", cache, kind, key);
}

int cache_lock_try(const char *cache, const char *key, int *lock, struct err *e)
{
    char *path = xasprintf("%s/locks/%s.lock", cache, key);
    int r = -1;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) {
        err_set(e, "cannot open lock '%s': %s", path, strerror(errno));
        goto out;
    }
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
        *lock = fd;
        r = 1;
        goto out;
    }
    r = errno == EWOULDBLOCK || errno == EINTR ? 0 : -1;
    if (r < 0)
        err_set(e, "cannot lock '%s': %s", path, strerror(errno));
    close(fd);
out:
    free(path);
    return r;
}

int cache_lock_wait(const char *cache, const char *key, void (*busy)(void *arg), void *arg,
                    int *lock, struct err *e)
{
    for (int first = 1;; first = 0) {
        int got = cache_lock_try(cache, key, lock, e);
        if (got)
            return got < 0 ? -1 : 0;
        if (interrupt_pending())
            return err_set(e, "interrupted");
        if (first && busy)
            busy(arg);
        nap();
    }
}

void cache_unlock(int lock)
{
    close(lock);
}

/* A run that was killed outright leaves its compilers behind. They are known by where they
 * work: nobody else has business in a work directory whose lock we hold. */
static void orphans_kill(const char *work)
{
    struct err ignored = ERR_INIT;
    struct list processes = LIST_INIT;
    size_t n = strlen(work);
    if (dir_list("/proc", "", &processes, &ignored))
        err_clear(&ignored);
    for (size_t i = 0; i < processes.n; i++) {
        const char *digits = processes.v[i];
        if (digits[strspn(digits, "0123456789")] != '\0')
            continue;
        char cwd[PATH_MAX];
        char *link = xasprintf("/proc/%s/cwd", digits);
        ssize_t got = readlink(link, cwd, sizeof cwd - 1);
        free(link);
        if (got < (ssize_t)n || memcmp(cwd, work, n) != 0)
            continue;
        cwd[got] = '\0';
        pid_t pid = (pid_t)strtol(digits, NULL, 10);
        /* " (deleted)" follows the path once the directory is gone */
        if ((cwd[n] == '\0' || cwd[n] == '/' || cwd[n] == ' ') && pid != getpid())
            kill(pid, SIGKILL);
    }
    list_free(&processes);
}

int cache_work_remove(const char *work, struct err *e)
{
    if (!path_is_dir(work))
        return 0;
    /* /proc shows paths without links. */
    char *real = realpath(work, NULL);
    int r = -1;
    for (int i = 0; i < REMOVE_TRIES && r; i++) {
        if (i)
            nap();
        orphans_kill(real ? real : work);
        r = tree_remove(work, e);
    }
    if (r == 0)
        err_clear(e);
    free(real);
    return r;
}

char *cache_work_make(const char *cache, const char *key, struct err *e)
{
    char *work = cache_path(cache, "tmp", key);
    if (cache_work_remove(work, e) || dir_make(work, e)) {
        free(work);
        return NULL;
    }
    return work;
}

/* Best effort: what cannot be removed now is tried again by whoever needs the place. */
static void stale_remove(const char *cache, const char *key)
{
    struct err ignored = ERR_INIT;
    int lock;
    if (cache_lock_try(cache, key, &lock, &ignored) == 1) {
        char *work = cache_path(cache, "tmp", key);
        cache_work_remove(work, &ignored);
        free(work);
        cache_unlock(lock);
    }
    err_clear(&ignored);
}

static int cache_prepare(const char *cache, struct err *e)
{
    static const char *const parts[] = {"sources", "builds", "drivers", "failed", "locks", "tmp"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char *path = path_join(cache, parts[i]);
        int r = dir_make(path, e);
        free(path);
        if (r)
            return err_prefix(e, "the cache cannot be used: ");
    }
    struct list left = LIST_INIT;
    char *tmp = path_join(cache, "tmp");
    int r = dir_list(tmp, "", &left, e);
    for (size_t i = 0; i < left.n; i++)
        stale_remove(cache, left.v[i]);
    list_free(&left);
    free(tmp);
    return r;
}

char *cache_open(struct err *e)
{
    char *cache = cache_dir(e), *real = NULL;
    if (!cache)
        return NULL;
    /* Builds run in directories of their own and are pointed into the cache from there. */
    if (cache_prepare(cache, e) == 0 && (real = realpath(cache, NULL)) == NULL)
        err_set(e, "the cache cannot be used: '%s': %s", cache, strerror(errno));
    free(cache);
    return real;
}

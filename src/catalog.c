/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "catalog.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "datafile.h"
#include "file.h"
#include "mem.h"

static const char suffix[] = ".json";

static const char *env_get(const char *name)
{
    const char *v = getenv(name);
    return v && *v ? v : NULL; /* set but empty counts as unset, as in the XDG specification */
}

/* Directory that holds this program, "." when the kernel does not say. */
static char *exe_dir(void)
{
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0)
        return xstrdup(".");
    path[n] = '\0';
    char *slash = strrchr(path, '/');
    return xstrndup(path, slash > path ? (size_t)(slash - path) : 1);
}

/* Absolute when the directory is there: children run elsewhere. Takes path over. */
static char *dir_absolute(char *path)
{
    char *real = realpath(path, NULL);
    if (!real)
        return path;
    free(path);
    return real;
}

static int is_checkout(const char *dir)
{
    char *targets = path_join(dir, "targets"), *bench = path_join(dir, "bench");
    int yes = path_is_dir(targets) && path_is_dir(bench);
    free(targets);
    free(bench);
    return yes;
}

char *data_dir(void)
{
    /* build/crypto-bench and build/unit/test_... in a checkout */
    static const char *const up[] = {"..", "../.."};
    const char *given = env_get("CRYPTO_BENCH_DATA");
    if (given)
        return dir_absolute(xstrdup(given));
    char *exe = exe_dir(), *dir = NULL;
    for (size_t i = 0; i < sizeof up / sizeof *up; i++) {
        dir = path_join(exe, up[i]);
        if (is_checkout(dir))
            goto out;
        free(dir);
    }
    dir = path_join(exe, "../share/crypto-bench");
out:
    free(exe);
    return dir_absolute(dir);
}

char *plugin_dir(void)
{
    static const char *const places[] = {"qemu", "../qemu", "../lib/crypto-bench"};
    char *exe = exe_dir(), *dir = NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        free(dir);
        dir = path_join(exe, places[i]);
        if (path_is_dir(dir))
            break;
    }
    free(exe);
    return dir_absolute(dir);
}

/* Where the cache should be and which variable says so. */
static char *cache_place(const char **variable, struct err *e)
{
    const char *v;
    if ((v = env_get(*variable = "CRYPTO_BENCH_CACHE")))
        return xstrdup(v);
    /* "All paths [...] must be absolute. If an implementation encounters a relative path [...] it
     * should consider the path invalid and ignore it." XDG Base Directory Specification 0.8 */
    if ((v = env_get(*variable = "XDG_CACHE_HOME")) && *v == '/')
        return path_join(v, "crypto-bench");
    if ((v = env_get(*variable = "HOME")))
        return path_join(v, ".cache/crypto-bench");
    err_set(e, "no place for the cache: HOME is not set; set CRYPTO_BENCH_CACHE to a directory");
    return NULL;
}

char *cache_dir(struct err *e)
{
    const char *variable;
    char *dir = cache_place(&variable, e);
    if (!dir)
        return NULL;
    if (dir_make(dir, e)) {
        err_prefix(e, "cache directory %s (by %s; CRYPTO_BENCH_CACHE names another): ", dir,
                   variable);
        goto fail;
    }
    if (access(dir, R_OK | W_OK | X_OK)) {
        err_set(e,
                "cache directory %s (by %s) cannot be written: %s; set CRYPTO_BENCH_CACHE to "
                "another directory",
                dir, variable, strerror(errno));
        goto fail;
    }
    return dir_absolute(dir);
fail:
    free(dir);
    return NULL;
}

int catalog_names(const char *kind, struct list *out, struct err *e)
{
    struct list files = LIST_INIT;
    char *data = data_dir(), *dir = path_join(data, kind);
    int rc = dir_list(dir, suffix, &files, e);
    if (rc)
        err_prefix(
            e,
            "data files not found; CRYPTO_BENCH_DATA should name the directory with %s/: ", kind);
    for (size_t i = 0; i < files.n; i++) {
        char *name = xstrndup(files.v[i], strlen(files.v[i]) - strlen(suffix));
        if (name_is_sane(name)) /* not what editors leave, such as ".#arm.json" */
            list_add(out, name);
        free(name);
    }
    list_sort_unique(out);
    list_free(&files);
    free(data);
    free(dir);
    return rc;
}

int catalog_is_path(const char *word)
{
    size_t n = strlen(word), s = strlen(suffix);
    return strchr(word, '/') || (n > s && !strcmp(word + n - s, suffix));
}

int catalog_path(const char *kind, const char *noun, const char *word, char **path, struct err *e)
{
    struct list names = LIST_INIT;
    if (catalog_is_path(word)) {
        struct stat st;
        if (stat(word, &st))
            return err_usage(e, "%s '%s': %s; a %s is a name or a JSON file%s", noun, word,
                             strerror(errno), noun,
                             word[0] == '.' || word[0] == '/' ? " (commas separate a list)" : "");
        if (!S_ISREG(st.st_mode))
            return err_usage(e, "%s '%s': not a regular file; a %s is a name or a JSON file", noun,
                             word, noun);
        *path = xstrdup(word);
        return 0;
    }
    if (catalog_names(kind, &names, e))
        return -1;
    int rc = 0;
    if (list_has(&names, word)) {
        char *data = data_dir();
        *path = xasprintf("%s/%s/%s%s", data, kind, word, suffix);
        free(data);
    } else {
        rc = unknown_word(e, noun, word, &names);
    }
    list_free(&names);
    return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/* Source trees: which files are sources, their hash, their copy. */
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "compiler.h"
#include "file.h"
#include "mem.h"
#include "spawn.h"

enum {
    GIT_MS = 120 * 1000,
    MAKEFILE_MAX = 64 << 20,
    COPY_CHUNK = 64 * 1024,
};

/* Any fixed time long past: what the build makes must look newer. */
static const struct timespec COPY_TIME = {1000000000, 0};

static int ends_with(const char *s, const char *suffix)
{
    size_t n = strlen(s), m = strlen(suffix);
    return n >= m && strcmp(s + n - m, suffix) == 0;
}

/* What git would show of a work tree: files tracked, and new ones that are not ignored. -1 when git
 * cannot tell. */
static int tree_list_git(const char *tree, struct list *files)
{
    static const char *const words[] = {
        "git", "-c",       "safe.directory=*", "ls-files",
        "-z",  "--cached", "--others",         "--exclude-standard"};
    struct list argv = LIST_INIT, env = LIST_INIT;
    struct str out = STR_INIT;
    struct err ignored = ERR_INIT;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        list_add(&argv, words[i]);
    compiler_env(&env); /* without GIT_DIR and its like */
    int r = spawn_output(&argv, &env, tree, GIT_MS, &out, NULL, &ignored);
    for (size_t i = 0; r == 0 && i < out.n; i += strlen(out.p + i) + 1)
        list_add(files, out.p + i);
    err_clear(&ignored);
    str_free(&out);
    list_free(&argv);
    list_free(&env);
    return r;
}

/* The names a Makefile of OpenSSL's lists as made from others. */
static void makefile_generated(const char *text, struct list *out)
{
    static const char *const variables[] = {"GENERATED=", "GENERATED_MANDATORY="};
    int inside = 0;
    while (*text) {
        size_t n = strcspn(text, "\n");
        char *line = xstrndup(text, n);
        const char *words = line;
        for (size_t i = 0; i < sizeof variables / sizeof *variables && !inside; i++)
            if (strncmp(line, variables[i], strlen(variables[i])) == 0) {
                inside = 1;
                words = line + strlen(variables[i]);
            }
        struct list parts = LIST_INIT;
        if (inside)
            list_split(&parts, words, ' ');
        for (size_t i = 0; i < parts.n; i++)
            if (*parts.v[i] && strcmp(parts.v[i], "\\") != 0)
                list_add(out, parts.v[i]);
        inside = inside && n && line[n - 1] == '\\';
        list_free(&parts);
        free(line);
        text += n + (text[n] == '\n');
    }
}

/* What a walk leaves out. */
struct walk {
    const char *tree;
    int configured;        /* a configdata.pm is there: it has been built in place */
    struct list generated; /* relative paths */
    struct list files;
};

static int walk_skips(const struct walk *w, const char *dir, const char *name, const char *path)
{
    static const char *const never[] = {".git", ".hg", ".svn"};
    static const char *const products[] = {".o", ".a", ".d", ".so", ".lo", ".gcno", ".gcda"};
    static const char *const configured[] = {"configdata.pm", "Makefile", "Makefile.in",
                                             "builddata.pm", "installdata.pm"};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        if (strcmp(name, never[i]) == 0)
            return 1;
    for (size_t i = 0; i < sizeof products / sizeof *products; i++)
        if (ends_with(name, products[i]))
            return 1;
    if (strstr(name, ".so."))
        return 1;
    if (!w->configured)
        return 0;
    for (size_t i = 0; i < sizeof configured / sizeof *configured && !*dir; i++)
        if (strcmp(name, configured[i]) == 0)
            return 1;
    if (list_has(&w->generated, path))
        return 1;
    /* x made from x.in */
    char *template = xasprintf("%s/%s.in", w->tree, path);
    int made = path_is_file(template);
    free(template);
    return made;
}

/* dir is relative to the tree, "" for its top. */
static int walk_dir(struct walk *w, const char *dir, struct err *e)
{
    struct list names = LIST_INIT;
    char *full = path_join(w->tree, dir);
    int r = dir_list(full, "", &names, e);
    free(full);
    for (size_t i = 0; i < names.n && r == 0; i++) {
        struct stat st;
        char *path = path_join(dir, names.v[i]);
        char *file = path_join(w->tree, path);
        if (lstat(file, &st) != 0)
            r = err_set(e, "cannot read '%s': %s", file, strerror(errno));
        else if (!walk_skips(w, dir, names.v[i], path)) {
            if (S_ISDIR(st.st_mode))
                r = walk_dir(w, path, e);
            else
                list_add(&w->files, path);
        }
        free(path);
        free(file);
    }
    list_free(&names);
    return r;
}

static int tree_list_walk(const char *tree, struct list *files, struct err *e)
{
    struct walk w = {.tree = tree};
    struct str makefile = STR_INIT;
    struct err ignored = ERR_INIT;
    char *configdata = path_join(tree, "configdata.pm"), *path = path_join(tree, "Makefile");
    w.configured = path_is_file(configdata);
    if (w.configured && file_read(path, MAKEFILE_MAX, &makefile, &ignored) == 0)
        makefile_generated(makefile.p, &w.generated);
    err_clear(&ignored);
    int r = walk_dir(&w, "", e);
    list_add_all(files, &w.files);
    str_free(&makefile);
    free(configdata);
    free(path);
    list_free(&w.generated);
    list_free(&w.files);
    return r;
}

/* Relative paths of the sources in a tree, sorted. Only files and links are meant: a caller passes
 * over directories (git names submodules) and names that are gone. */
static int tree_list(const char *tree, struct list *files, struct err *e)
{
    char *git = path_join(tree, ".git");
    struct stat st;
    int is_git = lstat(git, &st) == 0;
    free(git);
    int r = is_git ? tree_list_git(tree, files) : -1;
    if (r)
        r = tree_list_walk(tree, files, e);
    list_sort_unique(files);
    return r;
}

/* Where a link leads, caller owns; NULL on error. */
static char *link_target(const char *path, struct err *e)
{
    char to[PATH_MAX];
    ssize_t n = readlink(path, to, sizeof to);
    if (n >= 0 && n < (ssize_t)sizeof to)
        return xstrndup(to, (size_t)n);
    err_set(e, "cannot read link '%s': %s", path, n < 0 ? strerror(errno) : "it is too long");
    return NULL;
}

static int hash_add_entry(struct hash *h, const char *name, const char *path, const struct stat *st,
                          struct err *e)
{
    char hex[65];
    if (S_ISLNK(st->st_mode)) {
        char *to = link_target(path, e);
        if (!to)
            return -1;
        hash_add_str(h, name);
        hash_add_str(h, "link");
        hash_add_str(h, to);
        free(to);
        return 0;
    }
    if (file_sha256(path, hex, e))
        return -1;
    hash_add_str(h, name);
    hash_add_str(h, st->st_mode & S_IXUSR ? "program" : "file");
    hash_add_str(h, hex);
    return 0;
}

int source_tree_hash(const char *tree, char hex[65], struct err *e)
{
    struct list files = LIST_INIT;
    struct hash *h = hash_new();
    int r = tree_list(tree, &files, e);
    for (size_t i = 0; i < files.n && r == 0; i++) {
        struct stat st;
        char *path = path_join(tree, files.v[i]);
        if (lstat(path, &st) == 0 && (S_ISREG(st.st_mode) || S_ISLNK(st.st_mode)))
            r = hash_add_entry(h, files.v[i], path, &st, e);
        free(path);
    }
    hash_end(h, hex);
    list_free(&files);
    return r;
}

/* A plain copy: the whole tree is thrown away when anything goes wrong, so no sync, no rename. */
static int copy_file(const char *from, const char *to, mode_t mode, struct err *e)
{
    int r = -1;
    const struct timespec times[2] = {COPY_TIME, COPY_TIME};
    char *buf = xmalloc(COPY_CHUNK);
    int in = open(from, O_RDONLY | O_CLOEXEC), out = -1;
    if (in < 0) {
        err_set(e, "cannot read '%s': %s", from, strerror(errno));
        goto out;
    }
    out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (out < 0) {
        err_set(e, "cannot write '%s': %s", to, strerror(errno));
        goto out;
    }
    ssize_t n;
    while ((n = read(in, buf, COPY_CHUNK)) > 0)
        for (ssize_t done = 0, k; done < n; done += k) {
            k = write(out, buf + done, (size_t)(n - done));
            if (k < 0) {
                err_set(e, "cannot write '%s': %s", to, strerror(errno));
                goto out;
            }
        }
    if (n < 0) {
        err_set(e, "cannot read '%s': %s", from, strerror(errno));
        goto out;
    }
    futimens(out, times);
    r = 0;
out:
    if (in >= 0)
        close(in);
    if (out >= 0 && close(out) != 0 && r == 0)
        r = err_set(e, "cannot write '%s': %s", to, strerror(errno));
    free(buf);
    return r;
}

static int copy_entry(const char *from, const char *to, const struct stat *st, struct err *e)
{
    int r;
    char *dir = xstrndup(to, (size_t)(path_base(to) - to));
    r = dir_make(dir, e);
    free(dir);
    if (r)
        return -1;
    if (!S_ISLNK(st->st_mode))
        return copy_file(from, to, st->st_mode & S_IXUSR ? 0777 : 0666, e);
    char *target = link_target(from, e);
    if (!target)
        return -1;
    if (symlink(target, to) != 0)
        r = err_set(e, "cannot make link '%s': %s", to, strerror(errno));
    free(target);
    return r;
}

int source_tree_copy(const char *tree, const char *dir, struct err *e)
{
    struct list files = LIST_INIT;
    int r = tree_list(tree, &files, e);
    for (size_t i = 0; i < files.n && r == 0; i++) {
        struct stat st;
        char *from = path_join(tree, files.v[i]), *to = path_join(dir, files.v[i]);
        if (interrupt_pending())
            r = err_set(e, "interrupted");
        else if (lstat(from, &st) == 0 && (S_ISREG(st.st_mode) || S_ISLNK(st.st_mode)))
            r = copy_entry(from, to, &st, e);
        free(from);
        free(to);
    }
    list_free(&files);
    return r;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/* The steps that make a library, and those that find its sizes. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buildjob.h"
#include "buildlog.h"
#include "file.h"
#include "mem.h"
#include "size.h"
#include "source.h"
#include "spawn.h"
#include "stackfile.h"

enum { TEXT_MAX = 64 << 20 }; /* bytes of a Makefile or header */

static void words_add(struct list *argv, const char *const *words)
{
    for (; *words; words++)
        list_add(argv, *words);
}

/* Runs argv (freed) in dir. */
static int step_run(struct buildjob *j, const char *dir, struct list *argv, int make,
                    const char *out, struct err *e)
{
    int r = buildjob_command(j, dir, argv, make, out, e);
    list_free(argv);
    return r;
}

static int unpack_start(struct buildjob *j, struct err *e)
{
    const struct library *l = j->build->library;
    const char *archive = NULL;
    char *src = buildjob_path(j, "src");
    int r = dir_make(src, e);
    if (r == 0 && l->kind == LIBRARY_RELEASE) {
        archive = j->shared->archive(j->shared->arg, l, e);
        if (!archive) {
            j->build->status = STATUS_SOURCE_MISSING;
            r = -1;
        }
    } else if (r == 0) {
        r = source_unpack(l, NULL, src, e);
    }
    free(src);
    /* Not before the sources were there: fetching is no part of building. */
    j->compile_ns = now_ns();
    if (r || !archive)
        return r;
    struct list argv = LIST_INIT;
    source_unpack_argv(archive, ".", &argv);
    return step_run(j, "src", &argv, 0, NULL, e);
}

/* A tool as it is given to Configure: by name when that finds it, as the library remembers it. */
static void tool_add(struct list *argv, const char *variable, const char *path)
{
    char *found = path_program(path_base(path));
    list_addf(argv, "%s=%s", variable, found && strcmp(found, path) == 0 ? path_base(path) : path);
    free(found);
}

static int configure_start(struct buildjob *j, struct err *e)
{
    const struct build *b = j->build;
    const struct compiler *cc = b->compiler;
    static const char *const fixed[] = {"--prefix=/usr/local", "--openssldir=/usr/local/ssl", NULL};
    struct list argv = LIST_INIT, words = LIST_INIT, flags = LIST_INIT;
    list_add(&argv, "perl");
    list_add(&argv, "./Configure");
    list_add(&argv, b->target->configure);
    list_add(&argv, "no-shared");
    list_add(&argv, "no-tests");
    /* a tree that is built once needs no dependency files: two processes fewer for each object */
    list_add(&argv, "no-makedepend");
    list_add_all(&argv, &b->config->configure);
    words_add(&argv, fixed);
    /* CC whole rather than a cross-compile prefix: it may be clang with a --target, and the
     * prefix would switch off parts (an engine) that a native build has. */
    list_add(&words, path_base(cc->argv.v[0]));
    for (size_t i = 1; i < cc->argv.n; i++)
        list_add(&words, cc->argv.v[i]);
    char *text = list_join(&words, " ");
    list_addf(&argv, "CC=%s", text);
    free(text);
    tool_add(&argv, "AR", cc->ar);
    tool_add(&argv, "RANLIB", cc->ranlib);
    /* In place of Configure's own "-Wall -O3". No -Wall: it changes no code. */
    list_add_all(&flags, &b->target->cflags);
    list_add_all(&flags, &b->config->cflags);
    text = list_join(&flags, " ");
    list_addf(&argv, "CFLAGS=%s", text);
    free(text);
    list_free(&words);
    list_free(&flags);
    return step_run(j, "src", &argv, 0, NULL, e);
}

/* variable: "NAME=VALUE" in place of the Makefile's own, or NULL. */
static int make_start(struct buildjob *j, const char *goal, const char *variable, struct err *e)
{
    struct list argv = LIST_INIT;
    list_add(&argv, "make");
    list_add(&argv, goal);
    if (variable)
        list_add(&argv, variable);
    return step_run(j, "src", &argv, 1, NULL, e);
}

static int generate_start(struct buildjob *j, struct err *e)
{
    return make_start(j, "build_generated", NULL, e);
}

/* Text of a rule or variable in a Makefile, from after `start` to the end of its last continued
 * line; caller owns, "" when there is none. */
static char *makefile_text(const struct buildjob *j, const char *start)
{
    struct err ignored = ERR_INIT;
    struct str makefile = STR_INIT, text = STR_INIT;
    char *path = buildjob_path(j, "src/Makefile");
    size_t n = strlen(start);
    if (file_read(path, TEXT_MAX, &makefile, &ignored))
        str_add(&makefile, "");
    err_clear(&ignored);
    free(path);
    const char *p = makefile.p;
    while (p && strncmp(p, start, n) != 0) {
        p = strchr(p, '\n');
        p = p ? p + 1 : NULL;
    }
    for (p = p ? p + n : ""; *p;) {
        size_t line = strcspn(p, "\n");
        int more = line && p[line - 1] == '\\';
        str_addn(&text, p, line - (size_t)more);
        str_addc(&text, ' ');
        p += line + (p[line] == '\n');
        if (!more)
            break;
    }
    str_free(&makefile);
    return str_take(&text);
}

/* The Makefile's LIB_CPPFLAGS with -fstack-usage added, as make takes it; NULL with the reason in
 * j->stack. That variable is on every compile line, but not in what the library remembers of its
 * flags, as CC and CFLAGS are (OpenSSL_version()): so the library stays the same to the byte, and
 * builds that are in caches stay valid. */
static char *stack_variable(struct buildjob *j)
{
    static const char option[] = "-fstack-usage";
    const struct compiler *cc = j->build->compiler;
    char *variable = NULL, *flags = makefile_text(j, "LIB_CPPFLAGS=");
    stack_free(&j->stack);
    if (!*flags)
        j->stack.reason =
            xasprintf("the library's Makefile has no LIB_CPPFLAGS that could take %s", option);
    else if (!compiler_takes(cc, option))
        j->stack.reason = xasprintf("%s %s does not take %s", cc->family, cc->version, option);
    else
        variable = xasprintf("LIB_CPPFLAGS=%s%s", flags, option);
    free(flags);
    return variable;
}

static int compile_start(struct buildjob *j, struct err *e)
{
    char *variable = stack_variable(j);
    int r = make_start(j, "libcrypto.a", variable, e);
    free(variable);
    char *objects = makefile_text(j, "libcrypto.a:");
    j->compiled = j->to_compile = 0;
    for (const char *p = objects; (p = strstr(p, ".o ")) != NULL; p++)
        j->to_compile++;
    free(objects);
    return r;
}

/* The libraries the Makefile would link programs with: -ldl, -latomic, -lz ... */
static void libs_read(const struct buildjob *j, struct list *libs)
{
    struct list words = LIST_INIT;
    char *text = makefile_text(j, "CNF_EX_LIBS=");
    list_split(&words, text, ' ');
    for (size_t i = 0; i < words.n; i++)
        if (strncmp(words.v[i], "-l", 2) == 0)
            list_add(libs, words.v[i]);
    list_free(&words);
    free(text);
}

/* The string in `#define NAME "..."` of a header, caller owns; NULL if there is none. */
static char *header_string(const char *path, const char *name)
{
    struct err ignored = ERR_INIT;
    struct str text = STR_INIT;
    char *found = NULL;
    if (file_read(path, TEXT_MAX, &text, &ignored) == 0)
        for (const char *p = text.p; !found && (p = strstr(p, name)) != NULL; p += strlen(name)) {
            const char *value = p + strlen(name);
            value += strspn(value, " \t");
            if (*value == '"')
                found = xstrndup(value + 1, strcspn(value + 1, "\"\n"));
        }
    err_clear(&ignored);
    str_free(&text);
    return found;
}

static void facts_from_log(struct buildjob *j)
{
    struct build_facts *f = &j->build->facts;
    struct buildlog log;
    char *text = buildjob_output(j);
    buildlog_read(text, &log);
    struct list flags = LIST_INIT;
    if (*log.flags)
        list_add(&flags, log.flags);
    /* Of the defines only those that were asked for, and only if they did arrive. */
    for (size_t i = 0; i < j->build->config->cflags.n; i++)
        if (list_has(&log.defines, j->build->config->cflags.v[i]))
            list_add(&flags, j->build->config->cflags.v[i]);
    f->flags = list_join(&flags, " ");
    f->optimisation = xstrdup(log.optimisation);
    f->optimisation_repeated = log.repeated;
    f->have_asm_modules = 1;
    list_add_all(&f->asm_modules, &log.asm_modules);
    list_free(&flags);
    buildlog_free(&log);
    free(text);
}

/* No reason to fail a build for: without it the reason stands in its place. */
static void stack_done(struct buildjob *j, const char *archive)
{
    struct err e = ERR_INIT;
    char *tree = buildjob_path(j, "src");
    if (!j->stack.reason && stack_gather(tree, archive, &j->stack, &e))
        j->stack.reason = xstrdup(e.text);
    err_clear(&e);
    free(tree);
}

/* entry/: the archive and its headers, as the cache keeps them. */
static int compile_done(struct buildjob *j, int failed, struct err *e)
{
    (void)failed; /* may_fail is not set */
    struct build_facts *f = &j->build->facts;
    struct stat st;
    char *entry = buildjob_path(j, "entry"), *include = path_join(entry, "include");
    char *headers = path_join(include, "openssl"), *archive = path_join(entry, "libcrypto.a");
    char *built = buildjob_path(j, "src/libcrypto.a"),
         *made = buildjob_path(j, "src/include/openssl");
    char *version = path_join(headers, "opensslv.h");
    int r = -1;
    build_facts_free(f);
    archive_record_free(&j->record);
    f->build_seconds = (double)(now_ns() - j->compile_ns) / 1e9;
    f->configure = xstrdup(j->build->target->configure);
    facts_from_log(j);
    libs_read(j, &j->record.libs);
    if (dir_make(include, e))
        goto out;
    if (rename(built, archive) != 0 || rename(made, headers) != 0 || stat(archive, &st) != 0) {
        err_set(e, "make left no libcrypto.a and include/openssl: %s", strerror(errno));
        goto out;
    }
    f->version_text = header_string(version, "OPENSSL_VERSION_TEXT");
    j->record.bytes = (uint64_t)st.st_size;
    if (file_sha256(archive, j->record.sha256, e))
        goto out;
    stack_done(j, archive);
    j->library_dir = xstrdup(entry);
    r = 0;
out:
    free(entry);
    free(include);
    free(headers);
    free(archive);
    free(built);
    free(made);
    free(version);
    return r;
}

/* -l words of the prefix's own libcrypto.pc: what a static link needs beside it. */
static void libs_read_pc(const char *archive, struct list *libs)
{
    struct err ignored = ERR_INIT;
    struct str text = STR_INIT;
    struct list words = LIST_INIT;
    char *dir = xstrndup(archive, (size_t)(path_base(archive) - archive));
    char *path = path_join(dir, "pkgconfig/libcrypto.pc");
    const char *p = NULL;
    if (file_read(path, TEXT_MAX, &text, &ignored) == 0)
        p = strstr(text.p, "\nLibs.private:");
    if (p) {
        p += strlen("\nLibs.private:");
        char *line = xstrndup(p, strcspn(p, "\n"));
        list_split(&words, line, ' ');
        free(line);
    }
    for (size_t i = 0; i < words.n; i++)
        if (strncmp(words.v[i], "-l", 2) == 0)
            list_add(libs, words.v[i]);
    err_clear(&ignored);
    list_free(&words);
    str_free(&text);
    free(dir);
    free(path);
}

static int link_make(const char *to, const char *at, struct err *e)
{
    if (symlink(to, at) == 0)
        return 0;
    return err_set(e, "cannot make link '%s': %s", at, strerror(errno));
}

/* prefix/: the parts of a prefix under the names a built library has. */
static int prefix_start(struct buildjob *j, struct err *e)
{
    const struct library *l = j->build->library;
    struct build_facts *f = &j->build->facts;
    struct elf_id id;
    char *dir = buildjob_path(j, "prefix"), *include = path_join(dir, "include");
    char *archive = path_join(dir, "libcrypto.a");
    char *version = path_join(l->prefix_include, "openssl/opensslv.h");
    int r = -1;
    build_facts_free(f);
    archive_record_free(&j->record);
    if (elf_read_archive(l->prefix_archive, &id, e))
        goto out;
    if (!elf_id_equal(&id, &j->build->target->elf)) {
        char *is = elf_id_text(&id), *want = elf_id_text(&j->build->target->elf);
        err_set(e, "'%s' is for %s; target %s needs %s", l->prefix_archive, is,
                j->build->target->name, want);
        j->build->status = STATUS_WRONG_MACHINE;
        free(is);
        free(want);
        goto out;
    }
    if (dir_make(dir, e) || link_make(l->prefix_include, include, e) ||
        link_make(l->prefix_archive, archive, e))
        goto out;
    f->version_text = header_string(version, "OPENSSL_VERSION_TEXT");
    libs_read_pc(l->prefix_archive, &j->record.libs);
    j->library_dir = xstrdup(dir);
    r = 0;
out:
    free(dir);
    free(include);
    free(archive);
    free(version);
    return r;
}

/* The whole archive as a shared object, as OpenSSL links its own. Nothing of it depends on
 * where it was made. */
static int shared_start(struct buildjob *j, struct err *e)
{
    static const char *const before[] = {"-shared",
                                         "-Wl,-Bsymbolic",
                                         "-Wl,--build-id=none",
                                         "-Wl,-soname,libcrypto.so",
                                         "-o",
                                         "libcrypto.so",
                                         "-Wl,--whole-archive",
                                         "libcrypto.a",
                                         "-Wl,--no-whole-archive",
                                         "-Wl,--as-needed",
                                         NULL};
    static const char *const after[] = {"-ldl", "-lpthread", NULL};
    struct list argv = LIST_INIT;
    char *dir = buildjob_path(j, "sizes"), *archive = path_join(j->library_dir, "libcrypto.a");
    char *at = path_join(dir, "libcrypto.a");
    int r = dir_make(dir, e) ? -1 : link_make(archive, at, e);
    free(dir);
    free(archive);
    free(at);
    if (r)
        return -1;
    list_add_all(&argv, &j->build->compiler->argv);
    list_add_all(&argv, &j->build->target->cflags);
    words_add(&argv, before);
    list_add_all(&argv, &j->record.libs);
    words_add(&argv, after);
    return step_run(j, "sizes", &argv, 0, NULL, e);
}

static int shared_done(struct buildjob *j, int failed, struct err *e)
{
    struct library_sizes *s = &j->build->facts.sizes;
    (void)e;
    s->have_shared = !failed;
    if (failed) {
        char *text = buildjob_output(j);
        s->shared_reason = buildlog_first_error(text);
        free(text);
    }
    return 0;
}

static int strip_start(struct buildjob *j, struct err *e)
{
    struct list argv = LIST_INIT;
    if (!j->build->facts.sizes.have_shared)
        return 0;
    list_add(&argv, j->build->compiler->strip);
    list_add(&argv, "--strip-all");
    list_add(&argv, "libcrypto.so");
    return step_run(j, "sizes", &argv, 0, NULL, e);
}

static int size_get(const struct buildjob *j, const char *name, uint64_t *out, struct err *e)
{
    struct stat st;
    char *path = buildjob_path(j, name);
    int r = stat(path, &st) == 0 ? 0 : err_set(e, "cannot read '%s': %s", path, strerror(errno));
    free(path);
    if (r == 0)
        *out = (uint64_t)st.st_size;
    return r;
}

static int strip_done(struct buildjob *j, int failed, struct err *e)
{
    (void)failed;
    return size_get(j, "sizes/libcrypto.so", &j->build->facts.sizes.shared_stripped, e);
}

static int compress_start(struct buildjob *j, const char *const *words, const char *out,
                          struct err *e)
{
    struct list argv = LIST_INIT;
    if (!j->build->facts.sizes.have_shared)
        return 0;
    words_add(&argv, words);
    return step_run(j, "sizes", &argv, 0, out, e);
}

static int gzip_start(struct buildjob *j, struct err *e)
{
    static const char *const words[] = {"gzip", "-9", "-n", "-c", "libcrypto.so", NULL};
    return compress_start(j, words, "sizes/libcrypto.so.gz", e);
}

static int gzip_done(struct buildjob *j, int failed, struct err *e)
{
    (void)failed;
    return size_get(j, "sizes/libcrypto.so.gz", &j->build->facts.sizes.shared_gzip, e);
}

static int xz_start(struct buildjob *j, struct err *e)
{
    static const char *const words[] = {"xz", "-9e", "-T1", "--stdout", "libcrypto.so", NULL};
    return compress_start(j, words, "sizes/libcrypto.so.xz", e);
}

static int xz_done(struct buildjob *j, int failed, struct err *e)
{
    (void)failed;
    return size_get(j, "sizes/libcrypto.so.xz", &j->build->facts.sizes.shared_xz, e);
}

/* Into the cache, whole. */
int library_store(struct buildjob *j, struct err *e)
{
    struct build *b = j->build;
    char *entry = buildjob_path(j, "entry"), *log = path_join(entry, "build.log");
    char *archive = path_join(j->library_dir, "libcrypto.a");
    int r = archive_sizes(archive, &b->facts.sizes.archive, e);
    if (r == 0)
        r = dir_make(entry, e);
    if (r == 0)
        r = file_copy(j->log, log, e);
    if (r == 0)
        r = build_record_write(entry, b->key, &b->facts, &j->record, e);
    if (r == 0 && b->library->kind != LIBRARY_PREFIX)
        r = stack_write(entry, b->key, &j->stack, e);
    if (r == 0)
        r = buildjob_store(j, "entry", "builds", b->key, e);
    free(entry);
    free(log);
    free(archive);
    return r;
}

const struct build_step library_steps[] = {
    {"unpack", 0, unpack_start, NULL},
    {"configure", 0, configure_start, NULL},
    {"generate", 0, generate_start, NULL},
    {"compile", 0, compile_start, compile_done},
    {"shared object", 1, shared_start, shared_done},
    {"strip", 0, strip_start, strip_done},
    {"compress (gzip)", 0, gzip_start, gzip_done},
    {"compress (xz)", 0, xz_start, xz_done},
    {"store", 0, library_store, NULL},
    {NULL, 0, NULL, NULL},
};

const struct build_step prefix_steps[] = {
    {"look at the prefix", 0, prefix_start, NULL},
    {"shared object", 1, shared_start, shared_done},
    {"strip", 0, strip_start, strip_done},
    {"compress (gzip)", 0, gzip_start, gzip_done},
    {"compress (xz)", 0, xz_start, xz_done},
    {"store", 0, library_store, NULL},
    {NULL, 0, NULL, NULL},
};

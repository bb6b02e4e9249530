/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "library.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "catalog.h"
#include "datafile.h"
#include "file.h"
#include "linuxsource.h"
#include "mem.h"
#include "source.h"

enum { HEADER_MAX = 1 << 20 }; /* opensslv.h has 4 KiB; more than this is something else */

static int sha256_get(const struct json_doc *d, const struct json *o, const char *key, char out[65],
                      struct err *e)
{
    char *s = NULL;
    if (json_str(d, o, key, JSON_REQUIRED, &s, e))
        return -1;
    if (strlen(s) != 64 || s[strspn(s, "0123456789abcdefABCDEF")]) {
        free(s);
        return datafile_refuse(d, o, key, e, "expected 64 hexadecimal digits");
    }
    for (size_t i = 0; i <= 64; i++)
        out[i] = (char)tolower((unsigned char)s[i]);
    free(s);
    return 0;
}

static int archive_get(const struct json_doc *d, const struct json *root, struct library *l,
                       struct err *e)
{
    static const char *const keys[] = {"file", "sha256", "urls", NULL};
    const struct json *o;
    return json_object(d, root, "archive", JSON_REQUIRED, &o, e) || json_only(d, o, keys, e) ||
                   datafile_name(d, o, "file", JSON_REQUIRED, &l->archive, e) ||
                   sha256_get(d, o, "sha256", l->sha256, e) ||
                   datafile_urls(d, o, "urls", &l->urls, e)
               ? -1
               : 0;
}

static int debian_get(const struct json_doc *d, const struct json *root, struct library *l,
                      struct err *e)
{
    static const char *const keys[] = {"package", "suite", NULL};
    const struct json *o = NULL;
    if (json_object(d, root, "debian", JSON_OPTIONAL, &o, e))
        return -1;
    if (!o)
        return 0;
    return json_only(d, o, keys, e) ||
                   datafile_name(d, o, "package", JSON_REQUIRED, &l->debian_package, e) ||
                   datafile_name(d, o, "suite", JSON_REQUIRED, &l->debian_suite, e)
               ? -1
               : 0;
}

static int linux_get(const struct json_doc *d, const struct json *root, struct library *l,
                     struct err *e)
{
    static const char *const keys[] = {"archive", "package", "files", NULL};
    const char *names[LINUX_FILES + 1] = {NULL};
    const struct json *o, *files;
    if (json_object(d, root, "linux", JSON_REQUIRED, &o, e) || json_only(d, o, keys, e) ||
        datafile_name(d, o, "archive", JSON_REQUIRED, &l->archive, e) ||
        datafile_name(d, o, "package", JSON_OPTIONAL, &l->debian_package, e) ||
        json_object(d, o, "files", JSON_REQUIRED, &files, e))
        return -1;
    for (size_t i = 0; i < LINUX_FILES; i++)
        names[i] = linux_files[i];
    if (json_only(d, files, names, e))
        return -1;
    for (size_t i = 0; i < LINUX_FILES; i++)
        if (sha256_get(d, files, linux_files[i], l->linux_sha256[i], e))
            return -1;
    l->kind = LIBRARY_LINUX;
    linuxsource_combine(l->linux_sha256, l->sha256);
    return 0;
}

/* Where it comes from: an archive of the library's own, or two files of Linux. */
static int source_get(const struct json_doc *d, const struct json *o, struct library *l,
                      struct err *e)
{
    if (!json_get(o, "linux"))
        return archive_get(d, o, l, e) || debian_get(d, o, l, e) ? -1 : 0;
    static const char *const others[] = {"archive", "debian"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (json_get(o, others[i]))
            return datafile_refuse(d, o, others[i], e, "a library with 'linux' has none");
    return linux_get(d, o, l, e);
}

int library_load(const char *path, struct library *out, struct err *e)
{
    static const char *const keys[] = {"schema",  "name",    "summary", "version", "lifecycle",
                                       "default", "archive", "debian",  "linux",   NULL};
    struct library l = {.kind = LIBRARY_RELEASE};
    struct json_doc *d = datafile_open(path, "crypto-bench-library/1", keys, e);
    if (!d)
        return -1;
    const struct json *o = json_root(d);
    l.path = xstrdup(path);
    if (datafile_name(d, o, "name", JSON_REQUIRED, &l.name, e) ||
        datafile_text(d, o, "summary", JSON_REQUIRED, &l.summary, e) ||
        datafile_name(d, o, "version", JSON_REQUIRED, &l.version, e) ||
        datafile_text(d, o, "lifecycle", JSON_OPTIONAL, &l.lifecycle, e) ||
        json_bool(d, o, "default", JSON_OPTIONAL, &l.is_default, e) || source_get(d, o, &l, e)) {
        e->exit_code = EXIT_USAGE;
        library_free(&l);
        json_close(d);
        return -1;
    }
    memcpy(l.content_hash, l.sha256, sizeof l.content_hash);
    json_close(d);
    *out = l;
    return 0;
}

/* The value after `name` at the start of a line ("MAJOR=3"), up to its end, quotes left out;
 * NULL when there is none. */
static char *line_value(const char *text, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = text; p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL) {
        if (strncmp(p, name, n))
            continue;
        p += n + (p[n] == '"');
        return xstrndup(p, strcspn(p, "\"\r\n"));
    }
    return NULL;
}

/* The string that a macro of a header stands for, or NULL. */
static char *macro_string(const char *text, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = strstr(text, name); p; p = strstr(p + 1, name)) {
        const char *q = p + n + strspn(p + n, " \t");
        if (p > text && (p[-1] == ' ' || p[-1] == '\t') && q > p + n && *q == '"')
            return xstrndup(q + 1, strcspn(q + 1, "\"\n"));
    }
    return NULL;
}

/* Appends dir/name to text; -1 when it cannot be read. */
static int text_read(const char *dir, const char *name, struct str *text)
{
    struct err e = ERR_INIT;
    char *path = path_join(dir, name);
    int rc = file_read(path, HEADER_MAX, text, &e);
    err_clear(&e);
    free(path);
    return rc;
}

/* Of include/openssl/opensslv.h; NULL when it says nothing. */
static char *header_version(const char *include)
{
    struct str text = STR_INIT;
    char *version = NULL;
    if (text_read(include, "openssl/opensslv.h", &text) || !text.p)
        goto out;
    version = macro_string(text.p, "OPENSSL_FULL_VERSION_STR"); /* 3.x */
    if (!version) {
        /* "OpenSSL 1.1.1w  11 Sep 2023": the second word */
        char *all = macro_string(text.p, "OPENSSL_VERSION_TEXT");
        const char *word = all ? all + strcspn(all, " ") : "";
        word += strspn(word, " ");
        if (*word)
            version = xstrndup(word, strcspn(word, " "));
        free(all);
    }
out:
    str_free(&text);
    return version;
}

/* Of VERSION.dat (3.x); NULL when there is none. A header in a tree may be left over from
 * a build of another version, so this goes first. */
static char *tree_version(const char *dir)
{
    struct str text = STR_INIT;
    if (text_read(dir, "VERSION.dat", &text) || !text.p) {
        str_free(&text);
        char *include = path_join(dir, "include");
        char *version = header_version(include);
        free(include);
        return version;
    }
    char *major = line_value(text.p, "MAJOR="), *minor = line_value(text.p, "MINOR=");
    char *patch = line_value(text.p, "PATCH="), *tag = line_value(text.p, "PRE_RELEASE_TAG=");
    char *version = NULL;
    if (major && minor && patch)
        version =
            xasprintf("%s.%s.%s%s%s", major, minor, patch, tag && *tag ? "-" : "", tag ? tag : "");
    free(major);
    free(minor);
    free(patch);
    free(tag);
    str_free(&text);
    return version;
}

static int has_file(const char *dir, const char *name)
{
    char *path = path_join(dir, name);
    int yes = path_is_file(path);
    free(path);
    return yes;
}

static int is_tree(const char *dir)
{
    char *crypto = path_join(dir, "crypto");
    int yes = path_is_dir(crypto) && (has_file(dir, "Configure") || has_file(dir, "config"));
    free(crypto);
    return yes;
}

/* 1 when dir is a prefix with a shared library only. */
static int prefix_is_shared(const char *dir)
{
    return has_file(dir, "lib/libcrypto.so") || has_file(dir, "lib64/libcrypto.so");
}

/* lib/TRIPLET directories of dir (Debian's multiarch) that hold libcrypto.a: the TRIPLETs. */
static void multiarch_find(const char *dir, struct list *out)
{
    struct list names = LIST_INIT;
    struct err e = ERR_INIT;
    char *lib = path_join(dir, "lib");
    if (!dir_list(lib, "", &names, &e))
        for (size_t i = 0; i < names.n; i++) {
            char *file = xasprintf("%s/libcrypto.a", names.v[i]);
            if (strstr(names.v[i], "-linux-") && has_file(lib, file))
                list_add(out, names.v[i]);
            free(file);
        }
    err_clear(&e);
    list_free(&names);
    free(lib);
}

/* Finds l->prefix_archive; *triplet is set when it lies in a multiarch directory. 1: found, 0: not
 * there, -1: several, for different machines. */
static int prefix_archive_find(struct library *l, const char *dir, char **triplet, struct err *e)
{
    static const char *const plain[] = {"lib/libcrypto.a", "lib64/libcrypto.a"};
    struct list found = LIST_INIT;
    struct utsname host;
    int rc = 0;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (has_file(dir, plain[i])) {
            l->prefix_archive = path_join(dir, plain[i]);
            return 1;
        }
    multiarch_find(dir, &found);
    for (size_t i = 0; i < found.n && !*triplet; i++)
        if (found.n == 1 ||
            (!uname(&host) && !strncmp(found.v[i], host.machine, strlen(host.machine)) &&
             found.v[i][strlen(host.machine)] == '-'))
            *triplet = xstrdup(found.v[i]);
    if (*triplet) {
        l->prefix_archive = xasprintf("%s/lib/%s/libcrypto.a", dir, *triplet);
        rc = 1;
    } else if (found.n) {
        char *all = list_join(&found, ", ");
        rc = err_usage(e,
                       "library '%s': libcrypto.a for several machines below lib/ (%s), none of "
                       "them this one; make a prefix with include/ and lib/ for the one meant",
                       dir, all);
        free(all);
    }
    list_free(&found);
    return rc;
}

/* Adds the names and hashes of the headers in include/openssl. */
static int headers_hash(struct hash *h, const char *include, struct err *e)
{
    struct list names = LIST_INIT;
    char *dir = path_join(include, "openssl");
    int rc = dir_list(dir, ".h", &names, e);
    for (size_t i = 0; i < names.n && !rc; i++) {
        char hex[65], *path = path_join(dir, names.v[i]);
        if ((rc = file_sha256(path, hex, e)) == 0) {
            hash_add_str(h, names.v[i]);
            hash_add_str(h, hex);
        }
        free(path);
    }
    list_free(&names);
    free(dir);
    return rc;
}

static int prefix_hash(struct library *l, struct err *e)
{
    char hex[65];
    struct hash *h = hash_new();
    int rc = file_sha256(l->prefix_archive, hex, e);
    if (!rc) {
        hash_add_str(h, hex);
        rc = headers_hash(h, l->prefix_include, e);
    }
    if (!rc && l->prefix_include_arch)
        rc = headers_hash(h, l->prefix_include_arch, e);
    hash_end(h, l->content_hash);
    return rc;
}

/* 1: it is a prefix, and l is filled; 0: it is none; -1: error. */
static int prefix_find(struct library *l, const char *dir, struct err *e)
{
    char *include = path_join(dir, "include"), *triplet = NULL;
    int rc = has_file(include, "openssl/opensslv.h");
    if (rc)
        rc = prefix_archive_find(l, dir, &triplet, e);
    if (rc == 1) {
        l->kind = LIBRARY_PREFIX;
        l->version = header_version(include);
        l->summary = xasprintf("prebuilt library in %s", dir);
        l->prefix_include = xstrdup(include);
        if (triplet) {
            char *arch = path_join(include, triplet), *openssl = path_join(arch, "openssl");
            if (path_is_dir(openssl))
                l->prefix_include_arch = xstrdup(arch);
            free(openssl);
            free(arch);
        }
        if (prefix_hash(l, e))
            rc = -1;
    }
    free(triplet);
    free(include);
    return rc;
}

static int tree_fill(struct library *l, const char *dir, struct err *e)
{
    l->kind = LIBRARY_TREE;
    l->version = tree_version(dir);
    l->summary = xasprintf("source tree %s", dir);
    return source_tree_hash(dir, l->content_hash, e);
}

/* The last part of a path as a name, odd characters made '_'. */
static char *name_of_path(const char *path)
{
    const char *base = path_base(path);
    char *name = xstrdup(*base ? base : "root");
    for (char *p = name; *p; p++) {
        char one[] = {'x', *p, '\0'};
        if (!name_is_sane(one))
            *p = '_';
    }
    if (!name_is_sane(name))
        *name = '_'; /* a first '-' or '.' */
    return name;
}

static int linux_tree_fill(struct library *l, const char *dir, struct err *e)
{
    l->kind = LIBRARY_LINUX;
    l->version = linuxsource_tree_version(dir);
    l->summary = xasprintf("aes-generic of the Linux tree %s", dir);
    if (linuxsource_tree_hash(dir, l->content_hash, e))
        return -1;
    memcpy(l->sha256, l->content_hash, sizeof l->sha256);
    return 0;
}

/* A tar archive of the user's: what is in it shows when it is built. */
static int linux_archive_find(const char *word, struct library *out, struct err *e)
{
    struct library l = {.kind = LIBRARY_LINUX};
    char *path = realpath(word, NULL);
    if (!path)
        return err_usage(e, "library '%s': cannot be reached", word);
    l.path = path;
    l.name = name_of_path(path);
    l.version = linuxsource_name_version(path);
    l.summary = xasprintf("aes-generic of the Linux archive %s", path);
    if (file_sha256(path, l.content_hash, e)) {
        library_free(&l);
        return -1;
    }
    memcpy(l.sha256, l.content_hash, sizeof l.sha256);
    *out = l;
    return 0;
}

static int directory_find(const char *word, struct library *out, struct err *e)
{
    struct library l = {0};
    char *dir = realpath(word, NULL);
    int rc;
    if (!dir)
        return err_usage(e, "library '%s': cannot be reached", word);
    l.path = dir;
    l.name = name_of_path(dir);
    if (is_tree(dir))
        rc = tree_fill(&l, dir, e) ? -1 : 1;
    else if (linuxsource_is_tree(dir))
        rc = linux_tree_fill(&l, dir, e) ? -1 : 1;
    else
        rc = prefix_find(&l, dir, e);
    if (!rc)
        err_usage(e,
                  "library '%s' is neither a source tree (Configure or config, and crypto/) nor a "
                  "prefix (include/openssl/opensslv.h, and libcrypto.a in lib/, lib64/ or "
                  "lib/TRIPLET/%s) nor a Linux tree (crypto/aes_generic.c and lib/crypto/aes.c)",
                  word,
                  prefix_is_shared(dir) ? ": libcrypto.so alone will not do, drivers are "
                                          "static"
                                        : "");
    if (rc != 1) {
        library_free(&l);
        return -1;
    }
    *out = l;
    return 0;
}

int library_find(const char *word, struct library *out, struct err *e)
{
    char *path;
    if (catalog_is_path(word)) {
        if (path_is_dir(word))
            return directory_find(word, out, e);
        if (path_is_file(word))
            return linuxsource_is_archive(word) ? linux_archive_find(word, out, e)
                                                : library_load(word, out, e);
        return err_usage(e,
                         "library '%s': there is no such file or directory; a library is a name, "
                         "a JSON file, a source tree, a prefix, or a tree or archive of Linux",
                         word);
    }
    if (catalog_path("libraries", "library", word, &path, e)) {
        if (*word && e->exit_code == EXIT_USAGE &&
            (path_is_dir(word) || (linuxsource_is_archive(word) && path_is_file(word)))) {
            char *was = xstrdup(e->text);
            err_usage(e, "%s. For the %s of that name write './%s'", was,
                      path_is_dir(word) ? "directory" : "file", word);
            free(was);
        }
        return -1;
    }
    int rc = library_load(path, out, e);
    free(path);
    return rc;
}

void library_free(struct library *l)
{
    free(l->path);
    free(l->name);
    free(l->summary);
    free(l->version);
    free(l->lifecycle);
    free(l->side);
    free(l->archive);
    list_free(&l->urls);
    free(l->debian_package);
    free(l->debian_suite);
    free(l->prefix_archive);
    free(l->prefix_include);
    free(l->prefix_include_arch);
    *l = (struct library){0};
}

const char *library_kind_name(enum library_kind k)
{
    static const char *const names[] = {"release", "tree", "prefix", "linux-aes"};
    return names[k];
}

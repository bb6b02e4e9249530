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
#include "mem.h"
#include "source.h"

enum { HEADER_MAX = 1 << 20 }; /* opensslv.h has 4 KiB; more than this is something else */

static int sha256_get(const struct json_doc *d, const struct json *o, char out[65], struct err *e)
{
    char *s = NULL;
    if (json_str(d, o, "sha256", JSON_REQUIRED, &s, e))
        return -1;
    if (strlen(s) != 64 || s[strspn(s, "0123456789abcdefABCDEF")]) {
        free(s);
        return datafile_refuse(d, o, "sha256", e, "expected 64 hexadecimal digits");
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
                   sha256_get(d, o, l->sha256, e) || datafile_urls(d, o, "urls", &l->urls, e)
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

int library_load(const char *path, struct library *out, struct err *e)
{
    static const char *const keys[] = {"schema",  "name",    "summary", "version", "lifecycle",
                                       "default", "archive", "debian",  NULL};
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
        json_bool(d, o, "default", JSON_OPTIONAL, &l.is_default, e) || archive_get(d, o, &l, e) ||
        debian_get(d, o, &l, e)) {
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
    else
        rc = prefix_find(&l, dir, e);
    if (!rc)
        err_usage(e,
                  "library '%s' is neither a source tree (Configure or config, and crypto/) nor a "
                  "prefix (include/openssl/opensslv.h, and libcrypto.a in lib/, lib64/ or "
                  "lib/TRIPLET/)",
                  word);
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
            return library_load(word, out, e);
        return err_usage(e,
                         "library '%s': there is no such file or directory; a library is a name, "
                         "a JSON file, a source tree or a prefix",
                         word);
    }
    if (catalog_path("libraries", "library", word, &path, e)) {
        if (*word && e->exit_code == EXIT_USAGE && path_is_dir(word)) {
            char *was = xstrdup(e->text);
            err_usage(e, "%s. For the directory of that name write './%s'", was, word);
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
    static const char *const names[] = {"release", "tree", "prefix"};
    return names[k];
}

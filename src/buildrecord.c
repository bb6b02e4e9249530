/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "buildrecord.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file.h"
#include "json.h"
#include "mem.h"

static const char BUILD_SCHEMA[] = "crypto-bench-build/1";
static const char DRIVER_SCHEMA[] = "crypto-bench-driver/1";

void archive_record_free(struct archive_record *a)
{
    list_free(&a->libs);
    *a = (struct archive_record){0};
}

void build_facts_free(struct build_facts *f)
{
    free(f->version_text);
    free(f->configure);
    free(f->flags);
    free(f->optimisation);
    list_free(&f->asm_modules);
    list_free(&f->linker_warnings);
    library_sizes_free(&f->sizes);
    *f = (struct build_facts){0};
}

static int record_write(const char *dir, const char *name, struct json *root, struct err *e)
{
    char *text = json_text(root), *path = path_join(dir, name);
    int r = file_write_atomic(path, text, strlen(text), e);
    free(text);
    free(path);
    json_free(root);
    return r;
}

static void sizes_write(struct json *root, const struct library_sizes *s)
{
    struct json *archive = json_add_object(root, "archive_sections");
    json_add_u64(archive, "text", s->archive.text);
    json_add_u64(archive, "rodata", s->archive.rodata);
    json_add_u64(archive, "data", s->archive.data);
    json_add_u64(archive, "bss", s->archive.bss);
    json_add_u64(archive, "members", s->archive.members);
    struct json *shared = json_add_object(root, "shared");
    json_add_bool(shared, "made", s->have_shared);
    json_add_str(shared, "reason", s->shared_reason);
    json_add_u64(shared, "stripped", s->shared_stripped);
    json_add_u64(shared, "gzip", s->shared_gzip);
    json_add_u64(shared, "xz", s->shared_xz);
}

int build_record_write(const char *dir, const char *key, const struct build_facts *f,
                       const struct archive_record *a, struct err *e)
{
    struct json *root = json_new_object();
    json_add_str(root, "schema", BUILD_SCHEMA);
    json_add_str(root, "key", key);
    json_add_u64(root, "archive_bytes", a->bytes);
    json_add_str(root, "archive_sha256", a->sha256);
    json_add_strings(root, "libs", &a->libs);
    json_add_str(root, "version_text", f->version_text);
    json_add_str(root, "configure", f->configure);
    json_add_str(root, "flags", f->flags);
    json_add_str(root, "optimisation", f->optimisation);
    json_add_bool(root, "optimisation_repeated", f->optimisation_repeated);
    json_add_bool(root, "have_asm_modules", f->have_asm_modules);
    json_add_strings(root, "asm_modules", &f->asm_modules);
    json_add_double(root, "build_seconds", f->build_seconds);
    sizes_write(root, &f->sizes);
    return record_write(dir, "build.json", root, e);
}

int driver_record_write(const char *dir, const struct build *b, struct err *e)
{
    struct json *root = json_new_object();
    json_add_str(root, "schema", DRIVER_SCHEMA);
    json_add_str(root, "key", b->driver_key);
    json_add_str(root, "sha256", b->driver_sha256);
    json_add_i64(root, "machine", b->driver_elf.machine);
    json_add_i64(root, "bits", b->driver_elf.bits);
    json_add_bool(root, "big_endian", b->driver_elf.big);
    json_add_strings(root, "linker_warnings", &b->facts.linker_warnings);
    return record_write(dir, "driver.json", root, e);
}

/* A record's root, with its schema and key checked; *doc is to be closed. */
static const struct json *record_open(const char *dir, const char *name, const char *schema,
                                      const char *key, const char *const *keys,
                                      struct json_doc **doc, struct err *e)
{
    char *path = path_join(dir, name), *is_schema = NULL, *is_key = NULL;
    const struct json *root = NULL;
    struct json_doc *d = *doc = json_open(path, e);
    if (!d)
        goto out;
    const struct json *o = json_root(d);
    if (json_only(d, o, keys, e) || json_str(d, o, "schema", JSON_REQUIRED, &is_schema, e) ||
        json_str(d, o, "key", JSON_REQUIRED, &is_key, e))
        goto out;
    if (strcmp(is_schema, schema) != 0 || strcmp(is_key, key) != 0) {
        err_set(e, "%s: it is of schema '%s' and key '%s', expected '%s' and '%s'", path, is_schema,
                is_key, schema, key);
        goto out;
    }
    root = o;
out:
    free(path);
    free(is_schema);
    free(is_key);
    return root;
}

static int hash_read(const struct json_doc *d, const struct json *o, const char *key, char hex[65],
                     struct err *e)
{
    char *text = NULL;
    int r = json_str(d, o, key, JSON_REQUIRED, &text, e);
    if (r == 0 && strlen(text) != 64 && *text)
        r = err_set(e, "'%s' of a cache entry is '%s', expected 64 hex digits", key, text);
    if (r == 0)
        memcpy(hex, text, strlen(text) + 1);
    free(text);
    return r;
}

static int sections_read(const struct json_doc *d, const struct json *root, struct section_sizes *s,
                         struct err *e)
{
    static const char *const keys[] = {"text", "rodata", "data", "bss", "members", NULL};
    uint64_t *const fields[] = {&s->text, &s->rodata, &s->data, &s->bss, &s->members};
    const struct json *o;
    if (json_object(d, root, "archive_sections", JSON_REQUIRED, &o, e) || json_only(d, o, keys, e))
        return -1;
    for (size_t i = 0; keys[i]; i++)
        if (json_u64(d, o, keys[i], JSON_REQUIRED, fields[i], e))
            return -1;
    return 0;
}

static int shared_read(const struct json_doc *d, const struct json *root, struct library_sizes *s,
                       struct err *e)
{
    static const char *const keys[] = {"made", "reason", "stripped", "gzip", "xz", NULL};
    const struct json *o;
    if (json_object(d, root, "shared", JSON_REQUIRED, &o, e) || json_only(d, o, keys, e))
        return -1;
    return json_bool(d, o, "made", JSON_REQUIRED, &s->have_shared, e) ||
                   json_str(d, o, "reason", JSON_OPTIONAL, &s->shared_reason, e) ||
                   json_u64(d, o, "stripped", JSON_REQUIRED, &s->shared_stripped, e) ||
                   json_u64(d, o, "gzip", JSON_REQUIRED, &s->shared_gzip, e) ||
                   json_u64(d, o, "xz", JSON_REQUIRED, &s->shared_xz, e)
               ? -1
               : 0;
}

static int facts_read(const struct json_doc *d, const struct json *o, struct build_facts *f,
                      struct err *e)
{
    return json_str(d, o, "version_text", JSON_OPTIONAL, &f->version_text, e) ||
                   json_str(d, o, "configure", JSON_OPTIONAL, &f->configure, e) ||
                   json_str(d, o, "flags", JSON_OPTIONAL, &f->flags, e) ||
                   json_str(d, o, "optimisation", JSON_OPTIONAL, &f->optimisation, e) ||
                   json_bool(d, o, "optimisation_repeated", JSON_REQUIRED,
                             &f->optimisation_repeated, e) ||
                   json_bool(d, o, "have_asm_modules", JSON_REQUIRED, &f->have_asm_modules, e) ||
                   json_strings(d, o, "asm_modules", JSON_REQUIRED, &f->asm_modules, e) ||
                   json_double(d, o, "build_seconds", JSON_REQUIRED, &f->build_seconds, e) ||
                   sections_read(d, o, &f->sizes.archive, e) || shared_read(d, o, &f->sizes, e)
               ? -1
               : 0;
}

/* The files of a library entry against its record. */
static int archive_check(const char *dir, const struct archive_record *a, int whole, struct err *e)
{
    struct stat st;
    char hex[65];
    if (a->bytes == 0)
        return 0;
    char *path = path_join(dir, "libcrypto.a"), *include = path_join(dir, "include/openssl");
    int r = 0;
    if (stat(path, &st) != 0 || (uint64_t)st.st_size != a->bytes)
        r = err_set(e, "'%s' is missing or not the %llu bytes its record says", path,
                    (unsigned long long)a->bytes);
    else if (!path_is_dir(include))
        r = err_set(e, "'%s' is missing", include);
    else if (whole && file_sha256(path, hex, e))
        r = -1;
    else if (whole && strcmp(hex, a->sha256) != 0)
        r = err_set(e, "'%s' is damaged: its SHA-256 is %s, its record says %s", path, hex,
                    a->sha256);
    free(path);
    free(include);
    return r;
}

int build_record_read(const char *dir, const char *key, int whole, struct build_facts *f,
                      struct archive_record *a, struct err *e)
{
    static const char *const keys[] = {"schema",
                                       "key",
                                       "archive_bytes",
                                       "archive_sha256",
                                       "libs",
                                       "version_text",
                                       "configure",
                                       "flags",
                                       "optimisation",
                                       "optimisation_repeated",
                                       "have_asm_modules",
                                       "asm_modules",
                                       "build_seconds",
                                       "archive_sections",
                                       "shared",
                                       NULL};
    struct json_doc *d;
    *f = (struct build_facts){0};
    *a = (struct archive_record){0};
    const struct json *o = record_open(dir, "build.json", BUILD_SCHEMA, key, keys, &d, e);
    int r = !o || json_u64(d, o, "archive_bytes", JSON_REQUIRED, &a->bytes, e) ||
                    hash_read(d, o, "archive_sha256", a->sha256, e) ||
                    json_strings(d, o, "libs", JSON_REQUIRED, &a->libs, e) ||
                    facts_read(d, o, f, e) || archive_check(dir, a, whole, e)
                ? -1
                : 0;
    if (d)
        json_close(d);
    if (r) {
        build_facts_free(f);
        archive_record_free(a);
    }
    return r;
}

int driver_record_read(const char *dir, struct build *b, struct err *e)
{
    static const char *const keys[] = {"schema", "key",        "sha256",          "machine",
                                       "bits",   "big_endian", "linker_warnings", NULL};
    struct json_doc *d;
    struct list warnings = LIST_INIT;
    int64_t machine = 0, bits = 0;
    int big = 0;
    char sha256[65] = "", hex[65];
    char *path = path_join(dir, "driver");
    const struct json *o =
        record_open(dir, "driver.json", DRIVER_SCHEMA, b->driver_key, keys, &d, e);
    int r = !o || hash_read(d, o, "sha256", sha256, e) ||
                    json_i64(d, o, "machine", JSON_REQUIRED, &machine, e) ||
                    json_i64(d, o, "bits", JSON_REQUIRED, &bits, e) ||
                    json_bool(d, o, "big_endian", JSON_REQUIRED, &big, e) ||
                    json_strings(d, o, "linker_warnings", JSON_REQUIRED, &warnings, e) ||
                    file_sha256(path, hex, e)
                ? -1
                : 0;
    if (r == 0 && strcmp(hex, sha256) != 0)
        r = err_set(e, "'%s' is damaged: its SHA-256 is %s, its record says %s", path, hex, sha256);
    if (d)
        json_close(d);
    if (r) {
        list_free(&warnings);
        free(path);
        return -1;
    }
    free(b->driver);
    b->driver = path;
    memcpy(b->driver_sha256, sha256, sizeof sha256);
    b->driver_elf = (struct elf_id){(int)machine, (int)bits, big};
    list_free(&b->facts.linker_warnings);
    b->facts.linker_warnings = warnings;
    return 0;
}

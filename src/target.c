/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "target.h"

#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "core.h"
#include "datafile.h"
#include "file.h"
#include "mem.h"

static int elf_get(const struct json_doc *d, const struct json *root, struct elf_id *out,
                   struct err *e)
{
    static const char *const keys[] = {"machine", "bits", "endian", NULL};
    const struct json *o;
    char *machine = NULL, *endian = NULL;
    uint64_t bits = 0;
    int rc = -1;
    if (json_object(d, root, "elf", JSON_REQUIRED, &o, e) || json_only(d, o, keys, e) ||
        json_str(d, o, "machine", JSON_REQUIRED, &machine, e) ||
        json_u64(d, o, "bits", JSON_REQUIRED, &bits, e) ||
        json_str(d, o, "endian", JSON_REQUIRED, &endian, e))
        goto out;
    out->machine = elf_machine_by_name(machine);
    out->bits = bits == 32 ? 32 : 64;
    out->big = !strcmp(endian, "big");
    if (out->machine < 0)
        datafile_refuse(d, o, "machine", e,
                        "unknown ELF machine '%s'; expected a name of elf.h such as EM_AARCH64",
                        machine);
    else if (bits != 32 && bits != 64)
        datafile_refuse(d, o, "bits", e, "expected 32 or 64");
    else if (!out->big && strcmp(endian, "little"))
        datafile_refuse(d, o, "endian", e, "expected 'little' or 'big', found '%s'", endian);
    else
        rc = 0;
out:
    free(machine);
    free(endian);
    return rc;
}

static int variable_name_is_sane(const char *s)
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    return *s && strchr(first, *s) &&
           !s[strspn(s, "abcdefghijklmnopqrstuvwxyz"
                        "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")];
}

static int env_get(const struct json_doc *d, const struct json *cpu, struct list *out,
                   struct err *e)
{
    const struct json *o = NULL;
    if (json_object(d, cpu, "env", JSON_OPTIONAL, &o, e))
        return -1;
    for (const struct json *v = o ? json_first(o) : NULL; v; v = json_next(v)) {
        const char *name = json_key(v), *value;
        if (!variable_name_is_sane(name))
            return datafile_refuse(d, v, NULL, e, "'%s' is no name of an environment variable",
                                   name);
        if (json_value_str(v, &value))
            return datafile_refuse(d, v, NULL, e, "expected a string");
        if (value[strcspn(value, "\n\r")])
            return datafile_refuse(d, v, NULL, e, "must be one line");
        list_addf(out, "%s=%s", name, value);
    }
    return 0;
}

/* A path is meant from where the target's file is. */
static int core_get(const struct json_doc *d, const struct json *cpu, const struct target *t,
                    char **out, struct err *e)
{
    const char *word = NULL;
    char *found = NULL;
    if (json_str_ref(d, cpu, "core", JSON_OPTIONAL, &word, e))
        return -1;
    if (!word)
        return 0;
    if (!core_machine_is_known(t->elf.machine))
        return datafile_refuse(d, cpu, "core", e, "there are no modelled cycles for %s",
                               elf_machine_name(t->elf.machine));
    if (catalog_is_path(word) && *word != '/')
        *out = xasprintf("%.*s%s", (int)(path_base(t->path) - t->path), t->path, word);
    else
        *out = xstrdup(word);
    if (catalog_path("targets/cores", "core", *out, &found, e)) {
        char *where = json_where(d, json_get(cpu, "core"));
        err_prefix(e, "%s: ", where);
        free(where);
        return -1;
    }
    free(found);
    return 0;
}

static int cpu_get(const struct json_doc *d, const struct json *o, const struct target *t,
                   struct cpu *out, struct err *e)
{
    static const char *const keys[] = {"name", "summary", "qemu_cpu", "core",
                                       "env",  "default", NULL};
    return json_only(d, o, keys, e) || datafile_name(d, o, "name", JSON_REQUIRED, &out->name, e) ||
                   datafile_text(d, o, "summary", JSON_REQUIRED, &out->summary, e) ||
                   datafile_word(d, o, "qemu_cpu", JSON_OPTIONAL, 0, &out->qemu_cpu, e) ||
                   core_get(d, o, t, &out->core, e) || env_get(d, o, &out->env, e) ||
                   json_bool(d, o, "default", JSON_OPTIONAL, &out->is_default, e)
               ? -1
               : 0;
}

static int cpus_get(const struct json_doc *d, const struct json *root, struct target *t,
                    struct err *e)
{
    const struct json *array, *is_default = NULL;
    if (json_array(d, root, "cpus", JSON_REQUIRED, &array, e))
        return -1;
    t->cpus = xcalloc(json_count(array) + 1, sizeof *t->cpus);
    for (const struct json *v = json_first(array); v; v = json_next(v)) {
        struct cpu *c = &t->cpus[t->ncpus++]; /* counted first: target_free() has what it got */
        if (cpu_get(d, v, t, c, e))
            return -1;
        for (size_t i = 0; i + 1 < t->ncpus; i++)
            if (!strcmp(t->cpus[i].name, c->name))
                return datafile_refuse(d, v, "name", e, "a second CPU model named '%s'", c->name);
        if (c->is_default && is_default)
            return datafile_refuse(d, v, "default", e,
                                   "a second default; exactly one CPU model is the default");
        if (c->is_default)
            is_default = v;
    }
    if (!t->ncpus)
        return datafile_refuse(d, root, "cpus", e, "needs at least one CPU model");
    if (!is_default)
        return datafile_refuse(d, root, "cpus", e,
                               "no default; exactly one CPU model needs \"default\": true");
    return 0;
}

static int packages_get(const struct json_doc *d, const struct json *root, struct target *t,
                        struct err *e)
{
    static const char *const keys[] = {"compiler", "qemu", NULL};
    const struct json *o = NULL;
    if (json_object(d, root, "packages", JSON_OPTIONAL, &o, e))
        return -1;
    if (!o)
        return 0;
    return json_only(d, o, keys, e) || datafile_names(d, o, "compiler", &t->compiler_packages, e) ||
                   datafile_names(d, o, "qemu", &t->qemu_packages, e)
               ? -1
               : 0;
}

int target_load(const char *path, struct target *out, struct err *e)
{
    static const char *const keys[] = {
        "schema", "name", "summary", "triplet",  "cross_prefix",   "configure", "cflags",
        "elf",    "qemu", "cpus",    "packages", "in_default_set", NULL};
    struct target t = {0};
    struct json_doc *d = datafile_open(path, "crypto-bench-target/1", keys, e);
    if (!d)
        return -1;
    const struct json *o = json_root(d);
    t.path = xstrdup(path);
    if (datafile_name(d, o, "name", JSON_REQUIRED, &t.name, e) ||
        datafile_text(d, o, "summary", JSON_REQUIRED, &t.summary, e) ||
        datafile_name(d, o, "triplet", JSON_REQUIRED, &t.triplet, e) ||
        datafile_word(d, o, "cross_prefix", JSON_REQUIRED, 1, &t.cross_prefix, e) ||
        datafile_name(d, o, "configure", JSON_REQUIRED, &t.configure, e) ||
        datafile_flags(d, o, "cflags", &t.cflags, e) || elf_get(d, o, &t.elf, e) ||
        datafile_name(d, o, "qemu", JSON_OPTIONAL, &t.qemu, e) || cpus_get(d, o, &t, e) ||
        packages_get(d, o, &t, e) ||
        json_bool(d, o, "in_default_set", JSON_OPTIONAL, &t.in_default_set, e)) {
        e->exit_code = EXIT_USAGE;
        target_free(&t);
        json_close(d);
        return -1;
    }
    json_close(d);
    *out = t;
    return 0;
}

void target_free(struct target *t)
{
    for (size_t i = 0; i < t->ncpus; i++) {
        free(t->cpus[i].name);
        free(t->cpus[i].summary);
        free(t->cpus[i].qemu_cpu);
        free(t->cpus[i].core);
        list_free(&t->cpus[i].env);
    }
    free(t->cpus);
    free(t->path);
    free(t->name);
    free(t->summary);
    free(t->triplet);
    free(t->cross_prefix);
    free(t->configure);
    free(t->qemu);
    list_free(&t->cflags);
    list_free(&t->compiler_packages);
    list_free(&t->qemu_packages);
    *t = (struct target){0};
}

const struct cpu *target_default_cpu(const struct target *t)
{
    const struct cpu *c = t->cpus;
    while (!c->is_default) /* target_load() saw to it that there is one */
        c++;
    return c;
}

const struct cpu *target_cpu(const struct target *t, const char *name, struct err *e)
{
    struct list known = LIST_INIT;
    for (size_t i = 0; i < t->ncpus; i++) {
        if (!strcmp(t->cpus[i].name, name)) {
            list_free(&known);
            return &t->cpus[i];
        }
        list_add(&known, t->cpus[i].name);
    }
    char *noun = xasprintf("CPU model of target %s:", t->name);
    unknown_word(e, noun, name, &known);
    free(noun);
    list_free(&known);
    return NULL;
}

int target_is_native(const struct target *t)
{
    /* This program itself is what the machine runs: no table of uname strings is needed. */
    struct elf_file self;
    struct err e = ERR_INIT;
    int native = !elf_read("/proc/self/exe", &self, &e) && elf_id_equal(&self.id, &t->elf);
    err_clear(&e);
    return native;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/* The axes of a plan: words on the command line become targets, configs,
 * libraries and compilers. */
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "mem.h"
#include "plan.h"

/* The words of an axis with 'all' and the empty list (the default set, found by
 * is_default on each file) replaced. */
static int axis_words(const struct list *given, const char *kind, int (*is_default)(const char *),
                      struct list *out, struct err *e)
{
    struct list names = LIST_INIT;
    if ((!given->n || list_has(given, "all")) && catalog_names(kind, &names, e))
        return -1;
    if (!given->n) {
        for (size_t i = 0; i < names.n; i++)
            if (is_default(names.v[i]))
                list_add(out, names.v[i]);
    } else {
        for (size_t i = 0; i < given->n; i++) {
            if (strcmp(given->v[i], "all")) {
                if (!list_has(out, given->v[i]))
                    list_add(out, given->v[i]);
                continue;
            }
            for (size_t k = 0; k < names.n; k++)
                if (!list_has(out, names.v[k]))
                    list_add(out, names.v[k]);
        }
    }
    list_free(&names);
    return 0;
}

static int target_file(const char *word, struct target *out, struct err *e)
{
    char *path;
    if (catalog_path("targets", "target", word, &path, e))
        return -1;
    int rc = target_load(path, out, e);
    free(path);
    return rc;
}

static int config_file(const char *word, struct config *out, struct err *e)
{
    char *path;
    if (catalog_path("configs", "config", word, &path, e))
        return -1;
    int rc = config_load(path, out, e);
    free(path);
    return rc;
}

static int target_is_default(const char *name)
{
    struct target t = {0};
    struct err e = ERR_INIT;
    int yes = !target_file(name, &t, &e) && t.in_default_set;
    target_free(&t);
    err_clear(&e);
    return yes;
}

static int config_is_default(const char *name)
{
    struct config c = {0};
    struct err e = ERR_INIT;
    int yes = !config_file(name, &c, &e) && c.in_default_set;
    config_free(&c);
    err_clear(&e);
    return yes;
}

static int library_is_default(const char *name)
{
    struct library l = {0};
    struct err e = ERR_INIT;
    int yes = !library_find(name, &l, &e) && l.is_default;
    library_free(&l);
    err_clear(&e);
    return yes;
}

/* Results name things by name alone, so one name may not mean two things. */
static int name_clash(const char *noun, const char *name, const char *a, const char *b,
                      struct err *e)
{
    return err_usage(e, "two %ss have the name '%s': %s and %s; give one of them another name",
                     noun, name, a, b);
}

/* "TARGET:CPU" split; a path keeps its colons before the last slash. */
static void target_word_split(const char *word, char **name, char **cpu)
{
    const char *colon = strrchr(word, ':');
    if (colon && strchr(colon, '/'))
        colon = NULL;
    *name = colon ? xstrndup(word, (size_t)(colon - word)) : xstrdup(word);
    *cpu = colon ? xstrdup(colon + 1) : NULL;
}

static int target_add(struct plan *p, const char *word, struct err *e)
{
    char *name, *cpu;
    struct target t = {0};
    size_t i;
    int rc = -1;

    target_word_split(word, &name, &cpu);
    if (target_file(name, &t, e))
        goto out;
    for (i = 0; i < p->ntargets; i++)
        if (!strcmp(p->targets[i].name, t.name))
            break;
    if (i < p->ntargets && strcmp(p->targets[i].path, t.path)) {
        name_clash("target", t.name, p->targets[i].path, t.path, e);
        goto out;
    }
    if (i == p->ntargets) {
        p->targets = xreallocarray(p->targets, i + 1, sizeof *p->targets);
        p->cpus = xreallocarray(p->cpus, i + 1, sizeof *p->cpus);
        p->targets[i] = t;
        p->cpus[i] = (struct list)LIST_INIT;
        p->ntargets++;
        t = (struct target){0};
    }
    if (cpu) {
        if (!target_cpu(&p->targets[i], cpu, e))
            goto out;
        if (!list_has(&p->cpus[i], cpu))
            list_add(&p->cpus[i], cpu);
    }
    rc = 0;
out:
    target_free(&t);
    free(name);
    free(cpu);
    return rc;
}

/* --cpu: models go to every target that has them; one that no target has is a
 * usage error. */
static int cpus_spread(const struct options *o, struct plan *p, struct err *e)
{
    for (size_t w = 0; w < o->cpu.n; w++) {
        const char *word = o->cpu.v[w];
        int all = !strcmp(word, "all"), found = 0;
        for (size_t t = 0; t < p->ntargets; t++) {
            for (size_t k = 0; k < p->targets[t].ncpus; k++) {
                const char *name = p->targets[t].cpus[k].name;
                if (!all && strcmp(name, word))
                    continue;
                found = 1;
                if (!list_has(&p->cpus[t], name))
                    list_add(&p->cpus[t], name);
            }
        }
        if (!found) {
            struct list known = LIST_INIT;
            for (size_t t = 0; t < p->ntargets; t++)
                for (size_t k = 0; k < p->targets[t].ncpus; k++)
                    list_add(&known, p->targets[t].cpus[k].name);
            list_sort_unique(&known);
            unknown_word(e, "CPU model", word, &known);
            list_free(&known);
            return -1;
        }
    }
    return 0;
}

static int targets_resolve(const struct options *o, struct plan *p, struct err *e)
{
    struct list words = LIST_INIT;
    int rc = axis_words(&o->target, "targets", target_is_default, &words, e);
    for (size_t i = 0; i < words.n && !rc; i++)
        rc = target_add(p, words.v[i], e);
    list_free(&words);
    return rc ? rc : cpus_spread(o, p, e);
}

static int config_order(const void *a, const void *b)
{
    const struct config *x = a, *y = b;
    return x->order != y->order ? (x->order > y->order) - (x->order < y->order)
                                : strcmp(x->name, y->name);
}

static int configs_resolve(const struct options *o, struct plan *p, struct err *e)
{
    struct list words = LIST_INIT;
    int rc = axis_words(&o->config, "configs", config_is_default, &words, e);
    p->configs = xcalloc(words.n + 1, sizeof *p->configs);
    for (size_t i = 0; i < words.n && !rc; i++) {
        struct config *c = &p->configs[p->nconfigs];
        rc = config_file(words.v[i], c, e);
        for (size_t k = 0; k < p->nconfigs && !rc; k++)
            if (!strcmp(p->configs[k].name, c->name))
                rc = name_clash("config", c->name, p->configs[k].path, c->path, e);
        p->nconfigs++; /* counted also on error, so that plan_free sees it */
    }
    list_free(&words);
    if (!rc)
        qsort(p->configs, p->nconfigs, sizeof *p->configs, config_order);
    return rc;
}

/* The two sides of a gate. They may be the same library, so their names say which side they are. */
static int sides_resolve(const struct options *o, struct plan *p, struct err *e)
{
    const char *words[] = {o->base, o->new_}, *sides[] = {"base", "new"};
    p->libraries = xcalloc(2, sizeof *p->libraries);
    for (; p->nlibraries < 2; p->nlibraries++) {
        struct library *l = &p->libraries[p->nlibraries];
        if (library_find(words[p->nlibraries], l, e))
            return -1;
        char *name = xasprintf("%s@%s", l->name, sides[p->nlibraries]);
        free(l->name);
        l->name = name;
        l->side = xstrdup(sides[p->nlibraries]);
    }
    return 0;
}

static int libraries_resolve(const struct options *o, struct plan *p, struct err *e)
{
    if (o->base)
        return sides_resolve(o, p, e);
    struct list words = LIST_INIT;
    int rc = axis_words(&o->library, "libraries", library_is_default, &words, e);
    p->libraries = xcalloc(words.n + 1, sizeof *p->libraries);
    for (size_t i = 0; i < words.n && !rc; i++) {
        struct library *l = &p->libraries[p->nlibraries];
        rc = library_find(words.v[i], l, e);
        for (size_t k = 0; k < p->nlibraries && !rc; k++)
            if (!strcmp(p->libraries[k].name, l->name))
                rc = name_clash("library", l->name, p->libraries[k].path, l->path, e);
        p->nlibraries++;
    }
    list_free(&words);
    return rc;
}

/* A missing compiler is no error of the plan: its builds get the status. */
static int compilers_resolve(const struct options *o, struct plan *p, struct err *e)
{
    struct list words = LIST_INIT;
    for (size_t i = 0; i < o->cc.n; i++) {
        if (strcmp(o->cc.v[i], "all")) {
            if (!list_has(&words, o->cc.v[i]))
                list_add(&words, o->cc.v[i]);
            continue;
        }
        for (size_t t = 0; t < p->ntargets; t++) {
            struct list found = LIST_INIT;
            compiler_scan(&p->targets[t], &found);
            for (size_t k = 0; k < found.n; k++)
                if (!list_has(&words, found.v[k]))
                    list_add(&words, found.v[k]);
            list_free(&found);
        }
        if (!words.n)
            list_add(&words, "gcc");
    }
    if (!words.n)
        list_add(&words, "gcc");

    p->ncc = words.n;
    p->cc_words = xcalloc(words.n, sizeof *p->cc_words);
    p->compilers = xcalloc(words.n * p->ntargets, sizeof *p->compilers);
    p->compiler_errors = xcalloc(words.n * p->ntargets, sizeof *p->compiler_errors);
    for (size_t k = 0; k < words.n; k++)
        p->cc_words[k] = xstrdup(words.v[k]);
    int rc = 0;
    for (size_t t = 0; t < p->ntargets && !rc; t++) {
        for (size_t k = 0; k < words.n && !rc; k++) {
            struct err why = ERR_INIT;
            size_t at = t * words.n + k;
            if (compiler_find(words.v[k], &p->targets[t], &p->compilers[at], &why)) {
                if (why.exit_code == EXIT_USAGE) {
                    rc = err_usage(e, "%s", why.text);
                } else {
                    p->compiler_errors[at] = xstrdup(why.text);
                }
            }
            err_clear(&why);
        }
    }
    list_free(&words);
    return rc;
}

int plan_axes(const struct options *o, struct plan *p, struct err *e)
{
    if (targets_resolve(o, p, e) || configs_resolve(o, p, e) || libraries_resolve(o, p, e) ||
        compilers_resolve(o, p, e))
        return -1;
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "cmd.h"
#include "compiler.h"
#include "config.h"
#include "core.h"
#include "library.h"
#include "mem.h"
#include "plan.h"
#include "spawn.h"
#include "status.h"
#include "target.h"
#include "suite.h"
#include "workload.h"

/* Every row begins with two blanks and the name: the bash completion reads it. */

static int list_targets(struct options *o, struct err *e)
{
    struct list names = LIST_INIT;
    int rc = catalog_names("targets", &names, e);
    (void)o;
    for (size_t i = 0; i < names.n && !rc; i++) {
        struct target t = {0};
        char *path = NULL;
        rc = catalog_path("targets", "target", names.v[i], &path, e) || target_load(path, &t, e);
        if (!rc) {
            printf("  %-18s %s%s%s\n", t.name, t.summary,
                   t.in_default_set ? "" : " (not by default)",
                   target_is_native(&t) ? " [this machine]" : "");
            for (size_t k = 0; k < t.ncpus; k++)
                printf("      %s:%-24s %s%s%s%s%s\n", t.name, t.cpus[k].name, t.cpus[k].summary,
                       t.cpus[k].is_default ? " (default)" : "",
                       t.cpus[k].core ? " [modelled: " : "", t.cpus[k].core ? t.cpus[k].core : "",
                       t.cpus[k].core ? "]" : "");
        }
        target_free(&t);
        free(path);
    }
    list_free(&names);
    return rc ? -1 : 0;
}

static int list_cores(struct options *o, struct err *e)
{
    struct list names = LIST_INIT;
    int rc = catalog_names("targets/cores", &names, e);
    (void)o;
    for (size_t i = 0; i < names.n && !rc; i++) {
        struct core c = {0};
        rc = core_load(names.v[i], &c, e);
        if (!rc)
            printf("  %-18s %s (table v%d)\n", c.name, c.summary, c.version);
        core_free(&c);
    }
    list_free(&names);
    return rc ? -1 : 0;
}

static int list_configs(struct options *o, struct err *e)
{
    struct list names = LIST_INIT;
    int rc = catalog_names("configs", &names, e);
    (void)o;
    for (size_t i = 0; i < names.n && !rc; i++) {
        struct config c = {0};
        char *path = NULL;
        rc = catalog_path("configs", "config", names.v[i], &path, e) || config_load(path, &c, e);
        if (!rc) {
            char *flags = list_join(&c.cflags, " "), *more = list_join(&c.configure, " ");
            printf("  %-18s %s%s\n      flags: %s%s%s%s%s\n", c.name, c.summary,
                   c.in_default_set ? "" : " (not by default)", flags,
                   more[0] ? "; Configure: " : "", more, c.baseline ? "; compared with " : "",
                   c.baseline ? c.baseline : "");
            free(flags);
            free(more);
        }
        config_free(&c);
        free(path);
    }
    list_free(&names);
    return rc ? -1 : 0;
}

static int list_libraries(struct options *o, struct err *e)
{
    struct list names = LIST_INIT;
    int rc = catalog_names("libraries", &names, e);
    (void)o;
    for (size_t i = 0; i < names.n && !rc; i++) {
        struct library l = {0};
        rc = library_find(names.v[i], &l, e);
        if (!rc)
            printf("  %-18s %s %s%s%s%s\n", l.name, l.version, l.summary, l.lifecycle ? "; " : "",
                   l.lifecycle ? l.lifecycle : "", l.is_default ? " (default)" : "");
        library_free(&l);
    }
    list_free(&names);
    if (!rc)
        puts("  Also a library file (JSON), a source tree or a prebuilt prefix, by its path: "
             "--library ./openssl");
    return rc ? -1 : 0;
}

static int list_algorithms(struct options *o, struct err *e)
{
    (void)o;
    (void)e;
    for (size_t i = 0; i < algorithm_count(); i++)
        printf("  %-18s %s%s\n", algorithm_at(i)->name, algorithm_at(i)->summary,
               algorithm_at(i)->in_default_set ? "" : " (not by default)");
    return 0;
}

static int list_workloads(struct options *o, struct err *e)
{
    (void)o;
    (void)e;
    for (size_t i = 0; i < workload_count(); i++)
        printf("  %-18s %s\n", workload_at(i)->name, workload_at(i)->summary);
    return 0;
}

static int list_suites(struct options *o, struct err *e)
{
    struct list names = LIST_INIT;
    int rc = catalog_names("suites", &names, e);
    (void)o;
    for (size_t i = 0; i < names.n && !rc; i++) {
        struct suite s = {0};
        char *path = NULL;
        rc = catalog_path("suites", "suite", names.v[i], &path, e) || suite_load(path, &s, e);
        if (!rc)
            printf("  %-18s %s\n", s.name, s.summary);
        suite_free(&s);
        free(path);
    }
    list_free(&names);
    return rc;
}

static int list_statuses(struct options *o, struct err *e)
{
    (void)o;
    (void)e;
    for (int i = 0; i < STATUS_COUNT; i++)
        printf("  %-20s %s\n", status_name((enum status)i), status_summary((enum status)i));
    return 0;
}

static int list_compilers(struct options *o, struct err *e)
{
    struct plan p = {0};
    struct options all = {.target = o->target};
    struct list every = LIST_INIT;

    list_add(&every, "all");
    if (!all.target.n)
        all.target = every;
    all.cc = every;
    int rc = plan_axes(&all, &p, e);
    /* what was not looked for is not missing */
    if (!rc && interrupt_pending())
        rc = err_set(e, "interrupted");
    for (size_t t = 0; t < p.ntargets && !rc; t++) {
        int found = 0;
        printf("  %s\n", p.targets[t].name);
        for (size_t k = 0; k < p.ncc; k++) {
            const struct compiler *c = &p.compilers[t * p.ncc + k];
            if (!c->argv.n)
                continue;
            char *line = list_join(&c->argv, " ");
            printf("      %-12s %s %s: %s\n", c->word, c->family, c->version, line);
            free(line);
            found++;
        }
        if (!found) {
            char *package = compiler_package("gcc", &p.targets[t]);
            printf("      none; install: apt-get install %s\n", package ? package : "a compiler");
            free(package);
        }
    }
    plan_free(&p);
    list_free(&every);
    return rc;
}

static const struct {
    const char *name, *title;
    int (*print)(struct options *o, struct err *e);
    int in_overview;
} lists[] = {
    {"targets", "Targets and their CPU models (--target NAME or NAME:CPU)", list_targets, 1},
    {"cores", "Cores with a pipeline table, for modelled cycles (\"core\" of a target's CPU model)",
     list_cores, 1},
    {"configs", "Configs (--config)", list_configs, 1},
    {"libraries", "Libraries (--library)", list_libraries, 1},
    {"algorithms", "Algorithms (--alg)", list_algorithms, 1},
    {"workloads", "Workloads (--workload)", list_workloads, 1},
    {"suites", "Suites (run --suite)", list_suites, 1},
    {"compilers", "Compilers found (--cc)", list_compilers, 1},
    {"statuses", "Statuses of builds and cells", list_statuses, 0},
};
#define NLISTS (sizeof lists / sizeof lists[0])

static int words_known(const struct options *o, struct err *e)
{
    struct list known = LIST_INIT;
    int rc = 0;
    for (size_t i = 0; i < NLISTS; i++)
        list_add(&known, lists[i].name);
    for (size_t i = 0; i < o->args.n && !rc; i++)
        if (!list_has(&known, o->args.v[i]))
            rc = unknown_word(e, "list", o->args.v[i], &known);
    list_free(&known);
    return rc;
}

int cmd_list(struct options *o)
{
    struct err e = ERR_INIT;
    int rc = words_known(o, &e), status;

    for (size_t i = 0; i < NLISTS && !rc; i++) {
        if (o->args.n ? !list_has(&o->args, lists[i].name) : !lists[i].in_overview)
            continue;
        printf("%s:\n", lists[i].title);
        rc = lists[i].print(o, &e);
    }
    status = rc ? e.exit_code : EXIT_OK;
    if (rc)
        fprintf(stderr, "crypto-bench: %s\n", e.text);
    err_clear(&e);
    return status;
}

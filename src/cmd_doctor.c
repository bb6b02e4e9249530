/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "compiler.h"
#include "file.h"
#include "gnuplot.h"
#include "mem.h"
#include "plan.h"
#include "spawn.h"

/* Programs that builds call, and the Debian package of each. */
static const struct {
    const char *program, *package, *why;
} programs[] = {
    {"perl", "perl", "runs the library's Configure"},
    {"make", "make", "runs its build"},
    {"tar", "tar", "unpacks sources"},
    {"gzip", "gzip", "unpacks sources, compressed sizes"},
    {"xz", "xz-utils", "compressed sizes"},
    {"curl", "curl", "fetches sources from upstream"},
};

struct doctor {
    struct list packages; /* missing */
    int silent, problems;
};

static void need(struct doctor *d, const struct list *packages)
{
    d->problems++;
    list_add_all(&d->packages, packages);
}

static void say(const struct doctor *d, const char *mark, const char *what, const char *detail)
{
    if (!d->silent)
        printf("  %-8s %s%s%s\n", mark, what, detail[0] ? ": " : "", detail);
}

static void check_programs(struct doctor *d)
{
    if (!d->silent)
        puts("Building libraries:");
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        char *path = path_program(programs[i].program);
        struct list package = LIST_INIT;
        if (path) {
            say(d, "ok", programs[i].program, path);
        } else {
            say(d, "MISSING", programs[i].program, programs[i].why);
            list_add(&package, programs[i].package);
            need(d, &package);
        }
        list_free(&package);
        free(path);
    }
}

/* Of use, and nothing that runs lack without it. */
static void check_plots(const struct doctor *d)
{
    if (!d->silent)
        puts("Plots of reports:");
    if (gnuplot_found())
        say(d, "ok", "gnuplot", "draws --format svg, png, and the plots of html");
    else
        say(d, "without", "gnuplot", gnuplot_missing);
}

/* A cross compiler can be there without a libc to link statically. */
static int has_static_libc(const struct compiler *c)
{
    struct list argv = LIST_INIT;
    struct str out = STR_INIT;
    struct err e = ERR_INIT;
    list_add_all(&argv, &c->argv);
    list_add(&argv, "-print-file-name=libc.a");
    int ok = !spawn_output(&argv, NULL, NULL, 10000, &out, NULL, &e);
    str_trim(&out);
    ok = ok && out.p && path_is_file(out.p);
    list_free(&argv);
    str_free(&out);
    err_clear(&e);
    return ok;
}

static void check_compiler(struct doctor *d, const struct plan *p, size_t t, size_t k)
{
    const struct target *target = &p->targets[t];
    const struct compiler *c = &p->compilers[t * p->ncc + k];
    if (!c->argv.n) {
        struct list packages = LIST_INIT;
        char *package = compiler_package(p->cc_words[k], target);
        say(d, "MISSING", p->cc_words[k], p->compiler_errors[t * p->ncc + k]);
        if (package)
            list_add(&packages, package);
        list_add_all(&packages, &target->compiler_packages);
        need(d, &packages);
        list_free(&packages);
        free(package);
        return;
    }
    char *text = xasprintf("%s %s, %s", c->family, c->version, c->argv.v[0]);
    say(d, "ok", p->cc_words[k], text);
    free(text);
    if (!has_static_libc(c)) {
        say(d, "MISSING", "static libc", "the compiler has no libc.a to link drivers with");
        need(d, &target->compiler_packages);
    }
}

/* Names before a comma: "cortex-a9,neon=off" is cortex-a9 with a property. */
static int model_listed(const char *help, const char *model)
{
    char *name = xstrndup(model, strcspn(model, ","));
    size_t n = strlen(name);
    int yes = 0;
    for (const char *p = strstr(help, name); p && !yes; p = strstr(p + 1, name)) {
        char before = p == help ? ' ' : p[-1];
        yes = strchr(" \n\t'", before) && (!p[n] || strchr(" \n\t'", p[n]));
    }
    free(name);
    return yes;
}

static void check_models(struct doctor *d, const struct target *t, const char *qemu)
{
    struct list argv = LIST_INIT;
    struct str out = STR_INIT;
    struct err e = ERR_INIT;
    list_add(&argv, qemu);
    list_add(&argv, "-cpu");
    list_add(&argv, "help");
    /* qemu-user 7.2 prints its list and then exits with 1 */
    if (spawn_output(&argv, NULL, NULL, 10000, &out, NULL, &e) && !out.n)
        say(d, "?", "CPU models", e.text);
    for (size_t i = 0; i < t->ncpus && out.p; i++) {
        const char *model = t->cpus[i].qemu_cpu;
        if (!model || model_listed(out.p, model)) {
            say(d, "ok", "CPU model", t->cpus[i].name);
        } else {
            char *text = xasprintf("%s: this QEMU has no -cpu %s", t->cpus[i].name, model);
            say(d, "MISSING", "CPU model", text);
            d->problems++;
            free(text);
        }
    }
    list_free(&argv);
    str_free(&out);
    err_clear(&e);
}

static void check_emulator(struct doctor *d, const struct target *t)
{
    char *path = path_program(t->qemu);
    if (target_is_native(t)) {
        say(d, "ok", "runs natively", path ? path : "QEMU not installed, and not needed");
        free(path);
        return;
    }
    if (path) {
        say(d, "ok", "emulator", path);
        check_models(d, t, path);
    } else {
        say(d, "MISSING", "emulator", t->qemu);
        need(d, &t->qemu_packages);
    }
    free(path);
}

int cmd_doctor(struct options *o)
{
    struct plan p = {0};
    struct err e = ERR_INIT;
    struct doctor d = {.silent = o->missing_packages};
    int status = EXIT_FAILED;

    if (o->args.n)
        err_usage(&e, "'%s': doctor takes options only; see crypto-bench doctor --help",
                  o->args.v[0]);
    if (e.text || plan_axes(o, &p, &e))
        goto out;
    if (interrupt_pending()) {
        err_set(&e, "interrupted");
        goto out;
    }
    check_programs(&d);
    check_plots(&d);
    for (size_t t = 0; t < p.ntargets; t++) {
        if (!d.silent)
            printf("%s (%s):\n", p.targets[t].name, p.targets[t].summary);
        for (size_t k = 0; k < p.ncc && !interrupt_pending(); k++)
            check_compiler(&d, &p, t, k);
        if (!interrupt_pending())
            check_emulator(&d, &p.targets[t]);
    }
    if (interrupt_pending()) {
        err_set(&e, "interrupted");
        goto out;
    }
    list_sort_unique(&d.packages);
    if (d.silent) {
        for (size_t i = 0; i < d.packages.n; i++)
            puts(d.packages.v[i]);
    } else if (d.packages.n) {
        char *all = list_join(&d.packages, " ");
        printf("To install what is missing: apt-get install %s\n", all);
        free(all);
    } else if (!d.problems) {
        puts("Nothing is missing.");
    }
    status = d.problems && !d.silent ? EXIT_FAILED : EXIT_OK;
out:
    if (e.text) {
        fprintf(stderr, "crypto-bench: %s\n", e.text);
        status = e.exit_code;
    }
    err_clear(&e);
    list_free(&d.packages);
    plan_free(&p);
    return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "plotkind.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "file.h"
#include "mem.h"
#include "plot_make.h"

static const struct kind {
    const char *name, *summary;
    void (*make)(const struct result_file *, size_t, const struct list *metric, struct plot *);
} kinds[] = {
    {"block-size",
     "throughput, or instructions per byte, against block size: one line a config, a panel for "
     "each target and algorithm",
     plot_block_size},
    {"size-speed",
     "throughput, or instructions per byte, against the size of the library: all configs of a "
     "target, with the Pareto front",
     plot_size_speed},
    {"history",
     "throughput, or instructions per byte, of the same cells over many result files, in the order "
     "in which they were made",
     plot_history},
};

static const char *const drawn_formats[] = {"svg", "png"};

enum { KINDS = sizeof kinds / sizeof *kinds };

static const struct kind *kind_find(const char *name)
{
    for (size_t i = 0; i < KINDS; i++)
        if (!strcmp(kinds[i].name, name))
            return &kinds[i];
    return NULL;
}

void plot_kinds(struct list *out)
{
    for (size_t i = 0; i < KINDS; i++)
        list_add(out, kinds[i].name);
}

const char *plot_kind_summary(const char *kind)
{
    const struct kind *found = kind_find(kind);
    return found ? found->summary : NULL;
}

int plot_check_word(const char *kind, const char *format, struct err *e)
{
    int drawn = 0;
    if (!kind)
        return 0;
    for (size_t i = 0; i < sizeof drawn_formats / sizeof *drawn_formats; i++)
        drawn = drawn || !strcmp(drawn_formats[i], format);
    if (!drawn)
        return err_usage(e, "--plot '%s': the format '%s' is no picture; give --format svg or png",
                         kind, format);
    if (kind_find(kind))
        return 0;
    struct list known = LIST_INIT;
    plot_kinds(&known);
    unknown_word(e, "plot", kind, &known);
    list_free(&known);
    return -1;
}

void plot_make(const char *kind, const struct result_file *files, size_t n,
               const struct list *metric, struct plot *out)
{
    const struct kind *found = kind ? kind_find(kind) : &kinds[0];
    *out = (struct plot){0};
    if (found)
        found->make(files, n, metric, out);
}

/* ---- choices ---- */

static char *target_word(const struct result_cell *c)
{
    return xstrdup(c->target);
}

static char *cpu_word(const struct result_cell *c)
{
    return xstrdup(c->cpu);
}

static char *alg_word(const struct result_cell *c)
{
    return xstrdup(c->alg);
}

static char *op_word(const struct result_cell *c)
{
    return xstrdup(c->op);
}

static char *size_word(const struct result_cell *c)
{
    return xasprintf("%" PRIu64, c->bytes);
}

static char *library_word(const struct result_cell *c)
{
    return xstrdup(c->library);
}

static char *compiler_word(const struct result_cell *c)
{
    return xstrdup(c->compiler);
}

static const struct {
    const char *option;
    char *(*word)(const struct result_cell *);
} axes[] = {
    {"target", target_word},   {"cpu", cpu_word},     {"alg", alg_word},   {"op", op_word},
    {"library", library_word}, {"cc", compiler_word}, {"size", size_word},
};

char *plot_choices(const struct result_file *files, size_t n)
{
    struct str out = STR_INIT;
    for (size_t a = 0; a < sizeof axes / sizeof *axes; a++) {
        struct list words = LIST_INIT;
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < files[i].ncells; k++) {
                char *word = axes[a].word(&files[i].cells[k]);
                if (*word && !list_has(&words, word))
                    list_add(&words, word);
                free(word);
            }
        char *all = list_join(&words, ", ");
        if (words.n > 1)
            str_addf(&out, "%s--%s (%s)", out.n ? ", " : "", axes[a].option, all);
        free(all);
        list_free(&words);
    }
    return str_take(&out);
}

/* ---- names ---- */

char *plot_machine(const struct result_lane *l)
{
    return xasprintf("%s%s%s, %s", l->target, l->cpu[0] ? " " : "", l->cpu, l->runner);
}

char *plot_toolchain(const struct result_build *b, int with_compiler)
{
    struct str out = STR_INIT;
    str_addf(&out, "%s%s%s", b->library, b->version ? " " : "", b->version ? b->version : "");
    if (with_compiler && b->family && b->cc_version)
        str_addf(&out, ", %s %s", b->family, b->cc_version);
    else if (with_compiler)
        str_addf(&out, ", %s", b->cc);
    return str_take(&out);
}

char *plot_note(enum figure f, const struct result_lane *l)
{
    return xasprintf("%s%s", f == FIGURE_INSNS && l->emulated ? "counted under EMULATION: " : "",
                     figure_note(f));
}

char *plot_file_prefix(const struct result_file *files, size_t n, size_t i)
{
    return n > 1 ? xasprintf("%s: ", path_base(files[i].path)) : xstrdup("");
}

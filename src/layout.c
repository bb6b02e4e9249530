/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "layout.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "grid.h"
#include "mem.h"

static int has_real_time(const struct result_cell *c)
{
    return c->time.n && !c->emulated;
}

static int markdown(const char *format)
{
    return !strcmp(format, "markdown");
}

static void title(FILE *f, const char *format, const char *text)
{
    fprintf(f, "%s%s\n%s", markdown(format) ? "### " : "", text, markdown(format) ? "\n" : "");
}

/* 1 at the first cell of a group, when no cell before it is equal by `same`. */
static int is_first(const struct result_file *r, size_t i,
                    int (*same)(const struct result_cell *, const struct result_cell *))
{
    for (size_t k = 0; k < i; k++)
        if (same(&r->cells[k], &r->cells[i]))
            return 0;
    return 1;
}

/* ---- openssl speed ---- */

/* Lines as `openssl speed` closes with: thousands of bytes a second, a column a size. */
static int speed_block(FILE *f, const struct block *b, int (*has)(const struct result_cell *))
{
    int any = 0;
    for (size_t row = 0; row < b->nbuilds; row++) {
        int here = 0;
        for (size_t s = 0; s < b->nsizes; s++)
            here |= block_cell(b, row, s) && has(block_cell(b, row, s));
        if (!here)
            continue;
        if (!any) {
            fprintf(f, "%s, %s, %s%s%s%s%s\ntype            ", b->builds[0]->library,
                    b->first->workload, b->lane->target, b->lane->cpu[0] ? " " : "", b->lane->cpu,
                    b->lane->emulated ? ", EMULATED TIME" : "", "");
            for (size_t s = 0; s < b->nsizes; s++) {
                char *head = xasprintf("%" PRIu64 " bytes", b->sizes[s]);
                fprintf(f, " %13s", head);
                free(head);
            }
            fputc('\n', f);
        }
        any = 1;
        fprintf(f, "%-16s", b->first->alg);
        for (size_t s = 0; s < b->nsizes; s++) {
            const struct result_cell *c = block_cell(b, row, s);
            if (c && has(c))
                fprintf(f, " %12.2fk", rate_kb_s(c->time.median, c->bytes));
            else
                fprintf(f, " %13s", "-");
        }
        fprintf(f, "  %s, %s\n", b->builds[row]->cc, b->builds[row]->config);
    }
    return any;
}

static int has_time(const struct result_cell *c)
{
    return c->time.n > 0;
}

static int openssl_speed(FILE *f, const struct result_file *r, const char *format)
{
    struct blocks all;
    int any = 0;

    blocks_make(r, &all);
    title(f, format, "The 'numbers' are in 1000s of bytes per second processed.");
    if (markdown(format))
        fputs("```\n", f);
    for (size_t i = 0; i < all.n; i++)
        any |= speed_block(f, &all.v[i], has_time);
    if (!any)
        fputs("no cell has a time\n", f);
    if (markdown(format))
        fputs("```\n", f);
    fputc('\n', f);
    blocks_free(&all);
    return 0;
}

/* ---- compilers as rows, flags as columns ---- */

static int same_compiler_table(const struct result_cell *a, const struct result_cell *b)
{
    return a->lane == b->lane && a->bytes == b->bytes && !strcmp(a->alg, b->alg) &&
           !strcmp(a->op, b->op) && !strcmp(a->library, b->library) &&
           !strcmp(a->workload, b->workload);
}

static char *cycles_text(const struct result_cell *c)
{
    return c->cycles.n ? xasprintf("%.2f", c->cycles.median / (double)c->bytes) : NULL;
}

static char *insns_text(const struct result_cell *c)
{
    return c->insns.counted ? xasprintf("%.2f", (double)c->insns.per_op / (double)c->bytes) : NULL;
}

static char *time_text(const struct result_cell *c)
{
    return has_real_time(c) ? xasprintf("%.2f", c->time.median / (double)c->bytes) : NULL;
}

static char *frame_text(const struct result_cell *c)
{
    const struct stack_use *s = &c->build->stack.use;
    return s->n ? xasprintf("%" PRIu64 " %s", s->v[0].bytes, s->v[0].function) : NULL;
}

/* What such a table shows of a cell: text gives NULL when there is none. */
static const struct figure {
    const char *what;
    char *(*text)(const struct result_cell *c);
} figures[] = {
    {"cycles/byte", cycles_text},
    {"ns/byte", time_text},
    {"instructions/byte", insns_text},
    {"largest stack frame, bytes, and its function", frame_text},
};

/* The config and compiler axes of a table, in the order of the file. */
static void axes_of(const struct result_file *r, size_t first, struct list *configs,
                    struct list *compilers)
{
    for (size_t i = first; i < r->ncells; i++) {
        const struct result_cell *c = &r->cells[i];
        if (!same_compiler_table(&r->cells[first], c))
            continue;
        if (!list_has(configs, c->config))
            list_add(configs, c->config);
        if (!list_has(compilers, c->compiler))
            list_add(compilers, c->compiler);
    }
}

static const struct result_cell *table_cell(const struct result_file *r, size_t first,
                                            const char *config, const char *compiler)
{
    for (size_t i = first; i < r->ncells; i++) {
        const struct result_cell *c = &r->cells[i];
        if (same_compiler_table(&r->cells[first], c) && !strcmp(c->config, config) &&
            !strcmp(c->compiler, compiler))
            return c;
    }
    return NULL;
}

static int compiler_table(FILE *f, const struct result_file *r, size_t first,
                          const struct figure *figure, const char *format)
{
    struct list configs = LIST_INIT, compilers = LIST_INIT;
    const struct result_cell *c = &r->cells[first];
    struct grid g;
    int any = 0, rc = 0;

    axes_of(r, first, &configs, &compilers);
    grid_start(&g, 1 + configs.n);
    grid_add(&g, xstrdup("compiler"));
    for (size_t k = 0; k < configs.n; k++)
        grid_add(&g, xstrdup(configs.v[k]));
    for (size_t i = 0; i < compilers.n; i++) {
        const char *version = NULL;
        for (size_t k = 0; k < configs.n && !version; k++) {
            const struct result_cell *x = table_cell(r, first, configs.v[k], compilers.v[i]);
            version = x ? x->build->cc_version : NULL;
        }
        grid_add(&g, xasprintf("%s%s%s%s", compilers.v[i], version ? " (" : "",
                               version ? version : "", version ? ")" : ""));
        for (size_t k = 0; k < configs.n; k++) {
            const struct result_cell *x = table_cell(r, first, configs.v[k], compilers.v[i]);
            char *text = x ? figure->text(x) : NULL;
            any |= text != NULL;
            grid_add(&g, text ? text : xstrdup("-"));
        }
    }
    if (any) {
        char *head =
            xasprintf("%s %s, %" PRIu64 " bytes, %s: %s%s%s, %s: %s%s%s", c->alg, c->op, c->bytes,
                      c->workload, c->target, c->cpu[0] ? " " : "", c->cpu, c->library,
                      figure->what, c->cycle_source ? " by " : "",
                      c->cycle_source && figure->text == cycles_text ? c->cycle_source : "");
        title(f, format, head);
        free(head);
        rc = grid_print(f, &g, format);
        fputc('\n', f);
    }
    grid_free(&g);
    list_free(&configs);
    list_free(&compilers);
    return rc;
}

static int compilers(FILE *f, const struct result_file *r, const char *format)
{
    int rc = 0;
    for (size_t i = 0; i < r->ncells && !rc; i++) {
        if (!is_first(r, i, same_compiler_table))
            continue;
        for (size_t k = 0; k < sizeof figures / sizeof figures[0] && !rc; k++)
            rc = compiler_table(f, r, i, &figures[k], format);
    }
    return rc;
}

/* ---- OpenWrt: a block a target, algorithms by config ---- */

static int same_openwrt_block(const struct result_cell *a, const struct result_cell *b)
{
    return a->lane == b->lane && a->bytes == b->bytes && !strcmp(a->op, b->op) &&
           !strcmp(a->library, b->library) && !strcmp(a->compiler, b->compiler) &&
           !strcmp(a->workload, b->workload);
}

static char *openwrt_figure(const struct result_cell *c)
{
    if (has_real_time(c))
        return xasprintf("%.0f kB/s", rate_kb_s(c->time.median, c->bytes));
    if (c->insns.counted)
        return xasprintf("%" PRIu64 " insns", c->insns.per_op);
    return xstrdup("-");
}

/* Speed of a cell against its baseline, in per cent; 0 with *known unset when there is none. */
static double speed_change(const struct result_cell *c, int *known)
{
    const struct result_cell *b = c->baseline;
    *known = 1;
    if (b && c->ratio.n && has_real_time(c) && has_real_time(b))
        return 100 * (1 / c->ratio.median - 1);
    if (b && c->insns.counted && b->insns.counted && !has_real_time(c))
        return 100 * ((double)b->insns.per_op / (double)c->insns.per_op - 1);
    *known = 0;
    return 0;
}

static int openwrt_block(FILE *f, const struct result_file *r, size_t first, const char *format)
{
    const struct result_cell *head = &r->cells[first];
    struct list algs = LIST_INIT, configs = LIST_INIT;
    struct grid g;

    for (size_t i = first; i < r->ncells; i++) {
        const struct result_cell *c = &r->cells[i];
        if (!same_openwrt_block(head, c))
            continue;
        if (!list_has(&algs, c->alg))
            list_add(&algs, c->alg);
        if (!list_has(&configs, c->config))
            list_add(&configs, c->config);
    }
    grid_start(&g, 1 + 2 * configs.n);
    grid_add(&g, xasprintf("%" PRIu64 " bytes", head->bytes));
    for (size_t k = 0; k < configs.n; k++) {
        grid_add(&g, xstrdup(configs.v[k]));
        grid_add(&g, xstrdup(""));
    }
    for (size_t a = 0; a < algs.n; a++) {
        grid_add(&g, xstrdup(algs.v[a]));
        for (size_t k = 0; k < configs.n; k++) {
            const struct result_cell *c = NULL;
            for (size_t i = first; i < r->ncells && !c; i++)
                if (same_openwrt_block(head, &r->cells[i]) && !strcmp(r->cells[i].alg, algs.v[a]) &&
                    !strcmp(r->cells[i].config, configs.v[k]))
                    c = &r->cells[i];
            int known = 0;
            double change = c ? speed_change(c, &known) : 0;
            grid_add(&g, c ? openwrt_figure(c) : xstrdup("-"));
            grid_add(&g, known ? xasprintf("%+.0f%%", change) : xstrdup(""));
        }
    }
    char *text = xasprintf("%s%s%s, %s, %s%s", head->target, head->cpu[0] ? " " : "", head->cpu,
                           head->library, head->workload,
                           head->emulated || !head->time.n ? " (speed by instructions)" : "");
    title(f, format, text);
    free(text);
    int rc = grid_print(f, &g, format);
    fputc('\n', f);
    grid_free(&g);
    list_free(&algs);
    list_free(&configs);
    return rc;
}

/* Lanes that give the best figure of a target: a native or device time makes instructions of the
 * same target superfluous here. */
static int is_best_lane(const struct result_file *r, const struct result_cell *c)
{
    if (has_real_time(c))
        return 1;
    for (size_t i = 0; i < r->ncells; i++)
        if (!strcmp(r->cells[i].target, c->target) && !strcmp(r->cells[i].alg, c->alg) &&
            has_real_time(&r->cells[i]))
            return 0;
    return 1;
}

static int openwrt(FILE *f, const struct result_file *r, const char *format)
{
    int rc = 0;
    for (size_t i = 0; i < r->ncells && !rc; i++)
        if (is_first(r, i, same_openwrt_block) && is_best_lane(r, &r->cells[i]))
            rc = openwrt_block(f, r, i, format);
    return rc;
}

/* ---- what each option saves and costs ---- */

static uint64_t total(const struct result_build *b)
{
    return b->have_sizes ? b->text + b->rodata + b->data + b->bss : 0;
}

/* The same build's cell of another algorithm. */
static const struct result_cell *sibling(const struct result_file *r, const struct result_cell *c,
                                         const char *alg)
{
    for (size_t i = 0; i < r->ncells; i++) {
        const struct result_cell *x = &r->cells[i];
        if (x->build == c->build && x->lane == c->lane && x->bytes == c->bytes &&
            !strcmp(x->workload, c->workload) && !strcmp(x->op, c->op) && !strcmp(x->alg, alg))
            return x;
    }
    return NULL;
}

/* Speed of a against b of one build; 0 when it cannot be said. */
static double speed_ratio(const struct result_cell *a, const struct result_cell *b)
{
    if (!a || !b)
        return 0;
    if (has_real_time(a) && has_real_time(b))
        return b->time.median / a->time.median;
    if (a->insns.counted && b->insns.counted)
        return (double)b->insns.per_op / (double)a->insns.per_op;
    return 0;
}

static char *change_cell(const struct result_cell *c)
{
    int known = 0;
    double change = c ? speed_change(c, &known) : 0;
    return known ? xasprintf("%+.1f%%", change)
                 : xstrdup(c && strcmp(c->status, "ok") ? c->status : "-");
}

static int same_row(const struct result_cell *a, const struct result_cell *b)
{
    return a->lane == b->lane && a->build == b->build && a->bytes == b->bytes &&
           !strcmp(a->op, b->op) && !strcmp(a->workload, b->workload);
}

static int recommendation(FILE *f, const struct result_file *r, const char *format)
{
    static const char *const algs[] = {"aes-256-gcm", "aes-128-gcm", "chacha20-poly1305"};
    struct grid g;

    grid_start(&g, 11);
    for (const char *const *h =
             (const char *const[]){"target", "library", "workload", "option", "size", "aes-256-gcm",
                                   "aes-128-gcm", "chacha20-poly1305", "AES-128-GCM/ChaCha20",
                                   "ahead", "by", NULL};
         *h; h++)
        grid_add(&g, xstrdup(*h));
    for (size_t i = 0; i < r->ncells; i++) {
        const struct result_cell *c = &r->cells[i];
        if (!is_first(r, i, same_row) || !is_best_lane(r, c))
            continue;
        const struct result_build *base = c->baseline ? c->baseline->build : NULL;
        grid_add(&g, xasprintf("%s%s%s", c->target, c->cpu[0] ? " " : "", c->cpu));
        grid_add(&g, xstrdup(c->library));
        grid_add(&g, xstrdup(c->workload));
        grid_add(&g, xstrdup(c->config));
        grid_add(&g, base && total(base) && total(c->build)
                         ? xasprintf("%+.1f%%",
                                     100 * ((double)total(c->build) / (double)total(base) - 1))
                         : xstrdup("-"));
        for (size_t k = 0; k < 3; k++)
            grid_add(&g, change_cell(sibling(r, c, algs[k])));
        double ahead =
            speed_ratio(sibling(r, c, "aes-128-gcm"), sibling(r, c, "chacha20-poly1305"));
        grid_add(&g, ahead > 0 ? xasprintf("%.0f%%", 100 * ahead) : xstrdup("-"));
        grid_add(&g, xstrdup(ahead > 1 ? "AES-128-GCM" : ahead > 0 ? "ChaCha20" : "-"));
        grid_add(&g, xstrdup(has_real_time(c) ? "time" : c->insns.counted ? "insns" : "-"));
    }
    title(f, format,
          "What each option saves and costs: change of size (- is smaller) and of speed (+ is "
          "faster) against its baseline");
    int rc = grid_print(f, &g, format);
    fputs("by: what the speed was taken from; insns: the inverse of instructions of one operation, "
          "near to speed within one algorithm, far less so between two.\n\n",
          f);
    grid_free(&g);
    return rc;
}

static const struct {
    const char *name;
    int (*print)(FILE *f, const struct result_file *r, const char *format);
} layouts[] = {
    {"openssl-speed", openssl_speed},
    {"compilers", compilers},
    {"openwrt", openwrt},
    {"recommendation", recommendation},
};
#define NLAYOUTS (sizeof layouts / sizeof layouts[0])

int layout_print(FILE *f, const char *name, const struct result_file *r, const char *format)
{
    for (size_t i = 0; i < NLAYOUTS; i++)
        if (!strcmp(layouts[i].name, name))
            return layouts[i].print(f, r, format) || ferror(f) ? -1 : 0;
    return -1;
}

void layout_names(struct list *out)
{
    for (size_t i = 0; i < NLAYOUTS; i++)
        list_add(out, layouts[i].name);
}

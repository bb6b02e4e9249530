/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "layout.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "cellgroup.h"
#include "escape.h"
#include "grid.h"
#include "mem.h"
#include "policy.h"
#include "prediction.h"

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

/* What all layouts tell apart. */
static int common_order(const struct result_cell *a, const struct result_cell *b)
{
    int r = (a->lane > b->lane) - (a->lane < b->lane);
    if (!r)
        r = (a->bytes > b->bytes) - (a->bytes < b->bytes);
    if (!r)
        r = strcmp(a->op, b->op);
    return r ? r : strcmp(a->workload, b->workload);
}

/* ---- openssl speed ---- */

/* In Markdown these lines are in a code block: there, names are as in plain text. */
static void speed_heading(FILE *f, const struct block *b)
{
    const struct result_lane *l = b->lane;
    char *text = xasprintf("%s, %s, %s%s%s%s", b->builds[0]->library, b->first->workload, l->target,
                           l->cpu[0] ? " " : "", l->cpu, l->emulated ? ", EMULATED TIME" : "");
    char *safe = escape_text(text);
    fprintf(f, "%s\ntype            ", safe);
    free(safe);
    free(text);
}

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
            speed_heading(f, b);
            for (size_t s = 0; s < b->nsizes; s++) {
                char *head = xasprintf("%" PRIu64 " bytes", b->sizes[s]);
                fprintf(f, " %13s", head);
                free(head);
            }
            fputc('\n', f);
        }
        any = 1;
        char *alg = escape_text(b->first->alg), *config = escape_text(b->builds[row]->config),
             *cc = escape_text(b->builds[row]->cc);
        fprintf(f, "%-16s", alg);
        for (size_t s = 0; s < b->nsizes; s++) {
            const struct result_cell *c = block_cell(b, row, s);
            if (c && has(c))
                fprintf(f, " %12.2fk", rate_kb_s(c->time.median, c->bytes));
            else
                fprintf(f, " %13s", "-");
        }
        fprintf(f, "  %s, %s\n", cc, config);
        free(alg);
        free(config);
        free(cc);
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

static int compiler_table_order(const struct result_cell *a, const struct result_cell *b)
{
    int r = common_order(a, b);
    if (!r)
        r = strcmp(a->alg, b->alg);
    return r ? r : strcmp(a->library, b->library);
}

static char *cycles_text(const struct result_cell *c, const char *format)
{
    (void)format;
    return c->cycles.n ? xasprintf("%.2f", c->cycles.median / (double)c->bytes) : NULL;
}

static char *insns_text(const struct result_cell *c, const char *format)
{
    (void)format;
    return c->insns.counted ? xasprintf("%.2f", (double)c->insns.per_op / (double)c->bytes) : NULL;
}

static char *time_text(const struct result_cell *c, const char *format)
{
    (void)format;
    return has_real_time(c) ? xasprintf("%.2f", c->time.median / (double)c->bytes) : NULL;
}

static char *frame_text(const struct result_cell *c, const char *format)
{
    const struct stack_use *s = &c->build->stack.use;
    if (!s->n)
        return NULL;
    char *function = escape_name(s->v[0].function, format);
    char *text = xasprintf("%" PRIu64 " %s", s->v[0].bytes, function);
    free(function);
    return text;
}

/* What such a table shows of a cell: text gives NULL when there is none. */
static const struct figure {
    const char *what;
    char *(*text)(const struct result_cell *c, const char *format);
} figures[] = {
    {"cycles/byte", cycles_text},
    {"ns/byte", time_text},
    {"instructions/byte", insns_text},
    {"largest stack frame, bytes, and its function", frame_text},
};

static const struct result_cell *table_cell(const struct cell_group *t, const char *config,
                                            const char *compiler)
{
    for (size_t i = 0; i < t->n; i++)
        if (!strcmp(t->v[i]->config, config) && !strcmp(t->v[i]->compiler, compiler))
            return t->v[i];
    return NULL;
}

/* One name for a table, of names and what does not need it. */
static char *compiler_title(const struct result_cell *c, const struct figure *figure,
                            const char *format)
{
    const char *by = figure->text == cycles_text ? c->cycle_source : NULL;
    const char *raw[] = {c->alg,     c->op, c->workload, c->target, c->cpu[0] ? c->cpu : NULL,
                         c->library, by};
    struct list s = LIST_INIT;
    escape_names(&s, raw, sizeof raw / sizeof *raw, format);
    char *text = xasprintf("%s %s, %" PRIu64 " bytes, %s: %s%s%s, %s: %s%s%s", s.v[0], s.v[1],
                           c->bytes, s.v[2], s.v[3], raw[4] ? " " : "", s.v[4], s.v[5],
                           figure->what, by ? " by " : "", s.v[6]);
    list_free(&s);
    return text;
}

static char *compiler_name(const struct cell_group *t, const char *compiler, const char *format)
{
    const char *version = NULL;
    for (size_t i = 0; i < t->n && !version; i++)
        if (!strcmp(t->v[i]->compiler, compiler))
            version = t->v[i]->build->cc_version;
    char *all = xasprintf("%s%s%s%s", compiler, version ? " (" : "", version ? version : "",
                          version ? ")" : "");
    char *safe = escape_name(all, format);
    free(all);
    return safe;
}

static int compiler_table(FILE *f, const struct cell_group *t, const struct figure *figure,
                          const char *format)
{
    struct list configs = LIST_INIT, compilers = LIST_INIT;
    struct grid g;
    int any = 0, rc = 0;

    for (size_t i = 0; i < t->n; i++) {
        if (!list_has(&configs, t->v[i]->config))
            list_add(&configs, t->v[i]->config);
        if (!list_has(&compilers, t->v[i]->compiler))
            list_add(&compilers, t->v[i]->compiler);
    }
    grid_start(&g, 1 + configs.n);
    grid_add(&g, xstrdup("compiler"));
    for (size_t k = 0; k < configs.n; k++)
        grid_add(&g, escape_name(configs.v[k], format));
    for (size_t i = 0; i < compilers.n; i++) {
        grid_add(&g, compiler_name(t, compilers.v[i], format));
        for (size_t k = 0; k < configs.n; k++) {
            const struct result_cell *x = table_cell(t, configs.v[k], compilers.v[i]);
            char *text = x ? figure->text(x, format) : NULL;
            any |= text != NULL;
            grid_add(&g, text ? text : xstrdup("-"));
        }
    }
    if (any) {
        char *head = compiler_title(t->v[0], figure, format);
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
    struct cell_groups tables;
    int rc = 0;
    cell_groups_make(r, compiler_table_order, &tables);
    for (size_t i = 0; i < tables.n && !rc; i++)
        for (size_t k = 0; k < sizeof figures / sizeof figures[0] && !rc; k++)
            rc = compiler_table(f, &tables.v[i], &figures[k], format);
    cell_groups_free(&tables);
    return rc;
}

/* ---- OpenWrt: a block a target, algorithms by config ---- */

static int openwrt_order(const struct result_cell *a, const struct result_cell *b)
{
    int r = common_order(a, b);
    if (!r)
        r = strcmp(a->library, b->library);
    return r ? r : strcmp(a->compiler, b->compiler);
}

/* What speed is taken from, one thing for all cells that stand in a row. */
static const char *const by_names[METRIC_COUNT] = {[METRIC_JUDGED_TIME] = "time",
                                                   [METRIC_JUDGED_INSNS] = "insns",
                                                   [METRIC_JUDGED_MODELLED] = "modelled"};

/* The modelled cycles that all of a row's counted cells and their baselines can be compared by;
 * NULL when one has none, or of another table. */
static const struct prediction *row_prediction(const struct result_cell *const *v, size_t n)
{
    const struct prediction *first = NULL;
    for (size_t i = 0; i < n; i++) {
        const struct result_cell *own = v[i], *base = own ? own->baseline : NULL;
        if (!own || (!own->insns.counted && !own->modelled.known))
            continue;
        if (!first)
            first = &own->modelled;
        if (!prediction_comparable(first, &own->modelled) ||
            (base && base->insns.counted && !prediction_comparable(first, &base->modelled)))
            return NULL;
    }
    return first;
}

/* The best that the machine offers: its clock, else modelled cycles, else instructions.
 * METRIC_COUNT: nothing. v may hold NULL. */
static enum metric row_metric(const struct result_cell *const *v, size_t n)
{
    enum metric m = METRIC_COUNT;
    for (size_t i = 0; i < n; i++) {
        if (v[i] && has_real_time(v[i]))
            return METRIC_JUDGED_TIME;
        if (v[i] && (v[i]->insns.counted || v[i]->modelled.known))
            m = METRIC_JUDGED_INSNS;
    }
    return m == METRIC_JUDGED_INSNS && row_prediction(v, n) ? METRIC_JUDGED_MODELLED : m;
}

static const char *by_text(enum metric m)
{
    return m == METRIC_COUNT ? "-" : by_names[m];
}

static char *openwrt_figure(const struct result_cell *c, enum metric by)
{
    if (has_real_time(c))
        return xasprintf("%.0f kB/s", rate_kb_s(c->time.median, c->bytes));
    if (by == METRIC_JUDGED_MODELLED && c->modelled.known && c->modelled.band >= 0)
        return xasprintf("%" PRIu64 " modelled", c->modelled.cycles);
    /* where modelled cycles are fit for ratios only, the count beside their ratio */
    if (c->insns.counted)
        return xasprintf("%" PRIu64 " insns", c->insns.per_op);
    return xstrdup("-");
}

/* Cost of a cell over its baseline's by that metric; 0 when there is none. */
static double cost_ratio(const struct result_cell *c, enum metric by)
{
    const struct result_cell *b = c ? c->baseline : NULL;
    if (!b)
        return 0;
    if (by == METRIC_JUDGED_TIME)
        return c->ratio.n && has_real_time(c) && has_real_time(b) ? c->ratio.median : 0;
    if (by == METRIC_JUDGED_MODELLED)
        return prediction_comparable(&b->modelled, &c->modelled)
                   ? prediction_ratio(&b->modelled, &c->modelled)
                   : 0;
    if (c->insns.counted && b->insns.counted && !has_real_time(c))
        return (double)c->insns.per_op / (double)b->insns.per_op;
    return 0;
}

/* Change of speed; NULL when there is none to tell of. Caller owns. */
static char *speed_text(const struct result_cell *c, enum metric by, int decimals)
{
    double ratio = cost_ratio(c, by);
    if (ratio <= 0)
        return NULL;
    if (by == METRIC_JUDGED_MODELLED && prediction_is_close(ratio))
        return xstrdup("close");
    return xasprintf("%+.*f%%", decimals, 100 * (1 / ratio - 1));
}

/* Labels of the modelled cycles that a table holds, each once, with the bands of its sizes. */
static void label_note(struct list *labels, const struct prediction *p, const char *format)
{
    char *label = prediction_label_for(p, format), *band = prediction_band_text(p);
    char *text = xasprintf("%s; %s%s", label, p->band < 0 ? "fit for ratios only" : "band ",
                           p->band < 0 ? "" : band);
    if (!list_has(labels, text))
        list_add(labels, text);
    free(label);
    free(band);
    free(text);
}

/* Below a table, each a line. */
static void labels_print(FILE *f, const struct list *labels, const char *format)
{
    for (size_t i = 0; i < labels->n; i++)
        fprintf(f, "%smodelled: %s.\n", markdown(format) ? "- " : "", labels->v[i]);
    if (labels->n)
        fprintf(f, "%sclose: modelled cycles nearer than 5%%, too close to call.\n",
                markdown(format) ? "- " : "");
}

static const struct result_cell *openwrt_cell(const struct cell_group *b, const char *alg,
                                              const char *config)
{
    for (size_t i = 0; i < b->n; i++)
        if (!strcmp(b->v[i]->alg, alg) && !strcmp(b->v[i]->config, config))
            return b->v[i];
    return NULL;
}

static void openwrt_title(FILE *f, const struct result_cell *c, const char *format)
{
    const char *raw[] = {c->target, c->cpu[0] ? c->cpu : NULL, c->library, c->workload};
    struct list s = LIST_INIT;
    escape_names(&s, raw, sizeof raw / sizeof *raw, format);
    char *text = xasprintf("%s%s%s, %s, %s", s.v[0], raw[1] ? " " : "", s.v[1], s.v[2], s.v[3]);
    title(f, format, text);
    free(text);
    list_free(&s);
}

static int openwrt_block(FILE *f, const struct cell_group *b, const char *format)
{
    struct list algs = LIST_INIT, configs = LIST_INIT, labels = LIST_INIT;
    const struct result_cell **row = xcalloc(b->n + 1, sizeof(struct result_cell *));
    struct grid g;

    for (size_t i = 0; i < b->n; i++) {
        if (!list_has(&algs, b->v[i]->alg))
            list_add(&algs, b->v[i]->alg);
        if (!list_has(&configs, b->v[i]->config))
            list_add(&configs, b->v[i]->config);
    }
    grid_start(&g, 2 + 2 * configs.n);
    grid_add(&g, xasprintf("%" PRIu64 " bytes", b->v[0]->bytes));
    for (size_t k = 0; k < configs.n; k++) {
        grid_add(&g, escape_name(configs.v[k], format));
        grid_add(&g, xstrdup(""));
    }
    grid_add(&g, xstrdup("by"));
    for (size_t a = 0; a < algs.n; a++) {
        grid_add(&g, escape_name(algs.v[a], format));
        for (size_t k = 0; k < configs.n; k++)
            row[k] = openwrt_cell(b, algs.v[a], configs.v[k]);
        enum metric by = row_metric(row, configs.n);
        for (size_t k = 0; k < configs.n; k++) {
            char *change = speed_text(row[k], by, 0);
            grid_add(&g, row[k] ? openwrt_figure(row[k], by) : xstrdup("-"));
            grid_add(&g, change ? change : xstrdup(""));
        }
        grid_add(&g, xstrdup(by_text(by)));
        if (by == METRIC_JUDGED_MODELLED)
            label_note(&labels, row_prediction(row, configs.n), format);
    }
    openwrt_title(f, b->v[0], format);
    int rc = grid_print(f, &g, format);
    if (labels.n && markdown(format))
        fputc('\n', f); /* or the lines would be rows */
    labels_print(f, &labels, format);
    fputc('\n', f);
    grid_free(&g);
    free(row);
    list_free(&labels);
    list_free(&algs);
    list_free(&configs);
    return rc;
}

/* A target and an algorithm, in one word. */
static char *timed_key(const struct result_cell *c)
{
    return xasprintf("%s %s", c->target, c->alg);
}

/* Those that have a native or device time. */
static void timed_find(const struct result_file *r, struct list *out)
{
    for (size_t i = 0; i < r->ncells; i++) {
        char *key = has_real_time(&r->cells[i]) ? timed_key(&r->cells[i]) : NULL;
        if (key && !list_has(out, key))
            list_add(out, key);
        free(key);
    }
}

/* Lanes that give the best figure of a target: a native or device time makes instructions of the
 * same target superfluous here. */
static int is_best_lane(const struct list *timed, const struct result_cell *c)
{
    char *key = timed_key(c);
    int best = has_real_time(c) || !list_has(timed, key);
    free(key);
    return best;
}

static int openwrt(FILE *f, const struct result_file *r, const char *format)
{
    struct cell_groups blocks;
    struct list timed = LIST_INIT;
    int rc = 0;
    timed_find(r, &timed);
    cell_groups_make(r, openwrt_order, &blocks);
    for (size_t i = 0; i < blocks.n && !rc; i++)
        if (is_best_lane(&timed, blocks.v[i].v[0]))
            rc = openwrt_block(f, &blocks.v[i], format);
    cell_groups_free(&blocks);
    list_free(&timed);
    return rc;
}

/* ---- what each option saves and costs ---- */

static uint64_t total(const struct result_build *b)
{
    return b->have_sizes ? b->text + b->rodata + b->data + b->bss : 0;
}

/* The row's cell of an algorithm. */
static const struct result_cell *row_cell(const struct cell_group *row, const char *alg)
{
    for (size_t i = 0; i < row->n; i++)
        if (!strcmp(row->v[i]->alg, alg))
            return row->v[i];
    return NULL;
}

/* Speed of a against b of one build, by the metric of their row; 0 when it cannot be said. */
static double speed_ratio(const struct result_cell *a, const struct result_cell *b, enum metric by)
{
    if (!a || !b)
        return 0;
    if (has_real_time(a) && has_real_time(b))
        return b->time.median / a->time.median;
    if (by == METRIC_JUDGED_MODELLED)
        return prediction_comparable(&a->modelled, &b->modelled) && a->modelled.band >= 0 &&
                       b->modelled.band >= 0
                   ? prediction_ratio(&a->modelled, &b->modelled)
                   : 0;
    if (a->insns.counted && b->insns.counted)
        return (double)b->insns.per_op / (double)a->insns.per_op;
    return 0;
}

/* AES-128-GCM against ChaCha20-Poly1305: two cells of the table. */
static void ahead_add(struct grid *g, const struct result_cell *aes,
                      const struct result_cell *chacha, enum metric by)
{
    double ahead = speed_ratio(aes, chacha, by);
    int modelled = ahead > 0 && by == METRIC_JUDGED_MODELLED;
    if (modelled) {
        char *a = prediction_band_text(&aes->modelled),
             *c = prediction_band_text(&chacha->modelled);
        grid_add(g, xasprintf("%.0f%% (%s, %s)", 100 * ahead, a, c));
        free(a);
        free(c);
    } else {
        grid_add(g, ahead > 0 ? xasprintf("%.0f%%", 100 * ahead) : xstrdup("-"));
    }
    grid_add(g, xstrdup(modelled && prediction_is_close(ahead) ? "close"
                        : ahead > 1                            ? "AES-128-GCM"
                        : ahead > 0                            ? "ChaCha20"
                                                               : "-"));
}

static char *change_cell(const struct result_cell *c, enum metric by)
{
    char *change = speed_text(c, by, 1);
    return change ? change : xstrdup(c && strcmp(c->status, "ok") ? c->status : "-");
}

static int row_order(const struct result_cell *a, const struct result_cell *b)
{
    int r = common_order(a, b);
    return r ? r : (a->build > b->build) - (a->build < b->build);
}

static void recommendation_row(struct grid *g, const struct cell_group *row,
                               const char *const *algs, size_t n, struct list *labels,
                               const char *format)
{
    enum metric by = row_metric(row->v, row->n);
    const struct result_cell *c = row->v[0];
    const struct result_build *base = c->baseline ? c->baseline->build : NULL;
    char *target = xasprintf("%s%s%s", c->target, c->cpu[0] ? " " : "", c->cpu);

    grid_add(g, escape_name(target, format));
    free(target);
    grid_add(g, escape_name(c->library, format));
    grid_add(g, escape_name(c->workload, format));
    grid_add(g, escape_name(c->config, format));
    grid_add(g,
             base && total(base) && total(c->build)
                 ? xasprintf("%+.1f%%", 100 * ((double)total(c->build) / (double)total(base) - 1))
                 : xstrdup("-"));
    for (size_t k = 0; k < n; k++)
        grid_add(g, change_cell(row_cell(row, algs[k]), by));
    ahead_add(g, row_cell(row, "aes-128-gcm"), row_cell(row, "chacha20-poly1305"), by);
    grid_add(g, xstrdup(by_text(by)));
    if (by == METRIC_JUDGED_MODELLED)
        label_note(labels, row_prediction(row->v, row->n), format);
}

static int recommendation(FILE *f, const struct result_file *r, const char *format)
{
    static const char *const algs[] = {"aes-256-gcm", "aes-128-gcm", "chacha20-poly1305"};
    struct cell_groups rows;
    struct list timed = LIST_INIT, labels = LIST_INIT;
    struct grid g;

    grid_start(&g, 11);
    for (const char *const *h =
             (const char *const[]){"target", "library", "workload", "option", "size", "aes-256-gcm",
                                   "aes-128-gcm", "chacha20-poly1305", "AES-128-GCM/ChaCha20",
                                   "ahead", "by", NULL};
         *h; h++)
        grid_add(&g, xstrdup(*h));
    timed_find(r, &timed);
    cell_groups_make(r, row_order, &rows);
    for (size_t i = 0; i < rows.n; i++)
        if (is_best_lane(&timed, rows.v[i].v[0]))
            recommendation_row(&g, &rows.v[i], algs, sizeof algs / sizeof *algs, &labels, format);
    cell_groups_free(&rows);
    list_free(&timed);
    title(f, format,
          "What each option saves and costs: change of size (- is smaller) and of speed (+ is "
          "faster) against its baseline");
    int rc = grid_print(f, &g, format);
    fputs("by: what the speed was taken from; insns: the inverse of instructions of one operation, "
          "near to speed within one algorithm, far less so between two.\n",
          f);
    if (labels.n)
        fputs(markdown(format) ? "\n" : "", f);
    labels_print(f, &labels, format);
    if (labels.n)
        fprintf(f,
                "%sAES-128-GCM against ChaCha20 by modelled cycles: in brackets the bands of the "
                "two; none at sizes that are fit for ratios only.\n",
                markdown(format) ? "- " : "");
    fputc('\n', f);
    grid_free(&g);
    list_free(&labels);
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

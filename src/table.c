/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "change.h"
#include "escape.h"
#include "grid.h"
#include "mem.h"
#include "modelledtable.h"
#include "stacktable.h"
#include "str.h"

/* Change in per cent of `now` against `base`, signed; "~" before it when noise
 * alone may explain it. */
static char *change_text(double percent, int unclear)
{
    return xasprintf("%s%+.1f%%", unclear ? "~" : "", percent);
}

/* Adds a change; more_is_better says which sign is good news. One in noise, or of nothing, is none.
 */
static void change_add(struct grid *g, char *text, int more_is_better)
{
    int is_change = (*text == '+' || *text == '-') && text[1] && strpbrk(text, "123456789");
    grid_add(g, text);
    if (is_change)
        grid_tone(g, (*text == '+') == more_is_better ? TONE_GOOD : TONE_BAD);
}

/* ---- what a table shows of a cell ---- */

static int has_time(const struct result_cell *c)
{
    return c->time.n > 0;
}

static char *speed_text(const struct result_cell *c)
{
    return xasprintf("%.0f", rate_kb_s(c->time.median, c->bytes));
}

static char *speed_change(const struct result_cell *c)
{
    if (!c->ratio.n)
        return xstrdup("-");
    /* speed is the inverse of time */
    return change_text(100 * (1 / c->ratio.median - 1), change_in_noise(c));
}

static int has_cycles(const struct result_cell *c)
{
    return c->cycles.n > 0;
}

static char *cycles_text(const struct result_cell *c)
{
    return xasprintf("%.2f", c->cycles.median / (double)c->bytes);
}

static int has_insns(const struct result_cell *c)
{
    return c->insns.counted;
}

static char *insns_text(const struct result_cell *c)
{
    return xasprintf("%.2f", (double)c->insns.per_op / (double)c->bytes);
}

static char *insns_change(const struct result_cell *c)
{
    const struct result_cell *b = c->baseline;
    if (!c->insns.counted || !b || !b->insns.counted)
        return xstrdup("-");
    return change_text(100 * ((double)c->insns.per_op / (double)b->insns.per_op - 1), 0);
}

/* ---- columns behind the sizes ---- */

/* Sections of the archive, without the zero-filled ones: what takes room in flash, not rounded to
 * pages as a file is. */
static uint64_t section_bytes(const struct result_build *b)
{
    return b->have_sizes ? b->text + b->rodata + b->data : 0;
}

static uint64_t stripped_size(const struct result_build *b)
{
    return b->have_shared ? b->shared_stripped : 0;
}

static void size_extra(struct grid *g, const struct block *b, size_t row)
{
    const uint64_t sizes[] = {section_bytes(b->builds[row]), stripped_size(b->builds[row])};
    for (size_t i = 0; i < 2; i++)
        grid_add(g, sizes[i] ? xasprintf("%" PRIu64, sizes[i]) : xstrdup("-"));
}

static const struct result_build *row_baseline(const struct block *b, size_t row)
{
    const struct result_cell *c = block_row(b, row);
    return c->baseline ? c->baseline->build : NULL;
}

static char *size_change(const struct block *b, size_t row,
                         uint64_t (*size)(const struct result_build *b))
{
    const struct result_build *baseline = row_baseline(b, row);
    uint64_t now = size(b->builds[row]), base = baseline ? size(baseline) : 0;
    if (!now || !base)
        return xstrdup("-");
    return change_text(100 * ((double)now / (double)base - 1), 0);
}

static void size_extra_change(struct grid *g, const struct block *b, size_t row)
{
    change_add(g, size_change(b, row, section_bytes), 0);
    change_add(g, size_change(b, row, stripped_size), 0);
}

static void fit_extra(struct grid *g, const struct block *b, size_t row)
{
    struct line_fit f;
    int none = block_fit(b, row, &f);
    grid_add(g, none ? xstrdup("-") : xasprintf("%.0f", f.per_message));
    grid_add(g, none ? xstrdup("-") : xasprintf("%.2f", f.per_byte));
    size_extra(g, b, row);
}

static char *fit_change(double now, double base)
{
    return base > 0 ? change_text(100 * (now / base - 1), 0) : xstrdup("-");
}

static void fit_extra_change(struct grid *g, const struct block *b, size_t row)
{
    struct line_fit now = {0}, base = {0};
    size_t k = 0;
    while (k < b->nbuilds && b->builds[k] != row_baseline(b, row))
        k++;
    if (k == b->nbuilds || block_fit(b, row, &now) || block_fit(b, k, &base))
        base = (struct line_fit){0};
    change_add(g, fit_change(now.per_message, base.per_message), 0);
    change_add(g, fit_change(now.per_byte, base.per_byte), 0);
    size_extra_change(g, b, row);
}

/* ---- tables ---- */

static const struct kind {
    const char *metric; /* of a lane */
    int (*has)(const struct result_cell *c);
    const char *unit, *unit_emulated; /* in the heading */
    const char *extra[4];             /* headings of further columns */
    char *(*text)(const struct result_cell *c);
    char *(*change)(const struct result_cell *c); /* NULL: no changes */
    void (*more)(struct grid *g, const struct block *b, size_t row);
    void (*more_change)(struct grid *g, const struct block *b, size_t row);
    const char *legend;
    int more_is_better; /* of changes */
} kinds[] = {
    {"insns",
     has_insns,
     "instructions/byte, exact; + is more work",
     "instructions/byte, exact; + is more work",
     {"per msg", "per byte", "code+data", "stripped"},
     insns_text,
     insns_change,
     fit_extra,
     fit_extra_change,
     "per msg, per byte: instructions, intercept and slope of a straight line fitted to the\n"
     "block sizes shown; an estimate, unlike the counts.\n",
     0},
    {"time",
     has_time,
     "kB/s",
     "kB/s, EMULATED TIME (no measure of the real CPU)",
     {"code+data", "stripped"},
     speed_text,
     speed_change,
     size_extra,
     size_extra_change,
     "kB/s: 1 kB = 1000 bytes, + is faster. ~ before a change: noise alone may explain it\n"
     "(its 95% interval holds zero, or two drivers of one build differ by as much;\n"
     "under an emulator always).\n",
     1},
    {"cycles", has_cycles, "cycles/byte", "cycles/byte", {0}, cycles_text, NULL, NULL, NULL, "", 0},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static void row_add(struct grid *g, const struct block *b, const struct kind *kind, size_t row,
                    const char *format)
{
    const struct result_cell *any = block_row(b, row);
    grid_add(g, escape_name(any->config, format));
    for (size_t s = 0; s < b->nsizes; s++) {
        const struct result_cell *c = block_cell(b, row, s);
        grid_add(g, c && kind->has(c) ? kind->text(c) : xstrdup("-"));
    }
    if (kind->more)
        kind->more(g, b, row);
    if (!any->baseline || !kind->change)
        return;
    char *baseline = escape_name(any->baseline->config, format);
    grid_add(g, xasprintf("  vs %s", baseline));
    free(baseline);
    for (size_t s = 0; s < b->nsizes; s++) {
        const struct result_cell *c = block_cell(b, row, s);
        change_add(g, c ? kind->change(c) : xstrdup("-"), kind->more_is_better);
    }
    if (kind->more_change)
        kind->more_change(g, b, row);
}

static struct grid grid_make(const struct block *b, const struct kind *kind, const char *format)
{
    struct grid g;
    size_t extra = 0;
    while (extra < 4 && kind->extra[extra])
        extra++;
    grid_start(&g, 1 + b->nsizes + extra);
    grid_add(&g, xstrdup("config"));
    for (size_t s = 0; s < b->nsizes; s++)
        grid_add(&g, xasprintf("%" PRIu64 " B", b->sizes[s]));
    for (size_t k = 0; k < extra; k++)
        grid_add(&g, xstrdup(kind->extra[k]));
    for (size_t i = 0; i < b->nbuilds; i++)
        row_add(&g, b, kind, i, format);
    return g;
}

static void source_print(FILE *f, const char *source, const char *format)
{
    char *safe = escape_name(source, format);
    fprintf(f, " by %s", safe);
    free(safe);
}

static void heading_print(FILE *f, const struct block *b, const struct kind *kind,
                          const char *format)
{
    const struct screen screen = screen_of(f);
    int emulator = b->lane->emulated && kind->has == has_time;
    char *heading = block_heading(b, format);

    fprintf(f, "%s%s", strcmp(format, "markdown") ? "" : "### ", heading);
    tone_print(f, &screen, emulator ? TONE_WARNING : TONE_PLAIN);
    fprintf(f, "; %s", b->lane->emulated ? kind->unit_emulated : kind->unit);
    tone_print(f, &screen, TONE_PLAIN);
    if (kind->has == has_cycles && b->first->cycle_source)
        source_print(f, b->first->cycle_source, format);
    fputs(!strcmp(format, "markdown") ? "\n\n" : "\n", f);
    free(heading);
}

/* What the twins of one build differ by. */
static void noise_print(FILE *f, const struct block *b)
{
    double least = 0, most = 0;
    size_t n = 0;
    for (size_t i = 0; i < b->nbuilds * b->nsizes; i++) {
        const struct result_cell *c = b->cells[i];
        if (!c || !c->null.n)
            continue;
        double noise = noise_floor(&c->null);
        if (!n || noise < least)
            least = noise;
        if (noise > most)
            most = noise;
        n++;
    }
    if (n)
        fprintf(f, "Noise: identical code differs by %.1f%% to %.1f%% here.\n", 100 * least,
                100 * most);
}

static int block_has(const struct block *b, const struct kind *kind)
{
    for (size_t i = 0; i < b->nbuilds * b->nsizes; i++)
        if (b->cells[i] && kind->has(b->cells[i]))
            return 1;
    return 0;
}

static int is_wanted(const struct list *metrics, const char *metric)
{
    return !metrics || !metrics->n || list_has(metrics, metric);
}

static int kind_print(FILE *f, const struct block *b, const struct kind *kind, const char *format)
{
    struct grid g = grid_make(b, kind, format);
    heading_print(f, b, kind, format);
    int rc = grid_print(f, &g, format);
    grid_free(&g);
    if (rc)
        return rc;
    if (kind->has == has_time && !b->lane->emulated)
        noise_print(f, b);
    fputc('\n', f);
    return 0;
}

static int block_print(FILE *f, const struct block *b, double mhz, const char *format,
                       const struct list *metrics, int shown[KINDS])
{
    int any = 0;
    for (size_t k = 0; k < KINDS; k++)
        any |= block_has(b, &kinds[k]);
    for (size_t k = 0; k < KINDS; k++) {
        const struct kind *kind = &kinds[k];
        /* what was asked for with others and has no number is left out; causes stand below */
        if (is_wanted(metrics, kind->metric) && list_has(&b->lane->metrics, kind->metric) &&
            (!any || block_has(b, kind))) {
            if (kind_print(f, b, kind, format))
                return -1;
            shown[k] = 1;
        }
        /* beside the instructions they come from */
        if (kind->has == has_insns && is_wanted(metrics, "modelled") &&
            modelled_tables_print(f, b, mhz, format))
            return -1;
    }
    return 0;
}

/* ---- what has no number ---- */

static int same_failure(const struct result_cell *a, const struct result_cell *b)
{
    return a->build == b->build && a->lane == b->lane && !strcmp(a->status, b->status) &&
           !strcmp(a->reason ? a->reason : "", b->reason ? b->reason : "");
}

static int failure_order(const void *a, const void *b)
{
    const struct result_cell *x = *(const struct result_cell *const *)a,
                             *y = *(const struct result_cell *const *)b;
    int r = (x->lane > y->lane) - (x->lane < y->lane);
    if (!r)
        r = (x->build > y->build) - (x->build < y->build);
    if (!r)
        r = strcmp(x->status, y->status);
    if (!r)
        r = strcmp(x->reason ? x->reason : "", y->reason ? y->reason : "");
    return r ? r : (x > y) - (x < y);
}

/* What kept cells from having a number, each cause once with how many cells. */
static void failures_print(FILE *f, const struct result_file *r, const char *format)
{
    const char *item = strcmp(format, "markdown") ? "" : "- ";
    const struct result_cell **failed = xcalloc(r->ncells + 1, sizeof(struct result_cell *));
    size_t n = 0, to;
    for (size_t i = 0; i < r->ncells; i++)
        if (strcmp(r->cells[i].status, "ok"))
            failed[n++] = &r->cells[i];
    qsort(failed, n, sizeof(struct result_cell *), failure_order);
    for (size_t from = 0; from < n; from = to) {
        const struct result_cell *c = failed[from];
        size_t all = 0;
        for (to = from; to < n && same_failure(c, failed[to]); to++)
            ;
        for (size_t i = 0; i < r->ncells; i++)
            all += r->cells[i].build == c->build && r->cells[i].lane == c->lane;
        char *id = escape_name(c->build->id, format);
        char *reason = escape_name(c->reason ? c->reason : "no reason known", format);
        fprintf(f, "%s%s: %s (%zu of its %zu cells, first %s %s %" PRIu64 " B): %s\n", item,
                c->status, id, to - from, all, c->alg, c->op, c->bytes, reason);
        free(id);
        free(reason);
        if (c->build->log) {
            char *log = escape_name(c->build->log, format);
            fprintf(f, "  %slog: %s\n", item, log);
            free(log);
        }
    }
    free(failed);
}

static void warning_print(FILE *f, const char *text, const char *format)
{
    char *safe = escape_name(text, format);
    fprintf(f, "Warning: %s\n", safe);
    free(safe);
}

int table_print(FILE *f, const struct result_file *r, const char *format,
                const struct list *metrics)
{
    int shown[KINDS] = {0}, rc = 0;
    struct blocks all;

    blocks_make(r, &all);
    for (size_t i = 0; i < all.n && !rc; i++)
        rc = block_print(f, &all.v[i], r->cpu_mhz, format, metrics, shown);
    blocks_free(&all);
    if (rc)
        return rc;
    if (r->ncells)
        fputs("code+data: bytes of text, rodata and data in libcrypto.a. stripped: bytes of the "
              "stripped\n"
              "shared library, which come in pages. Sizes: - is smaller.\n",
              f);
    for (size_t k = 0; k < KINDS; k++)
        if (shown[k])
            fputs(kinds[k].legend, f);
    if (is_wanted(metrics, "modelled"))
        modelled_legend_print(f, r);
    int stack = stack_tables_wanted(r) && is_wanted(metrics, "stack");
    if (r->ncells && stack)
        fputc('\n', f);
    if (stack && stack_tables_print(f, r, format))
        return -1;
    /* what must not be lost when the tables are pasted */
    for (size_t i = 0; i < r->warnings.n; i++)
        if (!strncmp(r->warnings.v[i], "unsteady-machine: ", 18))
            warning_print(f, r->warnings.v[i] + 18, format);
    failures_print(f, r, format);
    if (is_wanted(metrics, "modelled"))
        modelled_reasons_print(f, r, format);
    return ferror(f) ? -1 : 0;
}

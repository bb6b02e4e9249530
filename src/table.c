/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "mem.h"
#include "str.h"
#include "table.h"

/*
 * A block: the cells of one lane, library, compiler, algorithm and operation.
 * Rows are configs, columns block sizes; below each row stands its change
 * against its baseline.
 */
struct block {
    const struct lane *lane;
    const struct cell *first;   /* of the block's first row of cells */
    size_t build_from, nbuilds; /* which builds of the lane */
    size_t nsizes;
};

static const struct cell *block_cell(const struct block *b, size_t build, size_t size)
{
    return b->first + size * b->lane->nbuilds + b->build_from + build;
}

/* Change in per cent of `now` against `base`, signed; "~" before it when noise
 * alone may explain it. */
static char *change_text(double percent, int unclear)
{
    return xasprintf("%s%+.1f%%", unclear ? "~" : "", percent);
}

static char *speed_change(const struct cell *c)
{
    const struct estimate *r = &c->ratio;
    if (!r->n)
        return xstrdup("-");
    /* speed is the inverse of time */
    return change_text(100 * (1 / r->median - 1),
                       !r->have_interval || (r->low <= 1 && r->high >= 1));
}

static char *speed_text(const struct cell *c)
{
    if (c->status != STATUS_OK || !c->time.n)
        return xstrdup("-");
    return xasprintf("%.0f", rate_kb_s(c->time.median, c->bytes));
}

static uint64_t stripped_size(const struct build *b)
{
    return b->status == STATUS_OK && b->facts.sizes.have_shared ? b->facts.sizes.shared_stripped
                                                                : 0;
}

static char *size_change(const struct cell *c, uint64_t (*size)(const struct build *b))
{
    uint64_t now = size(c->build), base = c->baseline ? size(c->baseline->build) : 0;
    if (!now || !base)
        return xstrdup("-");
    return change_text(100 * ((double)now / (double)base - 1), 0);
}

/* ---- what a block shows ---- */

static int has_time(const struct cell *c)
{
    return c->status == STATUS_OK && c->time.n;
}

static char *insns_text(const struct cell *c)
{
    if (!c->insns.counted)
        return xstrdup("-");
    return xasprintf("%.2f", (double)c->insns.per_op / (double)c->bytes);
}

static char *insns_change(const struct cell *c)
{
    const struct cell *b = c->baseline;
    if (!c->insns.counted || !b || !b->insns.counted)
        return xstrdup("-");
    return change_text(100 * ((double)c->insns.per_op / (double)b->insns.per_op - 1), 0);
}

static int has_insns(const struct cell *c)
{
    return c->insns.counted;
}

/* Sections of the archive, without the zero-filled ones: what takes room in flash, not rounded to
 * pages as a file is. */
static uint64_t section_bytes(const struct build *b)
{
    const struct section_sizes *a = &b->facts.sizes.archive;
    return b->status == STATUS_OK ? a->text + a->rodata + a->data : 0;
}

static void size_extra(struct grid *g, const struct block *b, size_t build)
{
    const struct build *x = block_cell(b, build, 0)->build;
    const uint64_t sizes[] = {section_bytes(x), stripped_size(x)};
    for (size_t i = 0; i < 2; i++)
        grid_add(g, sizes[i] ? xasprintf("%" PRIu64, sizes[i]) : xstrdup("-"));
}

static void size_extra_change(struct grid *g, const struct block *b, size_t build)
{
    const struct cell *c = block_cell(b, build, 0);
    grid_add(g, size_change(c, section_bytes));
    grid_add(g, size_change(c, stripped_size));
}

static int block_fit(const struct block *b, size_t build, struct line_fit *out)
{
    uint64_t *bytes = xcalloc(b->nsizes, sizeof *bytes), *insns = xcalloc(b->nsizes, sizeof *insns);
    size_t n = 0;
    for (size_t s = 0; s < b->nsizes; s++) {
        const struct cell *c = block_cell(b, build, s);
        if (!c->insns.counted)
            continue;
        bytes[n] = c->bytes;
        insns[n++] = c->insns.per_op;
    }
    int rc = line_fit(bytes, insns, n, out);
    free(bytes);
    free(insns);
    return rc;
}

static void fit_extra(struct grid *g, const struct block *b, size_t build)
{
    struct line_fit f;
    int none = block_fit(b, build, &f);
    grid_add(g, none ? xstrdup("-") : xasprintf("%.0f", f.per_message));
    grid_add(g, none ? xstrdup("-") : xasprintf("%.2f", f.per_byte));
    size_extra(g, b, build);
}

static void fit_extra_change(struct grid *g, const struct block *b, size_t build)
{
    struct line_fit now = {0}, base = {0};
    size_t k = (size_t)(block_cell(b, build, 0)->baseline - block_cell(b, 0, 0));
    if (k >= b->nbuilds || block_fit(b, build, &now) || block_fit(b, k, &base))
        base = (struct line_fit){0};
    grid_add(g, base.per_message > 0
                    ? change_text(100 * (now.per_message / base.per_message - 1), 0)
                    : xstrdup("-"));
    grid_add(g, base.per_byte > 0 ? change_text(100 * (now.per_byte / base.per_byte - 1), 0)
                                  : xstrdup("-"));
    size_extra_change(g, b, build);
}

static const struct block_kind {
    unsigned metric;
    int (*has)(const struct cell *c);
    const char *unit, *unit_emulated; /* in the heading */
    const char *extra[4];             /* headings of further columns */
    char *(*text)(const struct cell *c);
    char *(*change)(const struct cell *c);
    void (*more)(struct grid *g, const struct block *b, size_t build);
    void (*more_change)(struct grid *g, const struct block *b, size_t build);
} kinds[] = {
    {METRIC_TIME,
     has_time,
     "kB/s",
     "kB/s, EMULATED TIME (no measure of the real CPU)",
     {"code+data", "stripped"},
     speed_text,
     speed_change,
     size_extra,
     size_extra_change},
    {METRIC_INSNS,
     has_insns,
     "instructions/byte, exact; + is more work",
     "instructions/byte, exact; + is more work",
     {"per msg", "per byte", "code+data", "stripped"},
     insns_text,
     insns_change,
     fit_extra,
     fit_extra_change},
};

static struct grid grid_make(const struct block *b, const struct block_kind *kind)
{
    struct grid g;
    size_t extra = 0;
    while (extra < 4 && kind->extra[extra])
        extra++;
    grid_start(&g, 1 + b->nsizes + extra);
    grid_add(&g, xstrdup("config"));
    for (size_t s = 0; s < b->nsizes; s++)
        grid_add(&g, xasprintf("%" PRIu64 " B", block_cell(b, 0, s)->bytes));
    for (size_t k = 0; k < extra; k++)
        grid_add(&g, xstrdup(kind->extra[k]));
    for (size_t i = 0; i < b->nbuilds; i++) {
        const struct cell *row = block_cell(b, i, 0);
        grid_add(&g, xstrdup(row->build->config->name));
        for (size_t s = 0; s < b->nsizes; s++)
            grid_add(&g, kind->text(block_cell(b, i, s)));
        kind->more(&g, b, i);
        if (!row->baseline)
            continue;
        grid_add(&g, xasprintf("  vs %s", row->baseline->build->config->name));
        for (size_t s = 0; s < b->nsizes; s++)
            grid_add(&g, kind->change(block_cell(b, i, s)));
        kind->more_change(&g, b, i);
    }
    return g;
}

static void block_heading(FILE *f, const struct block *b, const struct block_kind *kind,
                          const char *workload, const char *format)
{
    const struct lane *l = b->lane;
    const struct build *x = block_cell(b, 0, 0)->build;
    const struct compiler *cc = x->compiler;
    int markdown = !strcmp(format, "markdown");

    fprintf(f, "%s%s %s, %s: %s", markdown ? "### " : "", b->first->alg->name, b->first->op,
            workload, l->target->name);
    if (l->cpu)
        fprintf(f, " %s", l->cpu->name);
    fprintf(f, ", %s %s, ", x->library->name, x->library->version ? x->library->version : "");
    if (cc && cc->family)
        fprintf(f, "%s %s", cc->family, cc->version);
    else
        fputs(x->cc_word, f);
    fprintf(f, "; %s\n%s", l->runner.emulated ? kind->unit_emulated : kind->unit,
            markdown ? "\n" : "");
}

/* What kept cells from having a number, each cause once with how many cells. */
static void failures_print(FILE *f, const struct plan *p)
{
    struct list seen = LIST_INIT;
    for (size_t i = 0; i < p->nlanes; i++) {
        const struct lane *l = &p->lanes[i];
        for (size_t k = 0; k < l->ncells; k++) {
            const struct cell *c = &l->cells[k];
            size_t same = 0;
            if (c->status == STATUS_OK)
                continue;
            char *key = xasprintf("%zu %s %d %s", i, c->build->id, (int)c->status,
                                  c->reason ? c->reason : "");
            if (!list_has(&seen, key)) {
                list_add(&seen, key);
                for (size_t m = k; m < l->ncells; m++) {
                    const struct cell *o = &l->cells[m];
                    same += o->build == c->build && o->status == c->status &&
                            !strcmp(o->reason ? o->reason : "", c->reason ? c->reason : "");
                }
                fprintf(f, "%s: %s (%zu of its %zu cells, first %s %s %" PRIu64 " B): %s\n",
                        status_name(c->status), c->build->id, same, l->ncells / l->nbuilds,
                        c->alg->name, c->op, c->bytes, c->reason ? c->reason : "no reason known");
                if (c->build->log)
                    fprintf(f, "  log: %s\n", c->build->log);
            }
            free(key);
        }
    }
    list_free(&seen);
}

static int block_has(const struct block *b, const struct block_kind *kind)
{
    for (size_t i = 0; i < b->nbuilds; i++)
        for (size_t s = 0; s < b->nsizes; s++)
            if (kind->has(block_cell(b, i, s)))
                return 1;
    return 0;
}

static int block_print(FILE *f, const struct block *b, const char *workload, const char *format)
{
    int rc = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0] && !rc; k++) {
        /* one that was asked for with others and has no number is left out; the causes stand below
         */
        if (!(b->lane->metrics & kinds[k].metric) ||
            (b->lane->metrics != kinds[k].metric && kinds[k].metric != METRIC_TIME &&
             !block_has(b, &kinds[k])))
            continue;
        struct grid g = grid_make(b, &kinds[k]);
        block_heading(f, b, &kinds[k], workload, format);
        rc = grid_print(f, &g, format);
        fputc('\n', f);
        grid_free(&g);
    }
    return rc;
}

/* Builds of a lane stand library by library and compiler by compiler. */
static size_t group_end(const struct lane *l, size_t from)
{
    size_t i = from;
    while (i < l->nbuilds && l->builds[i]->library == l->builds[from]->library &&
           l->builds[i]->compiler == l->builds[from]->compiler)
        i++;
    return i;
}

static size_t row_sizes(const struct lane *l, size_t at)
{
    size_t n = 1;
    const struct cell *c = &l->cells[at];
    while (at + n * l->nbuilds < l->ncells && c[n * l->nbuilds].alg == c->alg &&
           !strcmp(c[n * l->nbuilds].op, c->op))
        n++;
    return n;
}

static int lane_print(FILE *f, const struct plan *p, const struct lane *l, const char *format)
{
    size_t nsizes;
    for (size_t at = 0; at < l->ncells; at += nsizes * l->nbuilds) {
        size_t to;
        nsizes = row_sizes(l, at);
        for (size_t from = 0; from < l->nbuilds; from = to) {
            to = group_end(l, from);
            struct block b = {l, &l->cells[at], from, to - from, nsizes};
            if (block_print(f, &b, p->workload, format))
                return -1;
        }
    }
    return 0;
}

static unsigned metrics_shown(const struct plan *p)
{
    unsigned m = 0;
    for (size_t i = 0; i < p->nlanes; i++)
        m |= p->lanes[i].metrics;
    return m;
}

int table_print(FILE *f, const struct plan *p, const char *format)
{
    unsigned shown = metrics_shown(p);
    for (size_t i = 0; i < p->nlanes; i++)
        if (lane_print(f, p, &p->lanes[i], format))
            return -1;
    fputs("code+data: bytes of text, rodata and data in libcrypto.a. stripped: bytes of the "
          "stripped\n"
          "shared library, which come in pages. Sizes: - is smaller.\n",
          f);
    if (shown & METRIC_TIME)
        fputs(
            "kB/s: 1 kB = 1000 bytes, + is faster. ~ before a change: noise alone may explain it\n"
            "(its 95% interval holds zero).\n",
            f);
    if (shown & METRIC_INSNS)
        fputs("per msg, per byte: instructions, intercept and slope of a straight line fitted to "
              "the\n"
              "block sizes shown; an estimate, unlike the counts.\n",
              f);
    /* what must not be lost when the tables are pasted */
    for (size_t i = 0; i < p->warnings.n; i++)
        if (!strncmp(p->warnings.v[i], "unsteady-machine: ", 18))
            fprintf(f, "Warning: %s\n", p->warnings.v[i] + 18);
    failures_print(f, p);
    return ferror(f) ? -1 : 0;
}

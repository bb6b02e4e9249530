/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "export_format.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "grid.h"
#include "match.h"
#include "mem.h"
#include "notefoot.h"
#include "prediction.h"
#include "request.h"
#include "wording.h"

/* Rows of a table; what is left out is summed up in a sentence. */
enum { ROWS = 20 };

/* What is told of one target: findings in the order of the comparison. */
struct part {
    const char *target;
    const struct finding **v;
    size_t n;
    const char *base, *now; /* what the sides are called; Markdown */
};

static const struct result_build *build_of(const struct finding *f)
{
    return f->new_build;
}

static int is_cell(const struct finding *f)
{
    return f->metric != METRIC_JUDGED_SIZE;
}

/* ---- what tells rows apart ---- */

static char *cpu_text(const struct finding *f)
{
    return escape_name(f->new_cell->cpu[0] ? f->new_cell->cpu : "as it is", "markdown");
}

static char *library_text(const struct finding *f)
{
    return escape_name(build_of(f)->library, "markdown");
}

static char *compiler_text(const struct finding *f)
{
    return escape_name(build_of(f)->cc, "markdown");
}

static char *config_text(const struct finding *f)
{
    return escape_name(build_of(f)->config, "markdown");
}

static char *alg_text(const struct finding *f)
{
    return escape_name(f->new_cell->alg, "markdown");
}

static char *op_text(const struct finding *f)
{
    return escape_name(f->new_cell->op, "markdown");
}

static char *bytes_text(const struct finding *f)
{
    return xasprintf("%" PRIu64 " B", f->new_cell->bytes);
}

static const struct axis {
    const char *heading;
    char *(*text)(const struct finding *f);
    int of_cells; /* builds do not have it */
    int always;   /* else where it differs between the findings of a target */
} axes[] = {
    {"CPU", cpu_text, 1, 0},           {"library", library_text, 0, 0},
    {"compiler", compiler_text, 0, 0}, {"config", config_text, 0, 0},
    {"algorithm", alg_text, 1, 1},     {"operation", op_text, 1, 1},
    {"block", bytes_text, 1, 1},
};

enum { AXES = sizeof axes / sizeof *axes };

static int axis_shown(const struct part *p, const struct axis *a, int cells)
{
    char *first = NULL;
    int differs = 0;
    if (a->of_cells && !cells)
        return 0;
    for (size_t i = 0; i < p->n && !a->always && !differs; i++) {
        char *text = is_cell(p->v[i]) || !a->of_cells ? a->text(p->v[i]) : NULL;
        if (text && first)
            differs = strcmp(text, first) != 0;
        if (!first)
            first = text;
        else
            free(text);
    }
    free(first);
    return a->always || differs;
}

static struct grid grid_begin(const struct part *p, enum metric m, int shown[AXES])
{
    struct grid g;
    int cells = m != METRIC_JUDGED_SIZE;
    size_t n = cells ? 0 : 1;
    for (size_t i = 0; i < AXES; i++) {
        shown[i] = axis_shown(p, &axes[i], cells);
        n += (size_t)shown[i];
    }
    int modelled = cells && m == METRIC_JUDGED_MODELLED;
    grid_start(&g, n + 3 + (size_t)modelled);
    for (size_t i = 0; i < AXES; i++)
        if (shown[i])
            grid_add(&g, xstrdup(axes[i].heading));
    if (!cells)
        grid_add(&g, xstrdup("size of"));
    grid_add(&g, xstrdup(p->base));
    grid_add(&g, xstrdup(p->now));
    grid_add(&g, xstrdup("change"));
    if (modelled)
        grid_add(&g, xstrdup("instructions"));
    return g;
}

static int grid_end(FILE *f, struct grid *g)
{
    int rc = grid_print(f, g, "markdown");
    fputc('\n', f);
    grid_free(g);
    return rc;
}

static void axes_add(struct grid *g, const struct finding *f, const int shown[AXES])
{
    for (size_t i = 0; i < AXES; i++)
        if (shown[i])
            grid_add(g, axes[i].text(f));
}

/* ---- cells ---- */

static const struct {
    enum metric metric;
    const char *by;
} cell_metrics[] = {{METRIC_JUDGED_TIME, "time"},
                    {METRIC_JUDGED_MODELLED, "modelled cycles"},
                    {METRIC_JUDGED_INSNS, "instructions"}};

static const struct {
    enum verdict verdict;
    const char *head;
} changes[] = {{VERDICT_WORSE, "Slower"}, {VERDICT_BETTER, "Faster"}};

/* Findings of a part with that verdict; VERDICT_EXCLUDED: all that have one of the others. */
static size_t count(const struct part *p, enum metric m, enum verdict v)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++)
        if (p->v[i]->metric == m)
            n += v == VERDICT_EXCLUDED ? p->v[i]->verdict != v : p->v[i]->verdict == v;
    return n;
}

/* "by +1.20% to +589.29%", of the findings from `from` up to `to` in v. */
static char *range_text(const struct finding **v, size_t from, size_t to)
{
    double least = v[from]->ratio, most = least;
    for (size_t i = from; i < to; i++) {
        double ratio = v[i]->ratio;
        if (fabs(log(ratio)) < fabs(log(least)))
            least = ratio;
        if (fabs(log(ratio)) > fabs(log(most)))
            most = ratio;
    }
    char *a = wording_change(least), *b = wording_change(most);
    char *text = strcmp(a, b) ? xasprintf("by %s to %s", a, b) : xasprintf("by %s", a);
    free(a);
    free(b);
    return text;
}

/* Counts stand beside modelled cycles. */
static char *insns_change(const struct finding *f)
{
    const struct insns *base = &f->base_cell->insns, *now = &f->new_cell->insns;
    if (!base->counted || !now->counted || !base->per_op)
        return xstrdup("-");
    return wording_change((double)now->per_op / (double)base->per_op);
}

/* The n findings of v, the largest change first. */
static int changes_print(FILE *f, const struct part *p, const struct finding **v, size_t n)
{
    int shown[AXES];
    struct grid g = grid_begin(p, v[0]->metric, shown);
    size_t rows = n < ROWS ? n : ROWS;
    for (size_t i = 0; i < rows; i++) {
        axes_add(&g, v[i], shown);
        grid_add(&g, wording_value(v[i], v[i]->base));
        grid_add(&g, wording_value(v[i], v[i]->now));
        grid_add(&g, wording_change(v[i]->ratio));
        if (v[i]->metric == METRIC_JUDGED_MODELLED)
            grid_add(&g, insns_change(v[i]));
    }
    int rc = grid_end(f, &g);
    if (n > rows) {
        char *range = range_text(v, rows, n);
        fprintf(f, "And %zu more, %s.\n\n", n - rows, range);
        free(range);
    }
    return rc;
}

static const char *are(size_t n, const char *one, const char *many)
{
    return n == 1 ? one : many;
}

/* Each label of the modelled cycles that were compared, once. */
static void labels_print(FILE *f, const struct part *p)
{
    struct list labels = LIST_INIT;
    for (size_t i = 0; i < p->n; i++) {
        if (p->v[i]->metric != METRIC_JUDGED_MODELLED || p->v[i]->verdict == VERDICT_EXCLUDED)
            continue;
        char *label = prediction_label_for(&p->v[i]->new_cell->modelled, "markdown");
        if (!list_has(&labels, label))
            list_add(&labels, label);
        free(label);
    }
    for (size_t i = 0; i < labels.n; i++)
        fprintf(f, "By %s:\n\n", labels.v[i]);
    list_free(&labels);
}

static int by_cell(const void *a, const void *b)
{
    const struct finding *const *x = a, *const *y = b;
    return ((*x)->new_cell > (*y)->new_cell) - ((*x)->new_cell < (*y)->new_cell);
}

/* Of n findings by instructions in v, those whose cell has no row in the tables by modelled cycles
 * already: moved to the front, in their order. Returns how many. Rows that a table leaves out have
 * their count left out here too. */
static size_t untold(const struct part *p, const struct finding **v, size_t n)
{
    const struct finding **told = xcalloc(p->n + 1, sizeof(struct finding *));
    size_t ntold = 0, left = 0;
    for (size_t i = 0; i < p->n; i++)
        if (p->v[i]->metric == METRIC_JUDGED_MODELLED &&
            (p->v[i]->verdict == VERDICT_WORSE || p->v[i]->verdict == VERDICT_BETTER))
            told[ntold++] = p->v[i];
    qsort(told, ntold, sizeof(struct finding *), by_cell);
    for (size_t i = 0; i < n; i++)
        if (!bsearch(&v[i], told, ntold, sizeof(struct finding *), by_cell))
            v[left++] = v[i];
    free(told);
    return left;
}

static int metric_print(FILE *f, const struct part *p, enum metric m, const char *by)
{
    const struct finding **v = xcalloc(p->n + 1, sizeof(struct finding *));
    size_t all = count(p, m, VERDICT_EXCLUDED), same = count(p, m, VERDICT_SAME),
           unclear = count(p, m, VERDICT_UNCLEAR);
    int rc = 0;
    if (m == METRIC_JUDGED_MODELLED)
        labels_print(f, p);
    for (size_t k = 0; k < sizeof changes / sizeof *changes && !rc; k++) {
        size_t n = 0;
        for (size_t i = 0; i < p->n; i++)
            if (p->v[i]->metric == m && p->v[i]->verdict == changes[k].verdict)
                v[n++] = p->v[i];
        if (!n)
            continue;
        char *range = range_text(v, 0, n);
        size_t rest = m == METRIC_JUDGED_INSNS ? untold(p, v, n) : n;
        fprintf(f, "%s by %s: %zu of %zu %s, %s%s.\n\n", changes[k].head, by, n, all,
                are(all, "cell", "cells"), range,
                rest == n ? ""
                : rest    ? "; those that have no row above"
                          : "; in the rows above");
        free(range);
        rc = rest ? changes_print(f, p, v, rest) : 0;
    }
    free(v);
    if (same)
        fprintf(f, "No change by %s beyond %s and limit: %zu of %zu %s.\n\n", by,
                m == METRIC_JUDGED_MODELLED ? "5%" : "noise", same, all, are(all, "cell", "cells"));
    if (unclear)
        fprintf(f, "Not decided by %s, as the intervals are too wide: %zu of %zu %s.\n\n", by,
                unclear, all, are(all, "cell", "cells"));
    return rc;
}

/* ---- sizes ---- */

static int by_change(const void *a, const void *b)
{
    const struct finding *const *x = a, *const *y = b;
    double p = fabs(log((*x)->ratio)), q = fabs(log((*y)->ratio));
    int r = (p < q) - (p > q);
    return r ? r : (*x > *y) - (*x < *y);
}

static void size_row(struct grid *g, const struct finding *f, const int shown[AXES],
                     const char *what, uint64_t base, uint64_t now)
{
    axes_add(g, f, shown);
    grid_add(g, xstrdup(what));
    grid_add(g, xasprintf("%" PRIu64 " B", base));
    grid_add(g, xasprintf("%" PRIu64 " B", now));
    grid_add(g, wording_change((double)now / (double)base));
}

static int sizes_print(FILE *f, const struct part *p)
{
    const struct finding **v = xcalloc(p->n + 1, sizeof(struct finding *));
    size_t n = 0, all = count(p, METRIC_JUDGED_SIZE, VERDICT_EXCLUDED);
    int shown[AXES], rc = 0;

    for (size_t i = 0; i < p->n; i++)
        if (!is_cell(p->v[i]) && p->v[i]->verdict != VERDICT_EXCLUDED &&
            p->v[i]->base != p->v[i]->now)
            v[n++] = p->v[i];
    qsort(v, n, sizeof(struct finding *), by_change);
    if (n) {
        struct grid g = grid_begin(p, METRIC_JUDGED_SIZE, shown);
        size_t rows = n < ROWS ? n : ROWS;
        for (size_t i = 0; i < rows; i++) {
            const struct result_build *a = v[i]->base_build, *b = v[i]->new_build;
            size_row(&g, v[i], shown, "text, rodata, data, bss", (uint64_t)v[i]->base,
                     (uint64_t)v[i]->now);
            if (a->have_shared && b->have_shared && a->shared_stripped && b->shared_stripped)
                size_row(&g, v[i], shown, "stripped shared library", a->shared_stripped,
                         b->shared_stripped);
        }
        char *range = range_text(v, 0, n);
        fprintf(f, "Size: %zu of %zu %s changed, %s.\n\n", n, all, are(all, "build", "builds"),
                range);
        free(range);
        rc = grid_end(f, &g);
        if (n > rows) {
            range = range_text(v, rows, n);
            fprintf(f, "And %zu more, %s.\n\n", n - rows, range);
            free(range);
        }
    }
    if (all > n)
        fprintf(f, "Size: %zu of %zu %s to the byte as before.\n\n", all - n, all,
                are(all, "build is", "builds are"));
    free(v);
    return rc;
}

/* ---- the whole ---- */

/* The CPU model in the heading, where there is one. */
static const char *only_cpu(const struct part *p)
{
    const char *cpu = NULL;
    for (size_t i = 0; i < p->n; i++) {
        if (!is_cell(p->v[i]))
            continue;
        if (cpu && strcmp(cpu, p->v[i]->new_cell->cpu))
            return NULL;
        cpu = p->v[i]->new_cell->cpu;
    }
    return cpu && *cpu ? cpu : NULL;
}

static int part_print(FILE *f, const struct part *p)
{
    const char *raw[] = {p->target, only_cpu(p)};
    struct list names = LIST_INIT;
    int rc = 0;

    escape_names(&names, raw, 2, "markdown");
    fprintf(f, "### %s%s%s\n\n", names.v[0], raw[1] ? " " : "", names.v[1]);
    list_free(&names);
    for (size_t i = 0; i < sizeof cell_metrics / sizeof *cell_metrics && !rc; i++)
        rc = metric_print(f, p, cell_metrics[i].metric, cell_metrics[i].by);
    return rc || sizes_print(f, p) ? -1 : 0;
}

/* Targets in the order of the comparison's deciding findings would change with noise: by name. */
static void targets_find(const struct comparison *c, struct list *out)
{
    for (size_t i = 0; i < c->n; i++)
        if (!list_has(out, build_of(&c->findings[i])->target))
            list_add(out, build_of(&c->findings[i])->target);
    list_sort_unique(out);
}

/* What is not told above: each cause once. */
static void gaps_print(FILE *f, const struct comparison *c)
{
    struct list gaps = LIST_INIT;
    wording_excluded(c, &gaps);
    for (size_t i = 0; i < c->blockers.n; i++) {
        const char *text;
        free(wording_code(c->blockers.v[i], &text));
        /* said above, by target */
        if (strncmp(c->blockers.v[i], "unclear", 7) != 0)
            list_add(&gaps, text);
    }
    for (size_t i = 0; i < gaps.n; i++) {
        char *text = escape_markdown(gaps.v[i]);
        fprintf(f, "%s- %s\n", i ? "" : "Not compared:\n\n", text);
        free(text);
    }
    fputs(gaps.n ? "\n" : "", f);
    list_free(&gaps);
}

static int notes_print(FILE *f, const struct comparison *c, const struct match_request *r)
{
    struct list targets = LIST_INIT;
    char *base = notefoot_side(r, 0), *now = notefoot_side(r, 1);
    struct part p = {.v = xcalloc(c->n + 1, sizeof(struct finding *)), .base = base, .now = now};
    int rc = 0;

    fprintf(f, "## Performance and size of %s, compared with %s\n\n", now, base);
    targets_find(c, &targets);
    for (size_t t = 0; t < targets.n && !rc; t++) {
        p.target = targets.v[t];
        p.n = 0;
        for (size_t i = 0; i < c->n; i++)
            if (!strcmp(build_of(&c->findings[i])->target, p.target))
                p.v[p.n++] = &c->findings[i];
        rc = part_print(f, &p);
    }
    gaps_print(f, c);
    notefoot_print(f, c, r);
    free(p.v);
    list_free(&targets);
    free(base);
    free(now);
    return rc;
}

int export_release_notes(FILE *f, const struct export *x, struct err *e)
{
    struct match_request r = {0};
    struct comparison c = {0};
    struct policy policy;
    int rc = request_policy(x->options, &policy, e);

    if (!rc && x->n > 2)
        rc = err_usage(e, "release-notes: %zu files: give two, BASE NEW, or one", x->n);
    if (!rc)
        rc = request_sides("release-notes", x->options, x->files, x->n, &r, &c.base_name,
                           &c.new_name, e);
    if (!rc) {
        request_choose(x->options, 0, &r);
        match(&r, &policy, &c);
        if (!c.n)
            rc = err_set(e, "release-notes: '%s' and '%s' share no cell: there is nothing to tell",
                         c.base_name, c.new_name);
        else if (notes_print(f, &c, &r))
            rc = err_set(e, "the release notes cannot be laid out");
    }
    comparison_free(&c);
    policy_free(&policy);
    return rc;
}

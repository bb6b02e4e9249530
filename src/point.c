/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "point.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "number.h"
#include "status.h"

char *figure_text(const struct figure *f)
{
    return f->exact ? xasprintf("%" PRIu64, f->count) : double_text(f->value);
}

static struct figure exact(uint64_t count)
{
    return (struct figure){.known = 1, .exact = 1, .count = count, .value = (double)count};
}

static struct figure estimated(const struct estimate *x)
{
    return (struct figure){.known = x->n > 0,
                           .value = x->median,
                           .low = x->low,
                           .high = x->high,
                           .have_interval = x->have_interval,
                           .samples = x->n};
}

static int any_known(const struct point *p)
{
    int any = 0;
    for (size_t m = 0; m < MEASURES; m++)
        any |= p->v[m].known;
    return any;
}

/* ---- cells ---- */

static char *cell_name(const struct result_cell *c)
{
    return xasprintf("%s%s%s/%s/%s/%s/%s/%s/%s/%s/%" PRIu64, c->target, c->cpu[0] ? ":" : "",
                     c->cpu, c->runner, c->library, c->compiler, c->config, c->workload, c->alg,
                     c->op, c->bytes);
}

/* What was left out. */
struct left_out {
    size_t failed[STATUS_COUNT + 1]; /* by status; the last: of none that is known */
    size_t all, emulated;
    char *first;
};

static void cell_add(struct points *out, const struct result_file *f, const struct result_cell *c,
                     struct left_out *left)
{
    struct point p = {.file = f, .cell = c, .build = c->build};
    int emulated = c->emulated || c->lane->emulated;

    if (!emulated) {
        p.v[MEASURE_TIME] = estimated(&c->time);
        p.v[MEASURE_CYCLES] = estimated(&c->cycles);
    }
    left->emulated += emulated && c->time.n;
    if (c->insns.counted)
        p.v[MEASURE_INSNS] = exact(c->insns.per_op);
    if (any_known(&p)) {
        p.name = cell_name(c);
        out->v[out->n++] = p;
    } else if (strcmp(c->status, "ok")) {
        int s = status_by_name(c->status);
        left->failed[s < 0 ? STATUS_COUNT : s]++;
        left->all++;
        if (!left->first)
            left->first = cell_name(c);
    }
}

/* ---- builds ---- */

static void build_add(struct points *out, const struct result_file *f, const struct result_build *b)
{
    struct point p = {.file = f, .build = b};

    if (b->have_sizes)
        p.v[MEASURE_SIZE] = exact(b->text + b->rodata + b->data + b->bss);
    if (b->have_shared)
        p.v[MEASURE_STRIPPED] = exact(b->shared_stripped);
    if (b->stack.use.n)
        p.v[MEASURE_FRAME] = exact(b->stack.use.v[0].bytes);
    if (!any_known(&p))
        return;
    p.name = xasprintf("%s/%s/%s/%s", b->target, b->library, b->cc, b->config);
    out->v[out->n++] = p;
}

static void builds_add(struct points *out, const struct result_file *f)
{
    char *wanted = xcalloc(f->nbuilds + 1, 1);
    int all = !f->ncells && !f->nowned;
    for (size_t i = 0; i < f->ncells; i++)
        wanted[f->cells[i].build - f->builds] = 1;
    for (size_t i = 0; i < f->nbuilds; i++)
        if (all || wanted[i])
            build_add(out, f, &f->builds[i]);
    free(wanted);
}

/* ---- all ---- */

static void left_out_note(const struct left_out *left, struct list *notes)
{
    struct str why = STR_INIT;
    if (left->emulated)
        list_addf(notes,
                  "%zu cell%s an emulator's time, which is not exported: it is no measure of the "
                  "CPU",
                  left->emulated, left->emulated == 1 ? " has" : "s have");
    if (!left->all)
        return;
    for (size_t s = 0; s <= STATUS_COUNT; s++)
        if (left->failed[s])
            str_addf(&why, "%s%zu %s", why.n ? ", " : "", left->failed[s],
                     s < STATUS_COUNT ? status_name((enum status)s) : "of another status");
    list_addf(notes, "%zu cell%s no number and %s left out: %s; first %s", left->all,
              left->all == 1 ? " has" : "s have", left->all == 1 ? "is" : "are", why.p,
              left->first);
    str_free(&why);
}

static int name_order(const void *a, const void *b)
{
    const struct point *const *x = a, *const *y = b;
    int r = strcmp((*x)->name, (*y)->name);
    return r ? r : (*x > *y) - (*x < *y);
}

/* Programs that keep figures tell them by name. */
static int names_differ(const struct points *p, struct err *e)
{
    const struct point **sorted = xcalloc(p->n + 1, sizeof(struct point *));
    int rc = 0;
    for (size_t i = 0; i < p->n; i++)
        sorted[i] = &p->v[i];
    qsort(sorted, p->n, sizeof(struct point *), name_order);
    for (size_t i = 1; i < p->n && !rc; i++)
        if (!strcmp(sorted[i - 1]->name, sorted[i]->name))
            rc = err_set(e,
                         "%s and %s: both have '%s', and what reads this format tells figures by "
                         "their names: give one file, or choose with --config and the like",
                         sorted[i - 1]->file->path, sorted[i]->file->path, sorted[i]->name);
    free(sorted);
    return rc;
}

int points_find(const struct export *x, struct points *out, struct err *e)
{
    struct left_out left = {0};
    size_t most = 1;

    for (size_t i = 0; i < x->n; i++)
        most += x->files[i].ncells + x->files[i].nbuilds;
    *out = (struct points){xcalloc(most, sizeof *out->v), 0};
    for (size_t i = 0; i < x->n; i++)
        for (size_t k = 0; k < x->files[i].ncells; k++)
            cell_add(out, &x->files[i], &x->files[i].cells[k], &left);
    for (size_t i = 0; i < x->n; i++)
        builds_add(out, &x->files[i]);
    if (x->notes)
        left_out_note(&left, x->notes);
    free(left.first);
    return names_differ(out, e);
}

void points_free(struct points *p)
{
    for (size_t i = 0; i < p->n; i++)
        free(p->v[i].name);
    free(p->v);
    *p = (struct points){0};
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/* The same cells over many result files, in the order in which they were made. */
#include "plot_make.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "str.h"

enum { MOST_TICS = 24 }; /* files named on the axis; of more, every second or third and so on */

/* A cell and the place of its file in time. */
struct dated {
    const struct result_cell *cell;
    size_t at;
};

/* Files in order, and the cells of one work on one machine. */
struct history {
    const struct result_file **files;
    size_t nfiles;
    const struct dated *v; /* by build, then by time */
    size_t n;
    int libraries, compilers; /* some file has more than one: names tell them apart */
};

static int created_order(const void *a, const void *b)
{
    const struct result_file *const *x = a, *const *y = b;
    int r = strcmp((*x)->created, (*y)->created); /* UTC in one form: by time */
    return r ? r : (*x > *y) - (*x < *y);
}

static int dated_order(const void *a, const void *b)
{
    const struct dated *x = a, *y = b;
    int r = result_cell_order(x->cell, y->cell);
    if (!r)
        r = (x->at > y->at) - (x->at < y->at);
    return r ? r : (x->cell > y->cell) - (x->cell < y->cell);
}

static int text_differs(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") != 0;
}

/* Whether two cells are points of one line. */
static int same_line(const struct history *h, const struct result_cell *a,
                     const struct result_cell *b)
{
    return !strcmp(a->config, b->config) && !text_differs(a->build->side, b->build->side) &&
           (!h->libraries || !strcmp(a->library, b->library)) &&
           (!h->compilers || !strcmp(a->compiler, b->compiler));
}

static void names_needed(struct history *h)
{
    for (size_t i = 1; i < h->n; i++) {
        const struct result_cell *a = h->v[i - 1].cell, *b = h->v[i].cell;
        if (h->v[i - 1].at != h->v[i].at || text_differs(a->build->side, b->build->side))
            continue;
        h->libraries |= strcmp(a->library, b->library) != 0;
        h->compilers |= strcmp(a->compiler, b->compiler) != 0;
    }
}

static char *line_name(const struct history *h, const struct result_cell *c)
{
    struct str out = STR_INIT;
    str_add(&out, c->config);
    if (h->compilers)
        str_addf(&out, ", %s", c->compiler);
    if (h->libraries)
        str_addf(&out, ", %s", c->library);
    if (c->build->side)
        str_addf(&out, " (%s)", c->build->side);
    return str_take(&out);
}

static const char *machine_fact(const struct history *h, size_t at)
{
    const char *model = result_fact(h->files[at], "cpu_model");
    return model ? model : "";
}

/* Times of two machines are not joined; counts are the same on any. */
static int is_apart(const struct history *h, enum figure f, size_t before, size_t at)
{
    return f != FIGURE_INSNS && strcmp(machine_fact(h, before), machine_fact(h, at)) != 0;
}

/* The line of cell `first`, where it has the figure at all. Returns 1 when it stands in two
 * pieces. */
static int line_draw(const struct history *h, enum figure f, size_t first, struct plot_panel *p)
{
    struct plot_line *line = NULL;
    size_t before = 0;
    int apart = 0;
    for (size_t i = first; i < h->n; i++) {
        const struct result_cell *c = h->v[i].cell;
        struct figure_value v;
        if (!same_line(h, h->v[first].cell, c) || figure_of(c, f, &v))
            continue;
        int gap = line && is_apart(h, f, before, h->v[i].at);
        if (!line)
            line = plot_line_add(p, line_name(h, h->v[first].cell), PLOT_JOINED);
        plot_point_add(line, (struct plot_point){.x = (double)h->v[i].at + 1,
                                                 .y = v.y,
                                                 .low = v.low,
                                                 .high = v.high,
                                                 .have_interval = v.have_interval,
                                                 .apart = gap});
        before = h->v[i].at;
        apart |= gap;
    }
    return apart;
}

static int is_line_start(const struct history *h, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (same_line(h, h->v[k].cell, h->v[i].cell))
            return 0;
    return 1;
}

/* The version of the library that the cells of a file are of; "" where there are several. */
static const char *version_at(const struct history *h, size_t at)
{
    const char *found = NULL;
    for (size_t i = 0; i < h->n; i++) {
        const char *version = h->v[i].cell->build->version;
        if (h->v[i].at != at || !version)
            continue;
        if (found && strcmp(found, version))
            return "";
        found = version;
    }
    return found ? found : "";
}

/* When a file was made; and of which version, where that is not always the same. */
static void tics_add(const struct history *h, struct plot_panel *p)
{
    size_t step = (h->nfiles + MOST_TICS - 1) / MOST_TICS;
    int versions = 0;
    for (size_t i = 1; i < h->nfiles; i++)
        versions |= strcmp(version_at(h, i - 1), version_at(h, i)) != 0;
    for (size_t i = 0; i < h->nfiles; i += step) {
        const char *version = versions ? version_at(h, i) : "";
        size_t minutes = strcspn(h->files[i]->created, "T") + strlen("T00:00");
        char *day = xstrndup(h->files[i]->created, minutes);
        if (strchr(day, 'T'))
            *strchr(day, 'T') = ' ';
        plot_tic_add(p, (double)i + 1, xasprintf("%s%s%s", day, version[0] ? ", " : "", version));
        free(day);
    }
    p->turned = 1;
}

static struct plot_panel *panel_start(const struct history *h, enum figure f, struct plot *out)
{
    const struct result_cell *c = h->v[0].cell;
    char *machine = plot_machine(c->lane);
    struct str sub = STR_INIT;
    if (!h->libraries)
        str_add(&sub, c->library);
    if (!h->compilers)
        str_addf(&sub, "%s%s", sub.n ? ", " : "", c->compiler);
    struct plot_panel *p = plot_panel_add(
        out,
        xasprintf("%s %s, %" PRIu64 " B, %s: %s", c->alg, c->op, c->bytes, c->workload, machine),
        str_take(&sub), plot_note(f, c->lane));
    free(machine);
    p->target = c->target;
    p->alg = c->alg;
    p->x_label = xstrdup("result file, by when it was made (UTC)");
    p->y_label = figure_label(f);
    tics_add(h, p);
    return p;
}

static void history_draw(const struct history *h, enum figure f, struct plot *out)
{
    struct plot_panel *p = NULL;
    for (size_t i = 0; i < h->n; i++) {
        if (!is_line_start(h, i))
            continue;
        if (!p || p->nlines == PLOT_LINES)
            p = panel_start(h, f, out);
        if (line_draw(h, f, i, p) && !strstr(p->note, "machine")) {
            char *note = xasprintf("%s; broken where the machine changes", p->note);
            free(p->note);
            p->note = note;
        }
    }
}

static void work_draw(struct history *h, const struct list *metric, struct plot *out)
{
    const struct result_cell **cells = xcalloc(h->n, sizeof(struct result_cell *));
    for (size_t i = 0; i < h->n; i++)
        cells[i] = h->v[i].cell;
    names_needed(h);
    for (size_t f = 0; f < FIGURE_COUNT; f++)
        if (figure_wanted((enum figure)f, metric, cells, h->n))
            history_draw(h, (enum figure)f, out);
    free(cells);
}

void plot_history(const struct result_file *files, size_t n, const struct list *metric,
                  struct plot *out)
{
    struct history h = {.files = xcalloc(n, sizeof(struct result_file *)), .nfiles = n};
    size_t ncells = 0, all = 0, to;
    for (size_t i = 0; i < n; i++) {
        h.files[i] = &files[i];
        ncells += files[i].ncells;
    }
    qsort(h.files, n, sizeof(struct result_file *), created_order);
    struct dated *cells = xcalloc(ncells + 1, sizeof *cells);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < h.files[i]->ncells; k++)
            cells[all++] = (struct dated){&h.files[i]->cells[k], i};
    qsort(cells, all, sizeof *cells, dated_order);
    for (size_t from = 0; from < all; from = to) {
        for (to = from + 1; to < all && !result_cell_order(cells[from].cell, cells[to].cell); to++)
            ;
        h.v = &cells[from];
        h.n = to - from;
        h.libraries = h.compilers = 0;
        work_draw(&h, metric, out);
    }
    free(cells);
    free(h.files);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "plot.h"

#include <stdlib.h>

#include "mem.h"

/* v with room for one more element of that size after n; room doubles. */
static void *grown(void *v, size_t n, size_t size)
{
    return n & (n - 1) ? v : xreallocarray(v, n ? 2 * n : 1, size);
}

struct plot_panel *plot_panel_add(struct plot *p, char *title, char *subtitle, char *note)
{
    p->v = grown(p->v, p->n, sizeof *p->v);
    p->v[p->n] = (struct plot_panel){.title = title, .subtitle = subtitle, .note = note};
    return &p->v[p->n++];
}

struct plot_line *plot_line_add(struct plot_panel *p, char *label, enum plot_shape shape)
{
    p->lines = grown(p->lines, p->nlines, sizeof *p->lines);
    p->lines[p->nlines] = (struct plot_line){.label = label, .shape = shape, .style = p->nlines};
    return &p->lines[p->nlines++];
}

void plot_point_add(struct plot_line *l, struct plot_point point)
{
    l->v = grown(l->v, l->n, sizeof *l->v);
    l->v[l->n++] = point;
}

void plot_tic_add(struct plot_panel *p, double at, char *label)
{
    p->tics = grown(p->tics, p->ntics, sizeof *p->tics);
    p->tics[p->ntics++] = (struct plot_tic){at, label};
}

static void range_add(double v, size_t *n, double *least, double *most)
{
    if (!*n || v < *least)
        *least = v;
    if (!*n || v > *most)
        *most = v;
    ++*n;
}

int plot_panel_range(const struct plot_panel *p, int of_x, double *least, double *most)
{
    size_t n = 0;
    for (size_t i = 0; i < p->nlines; i++)
        for (size_t k = 0; k < p->lines[i].n; k++) {
            const struct plot_point *q = &p->lines[i].v[k];
            range_add(of_x ? q->x : q->y, &n, least, most);
            if (!of_x && q->have_interval) {
                range_add(q->low, &n, least, most);
                range_add(q->high, &n, least, most);
            }
        }
    return n ? 0 : -1;
}

static void panel_free(struct plot_panel *p)
{
    for (size_t i = 0; i < p->nlines; i++) {
        free(p->lines[i].label);
        free(p->lines[i].v);
    }
    for (size_t i = 0; i < p->ntics; i++)
        free(p->tics[i].label);
    free(p->lines);
    free(p->tics);
    free(p->title);
    free(p->subtitle);
    free(p->note);
    free(p->x_label);
}

void plot_free(struct plot *p)
{
    for (size_t i = 0; i < p->n; i++)
        panel_free(&p->v[i]);
    free(p->v);
    *p = (struct plot){0};
}

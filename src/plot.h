/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_PLOT_H
#define CB_PLOT_H

/* What a picture shows, before any program draws it: panels, each with its axes and lines. */
#include <stddef.h>

struct result_lane;

struct plot_point {
    double x, y;
    double low, high;  /* of y; where have_interval */
    int have_interval; /* 0: exact, or not known */
    int apart;         /* not joined to the point before it */
};

enum plot_shape {
    PLOT_JOINED, /* points with a line through them */
    PLOT_POINTS, /* points only */
    PLOT_STAIRS  /* no points, a line along and then up or down */
};

struct plot_line {
    char *label; /* owned; any text */
    enum plot_shape shape;
    int hollow;   /* set back against others */
    size_t style; /* which colour, dashes and shape: the same number, the same looks */
    struct plot_point *v;
    size_t n;
};

/* A mark on the x axis. */
struct plot_tic {
    double at;
    char *label; /* owned */
};

struct plot_panel {
    char *title, *subtitle, *note; /* owned; any text; note "" for none */
    char *x_label;                 /* owned; with the unit */
    const char *y_label;           /* with the unit */
    int log_x, log_y, turned; /* turned: marks of the x axis are too long to lie side by side */
    struct plot_tic *tics;    /* of the x axis; none: round numbers */
    size_t ntics;
    struct plot_line *lines;
    size_t nlines;
    /* what it shows, for those who choose among panels */
    size_t file;                    /* index */
    const struct result_lane *lane; /* NULL: of several files */
    const char *target, *alg;       /* alg NULL: more than one */
};

struct plot {
    struct plot_panel *v;
    size_t n;
};

/* A new panel, the last one; takes the texts over. Valid until the next is added. */
struct plot_panel *plot_panel_add(struct plot *p, char *title, char *subtitle, char *note);
/* Takes the label over. Valid until the next is added. */
struct plot_line *plot_line_add(struct plot_panel *p, char *label, enum plot_shape shape);
void plot_point_add(struct plot_line *l, struct plot_point point);
/* Takes the label over. */
void plot_tic_add(struct plot_panel *p, double at, char *label);
/* 0 with *least and *most of all points and intervals; -1 without any point. */
int plot_panel_range(const struct plot_panel *p, int of_x, double *least, double *most);
void plot_free(struct plot *p);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "gnuplotscript.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "axis.h"
#include "escape.h"
#include "number.h"
#include "str.h"
#include "svg.h"

/* Pixels of a panel, and from how many panels on there are two columns. */
enum { WIDTH = 860, HEIGHT = 440, TWO_COLUMNS = 4 };
/* As many as have room; a line at the top may be broken once. */
enum { LABEL_CHARACTERS = 32, TITLE_CHARACTERS = 84, TIC_CHARACTERS = 40 };

/* Okabe and Ito's colours, which people with any kind of colour vision tell apart (without their
 * yellow, too light for lines); beside them dashes and shapes, for those who print without. */
static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                      "#000000", "#E69F00", "#56B4E9"};
static const char *const dashes[] = {"solid", "(14,5)", "(3,4)", "(14,4,3,4)", "(7,4)"};
/* gnuplot's numbers: circle, square, triangle, diamond, triangle on its tip, pentagon. */
static const int filled[] = {7, 5, 9, 13, 11, 15}, hollow[] = {6, 4, 8, 12, 10, 14};

enum {
    COLOURS = sizeof colours / sizeof *colours,
    DASHES = sizeof dashes / sizeof *dashes,
    SHAPES = sizeof filled / sizeof *filled
};

static size_t utf8_next(const char *s, size_t i)
{
    do
        i++;
    while (((unsigned char)s[i] & 0xc0) == 0x80);
    return i;
}

char *text_shortened(const char *s, size_t most)
{
    size_t n = 0, head = (most - 1) / 2, tail = most - 1 - head, at = 0;
    struct str out = STR_INIT;
    for (size_t i = 0; s[i]; i = utf8_next(s, i))
        n++;
    if (n <= most) {
        str_add(&out, s);
        return str_take(&out);
    }
    for (size_t k = 0; k < head; k++)
        at = utf8_next(s, at);
    str_addn(&out, s, at);
    str_add(&out, "\xe2\x80\xa6");
    for (size_t k = head; k < n - tail; k++)
        at = utf8_next(s, at);
    str_add(&out, s + at);
    return str_take(&out);
}

/* Of escape_text(), also what would break or turn a line (U+2028 to U+202E, U+2066 to U+2069), and
 * U+E000 and after, which has no glyph, as JSON writes it. Caller owns. */
static char *one_line(const char *text)
{
    char *line = escape_text(text);
    struct str out = STR_INIT;
    for (const unsigned char *p = (const unsigned char *)line; *p; p++) {
        unsigned code =
            (*p & 0xf0u) == 0xe0 ? (*p & 0xfu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu) : 0;
        if ((code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
            (code >= 0xe000 && code <= 0xf8ff)) {
            str_addf(&out, "\\u%04x", code);
            p += 2;
        } else {
            str_addc(&out, (char)*p);
        }
    }
    free(line);
    return str_take(&out);
}

/* A line of one_line() in single quotes, where only the quote itself means anything. */
static void quoted_line_add(struct str *out, const char *line, size_t most,
                            struct gnuplot_terminal t)
{
    char *some = text_shortened(line, most), *safe = t.png ? some : svg_text(some);
    str_addc(out, '\'');
    for (const char *p = safe; *p; p++)
        str_add(out, *p == '\'' ? "''" : (char[]){*p, 0});
    str_addc(out, '\'');
    if (!t.png)
        free(safe);
    free(some);
}

/* The same of text of any bytes. */
static void quoted_add(struct str *out, const char *text, size_t most, struct gnuplot_terminal t)
{
    char *line = one_line(text);
    quoted_line_add(out, line, most, t);
    free(line);
}

/* In two lines where it is too long for one and has a blank to break at. */
static void title_add(struct str *out, const char *text, struct gnuplot_terminal t)
{
    char *line = one_line(text), *rest = NULL;
    if (strlen(line) > TITLE_CHARACTERS)
        for (size_t i = 1; i <= TITLE_CHARACTERS; i++)
            if (line[i] == ' ')
                rest = line + i;
    if (rest)
        *rest++ = 0;
    quoted_line_add(out, line, TITLE_CHARACTERS, t);
    if (rest) {
        str_add(out, ".\"\\n\".");
        quoted_line_add(out, rest, TITLE_CHARACTERS, t);
    }
    free(line);
}

static void number_add(struct str *out, double v)
{
    char *text = double_text(v);
    str_add(out, text);
    free(text);
}

static void range_add(struct str *out, const char *axis, double low, double high)
{
    str_addf(out, "set %srange [", axis);
    number_add(out, low);
    str_addc(out, ':');
    number_add(out, high);
    str_add(out, "]\n");
}

/* One of the marks of an axis. */
static void tic_add(struct str *out, size_t i, const char *label, double at,
                    struct gnuplot_terminal t)
{
    str_add(out, i ? ", " : "");
    quoted_add(out, label, TIC_CHARACTERS, t);
    str_addc(out, ' ');
    number_add(out, at);
}

static void round_axis_add(struct str *out, const char *name, const struct axis *a, int is_log,
                           struct gnuplot_terminal t)
{
    /* gnuplot drops a mark that rounding of the logarithm puts outside of the range */
    double slack = is_log ? 1e-6 : 0;
    range_add(out, name, a->low * (1 - slack), a->high * (1 + slack));
    str_addf(out, "set %stics (", name);
    for (size_t i = 0; i < a->n; i++) {
        char *text = axis_text(a->tic[i]);
        tic_add(out, i, text, a->tic[i], t);
        free(text);
    }
    str_add(out, ")\n");
}

static void x_axis_add(struct str *out, const struct plot_panel *p, struct gnuplot_terminal t)
{
    double least, most;
    if (plot_panel_range(p, 1, &least, &most))
        return;
    if (!p->ntics) {
        double room = 0.04 * (most - least); /* no point on the frame */
        struct axis a = axis_linear(least - room, most + room);
        round_axis_add(out, "x", &a, 0, t);
        return;
    }
    /* The marks themselves bound it, with room beside them. */
    least = most = p->tics[0].at;
    for (size_t i = 0; i < p->ntics; i++) {
        least = fmin(least, p->tics[i].at);
        most = fmax(most, p->tics[i].at);
    }
    double x_least, x_most;
    plot_panel_range(p, 1, &x_least, &x_most);
    least = fmin(least, x_least);
    most = fmax(most, x_most);
    if (p->log_x)
        range_add(out, "x", least / 1.3, most * 1.3);
    else
        range_add(out, "x", least - 0.5, most + 0.5);
    str_addf(out, "set xtics %s (", p->turned ? "rotate by 45 right" : "norotate");
    for (size_t i = 0; i < p->ntics; i++)
        tic_add(out, i, p->tics[i].label, p->tics[i].at, t);
    str_add(out, ")\n");
}

static void y_axis_add(struct str *out, const struct plot_panel *p, struct gnuplot_terminal t)
{
    double least, most;
    if (plot_panel_range(p, 0, &least, &most))
        return;
    struct axis a = p->log_y ? axis_log(least, most) : axis_linear(least, most);
    round_axis_add(out, "y", &a, p->log_y, t);
}

static int has_intervals(const struct plot_line *l)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->v[i].have_interval)
            return 1;
    return 0;
}

/* x, y, and the interval: NaN draws none. A blank line interrupts the line. */
static void data_add(struct str *out, const struct plot_line *l, size_t i)
{
    str_addf(out, "$line%zu << END\n", i);
    for (size_t k = 0; k < l->n; k++) {
        const struct plot_point *p = &l->v[k];
        const double values[] = {p->x, p->y, p->low, p->high};
        str_add(out, p->apart ? "\n" : "");
        for (size_t c = 0; c < sizeof values / sizeof *values; c++) {
            str_add(out, c ? " " : "");
            if (c < 2 || p->have_interval)
                number_add(out, values[c]);
            else
                str_add(out, "NaN");
        }
        str_addc(out, '\n');
    }
    str_add(out, "END\n");
}

static void line_add(struct str *out, const struct plot_line *l, size_t i,
                     struct gnuplot_terminal t)
{
    const char *colour = colours[l->style % COLOURS], *dash = dashes[l->style % DASHES];
    /* filled and hollow ones in turn, so that neighbours differ most */
    int second = l->shape == PLOT_JOINED ? l->style % 2 == 1 : l->hollow;
    int shape = (second ? hollow : filled)[l->style % SHAPES];

    str_addf(out, "%s$line%zu using 1:2 ", i ? ", \\\n  " : "", i);
    if (l->shape == PLOT_STAIRS)
        str_add(out, "with steps lw 2 dt solid lc rgb '#888888'");
    else if (l->shape == PLOT_POINTS)
        str_addf(out, "with points lw 2 ps 1.3 lc rgb '%s' pt %d", colour, shape);
    else
        str_addf(out, "with linespoints lw 2 ps 1 lc rgb '%s' dt %s pt %d", colour, dash, shape);
    str_add(out, " title ");
    quoted_add(out, l->label, LABEL_CHARACTERS, t);
    /* vectors with flat heads: gnuplot's error bars blot out what is behind their points */
    if (l->shape != PLOT_STAIRS && has_intervals(l))
        str_addf(out,
                 ", \\\n  $line%zu using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 "
                 "nofilled lw 1.2 dt solid lc rgb '%s' notitle",
                 i, colour);
}

static void axis_label_add(struct str *out, const char *axis, const char *label, int is_log,
                           struct gnuplot_terminal t)
{
    struct str text = STR_INIT;
    str_addf(&text, "%s%s", label, is_log ? ", log scale" : "");
    str_addf(out, "set %slabel ", axis);
    quoted_add(out, text.p, TITLE_CHARACTERS, t);
    str_addc(out, '\n');
    str_free(&text);
}

static void panel_add(struct str *out, const struct plot_panel *p, struct gnuplot_terminal t)
{
    const char *const titles[] = {p->title, p->subtitle, p->note};
    str_add(out, "reset\n"
                 "set encoding utf8\n"
                 "set border 3\n"
                 "set tics nomirror\n"
                 "set grid xtics ytics lt 1 lc rgb '#c0c0c0' lw 0.7 dt solid\n"
                 "set key outside right top vertical Left reverse samplen 4 spacing 1.25\n"
                 "set title ");
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        str_add(out, i ? ".\"\\n\"." : "");
        title_add(out, titles[i], t);
    }
    str_addc(out, '\n');
    axis_label_add(out, "x", p->x_label, 0, t);
    axis_label_add(out, "y", p->y_label, p->log_y, t);
    str_add(out, p->log_x ? "set logscale x\n" : "");
    str_add(out, p->log_y ? "set logscale y\n" : "");
    x_axis_add(out, p, t);
    y_axis_add(out, p, t);
    for (size_t i = 0; i < p->nlines; i++)
        data_add(out, &p->lines[i], i);
    str_add(out, "plot ");
    for (size_t i = 0; i < p->nlines; i++)
        line_add(out, &p->lines[i], i, t);
    str_add(out, "\n");
}

char *gnuplot_script(const struct plot_panel *panels, size_t n, struct gnuplot_terminal t)
{
    struct str out = STR_INIT;
    size_t columns = n >= TWO_COLUMNS ? 2 : 1, rows = (n + columns - 1) / columns;
    size_t width = columns * WIDTH, height = rows * HEIGHT;

    str_add(&out, "set encoding utf8\n");
    if (t.png)
        str_addf(&out,
                 "set terminal pngcairo noenhanced size %zu,%zu background '#ffffff' font "
                 "'sans,10'\n",
                 width, height);
    else
        str_addf(&out, "set terminal svg noenhanced size %zu,%zu %sfont 'sans-serif,13'\n", width,
                 height, t.inlined ? "" : "background '#ffffff' ");
    if (n > 1)
        str_addf(&out, "set multiplot layout %zu,%zu\n", rows, columns);
    for (size_t i = 0; i < n; i++)
        panel_add(&out, &panels[i], t);
    str_add(&out, n > 1 ? "unset multiplot\n" : "");
    return str_take(&out);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "grid.h"

#include <libsmartcols/libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"

void grid_start(struct grid *g, size_t columns)
{
    *g = (struct grid){.columns = columns};
}

static size_t grid_rows(const struct grid *g)
{
    return g->columns ? g->n / g->columns : 0;
}

void grid_add(struct grid *g, char *text)
{
    if (g->n == g->cap) {
        g->cap = g->cap ? 2 * g->cap : 64;
        g->v = xreallocarray(g->v, g->cap, sizeof *g->v);
    }
    g->v[g->n++] = (struct grid_cell){text, TONE_PLAIN};
}

void grid_tone(struct grid *g, enum tone t)
{
    g->v[g->n - 1].tone = t;
}

void grid_free(struct grid *g)
{
    for (size_t i = 0; i < g->n; i++)
        free(g->v[i].text);
    free(g->v);
    *g = (struct grid){0};
}

/* ---- text ---- */

enum { GAP = 2 }; /* between columns */

/* Characters of a line: bytes that do not continue one. */
static size_t text_width(const char *s)
{
    size_t n = 0;
    for (; *s; s++)
        n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

static size_t column_width(const struct grid *g, size_t column)
{
    size_t most = 0;
    for (size_t i = column; i < g->n; i += g->columns)
        if (text_width(g->v[i].text) > most)
            most = text_width(g->v[i].text);
    return most;
}

/* The end of a part that begins with column `from` and fits beside the first one; one column at
 * least. */
static size_t part_end(const struct grid *g, const struct screen *s, size_t from)
{
    size_t used = column_width(g, 0), to = from;
    while (to < g->columns) {
        used += GAP + column_width(g, to);
        if (s->columns && used > s->columns && to > from)
            break;
        to++;
    }
    return to;
}

static int cell_fill(struct libscols_line *line, size_t at, const struct grid_cell *c, int colour)
{
    if (scols_line_set_data(line, at, c->text))
        return -1;
    return colour && c->tone != TONE_PLAIN
               ? scols_cell_set_color(scols_line_get_cell(line, at), tone_colour(c->tone))
               : 0;
}

/* The first column, and those from `from` up to `to`. */
static int part_fill(struct libscols_table *t, const struct grid *g, const struct screen *s,
                     size_t from, size_t to)
{
    int wrap = s->columns && column_width(g, 0) + GAP + column_width(g, from) > s->columns;
    if (!scols_table_new_column(t, g->v[0].text, 0, wrap ? SCOLS_FL_WRAP : 0))
        return -1;
    for (size_t c = from; c < to; c++)
        if (!scols_table_new_column(t, g->v[c].text, 0, SCOLS_FL_RIGHT))
            return -1;
    for (size_t r = 1; r < grid_rows(g); r++) {
        const struct grid_cell *row = &g->v[r * g->columns];
        struct libscols_line *line = scols_table_new_line(t, NULL);
        if (!line || cell_fill(line, 0, row, s->colour))
            return -1;
        for (size_t c = from; c < to; c++)
            if (cell_fill(line, 1 + c - from, &row[c], s->colour))
                return -1;
    }
    if (wrap && (scols_table_set_termforce(t, SCOLS_TERMFORCE_ALWAYS) ||
                 scols_table_set_termwidth(t, s->columns)))
        return -1;
    return scols_table_enable_colors(t, s->colour) || scols_table_set_column_separator(t, "  ");
}

static int part_print(FILE *f, const struct grid *g, const struct screen *s, size_t from, size_t to)
{
    struct libscols_table *t = scols_new_table();
    char *text = NULL;
    int rc = !t || part_fill(t, g, s, from, to) || scols_print_table_to_string(t, &text) ? -1 : 0;
    if (!rc) {
        fputs(text, f);
        if (text[0] && text[strlen(text) - 1] != '\n')
            fputc('\n', f);
    }
    free(text);
    scols_unref_table(t);
    return rc;
}

static int print_text(FILE *f, const struct grid *g)
{
    struct screen s = screen_of(f);
    size_t from = 1, to;
    int rc = 0;
    do {
        to = part_end(g, &s, from);
        if (from > 1)
            fputc('\n', f);
        rc = part_print(f, g, &s, from, to);
        from = to;
    } while (from < g->columns && !rc);
    return rc;
}

/* ---- Markdown ---- */

/* Function names may hold a bar (C++ operators of other libraries). */
static void markdown_cell(FILE *f, const char *v)
{
    for (v += strspn(v, " "); *v; v++)
        fprintf(f, *v == '|' ? "\\%c" : "%c", *v);
}

static int print_markdown(FILE *f, const struct grid *g)
{
    for (size_t r = 0; r < grid_rows(g); r++) {
        fputc('|', f);
        for (size_t c = 0; c < g->columns; c++) {
            fputc(' ', f);
            markdown_cell(f, g->v[r * g->columns + c].text);
            fputs(" |", f);
        }
        fputc('\n', f);
        if (r)
            continue;
        for (size_t c = 0; c < g->columns; c++)
            fputs(c ? "---:|" : "|---|", f);
        fputc('\n', f);
    }
    return 0;
}

int grid_print(FILE *f, const struct grid *g, const char *format)
{
    static const struct {
        const char *name;
        int (*print)(FILE *, const struct grid *);
    } formats[] = {{"table", print_text}, {"markdown", print_markdown}};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (!strcmp(formats[i].name, format))
            return formats[i].print(f, g);
    return -1;
}

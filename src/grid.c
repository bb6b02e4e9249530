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
    g->v[g->n++] = text;
}

void grid_free(struct grid *g)
{
    for (size_t i = 0; i < g->n; i++)
        free(g->v[i]);
    free(g->v);
    *g = (struct grid){0};
}

static int print_text(FILE *f, const struct grid *g)
{
    struct libscols_table *t = scols_new_table();
    int rc = -1;
    char *text = NULL;

    if (!t)
        return -1;
    for (size_t c = 0; c < g->columns; c++)
        if (!scols_table_new_column(t, g->v[c], 0, c ? SCOLS_FL_RIGHT : 0))
            goto out;
    for (size_t r = 1; r < grid_rows(g); r++) {
        struct libscols_line *line = scols_table_new_line(t, NULL);
        if (!line)
            goto out;
        for (size_t c = 0; c < g->columns; c++)
            if (scols_line_set_data(line, c, g->v[r * g->columns + c]))
                goto out;
    }
    if (scols_table_set_column_separator(t, "  ") || scols_print_table_to_string(t, &text))
        goto out;
    fputs(text, f);
    if (text[0] && text[strlen(text) - 1] != '\n')
        fputc('\n', f);
    rc = 0;
out:
    free(text);
    scols_unref_table(t);
    return rc;
}

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
            markdown_cell(f, g->v[r * g->columns + c]);
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

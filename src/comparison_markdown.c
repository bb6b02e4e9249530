/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "comparison_format.h"

#include <stdlib.h>

#include "escape.h"
#include "wording.h"

enum {
    OPEN_ROWS = 20, /* as many rows are seen without unfolding */
    MOST_ROWS = 500 /* a step summary may have 1 MiB; 7 such lists of usual names are half of it */
};

static void fold_open(FILE *f, size_t n, const char *what)
{
    fprintf(f, "<details><summary>%zu %s</summary>\n\n", n, what);
}

static void fold_close(FILE *f)
{
    fputs("\n</details>\n\n", f);
}

/* A list of any text, folded when it is long. */
static void list_print(FILE *f, const struct list *l, const char *what)
{
    int folded = l->n > OPEN_ROWS;
    if (!l->n)
        return;
    if (folded)
        fold_open(f, l->n, what);
    for (size_t i = 0; i < l->n && i < MOST_ROWS; i++) {
        char *text = escape_markdown(l->v[i]);
        fprintf(f, "- %s: %s\n", what, text);
        free(text);
    }
    if (l->n > MOST_ROWS)
        fprintf(f, "- %s: %zu more\n", what, l->n - MOST_ROWS);
    if (folded)
        fold_close(f);
    else
        fputc('\n', f);
}

static int rows_print(FILE *f, const struct finding *rows, size_t n)
{
    size_t shown = n < MOST_ROWS ? n : MOST_ROWS;
    struct grid g = wording_grid(rows, shown, escape_markdown);
    int rc = grid_print(f, &g, "markdown");
    if (n > shown)
        fprintf(f, "\n%zu more\n", n - shown);
    grid_free(&g);
    return rc;
}

static int folded_rows(FILE *f, const struct finding *rows, size_t n, const char *what)
{
    fold_open(f, n, what);
    int rc = rows_print(f, rows, n);
    fold_close(f);
    return rc;
}

/* Deciding ones in the open, as many as are read; then the good news. */
static int findings_print(FILE *f, const struct comparison *c)
{
    size_t deciding = wording_deciding(c), better = comparison_count(c, VERDICT_BETTER);
    size_t open = deciding < OPEN_ROWS ? deciding : OPEN_ROWS;
    int rc = 0;
    if (open) {
        rc |= rows_print(f, c->findings, open);
        fputc('\n', f);
    }
    if (deciding > open)
        rc |= folded_rows(f, c->findings + open, deciding - open, "more");
    if (better)
        rc |= folded_rows(f, c->findings + deciding, better, "faster or smaller");
    return rc;
}

int comparison_markdown(FILE *f, const struct comparison *c, struct err *e)
{
    struct list counts = LIST_INIT, excluded = LIST_INIT;
    char *headline = wording_headline(c);
    char *base = escape_markdown(c->base_name), *now = escape_markdown(c->new_name);

    fprintf(f, "### %s\n\nBase %s, new %s\n\n", headline, base, now);
    list_print(f, &c->blockers, "blocker");
    list_print(f, &c->allowed, "allowed");
    int rc = findings_print(f, c);
    wording_counts(c, &counts);
    wording_excluded(c, &excluded);
    for (size_t i = 0; i < counts.n; i++)
        fprintf(f, "- %s\n", counts.v[i]);
    fputs(counts.n ? "\n" : "", f);
    list_print(f, &excluded, "excluded");
    list_print(f, &c->missing, "only in base");
    list_print(f, &c->extra, "only in new");
    list_print(f, &c->notes, "note");
    fputs(wording_legend, f);
    list_free(&counts);
    list_free(&excluded);
    free(headline);
    free(base);
    free(now);
    return rc ? err_set(e, "the table of the comparison cannot be laid out") : 0;
}

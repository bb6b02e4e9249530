/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "comparison_format.h"

#include <stdlib.h>

#include "escape.h"
#include "wording.h"

enum { LIST_LINES = 20 }; /* of a list that may be long; other formats have it all */

static void line_print(FILE *f, const char *label, const char *text)
{
    char *safe = escape_text(text);
    fprintf(f, "%s%s\n", label, safe);
    free(safe);
}

/* Each on a line after the label; of more than most, how many more there are. */
static void list_print(FILE *f, const char *label, const struct list *l, size_t most)
{
    for (size_t i = 0; i < l->n && i < most; i++)
        line_print(f, label, l->v[i]);
    if (l->n > most)
        fprintf(f, "%s%zu more\n", label, l->n - most);
}

int comparison_table(FILE *f, const struct comparison *c, struct err *e)
{
    struct list counts = LIST_INIT, excluded = LIST_INIT;
    char *headline = wording_headline(c);
    size_t shown = wording_deciding(c) + comparison_count(c, VERDICT_BETTER);
    int rc = 0;

    fprintf(f, "%s\n", headline);
    line_print(f, "base: ", c->base_name);
    line_print(f, "new: ", c->new_name);
    list_print(f, "blocker: ", &c->blockers, c->blockers.n);
    list_print(f, "allowed: ", &c->allowed, c->allowed.n);
    if (shown) {
        struct grid g = wording_grid(c->findings, shown, escape_text);
        fputc('\n', f);
        rc = grid_print(f, &g, "table");
        grid_free(&g);
    }
    fputc('\n', f);
    wording_counts(c, &counts);
    wording_excluded(c, &excluded);
    list_print(f, "", &counts, counts.n);
    list_print(f, "excluded: ", &excluded, LIST_LINES);
    list_print(f, "only in base: ", &c->missing, LIST_LINES);
    list_print(f, "only in new: ", &c->extra, LIST_LINES);
    list_print(f, "note: ", &c->notes, c->notes.n);
    fputs(wording_legend, f);
    list_free(&counts);
    list_free(&excluded);
    free(headline);
    return rc ? err_set(e, "the table of the comparison cannot be laid out") : 0;
}

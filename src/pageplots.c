/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "pageplots.h"

#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "gnuplot.h"
#include "gnuplotscript.h"
#include "mem.h"
#include "plotkind.h"
#include "str.h"
#include "svg.h"

/* Of each kind: a panel is 10 to 20 kB, and a page of a thousand would open no more. */
enum { MOST_FIGURES = 24 };

static const char document[] = "<?xml";

static void attribute_print(FILE *f, const char *name, const char *value)
{
    char *safe = escape_xml(value);
    fprintf(f, " data-%s=\"%s\"", name, safe);
    free(safe);
}

/* svg: one document, to its end. */
static void figure_print(FILE *f, const struct plot_panel *p, const char *svg, const char *prefix,
                         const struct result_file *files, const size_t *lane_base)
{
    struct str inlined = STR_INIT;
    char *title = xasprintf("%s, %s (%s)", p->title, p->y_label, p->note);
    svg_finish(svg, title, prefix, 1, &inlined);
    char *safe = escape_xml(title);

    fputs("<figure", f);
    if (p->lane)
        fprintf(f, " data-lane=\"%zu\"",
                lane_base[p->file] + (size_t)(p->lane - files[p->file].lanes));
    attribute_print(f, "target", p->target);
    if (p->alg)
        attribute_print(f, "alg", p->alg);
    /* wider than a narrow screen: to be scrolled, by keys too */
    fprintf(f, "><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">\n%s", safe,
            inlined.p);
    fputs("</div></figure>\n", f);
    free(safe);
    free(title);
    str_free(&inlined);
}

/* One run of gnuplot for all figures of a kind: documents one after the other. */
static int figures_print(FILE *f, const struct plot *p, size_t n, const char *kind,
                         const struct result_file *files, const size_t *lane_base, struct err *e)
{
    struct str script = STR_INIT, drawn = STR_INIT;
    for (size_t i = 0; i < n; i++) {
        char *one = gnuplot_script(&p->v[i], 1, (struct gnuplot_terminal){.inlined = 1});
        str_add(&script, one);
        free(one);
    }
    int rc = gnuplot_run(script.p, &drawn, e);
    const char *at = drawn.p ? strstr(drawn.p, document) : NULL;
    for (size_t i = 0; i < n && !rc; i++) {
        const char *next = at ? strstr(at + 1, document) : NULL;
        if (!at) {
            rc = err_set(e, "gnuplot drew %zu of %zu plots", i, n);
            break;
        }
        char *svg = next ? xstrndup(at, (size_t)(next - at)) : xstrdup(at);
        char *prefix = xasprintf("%c%zu", kind[0], i);
        figure_print(f, &p->v[i], svg, prefix, files, lane_base);
        free(prefix);
        free(svg);
        at = next;
    }
    str_free(&script);
    str_free(&drawn);
    return rc;
}

static int kind_print(FILE *f, const char *kind, const struct result_file *files, size_t n,
                      const size_t *lane_base, struct err *e)
{
    struct plot p;
    int rc = 0;
    plot_make(kind, files, n, NULL, &p);
    size_t shown = p.n < MOST_FIGURES ? p.n : MOST_FIGURES;
    if (shown) {
        fprintf(f, "<section class=\"plots\" aria-label=\"%s\">\n<h3>%s</h3>\n<p>%s</p>\n", kind,
                kind, plot_kind_summary(kind));
        rc = figures_print(f, &p, shown, kind, files, lane_base, e);
        if (p.n > shown)
            fprintf(f,
                    "<p class=\"note\">%zu of %zu plots are in this page; others are drawn by "
                    "<code>crypto-bench report FILE --format svg --plot %s --target TARGET --alg "
                    "ALGORITHM</code></p>\n",
                    shown, p.n, kind);
        fputs("</section>\n", f);
    }
    plot_free(&p);
    return rc;
}

int pageplots_print(FILE *f, const struct result_file *files, size_t n, const size_t *lane_base,
                    struct err *e)
{
    struct list kinds = LIST_INIT;
    int rc = 0;
    if (!gnuplot_found()) {
        fprintf(f, "<p class=\"note\">Plots are left out: %s, and make the report again.</p>\n",
                gnuplot_missing);
        return 0;
    }
    plot_kinds(&kinds);
    for (size_t i = 0; i < kinds.n && !rc; i++)
        if (n > 1 || strcmp(kinds.v[i], "history") != 0)
            rc = kind_print(f, kinds.v[i], files, n, lane_base, e);
    list_free(&kinds);
    return rc;
}

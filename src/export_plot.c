/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "export_format.h"

#include <stdlib.h>

#include "file.h"
#include "gnuplot.h"
#include "gnuplotscript.h"
#include "plotkind.h"
#include "str.h"
#include "svg.h"

enum { MOST_PANELS = 12 }; /* of one picture; more is a wall, not a plot */

/* What keeps a picture from being drawn is a matter of what was chosen. */
static int panels_check(const struct export *x, const struct plot *p, struct err *e)
{
    if (p->n && p->n <= MOST_PANELS)
        return 0;
    char *choices = plot_choices(x->files, x->n);
    if (!p->n)
        err_set(e,
                "report: nothing to draw: the cells chosen have no throughput and no instruction "
                "counts that this plot shows (emulated time is never ranked)");
    else
        err_usage(e, "report: the plot would have %zu panels, more than %d; choose by %s", p->n,
                  MOST_PANELS, choices);
    free(choices);
    return -1;
}

/* For those who hear the picture: what each panel says at its top. */
static char *title_of(const struct plot *p)
{
    struct str title = STR_INIT;
    for (size_t i = 0; i < p->n; i++)
        str_addf(&title, "%s%s, %s (%s)", i ? "; " : "", p->v[i].title, p->v[i].y_label,
                 p->v[i].note);
    return str_take(&title);
}

static int picture(FILE *f, const struct export *x, int png, struct err *e)
{
    struct plot p;
    struct str drawn = STR_INIT, svg = STR_INIT;
    char *script = NULL;

    plot_make(x->options->plot, x->files, x->n, &x->options->metric, &p);
    int rc = panels_check(x, &p, e);
    if (!rc) {
        script = gnuplot_script(p.v, p.n, (struct gnuplot_terminal){.png = png});
        rc = gnuplot_run(script, &drawn, e);
    }
    if (!rc && png) {
        fwrite(drawn.p, 1, drawn.n, f);
    } else if (!rc) {
        char *title = title_of(&p);
        svg_finish(drawn.p ? drawn.p : "", title, "", 0, &svg);
        fwrite(svg.p, 1, svg.n, f);
        free(title);
    }
    free(script);
    str_free(&drawn);
    str_free(&svg);
    plot_free(&p);
    return rc;
}

int export_svg(FILE *f, const struct export *x, struct err *e)
{
    return picture(f, x, 0, e);
}

int export_png(FILE *f, const struct export *x, struct err *e)
{
    return picture(f, x, 1, e);
}

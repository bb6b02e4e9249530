/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "export.h"

#include <errno.h>
#include <string.h>

#include "catalog.h"
#include "export_format.h"

#define SHOWN "time,cycles,insns,modelled,stack"
#define DRAWN "time,insns"

static const struct format {
    const char *name, *summary;
    int (*print)(FILE *, const struct export *, struct err *);
    int binary;
    const char *metrics; /* words that --metric may be; NULL: none */
} formats[] = {
    {"table", "text, as run prints it; fits a terminal's width", export_table, 0, SHOWN},
    {"markdown", "the same tables to paste", export_markdown, 0, SHOWN},
    {"csv", "RFC 4180, one line a cell with all its figures", export_csv, 0, NULL},
    {"openssl-speed", "the table that openssl speed closes with", export_openssl_speed, 0, NULL},
    {"release-notes",
     "what got faster, slower, larger or smaller beyond noise: BASE NEW, or --config BASE,NEW",
     export_release_notes, 0, "time,insns,modelled,size"},
    {"svg", "a plot as SVG, drawn by gnuplot: see --plot", export_svg, 0, DRAWN},
    {"png", "the same as PNG", export_png, 1, DRAWN},
    {"html", "one page with table, plots and all facts; needs no network", export_html, 0, NULL},
    {"github-action-benchmark", "JSON for its customSmallerIsBetter",
     export_github_action_benchmark, 0, NULL},
    {"bmf", "Bencher Metric Format", export_bmf, 0, NULL},
    {"lnt", "report for LLVM's LNT, suite crypto_bench", export_lnt, 0, NULL},
    {"openmetrics", "text for Prometheus and the like", export_openmetrics, 0, NULL},
};

enum { FORMATS = sizeof formats / sizeof *formats };

static const struct format *format_find(const char *name)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (!strcmp(formats[i].name, name))
            return &formats[i];
    return NULL;
}

void export_formats(struct list *out)
{
    for (size_t i = 0; i < FORMATS; i++)
        list_add(out, formats[i].name);
}

const char *export_format_summary(const char *format)
{
    const struct format *found = format_find(format);
    return found ? found->summary : NULL;
}

const char *export_metrics(const char *format)
{
    const struct format *found = format_find(format);
    return found ? found->metrics : NULL;
}

int export_is_binary(const char *format)
{
    const struct format *found = format_find(format);
    return found && found->binary;
}

int export_print(FILE *f, const struct export *x, const char *format, struct err *e)
{
    const struct format *found = format_find(format);
    if (!found) {
        struct list known = LIST_INIT;
        export_formats(&known);
        unknown_word(e, "format", format, &known);
        list_free(&known);
        return -1;
    }
    if (found->print(f, x, e))
        return -1;
    if (fflush(f) || ferror(f))
        return err_set(e, "the report cannot be written: %s", strerror(errno));
    return 0;
}

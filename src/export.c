/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "export.h"

#include <errno.h>
#include <string.h>

#include "catalog.h"
#include "export_format.h"

static const struct format {
    const char *name, *summary;
    int (*print)(FILE *, const struct export *, struct err *);
    int binary;
} formats[] = {
    {"table", "text, as run prints it", export_table, 0},
    {"markdown", "the same to paste", export_markdown, 0},
    {"github-action-benchmark", "JSON for its customSmallerIsBetter",
     export_github_action_benchmark, 0},
    {"bmf", "Bencher Metric Format", export_bmf, 0},
    {"lnt", "report for LLVM's LNT, suite crypto_bench", export_lnt, 0},
    {"openmetrics", "text for Prometheus and the like", export_openmetrics, 0},
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

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "export_format.h"
#include "layout.h"
#include "table.h"

/* The tables of each file, then those in the layouts of the suite it was made by. */
static int tables(FILE *f, const struct export *x, const char *format, struct err *e)
{
    int rc = 0;
    for (size_t i = 0; i < x->n && !rc; i++) {
        const struct result_file *r = &x->files[i];
        rc = table_print(f, r, format, x->options ? &x->options->metric : NULL);
        for (size_t k = 0; k < r->layout.n && !rc; k++)
            rc = layout_print(f, r->layout.v[k], r, format);
    }
    return rc ? err_set(e, "the report cannot be written") : 0;
}

int export_table(FILE *f, const struct export *x, struct err *e)
{
    return tables(f, x, "table", e);
}

int export_markdown(FILE *f, const struct export *x, struct err *e)
{
    return tables(f, x, "markdown", e);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <stdio.h>
#include <stdlib.h>

#include "cmd.h"
#include "layout.h"
#include "resultfile.h"
#include "table.h"

static int file_report(const char *path, const char *format, struct err *e)
{
    struct result_file f;

    if (result_file_read(path, &f, e))
        return -1;
    int rc = table_print(stdout, &f, format);
    for (size_t i = 0; i < f.layout.n && !rc; i++)
        rc = layout_print(stdout, f.layout.v[i], &f, format);
    for (size_t i = 0; i < f.warnings.n; i++)
        fprintf(stderr, "warning: %s\n", f.warnings.v[i]);
    result_file_free(&f);
    return rc ? err_set(e, "standard output cannot be written") : 0;
}

int cmd_report(struct options *o)
{
    struct err e = ERR_INIT;
    int status = EXIT_OK, rc = 0;

    if (!o->args.n)
        rc = err_usage(&e, "report: give a result file");
    for (size_t i = 0; i < o->args.n && !rc; i++)
        rc = file_report(o->args.v[i], o->format, &e);
    if (rc) {
        fprintf(stderr, "crypto-bench: %s\n", e.text);
        status = e.exit_code;
    }
    err_clear(&e);
    return status;
}

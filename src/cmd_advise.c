/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <stdio.h>

#include "advisetext.h"
#include "cmd.h"
#include "request.h"
#include "resultfile.h"

static const char legend[] =
    "bytes: text, rodata and data of libcrypto.a, what takes room in flash. Changes: geometric "
    "mean over\n"
    "the cells that all configs have, + is more; in brackets what 95% intervals and noise leave "
    "open.\n"
    "less/more/same: cells that cost less, more, or the same within noise.\n";

/* 0 with the exit status in *status: no verdict when there is nothing to advise by. */
static int advise(const struct options *o, struct result_file *r, int *status, struct err *e)
{
    struct cell_groups groups;
    int rc = 0, any = 0;

    if (request_configs_known(r, &o->config, e))
        return -1;
    result_file_keep(r, request_wants_config, o);
    if (!r->ncells)
        return err_usage(e, "advise: no cell of '%s' is chosen", r->path);
    cell_groups_make(r, advise_order, &groups);
    for (size_t i = 0; i < groups.n && !rc; i++) {
        struct advice a;
        advise_make(&groups.v[i], &a);
        int said = advise_print(stdout, &groups.v[i], &a, o->weight, o->format);
        rc = said < 0 ? err_set(e, "advise: a table cannot be laid out") : 0;
        any |= said > 0;
        advise_free(&a);
    }
    cell_groups_free(&groups);
    if (!rc && any)
        fputs(legend, stdout);
    *status = any ? EXIT_OK : EXIT_NO_VERDICT;
    return rc;
}

int cmd_advise(struct options *o)
{
    struct result_file r = {0};
    struct err e = ERR_INIT;
    int status = EXIT_FAILED, rc;

    if (o->args.n != 1)
        rc = err_usage(&e, "advise: give one result file");
    else
        rc = result_file_read(o->args.v[0], &r, &e) || advise(o, &r, &status, &e);
    if (rc) {
        fprintf(stderr, "crypto-bench: %s\n", e.text);
        status = e.exit_code;
    }
    for (size_t i = 0; i < r.warnings.n && !rc; i++)
        fprintf(stderr, "warning: %s\n", r.warnings.v[i]);
    result_file_free(&r);
    err_clear(&e);
    return status;
}

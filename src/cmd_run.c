/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "execute.h"
#include "layout.h"
#include "mem.h"
#include "result.h"
#include "resultfile.h"
#include "suite.h"
#include "table.h"

/* What goes to standard output, and the warnings. The table is printed from the file's text, as
 * `report` does. */
static int results_show(const struct plan *p, const struct options *o, const struct str *text,
                        const char *path, const struct progress *pr, struct err *e)
{
    struct result_file f = {0};
    int to_stdout = !strcmp(path, "-"), rc = 0;

    if (to_stdout || !strcmp(o->format, "json")) {
        fputs(text->p, stdout);
    } else if (strcmp(o->format, "none")) {
        rc = result_file_parse(text->p, text->n, path, &f, e) ||
             table_print(stdout, &f, o->format, NULL);
        for (size_t i = 0; i < o->layout.n && !rc; i++)
            rc = layout_print(stdout, o->layout.v[i], &f, o->format);
        result_file_free(&f);
    }
    fflush(stdout);
    for (size_t i = 0; i < p->warnings.n; i++)
        fprintf(stderr, "warning: %s\n", p->warnings.v[i]);
    if (!to_stdout && !pr->quiet)
        fprintf(stderr, "result file: %s\n", path);
    return rc;
}

int cmd_run(struct options *o)
{
    struct plan p = {0};
    struct host h = {0};
    struct progress pr;
    struct err e = ERR_INIT;
    struct str text = STR_INIT;
    char *created = time_iso(), *path = NULL;
    int status = EXIT_FAILED;

    progress_start(&pr, o->quiet);
    host_read("", &h);
    if (o->args.n) {
        err_usage(&e, "'%s': run takes options only; see crypto-bench --help", o->args.v[0]);
        goto out;
    }
    if (o->suite && suite_apply(o, &e))
        goto out;
    if (plan_make(o, &p, &e) || execute_out_check(o, &e) || execute_plan(&p, o, &h, &pr, &e))
        goto out;
    int unwritten = execute_write(&p, o, &h, created, &text, &path, &e);
    if (unwritten) /* better on the terminal than lost */
        fprintf(stderr, "crypto-bench: %s\n", e.text);
    struct err shown = ERR_INIT;
    if (results_show(&p, o, &text, unwritten ? "-" : path, &pr, &shown) && shown.text)
        fprintf(stderr, "crypto-bench: %s\n", shown.text);
    err_clear(&shown);
    if (unwritten) {
        err_clear(&e);
        goto out;
    }
    if (o->shard.of && !p.nlanes && !p.nbuilds && !o->quiet)
        fprintf(stderr,
                "shard %" PRIu64 "/%" PRIu64 " has nothing to do: the matrix has fewer rows than "
                "there are shards, or this machine lacks what they need; its file has no cells\n",
                o->shard.index, o->shard.of);
    size_t failed = execute_failed_cells(&p), total = plan_cell_count(&p);
    if (failed)
        fprintf(stderr, "crypto-bench: %zu of %zu cells have no number\n", failed, total);
    size_t unbuilt = execute_failed_builds(&p);
    if (!total && unbuilt)
        fprintf(stderr, "crypto-bench: %zu of %zu builds failed\n", unbuilt, p.nbuilds);
    status = failed || unbuilt ? EXIT_FAILED : EXIT_OK;
out:
    progress_end(&pr);
    if (e.text) {
        fprintf(stderr, "crypto-bench: %s\n", e.text);
        status = e.exit_code;
    }
    err_clear(&e);
    plan_free(&p);
    host_free(&h);
    str_free(&text);
    free(path);
    free(created);
    return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"
#include "export.h"
#include "file.h"
#include "mem.h"
#include "request.h"
#include "resultfile.h"

/* A report in place of what was measured would lose it. */
static int out_is_input(const struct export *x, struct err *e)
{
    struct stat out, in;
    if (stat(x->options->out, &out))
        return 0;
    for (size_t i = 0; i < x->n; i++)
        if (!stat(x->files[i].path, &in) && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
            return err_usage(e, "--out '%s' is the result file '%s' itself; give another name",
                             x->options->out, x->files[i].path);
    return 0;
}

/* To standard output, or whole into --out. */
static int write_out(const struct export *x, struct err *e)
{
    const struct options *o = x->options;
    int to_file = o->out && strcmp(o->out, "-") != 0;

    if (!to_file && export_is_binary(o->format) && isatty(STDOUT_FILENO))
        return err_usage(e, "report: %s is no text for a terminal: give --out FILE", o->format);
    if (!to_file)
        return export_print(stdout, x, o->format, e);
    if (out_is_input(x, e))
        return -1;
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    if (!f)
        return err_set(e, "no memory for the report");
    int rc = export_print(f, x, o->format, e);
    if (fclose(f) && !rc)
        rc = err_set(e, "the report cannot be written: %s", strerror(errno));
    if (!rc)
        rc = file_write_atomic(o->out, text, n, e);
    free(text);
    return rc;
}

/* Says on standard error what was left out: a choice of no cell is a slip. */
static int cells_choose(struct result_file *f, const struct options *o, struct err *e)
{
    if (request_configs_known(f, &o->config, e))
        return -1;
    result_file_keep(f, request_wants_config, o);
    if (f->ncells || !f->nowned)
        return 0;
    return err_usage(e,
                     "report: no cell of '%s' is chosen by --target, --cpu, --config, --library, "
                     "--cc, --alg, --op and --size",
                     f->path);
}

int cmd_report(struct options *o)
{
    struct err e = ERR_INIT;
    struct list notes = LIST_INIT;
    int status = EXIT_OK, rc = 0;
    struct result_file *files = xcalloc(o->args.n + 1, sizeof *files);
    size_t n = 0;

    if (!o->args.n)
        rc = err_usage(&e, "report: give a result file");
    for (; n < o->args.n && !rc; n++)
        rc = result_file_read(o->args.v[n], &files[n], &e);
    for (size_t i = 0; i < o->args.n && !rc; i++) {
        if (o->cpu_mhz > 0) /* another clock than when it was run */
            files[i].cpu_mhz = o->cpu_mhz;
        rc = cells_choose(&files[i], o, &e);
    }
    if (!rc)
        rc = write_out(&(struct export){files, n, o, &notes}, &e);
    for (size_t i = 0; i < notes.n && !rc; i++)
        fprintf(stderr, "note: %s\n", notes.v[i]);
    for (size_t i = 0; i < n && !rc; i++)
        for (size_t k = 0; k < files[i].warnings.n; k++)
            fprintf(stderr, "warning: %s\n", files[i].warnings.v[k]);
    if (rc) {
        fprintf(stderr, "crypto-bench: %s\n", e.text);
        status = e.exit_code;
    }
    for (size_t i = 0; i < n; i++)
        result_file_free(&files[i]);
    free(files);
    list_free(&notes);
    err_clear(&e);
    return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "file.h"
#include "merge.h"

/* The one word of --allow that means something here. */
static int allow_read(const struct options *o, int *machines, struct err *e)
{
    for (size_t i = 0; i < o->allow.n; i++)
        if (strcmp(o->allow.v[i], "machine"))
            return err_usage(e, "merge: --allow '%s': only 'machine' can be allowed here",
                             o->allow.v[i]);
    *machines = o->allow.n > 0;
    return 0;
}

static int write_out(const struct options *o, const struct str *text, struct err *e)
{
    if (o->out && strcmp(o->out, "-") != 0)
        return file_write_atomic(o->out, text->p, text->n, e);
    /* whether it arrived is main's to see */
    fwrite(text->p, 1, text->n, stdout);
    return 0;
}

int cmd_merge(struct options *o)
{
    struct err e = ERR_INIT;
    struct str text = STR_INIT;
    struct list warnings = LIST_INIT;
    int machines = 0, status = EXIT_OK, rc = allow_read(o, &machines, &e);

    if (!rc && !o->args.n)
        rc = err_usage(&e, "merge: give result files");
    if (!rc)
        rc = merge_files(&o->args, machines, &text, &warnings, &e);
    if (!rc)
        rc = write_out(o, &text, &e);
    for (size_t i = 0; i < warnings.n && !rc; i++)
        fprintf(stderr, "warning: %s\n", warnings.v[i]);
    if (rc) {
        fprintf(stderr, "crypto-bench: %s\n", e.text);
        status = e.exit_code;
    }
    list_free(&warnings);
    str_free(&text);
    err_clear(&e);
    return status;
}

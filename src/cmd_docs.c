/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <stdio.h>

#include "catalog.h"
#include "cmd.h"
#include "options.h"

int cmd_docs(struct options *o)
{
    if (o->args.n != 1) {
        fputs("crypto-bench: docs: give one of: man, bash\n", stderr);
        return EXIT_USAGE;
    }
    if (options_document(stdout, o->args.v[0])) {
        struct list known = LIST_INIT;
        struct err e = ERR_INIT;
        list_add(&known, "man");
        list_add(&known, "bash");
        unknown_word(&e, "document", o->args.v[0], &known);
        fprintf(stderr, "crypto-bench: %s\n", e.text);
        list_free(&known);
        err_clear(&e);
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <stdio.h>

#include "cmd.h"
#include "plan.h"
#include "progress.h"

static void build_report(const struct build *b)
{
    if (b->status == STATUS_OK)
        printf("%-9s %s\n", b->was_cached ? "cached" : "built", b->id);
    else
        printf("%s %s: %s%s%s\n", status_name(b->status), b->id, b->reason ? b->reason : "",
               b->log ? "\n  log: " : "", b->log ? b->log : "");
}

int cmd_build(struct options *o)
{
    struct plan p = {0};
    struct progress pr;
    struct err e = ERR_INIT;
    int status = EXIT_OK;

    progress_start(&pr, o->quiet);
    struct build_watch w = progress_build_watch(&pr);
    if (o->args.n)
        err_usage(&e, "'%s': build takes options only; see crypto-bench build --help",
                  o->args.v[0]);
    else if (!plan_make_builds(o, &p, &e))
        build_all(p.builds, p.nbuilds, o->jobs, o->rebuild, &w, &e);
    progress_end(&pr);
    if (e.text) {
        fprintf(stderr, "crypto-bench: %s\n", e.text);
        status = e.exit_code;
    }
    for (size_t i = 0; i < p.nbuilds && !e.text; i++) {
        const struct build *b = p.builds[i];
        build_report(b);
        for (size_t k = 0; k < b->facts.linker_warnings.n; k++)
            fprintf(stderr, "warning: linker: %s: %s\n", b->id, b->facts.linker_warnings.v[k]);
        if (b->status != STATUS_OK)
            status = EXIT_FAILED;
    }
    err_clear(&e);
    plan_free(&p);
    return status;
}

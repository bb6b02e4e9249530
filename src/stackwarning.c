/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "stackwarning.h"

#include <inttypes.h>
#include <stdlib.h>

#include "mem.h"

/* Bytes; of a stack that is often 8 to 16 KiB where it is small at all (embedded threads,
 * kernels). */
enum { STACK_LIMIT = 2048 };

uint64_t stack_limit(const struct options *o)
{
    return o->max_stack ? o->max_stack : STACK_LIMIT;
}

void stack_warnings(struct plan *p, const struct options *o)
{
    uint64_t max = stack_limit(o);
    if (!o->max_stack && !o->suite && !list_has(&o->metric, "stack") &&
        !list_has(&o->metric, "all"))
        return;
    for (size_t i = 0; i < p->nbuilds; i++) {
        const struct build *b = p->builds[i];
        size_t n = stack_above(&b->stack, max);
        if (!n)
            continue;
        const struct stack_frame *f = &b->stack.v[0];
        char *more = n == 1   ? xstrdup("")
                     : n == 2 ? xstrdup(", and 1 other function does")
                              : xasprintf(", and %zu other functions do", n - 1);
        list_addf(&p->warnings,
                  "stack: %s: %s (%s) takes %s%" PRIu64 " bytes, more than %" PRIu64
                  "%s; give threads that call it a larger stack, leave the feature out of the "
                  "config, or accept it with --max-stack %" PRIu64,
                  b->id, f->function, f->file, f->kind == STACK_DYNAMIC ? "at least " : "",
                  f->bytes, max, more, f->bytes);
        free(more);
    }
}

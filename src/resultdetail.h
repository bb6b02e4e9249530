/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_RESULTDETAIL_H
#define CB_RESULTDETAIL_H

/* The members "stack" and "objects" of a build in a result file, written and read. */
#include "json.h"
#include "size.h"
#include "stack.h"

/* Frames that a result file keeps of each build; the cache has them all. */
enum { STACK_FRAMES = 20 };

/* What a result file has of a build's stack use. */
struct stack_result {
    struct stack_use use; /* the largest frames; none: the reason, NULL in files from before */
    uint64_t functions;   /* all that were seen */
    uint64_t above;       /* those with a frame above the run's --max-stack */
    uint64_t dynamic;     /* those whose frame has no limit */
};

/* Adds stack, stack_reason and objects to a build. stack NULL: the build is not ok. */
void details_json(struct json *build, const struct stack_use *stack, uint64_t max_stack,
                  const struct object_sizes *objects);
/* Either may be absent: files from before have neither. The caller frees both, on error too. */
int details_read(const struct json_doc *d, const struct json *build, struct stack_result *stack,
                 struct object_sizes *objects, struct err *e);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_EXPLAIN_H
#define CB_EXPLAIN_H

/* Where instructions went between two cells: by function, biggest change first. */
#include <stddef.h>
#include <stdint.h>

#include "insns.h"

struct change {
    const char *name; /* of the function; points into the counts */
    uint64_t base, now;
    int base_unknown, now_unknown; /* it may be in that side's rest: its figure is not known */
};

struct changes {
    struct change *v; /* largest change first, unchanged ones left out */
    size_t n;
    int64_t rest; /* change of what neither side keeps by function */
};

/* Both must be counted. The changes and rest add up to now - base. */
void changes_make(const struct insns *base, const struct insns *now, struct changes *out);
void changes_free(struct changes *c);

#endif

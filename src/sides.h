/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_SIDES_H
#define CB_SIDES_H

/* The two sides that explain sets against each other: files and config names. */
#include "options.h"
#include "resultfile.h"

struct sides {
    struct result_file base_file, new_file;
    const struct result_file *base, *now;
    const char *base_config, *new_config; /* NULL: each config with itself */
};

/* From the arguments: BASE NEW, or FILE --config BASE,NEW. Caller frees, on error too. */
int sides_open(const struct options *o, struct sides *s, struct err *e);
void sides_free(struct sides *s);

#endif

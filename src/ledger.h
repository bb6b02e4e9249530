/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_LEDGER_H
#define CB_LEDGER_H

/* What objects and sections of two libraries weigh, side by side, biggest change first. */
#include <stddef.h>
#include <stdint.h>

#include "size.h"

enum section { SECTION_TEXT, SECTION_RODATA, SECTION_DATA, SECTION_BSS, SECTION_COUNT };
const char *section_name(enum section s);

struct ledger_row {
    const char *object; /* points into the lists */
    enum section section;
    uint64_t base, now;          /* bytes */
    int base_absent, now_absent; /* that side has no such object */
};

struct ledger {
    struct ledger_row *v; /* unchanged ones left out */
    size_t n;
    uint64_t base[SECTION_COUNT], now[SECTION_COUNT]; /* of all objects */
};

/* Objects are paired by name; those of one side with the same name count as one. */
void ledger_make(const struct object_sizes *base, const struct object_sizes *now,
                 struct ledger *out);
void ledger_free(struct ledger *l);

#endif

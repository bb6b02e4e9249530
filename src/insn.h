/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_INSN_H
#define CB_INSN_H

/* One instruction as a pipeline model sees it: its class, what it reads and what it writes. */
#include <stdint.h>

#include "insnclass.h"

enum {
    INSN_REGISTERS = 128, /* ids are below */
    INSN_OPERANDS = 44,   /* most sources, or destinations, of one instruction */

    /* Ids. 0 to 31 are the general registers (A64: 31 is SP; the zero register has none). */
    REGISTER_FLAGS = 32, /* all of them */
    REGISTER_HI = 33,
    REGISTER_LO = 34,
    REGISTER_VECTOR = 40 /* A64: + n for vN; AArch32: + n for dN (q: two of them, s: half of one) */
};

/* What a source is read for: cores read them at different stages. */
enum source_kind {
    SOURCE_NORMAL,
    SOURCE_ADDRESS,
    SOURCE_SHIFTED,     /* operand that is shifted before it is used */
    SOURCE_ACCUMULATOR, /* of mla, umlal, madd, vmlal, vsra and the like */
    SOURCE_DATA,        /* stored */
    SOURCE_KINDS
};

/* Of a destination. */
enum {
    DESTINATION_RESULT = 0, /* also the first loaded register */
    DESTINATION_BASE = 1,   /* address register that is written back */
    DESTINATION_SECOND = 2, /* loaded register; k >= 2: the k-th, counted in the units of n */
    DESTINATION_LAST = 40   /* all beyond count as this one */
};

struct insn_operand {
    uint8_t reg; /* id */
    uint8_t kind;
};

struct insn {
    uint64_t address;
    uint8_t class;  /* enum insn_class */
    uint8_t length; /* bytes */
    uint8_t n; /* registers of a load or store of several, or of a table look-up (NEON: in 128-bit
                  units); else 1 */
    uint8_t unknown; /* 1: not in the decoder's tables, class is a guess */
    uint8_t nsources, ndestinations;
    struct insn_operand sources[INSN_OPERANDS], destinations[INSN_OPERANDS];
};

/* Adds an operand. A negative reg is none (the zero register) and ignored, and so is what is beyond
 * INSN_OPERANDS: no instruction has so many. */
void insn_read(struct insn *i, int reg, enum source_kind kind);
void insn_write(struct insn *i, int reg, unsigned kind);

#endif

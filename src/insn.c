/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "insn.h"

void insn_read(struct insn *i, int reg, enum source_kind kind)
{
    if (reg >= 0 && reg < INSN_REGISTERS && i->nsources < INSN_OPERANDS)
        i->sources[i->nsources++] = (struct insn_operand){(uint8_t)reg, (uint8_t)kind};
}

void insn_write(struct insn *i, int reg, unsigned kind)
{
    if (reg >= 0 && reg < INSN_REGISTERS && i->ndestinations < INSN_OPERANDS)
        i->destinations[i->ndestinations++] = (struct insn_operand){(uint8_t)reg, (uint8_t)kind};
}

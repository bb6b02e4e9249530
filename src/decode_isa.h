/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_DECODE_ISA_H
#define CB_DECODE_ISA_H

/*
 * From what capstone knows of an instruction to its class and operands, one function for each
 * instruction set; decode.c calls them. All fill a zeroed out but for address and length. What is
 * not in the set's table gets class CLASS_ALU or CLASS_VALU_D, operands by position, and unknown.
 */
#include <capstone.h>

#include "insn.h"

void a64_decode(const cs_insn *from, struct insn *out);
void arm_decode(const cs_insn *from, struct insn *out);
void thumb_decode(const cs_insn *from, struct insn *out);
void mips_decode(const cs_insn *from, struct insn *out); /* MIPS32 */

#endif

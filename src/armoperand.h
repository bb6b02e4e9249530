/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_ARMOPERAND_H
#define CB_ARMOPERAND_H

/* Operands of AArch32 instructions as capstone gives them. */
#include <capstone.h>

#include "insn.h"

struct arm {
    const cs_arm *d;
    uint32_t word; /* a Thumb instruction of 32 bits: its first half-word is the upper one */
    int is_short;  /* 16 bits */
    int is_conditional;
};
void arm_open(const cs_insn *from, int is_thumb, struct arm *out);

/* 1 for registers of that kind only. */
int arm_is_general(const cs_arm_op *o);
int arm_is_vector(const cs_arm_op *o);
int arm_is_q(const cs_arm_op *o);
/* Number of a general register, -1 for anything else. */
int arm_general(unsigned reg);

/* All registers of the operand (a Q register is two), as a result; nothing where it is none. */
void arm_read(const cs_arm_op *o, enum source_kind kind, struct insn *out);
void arm_write(const cs_arm_op *o, unsigned kind, struct insn *out);

/* Index of the operand in brackets; the number of operands when there is none. */
unsigned arm_memory_at(const struct arm *a);

#endif

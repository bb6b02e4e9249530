/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_A64OPERAND_H
#define CB_A64OPERAND_H

/* Operands of A64 instructions as capstone gives them. */
#include <capstone.h>

/* The id of insn.h; -1 for a zero register, and for what the model does not follow. */
int a64_register(unsigned reg);
/* 1 for registers of that kind only. */
int a64_is_vector(const cs_arm64_op *o);
int a64_is_general(const cs_arm64_op *o);
/* 1 for 64 bits of a general, or 128 of a vector register. o: an operand of from. */
int a64_is_wide(const cs_insn *from, const cs_arm64_op *o);

/* 1 when an operand is a vector register, or one of 128 bits. */
int a64_has_vector(const cs_insn *from);
int a64_has_wide_vector(const cs_insn *from);

#endif

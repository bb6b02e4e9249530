/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "a64operand.h"

#include "insn.h"

static const struct register_range {
    uint16_t first, last;
    int16_t id; /* of the first; -1: none of them has one */
    uint8_t is_vector;
    uint8_t is_wide; /* 64 bits of a general register, 128 of a vector register */
} registers[] = {
    {ARM64_REG_X0, ARM64_REG_X28, 0, 0, 1},
    {ARM64_REG_X29, ARM64_REG_X29, 29, 0, 1},
    {ARM64_REG_X30, ARM64_REG_X30, 30, 0, 1},
    {ARM64_REG_SP, ARM64_REG_SP, 31, 0, 1},
    {ARM64_REG_XZR, ARM64_REG_XZR, -1, 0, 1},
    {ARM64_REG_W0, ARM64_REG_W30, 0, 0, 0},
    {ARM64_REG_WSP, ARM64_REG_WSP, 31, 0, 0},
    {ARM64_REG_V0, ARM64_REG_V31, REGISTER_VECTOR, 1, 0}, /* wide or not by its arrangement */
    {ARM64_REG_Q0, ARM64_REG_Q31, REGISTER_VECTOR, 1, 1},
    {ARM64_REG_D0, ARM64_REG_D31, REGISTER_VECTOR, 1, 0},
    {ARM64_REG_S0, ARM64_REG_S31, REGISTER_VECTOR, 1, 0},
    {ARM64_REG_H0, ARM64_REG_H31, REGISTER_VECTOR, 1, 0},
    {ARM64_REG_B0, ARM64_REG_B31, REGISTER_VECTOR, 1, 0},
};

/* WZR and whatever else is no register of the model's. */
static const struct register_range no_register = {0, 0, -1, 0, 0};

static const struct register_range *range_of(unsigned reg)
{
    for (size_t k = 0; k < sizeof registers / sizeof *registers; k++)
        if (reg >= registers[k].first && reg <= registers[k].last)
            return &registers[k];
    return &no_register;
}

int a64_register(unsigned reg)
{
    const struct register_range *r = range_of(reg);

    return r->id < 0 ? -1 : r->id + (int)(reg - r->first);
}

int a64_is_vector(const cs_arm64_op *o)
{
    return o->type == ARM64_OP_REG && range_of(o->reg)->is_vector;
}

int a64_is_general(const cs_arm64_op *o)
{
    return o->type == ARM64_OP_REG && !range_of(o->reg)->is_vector;
}

/* Capstone 4 does not say the arrangement of "mov v0.16b, v1.16b": bit 30 of the word does, as in
 * all vector instructions. */
int a64_is_wide(const cs_insn *from, const cs_arm64_op *o)
{
    if (o->type != ARM64_OP_REG)
        return 0;
    if (o->reg < ARM64_REG_V0 || o->reg > ARM64_REG_V31)
        return range_of(o->reg)->is_wide;
    switch (o->vas) {
    case ARM64_VAS_16B:
    case ARM64_VAS_8H:
    case ARM64_VAS_4S:
    case ARM64_VAS_2D:
    case ARM64_VAS_1Q:
        return 1;
    case ARM64_VAS_INVALID:
        return o->vess == ARM64_VESS_INVALID && (from->bytes[3] & 0x40);
    default:
        return 0;
    }
}

int a64_has_vector(const cs_insn *from)
{
    const cs_arm64 *a = &from->detail->arm64;

    for (unsigned k = 0; k < a->op_count; k++)
        if (a64_is_vector(&a->operands[k]))
            return 1;
    return 0;
}

int a64_has_wide_vector(const cs_insn *from)
{
    const cs_arm64 *a = &from->detail->arm64;

    for (unsigned k = 0; k < a->op_count; k++)
        if (a64_is_vector(&a->operands[k]) && a64_is_wide(from, &a->operands[k]))
            return 1;
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "armoperand.h"

/* Ids of the model: a D register has one, a Q register two, an S register half of one. */
static const struct register_range {
    uint16_t first, last, id;
    uint8_t ids;    /* of one register */
    uint8_t per_id; /* registers that have one */
} registers[] = {
    {ARM_REG_R0, ARM_REG_R12, 0, 1, 1},
    {ARM_REG_SP, ARM_REG_SP, 13, 1, 1},
    {ARM_REG_LR, ARM_REG_LR, 14, 1, 1},
    {ARM_REG_PC, ARM_REG_PC, 15, 1, 1},
    {ARM_REG_D0, ARM_REG_D31, REGISTER_VECTOR, 1, 1},
    {ARM_REG_Q0, ARM_REG_Q15, REGISTER_VECTOR, 2, 1},
    {ARM_REG_S0, ARM_REG_S31, REGISTER_VECTOR, 1, 2},
};

static const struct register_range *range_of(unsigned reg)
{
    for (size_t k = 0; k < sizeof registers / sizeof *registers; k++)
        if (reg >= registers[k].first && reg <= registers[k].last)
            return &registers[k];
    return NULL;
}

/* The first id of a register. */
static int range_id(const struct register_range *r, unsigned reg)
{
    return r->id + (int)(reg - r->first) * r->ids / r->per_id;
}

void arm_open(const cs_insn *from, int is_thumb, struct arm *out)
{
    const uint8_t *b = from->bytes;
    uint32_t low = b[0] | (uint32_t)b[1] << 8, high = b[2] | (uint32_t)b[3] << 8;
    arm_cc cc = from->detail->arm.cc;

    out->d = &from->detail->arm;
    out->is_short = from->size == 2;
    out->word = out->is_short ? low : is_thumb ? low << 16 | high : high << 16 | low;
    out->is_conditional = cc != ARM_CC_INVALID && cc != ARM_CC_AL;
}

int arm_general(unsigned reg)
{
    const struct register_range *r = range_of(reg);

    return r && r->id < REGISTER_VECTOR ? range_id(r, reg) : -1;
}

int arm_is_general(const cs_arm_op *o)
{
    return o->type == ARM_OP_REG && arm_general((unsigned)o->reg) >= 0;
}

int arm_is_vector(const cs_arm_op *o)
{
    const struct register_range *r = o->type == ARM_OP_REG ? range_of((unsigned)o->reg) : NULL;

    return r && r->id >= REGISTER_VECTOR;
}

int arm_is_q(const cs_arm_op *o)
{
    return o->type == ARM_OP_REG && o->reg >= ARM_REG_Q0 && o->reg <= ARM_REG_Q15;
}

void arm_read(const cs_arm_op *o, enum source_kind kind, struct insn *out)
{
    const struct register_range *r = o->type == ARM_OP_REG ? range_of((unsigned)o->reg) : NULL;

    for (int k = 0; r && k < r->ids; k++)
        insn_read(out, range_id(r, (unsigned)o->reg) + k, kind);
}

void arm_write(const cs_arm_op *o, unsigned kind, struct insn *out)
{
    const struct register_range *r = o->type == ARM_OP_REG ? range_of((unsigned)o->reg) : NULL;

    for (int k = 0; r && k < r->ids; k++)
        insn_write(out, range_id(r, (unsigned)o->reg) + k, kind);
}

unsigned arm_memory_at(const struct arm *a)
{
    unsigned at = 0;

    while (at < a->d->op_count && a->d->operands[at].type != ARM_OP_MEM)
        at++;
    return at;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/* MIPS32 up to release 2, as far as user programs have it. */
#include "decode_isa.h"

/* What the first operand is, besides being read; later register operands are read, a base register
 * as an address. */
enum {
    RESULT = 1,    /* written, not read */
    OWN = 2,       /* written and read too */
    DATA = 4,      /* stored */
    UNREAD = 8,    /* what is written follows from the rest; operands are not read at all */
    LINK = 16,     /* writes the return address */
    TO_HI = 32,    /* writes HI */
    TO_LO = 64,    /* writes LO */
    OF_HI = 128,   /* reads HI */
    OF_LO = 256,   /* reads LO */
    ADDED = 512,   /* HI and LO are added to */
    RETURNS = 1024 /* CLASS_RET when it jumps to ra */
};

struct rule {
    uint8_t is_known;
    uint8_t class;
    uint16_t flags;
};

#define RULE(c, f)                                                                                 \
    {                                                                                              \
        1, CLASS_##c, f                                                                            \
    }

static const struct rule rules[MIPS_INS_ENDING] = {
    [MIPS_INS_NOP] = RULE(NOP, UNREAD),
    [MIPS_INS_SSNOP] = RULE(NOP, UNREAD),
    [MIPS_INS_EHB] = RULE(NOP, UNREAD),
    [MIPS_INS_PAUSE] = RULE(NOP, UNREAD),
    [MIPS_INS_PREF] = RULE(NOP, UNREAD),
    [MIPS_INS_SYNC] = RULE(NOP, UNREAD),
    [MIPS_INS_BREAK] = RULE(NOP, UNREAD),

    [MIPS_INS_ADD] = RULE(ALU, RESULT),
    [MIPS_INS_ADDI] = RULE(ALU, RESULT),
    [MIPS_INS_ADDIU] = RULE(ALU, RESULT),
    [MIPS_INS_ADDU] = RULE(ALU, RESULT),
    [MIPS_INS_AND] = RULE(ALU, RESULT),
    [MIPS_INS_ANDI] = RULE(ALU, RESULT),
    [MIPS_INS_CLO] = RULE(ALU, RESULT),
    [MIPS_INS_CLZ] = RULE(ALU, RESULT),
    [MIPS_INS_EXT] = RULE(ALU, RESULT),
    [MIPS_INS_INS] = RULE(ALU, OWN),
    [MIPS_INS_LI] = RULE(ALU, RESULT),
    [MIPS_INS_LUI] = RULE(ALU, RESULT),
    [MIPS_INS_MOVE] = RULE(ALU, RESULT),
    [MIPS_INS_MOVN] = RULE(ALU, OWN),
    [MIPS_INS_MOVZ] = RULE(ALU, OWN),
    [MIPS_INS_NEG] = RULE(ALU, RESULT),
    [MIPS_INS_NEGU] = RULE(ALU, RESULT),
    [MIPS_INS_NOR] = RULE(ALU, RESULT),
    [MIPS_INS_NOT] = RULE(ALU, RESULT),
    [MIPS_INS_OR] = RULE(ALU, RESULT),
    [MIPS_INS_ORI] = RULE(ALU, RESULT),
    [MIPS_INS_ROTR] = RULE(ALU, RESULT),
    [MIPS_INS_ROTRV] = RULE(ALU, RESULT),
    [MIPS_INS_SEB] = RULE(ALU, RESULT),
    [MIPS_INS_SEH] = RULE(ALU, RESULT),
    [MIPS_INS_SLL] = RULE(ALU, RESULT),
    [MIPS_INS_SLLV] = RULE(ALU, RESULT),
    [MIPS_INS_SLT] = RULE(ALU, RESULT),
    [MIPS_INS_SLTI] = RULE(ALU, RESULT),
    [MIPS_INS_SLTIU] = RULE(ALU, RESULT),
    [MIPS_INS_SLTU] = RULE(ALU, RESULT),
    [MIPS_INS_SRA] = RULE(ALU, RESULT),
    [MIPS_INS_SRAV] = RULE(ALU, RESULT),
    [MIPS_INS_SRL] = RULE(ALU, RESULT),
    [MIPS_INS_SRLV] = RULE(ALU, RESULT),
    [MIPS_INS_SUB] = RULE(ALU, RESULT),
    [MIPS_INS_SUBU] = RULE(ALU, RESULT),
    [MIPS_INS_WSBH] = RULE(ALU, RESULT),
    [MIPS_INS_XOR] = RULE(ALU, RESULT),
    [MIPS_INS_XORI] = RULE(ALU, RESULT),

    [MIPS_INS_MUL] = RULE(MUL, RESULT),
    [MIPS_INS_MULT] = RULE(MULT, TO_HI | TO_LO),
    [MIPS_INS_MULTU] = RULE(MULT, TO_HI | TO_LO),
    [MIPS_INS_MADD] = RULE(MADD, ADDED | TO_HI | TO_LO),
    [MIPS_INS_MADDU] = RULE(MADD, ADDED | TO_HI | TO_LO),
    [MIPS_INS_MSUB] = RULE(MADD, ADDED | TO_HI | TO_LO),
    [MIPS_INS_MSUBU] = RULE(MADD, ADDED | TO_HI | TO_LO),
    [MIPS_INS_DIV] = RULE(DIV, TO_HI | TO_LO),
    [MIPS_INS_DIVU] = RULE(DIV, TO_HI | TO_LO),
    [MIPS_INS_MFHI] = RULE(MFHL, RESULT | OF_HI),
    [MIPS_INS_MFLO] = RULE(MFHL, RESULT | OF_LO),
    [MIPS_INS_MTHI] = RULE(MTHL, TO_HI),
    [MIPS_INS_MTLO] = RULE(MTHL, TO_LO),

    [MIPS_INS_LB] = RULE(LD, RESULT),
    [MIPS_INS_LBU] = RULE(LD, RESULT),
    [MIPS_INS_LBUX] = RULE(LD, RESULT),
    [MIPS_INS_LH] = RULE(LD, RESULT),
    [MIPS_INS_LHU] = RULE(LD, RESULT),
    [MIPS_INS_LHX] = RULE(LD, RESULT),
    [MIPS_INS_LL] = RULE(LD, RESULT),
    [MIPS_INS_LW] = RULE(LD, RESULT),
    [MIPS_INS_LWX] = RULE(LD, RESULT),
    [MIPS_INS_LDC1] = RULE(LD, RESULT),
    [MIPS_INS_LWC1] = RULE(LD, RESULT),
    [MIPS_INS_LWL] = RULE(LWLR, OWN),
    [MIPS_INS_LWR] = RULE(LWLR, OWN),
    [MIPS_INS_SB] = RULE(ST, DATA),
    [MIPS_INS_SC] = RULE(ST, DATA),
    [MIPS_INS_SH] = RULE(ST, DATA),
    [MIPS_INS_SW] = RULE(ST, DATA),
    [MIPS_INS_SWL] = RULE(ST, DATA),
    [MIPS_INS_SWR] = RULE(ST, DATA),
    [MIPS_INS_SDC1] = RULE(ST, DATA),
    [MIPS_INS_SWC1] = RULE(ST, DATA),

    [MIPS_INS_B] = RULE(BR, 0),
    [MIPS_INS_BAL] = RULE(BR, LINK),
    [MIPS_INS_BEQ] = RULE(BR, 0),
    [MIPS_INS_BEQL] = RULE(BR, 0),
    [MIPS_INS_BEQZ] = RULE(BR, 0),
    [MIPS_INS_BGEZ] = RULE(BR, 0),
    [MIPS_INS_BGEZAL] = RULE(BR, LINK),
    [MIPS_INS_BGEZALL] = RULE(BR, LINK),
    [MIPS_INS_BGEZL] = RULE(BR, 0),
    [MIPS_INS_BGTZ] = RULE(BR, 0),
    [MIPS_INS_BGTZL] = RULE(BR, 0),
    [MIPS_INS_BLEZ] = RULE(BR, 0),
    [MIPS_INS_BLEZL] = RULE(BR, 0),
    [MIPS_INS_BLTZ] = RULE(BR, 0),
    [MIPS_INS_BLTZAL] = RULE(BR, LINK),
    [MIPS_INS_BLTZALL] = RULE(BR, LINK),
    [MIPS_INS_BLTZL] = RULE(BR, 0),
    [MIPS_INS_BNE] = RULE(BR, 0),
    [MIPS_INS_BNEL] = RULE(BR, 0),
    [MIPS_INS_BNEZ] = RULE(BR, 0),
    [MIPS_INS_J] = RULE(BR, 0),
    [MIPS_INS_JAL] = RULE(BR, LINK),
    [MIPS_INS_JALR] = RULE(BRI, LINK),
    [MIPS_INS_JALR_HB] = RULE(BRI, LINK),
    [MIPS_INS_JR] = RULE(BRI, RETURNS),
    [MIPS_INS_JR_HB] = RULE(BRI, RETURNS),

    [MIPS_INS_RDHWR] = RULE(SYS, RESULT | UNREAD),
    [MIPS_INS_MFC0] = RULE(SYS, RESULT | UNREAD),
    [MIPS_INS_MFC1] = RULE(SYS, RESULT | UNREAD),
    [MIPS_INS_MTC1] = RULE(SYS, UNREAD),
    [MIPS_INS_CFC1] = RULE(SYS, RESULT | UNREAD),
    [MIPS_INS_CTC1] = RULE(SYS, UNREAD),
    [MIPS_INS_SYSCALL] = RULE(SYS, UNREAD),
    [MIPS_INS_TEQ] = RULE(SYS, UNREAD),
};

/* -1: the zero register, or one that the model does not follow. */
static int register_id(unsigned reg)
{
    return reg > MIPS_REG_0 && reg <= MIPS_REG_31 ? (int)(reg - MIPS_REG_0) : -1;
}

static void first_decode(const cs_mips_op *o, const struct rule *r, struct insn *out)
{
    int id = register_id(o->reg);

    if (r->flags & (RESULT | OWN))
        insn_write(out, id, DESTINATION_RESULT);
    if (r->flags & UNREAD)
        return;
    if (!(r->flags & RESULT))
        insn_read(out, id, r->flags & DATA ? SOURCE_DATA : SOURCE_NORMAL);
    if (r->flags & RETURNS && o->reg == MIPS_REG_RA)
        out->class = CLASS_RET;
}

static void implicit_decode(const struct rule *r, struct insn *out)
{
    static const struct {
        uint16_t flag;
        uint8_t is_written, reg, kind;
    } implicit[] = {
        {ADDED, 0, REGISTER_HI, SOURCE_ACCUMULATOR}, {ADDED, 0, REGISTER_LO, SOURCE_ACCUMULATOR},
        {OF_HI, 0, REGISTER_HI, SOURCE_NORMAL},      {OF_LO, 0, REGISTER_LO, SOURCE_NORMAL},
        {TO_HI, 1, REGISTER_HI, DESTINATION_RESULT}, {TO_LO, 1, REGISTER_LO, DESTINATION_RESULT},
        {LINK, 1, 31, DESTINATION_RESULT},
    };

    for (size_t k = 0; k < sizeof implicit / sizeof *implicit; k++) {
        if (!(r->flags & implicit[k].flag))
            continue;
        if (implicit[k].is_written)
            insn_write(out, implicit[k].reg, implicit[k].kind);
        else
            insn_read(out, implicit[k].reg, implicit[k].kind);
    }
}

void mips_decode(const cs_insn *from, struct insn *out)
{
    static const struct rule guess = {0, CLASS_ALU, RESULT};
    const cs_mips *m = &from->detail->mips;
    const struct rule *r = from->id < MIPS_INS_ENDING ? &rules[from->id] : &guess;

    if (!r->is_known) {
        r = &guess;
        out->unknown = 1;
    }
    out->class = r->class;
    out->n = 1;
    for (unsigned k = 0; k < m->op_count; k++) {
        const cs_mips_op *o = &m->operands[k];

        if (o->type == MIPS_OP_REG && k == 0)
            first_decode(o, r, out);
        else if (o->type == MIPS_OP_REG && !(r->flags & UNREAD))
            insn_read(out, register_id(o->reg), SOURCE_NORMAL);
        else if (o->type == MIPS_OP_MEM && !(r->flags & UNREAD))
            insn_read(out, register_id(o->mem.base), SOURCE_ADDRESS);
    }
    implicit_decode(r, out);
}

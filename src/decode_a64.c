/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/*
 * A64. Capstone gives an alias (mov, lsl, ubfx, cmp, ...) an id of its own in most cases, and the
 * base instruction's id in the others: both are in the tables. One name may be a general and a
 * vector instruction, so there are two tables.
 */
#include "a64operand.h"
#include "decode_isa.h"

enum {
    SETS_FLAGS = 1, /* always; adds and the like, which have no id of their own, are found out */
    READS_FLAGS = 2,
    OWN = 4,         /* reads its destination */
    OWN_ADDED = 8,   /* reads it as an accumulator */
    LAST_ADDED = 16, /* the last operand is an accumulator */
    LINK = 32,       /* writes the link register */
    SIZED = 64,      /* the class is for 64 bits of vector, the one after it for 128 */
    NARROWER = 128,  /* the class is for 128 bits, or an X register, the one after it for less */
    WIDER = 256,     /* the class is for a W register, the one after it for X */
    INDEXED = 512    /* the class after it is for an index register */
};

struct rule;
typedef void rule_fill(const cs_insn *from, const struct rule *r, struct insn *out);

struct rule {
    rule_fill *fill; /* NULL: not in the table */
    uint8_t class;
    uint16_t flags;
};

static void operand_read(const cs_arm64_op *o, enum source_kind kind, struct insn *out)
{
    if (o->type == ARM64_OP_REG)
        insn_read(out, a64_register(o->reg), kind);
}

static void operand_write(const cs_arm64_op *o, struct insn *out)
{
    if (o->type == ARM64_OP_REG)
        insn_write(out, a64_register(o->reg), DESTINATION_RESULT);
}

static void implicit(const cs_insn *from, const struct rule *r, struct insn *out)
{
    if (r->flags & READS_FLAGS)
        insn_read(out, REGISTER_FLAGS, SOURCE_NORMAL);
    if (r->flags & SETS_FLAGS || from->detail->arm64.update_flags)
        insn_write(out, REGISTER_FLAGS, DESTINATION_RESULT);
    if (r->flags & LINK)
        insn_write(out, 30, DESTINATION_RESULT);
}

static void nothing(const cs_insn *from, const struct rule *r, struct insn *out)
{
    (void)from;
    (void)r;
    (void)out;
}

/* Reads operands from the given one on; the last may be shifted or extended, and may be an
 * accumulator. */
static void rest_read(const cs_insn *from, unsigned first, const struct rule *r, struct insn *out)
{
    const cs_arm64 *a = &from->detail->arm64;

    for (unsigned k = first; k < a->op_count; k++) {
        const cs_arm64_op *o = &a->operands[k];
        enum source_kind kind = SOURCE_NORMAL;

        if (k + 1 == a->op_count && r->flags & LAST_ADDED)
            kind = SOURCE_ACCUMULATOR;
        if (k + 1 == a->op_count && r->class == CLASS_ALU &&
            (o->shift.type != ARM64_SFT_INVALID || o->ext != ARM64_EXT_INVALID)) {
            kind = SOURCE_SHIFTED;
            out->class = CLASS_ALUSH;
        }
        operand_read(o, kind, out);
    }
}

/* Writes the first operand, reads the others. */
static void plain(const cs_insn *from, const struct rule *r, struct insn *out)
{
    const cs_arm64_op *first = from->detail->arm64.operands;

    if (from->detail->arm64.op_count) {
        if (r->flags & SIZED && a64_has_wide_vector(from))
            out->class ++;
        if (r->flags & WIDER && a64_is_wide(from, first))
            out->class ++;
        operand_write(first, out);
        rest_read(from, 1, r, out);
        if (r->flags & OWN)
            operand_read(first, SOURCE_NORMAL, out);
        if (r->flags & OWN_ADDED)
            operand_read(first, SOURCE_ACCUMULATOR, out);
    }
    implicit(from, r, out);
}

static void all_read(const cs_insn *from, const struct rule *r, struct insn *out)
{
    rest_read(from, 0, r, out);
    implicit(from, r, out);
}

/* "orr x0, xzr, #constant" is how a constant is moved. */
static void disjunction(const cs_insn *from, const struct rule *r, struct insn *out)
{
    const cs_arm64 *a = &from->detail->arm64;

    plain(from, r, out);
    if (a->op_count == 3 && a->operands[2].type == ARM64_OP_IMM && out->nsources == 0)
        out->class = CLASS_MOVI;
}

static void move(const cs_insn *from, const struct rule *r, struct insn *out)
{
    plain(from, r, out);
    if (from->detail->arm64.operands[1].type != ARM64_OP_REG)
        out->class = CLASS_MOVI;
}

static void shift(const cs_insn *from, const struct rule *r, struct insn *out)
{
    plain(from, r, out);
    if (from->detail->arm64.operands[2].type == ARM64_OP_REG)
        out->class = CLASS_SHIFTR;
}

static void branch(const cs_insn *from, const struct rule *r, struct insn *out)
{
    arm64_cc cc = from->detail->arm64.cc;

    all_read(from, r, out);
    if (cc != ARM64_CC_INVALID && cc != ARM64_CC_AL && cc != ARM64_CC_NV)
        insn_read(out, REGISTER_FLAGS, SOURCE_NORMAL);
}

static void back(const cs_insn *from, const struct rule *r, struct insn *out)
{
    if (from->detail->arm64.op_count)
        all_read(from, r, out);
    else
        insn_read(out, 30, SOURCE_NORMAL);
}

/* Address operands, from the one in brackets on; returns its number, op_count when there is none
 * (a literal). */
static unsigned address_read(const cs_insn *from, const struct rule *r, struct insn *out)
{
    const cs_arm64 *a = &from->detail->arm64;
    unsigned at = 0;

    while (at < a->op_count && a->operands[at].type != ARM64_OP_MEM)
        at++;
    if (at == a->op_count)
        return at;
    insn_read(out, a64_register(a->operands[at].mem.base), SOURCE_ADDRESS);
    insn_read(out, a64_register(a->operands[at].mem.index), SOURCE_ADDRESS);
    if (r->flags & INDEXED && a->operands[at].mem.index != ARM64_REG_INVALID)
        out->class ++;
    if (at + 1 < a->op_count) /* it is added afterwards */
        operand_read(&a->operands[at + 1], SOURCE_ADDRESS, out);
    if (a->writeback || at + 1 < a->op_count)
        insn_write(out, a64_register(a->operands[at].mem.base), DESTINATION_BASE);
    return at;
}

static void narrow(const cs_insn *from, const struct rule *r, struct insn *out)
{
    if (r->flags & NARROWER && !a64_is_wide(from, from->detail->arm64.operands))
        out->class ++;
}

/* All registers but the first come as the second does: what the tables' per-register times of A64
 * were found with. */
static void load(const cs_insn *from, const struct rule *r, struct insn *out)
{
    unsigned at = address_read(from, r, out), n = 0;

    narrow(from, r, out);
    for (unsigned k = 0; k < at; k++) {
        const cs_arm64_op *o = &from->detail->arm64.operands[k];
        int id = o->type == ARM64_OP_REG ? a64_register(o->reg) : -1;

        if (id >= 0)
            insn_write(out, id, n++ ? DESTINATION_SECOND : DESTINATION_RESULT);
    }
    if (n > 1)
        out->n = (uint8_t)n;
}

static void load_elements(const cs_insn *from, const struct rule *r, struct insn *out)
{
    const cs_arm64 *a = &from->detail->arm64;
    int is_lane = 0;

    load(from, r, out);
    for (unsigned k = 0; k < a->op_count; k++)
        is_lane |= a64_is_vector(&a->operands[k]) && a->operands[k].vector_index >= 0;
    if (!is_lane)
        return;
    out->class = CLASS_VLDLANE;
    for (unsigned k = 0; k < a->op_count && a64_is_vector(&a->operands[k]); k++)
        operand_read(&a->operands[k], SOURCE_NORMAL, out);
}

static void stored_read(const cs_insn *from, unsigned first, unsigned at, struct insn *out)
{
    unsigned before = out->nsources, n;

    for (unsigned k = first; k < at; k++)
        operand_read(&from->detail->arm64.operands[k], SOURCE_DATA, out);
    n = out->nsources - before;
    if (n > 1)
        out->n = (uint8_t)n;
}

static void store(const cs_insn *from, const struct rule *r, struct insn *out)
{
    unsigned at = address_read(from, r, out);

    narrow(from, r, out);
    stored_read(from, 0, at, out);
}

/* The first operand says whether it was done. */
static void store_exclusive(const cs_insn *from, const struct rule *r, struct insn *out)
{
    unsigned at = address_read(from, r, out);

    operand_write(from->detail->arm64.operands, out);
    stored_read(from, 1, at, out);
}

/* Between general and vector registers, or vector registers and elements of them. */
static void vector_move(const cs_insn *from, const struct rule *r, struct insn *out)
{
    const cs_arm64_op *to = &from->detail->arm64.operands[0], *of = to + 1;
    int is_element = to->vector_index >= 0 && a64_is_vector(to);

    operand_write(to, out);
    operand_read(of, SOURCE_NORMAL, out);
    if (is_element)
        operand_read(to, SOURCE_NORMAL, out);
    if (a64_is_general(to))
        out->class = CLASS_V2G;
    else if (a64_is_general(of))
        out->class = CLASS_G2V;
    else if (is_element)
        out->class = CLASS_VPERM_D;
    else if (r->flags & SIZED && a64_has_wide_vector(from))
        out->class ++;
}

static void polynomial(const cs_insn *from, const struct rule *r, struct insn *out)
{
    plain(from, r, out);
    if (from->detail->arm64.operands[0].vas == ARM64_VAS_1Q)
        out->class = CLASS_VPMULL64;
}

/* Target, registers of the table, indexes. */
static void table(const cs_insn *from, const struct rule *r, struct insn *out)
{
    plain(from, r, out);
    out->n = (uint8_t)(from->detail->arm64.op_count - 2);
}

static const struct rule general[ARM64_INS_ENDING] = {
    [ARM64_INS_NOP] = {nothing, CLASS_NOP, 0},
    [ARM64_INS_HINT] = {nothing, CLASS_NOP, 0},
    [ARM64_INS_YIELD] = {nothing, CLASS_NOP, 0},
    [ARM64_INS_WFE] = {nothing, CLASS_NOP, 0},
    [ARM64_INS_WFI] = {nothing, CLASS_NOP, 0},
    [ARM64_INS_SEV] = {nothing, CLASS_NOP, 0},
    [ARM64_INS_SEVL] = {nothing, CLASS_NOP, 0},
    [ARM64_INS_PRFM] = {nothing, CLASS_NOP, 0},
    [ARM64_INS_PRFUM] = {nothing, CLASS_NOP, 0},
    [ARM64_INS_DMB] = {nothing, CLASS_NOP, 0},
    [ARM64_INS_DSB] = {nothing, CLASS_NOP, 0},
    [ARM64_INS_ISB] = {nothing, CLASS_NOP, 0},
    [ARM64_INS_CLREX] = {nothing, CLASS_NOP, 0},
    [ARM64_INS_MRS] = {plain, CLASS_SYS, 0},
    [ARM64_INS_MSR] = {nothing, CLASS_SYS, 0},
    [ARM64_INS_SVC] = {nothing, CLASS_SYS, 0},
    [ARM64_INS_BRK] = {nothing, CLASS_SYS, 0},
    [ARM64_INS_IC] = {all_read, CLASS_ALU, 0},
    [ARM64_INS_DC] = {all_read, CLASS_ALU, 0},
    [ARM64_INS_AT] = {all_read, CLASS_ALU, 0},
    [ARM64_INS_TLBI] = {all_read, CLASS_ALU, 0},
    [ARM64_INS_SYS] = {all_read, CLASS_ALU, 0},
    [ARM64_INS_ADD] = {plain, CLASS_ALU, 0},
    [ARM64_INS_AND] = {plain, CLASS_ALU, 0},
    [ARM64_INS_BIC] = {plain, CLASS_ALU, 0},
    [ARM64_INS_EON] = {plain, CLASS_ALU, 0},
    [ARM64_INS_EOR] = {plain, CLASS_ALU, 0},
    [ARM64_INS_NEG] = {plain, CLASS_ALU, 0},
    [ARM64_INS_MVN] = {plain, CLASS_ALU, 0},
    [ARM64_INS_ORN] = {plain, CLASS_ALU, 0},
    [ARM64_INS_SUB] = {plain, CLASS_ALU, 0},
    [ARM64_INS_CLS] = {plain, CLASS_ALU, 0},
    [ARM64_INS_CLZ] = {plain, CLASS_ALU, 0},
    [ARM64_INS_RBIT] = {plain, CLASS_ALU, 0},
    [ARM64_INS_REV] = {plain, CLASS_ALU, 0},
    [ARM64_INS_REV16] = {plain, CLASS_ALU, 0},
    [ARM64_INS_REV32] = {plain, CLASS_ALU, 0},
    [ARM64_INS_ORR] = {disjunction, CLASS_ALU, 0},
    [ARM64_INS_ADC] = {plain, CLASS_ALU, READS_FLAGS},
    [ARM64_INS_SBC] = {plain, CLASS_ALU, READS_FLAGS},
    [ARM64_INS_NGC] = {plain, CLASS_ALU, READS_FLAGS},
    [ARM64_INS_NEGS] = {plain, CLASS_ALU, SETS_FLAGS},
    [ARM64_INS_NGCS] = {plain, CLASS_ALU, READS_FLAGS | SETS_FLAGS},
    [ARM64_INS_CMP] = {all_read, CLASS_ALU, SETS_FLAGS},
    [ARM64_INS_CMN] = {all_read, CLASS_ALU, SETS_FLAGS},
    [ARM64_INS_TST] = {all_read, CLASS_ALU, SETS_FLAGS},
    [ARM64_INS_CCMP] = {all_read, CLASS_ALU, READS_FLAGS | SETS_FLAGS},
    [ARM64_INS_CCMN] = {all_read, CLASS_ALU, READS_FLAGS | SETS_FLAGS},
    [ARM64_INS_CSEL] = {plain, CLASS_ALU, READS_FLAGS},
    [ARM64_INS_CSINC] = {plain, CLASS_ALU, READS_FLAGS},
    [ARM64_INS_CSINV] = {plain, CLASS_ALU, READS_FLAGS},
    [ARM64_INS_CSNEG] = {plain, CLASS_ALU, READS_FLAGS},
    [ARM64_INS_CSET] = {plain, CLASS_ALU, READS_FLAGS},
    [ARM64_INS_CSETM] = {plain, CLASS_ALU, READS_FLAGS},
    [ARM64_INS_CINC] = {plain, CLASS_ALU, READS_FLAGS},
    [ARM64_INS_CINV] = {plain, CLASS_ALU, READS_FLAGS},
    [ARM64_INS_CNEG] = {plain, CLASS_ALU, READS_FLAGS},
    [ARM64_INS_CRC32B] = {plain, CLASS_ALU, 0},
    [ARM64_INS_CRC32H] = {plain, CLASS_ALU, 0},
    [ARM64_INS_CRC32W] = {plain, CLASS_ALU, 0},
    [ARM64_INS_CRC32X] = {plain, CLASS_ALU, 0},
    [ARM64_INS_CRC32CB] = {plain, CLASS_ALU, 0},
    [ARM64_INS_CRC32CH] = {plain, CLASS_ALU, 0},
    [ARM64_INS_CRC32CW] = {plain, CLASS_ALU, 0},
    [ARM64_INS_CRC32CX] = {plain, CLASS_ALU, 0},
    [ARM64_INS_MOV] = {move, CLASS_MOVR, 0},
    [ARM64_INS_MOVZ] = {plain, CLASS_MOVI, 0},
    [ARM64_INS_MOVN] = {plain, CLASS_MOVI, 0},
    [ARM64_INS_ADR] = {plain, CLASS_MOVI, 0},
    [ARM64_INS_ADRP] = {plain, CLASS_MOVI, 0},
    [ARM64_INS_MOVK] = {plain, CLASS_MOVI, OWN},
    [ARM64_INS_LSL] = {shift, CLASS_SHIFT, 0},
    [ARM64_INS_LSR] = {shift, CLASS_SHIFT, 0},
    [ARM64_INS_ASR] = {shift, CLASS_SHIFT, 0},
    [ARM64_INS_ROR] = {shift, CLASS_ROR, 0},
    [ARM64_INS_EXTR] = {plain, CLASS_EXTR, 0},
    [ARM64_INS_UBFM] = {plain, CLASS_BFX, 0},
    [ARM64_INS_SBFM] = {plain, CLASS_BFX, 0},
    [ARM64_INS_UBFX] = {plain, CLASS_BFX, 0},
    [ARM64_INS_SBFX] = {plain, CLASS_BFX, 0},
    [ARM64_INS_UBFIZ] = {plain, CLASS_BFX, 0},
    [ARM64_INS_SBFIZ] = {plain, CLASS_BFX, 0},
    [ARM64_INS_UXTB] = {plain, CLASS_BFX, 0},
    [ARM64_INS_UXTH] = {plain, CLASS_BFX, 0},
    [ARM64_INS_UXTW] = {plain, CLASS_BFX, 0},
    [ARM64_INS_SXTB] = {plain, CLASS_BFX, 0},
    [ARM64_INS_SXTH] = {plain, CLASS_BFX, 0},
    [ARM64_INS_SXTW] = {plain, CLASS_BFX, 0},
    [ARM64_INS_BFM] = {plain, CLASS_BFM, OWN},
    [ARM64_INS_BFI] = {plain, CLASS_BFM, OWN},
    [ARM64_INS_BFXIL] = {plain, CLASS_BFM, OWN},
    [ARM64_INS_MUL] = {plain, CLASS_MUL, WIDER},
    [ARM64_INS_MNEG] = {plain, CLASS_MUL, WIDER},
    [ARM64_INS_MADD] = {plain, CLASS_MUL, WIDER | LAST_ADDED},
    [ARM64_INS_MSUB] = {plain, CLASS_MUL, WIDER | LAST_ADDED},
    [ARM64_INS_UMULL] = {plain, CLASS_MUL, 0},
    [ARM64_INS_SMULL] = {plain, CLASS_MUL, 0},
    [ARM64_INS_UMNEGL] = {plain, CLASS_MUL, 0},
    [ARM64_INS_SMNEGL] = {plain, CLASS_MUL, 0},
    [ARM64_INS_UMADDL] = {plain, CLASS_MUL, LAST_ADDED},
    [ARM64_INS_SMADDL] = {plain, CLASS_MUL, LAST_ADDED},
    [ARM64_INS_UMSUBL] = {plain, CLASS_MUL, LAST_ADDED},
    [ARM64_INS_SMSUBL] = {plain, CLASS_MUL, LAST_ADDED},
    [ARM64_INS_UMULH] = {plain, CLASS_MULH, 0},
    [ARM64_INS_SMULH] = {plain, CLASS_MULH, 0},
    [ARM64_INS_UDIV] = {plain, CLASS_DIV, 0},
    [ARM64_INS_SDIV] = {plain, CLASS_DIV, 0},
    [ARM64_INS_LDR] = {load, CLASS_LD, INDEXED},
    [ARM64_INS_LDUR] = {load, CLASS_LD, INDEXED},
    [ARM64_INS_LDTR] = {load, CLASS_LD, INDEXED},
    [ARM64_INS_LDRB] = {load, CLASS_LD, INDEXED},
    [ARM64_INS_LDURB] = {load, CLASS_LD, INDEXED},
    [ARM64_INS_LDTRB] = {load, CLASS_LD, INDEXED},
    [ARM64_INS_LDRH] = {load, CLASS_LD, INDEXED},
    [ARM64_INS_LDURH] = {load, CLASS_LD, INDEXED},
    [ARM64_INS_LDTRH] = {load, CLASS_LD, INDEXED},
    [ARM64_INS_LDRSB] = {load, CLASS_LD, INDEXED},
    [ARM64_INS_LDURSB] = {load, CLASS_LD, INDEXED},
    [ARM64_INS_LDTRSB] = {load, CLASS_LD, INDEXED},
    [ARM64_INS_LDRSH] = {load, CLASS_LD, INDEXED},
    [ARM64_INS_LDURSH] = {load, CLASS_LD, INDEXED},
    [ARM64_INS_LDTRSH] = {load, CLASS_LD, INDEXED},
    [ARM64_INS_LDRSW] = {load, CLASS_LD, INDEXED},
    [ARM64_INS_LDURSW] = {load, CLASS_LD, INDEXED},
    [ARM64_INS_LDTRSW] = {load, CLASS_LD, INDEXED},
    [ARM64_INS_LDXR] = {load, CLASS_LD, 0},
    [ARM64_INS_LDXRB] = {load, CLASS_LD, 0},
    [ARM64_INS_LDXRH] = {load, CLASS_LD, 0},
    [ARM64_INS_LDAXR] = {load, CLASS_LD, 0},
    [ARM64_INS_LDAXRB] = {load, CLASS_LD, 0},
    [ARM64_INS_LDAXRH] = {load, CLASS_LD, 0},
    [ARM64_INS_LDAR] = {load, CLASS_LD, 0},
    [ARM64_INS_LDARB] = {load, CLASS_LD, 0},
    [ARM64_INS_LDARH] = {load, CLASS_LD, 0},
    [ARM64_INS_LDXP] = {load, CLASS_LD, 0},
    [ARM64_INS_LDAXP] = {load, CLASS_LD, 0},
    [ARM64_INS_LDP] = {load, CLASS_LDP, NARROWER},
    [ARM64_INS_LDNP] = {load, CLASS_LDP, NARROWER},
    [ARM64_INS_LDPSW] = {load, CLASS_LDP, NARROWER},
    [ARM64_INS_STR] = {store, CLASS_ST, 0},
    [ARM64_INS_STUR] = {store, CLASS_ST, 0},
    [ARM64_INS_STTR] = {store, CLASS_ST, 0},
    [ARM64_INS_STRB] = {store, CLASS_ST, 0},
    [ARM64_INS_STURB] = {store, CLASS_ST, 0},
    [ARM64_INS_STTRB] = {store, CLASS_ST, 0},
    [ARM64_INS_STRH] = {store, CLASS_ST, 0},
    [ARM64_INS_STURH] = {store, CLASS_ST, 0},
    [ARM64_INS_STTRH] = {store, CLASS_ST, 0},
    [ARM64_INS_STLR] = {store, CLASS_ST, 0},
    [ARM64_INS_STLRB] = {store, CLASS_ST, 0},
    [ARM64_INS_STLRH] = {store, CLASS_ST, 0},
    [ARM64_INS_STP] = {store, CLASS_STP, NARROWER},
    [ARM64_INS_STNP] = {store, CLASS_STP, NARROWER},
    [ARM64_INS_STXR] = {store_exclusive, CLASS_ST, 0},
    [ARM64_INS_STXRB] = {store_exclusive, CLASS_ST, 0},
    [ARM64_INS_STXRH] = {store_exclusive, CLASS_ST, 0},
    [ARM64_INS_STLXR] = {store_exclusive, CLASS_ST, 0},
    [ARM64_INS_STLXRB] = {store_exclusive, CLASS_ST, 0},
    [ARM64_INS_STLXRH] = {store_exclusive, CLASS_ST, 0},
    [ARM64_INS_STXP] = {store_exclusive, CLASS_ST, 0},
    [ARM64_INS_STLXP] = {store_exclusive, CLASS_ST, 0},
    [ARM64_INS_B] = {branch, CLASS_BR, 0},
    [ARM64_INS_BL] = {all_read, CLASS_BR, LINK},
    [ARM64_INS_CBZ] = {all_read, CLASS_BR, 0},
    [ARM64_INS_CBNZ] = {all_read, CLASS_BR, 0},
    [ARM64_INS_TBZ] = {all_read, CLASS_BR, 0},
    [ARM64_INS_TBNZ] = {all_read, CLASS_BR, 0},
    [ARM64_INS_BR] = {all_read, CLASS_BRI, 0},
    [ARM64_INS_BLR] = {all_read, CLASS_BRI, LINK},
    [ARM64_INS_RET] = {back, CLASS_RET, 0},
};

static const struct rule vector[ARM64_INS_ENDING] = {
    [ARM64_INS_MOV] = {vector_move, CLASS_VALU_D, SIZED},
    [ARM64_INS_FMOV] = {vector_move, CLASS_VMOVI, 0},
    [ARM64_INS_INS] = {vector_move, CLASS_VPERM_D, SIZED | OWN},
    [ARM64_INS_DUP] = {vector_move, CLASS_VPERM_D, SIZED},
    [ARM64_INS_UMOV] = {vector_move, CLASS_VPERM_D, SIZED},
    [ARM64_INS_SMOV] = {vector_move, CLASS_VPERM_D, SIZED},
    [ARM64_INS_MOVI] = {plain, CLASS_VMOVI, 0},
    [ARM64_INS_MVNI] = {plain, CLASS_VMOVI, 0},
    [ARM64_INS_AESE] = {plain, CLASS_AESE, OWN},
    [ARM64_INS_AESD] = {plain, CLASS_AESE, OWN},
    [ARM64_INS_AESMC] = {plain, CLASS_AESMC, 0},
    [ARM64_INS_AESIMC] = {plain, CLASS_AESMC, 0},
    [ARM64_INS_PMULL] = {polynomial, CLASS_VPMULL8, 0},
    [ARM64_INS_PMULL2] = {polynomial, CLASS_VPMULL8, 0},
    [ARM64_INS_TBL] = {table, CLASS_VTBL_D, SIZED},
    [ARM64_INS_TBX] = {table, CLASS_VTBL_D, SIZED | OWN},
    [ARM64_INS_ABS] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_ADD] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_ADDP] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_ADDV] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_AND] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_BIC] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_CLS] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_CLZ] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_CMEQ] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_CMGE] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_CMGT] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_CMHI] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_CMHS] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_CMLE] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_CMLT] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_CMTST] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_CNT] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_EOR] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_MVN] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_NEG] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_NOT] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_ORN] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_ORR] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_RBIT] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_SUB] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_UABD] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_SABD] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_UADDL] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_UADDL2] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_UADDW] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_UADDW2] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_USUBL] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_USUBL2] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_USUBW] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_USUBW2] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_SADDL] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_SADDL2] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_SADDW] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_SADDW2] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_SSUBL] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_SSUBL2] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_SSUBW] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_SSUBW2] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_UADDLP] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_SADDLP] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_UADDLV] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_SADDLV] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_UHADD] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_SHADD] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_URHADD] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_SRHADD] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_UHSUB] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_SHSUB] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_UQADD] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_SQADD] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_UQSUB] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_SQSUB] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_UMAX] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_SMAX] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_UMIN] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_SMIN] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_UMAXP] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_UMINP] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_SMAXP] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_SMINP] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_UMAXV] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_UMINV] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_SMAXV] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_SMINV] = {plain, CLASS_VALU_D, SIZED},
    [ARM64_INS_BSL] = {plain, CLASS_VALU_D, SIZED | OWN},
    [ARM64_INS_BIT] = {plain, CLASS_VALU_D, SIZED | OWN},
    [ARM64_INS_BIF] = {plain, CLASS_VALU_D, SIZED | OWN},
    [ARM64_INS_SHL] = {plain, CLASS_VSHL_D, SIZED},
    [ARM64_INS_USHR] = {plain, CLASS_VSHL_D, SIZED},
    [ARM64_INS_SSHR] = {plain, CLASS_VSHL_D, SIZED},
    [ARM64_INS_SSHL] = {plain, CLASS_VSHL_D, SIZED},
    [ARM64_INS_USHL] = {plain, CLASS_VSHL_D, SIZED},
    [ARM64_INS_SSHLL] = {plain, CLASS_VSHL_D, SIZED},
    [ARM64_INS_SSHLL2] = {plain, CLASS_VSHL_D, SIZED},
    [ARM64_INS_USHLL] = {plain, CLASS_VSHL_D, SIZED},
    [ARM64_INS_USHLL2] = {plain, CLASS_VSHL_D, SIZED},
    [ARM64_INS_SHLL] = {plain, CLASS_VSHL_D, SIZED},
    [ARM64_INS_SHLL2] = {plain, CLASS_VSHL_D, SIZED},
    [ARM64_INS_XTN] = {plain, CLASS_VSHL_D, SIZED},
    [ARM64_INS_SHRN] = {plain, CLASS_VSHL_D, SIZED},
    [ARM64_INS_UQXTN] = {plain, CLASS_VSHL_D, SIZED},
    [ARM64_INS_RSHRN] = {plain, CLASS_VSHL_D, SIZED},
    [ARM64_INS_XTN2] = {plain, CLASS_VSHL_D, SIZED | OWN},
    [ARM64_INS_SHRN2] = {plain, CLASS_VSHL_D, SIZED | OWN},
    [ARM64_INS_UQXTN2] = {plain, CLASS_VSHL_D, SIZED | OWN},
    [ARM64_INS_RSHRN2] = {plain, CLASS_VSHL_D, SIZED | OWN},
    [ARM64_INS_SLI] = {plain, CLASS_VINS_D, SIZED | OWN},
    [ARM64_INS_SRI] = {plain, CLASS_VINS_D, SIZED | OWN},
    [ARM64_INS_SSRA] = {plain, CLASS_VSRA_D, SIZED | OWN_ADDED},
    [ARM64_INS_USRA] = {plain, CLASS_VSRA_D, SIZED | OWN_ADDED},
    [ARM64_INS_SRSRA] = {plain, CLASS_VSRA_D, SIZED | OWN_ADDED},
    [ARM64_INS_URSRA] = {plain, CLASS_VSRA_D, SIZED | OWN_ADDED},
    [ARM64_INS_EXT] = {plain, CLASS_VPERM_D, SIZED},
    [ARM64_INS_REV16] = {plain, CLASS_VPERM_D, SIZED},
    [ARM64_INS_REV32] = {plain, CLASS_VPERM_D, SIZED},
    [ARM64_INS_REV64] = {plain, CLASS_VPERM_D, SIZED},
    [ARM64_INS_TRN1] = {plain, CLASS_VPERM_D, SIZED},
    [ARM64_INS_TRN2] = {plain, CLASS_VPERM_D, SIZED},
    [ARM64_INS_ZIP1] = {plain, CLASS_VZIP_D, SIZED},
    [ARM64_INS_ZIP2] = {plain, CLASS_VZIP_D, SIZED},
    [ARM64_INS_UZP1] = {plain, CLASS_VZIP_D, SIZED},
    [ARM64_INS_UZP2] = {plain, CLASS_VZIP_D, SIZED},
    [ARM64_INS_MUL] = {plain, CLASS_VMUL_D, SIZED},
    [ARM64_INS_PMUL] = {plain, CLASS_VMUL_D, SIZED},
    [ARM64_INS_MLA] = {plain, CLASS_VMLA_D, SIZED | OWN_ADDED},
    [ARM64_INS_MLS] = {plain, CLASS_VMLA_D, SIZED | OWN_ADDED},
    [ARM64_INS_UMULL] = {plain, CLASS_VMULL, 0},
    [ARM64_INS_UMULL2] = {plain, CLASS_VMULL, 0},
    [ARM64_INS_SMULL] = {plain, CLASS_VMULL, 0},
    [ARM64_INS_SMULL2] = {plain, CLASS_VMULL, 0},
    [ARM64_INS_UMLAL] = {plain, CLASS_VMLAL, OWN_ADDED},
    [ARM64_INS_UMLAL2] = {plain, CLASS_VMLAL, OWN_ADDED},
    [ARM64_INS_SMLAL] = {plain, CLASS_VMLAL, OWN_ADDED},
    [ARM64_INS_SMLAL2] = {plain, CLASS_VMLAL, OWN_ADDED},
    [ARM64_INS_UMLSL] = {plain, CLASS_VMLAL, OWN_ADDED},
    [ARM64_INS_UMLSL2] = {plain, CLASS_VMLAL, OWN_ADDED},
    [ARM64_INS_SMLSL] = {plain, CLASS_VMLAL, OWN_ADDED},
    [ARM64_INS_SMLSL2] = {plain, CLASS_VMLAL, OWN_ADDED},
    /* Of any size: so the tables were found. */
    [ARM64_INS_LDR] = {load, CLASS_VLD, 0},
    [ARM64_INS_LDUR] = {load, CLASS_VLD, 0},
    [ARM64_INS_LDP] = {load, CLASS_VLDP, NARROWER},
    [ARM64_INS_LDNP] = {load, CLASS_VLDP, NARROWER},
    [ARM64_INS_LD1] = {load_elements, CLASS_VLD, NARROWER},
    [ARM64_INS_LD2] = {load_elements, CLASS_VLDX, 0},
    [ARM64_INS_LD3] = {load_elements, CLASS_VLDX, 0},
    [ARM64_INS_LD4] = {load_elements, CLASS_VLDX, 0},
    [ARM64_INS_LD1R] = {load_elements, CLASS_VLDR, 0},
    [ARM64_INS_LD2R] = {load_elements, CLASS_VLDR, 0},
    [ARM64_INS_LD3R] = {load_elements, CLASS_VLDR, 0},
    [ARM64_INS_LD4R] = {load_elements, CLASS_VLDR, 0},
    [ARM64_INS_STR] = {store, CLASS_VST, NARROWER},
    [ARM64_INS_STUR] = {store, CLASS_VST, NARROWER},
    [ARM64_INS_ST1] = {store, CLASS_VST, NARROWER},
    [ARM64_INS_ST2] = {store, CLASS_VST, NARROWER},
    [ARM64_INS_ST3] = {store, CLASS_VST, NARROWER},
    [ARM64_INS_ST4] = {store, CLASS_VST, NARROWER},
    [ARM64_INS_STP] = {store, CLASS_VSTP, NARROWER},
    [ARM64_INS_STNP] = {store, CLASS_VSTP, NARROWER},
};

void a64_decode(const cs_insn *from, struct insn *out)
{
    static const struct rule guesses[] = {{plain, CLASS_ALU, 0}, {plain, CLASS_VALU_D, SIZED}};
    const struct rule *r = &guesses[0];

    out->unknown = 1;
    if (from->id < ARM64_INS_ENDING) {
        int v = a64_has_vector(from);

        r = v ? &vector[from->id] : &general[from->id];
        if (r->fill)
            out->unknown = 0;
        else
            r = &guesses[v];
    }
    out->class = r->class;
    out->n = 1;
    r->fill(from, r, out);
}

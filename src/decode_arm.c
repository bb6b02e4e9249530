/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/* AArch32: ARM and Thumb. */
#include "armoperand.h"
#include "decode_isa.h"

enum {
    SETS_FLAGS = 1, /* always; else what capstone says */
    S_BIT = 2,      /* by the instruction word: capstone 4 says it always does */
    READS_FLAGS = 4,
    TWO = 8,         /* with two operands the first is read too */
    OWN = 16,        /* reads its destination */
    OWN_ADDED = 32,  /* reads it as an accumulator */
    LAST_ADDED = 64, /* the last operand is an accumulator */
    LINK = 128,      /* writes the link register */
    SIZED = 256,     /* the class is for D registers, the one after it for Q */
    INDEXED = 512,   /* the two classes after it are for an index register, and a shifted one */
    OF_STACK = 1024, /* through the stack pointer, which is written back */
    GE_ONLY = 2048   /* sets the flags that only sel reads, and the model does not follow */
};

enum { STACK_POINTER = 13, LINK_REGISTER = 14, PROGRAM_COUNTER = 15 };

struct rule;
typedef void rule_fill(const struct arm *a, const struct rule *r, struct insn *out);

struct rule {
    rule_fill *fill; /* NULL: not in the table */
    uint8_t class;
    uint16_t flags;
};

static const cs_arm_op *last_of(const struct arm *a)
{
    return &a->d->operands[a->d->op_count ? a->d->op_count - 1 : 0];
}

static int is_shifted(const cs_arm_op *o)
{
    return o->type == ARM_OP_REG && o->shift.type != ARM_SFT_INVALID;
}

static int is_shifted_by_register(const cs_arm_op *o)
{
    return is_shifted(o) && o->shift.type >= ARM_SFT_ASR_REG;
}

/* "adds r0, r1", short for "adds r0, r0, r1"; not "lsl r0, r1, #2", whose shift is no operand. */
static int is_two(const struct arm *a)
{
    return a->d->op_count == 2 && !is_shifted(last_of(a));
}

static void flags_follow(const struct arm *a, const struct rule *r, struct insn *out)
{
    int sets = r->flags & SETS_FLAGS || (a->d->update_flags && !(r->flags & GE_ONLY));

    /* Short arithmetic sets them except in an it block. */
    if (r->flags & S_BIT)
        sets = a->is_short ? !a->is_conditional : (int)(a->word >> 20 & 1);
    if (r->flags & READS_FLAGS)
        insn_read(out, REGISTER_FLAGS, SOURCE_NORMAL);
    if (sets)
        insn_write(out, REGISTER_FLAGS, DESTINATION_RESULT);
}

static void nothing(const struct arm *a, const struct rule *r, struct insn *out)
{
    (void)a;
    (void)r;
    (void)out;
}

/* The fields of the tables were found with a block of one instruction as a nop. */
static void it_block(const struct arm *a, const struct rule *r, struct insn *out)
{
    (void)r;
    if ((a->word & 15) == 8)
        out->class = CLASS_NOP;
    else
        insn_read(out, REGISTER_FLAGS, SOURCE_NORMAL);
}

static void system_read(const struct arm *a, const struct rule *r, struct insn *out)
{
    (void)r;
    for (unsigned k = 0; k < a->d->op_count; k++)
        if (arm_is_general(&a->d->operands[k]))
            arm_write(&a->d->operands[k], DESTINATION_RESULT, out);
    if (!out->ndestinations) /* vmrs to the flags */
        insn_write(out, REGISTER_FLAGS, DESTINATION_RESULT);
}

/* Reads operands from the given one on. The last may be shifted, also by a register. */
static void rest_read(const struct arm *a, unsigned first, const struct rule *r, struct insn *out)
{
    for (unsigned k = first; k < a->d->op_count; k++) {
        const cs_arm_op *o = &a->d->operands[k];
        enum source_kind kind = is_shifted(o) ? SOURCE_SHIFTED : SOURCE_NORMAL;

        if (k + 1 == a->d->op_count && r->flags & LAST_ADDED)
            kind = SOURCE_ACCUMULATOR;
        arm_read(o, kind, out);
        if (is_shifted_by_register(o))
            insn_read(out, arm_general(o->shift.value), SOURCE_SHIFTED);
    }
    if (r->class != CLASS_ALU)
        return;
    if (is_shifted(last_of(a)))
        out->class = CLASS_ALUSH;
    else if (a->d->op_count && last_of(a)->type == ARM_OP_IMM)
        out->class = CLASS_ALUI;
}

/* Writes the first operand, reads the others. */
static void plain(const struct arm *a, const struct rule *r, struct insn *out)
{
    const cs_arm_op *first = a->d->operands;

    if (a->d->op_count) {
        if (r->flags & SIZED && arm_is_q(first))
            out->class ++;
        arm_write(first, DESTINATION_RESULT, out);
        rest_read(a, 1, r, out);
        if (r->flags & OWN || (r->flags & TWO && is_two(a)))
            arm_read(first, SOURCE_NORMAL, out);
        if (r->flags & OWN_ADDED)
            arm_read(first, SOURCE_ACCUMULATOR, out);
    }
    flags_follow(a, r, out);
}

static void all_read(const struct arm *a, const struct rule *r, struct insn *out)
{
    rest_read(a, 0, r, out);
    if (r->flags & LINK)
        insn_write(out, LINK_REGISTER, DESTINATION_RESULT);
    flags_follow(a, r, out);
}

/* To a register; blx also to an address. */
static void branch_exchange(const struct arm *a, const struct rule *r, struct insn *out)
{
    const cs_arm_op *to = a->d->operands;

    all_read(a, r, out);
    if (!arm_is_general(to))
        out->class = CLASS_BR;
    else if (to->reg == ARM_REG_LR && !(r->flags & LINK))
        out->class = CLASS_RET;
}

/* The short one negates, and counts as arithmetic of two registers. */
static void reverse_subtract(const struct arm *a, const struct rule *r, struct insn *out)
{
    plain(a, r, out);
    if (!a->is_short)
        return;
    out->class = CLASS_ALU;
    arm_read(a->d->operands, SOURCE_NORMAL, out);
}

/* The second operand may be shifted in ARM code, where Thumb has the amount as an operand. */
static void shifted_alone(const struct arm *a, struct insn *out)
{
    out->class = is_shifted_by_register(last_of(a)) ? CLASS_SHIFTR : CLASS_SHIFT;
    for (unsigned k = 0; k < out->nsources; k++)
        out->sources[k].kind = SOURCE_NORMAL;
}

static void move(const struct arm *a, const struct rule *r, struct insn *out)
{
    plain(a, r, out);
    if (!arm_is_general(last_of(a)))
        out->class = CLASS_ALUI;
    else if (is_shifted(last_of(a)))
        shifted_alone(a, out);
}

static void move_not(const struct arm *a, const struct rule *r, struct insn *out)
{
    plain(a, r, out);
    if (is_shifted(last_of(a)))
        out->class = CLASS_ALUSH;
}

static void shift(const struct arm *a, const struct rule *r, struct insn *out)
{
    plain(a, r, out);
    if (is_shifted(last_of(a)))
        shifted_alone(a, out);
    else if (last_of(a)->type == ARM_OP_REG)
        out->class = CLASS_SHIFTR;
}

/* Long product: two results, two factors. */
static void product(const struct arm *a, const struct rule *r, struct insn *out)
{
    for (unsigned k = 0; k < a->d->op_count; k++) {
        const cs_arm_op *o = &a->d->operands[k];

        if (k < 2)
            arm_write(o, DESTINATION_RESULT, out);
        if (k < 2 && r->flags & OWN_ADDED)
            arm_read(o, SOURCE_ACCUMULATOR, out);
        if (k >= 2)
            arm_read(o, SOURCE_NORMAL, out);
    }
    flags_follow(a, r, out);
}

/* The operand in brackets and what is added to it afterwards. Returns its number. */
static unsigned address_read(const struct arm *a, struct insn *out)
{
    unsigned at = arm_memory_at(a);
    const cs_arm_op *o = &a->d->operands[at];

    if (at == a->d->op_count)
        return at;
    insn_read(out, arm_general(o->mem.base), SOURCE_ADDRESS);
    insn_read(out, arm_general(o->mem.index), SOURCE_ADDRESS);
    if (at + 1 < a->d->op_count)
        arm_read(o + 1, SOURCE_ADDRESS, out);
    if (a->d->writeback || at + 1 < a->d->op_count)
        insn_write(out, arm_general(o->mem.base), DESTINATION_BASE);
    return at;
}

/* An index times four costs no more than a plain one. */
static void indexed(const cs_arm_op *o, struct insn *out)
{
    int shift = o->mem.lshift ? o->mem.lshift : (int)o->shift.value;
    int is_left = o->shift.type == ARM_SFT_LSL || o->shift.type == ARM_SFT_INVALID;

    if (o->mem.index == ARM_REG_INVALID)
        return;
    out->class ++;
    if (!is_left || (shift != 0 && shift != 2))
        out->class ++;
}

static void load(const struct arm *a, const struct rule *r, struct insn *out)
{
    unsigned at = address_read(a, out), n = 0;

    if (r->flags & INDEXED && at < a->d->op_count)
        indexed(&a->d->operands[at], out);
    for (unsigned k = 0; k < at; k++, n++) {
        const cs_arm_op *o = &a->d->operands[k];

        if (o->type == ARM_OP_REG && o->reg == ARM_REG_PC)
            out->class = CLASS_BRI;
        else
            arm_write(o, n ? DESTINATION_SECOND : DESTINATION_RESULT, out);
    }
    if (n > 1)
        out->n = (uint8_t)n;
}

static void store(const struct arm *a, const struct rule *r, struct insn *out)
{
    unsigned at = address_read(a, out);

    (void)r;
    for (unsigned k = 0; k < at; k++)
        arm_read(&a->d->operands[k], SOURCE_DATA, out);
    if (at > 1)
        out->n = (uint8_t)at;
}

/* The first operand says whether it was done. */
static void store_exclusive(const struct arm *a, const struct rule *r, struct insn *out)
{
    unsigned at = address_read(a, out);

    (void)r;
    arm_write(a->d->operands, DESTINATION_RESULT, out);
    for (unsigned k = 1; k < at; k++)
        arm_read(&a->d->operands[k], SOURCE_DATA, out);
}

/*
 * Registers [from, to) of the operands, loaded or stored by one instruction. The k-th of a load
 * comes as the k + 1st of the tables, k counting from 1; vector registers do so in pairs, since the
 * tables have Q registers.
 */
static void several(const struct arm *a, unsigned from, unsigned to, int is_load, struct insn *out)
{
    unsigned n = 0, is_q_unit = 0;

    for (unsigned k = from; k < to; k++, n++) {
        const cs_arm_op *o = &a->d->operands[k];
        unsigned kind = n ? n + DESTINATION_SECOND : DESTINATION_RESULT;

        is_q_unit = (unsigned)arm_is_vector(o);
        if (n && is_q_unit)
            kind = (n + 1) / 2 + 1;
        if (kind > DESTINATION_LAST)
            kind = DESTINATION_LAST;
        if (!is_load)
            arm_read(o, SOURCE_DATA, out);
        else if (o->type == ARM_OP_REG && o->reg == ARM_REG_PC)
            out->class = CLASS_LDMRET;
        else
            arm_write(o, kind, out);
    }
    if (is_q_unit)
        n = (n + 1) / 2;
    if (n > 1)
        out->n = (uint8_t)n;
}

/* The first operand is the base, unless that is the stack pointer. */
static void several_of_base(const struct arm *a, const struct rule *r, int is_load,
                            struct insn *out)
{
    int is_stack = r->flags & OF_STACK;
    int base = is_stack ? STACK_POINTER : arm_general((unsigned)a->d->operands[0].reg);

    insn_read(out, base, SOURCE_ADDRESS);
    if (is_stack || a->d->writeback)
        insn_write(out, base, DESTINATION_BASE);
    several(a, is_stack ? 0 : 1, a->d->op_count, is_load, out);
}

static void load_several(const struct arm *a, const struct rule *r, struct insn *out)
{
    several_of_base(a, r, 1, out);
}

static void store_several(const struct arm *a, const struct rule *r, struct insn *out)
{
    several_of_base(a, r, 0, out);
}

/* Advanced SIMD element or structure load and store: bit 23 is for a single structure, with bits 11
 * and 10 for one that goes to all lanes. */
static int is_single(const struct arm *a)
{
    return a->word >> 23 & 1;
}

static int is_all_lanes(const struct arm *a)
{
    return is_single(a) && (a->word >> 10 & 3) == 3;
}

static void load_elements(const struct arm *a, const struct rule *r, struct insn *out)
{
    unsigned at = address_read(a, out);

    several(a, 0, at, 1, out);
    if (is_single(a))
        out->class = CLASS_VLDLANE;
    else if (r->class == CLASS_VLD && at == 1)
        out->class = CLASS_VLDD;
    if (is_single(a) && !is_all_lanes(a))
        for (unsigned k = 0; k < at; k++)
            arm_read(&a->d->operands[k], SOURCE_NORMAL, out);
}

static void store_elements(const struct arm *a, const struct rule *r, struct insn *out)
{
    unsigned at = address_read(a, out);

    (void)r;
    several(a, 0, at, 0, out);
    if (is_single(a))
        out->class = CLASS_VSTLANE;
    else if (at == 1)
        out->class = CLASS_VSTD;
}

/* Between general and vector registers, vector registers, or of a constant. */
static void vector_move(const struct arm *a, const struct rule *r, struct insn *out)
{
    const cs_arm_op *to = a->d->operands;
    unsigned general = 0;

    for (unsigned k = 0; k < a->d->op_count; k++)
        general += (unsigned)arm_is_general(&a->d->operands[k]);
    if (general == 0) {
        plain(a, r, out);
        if (!arm_is_vector(&to[1]))
            out->class = CLASS_VMOVI;
        return;
    }
    /* General registers are on one side, vector registers on the other. */
    out->class = arm_is_general(to) ? CLASS_V2G : CLASS_G2V;
    for (unsigned k = 0; k < a->d->op_count; k++) {
        if (arm_is_general(&to[k]) == arm_is_general(to))
            arm_write(&to[k], DESTINATION_RESULT, out);
        else
            arm_read(&to[k], SOURCE_NORMAL, out);
    }
    if (arm_is_vector(to) && to->vector_index >= 0)
        arm_read(to, SOURCE_NORMAL, out);
}

/* Both operands are read and written. */
static void exchange(const struct arm *a, const struct rule *r, struct insn *out)
{
    if (r->flags & SIZED && arm_is_q(a->d->operands))
        out->class ++;
    for (unsigned k = 0; k < a->d->op_count; k++) {
        arm_read(&a->d->operands[k], SOURCE_NORMAL, out);
        arm_write(&a->d->operands[k], DESTINATION_RESULT, out);
    }
}

/* Target, registers of the table, indexes. */
static void table(const struct arm *a, const struct rule *r, struct insn *out)
{
    plain(a, r, out);
    if (a->d->op_count > 3)
        out->n = (uint8_t)(a->d->op_count - 2);
}

/* Capstone 4 has no name for the type p64. */
static void polynomial(const struct arm *a, const struct rule *r, struct insn *out)
{
    arm_vectordata_type type = a->d->vector_data;

    plain(a, r, out);
    if (type == ARM_VECTORDATA_P8)
        out->class = CLASS_VPMULL8;
    else if (type < ARM_VECTORDATA_I8 || type > ARM_VECTORDATA_U64)
        out->class = CLASS_VPMULL64;
}

static const struct rule rules[ARM_INS_ENDING] = {
    [ARM_INS_NOP] = {nothing, CLASS_NOP, 0},
    [ARM_INS_HINT] = {nothing, CLASS_NOP, 0},
    [ARM_INS_YIELD] = {nothing, CLASS_NOP, 0},
    [ARM_INS_WFE] = {nothing, CLASS_NOP, 0},
    [ARM_INS_WFI] = {nothing, CLASS_NOP, 0},
    [ARM_INS_SEV] = {nothing, CLASS_NOP, 0},
    [ARM_INS_SEVL] = {nothing, CLASS_NOP, 0},
    [ARM_INS_PLD] = {nothing, CLASS_NOP, 0},
    [ARM_INS_PLDW] = {nothing, CLASS_NOP, 0},
    [ARM_INS_PLI] = {nothing, CLASS_NOP, 0},
    [ARM_INS_DMB] = {nothing, CLASS_NOP, 0},
    [ARM_INS_DSB] = {nothing, CLASS_NOP, 0},
    [ARM_INS_ISB] = {nothing, CLASS_NOP, 0},
    [ARM_INS_CLREX] = {nothing, CLASS_NOP, 0},
    [ARM_INS_IT] = {it_block, CLASS_IT, 0},
    [ARM_INS_SVC] = {nothing, CLASS_SYS, 0},
    [ARM_INS_MCR] = {nothing, CLASS_SYS, 0},
    [ARM_INS_MCRR] = {nothing, CLASS_SYS, 0},
    [ARM_INS_MSR] = {nothing, CLASS_SYS, 0},
    [ARM_INS_VMSR] = {nothing, CLASS_SYS, 0},
    [ARM_INS_MRC] = {system_read, CLASS_SYS, 0},
    [ARM_INS_MRRC] = {system_read, CLASS_SYS, 0},
    [ARM_INS_MRS] = {system_read, CLASS_SYS, 0},
    [ARM_INS_VMRS] = {system_read, CLASS_SYS, 0},
    [ARM_INS_B] = {all_read, CLASS_BR, 0},
    [ARM_INS_CBZ] = {all_read, CLASS_BR, 0},
    [ARM_INS_CBNZ] = {all_read, CLASS_BR, 0},
    [ARM_INS_BL] = {all_read, CLASS_BR, LINK},
    [ARM_INS_BX] = {branch_exchange, CLASS_BRI, 0},
    [ARM_INS_BLX] = {branch_exchange, CLASS_BRI, LINK},
    [ARM_INS_TBB] = {nothing, CLASS_BRI, 0},
    [ARM_INS_TBH] = {nothing, CLASS_BRI, 0},
    [ARM_INS_ADD] = {plain, CLASS_ALU, TWO},
    [ARM_INS_ADDW] = {plain, CLASS_ALU, TWO},
    [ARM_INS_AND] = {plain, CLASS_ALU, TWO},
    [ARM_INS_BIC] = {plain, CLASS_ALU, TWO},
    [ARM_INS_EOR] = {plain, CLASS_ALU, TWO},
    [ARM_INS_ORN] = {plain, CLASS_ALU, TWO},
    [ARM_INS_ORR] = {plain, CLASS_ALU, TWO},
    [ARM_INS_SUB] = {plain, CLASS_ALU, TWO},
    [ARM_INS_SUBW] = {plain, CLASS_ALU, TWO},
    [ARM_INS_RSB] = {reverse_subtract, CLASS_ALU, TWO},
    [ARM_INS_ADC] = {plain, CLASS_ALU, TWO | READS_FLAGS | S_BIT},
    [ARM_INS_SBC] = {plain, CLASS_ALU, TWO | READS_FLAGS | S_BIT},
    [ARM_INS_RSC] = {plain, CLASS_ALU, TWO | READS_FLAGS | S_BIT},
    [ARM_INS_RRX] = {plain, CLASS_ALU, READS_FLAGS},
    [ARM_INS_CLZ] = {plain, CLASS_ALU, 0},
    [ARM_INS_RBIT] = {plain, CLASS_ALU, 0},
    [ARM_INS_REV] = {plain, CLASS_ALU, 0},
    [ARM_INS_REV16] = {plain, CLASS_ALU, 0},
    [ARM_INS_REVSH] = {plain, CLASS_ALU, 0},
    [ARM_INS_SEL] = {plain, CLASS_ALU, 0},
    [ARM_INS_PKHBT] = {plain, CLASS_ALU, 0},
    [ARM_INS_PKHTB] = {plain, CLASS_ALU, 0},
    [ARM_INS_QADD] = {plain, CLASS_ALU, 0},
    [ARM_INS_QSUB] = {plain, CLASS_ALU, 0},
    [ARM_INS_UADD8] = {plain, CLASS_ALU, GE_ONLY},
    [ARM_INS_USUB8] = {plain, CLASS_ALU, GE_ONLY},
    [ARM_INS_UQSUB8] = {plain, CLASS_ALU, 0},
    [ARM_INS_SXTAB] = {plain, CLASS_ALU, 0},
    [ARM_INS_SXTAH] = {plain, CLASS_ALU, 0},
    [ARM_INS_UXTAB] = {plain, CLASS_ALU, 0},
    [ARM_INS_UXTAH] = {plain, CLASS_ALU, 0},
    [ARM_INS_SSAT] = {plain, CLASS_ALU, 0},
    [ARM_INS_USAT] = {plain, CLASS_ALU, 0},
    [ARM_INS_CMP] = {all_read, CLASS_ALU, SETS_FLAGS},
    [ARM_INS_CMN] = {all_read, CLASS_ALU, SETS_FLAGS},
    [ARM_INS_TST] = {all_read, CLASS_ALU, SETS_FLAGS},
    [ARM_INS_TEQ] = {all_read, CLASS_ALU, SETS_FLAGS},
    [ARM_INS_MOV] = {move, CLASS_ALUM, 0},
    [ARM_INS_MVN] = {move_not, CLASS_ALUI, 0},
    [ARM_INS_MOVW] = {plain, CLASS_ALUI, 0},
    [ARM_INS_ADR] = {plain, CLASS_ALUI, 0},
    [ARM_INS_MOVT] = {plain, CLASS_ALUI, OWN},
    [ARM_INS_LSL] = {shift, CLASS_SHIFT, TWO},
    [ARM_INS_LSR] = {shift, CLASS_SHIFT, TWO},
    [ARM_INS_ASR] = {shift, CLASS_SHIFT, TWO},
    [ARM_INS_ROR] = {shift, CLASS_SHIFT, TWO},
    [ARM_INS_SXTB] = {plain, CLASS_BFX, 0},
    [ARM_INS_SXTH] = {plain, CLASS_BFX, 0},
    [ARM_INS_UXTB] = {plain, CLASS_BFX, 0},
    [ARM_INS_UXTH] = {plain, CLASS_BFX, 0},
    [ARM_INS_SBFX] = {plain, CLASS_BFX, 0},
    [ARM_INS_UBFX] = {plain, CLASS_BFX, 0},
    [ARM_INS_BFI] = {plain, CLASS_BFX, OWN},
    [ARM_INS_BFC] = {plain, CLASS_BFX, OWN},
    [ARM_INS_MUL] = {plain, CLASS_MUL, TWO},
    [ARM_INS_SMULBB] = {plain, CLASS_MUL, TWO},
    [ARM_INS_SMULBT] = {plain, CLASS_MUL, TWO},
    [ARM_INS_SMULTB] = {plain, CLASS_MUL, TWO},
    [ARM_INS_SMULTT] = {plain, CLASS_MUL, TWO},
    [ARM_INS_MLA] = {plain, CLASS_MUL, LAST_ADDED},
    [ARM_INS_MLS] = {plain, CLASS_MUL, LAST_ADDED},
    [ARM_INS_SMLABB] = {plain, CLASS_MUL, LAST_ADDED},
    [ARM_INS_SMLABT] = {plain, CLASS_MUL, LAST_ADDED},
    [ARM_INS_SMLATB] = {plain, CLASS_MUL, LAST_ADDED},
    [ARM_INS_SMLATT] = {plain, CLASS_MUL, LAST_ADDED},
    [ARM_INS_UMULL] = {product, CLASS_MULL, 0},
    [ARM_INS_SMULL] = {product, CLASS_MULL, 0},
    [ARM_INS_UMLAL] = {product, CLASS_MULL, OWN_ADDED},
    [ARM_INS_SMLAL] = {product, CLASS_MULL, OWN_ADDED},
    [ARM_INS_UMAAL] = {product, CLASS_MULL, OWN_ADDED},
    [ARM_INS_UDIV] = {plain, CLASS_DIV, TWO},
    [ARM_INS_SDIV] = {plain, CLASS_DIV, TWO},
    [ARM_INS_LDR] = {load, CLASS_LD, INDEXED},
    [ARM_INS_LDREX] = {load, CLASS_LD, INDEXED},
    [ARM_INS_LDA] = {load, CLASS_LD, INDEXED},
    [ARM_INS_LDAEX] = {load, CLASS_LD, INDEXED},
    [ARM_INS_LDRB] = {load, CLASS_LDB, INDEXED},
    [ARM_INS_LDRH] = {load, CLASS_LDB, INDEXED},
    [ARM_INS_LDRSB] = {load, CLASS_LDB, INDEXED},
    [ARM_INS_LDRSH] = {load, CLASS_LDB, INDEXED},
    [ARM_INS_LDRD] = {load, CLASS_LDRD, 0},
    [ARM_INS_STR] = {store, CLASS_ST, 0},
    [ARM_INS_STRB] = {store, CLASS_ST, 0},
    [ARM_INS_STRH] = {store, CLASS_ST, 0},
    [ARM_INS_STL] = {store, CLASS_ST, 0},
    [ARM_INS_STLB] = {store, CLASS_ST, 0},
    [ARM_INS_STLH] = {store, CLASS_ST, 0},
    [ARM_INS_STRD] = {store, CLASS_STRD, 0},
    [ARM_INS_STREX] = {store_exclusive, CLASS_ST, 0},
    [ARM_INS_STLEX] = {store_exclusive, CLASS_ST, 0},
    [ARM_INS_LDM] = {load_several, CLASS_LDM, 0},
    [ARM_INS_LDMDB] = {load_several, CLASS_LDM, 0},
    [ARM_INS_LDMIB] = {load_several, CLASS_LDM, 0},
    [ARM_INS_POP] = {load_several, CLASS_LDM, OF_STACK},
    [ARM_INS_STM] = {store_several, CLASS_STM, 0},
    [ARM_INS_STMDB] = {store_several, CLASS_STM, 0},
    [ARM_INS_STMIB] = {store_several, CLASS_STM, 0},
    [ARM_INS_PUSH] = {store_several, CLASS_STM, OF_STACK},
    [ARM_INS_VMOV] = {vector_move, CLASS_VALU_D, SIZED},
    [ARM_INS_VDUP] = {vector_move, CLASS_VPERM_D, SIZED},
    [ARM_INS_VMVN] = {vector_move, CLASS_VALU_D, SIZED},
    [ARM_INS_VADD] = {plain, CLASS_VALU_D, SIZED | TWO},
    [ARM_INS_VSUB] = {plain, CLASS_VALU_D, SIZED | TWO},
    [ARM_INS_VAND] = {plain, CLASS_VALU_D, SIZED | TWO},
    [ARM_INS_VBIC] = {plain, CLASS_VALU_D, SIZED | TWO},
    [ARM_INS_VEOR] = {plain, CLASS_VALU_D, SIZED | TWO},
    [ARM_INS_VORN] = {plain, CLASS_VALU_D, SIZED | TWO},
    [ARM_INS_VORR] = {plain, CLASS_VALU_D, SIZED | TWO},
    [ARM_INS_VABS] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VNEG] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VCLZ] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VTST] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VCEQ] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VCGE] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VCGT] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VCLE] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VCLT] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VMAX] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VMIN] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VHADD] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VRHADD] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VHSUB] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VQADD] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VQSUB] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VABD] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VABDL] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VADDL] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VADDW] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VSUBL] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VSUBW] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VADDHN] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VSUBHN] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VPADD] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VPADDL] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VPMAX] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VPMIN] = {plain, CLASS_VALU_D, SIZED},
    [ARM_INS_VPADAL] = {plain, CLASS_VALU_D, SIZED | OWN},
    [ARM_INS_VABA] = {plain, CLASS_VALU_D, SIZED | OWN},
    [ARM_INS_VABAL] = {plain, CLASS_VALU_D, SIZED | OWN},
    [ARM_INS_VBSL] = {plain, CLASS_VALU_D, SIZED | OWN},
    [ARM_INS_VBIT] = {plain, CLASS_VALU_D, SIZED | OWN},
    [ARM_INS_VBIF] = {plain, CLASS_VALU_D, SIZED | OWN},
    [ARM_INS_VSHL] = {plain, CLASS_VSHL_D, SIZED},
    [ARM_INS_VSHR] = {plain, CLASS_VSHL_D, SIZED},
    [ARM_INS_VRSHL] = {plain, CLASS_VSHL_D, SIZED},
    [ARM_INS_VRSHR] = {plain, CLASS_VSHL_D, SIZED},
    [ARM_INS_VQSHL] = {plain, CLASS_VSHL_D, SIZED},
    [ARM_INS_VQRSHL] = {plain, CLASS_VSHL_D, SIZED},
    [ARM_INS_VSHLL] = {plain, CLASS_VSHL_Q, 0},
    [ARM_INS_VSHRN] = {plain, CLASS_VSHL_Q, 0},
    [ARM_INS_VMOVL] = {plain, CLASS_VSHL_Q, 0},
    [ARM_INS_VMOVN] = {plain, CLASS_VSHL_Q, 0},
    [ARM_INS_VRSHRN] = {plain, CLASS_VSHL_Q, 0},
    [ARM_INS_VQMOVN] = {plain, CLASS_VSHL_Q, 0},
    [ARM_INS_VQMOVUN] = {plain, CLASS_VSHL_Q, 0},
    [ARM_INS_VQSHRN] = {plain, CLASS_VSHL_Q, 0},
    [ARM_INS_VSLI] = {plain, CLASS_VINS_D, SIZED | OWN},
    [ARM_INS_VSRI] = {plain, CLASS_VINS_D, SIZED | OWN},
    [ARM_INS_VSRA] = {plain, CLASS_VSRA_D, SIZED | OWN_ADDED},
    [ARM_INS_VRSRA] = {plain, CLASS_VSRA_D, SIZED | OWN_ADDED},
    [ARM_INS_VEXT] = {plain, CLASS_VPERM_D, SIZED},
    [ARM_INS_VREV16] = {plain, CLASS_VPERM_D, SIZED},
    [ARM_INS_VREV32] = {plain, CLASS_VPERM_D, SIZED},
    [ARM_INS_VREV64] = {plain, CLASS_VPERM_D, SIZED},
    [ARM_INS_VTRN] = {exchange, CLASS_VPERM_D, SIZED},
    [ARM_INS_VZIP] = {exchange, CLASS_VZIP_D, SIZED},
    [ARM_INS_VUZP] = {exchange, CLASS_VZIP_D, SIZED},
    [ARM_INS_VSWP] = {exchange, CLASS_VSWP_D, SIZED},
    [ARM_INS_VTBL] = {table, CLASS_VTBL_D, 0},
    [ARM_INS_VTBX] = {table, CLASS_VTBL_D, OWN},
    [ARM_INS_VMUL] = {plain, CLASS_VMUL_D, SIZED | TWO},
    [ARM_INS_VMLA] = {plain, CLASS_VMLA_D, SIZED | OWN_ADDED},
    [ARM_INS_VMLS] = {plain, CLASS_VMLA_D, SIZED | OWN_ADDED},
    [ARM_INS_VMULL] = {polynomial, CLASS_VMULL, 0},
    [ARM_INS_VMLAL] = {plain, CLASS_VMLAL, OWN_ADDED},
    [ARM_INS_VMLSL] = {plain, CLASS_VMLAL, OWN_ADDED},
    [ARM_INS_AESE] = {plain, CLASS_AESE, OWN},
    [ARM_INS_AESD] = {plain, CLASS_AESE, OWN},
    [ARM_INS_AESMC] = {plain, CLASS_AESMC, 0},
    [ARM_INS_AESIMC] = {plain, CLASS_AESMC, 0},
    [ARM_INS_VLDR] = {load, CLASS_VLDD, 0},
    [ARM_INS_VSTR] = {store, CLASS_VSTD, 0},
    [ARM_INS_VLD1] = {load_elements, CLASS_VLD, 0},
    [ARM_INS_VLD2] = {load_elements, CLASS_VLDX, 0},
    [ARM_INS_VLD3] = {load_elements, CLASS_VLDX, 0},
    [ARM_INS_VLD4] = {load_elements, CLASS_VLDX, 0},
    [ARM_INS_VST1] = {store_elements, CLASS_VST, 0},
    [ARM_INS_VST2] = {store_elements, CLASS_VST, 0},
    [ARM_INS_VST3] = {store_elements, CLASS_VST, 0},
    [ARM_INS_VST4] = {store_elements, CLASS_VST, 0},
    [ARM_INS_VLDMIA] = {load_several, CLASS_VLDM, 0},
    [ARM_INS_VLDMDB] = {load_several, CLASS_VLDM, 0},
    [ARM_INS_VPOP] = {load_several, CLASS_VLDM, OF_STACK},
    [ARM_INS_VSTMIA] = {store_several, CLASS_VSTM, 0},
    [ARM_INS_VSTMDB] = {store_several, CLASS_VSTM, 0},
    [ARM_INS_VPUSH] = {store_several, CLASS_VSTM, OF_STACK},
};

/* It may not be executed: it needs the flags, and what it would replace. */
static void condition(const struct rule *r, struct insn *out)
{
    insn_read(out, REGISTER_FLAGS, SOURCE_NORMAL);
    if (r->flags & LINK)
        return;
    for (unsigned k = 0; k < out->ndestinations; k++)
        if (out->destinations[k].kind != DESTINATION_BASE)
            insn_read(out, out->destinations[k].reg, SOURCE_NORMAL);
}

static void decode(const cs_insn *from, int is_thumb, struct insn *out)
{
    static const struct rule guesses[] = {{plain, CLASS_ALU, 0}, {plain, CLASS_VALU_D, SIZED}};
    const struct rule *r = from->id < ARM_INS_ENDING ? &rules[from->id] : &guesses[0];
    struct arm a;

    arm_open(from, is_thumb, &a);
    if (from->id >= ARM_INS_ENDING || !r->fill) {
        out->unknown = 1;
        r = &guesses[a.d->op_count && arm_is_vector(a.d->operands)];
    }
    out->class = r->class;
    out->n = 1;
    r->fill(&a, r, out);
    if (a.is_conditional && r->fill != it_block)
        condition(r, out);
}

void arm_decode(const cs_insn *from, struct insn *out)
{
    decode(from, 0, out);
}

void thumb_decode(const cs_insn *from, struct insn *out)
{
    decode(from, 1, out);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "insnclass.h"

#include <string.h>

static const struct {
    const char *name, *summary;
} classes[CLASSES] = {
    [CLASS_ALU] = {"alu", "integer arithmetic and logic of registers"},
    [CLASS_ALUI] = {"alui", "the same with an immediate operand"},
    [CLASS_ALUM] = {"alum", "move of a register (AArch32)"},
    [CLASS_ALUSH] = {"alush", "arithmetic with a shifted operand"},
    [CLASS_MOVI] = {"movi", "constant, or address relative to here"},
    [CLASS_MOVR] = {"movr", "move of a register (A64)"},
    [CLASS_SHIFT] = {"shift", "shift by a constant"},
    [CLASS_SHIFTR] = {"shiftr", "shift by a register"},
    [CLASS_ROR] = {"ror", "rotation by a constant"},
    [CLASS_EXTR] = {"extr", "extraction from a register pair"},
    [CLASS_BFX] = {"bfx", "bit field extracted, sign or zero extension"},
    [CLASS_BFM] = {"bfm", "bit field inserted (A64)"},
    [CLASS_MUL] = {"mul", "multiplication, with or without accumulation"},
    [CLASS_MUL64] = {"mul64", "64-bit multiplication (A64)"},
    [CLASS_MULH] = {"mulh", "upper half of a 64-bit multiplication"},
    [CLASS_MULL] = {"mull", "long multiplication (AArch32)"},
    [CLASS_MADD] = {"madd", "multiplication added to HI/LO"},
    [CLASS_MULT] = {"mult", "multiplication into HI/LO"},
    [CLASS_MFHL] = {"mfhl", "move from HI or LO"},
    [CLASS_MTHL] = {"mthl", "move to HI or LO"},
    [CLASS_DIV] = {"div", "division"},
    [CLASS_LD] = {"ld", "load of a word"},
    [CLASS_LDX] = {"ldx", "load, indexed by a register"},
    [CLASS_LDXS] = {"ldxs", "load, indexed by a shifted register"},
    [CLASS_LDB] = {"ldb", "load of a byte or half-word"},
    [CLASS_LDBX] = {"ldbx", "the same, indexed"},
    [CLASS_LDBXS] = {"ldbxs", "the same, indexed by a shifted register"},
    [CLASS_LDP] = {"ldp", "load of two 64-bit registers"},
    [CLASS_LDPW] = {"ldpw", "load of two 32-bit registers"},
    [CLASS_LDRD] = {"ldrd", "load of a double word (AArch32)"},
    [CLASS_LDM] = {"ldm", "load of several registers"},
    [CLASS_LDMRET] = {"ldmret", "the same, with the program counter"},
    [CLASS_LWLR] = {"lwlr", "unaligned load, one half (MIPS)"},
    [CLASS_ST] = {"st", "store"},
    [CLASS_STP] = {"stp", "store of two 64-bit registers"},
    [CLASS_STPW] = {"stpw", "store of two 32-bit registers"},
    [CLASS_STRD] = {"strd", "store of a double word (AArch32)"},
    [CLASS_STM] = {"stm", "store of several registers"},
    [CLASS_BR] = {"br", "branch, call"},
    [CLASS_BRI] = {"bri", "indirect branch or call"},
    [CLASS_RET] = {"ret", "return"},
    [CLASS_IT] = {"it", "it block (Thumb-2)"},
    [CLASS_NOP] = {"nop", "nothing: hints, barriers, prefetch"},
    [CLASS_SYS] = {"sys", "system registers and calls"},
    [CLASS_G2V] = {"g2v", "move from a general to a vector register"},
    [CLASS_V2G] = {"v2g", "move from a vector to a general register"},
    [CLASS_VALU_D] = {"valu.d", "vector arithmetic and logic, 64 bits"},
    [CLASS_VALU_Q] = {"valu.q", "vector arithmetic and logic, 128 bits"},
    [CLASS_VSHL_D] = {"vshl.d", "vector shift, 64 bits"},
    [CLASS_VSHL_Q] = {"vshl.q", "vector shift, 128 bits"},
    [CLASS_VINS_D] = {"vins.d", "vector shift and insert, 64 bits"},
    [CLASS_VINS_Q] = {"vins.q", "vector shift and insert, 128 bits"},
    [CLASS_VSRA_D] = {"vsra.d", "vector shift and accumulate, 64 bits"},
    [CLASS_VSRA_Q] = {"vsra.q", "vector shift and accumulate, 128 bits"},
    [CLASS_VPERM_D] = {"vperm.d", "vector permutation, 64 bits"},
    [CLASS_VPERM_Q] = {"vperm.q", "vector permutation, 128 bits"},
    [CLASS_VZIP_D] = {"vzip.d", "vector zip or unzip, 64 bits"},
    [CLASS_VZIP_Q] = {"vzip.q", "vector zip or unzip, 128 bits"},
    [CLASS_VSWP_D] = {"vswp.d", "vector swap, 64 bits"},
    [CLASS_VSWP_Q] = {"vswp.q", "vector swap, 128 bits"},
    [CLASS_VTBL_D] = {"vtbl.d", "vector table look-up, 64 bits"},
    [CLASS_VTBL_Q] = {"vtbl.q", "vector table look-up, 128 bits"},
    [CLASS_VMOVI] = {"vmovi", "vector constant"},
    [CLASS_VMUL_D] = {"vmul.d", "vector multiplication, 64 bits"},
    [CLASS_VMUL_Q] = {"vmul.q", "vector multiplication, 128 bits"},
    [CLASS_VMLA_D] = {"vmla.d", "vector multiplication with accumulation, 64 bits"},
    [CLASS_VMLA_Q] = {"vmla.q", "vector multiplication with accumulation, 128 bits"},
    [CLASS_VMULL] = {"vmull", "long vector multiplication"},
    [CLASS_VMLAL] = {"vmlal", "the same with accumulation"},
    [CLASS_VPMULL8] = {"vpmull8", "polynomial multiplication of bytes"},
    [CLASS_VPMULL64] = {"vpmull64", "polynomial multiplication of 64-bit halves"},
    [CLASS_AESE] = {"aese", "AES round"},
    [CLASS_AESMC] = {"aesmc", "AES mix columns"},
    [CLASS_AESF] = {"aesf", "AES round and mix columns, fused"},
    [CLASS_VLD] = {"vld", "vector load (Q)"},
    [CLASS_VLDD] = {"vldd", "vector load (D)"},
    [CLASS_VLDP] = {"vldp", "vector load of a pair (Q)"},
    [CLASS_VLDPD] = {"vldpd", "vector load of a pair (D)"},
    [CLASS_VLDR] = {"vldr", "vector load, replicated"},
    [CLASS_VLDLANE] = {"vldlane", "vector load of a lane"},
    [CLASS_VLDX] = {"vldx", "vector load, de-interleaved"},
    [CLASS_VLDM] = {"vldm", "vector load of several registers"},
    [CLASS_VST] = {"vst", "vector store (Q)"},
    [CLASS_VSTD] = {"vstd", "vector store (D)"},
    [CLASS_VSTP] = {"vstp", "vector store of a pair (Q)"},
    [CLASS_VSTPD] = {"vstpd", "vector store of a pair (D)"},
    [CLASS_VSTLANE] = {"vstlane", "vector store of a lane"},
    [CLASS_VSTM] = {"vstm", "vector store of several registers"},
};

const char *insn_class_name(enum insn_class c)
{
    return classes[c].name;
}

const char *insn_class_summary(enum insn_class c)
{
    return classes[c].summary;
}

int insn_class_by_name(const char *name)
{
    for (int i = 0; i < CLASSES; i++)
        if (!strcmp(classes[i].name, name))
            return i;
    return -1;
}

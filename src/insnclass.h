/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_INSNCLASS_H
#define CB_INSNCLASS_H

/*
 * Classes of instructions that a core table (targets/cores/) has one row for each: instructions of
 * a class take the same time on a core. ".d" and ".q" are 64 and 128 bits of vector.
 */
#include <stddef.h>

enum insn_class {
    CLASS_ALU,
    CLASS_ALUI,
    CLASS_ALUM,
    CLASS_ALUSH,
    CLASS_MOVI,
    CLASS_MOVR,
    CLASS_SHIFT,
    CLASS_SHIFTR,
    CLASS_ROR,
    CLASS_EXTR,
    CLASS_BFX,
    CLASS_BFM,
    CLASS_MUL,
    CLASS_MUL64,
    CLASS_MULH,
    CLASS_MULL,
    CLASS_MADD,
    CLASS_MULT,
    CLASS_MFHL,
    CLASS_MTHL,
    CLASS_DIV,
    CLASS_LD,
    CLASS_LDX,
    CLASS_LDXS,
    CLASS_LDB,
    CLASS_LDBX,
    CLASS_LDBXS,
    CLASS_LDP,
    CLASS_LDPW,
    CLASS_LDRD,
    CLASS_LDM,
    CLASS_LDMRET,
    CLASS_LWLR,
    CLASS_ST,
    CLASS_STP,
    CLASS_STPW,
    CLASS_STRD,
    CLASS_STM,
    CLASS_BR,
    CLASS_BRI,
    CLASS_RET,
    CLASS_IT,
    CLASS_NOP,
    CLASS_SYS,
    CLASS_G2V,
    CLASS_V2G,
    CLASS_VALU_D,
    CLASS_VALU_Q,
    CLASS_VSHL_D,
    CLASS_VSHL_Q,
    CLASS_VINS_D,
    CLASS_VINS_Q,
    CLASS_VSRA_D,
    CLASS_VSRA_Q,
    CLASS_VPERM_D,
    CLASS_VPERM_Q,
    CLASS_VZIP_D,
    CLASS_VZIP_Q,
    CLASS_VSWP_D,
    CLASS_VSWP_Q,
    CLASS_VTBL_D,
    CLASS_VTBL_Q,
    CLASS_VMOVI,
    CLASS_VMUL_D,
    CLASS_VMUL_Q,
    CLASS_VMLA_D,
    CLASS_VMLA_Q,
    CLASS_VMULL,
    CLASS_VMLAL,
    CLASS_VPMULL8,
    CLASS_VPMULL64,
    CLASS_AESE,
    CLASS_AESMC,
    CLASS_AESF,
    CLASS_VLD,
    CLASS_VLDD,
    CLASS_VLDP,
    CLASS_VLDPD,
    CLASS_VLDR,
    CLASS_VLDLANE,
    CLASS_VLDX,
    CLASS_VLDM,
    CLASS_VST,
    CLASS_VSTD,
    CLASS_VSTP,
    CLASS_VSTPD,
    CLASS_VSTLANE,
    CLASS_VSTM,
    CLASSES
};

/* "alu", "vmul.q". */
const char *insn_class_name(enum insn_class c);
/* One line for people. */
const char *insn_class_summary(enum insn_class c);
/* -1 when none has that name. */
int insn_class_by_name(const char *name);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "wait.h"

static const char *const names[WAITS] = {
    [WAIT_ISSUE] = "issue width",      [WAIT_LOAD] = "load latency", [WAIT_MULTIPLY] = "multiply",
    [WAIT_RESULT] = "other result",    [WAIT_UNIT] = "unit",         [WAIT_BRANCH] = "branch",
    [WAIT_QUEUE] = "reorder or queue",
};

/* What is not here gives WAIT_RESULT. */
static const enum wait kinds[CLASSES] = {
    [CLASS_MUL] = WAIT_MULTIPLY,     [CLASS_MUL64] = WAIT_MULTIPLY,
    [CLASS_MULH] = WAIT_MULTIPLY,    [CLASS_MULL] = WAIT_MULTIPLY,
    [CLASS_MADD] = WAIT_MULTIPLY,    [CLASS_MULT] = WAIT_MULTIPLY,
    [CLASS_MFHL] = WAIT_MULTIPLY, /* tables have the multiplier's latency there */
    [CLASS_VMUL_D] = WAIT_MULTIPLY,  [CLASS_VMUL_Q] = WAIT_MULTIPLY,
    [CLASS_VMLA_D] = WAIT_MULTIPLY,  [CLASS_VMLA_Q] = WAIT_MULTIPLY,
    [CLASS_VMULL] = WAIT_MULTIPLY,   [CLASS_VMLAL] = WAIT_MULTIPLY,
    [CLASS_VPMULL8] = WAIT_MULTIPLY, [CLASS_VPMULL64] = WAIT_MULTIPLY,
    [CLASS_LD] = WAIT_LOAD,          [CLASS_LDX] = WAIT_LOAD,
    [CLASS_LDXS] = WAIT_LOAD,        [CLASS_LDB] = WAIT_LOAD,
    [CLASS_LDBX] = WAIT_LOAD,        [CLASS_LDBXS] = WAIT_LOAD,
    [CLASS_LDP] = WAIT_LOAD,         [CLASS_LDPW] = WAIT_LOAD,
    [CLASS_LDRD] = WAIT_LOAD,        [CLASS_LDM] = WAIT_LOAD,
    [CLASS_LDMRET] = WAIT_LOAD,      [CLASS_LWLR] = WAIT_LOAD,
    [CLASS_VLD] = WAIT_LOAD,         [CLASS_VLDD] = WAIT_LOAD,
    [CLASS_VLDP] = WAIT_LOAD,        [CLASS_VLDPD] = WAIT_LOAD,
    [CLASS_VLDR] = WAIT_LOAD,        [CLASS_VLDLANE] = WAIT_LOAD,
    [CLASS_VLDX] = WAIT_LOAD,        [CLASS_VLDM] = WAIT_LOAD,
};

const char *wait_name(enum wait w)
{
    return names[w];
}

enum wait wait_for_class(enum insn_class c)
{
    return kinds[c] ? kinds[c] : WAIT_RESULT; /* WAIT_ISSUE, 0, is no result */
}

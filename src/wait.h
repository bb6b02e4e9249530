/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_WAIT_H
#define CB_WAIT_H

/* What a modelled instruction waited for: the cycles of a function are split by it. */
#include "insnclass.h"

enum wait {
    WAIT_ISSUE, /* issue, dispatch or retirement width, slots, order; also the cycle it issues in */
    WAIT_LOAD,  /* result of a load */
    WAIT_MULTIPLY, /* result of a multiplication */
    WAIT_RESULT,   /* result of anything else */
    WAIT_UNIT,     /* a unit or port that was busy */
    WAIT_BRANCH,   /* taken branch */
    WAIT_QUEUE,    /* reorder buffer or queue full */
    WAITS
};

/* "issue width", "load latency", ... */
const char *wait_name(enum wait w);
/* What those wait for that need a result of such an instruction. */
enum wait wait_for_class(enum insn_class c);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_CYCLES_ARCH_H
#define CB_CYCLES_ARCH_H

/*
 * The only place that chooses by architecture. Each file has cycles_here(): the counter, NULL for
 * none. A new architecture is a file and two lines.
 */
#if defined __x86_64__ || defined __i386__
#include "cycles_x86.h"
#elif defined __aarch64__
#include "cycles_aarch64.h"
#elif defined __arm__ && defined __ARM_ARCH && __ARM_ARCH >= 7
#include "cycles_arm.h"
#elif defined __mips__ && !defined __mips16
#include "cycles_mips.h"
#else
#include "cycles_none.h"
#endif

#endif

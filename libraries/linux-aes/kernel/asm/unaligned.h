/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef ASM_UNALIGNED_H
#define ASM_UNALIGNED_H

/* Its place before Linux 6.12. */
#include <linux/unaligned.h>

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_STACKWARNING_H
#define CB_STACKWARNING_H

/* Warnings about large stack frames. */
#include "plan.h"

/* The limit in force: --max-stack, or its default. */
uint64_t stack_limit(const struct options *o);
/* One for each build with a larger frame, naming the largest, in suites and when stack use or a
 * limit was asked for; nearly every full libcrypto has such frames, so other runs would only say
 * the same again. */
void stack_warnings(struct plan *p, const struct options *o);

#endif

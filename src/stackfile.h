/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_STACKFILE_H
#define CB_STACKFILE_H

/* The files that -fstack-usage leaves in a build tree, and what the cache keeps of them: stack.json
 * beside a library. It is a file of its own, so that entries made before there was one, and
 * programs that do not know it, go on working. */
#include "stack.h"

/* Reads the .su files below dir, each beside its object, of the objects that are members of the
 * archive. None at all gives a reason. */
int stack_gather(const char *dir, const char *archive, struct stack_use *out, struct err *e);
/* dir: of the cache entry. */
int stack_write(const char *dir, const char *key, const struct stack_use *s, struct err *e);
/* What cannot be had gives a reason that says what to do. Caller frees. */
void stack_read(const char *dir, const char *key, struct stack_use *out);

#endif

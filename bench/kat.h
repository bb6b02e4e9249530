/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_KAT_H
#define CB_KAT_H

/* Known-answer tests. */
#include "cipher.h"
#include "fail.h"

/* Tests an algorithm with each of its vectors: encryption and decryption, at once and in pieces of
 * 16 bytes; for AEADs, that a changed tag is refused. Number of vectors, or -1. */
int kat_check(const struct cipher *c, struct fail *f);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_KAT_H
#define CB_KAT_H

/* Known-answer tests. */
#include "cipher.h"
#include "fail.h"

/* A block of GHASH and Poly1305: additional data from here on is hashed by other code than shorter,
 * which no workload reaches (records have 13 bytes). */
#define KAT_LONG_AAD 16

/* Tests an algorithm with each of its vectors with short additional data, or (long_aad) with long:
 * encryption and decryption, at once and in pieces of 16 bytes; for AEADs, that a changed tag is
 * refused. Number of vectors, or -1. */
int kat_check(const struct cipher *c, int long_aad, struct fail *f);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_VECTOR_H
#define CB_VECTOR_H

/* The known answers. Everything is in hexadecimal, as in the documents it comes from. */
#include <stddef.h>

struct vector {
    const char *algorithm;
    const char *source; /* where it is published, or how it was made */
    const char *key, *iv, *aad;
    const char *plain;
    size_t pattern_bytes; /* not 0: plain is unset, byte i of the plaintext is i mod 251 */
    const char *cipher;   /* where pattern_bytes is set: SHA-256 of the ciphertext */
    const char *tag;      /* "" for CBC */
};

/* Sizes in bytes that hold every vector's key, IV and AAD, and its text. */
#define VECTOR_SMALL_MAX 64
#define VECTOR_TEXT_MAX  8208

extern const struct vector vectors[];
extern const size_t vector_count;

#endif

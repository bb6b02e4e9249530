/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_CIPHER_H
#define CB_CIPHER_H

/* The algorithms of algorithms.h, and the library's implementation of each. */
#include <stddef.h>

#include "compat.h"

enum cipher_kind { CIPHER_AEAD, CIPHER_CBC };

struct cipher {
    const char *name;
    enum cipher_kind kind;
    size_t key_bytes, iv_bytes;
    size_t block;                      /* sizes are multiples of this many bytes */
    const EVP_CIPHER *(*getter)(void); /* NULL: fetched by name, or not in these headers */
};

/* Bytes of the largest key, and of the tag of every AEAD here. */
#define CIPHER_KEY_MAX   32
#define CIPHER_TAG_BYTES 16

size_t cipher_count(void);
const struct cipher *cipher_at(size_t i);
/* NULL when there is none of that name. */
const struct cipher *cipher_find(const char *name);
/* Place in the table, for arrays of per-algorithm state. */
size_t cipher_index(const struct cipher *c);
/* The library's implementation, looked up the first time and kept until the process ends. NULL when
 * the library does not offer it. */
const EVP_CIPHER *cipher_implementation(const struct cipher *c);

#endif

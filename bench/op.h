/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_OP_H
#define CB_OP_H

/* One operation of a workload, ready to be run any number of times. */
#include <stddef.h>
#include <stdint.h>

#include "cipher.h"
#include "fail.h"

size_t workload_count(void);
const char *workload_name(size_t i);

struct workload;

/* TLS 1.2: sequence number, type, version and length of a record. */
#define AAD_BYTES 13

struct op {
    const struct workload *workload;
    const struct cipher *cipher;
    int encrypt;
    size_t bytes;
    /* Runs n operations. 0, or what op_explain wants to know: a set of the calls that failed. */
    int (*run)(struct op *, uint64_t n);
    uint64_t run_max; /* largest n for one run */

    EVP_CIPHER_CTX *ctx;
    void *memory;            /* holds in and out */
    unsigned char *in, *out; /* out is NULL where the work is done in place */
    unsigned char key[CIPHER_KEY_MAX], iv[EVP_MAX_IV_LENGTH];
    unsigned char aad[AAD_BYTES], tag[CIPHER_TAG_BYTES];
};

/* The word of the protocol: 1, 0, or -1 when it is neither "encrypt" nor "decrypt". */
int op_direction(const char *word);
const struct workload *workload_find(const char *name);

/* Makes an operation: buffers, context, key; for decryption, a valid message. Encrypts and decrypts
 * once and compares, so that no operation comes into being that does not work. On failure nothing
 * needs closing. */
int op_open(struct op *o, const struct workload *w, const struct cipher *c, int encrypt,
            size_t bytes, struct fail *f);
/* To be called before each run, untimed: takes a message without end back to its beginning, so that
 * no limit on the length of one message is reached. */
int op_rewind(struct op *o, struct fail *f);
/* Turns what run returned into a failure; always -1. */
int op_explain(const struct op *o, int failed, struct fail *f);
/* An op that was zeroed and never opened is fine. */
void op_close(struct op *o);

#endif

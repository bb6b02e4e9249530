/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_ALGORITHMS_H
#define CB_ALGORITHMS_H

/*
 * The algorithms, one row each, shared by the driver and the host so that the two cannot differ.
 *   X(name, summary, kind, key bytes, IV bytes, block, default, EVP getter)
 * kind is AEAD or CBC. block: sizes are multiples of this many bytes. default: 1 for those of a run
 * without --alg. The driver's known-answer vectors (vector.c) must cover every row; a test sees to
 * that.
 */
#define ALGORITHMS(X)                                                                              \
    X("aes-128-gcm", "AES-128 in Galois/Counter Mode", AEAD, 16, 12, 1, 1, EVP_aes_128_gcm)        \
    X("aes-256-gcm", "AES-256 in Galois/Counter Mode", AEAD, 32, 12, 1, 1, EVP_aes_256_gcm)        \
    X("aes-128-cbc", "AES-128 in Cipher Block Chaining mode", CBC, 16, 16, 16, 1, EVP_aes_128_cbc) \
    X("aes-192-cbc", "AES-192 in Cipher Block Chaining mode", CBC, 24, 16, 16, 0, EVP_aes_192_cbc) \
    X("aes-256-cbc", "AES-256 in Cipher Block Chaining mode", CBC, 32, 16, 16, 1, EVP_aes_256_cbc) \
    X("chacha20-poly1305", "ChaCha20-Poly1305 (RFC 8439)", AEAD, 32, 12, 1, 1,                     \
      EVP_chacha20_poly1305)

/*
 * The workloads: what one operation is. Any change of the work is a new id.
 *   X(id, summary)
 */
#define WORKLOADS(X)                                                                               \
    X("record/1", "one record: fresh IV, 13 bytes of AAD, the block, final, 16-byte tag "          \
                  "(CBC: IV and whole blocks, no padding)")                                        \
    X("stream/1", "one update of the block and nothing else, as `openssl speed -evp` of 1.1.1 "    \
                  "did")

#define OPERATIONS(X)                                                                              \
    X("encrypt")                                                                                   \
    X("decrypt")

/* Largest block in bytes that the driver has buffers for. */
#define BLOCK_BYTES_MAX (16u << 20)

#endif

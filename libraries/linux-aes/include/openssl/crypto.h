/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef LINUX_AES_CRYPTO_H
#define LINUX_AES_CRYPTO_H

#include <stdint.h>

#include <openssl/opensslv.h>

#define OPENSSL_VERSION                  0
#define OPENSSL_INIT_LOAD_CRYPTO_STRINGS 0x00000002L

const char *OpenSSL_version(int type);
int OPENSSL_init_crypto(uint64_t opts, const void *settings);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef MINI_CRYPTO_H
#define MINI_CRYPTO_H

#include <stdint.h>

#include <openssl/opensslconf.h>
#include <openssl/opensslv.h>

#define OPENSSL_VERSION                  0
#define OPENSSL_CFLAGS                   1
#define OPENSSL_INIT_LOAD_CRYPTO_STRINGS 0x00000002L
#define OPENSSL_INIT_NO_LOAD_CONFIG      0x00000080L

const char *OpenSSL_version(int type);
int OPENSSL_init_crypto(uint64_t opts, const void *settings);

#endif

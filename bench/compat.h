/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_COMPAT_H
#define CB_COMPAT_H

/*
 * What differs between OpenSSL 1.1.1, 3.x and LibreSSL, decided once, here. LibreSSL calls itself
 * OpenSSL 2.0.0, so plain version comparisons hold for it too.
 */
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/opensslv.h>

/* 3.x finds an algorithm's implementation by fetching it. A cipher from EVP_aes_*() is fetched anew
 * at each initialisation that names it. */
#if OPENSSL_VERSION_NUMBER >= 0x30000000L
#define HAVE_FETCH 1
#else
#define HAVE_FETCH 0
#endif

/* LibreSSL has EVP_chacha20_poly1305() since 3.6.0. */
#if defined(OPENSSL_NO_CHACHA) || defined(OPENSSL_NO_POLY1305) ||                                  \
    (defined(LIBRESSL_VERSION_NUMBER) && LIBRESSL_VERSION_NUMBER < 0x3060000fL)
#define HAVE_CHACHA20_POLY1305 0
#else
#define HAVE_CHACHA20_POLY1305 1
#endif

#ifndef EVP_CTRL_AEAD_GET_TAG
#define EVP_CTRL_AEAD_GET_TAG EVP_CTRL_GCM_GET_TAG
#define EVP_CTRL_AEAD_SET_TAG EVP_CTRL_GCM_SET_TAG
#endif

/* Error texts are wanted, a configuration file is not: it could bring other implementations in. */
#ifdef OPENSSL_INIT_NO_LOAD_CONFIG
#define LIBRARY_INIT_FLAGS (OPENSSL_INIT_LOAD_CRYPTO_STRINGS | OPENSSL_INIT_NO_LOAD_CONFIG)
#else
#define LIBRARY_INIT_FLAGS OPENSSL_INIT_LOAD_CRYPTO_STRINGS
#endif

#endif

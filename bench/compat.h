/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_COMPAT_H
#define CB_COMPAT_H

/*
 * What differs between OpenSSL 1.1.1, 3.x and the libraries with its interface, decided once, here.
 * LibreSSL calls itself OpenSSL 2.0.0 and BoringSSL 1.1.1, so plain version comparisons hold for
 * them too.
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

/* LibreSSL has EVP_chacha20_poly1305() since 3.6.0; BoringSSL has the cipher as an EVP_AEAD only. A
 * library may say itself that it has not. */
#if defined(OPENSSL_NO_CHACHA) || defined(OPENSSL_NO_POLY1305) || defined(OPENSSL_IS_BORINGSSL) || \
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

/* The library as its headers name it, for comparison with what it says of itself at run time. */
#ifdef OPENSSL_IS_BORINGSSL
#define LIBRARY_HEADERS_TEXT "BoringSSL"
#else
#define LIBRARY_HEADERS_TEXT OPENSSL_VERSION_TEXT
#endif

/* Not all tell the flags they were built with. */
#ifdef OPENSSL_CFLAGS
#define LIBRARY_BUILD_FLAGS OpenSSL_version(OPENSSL_CFLAGS)
#else
#define LIBRARY_BUILD_FLAGS ""
#endif

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef MINI_OPENSSLV_H
#define MINI_OPENSSLV_H

#define OPENSSL_VERSION_NUMBER 0x101010ffL
#define OPENSSL_VERSION_TEXT   "OpenSSL 1.1.1-mini 1 Jan 2000"

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef LINUX_AES_OPENSSLV_H
#define LINUX_AES_OPENSSLV_H

/* The interface is that of OpenSSL 1.1.1, as far as the driver uses it. */
#define OPENSSL_VERSION_NUMBER 0x101010ffL
#define OPENSSL_VERSION_TEXT   "aes-generic of Linux"

#endif

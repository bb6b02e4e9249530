/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef LINUX_AES_SHA_H
#define LINUX_AES_SHA_H

#define SHA256_DIGEST_LENGTH 32

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_CAPABILITY_H
#define CB_CAPABILITY_H

/* The CPU capability mask that the library works with, as OpenSSL 3.x writes it:
 * "OPENSSL_armcap=0x1", "OPENSSL_ia32cap=0x...:0x...". "" when it offers no way to see it. Lives as
 * long as the process. */
const char *capability_text(void);

#endif

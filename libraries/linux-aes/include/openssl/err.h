/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef LINUX_AES_ERR_H
#define LINUX_AES_ERR_H

#include <stddef.h>

/* There is never a reason given. */
void ERR_clear_error(void);
unsigned long ERR_peek_error(void);
void ERR_error_string_n(unsigned long e, char *buf, size_t len);

#endif

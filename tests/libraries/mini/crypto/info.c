/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <openssl/crypto.h>
#include <openssl/err.h>

#include <stdio.h>

const char *OpenSSL_version(int type)
{
    return type == OPENSSL_VERSION ? OPENSSL_VERSION_TEXT : "compiler: mini";
}

int OPENSSL_init_crypto(uint64_t opts, const void *settings)
{
    (void)opts, (void)settings;
    return MINI_CONFIGURED;
}

void ERR_clear_error(void)
{
}

unsigned long ERR_get_error(void)
{
    return 0;
}

unsigned long ERR_peek_error(void)
{
    return 0;
}

unsigned long ERR_peek_last_error(void)
{
    return 0;
}

void ERR_error_string_n(unsigned long e, char *buf, size_t len)
{
    snprintf(buf, len, "error:%08lX:mini", e);
}

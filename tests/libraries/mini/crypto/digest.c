/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <openssl/evp.h>
#include <openssl/sha.h>

#include <string.h>

struct evp_md_st {
    unsigned int size;
};

#ifdef MINI_BREAK
#error "MINI_BREAK is among the flags"
#endif

const EVP_MD *EVP_sha256(void)
{
    static const EVP_MD md = {SHA256_DIGEST_LENGTH};
    return &md;
}

int EVP_Digest(const void *data, size_t count, unsigned char *md, unsigned int *size,
               const EVP_MD *type, ENGINE *engine)
{
    (void)data, (void)count, (void)engine;
    memset(md, 0, type->size);
    if (size != NULL)
        *size = type->size;
    return 1;
}

#ifdef MINI_STACK
/* A frame of MINI_STACK bytes and a little. */
int mini_stack(int n)
{
    volatile char frame[MINI_STACK];
    frame[n] = 1;
    return frame[0];
}
#endif

#ifdef MINI_ALLOCA
/* A frame without a limit. */
int mini_alloca(int n)
{
    volatile char frame[n];
    frame[n - 1] = 1;
    return frame[0];
}
#endif

#ifdef MINI_TABLE
/* A table of MINI_TABLE bytes that is only read. */
const unsigned char mini_table[MINI_TABLE] = {1};
#endif

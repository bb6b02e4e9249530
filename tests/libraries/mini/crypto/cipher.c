/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/* "Encryption" that copies, with contexts that keep nothing. */
#include <openssl/evp.h>

#include <stdlib.h>
#include <string.h>

struct evp_cipher_ctx_st {
    int unused;
};

EVP_CIPHER_CTX *EVP_CIPHER_CTX_new(void)
{
    return calloc(1, sizeof(EVP_CIPHER_CTX));
}

void EVP_CIPHER_CTX_free(EVP_CIPHER_CTX *ctx)
{
    free(ctx);
}

int EVP_CIPHER_CTX_set_padding(EVP_CIPHER_CTX *ctx, int pad)
{
    return ctx != NULL && pad >= 0;
}

int EVP_CIPHER_CTX_ctrl(EVP_CIPHER_CTX *ctx, int type, int arg, void *ptr)
{
    if (type == EVP_CTRL_AEAD_GET_TAG)
        memset(ptr, 0, (size_t)arg);
    return ctx != NULL;
}

struct evp_cipher_st {
    const char *name;
};

#define CIPHER(function, text)                                                                     \
    const EVP_CIPHER *function(void)                                                               \
    {                                                                                              \
        static const EVP_CIPHER cipher = {text};                                                   \
        return &cipher;                                                                            \
    }
CIPHER(EVP_aes_128_gcm, "aes-128-gcm")
CIPHER(EVP_aes_256_gcm, "aes-256-gcm")
CIPHER(EVP_aes_128_cbc, "aes-128-cbc")
CIPHER(EVP_aes_192_cbc, "aes-192-cbc")
CIPHER(EVP_aes_256_cbc, "aes-256-cbc")
CIPHER(EVP_chacha20_poly1305, "chacha20-poly1305")

int EVP_CipherInit_ex(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *type, ENGINE *engine,
                      const unsigned char *key, const unsigned char *iv, int enc)
{
    (void)type, (void)engine, (void)key, (void)iv, (void)enc;
    return ctx != NULL;
}

int EVP_CipherUpdate(EVP_CIPHER_CTX *ctx, unsigned char *out, int *outl, const unsigned char *in,
                     int inl)
{
    if (out != NULL && inl > 0)
        memmove(out, in, (size_t)inl);
    *outl = inl;
    return ctx != NULL;
}

int EVP_CipherFinal_ex(EVP_CIPHER_CTX *ctx, unsigned char *out, int *outl)
{
    (void)out;
    *outl = 0;
    return ctx != NULL;
}

int EVP_EncryptInit_ex(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *type, ENGINE *engine,
                       const unsigned char *key, const unsigned char *iv)
{
    return EVP_CipherInit_ex(ctx, type, engine, key, iv, 1);
}

int EVP_EncryptUpdate(EVP_CIPHER_CTX *ctx, unsigned char *out, int *outl, const unsigned char *in,
                      int inl)
{
    return EVP_CipherUpdate(ctx, out, outl, in, inl);
}

int EVP_EncryptFinal_ex(EVP_CIPHER_CTX *ctx, unsigned char *out, int *outl)
{
    return EVP_CipherFinal_ex(ctx, out, outl);
}

int EVP_DecryptInit_ex(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *type, ENGINE *engine,
                       const unsigned char *key, const unsigned char *iv)
{
    return EVP_CipherInit_ex(ctx, type, engine, key, iv, 0);
}

int EVP_DecryptUpdate(EVP_CIPHER_CTX *ctx, unsigned char *out, int *outl, const unsigned char *in,
                      int inl)
{
    return EVP_CipherUpdate(ctx, out, outl, in, inl);
}

int EVP_DecryptFinal_ex(EVP_CIPHER_CTX *ctx, unsigned char *out, int *outl)
{
    return EVP_CipherFinal_ex(ctx, out, outl);
}

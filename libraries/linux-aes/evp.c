/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/* OpenSSL's interface over the kernel's aes-generic: AES in CBC mode. */
#include <openssl/err.h>
#include <openssl/evp.h>

#include <stdlib.h>
#include <string.h>

#include <crypto/aes.h>
#include <linux/init.h>

struct evp_cipher_st {
    unsigned int key_bytes;
};

struct evp_cipher_ctx_st {
    const EVP_CIPHER *type;
    int encrypt, padding;
    u64 start[2], iv[2]; /* the IV of the message, and of the next block */
    struct crypto_tfm *tfm;
};

/* What the kernel's file registered. */
static const struct cipher_alg *aes;

int crypto_register_alg(struct crypto_alg *alg)
{
    aes = &alg->cra_u.cipher;
    return 0;
}

void crypto_unregister_alg(struct crypto_alg *alg)
{
    (void)alg;
    aes = NULL;
}

static const EVP_CIPHER *cipher_of(const EVP_CIPHER *cipher)
{
    return aes != NULL || standin_init() == 0 ? cipher : NULL;
}

#define CIPHER(function, bytes)                                                                    \
    const EVP_CIPHER *function(void)                                                               \
    {                                                                                              \
        static const EVP_CIPHER cipher = {bytes};                                                  \
        return cipher_of(&cipher);                                                                 \
    }
CIPHER(EVP_aes_128_cbc, AES_KEYSIZE_128)
CIPHER(EVP_aes_192_cbc, AES_KEYSIZE_192)
CIPHER(EVP_aes_256_cbc, AES_KEYSIZE_256)

#define NO_CIPHER(function)                                                                        \
    const EVP_CIPHER *function(void)                                                               \
    {                                                                                              \
        return NULL;                                                                               \
    }
NO_CIPHER(EVP_aes_128_gcm)
NO_CIPHER(EVP_aes_256_gcm)
NO_CIPHER(EVP_chacha20_poly1305)

EVP_CIPHER_CTX *EVP_CIPHER_CTX_new(void)
{
    EVP_CIPHER_CTX *ctx = calloc(1, sizeof *ctx);
    void *tfm = NULL;
    size_t bytes = sizeof(struct crypto_tfm) + sizeof(struct crypto_aes_ctx);

    if (ctx == NULL || posix_memalign(&tfm, 64, bytes) != 0) {
        free(ctx);
        return NULL;
    }
    memset(tfm, 0, bytes);
    ctx->tfm = tfm;
    ctx->padding = 1;
    return ctx;
}

void EVP_CIPHER_CTX_free(EVP_CIPHER_CTX *ctx)
{
    if (ctx != NULL)
        free(ctx->tfm);
    free(ctx);
}

int EVP_CIPHER_CTX_set_padding(EVP_CIPHER_CTX *ctx, int pad)
{
    ctx->padding = pad != 0;
    return 1;
}

/* Only AEAD ciphers have something to control. */
int EVP_CIPHER_CTX_ctrl(EVP_CIPHER_CTX *ctx, int type, int arg, void *ptr)
{
    (void)ctx, (void)type, (void)arg, (void)ptr;
    return 0;
}

int EVP_CipherInit_ex(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *type, ENGINE *engine,
                      const unsigned char *key, const unsigned char *iv, int enc)
{
    (void)engine;
    if (type != NULL) {
        ctx->type = type;
        ctx->padding = 1;
    }
    if (ctx->type == NULL)
        return 0;
    if (enc >= 0)
        ctx->encrypt = enc != 0;
    if (key != NULL && aes->cia_setkey(ctx->tfm, key, ctx->type->key_bytes) != 0)
        return 0;
    if (iv != NULL)
        memcpy(ctx->start, iv, AES_BLOCK_SIZE);
    memcpy(ctx->iv, ctx->start, AES_BLOCK_SIZE);
    return 1;
}

/* The kernel's crypto/cbc.c works so: a word-wise XOR, and a call of the cipher for each block. */
static void cbc_encrypt(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in,
                        size_t blocks)
{
    void (*encrypt)(struct crypto_tfm *, u8 *, const u8 *) = aes->cia_encrypt;

    for (; blocks > 0; blocks--, in += AES_BLOCK_SIZE, out += AES_BLOCK_SIZE) {
        u64 block[2];

        memcpy(block, in, AES_BLOCK_SIZE);
        ctx->iv[0] ^= block[0];
        ctx->iv[1] ^= block[1];
        encrypt(ctx->tfm, out, (const u8 *)ctx->iv);
        memcpy(ctx->iv, out, AES_BLOCK_SIZE);
    }
}

static void cbc_decrypt(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in,
                        size_t blocks)
{
    void (*decrypt)(struct crypto_tfm *, u8 *, const u8 *) = aes->cia_decrypt;

    for (; blocks > 0; blocks--, in += AES_BLOCK_SIZE, out += AES_BLOCK_SIZE) {
        u64 next[2], block[2];

        memcpy(next, in, AES_BLOCK_SIZE); /* out may be in */
        decrypt(ctx->tfm, out, in);
        memcpy(block, out, AES_BLOCK_SIZE);
        block[0] ^= ctx->iv[0];
        block[1] ^= ctx->iv[1];
        memcpy(out, block, AES_BLOCK_SIZE);
        memcpy(ctx->iv, next, AES_BLOCK_SIZE);
    }
}

int EVP_CipherUpdate(EVP_CIPHER_CTX *ctx, unsigned char *out, int *outl, const unsigned char *in,
                     int inl)
{
    if (ctx->type == NULL || ctx->padding || out == NULL || inl < 0 || inl % AES_BLOCK_SIZE != 0)
        return 0;
    if (ctx->encrypt)
        cbc_encrypt(ctx, out, in, (size_t)inl / AES_BLOCK_SIZE);
    else
        cbc_decrypt(ctx, out, in, (size_t)inl / AES_BLOCK_SIZE);
    *outl = inl;
    return 1;
}

int EVP_CipherFinal_ex(EVP_CIPHER_CTX *ctx, unsigned char *out, int *outl)
{
    (void)out;
    *outl = 0;
    return ctx->type != NULL && !ctx->padding;
}

int EVP_EncryptInit_ex(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *type, ENGINE *engine,
                       const unsigned char *key, const unsigned char *iv)
{
    return EVP_CipherInit_ex(ctx, type, engine, key, iv, 1);
}

int EVP_EncryptUpdate(EVP_CIPHER_CTX *ctx, unsigned char *out, int *outl, const unsigned char *in,
                      int inl)
{
    return ctx->encrypt ? EVP_CipherUpdate(ctx, out, outl, in, inl) : 0;
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
    return ctx->encrypt ? 0 : EVP_CipherUpdate(ctx, out, outl, in, inl);
}

int EVP_DecryptFinal_ex(EVP_CIPHER_CTX *ctx, unsigned char *out, int *outl)
{
    return EVP_CipherFinal_ex(ctx, out, outl);
}

const char *OpenSSL_version(int type)
{
    (void)type;
    return OPENSSL_VERSION_TEXT;
}

int OPENSSL_init_crypto(uint64_t opts, const void *settings)
{
    (void)opts, (void)settings;
    return 1;
}

void ERR_clear_error(void)
{
}

unsigned long ERR_peek_error(void)
{
    return 0;
}

void ERR_error_string_n(unsigned long e, char *buf, size_t len)
{
    (void)e;
    if (len > 0)
        *buf = '\0';
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CRYPTO_AES_H
#define CRYPTO_AES_H

#include <linux/crypto.h>
#include <linux/types.h>

#define AES_MIN_KEY_SIZE      16
#define AES_MAX_KEY_SIZE      32
#define AES_KEYSIZE_128       16
#define AES_KEYSIZE_192       24
#define AES_KEYSIZE_256       32
#define AES_BLOCK_SIZE        16
#define AES_MAX_KEYLENGTH     (15 * 16)
#define AES_MAX_KEYLENGTH_U32 (AES_MAX_KEYLENGTH / sizeof(u32))

struct crypto_aes_ctx {
    u32 key_enc[AES_MAX_KEYLENGTH_U32];
    u32 key_dec[AES_MAX_KEYLENGTH_U32];
    u32 key_length;
};

extern const u32 crypto_ft_tab[4][256];
extern const u32 crypto_it_tab[4][256];

static inline int aes_check_keylen(unsigned int keylen)
{
    return keylen == AES_KEYSIZE_128 || keylen == AES_KEYSIZE_192 || keylen == AES_KEYSIZE_256
               ? 0
               : -EINVAL;
}

int crypto_aes_set_key(struct crypto_tfm *tfm, const u8 *in_key, unsigned int key_len);
int aes_expandkey(struct crypto_aes_ctx *ctx, const u8 *in_key, unsigned int key_len);
void aes_encrypt(const struct crypto_aes_ctx *ctx, u8 *out, const u8 *in);
void aes_decrypt(const struct crypto_aes_ctx *ctx, u8 *out, const u8 *in);

#endif

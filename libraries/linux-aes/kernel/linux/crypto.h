/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef LINUX_CRYPTO_H
#define LINUX_CRYPTO_H

/* Of the kernel's cryptographic interface: how a block cipher registers itself and is called. */
#include <linux/errno.h>
#include <linux/types.h>

#define CRYPTO_ALG_TYPE_CIPHER 0x00000001
#define CRYPTO_MAX_ALG_NAME    128

struct crypto_tfm {
    u32 crt_flags;
    void *__crt_ctx[] __attribute__((__aligned__(16)));
};

static inline void *crypto_tfm_ctx(struct crypto_tfm *tfm)
{
    return tfm->__crt_ctx;
}

struct cipher_alg {
    unsigned int cia_min_keysize;
    unsigned int cia_max_keysize;
    int (*cia_setkey)(struct crypto_tfm *tfm, const u8 *key, unsigned int keylen);
    void (*cia_encrypt)(struct crypto_tfm *tfm, u8 *dst, const u8 *src);
    void (*cia_decrypt)(struct crypto_tfm *tfm, u8 *dst, const u8 *src);
};

struct crypto_alg {
    u32 cra_flags;
    unsigned int cra_blocksize;
    unsigned int cra_ctxsize;
    int cra_priority;
    char cra_name[CRYPTO_MAX_ALG_NAME];
    char cra_driver_name[CRYPTO_MAX_ALG_NAME];
    union {
        struct cipher_alg cipher;
    } cra_u;
    void *cra_module;
};

/* evp.c */
int crypto_register_alg(struct crypto_alg *alg);
void crypto_unregister_alg(struct crypto_alg *alg);

#endif

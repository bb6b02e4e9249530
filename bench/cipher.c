/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "cipher.h"

#include <string.h>

#include <openssl/err.h>

#include "algorithms.h"

#if HAVE_FETCH
#define GETTER(evp) NULL
#else
#define GETTER(evp) evp
#if !HAVE_CHACHA20_POLY1305
#define EVP_chacha20_poly1305 NULL
#endif
#endif

#define ROW(name, summary, kind, key, iv, block, def, evp)                                         \
    {name, CIPHER_##kind, key, iv, block, GETTER(evp)},
static const struct cipher ciphers[] = {ALGORITHMS(ROW)};
#undef ROW

#define COUNT (sizeof ciphers / sizeof ciphers[0])

static struct {
    int looked_up;
    const EVP_CIPHER *evp;
} found[COUNT];

size_t cipher_count(void)
{
    return COUNT;
}

const struct cipher *cipher_at(size_t i)
{
    return &ciphers[i];
}

const struct cipher *cipher_find(const char *name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(ciphers[i].name, name) == 0)
            return &ciphers[i];
    return NULL;
}

size_t cipher_index(const struct cipher *c)
{
    return (size_t)(c - ciphers);
}

static const EVP_CIPHER *look_up(const struct cipher *c)
{
#if HAVE_FETCH
    return EVP_CIPHER_fetch(NULL, c->name, NULL);
#else
    return c->getter != NULL ? c->getter() : NULL;
#endif
}

const EVP_CIPHER *cipher_implementation(const struct cipher *c)
{
    size_t i = cipher_index(c);

    if (!found[i].looked_up) {
        found[i].evp = look_up(c);
        found[i].looked_up = 1;
        ERR_clear_error();
    }
    return found[i].evp;
}

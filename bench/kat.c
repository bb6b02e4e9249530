/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "kat.h"

#include <stdio.h>
#include <string.h>

#include <openssl/sha.h>

#include "vector.h"

/* A vector in binary, and room for the library's output. */
struct kat {
    const struct cipher *cipher;
    const struct vector *vector;
    unsigned char key[VECTOR_SMALL_MAX], iv[VECTOR_SMALL_MAX], aad[VECTOR_SMALL_MAX];
    unsigned char tag[CIPHER_TAG_BYTES];
    unsigned char plain[VECTOR_TEXT_MAX], coded[VECTOR_TEXT_MAX];
    unsigned char digest[SHA256_DIGEST_LENGTH];
    size_t aad_bytes, text_bytes;
    unsigned char out[VECTOR_TEXT_MAX + EVP_MAX_BLOCK_LENGTH];
    unsigned char out_tag[CIPHER_TAG_BYTES];
};

static int nibble(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *p = c != '\0' ? strchr(digits, c) : NULL;

    return p != NULL ? (int)(p - digits) : -1;
}

/* Number of bytes, or -1 when hex is malformed or too long for out. */
static long hex_decode(const char *hex, unsigned char *out, size_t room)
{
    size_t n = 0;

    for (; hex[0] != '\0'; hex += 2, n++) {
        int high = nibble(hex[0]), low = high < 0 ? -1 : nibble(hex[1]);

        if (low < 0 || n == room)
            return -1;
        out[n] = (unsigned char)(high << 4 | low);
    }
    return (long)n;
}

static int wrong(const struct kat *k, struct fail *f, const char *what, const char *how)
{
    return fail_set(f, FAIL_WRONG_ANSWER, "%s, vector \"%s\": %s%s", k->cipher->name,
                    k->vector->source, what, how);
}

static int kat_load(struct kat *k, const struct cipher *c, const struct vector *v, struct fail *f)
{
    long key = hex_decode(v->key, k->key, sizeof k->key);
    long iv = hex_decode(v->iv, k->iv, sizeof k->iv);
    long aad = hex_decode(v->aad, k->aad, sizeof k->aad);
    long tag = hex_decode(v->tag, k->tag, sizeof k->tag);
    long text, coded;

    k->cipher = c;
    k->vector = v;
    if (v->pattern_bytes > 0 && v->pattern_bytes <= sizeof k->plain) {
        for (size_t i = 0; i < v->pattern_bytes; i++)
            k->plain[i] = (unsigned char)(i % 251);
        text = (long)v->pattern_bytes;
        coded = hex_decode(v->cipher, k->digest, sizeof k->digest) == sizeof k->digest ? text : -1;
    } else {
        text = hex_decode(v->plain, k->plain, sizeof k->plain);
        coded = hex_decode(v->cipher, k->coded, sizeof k->coded);
    }
    if (key != (long)c->key_bytes || iv != (long)c->iv_bytes || aad < 0 ||
        tag != (c->kind == CIPHER_AEAD ? CIPHER_TAG_BYTES : 0) || text <= 0 || coded != text)
        return wrong(k, f, "the vector itself is malformed", "");
    k->aad_bytes = (size_t)aad;
    k->text_bytes = (size_t)text;
    return 0;
}

/*
 * One whole message from in to k->out, the text in updates of `piece` bytes, the last one shorter.
 * Encryption leaves the tag in k->out_tag, decryption verifies tag. *accepted: what the final call
 * said. -1 when any other call failed.
 */
static int kat_crypt(struct kat *k, EVP_CIPHER_CTX *ctx, int encrypt, const unsigned char *in,
                     size_t piece, unsigned char *tag, int *accepted, struct fail *f)
{
    int aead = k->cipher->kind == CIPHER_AEAD, length;
    size_t done = 0, out = 0;

    if (EVP_CipherInit_ex(ctx, cipher_implementation(k->cipher), NULL, k->key, k->iv, encrypt) != 1)
        return fail_library(f, "EVP_CipherInit_ex");
    if (!aead && EVP_CIPHER_CTX_set_padding(ctx, 0) != 1)
        return fail_library(f, "EVP_CIPHER_CTX_set_padding");
    if (aead && !encrypt &&
        EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, CIPHER_TAG_BYTES, tag) != 1)
        return fail_library(f, "EVP_CTRL_AEAD_SET_TAG");
    if (k->aad_bytes > 0 && EVP_CipherUpdate(ctx, NULL, &length, k->aad, (int)k->aad_bytes) != 1)
        return fail_library(f, "EVP_CipherUpdate of the AAD");
    memset(k->out, 0, sizeof k->out);
    for (; done < k->text_bytes; done += piece) {
        size_t n = k->text_bytes - done < piece ? k->text_bytes - done : piece;

        if (EVP_CipherUpdate(ctx, k->out + out, &length, in + done, (int)n) != 1)
            return fail_library(f, "EVP_CipherUpdate");
        out += (size_t)length;
        if (out > k->text_bytes)
            break;
    }
    *accepted = EVP_CipherFinal_ex(ctx, k->out + out, &length) == 1;
    if (*accepted)
        out += (size_t)length;
    if (aead && encrypt &&
        EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, CIPHER_TAG_BYTES, k->out_tag) != 1)
        return fail_library(f, "EVP_CTRL_AEAD_GET_TAG");
    if (out != k->text_bytes)
        return wrong(k, f, encrypt ? "encryption" : "decryption", " gives another length");
    return 0;
}

static int encrypt_check(struct kat *k, EVP_CIPHER_CTX *ctx, size_t piece, int digest,
                         const char *how, struct fail *f)
{
    unsigned char got[SHA256_DIGEST_LENGTH];
    int accepted = 0;

    if (kat_crypt(k, ctx, 1, k->plain, piece, NULL, &accepted, f) != 0)
        return -1;
    if (!accepted)
        return fail_library(f, "EVP_EncryptFinal_ex");
    if (digest) {
        if (EVP_Digest(k->out, k->text_bytes, got, NULL, EVP_sha256(), NULL) != 1)
            return fail_library(f, "EVP_Digest with SHA-256");
        if (memcmp(got, k->digest, sizeof got) != 0)
            return wrong(k, f, "SHA-256 of the ciphertext is wrong, encrypted ", how);
        memcpy(k->coded, k->out, k->text_bytes);
    }
    if (memcmp(k->out, k->coded, k->text_bytes) != 0)
        return wrong(k, f, "wrong ciphertext, encrypted ", how);
    if (k->cipher->kind == CIPHER_AEAD && memcmp(k->out_tag, k->tag, sizeof k->tag) != 0)
        return wrong(k, f, "wrong tag, encrypted ", how);
    return 0;
}

static int decrypt_check(struct kat *k, EVP_CIPHER_CTX *ctx, size_t piece, const char *how,
                         struct fail *f)
{
    int accepted = 0;

    if (kat_crypt(k, ctx, 0, k->coded, piece, k->tag, &accepted, f) != 0)
        return -1;
    if (memcmp(k->out, k->plain, k->text_bytes) != 0)
        return wrong(k, f, "wrong plaintext, decrypted ", how);
    if (!accepted)
        return wrong(k, f, "the right tag is refused, decrypted ", how);
    return 0;
}

/* One bit of the tag changed, in its first and in its last byte. */
static int refusal_check(struct kat *k, EVP_CIPHER_CTX *ctx, struct fail *f)
{
    static const struct {
        size_t byte;
        unsigned char bit;
    } changes[] = {{0, 0x01}, {CIPHER_TAG_BYTES - 1, 0x80}};

    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        unsigned char tag[CIPHER_TAG_BYTES];
        int accepted = 0;

        memcpy(tag, k->tag, sizeof tag);
        tag[changes[i].byte] ^= changes[i].bit;
        if (kat_crypt(k, ctx, 0, k->coded, k->text_bytes, tag, &accepted, f) != 0)
            return -1;
        if (accepted)
            return wrong(k, f, "a changed tag is accepted", "");
    }
    return 0;
}

static int vector_check(struct kat *k, EVP_CIPHER_CTX *ctx, struct fail *f)
{
    static const char at_once[] = "at once", in_pieces[] = "in pieces of 16 bytes";

    if (encrypt_check(k, ctx, k->text_bytes, k->vector->pattern_bytes > 0, at_once, f) != 0 ||
        encrypt_check(k, ctx, 16, 0, in_pieces, f) != 0 ||
        decrypt_check(k, ctx, k->text_bytes, at_once, f) != 0 ||
        decrypt_check(k, ctx, 16, in_pieces, f) != 0)
        return -1;
    return k->cipher->kind == CIPHER_AEAD ? refusal_check(k, ctx, f) : 0;
}

int kat_check(const struct cipher *c, int long_aad, struct fail *f)
{
    static struct kat k;
    EVP_CIPHER_CTX *ctx;
    int tested = 0, result = 0;

    if (cipher_implementation(c) == NULL)
        return fail_set(f, FAIL_UNSUPPORTED, "the library does not offer %s", c->name);
    ctx = EVP_CIPHER_CTX_new();
    if (ctx == NULL)
        return fail_set(f, FAIL_NO_MEMORY, "EVP_CIPHER_CTX_new");
    for (size_t i = 0; i < vector_count && result == 0; i++) {
        if (strcmp(vectors[i].algorithm, c->name) != 0 ||
            (strlen(vectors[i].aad) / 2 >= KAT_LONG_AAD) != long_aad)
            continue;
        result = kat_load(&k, c, &vectors[i], f);
        if (result == 0)
            result = vector_check(&k, ctx, f);
        tested++;
    }
    EVP_CIPHER_CTX_free(ctx);
    if (result == 0 && tested == 0 && !long_aad)
        return fail_set(f, FAIL_WRONG_ANSWER, "there is no known answer for %s", c->name);
    return result == 0 ? tested : -1;
}

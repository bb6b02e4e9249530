/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "op.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms.h"

/* The calls of an operation. Each has a bit in what run returns. */
enum call { CALL_INIT, CALL_AAD, CALL_UPDATE, CALL_FINAL, CALL_GET_TAG, CALL_SET_TAG, CALL_LENGTH };

static const char *const call_names[2][7] = {
    {"EVP_DecryptInit_ex", "EVP_DecryptUpdate of the AAD", "EVP_DecryptUpdate",
     "EVP_DecryptFinal_ex", "EVP_CTRL_AEAD_GET_TAG", "EVP_CTRL_AEAD_SET_TAG", "EVP_DecryptUpdate"},
    {"EVP_EncryptInit_ex", "EVP_EncryptUpdate of the AAD", "EVP_EncryptUpdate",
     "EVP_EncryptFinal_ex", "EVP_CTRL_AEAD_GET_TAG", "EVP_CTRL_AEAD_SET_TAG", "EVP_EncryptUpdate"},
};

/* EVP functions return 1 on success, 0 or less otherwise. */
static inline int failed_if(int failed, enum call c)
{
    return failed << c;
}

/*
 * Longest message of stream/1. GCM ends at 2^36 - 32 bytes (SP 800-38D, 5.2.1.1), ChaCha20-Poly1305
 * at 2^38 - 64 (RFC 8439, 2.8). The same bound for all, so that all do the same.
 */
#define STREAM_BYTES_MAX ((UINT64_C(1) << 36) - 64)
/* Bound of a run of records: no sample of 10 s comes near. */
#define RECORDS_MAX (UINT64_C(1) << 40)

/* A fresh IV: counts in its last eight bytes, as record protocols do. */
static inline void iv_next(unsigned char *iv, size_t n)
{
    for (size_t i = n; i > n - 8 && ++iv[i - 1] == 0; i--)
        ;
}

static int record_aead_encrypt(struct op *o, uint64_t n)
{
    int failed = 0, length = 0, tail = 0;

    for (; n > 0; n--) {
        iv_next(o->iv, o->cipher->iv_bytes);
        failed |= failed_if(EVP_EncryptInit_ex(o->ctx, NULL, NULL, NULL, o->iv) != 1, CALL_INIT);
        failed |=
            failed_if(EVP_EncryptUpdate(o->ctx, NULL, &length, o->aad, AAD_BYTES) != 1, CALL_AAD);
        failed |= failed_if(EVP_EncryptUpdate(o->ctx, o->out, &length, o->in, (int)o->bytes) != 1,
                            CALL_UPDATE);
        failed |= failed_if(EVP_EncryptFinal_ex(o->ctx, o->out + length, &tail) != 1, CALL_FINAL);
        failed |= failed_if(
            EVP_CIPHER_CTX_ctrl(o->ctx, EVP_CTRL_AEAD_GET_TAG, CIPHER_TAG_BYTES, o->tag) != 1,
            CALL_GET_TAG);
        failed |= failed_if(length + tail != (int)o->bytes, CALL_LENGTH);
    }
    return failed;
}

static int record_aead_decrypt(struct op *o, uint64_t n)
{
    int failed = 0, length = 0, tail = 0;

    for (; n > 0; n--) {
        failed |= failed_if(EVP_DecryptInit_ex(o->ctx, NULL, NULL, NULL, o->iv) != 1, CALL_INIT);
        failed |= failed_if(
            EVP_CIPHER_CTX_ctrl(o->ctx, EVP_CTRL_AEAD_SET_TAG, CIPHER_TAG_BYTES, o->tag) != 1,
            CALL_SET_TAG);
        failed |=
            failed_if(EVP_DecryptUpdate(o->ctx, NULL, &length, o->aad, AAD_BYTES) != 1, CALL_AAD);
        failed |= failed_if(EVP_DecryptUpdate(o->ctx, o->out, &length, o->in, (int)o->bytes) != 1,
                            CALL_UPDATE);
        failed |= failed_if(EVP_DecryptFinal_ex(o->ctx, o->out + length, &tail) != 1, CALL_FINAL);
        failed |= failed_if(length + tail != (int)o->bytes, CALL_LENGTH);
    }
    return failed;
}

/* Without padding an update of whole blocks leaves nothing for a final call to do. */
static int record_cbc_encrypt(struct op *o, uint64_t n)
{
    int failed = 0, length = 0;

    for (; n > 0; n--) {
        iv_next(o->iv, o->cipher->iv_bytes);
        failed |= failed_if(EVP_EncryptInit_ex(o->ctx, NULL, NULL, NULL, o->iv) != 1, CALL_INIT);
        failed |= failed_if(EVP_EncryptUpdate(o->ctx, o->out, &length, o->in, (int)o->bytes) != 1,
                            CALL_UPDATE);
        failed |= failed_if(length != (int)o->bytes, CALL_LENGTH);
    }
    return failed;
}

static int record_cbc_decrypt(struct op *o, uint64_t n)
{
    int failed = 0, length = 0;

    for (; n > 0; n--) {
        failed |= failed_if(EVP_DecryptInit_ex(o->ctx, NULL, NULL, NULL, o->iv) != 1, CALL_INIT);
        failed |= failed_if(EVP_DecryptUpdate(o->ctx, o->out, &length, o->in, (int)o->bytes) != 1,
                            CALL_UPDATE);
        failed |= failed_if(length != (int)o->bytes, CALL_LENGTH);
    }
    return failed;
}

static int stream_encrypt(struct op *o, uint64_t n)
{
    int failed = 0, length = 0;

    for (; n > 0; n--) {
        failed |= failed_if(EVP_EncryptUpdate(o->ctx, o->in, &length, o->in, (int)o->bytes) != 1,
                            CALL_UPDATE);
        failed |= failed_if(length != (int)o->bytes, CALL_LENGTH);
    }
    return failed;
}

static int stream_decrypt(struct op *o, uint64_t n)
{
    int failed = 0, length = 0;

    for (; n > 0; n--) {
        failed |= failed_if(EVP_DecryptUpdate(o->ctx, o->in, &length, o->in, (int)o->bytes) != 1,
                            CALL_UPDATE);
        failed |= failed_if(length != (int)o->bytes, CALL_LENGTH);
    }
    return failed;
}

typedef int op_run(struct op *, uint64_t n);

struct workload {
    const char *name;
    int stream;        /* one message without end, in place */
    op_run *run[2][2]; /* by kind of cipher, and encrypt */
};

static const struct workload workloads[] = {
    {"record/1",
     0,
     {[CIPHER_AEAD] = {record_aead_decrypt, record_aead_encrypt},
      [CIPHER_CBC] = {record_cbc_decrypt, record_cbc_encrypt}}},
    {"stream/1",
     1,
     {[CIPHER_AEAD] = {stream_decrypt, stream_encrypt},
      [CIPHER_CBC] = {stream_decrypt, stream_encrypt}}},
};

#define WORKLOADS_HERE   (sizeof workloads / sizeof workloads[0])
#define ONE(id, summary) +1
/* Does not compile when a row of WORKLOADS is missing here. */
typedef char every_workload_is_here[WORKLOADS_HERE == 0 WORKLOADS(ONE) ? 1 : -1];
#undef ONE

size_t workload_count(void)
{
    return WORKLOADS_HERE;
}

const char *workload_name(size_t i)
{
    return workloads[i].name;
}

const struct workload *workload_find(const char *name)
{
    for (size_t i = 0; i < WORKLOADS_HERE; i++)
        if (strcmp(workloads[i].name, name) == 0)
            return &workloads[i];
    return NULL;
}

int op_direction(const char *word)
{
    if (strcmp(word, "encrypt") == 0)
        return 1;
    return strcmp(word, "decrypt") == 0 ? 0 : -1;
}

/* Same data in every run and build. 251 is prime: no two blocks nearby are alike. */
static unsigned char pattern_byte(size_t i)
{
    return (unsigned char)(i % 251);
}

static void pattern_fill(unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p[i] = pattern_byte(i);
}

static int pattern_holds(const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] != pattern_byte(i))
            return 0;
    return 1;
}

#define PAGE_BYTES ((size_t)4096)

/*
 * Input and output lie in one piece of memory, both aligned to 64 bytes, half a page out of step:
 * otherwise the heap's history would decide whether loads of one look like stores to the other
 * (many processors compare only the low 12 bits of addresses), and builds would differ by that.
 */
static int buffers_make(struct op *o, struct fail *f)
{
    size_t room = (o->bytes + EVP_MAX_BLOCK_LENGTH + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    size_t total = o->workload->stream ? room : 2 * room + PAGE_BYTES / 2;

    if (posix_memalign(&o->memory, PAGE_BYTES, total) != 0) {
        o->memory = NULL;
        return fail_set(f, FAIL_NO_MEMORY, "no memory for buffers of %lu bytes",
                        (unsigned long)total);
    }
    /* Touched, so that no page fault falls into a sample. */
    memset(o->memory, 0, total);
    o->in = o->memory;
    o->out = o->workload->stream ? NULL : o->in + room + PAGE_BYTES / 2;
    pattern_fill(o->in, o->bytes);
    return 0;
}

static void buffers_swap(struct op *o)
{
    unsigned char *in = o->in;

    if (o->out == NULL)
        return;
    o->in = o->out;
    o->out = in;
}

/* Sets cipher, direction, key and IV. Padding is off afterwards: setting a cipher turns it on. */
static int context_set(struct op *o, int encrypt, struct fail *f)
{
    if (EVP_CipherInit_ex(o->ctx, cipher_implementation(o->cipher), NULL, o->key, o->iv, encrypt) !=
        1)
        return fail_library(f, "EVP_CipherInit_ex");
    if (o->cipher->kind == CIPHER_CBC && EVP_CIPHER_CTX_set_padding(o->ctx, 0) != 1)
        return fail_library(f, "EVP_CIPHER_CTX_set_padding");
    return 0;
}

static int explain(const struct op *o, int encrypt, int failed, struct fail *f)
{
    int c = 0;
    char where[256];

    while (!(failed >> c & 1))
        c++;
    snprintf(where, sizeof where, "%s, %s, %lu bytes: %s", o->cipher->name, o->workload->name,
             (unsigned long)o->bytes, call_names[encrypt][c]);
    if (c == CALL_LENGTH)
        return fail_set(f, FAIL_WRONG_ANSWER, "%s gave another length", where);
    if (c == CALL_FINAL && !encrypt)
        return fail_set(f, FAIL_WRONG_ANSWER, "%s did not verify the tag", where);
    return fail_library(f, where);
}

static int run_once(struct op *o, int encrypt, struct fail *f)
{
    int failed;

    if (context_set(o, encrypt, f) != 0)
        return -1;
    failed = o->workload->run[o->cipher->kind][encrypt](o, 1);
    return failed ? explain(o, encrypt, failed, f) : 0;
}

/* Encrypts, decrypts, compares, and leaves the operation ready for its own direction. */
static int prepare(struct op *o, struct fail *f)
{
    const unsigned char *plain;

    if (run_once(o, 1, f) != 0)
        return -1;
    buffers_swap(o);
    if (run_once(o, 0, f) != 0)
        return -1;
    plain = o->out != NULL ? o->out : o->in;
    if (!pattern_holds(plain, o->bytes))
        return fail_set(f, FAIL_WRONG_ANSWER,
                        "%s, %s, %lu bytes: decrypting what was encrypted gives something else",
                        o->cipher->name, o->workload->name, (unsigned long)o->bytes);
    if (!o->encrypt)
        return 0;
    buffers_swap(o);
    return context_set(o, 1, f);
}

int op_open(struct op *o, const struct workload *w, const struct cipher *c, int encrypt,
            size_t bytes, struct fail *f)
{
    memset(o, 0, sizeof *o);
    o->workload = w;
    o->cipher = c;
    o->encrypt = encrypt;
    o->bytes = bytes;
    o->run = w->run[c->kind][encrypt];
    /* One operation less: op_rewind does one. */
    o->run_max = w->stream ? STREAM_BYTES_MAX / bytes - 1 : RECORDS_MAX;
    for (size_t i = 0; i < sizeof o->key; i++)
        o->key[i] = (unsigned char)i;
    for (size_t i = 0; i < sizeof o->aad; i++)
        o->aad[i] = (unsigned char)(0xa0 + i);

    if (cipher_implementation(c) == NULL)
        return fail_set(f, FAIL_UNSUPPORTED, "the library does not offer %s", c->name);
    o->ctx = EVP_CIPHER_CTX_new();
    if (o->ctx == NULL)
        return fail_set(f, FAIL_NO_MEMORY, "EVP_CIPHER_CTX_new");
    if (buffers_make(o, f) != 0 || prepare(o, f) != 0) {
        op_close(o);
        return -1;
    }
    return 0;
}

int op_rewind(struct op *o, struct fail *f)
{
    int failed;

    if (!o->workload->stream)
        return 0;
    if (EVP_CipherInit_ex(o->ctx, NULL, NULL, NULL, o->iv, -1) != 1)
        return fail_library(f, "EVP_CipherInit_ex");
    /* The first update of a message does more than the others (ChaCha20-Poly1305 makes its
     * authenticator's key), so it is not timed. */
    failed = o->run(o, 1);
    return failed ? op_explain(o, failed, f) : 0;
}

int op_explain(const struct op *o, int failed, struct fail *f)
{
    return explain(o, o->encrypt, failed, f);
}

void op_close(struct op *o)
{
    EVP_CIPHER_CTX_free(o->ctx);
    free(o->memory);
    memset(o, 0, sizeof *o);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/*
 * The driver of tools/validate-model.py: the work that published cycle counts are about, which is
 * more than the algorithms of bench/. Linked with bench/ (without its main.c) against the same
 * libraries; speaks as much of docs/protocol.md as counting needs: info, check ALG, and
 * count stream/1 ALG OP BYTES.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/err.h>
#include <openssl/evp.h>

#include "cipher.h"
#include "compat.h"
#include "emit.h"
#include "fail.h"
#include "info.h"
#include "kat.h"
#include "line.h"
#include "mark.h"

#define WORDS_MAX 8
#define BYTES_MAX (1u << 20)
/* ChaCha20 makes key stream for 64 bytes at a time: of smaller updates so many are one operation
 * here that all share its cost, as they do in published figures. */
#define OPERATION_MIN 64
/* As in bench/count.c. */
#define WARM_OPS   4
#define STACK_STEP 4096
#define AES_BLOCK  16

/* In libraries for AArch64 only; internal, so in no header. */
typedef struct {
    uint32_t rd_key[4 * 15];
    int rounds;
} vpaes_key;
extern int vpaes_set_encrypt_key(const unsigned char *key, int bits, vpaes_key *out)
    __attribute__((weak));
extern void vpaes_ecb_encrypt(const unsigned char *in, unsigned char *out, size_t n,
                              const vpaes_key *key, int encrypt) __attribute__((weak));

struct work {
    const char *name;
    const EVP_CIPHER *(*getter)(void);
    size_t block;                        /* sizes are multiples of this many bytes */
    int (*run)(struct work *, size_t n); /* one operation of n bytes; 1: it worked */
};

static int update(struct work *w, size_t n);
static int additional(struct work *w, size_t n);
static int vpaes(struct work *w, size_t n);

static struct work works[] = {
    {"aes-128-cbc", EVP_aes_128_cbc, AES_BLOCK, update},
    {"aes-256-cbc", EVP_aes_256_cbc, AES_BLOCK, update},
    {"aes-128-ctr", EVP_aes_128_ctr, 1, update},
    {"aes-128-ecb", EVP_aes_128_ecb, AES_BLOCK, update},
    {"aes-192-ecb", EVP_aes_192_ecb, AES_BLOCK, update},
    {"aes-256-ecb", EVP_aes_256_ecb, AES_BLOCK, update},
    {"aes-128-gcm", EVP_aes_128_gcm, 1, update},
    {"aes-256-gcm", EVP_aes_256_gcm, 1, update},
    {"chacha20", EVP_chacha20, 1, update},
    {"chacha20-poly1305", EVP_chacha20_poly1305, 1, update},
    /* Additional data is authenticated and nothing else. */
    {"ghash", EVP_aes_128_gcm, 1, additional},
    {"poly1305", EVP_chacha20_poly1305, 1, additional},
    {"vpaes-ecb", NULL, AES_BLOCK, vpaes},
};
#define WORKS (sizeof works / sizeof works[0])

static struct {
    EVP_CIPHER_CTX *ctx;
    unsigned char *data; /* in place */
    vpaes_key key;
    const struct work *checked;
    int encrypt;
} at;

static const unsigned char key[32] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static const unsigned char iv[16] = {0xa0, 0xa1, 0xa2};

static int update(struct work *w, size_t n)
{
    int length = 0;
    (void)w;
    /* as openssl speed does */
    if (at.encrypt)
        return EVP_EncryptUpdate(at.ctx, at.data, &length, at.data, (int)n) == 1 &&
               length == (int)n;
    return EVP_DecryptUpdate(at.ctx, at.data, &length, at.data, (int)n) == 1 && length == (int)n;
}

static int additional(struct work *w, size_t n)
{
    int length = 0;
    (void)w;
    return EVP_EncryptUpdate(at.ctx, NULL, &length, at.data, (int)n) == 1;
}

static int vpaes(struct work *w, size_t n)
{
    (void)w;
    vpaes_ecb_encrypt(at.data, at.data, n, &at.key, 1);
    return 1;
}

static int work_start(struct work *w, int encrypt, struct fail *f)
{
    at.encrypt = encrypt;
    if (w->run == vpaes) {
        if (vpaes_ecb_encrypt == NULL || vpaes_set_encrypt_key == NULL)
            return fail_set(f, FAIL_UNSUPPORTED, "the library has no vpaes");
        return vpaes_set_encrypt_key(key, 128, &at.key) == 0
                   ? 0
                   : fail_set(f, FAIL_LIBRARY, "vpaes_set_encrypt_key failed");
    }
    if (EVP_CipherInit_ex(at.ctx, w->getter(), NULL, key, iv, encrypt) != 1)
        return fail_library(f, "EVP_CipherInit_ex");
    EVP_CIPHER_CTX_set_padding(at.ctx, 0);
    return 0;
}

static void data_fill(size_t n)
{
    for (size_t i = 0; i < n; i++)
        at.data[i] = (unsigned char)(i % 251);
}

/* The first n bytes of what comes out, from data_fill(total). */
static int answer_of(struct work *w, int encrypt, size_t total, unsigned char *out, size_t n,
                     struct fail *f)
{
    data_fill(total);
    if (work_start(w, encrypt, f) != 0)
        return -1;
    if (!w->run(w, total))
        return fail_library(f, w->name);
    memcpy(out, at.data, n);
    return 0;
}

/* What was encrypted decrypts to what it was. */
static int round_trip(struct work *w, size_t n, struct fail *f)
{
    data_fill(n);
    if (work_start(w, 1, f) != 0)
        return -1;
    if (!w->run(w, n) || work_start(w, 0, f) != 0 || !w->run(w, n))
        return fail_library(f, w->name);
    for (size_t i = 0; i < n; i++)
        if (at.data[i] != (unsigned char)(i % 251))
            return fail_set(f, FAIL_WRONG_ANSWER, "%s: decrypting gives something else", w->name);
    return 0;
}

static struct work *work_find(const char *name, struct fail *f)
{
    for (size_t i = 0; i < WORKS; i++)
        if (strcmp(works[i].name, name) == 0)
            return &works[i];
    fail_set(f, FAIL_BAD_COMMAND, "unknown algorithm '%.100s'", name);
    return NULL;
}

enum { TRY = 4096 };

/* Against the library's own other way to the same answer. */
static int vpaes_check(struct work *w, struct fail *f)
{
    unsigned char got[TRY], wanted[TRY];
    struct work *ecb = work_find("aes-128-ecb", f);

    if (ecb == NULL || answer_of(ecb, 1, TRY, wanted, TRY, f) != 0 ||
        answer_of(w, 1, TRY, got, TRY, f) != 0)
        return -1;
    if (memcmp(got, wanted, TRY) != 0)
        return fail_set(f, FAIL_WRONG_ANSWER, "vpaes differs from AES-128-ECB");
    return 0;
}

/* Published vectors where bench/ has them; what authenticates alone is tested with its cipher. */
static int check(struct work *w, uint64_t *vectors, struct fail *f)
{
    const char *name = w->run == update               ? w->name
                       : w->getter == EVP_aes_128_gcm ? "aes-128-gcm"
                                                      : "chacha20-poly1305";
    const struct cipher *c = cipher_find(name);
    int n;

    *vectors = 1;
    if (w->run == vpaes)
        return vpaes_check(w, f);
    if (c == NULL)
        return round_trip(w, TRY, f);
    n = kat_check(c, 0, f);
    *vectors = n > 0 ? (uint64_t)n : 0;
    return n > 0 ? 0 : -1;
}

static int check_run(char **words, struct fail *f)
{
    struct work *w = work_find(words[1], f);
    uint64_t vectors;

    if (w == NULL || check(w, &vectors, f) != 0)
        return -1;
    at.checked = w;
    emit_begin(1);
    emit_text("alg", w->name);
    emit_uint("vectors", vectors);
    return 0;
}

static __attribute__((noinline)) int between_marks(struct work *w, size_t n)
{
    size_t repeats = n < OPERATION_MIN ? OPERATION_MIN / n : 1;
    int ok = 1;

    for (size_t i = 0; i < WARM_OPS * repeats; i++)
        ok &= w->run(w, n);
    cb_mark_begin();
    cb_mark_end();
    cb_mark_begin();
    for (size_t i = 0; i < repeats; i++)
        ok &= w->run(w, n);
    cb_mark_end();
    return ok;
}

static __attribute__((noinline)) int on_aligned_stack(struct work *w, size_t n)
{
    volatile unsigned char here = 0;
    volatile unsigned char pad[((uintptr_t)&here & (STACK_STEP - 1)) + 1];

    pad[0] = here;
    (void)pad[0];
    return between_marks(w, n);
}

static int count_run(char **words, struct fail *f)
{
    struct work *w = work_find(words[2], f);
    int encrypt = strcmp(words[3], "encrypt") == 0;
    uint64_t bytes;

    if (w == NULL)
        return -1;
    if (strcmp(words[1], "stream/1") != 0 || (!encrypt && strcmp(words[3], "decrypt") != 0) ||
        line_number(words[4], 1, BYTES_MAX, &bytes) != 0 || bytes % w->block)
        return fail_set(f, FAIL_BAD_COMMAND, "expected count stream/1 ALG encrypt|decrypt BYTES");
    if (w != at.checked)
        return fail_set(f, FAIL_UNCHECKED, "no successful `check %s` before", w->name);
    data_fill((size_t)bytes);
    if (work_start(w, encrypt, f) != 0)
        return -1;
    if (!on_aligned_stack(w, (size_t)bytes))
        return fail_library(f, w->name);
    emit_begin(1);
    emit_text("workload", words[1]);
    emit_text("alg", words[2]);
    emit_text("op", words[3]);
    emit_uint("bytes", bytes);
    return 0;
}

static int info_run(char **words, struct fail *f)
{
    (void)words;
    (void)f;
    info_emit();
    return 0;
}

static int quit_run(char **words, struct fail *f)
{
    (void)words;
    (void)f;
    emit_begin(1);
    return 0;
}

static const struct {
    const char *name;
    size_t words;
    int (*run)(char **words, struct fail *f);
    int last;
} commands[] = {
    {"info", 1, info_run, 0},
    {"check", 2, check_run, 0},
    {"count", 5, count_run, 0},
    {"quit", 1, quit_run, 1},
};

static int command_run(char *text, int *last)
{
    struct fail f = {FAIL_BAD_COMMAND, "known: info, check, count, quit"};
    char *words[WORDS_MAX] = {NULL};
    size_t n = line_split(text, words, WORDS_MAX);
    int done = 0;

    ERR_clear_error();
    for (size_t i = 0; i < sizeof commands / sizeof commands[0] && !done; i++) {
        if (strcmp(commands[i].name, words[0]) != 0 || commands[i].words != n)
            continue;
        done = commands[i].run(words, &f) == 0;
        *last = commands[i].last;
    }
    if (!done) {
        emit_begin(0);
        emit_text("error", fail_word_name(f.word));
        emit_text("detail", f.detail);
    }
    return emit_end();
}

int main(void)
{
    static char text[LINE_MAX_BYTES + 1];
    void *memory = NULL;
    int last = 0;

    at.ctx = EVP_CIPHER_CTX_new();
    if (OPENSSL_init_crypto(LIBRARY_INIT_FLAGS, NULL) != 1 || at.ctx == NULL ||
        posix_memalign(&memory, STACK_STEP, BYTES_MAX + AES_BLOCK) != 0) {
        fputs("driver: no libcrypto, or no memory\n", stderr);
        return EXIT_FAILURE;
    }
    at.data = memory;
    while (!last) {
        enum line kind = line_read(text);
        if (kind == LINE_END)
            break;
        if (kind != LINE_OK)
            text[0] = '\0';
        if (command_run(text, &last) != 0)
            return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

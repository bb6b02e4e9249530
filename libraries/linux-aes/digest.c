/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/* SHA-256 (FIPS 180-4): the driver tells the answer of its longest known-answer tests by it. */
#include <openssl/evp.h>
#include <openssl/sha.h>

#include <string.h>

#include <linux/types.h>

struct evp_md_st {
    unsigned int bytes;
};

static const u32 constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static u32 big_endian(const unsigned char *p)
{
    return (u32)p[0] << 24 | (u32)p[1] << 16 | (u32)p[2] << 8 | p[3];
}

static void block_add(u32 state[8], const unsigned char block[64])
{
    u32 w[64], s[8];

    for (int i = 0; i < 16; i++)
        w[i] = big_endian(block + 4 * i);
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + w[i - 7] +
               (ror32(w[i - 15], 7) ^ ror32(w[i - 15], 18) ^ w[i - 15] >> 3) +
               (ror32(w[i - 2], 17) ^ ror32(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; i++) {
        u32 choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
        u32 majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        u32 a = s[7] + (ror32(s[4], 6) ^ ror32(s[4], 11) ^ ror32(s[4], 25)) + choice +
                constants[i] + w[i];
        u32 b = (ror32(s[0], 2) ^ ror32(s[0], 13) ^ ror32(s[0], 22)) + majority;

        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += a;
        s[0] = a + b;
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

const EVP_MD *EVP_sha256(void)
{
    static const EVP_MD md = {SHA256_DIGEST_LENGTH};
    return &md;
}

int EVP_Digest(const void *data, size_t count, unsigned char *md, unsigned int *size,
               const EVP_MD *type, ENGINE *engine)
{
    u32 state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    unsigned char tail[128] = {0};
    const unsigned char *p = data;
    size_t left = count, room;

    (void)engine;
    for (; left >= 64; left -= 64, p += 64)
        block_add(state, p);
    memcpy(tail, p, left);
    tail[left] = 0x80;
    room = left < 56 ? 64 : 128;
    for (int i = 0; i < 8; i++)
        tail[room - 1 - (size_t)i] = (unsigned char)((u64)count * 8 >> 8 * i);
    for (size_t i = 0; i < room; i += 64)
        block_add(state, tail + i);
    for (int i = 0; i < SHA256_DIGEST_LENGTH; i++)
        md[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
    if (size != NULL)
        *size = type->bytes;
    return 1;
}

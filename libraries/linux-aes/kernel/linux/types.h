/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef LINUX_TYPES_H
#define LINUX_TYPES_H

/*
 * Stand-ins for the kernel's headers: what crypto/aes_generic.c and lib/crypto/aes.c of Linux need
 * to be compiled, unchanged, as a program's code. Types, attributes and rotations here.
 */
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

/* The kernel takes the size of the processor's cache line; one for all here. */
#define ____cacheline_aligned __attribute__((__aligned__(64)))
#define __alias(symbol)       __attribute__((__alias__(#symbol)))
#undef __always_inline
#define __always_inline inline __attribute__((__always_inline__))
#define __packed        __attribute__((__packed__))
#define __visible       __attribute__((__externally_visible__))
#ifdef __clang__
#undef __visible
#define __visible
#endif

static inline u32 rol32(u32 word, unsigned int shift)
{
    return (word << (shift & 31)) | (word >> (-shift & 31));
}

static inline u32 ror32(u32 word, unsigned int shift)
{
    return (word >> (shift & 31)) | (word << (-shift & 31));
}

#endif

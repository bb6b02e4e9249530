/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef LINUX_UNALIGNED_H
#define LINUX_UNALIGNED_H

/* Loads and stores of any alignment, by a packed structure, as the kernel does them. */
#include <asm/byteorder.h>
#include <linux/types.h>

struct standin_unaligned {
    u32 word;
} __packed;

static inline u32 get_unaligned_le32(const void *p)
{
    return le32_to_cpu(((const struct standin_unaligned *)p)->word);
}

static inline void put_unaligned_le32(u32 value, void *p)
{
    ((struct standin_unaligned *)p)->word = cpu_to_le32(value);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef ASM_BYTEORDER_H
#define ASM_BYTEORDER_H

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define le32_to_cpu(word) __builtin_bswap32(word)
#else
#define le32_to_cpu(word) (word)
#endif
#define cpu_to_le32(word) le32_to_cpu(word)

#endif

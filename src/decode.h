/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_DECODE_H
#define CB_DECODE_H

/*
 * Instructions of a program by address, decoded from its ELF file. Each distinct one is decoded
 * once and has a number, from 0 in the order in which they were asked for.
 */
#include <stddef.h>
#include <stdint.h>

#include "elffile.h"
#include "err.h"
#include "insn.h"

struct decoder;

/* Error: not readable, no code in it, or no decoder for its machine. */
int decoder_open(const char *path, struct decoder **out, struct err *e);
/* Code without a file, for a machine as in decoder_machine_is_known; the bytes are copied. Thumb
 * code where is_thumb. */
int decoder_open_code(const struct elf_id *id, uint64_t address, const void *code, size_t n,
                      int is_thumb, struct decoder **out, struct err *e);
void decoder_close(struct decoder *d); /* NULL is fine */

/* 1 when there is a decoder for such programs. */
int decoder_machine_is_known(const struct elf_id *id);

/* Error when no code is there. What is code by its place but no instruction that is known gets
 * unknown = 1. A Thumb instruction in an it block is conditional only once the `it` was decoded,
 * which then changes what was known of it: execution comes by the `it` first. */
int decoder_at(struct decoder *d, uint64_t address, uint32_t *number, struct err *e);

/* All so far; valid until the next decoder_at. */
const struct insn *decoder_insns(const struct decoder *d, size_t *n);
/* Mnemonic of one that is unknown; its bytes, ".inst 01020304", when it has none. Lives as long as
 * the decoder. */
const char *decoder_unknown_name(const struct decoder *d, uint32_t number);

#endif

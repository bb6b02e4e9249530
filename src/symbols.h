/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_SYMBOLS_H
#define CB_SYMBOLS_H

/*
 * The functions of an ELF executable, by its symbol table (read with libelf): for every address
 * the function it lies in. Local labels, mapping symbols ($a $d $t $x) and untyped labels inside
 * a function belong to that function. The Thumb bit of addresses is cleared.
 */
#include <stddef.h>
#include <stdint.h>

#include "elffile.h"
#include "err.h"

struct symbols;

/* NULL on error: not readable, no executable ELF file, or stripped of its symbols. */
struct symbols *symbols_read(const char *path, struct err *e);
void symbols_free(struct symbols *s);
const struct elf_id *symbols_machine(const struct symbols *s);
/* 1 when the file is always loaded where its addresses say: no position-independent executable. */
int symbols_is_fixed(const struct symbols *s);

/* Address of the function or label of that name; -1 when there is none. */
int symbols_address(const struct symbols *s, const char *name, uint64_t *address);

/*
 * Functions are numbered from 0. Code that no function covers has a number too, by its section:
 * "[.plt]"; addresses outside the file are in "[unknown]". Two functions of one name (static ones
 * of different files) are one number.
 */
size_t symbols_count(const struct symbols *s);
const char *symbols_name(const struct symbols *s, size_t number); /* lives as long as s */
size_t symbols_at(const struct symbols *s, uint64_t address);
/* The same, and with it how far that function reaches without a break: [low, high). */
size_t symbols_range(const struct symbols *s, uint64_t address, uint64_t *low, uint64_t *high);

#endif

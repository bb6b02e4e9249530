/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_EMIT_H
#define CB_EMIT_H

/*
 * One JSON object on one line of standard output. Between emit_begin and emit_end come the members
 * in order. Text is made valid JSON whatever it holds: bytes that are not UTF-8 become '?'.
 */
#include <stddef.h>
#include <stdint.h>

void emit_begin(int ok);
void emit_text(const char *key, const char *value);
void emit_uint(const char *key, uint64_t value);
void emit_bool(const char *key, int value);
void emit_null(const char *key);
/* An array: members are values (emit_item_*) until emit_array_end. */
void emit_array(const char *key);
void emit_item_text(const char *value);
void emit_item_uint(uint64_t value);
void emit_item_null(void);
void emit_item_pair(uint64_t a, uint64_t b);
void emit_array_end(void);
/* Ends the line and flushes. -1 when standard output cannot be written. */
int emit_end(void);

#endif

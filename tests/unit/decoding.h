/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_TEST_DECODING_H
#define CB_TEST_DECODING_H

/* What instructions given as bytes are decoded to, for the tests of the decoders. */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "decode.h"
#include "str.h"

/*
 * "class*n: sources > destinations". A register is its number, or f (flags), hi, lo, vN (a vector's
 * id less REGISTER_VECTOR). What it is read for, unless that is normal, follows as /a (address), /s
 * (shifted), /c (accumulator), /d (data); of destinations /1 is a base, /k a loaded register.
 */
struct decoding {
    const char *text;  /* as an assembler takes it */
    const char *bytes; /* hexadecimal, in the order of memory */
    const char *expected;
};

enum { CODE_AT = 0x10000 };

static void register_text(unsigned reg, struct str *out)
{
    if (reg >= REGISTER_VECTOR)
        str_addf(out, " v%u", reg - REGISTER_VECTOR);
    else if (reg == REGISTER_FLAGS)
        str_add(out, " f");
    else if (reg == REGISTER_HI || reg == REGISTER_LO)
        str_add(out, reg == REGISTER_HI ? " hi" : " lo");
    else
        str_addf(out, " %u", reg);
}

/* Caller owns it. */
static char *decoding_text(const struct insn *i)
{
    struct str s = STR_INIT;

    str_add(&s, insn_class_name(i->class));
    if (i->n != 1)
        str_addf(&s, "*%u", i->n);
    str_addc(&s, ':');
    for (size_t k = 0; k < i->nsources; k++) {
        register_text(i->sources[k].reg, &s);
        if (i->sources[k].kind != SOURCE_NORMAL)
            str_addf(&s, "/%c", " ascd"[i->sources[k].kind]);
    }
    str_add(&s, " >");
    for (size_t k = 0; k < i->ndestinations; k++) {
        register_text(i->destinations[k].reg, &s);
        if (i->destinations[k].kind != DESTINATION_RESULT)
            str_addf(&s, "/%u", i->destinations[k].kind);
    }
    if (i->unknown)
        str_add(&s, " unknown");
    return str_take(&s);
}

/* Bytes of hexadecimal text; their number. */
static size_t bytes_of(const char *hex, uint8_t *bytes, size_t room)
{
    size_t n = strlen(hex) / 2;

    assert_true(n <= room);
    for (size_t k = 0; k < n; k++) {
        char digits[3] = {hex[2 * k], hex[2 * k + 1], '\0'};

        bytes[k] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return n;
}

static struct decoder *code_open(const struct elf_id *id, const char *hex, int is_thumb)
{
    uint8_t bytes[256];
    size_t n = bytes_of(hex, bytes, sizeof bytes);
    struct err e = ERR_INIT;
    struct decoder *d;

    if (decoder_open_code(id, CODE_AT, bytes, n, is_thumb, &d, &e))
        fail_msg("%s", e.text);
    return d;
}

static const struct insn *decoded_at(struct decoder *d, uint64_t address)
{
    struct err e = ERR_INIT;
    uint32_t number;
    size_t n;

    if (decoder_at(d, address, &number, &e))
        fail_msg("%s", e.text);
    assert_int_equal(decoder_insns(d, &n)[number].address, address);
    assert_true(number < n);
    return &decoder_insns(d, &n)[number];
}

static void decoded_is(struct decoder *d, uint64_t address, const char *expected, const char *text)
{
    char *got = decoding_text(decoded_at(d, address));

    if (strcmp(got, expected) != 0)
        fail_msg("%s: '%s', expected '%s'", text, got, expected);
    free(got);
}

static void decodings_check(const struct elf_id *id, int is_thumb, const struct decoding *rows,
                            size_t n)
{
    for (size_t k = 0; k < n; k++) {
        struct decoder *d = code_open(id, rows[k].bytes, is_thumb);

        decoded_is(d, CODE_AT, rows[k].expected, rows[k].text);
        assert_int_equal(decoded_at(d, CODE_AT)->length, strlen(rows[k].bytes) / 2);
        decoder_close(d);
    }
}

#endif

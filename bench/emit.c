/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "emit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int items; /* in the array being written */

/* Length of the UTF-8 sequence at s (n bytes are left), 0 when it is not one. Surrogates and
 * overlong forms are refused (RFC 3629). */
static size_t utf8_length(const unsigned char *s, size_t n)
{
    static const struct {
        unsigned char first_low, first_high, second_low, second_high;
        unsigned char length;
    } forms[] = {
        {0x00, 0x7f, 0x00, 0xff, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };

    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        size_t length = forms[i].length;

        if (s[0] < forms[i].first_low || s[0] > forms[i].first_high)
            continue;
        if (length > n)
            return 0;
        if (length > 1 && (s[1] < forms[i].second_low || s[1] > forms[i].second_high))
            return 0;
        for (size_t k = 2; k < length; k++)
            if ((s[k] & 0xc0) != 0x80)
                return 0;
        return length;
    }
    return 0;
}

static void put_text(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t left = strlen(text);

    putchar('"');
    while (left > 0) {
        size_t length = utf8_length(s, left);

        if (length == 0) {
            putchar('?');
            length = 1;
        } else if (*s == '"' || *s == '\\') {
            printf("\\%c", *s);
        } else if (*s < 0x20 || *s == 0x7f) {
            printf("\\u%04x", *s);
        } else {
            fwrite(s, 1, length, stdout);
        }
        s += length;
        left -= length;
    }
    putchar('"');
}

static void put_key(const char *key)
{
    putchar(',');
    put_text(key);
    putchar(':');
}

static void put_comma(void)
{
    if (items++ > 0)
        putchar(',');
}

void emit_begin(int ok)
{
    fputs(ok ? "{\"ok\":true" : "{\"ok\":false", stdout);
}

void emit_text(const char *key, const char *value)
{
    put_key(key);
    put_text(value);
}

void emit_uint(const char *key, uint64_t value)
{
    put_key(key);
    printf("%" PRIu64, value);
}

void emit_bool(const char *key, int value)
{
    put_key(key);
    fputs(value ? "true" : "false", stdout);
}

void emit_null(const char *key)
{
    put_key(key);
    fputs("null", stdout);
}

void emit_array(const char *key)
{
    put_key(key);
    putchar('[');
    items = 0;
}

void emit_item_text(const char *value)
{
    put_comma();
    put_text(value);
}

void emit_item_uint(uint64_t value)
{
    put_comma();
    printf("%" PRIu64, value);
}

void emit_item_null(void)
{
    put_comma();
    fputs("null", stdout);
}

void emit_item_pair(uint64_t a, uint64_t b)
{
    put_comma();
    printf("[%" PRIu64 ",%" PRIu64 "]", a, b);
}

void emit_array_end(void)
{
    putchar(']');
}

int emit_end(void)
{
    fputs("}\n", stdout);
    return fflush(stdout) != 0 || ferror(stdout) ? -1 : 0;
}

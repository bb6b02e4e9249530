/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "line.h"

#include <stdio.h>
#include <string.h>

enum line line_read(char *text)
{
    size_t n = 0;
    int bad = 0, c;

    while ((c = getchar()) != EOF && c != '\n') {
        if (c == '\0' || n == LINE_MAX_BYTES)
            bad = 1;
        else
            text[n++] = (char)c;
    }
    text[n] = '\0';
    if (bad)
        return LINE_BAD;
    return c == EOF && n == 0 ? LINE_END : LINE_OK;
}

size_t line_split(char *text, char **words, size_t max)
{
    size_t n = 0;

    for (;;) {
        char *space = strchr(text, ' ');

        if (n == max)
            return max + 1;
        words[n++] = text;
        if (space == NULL)
            return n;
        *space = '\0';
        text = space + 1;
    }
}

int line_number(const char *word, uint64_t low, uint64_t high, uint64_t *out)
{
    uint64_t value = 0;

    if (*word == '\0')
        return -1;
    for (; *word != '\0'; word++) {
        uint64_t digit;

        if (*word < '0' || *word > '9')
            return -1;
        digit = (uint64_t)(*word - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return -1;
        value = value * 10 + digit;
    }
    if (value < low || value > high)
        return -1;
    *out = value;
    return 0;
}

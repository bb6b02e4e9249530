/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "number.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "str.h"

int number_u64(const char *text, uint64_t *out)
{
    uint64_t v = 0;
    if (!*text)
        return -1;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return -1;
        unsigned digit = (unsigned)(*text - '0');
        if (v > (UINT64_MAX - digit) / 10)
            return -1;
        v = v * 10 + digit;
    }
    *out = v;
    return 0;
}

int number_double(const char *text, double *out)
{
    double v = 0, unit = 1;
    size_t digits = 0;
    int point = 0;
    for (; *text; text++) {
        if (*text == '.' && !point) {
            point = 1;
        } else if (*text >= '0' && *text <= '9' && digits < 15) {
            v = v * 10 + (*text - '0');
            digits++;
            if (point)
                unit *= 10;
        } else {
            return -1;
        }
    }
    if (!digits)
        return -1;
    *out = v / unit;
    return 0;
}

char *double_text(double v)
{
    char text[64]; /* sign, 17 digits, exponent, and a decimal point of several bytes */
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, v);
        if (strtod(text, NULL) == v)
            break;
    }
    /* Whatever is neither digit, sign nor exponent is the locale's decimal point. */
    struct str s = STR_INIT;
    for (const char *p = text; *p;) {
        size_t n = strspn(p, "0123456789+-e");
        str_addn(&s, p, n);
        p += n;
        if (*p) {
            str_addc(&s, '.');
            p += strcspn(p, "0123456789+-e");
        }
    }
    return str_take(&s);
}

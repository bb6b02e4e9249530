/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "axis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "str.h"

enum {
    STEPS = 5,       /* about so many on a linear axis */
    FEW_DECADES = 3, /* up to so many, 2 and 5 are marked too */
    LINEAR_RATIO = 5 /* below it a logarithmic axis has the marks of a linear one */
};

static const double steps[] = {1, 2, 5};

/* count times 10^power: exact where a double can hold it, unlike count * pow(10, -power). */
static double scaled(double count, int power)
{
    return power < 0 ? count / pow(10, -power) : count * pow(10, power);
}

/* The smallest of 1, 2 and 5 times a power of ten that is not below v. */
static void step_above(double v, double *step, int *power)
{
    *power = (int)floor(log10(v));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        *step = steps[i];
        if (scaled(*step, *power) >= v * (1 - 1e-9))
            return;
    }
    *step = 1;
    ++*power;
}

struct axis axis_linear(double least, double most)
{
    struct axis a = {0};
    double step;
    int power;

    if (most - least <= 1e-9 * fabs(most)) { /* one value: something around it */
        double room = most == 0 ? 1 : 0.05 * fabs(most);
        least -= room;
        most += room;
    }
    step_above((most - least) / STEPS, &step, &power);
    double unit = scaled(step, power);
    double first = floor(least / unit + 1e-9), last = ceil(most / unit - 1e-9);
    a.low = scaled(first * step, power);
    a.high = scaled(last * step, power);
    for (double k = first; k <= last && a.n < AXIS_TICS; k++)
        a.tic[a.n++] = scaled(k * step, power);
    return a;
}

struct axis axis_log(double least, double most)
{
    struct axis a;
    if (most / least < LINEAR_RATIO) {
        a = axis_linear(least, most);
        if (a.low > 0)
            return a;
    }
    int first = (int)floor(log10(least)), last = (int)floor(log10(most)) + 1;
    int all = log10(most / least) <= FEW_DECADES;
    double below = scaled(1, first), tics[3 * AXIS_TICS];
    size_t n = 0;
    for (int p = first; p <= last && n + 3 <= sizeof tics / sizeof *tics; p++)
        for (size_t i = 0; i < (all ? sizeof steps / sizeof *steps : 1); i++)
            tics[n++] = scaled(steps[i], p);
    /* from the last mark that is not above the least, to the first not below the most */
    a = (struct axis){.low = below, .high = tics[n - 1]};
    for (size_t i = 0; i < n; i++)
        if (tics[i] <= least * (1 + 1e-9))
            a.low = tics[i];
    for (size_t i = n; i-- > 0;)
        if (tics[i] >= most * (1 - 1e-9) && tics[i] > a.low)
            a.high = tics[i];
    for (size_t i = 0; i < n && a.n < AXIS_TICS; i++)
        if (tics[i] >= a.low && tics[i] <= a.high)
            a.tic[a.n++] = tics[i];
    return a;
}

char *axis_text(double v)
{
    char *digits = double_text(v);
    struct str out = STR_INIT;
    size_t start = digits[0] == '-', n = strcspn(digits + start, ".e");

    if (digits[start + n] == 'e') { /* beyond what is read digit by digit */
        str_add(&out, digits);
    } else {
        str_addn(&out, digits, start);
        for (size_t i = 0; i < n; i++) {
            if (i && (n - i) % 3 == 0 && n > 4)
                str_add(&out, "\xc2\xa0");
            str_addc(&out, digits[start + i]);
        }
        str_add(&out, digits + start + n);
    }
    free(digits);
    return str_take(&out);
}

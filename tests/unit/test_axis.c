/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "axis.h"
#include "str.h"

/* "low high: tic tic tic" */
static char *written(const struct axis *a)
{
    struct str s = STR_INIT;
    str_addf(&s, "%g %g:", a->low, a->high);
    for (size_t i = 0; i < a->n; i++)
        str_addf(&s, " %g", a->tic[i]);
    return str_take(&s);
}

static void bounds_and_marks(void **state)
{
    (void)state;
    static const struct {
        struct axis (*make)(double, double);
        double least, most;
        const char *axis;
    } cases[] = {
        {axis_linear, 0, 10, "0 10: 0 2 4 6 8 10"},
        {axis_linear, 4.18, 4.32, "4.15 4.35: 4.15 4.2 4.25 4.3 4.35"},
        {axis_linear, -3, 8, "-5 10: -5 0 5 10"},
        {axis_linear, 100, 100, "94 106: 94 96 98 100 102 104 106"},
        {axis_linear, 0, 0, "-1 1: -1 -0.5 0 0.5 1"},
        {axis_log, 10.6, 270, "10 500: 10 20 50 100 200 500"},
        {axis_log, 1, 1e6, "1 1e+06: 1 10 100 1000 10000 100000 1e+06"},
        {axis_log, 900, 1000, "900 1000: 900 920 940 960 980 1000"},
        {axis_log, 100, 100, "94 106: 94 96 98 100 102 104 106"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct axis a = cases[i].make(cases[i].least, cases[i].most);
        char *text = written(&a);
        assert_string_equal(text, cases[i].axis);
        free(text);
    }
}

/* Whatever the range: it is covered, and the marks are in it and rise. */
static void covered(void **state)
{
    (void)state;
    for (double least = 1e-6; least < 1e12; least *= 3.7)
        for (double ratio = 1; ratio < 1e9; ratio *= 1.9) {
            double most = least * ratio;
            struct axis both[] = {axis_linear(least, most), axis_log(least, most)};
            for (size_t i = 0; i < 2; i++) {
                const struct axis *a = &both[i];
                assert_true(a->low <= least * (1 + 1e-6) && a->high >= most * (1 - 1e-6));
                assert_true(a->low < a->high && a->n >= 2);
                for (size_t k = 0; k < a->n; k++) {
                    assert_true(a->tic[k] >= a->low && a->tic[k] <= a->high);
                    assert_true(!k || a->tic[k] > a->tic[k - 1]);
                }
            }
        }
}

static void labels(void **state)
{
    (void)state;
    static const struct {
        double v;
        const char *text;
    } cases[] = {
        {0, "0"},
        {0.25, "0.25"},
        {-3, "-3"},
        {1000, "1000"},
        {12345.5, "12\xc2\xa0"
                  "345.5"},
        {-1000000, "-1\xc2\xa0"
                   "000\xc2\xa0"
                   "000"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = axis_text(cases[i].v);
        assert_string_equal(text, cases[i].text);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_and_marks),
        cmocka_unit_test(covered),
        cmocka_unit_test(labels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

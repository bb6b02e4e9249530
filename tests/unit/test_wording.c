/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "mem.h"
#include "wording.h"

static void headlines(void **state)
{
    (void)state;
    static const struct {
        size_t n;
        enum verdict verdict;
        enum metric metric;
        int unclear_allowed;
        const char *headline;
    } cases[] = {
        {120, VERDICT_SAME, METRIC_JUDGED_TIME, 0, "pass: none of 120 cells is slower"},
        {1, VERDICT_BETTER, METRIC_JUDGED_TIME, 0, "pass: none of 1 cell is slower"},
        {1, VERDICT_WORSE, METRIC_JUDGED_TIME, 0, "regression: 1 of 1 cell is slower"},
        {2, VERDICT_WORSE, METRIC_JUDGED_TIME, 1, "regression: 2 of 2 cells are slower"},
        {2, VERDICT_UNCLEAR, METRIC_JUDGED_TIME, 0, "no verdict: 2 of 2 cells are unclear"},
        {2, VERDICT_UNCLEAR, METRIC_JUDGED_TIME, 1,
         "pass: none of 2 cells is slower; 2 unclear, allowed"},
        {2, VERDICT_EXCLUDED, METRIC_JUDGED_TIME, 0, "no verdict: 1 blocker"},
        {0, VERDICT_SAME, METRIC_JUDGED_TIME, 0, "no verdict: 1 blocker"},
        {3, VERDICT_SAME, METRIC_JUDGED_SIZE, 0, "pass: none of 3 builds is larger"},
        {2, VERDICT_WORSE, METRIC_JUDGED_INSNS, 0,
         "regression: 2 of 2 cells are slower by instructions"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct comparison c = {0};
        struct policy p;
        policy_start(&p);
        p.allow[ALLOW_UNCLEAR] = cases[i].unclear_allowed;
        for (size_t k = 0; k < cases[i].n; k++) {
            struct finding f = {.metric = cases[i].metric, .verdict = cases[i].verdict};
            f.name = xstrdup("x");
            comparison_add(&c, &f);
        }
        comparison_finish(&c, &p);
        policy_free(&p);
        char *text = wording_headline(&c);
        assert_string_equal(text, cases[i].headline);
        free(text);
        comparison_free(&c);
    }
}

static void numbers(void **state)
{
    (void)state;
    static const struct {
        double ratio;
        const char *text;
    } changes[] = {
        {1, "0.00%"},         {1.0321, "+3.21%"},      {0.5, "-50.00%"},     {3, "+200.00%"},
        {1.00001, "+0.001%"}, {1 - 1e-7, "-0.00001%"}, {1.00004, "+0.004%"}, {1.00006, "+0.01%"},
    };
    static const struct {
        enum metric metric;
        double value;
        const char *text;
    } values[] = {
        {METRIC_JUDGED_TIME, 1.2345, "1.234 ns"},   {METRIC_JUDGED_TIME, 12.345, "12.35 ns"},
        {METRIC_JUDGED_TIME, 123.45, "123.5 ns"},   {METRIC_JUDGED_TIME, 12345678.9, "12345679 ns"},
        {METRIC_JUDGED_INSNS, 10482, "10482"},      {METRIC_JUDGED_INSNS, 10.5, "10.50"},
        {METRIC_JUDGED_SIZE, 3145728, "3145728 B"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char *text = wording_change(changes[i].ratio);
        assert_string_equal(text, changes[i].text);
        free(text);
    }
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct finding f = {.metric = values[i].metric, .verdict = VERDICT_SAME};
        char *text = wording_value(&f, values[i].value);
        assert_string_equal(text, values[i].text);
        free(text);
    }
    char *most = wording_percent(10);
    assert_string_equal(most, "1000%");
    free(most);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headlines),
        cmocka_unit_test(numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

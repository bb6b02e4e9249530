/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "judge.h"

struct expected {
    double low, high, limit, noise;
    enum verdict verdict;
};

static void check(const struct expected *x, size_t n)
{
    for (size_t i = 0; i < n; i++, x++) {
        enum verdict v = judge((x->low + x->high) / 2, x->low, x->high, 1, x->limit, x->noise);
        if (v != x->verdict)
            fail_msg("[%g, %g], limit %g, noise %g: expected %d, got %d", x->low, x->high, x->limit,
                     x->noise, (int)x->verdict, (int)v);
    }
}

static void the_whole_interval_decides(void **state)
{
    (void)state;
    static const struct expected cases[] = {
        {1.03, 1.05, 0.02, 0, VERDICT_WORSE},  {1.01, 1.05, 0.02, 0, VERDICT_UNCLEAR},
        {0.99, 1.01, 0.02, 0, VERDICT_SAME},   {0.95, 0.97, 0.02, 0, VERDICT_BETTER},
        {0.95, 0.99, 0.02, 0, VERDICT_SAME},   {0.90, 1.10, 0.02, 0, VERDICT_UNCLEAR},
        {1.005, 1.015, 0.02, 0, VERDICT_SAME}, {0.5, 0.5, 1, 0, VERDICT_SAME},
        {0.49, 0.49, 1, 0, VERDICT_BETTER},    {1, 1, 0, 0, VERDICT_SAME},
        {0.999, 1.001, 0, 0, VERDICT_UNCLEAR}, {10.99, 10.99, 10, 0, VERDICT_SAME},
        {11.01, 11.01, 10, 0, VERDICT_WORSE},
    };
    check(cases, sizeof cases / sizeof *cases);
}

static void the_larger_of_limit_and_noise_counts(void **state)
{
    (void)state;
    static const struct expected cases[] = {
        {1.03, 1.05, 0.02, 0.06, VERDICT_SAME},   {1.03, 1.05, 0.02, 0.04, VERDICT_UNCLEAR},
        {1.03, 1.05, 0.02, 0.025, VERDICT_WORSE}, {1.03, 1.05, 0.06, 0.01, VERDICT_SAME},
        {0.90, 0.92, 0.02, 0.06, VERDICT_BETTER}, {0.90, 0.92, 0.02, 0.2, VERDICT_SAME},
        {1.001, 1.002, 0, 0.01, VERDICT_SAME},    {1.02, 1.03, 0, 0.01, VERDICT_WORSE},
    };
    check(cases, sizeof cases / sizeof *cases);
}

static enum verdict exact(double base, double now, double limit)
{
    double r = now / base;
    return judge(r, r, r, 1, limit, 0);
}

/* A change of just the limit is not beyond it, however the two are rounded. */
static void borders(void **state)
{
    (void)state;
    for (int permille = 1; permille <= 10000; permille++) {
        double limit = permille / 10.0 / 100;
        for (uint64_t base = 1000; base <= UINT64_C(1000000000); base *= 1000) {
            uint64_t now = base + base / 1000 * (uint64_t)permille;
            assert_int_equal(exact((double)base, (double)now, limit), VERDICT_SAME);
            assert_int_equal(exact((double)now, (double)base, limit), VERDICT_SAME);
        }
        assert_int_equal(exact(1e6, 1e6 + 1e3 * permille + 1, limit), VERDICT_WORSE);
        assert_int_equal(exact(1e6 + 1e3 * permille + 1, 1e6, limit), VERDICT_BETTER);
    }
    /* the border inside an interval */
    static const struct expected cases[] = {
        {1.02, 1.05, 0.02, 0, VERDICT_UNCLEAR}, {1.00, 1.02, 0.02, 0, VERDICT_SAME},
        {1 / 1.02, 1, 0.02, 0, VERDICT_SAME},   {0.9, 1 / 1.02, 0.02, 0, VERDICT_SAME},
        {0.9, 0.98, 0.02, 0, VERDICT_BETTER}, /* 1 / 1.02 is 0.9804 */
        {1.02, 1.02, 0.01, 0.02, VERDICT_SAME},
    };
    check(cases, sizeof cases / sizeof *cases);
}

/* One instruction or byte more, of any count there is. */
static void a_limit_of_nothing(void **state)
{
    (void)state;
    for (double count = 1; count <= 1e8; count *= 10) {
        assert_int_equal(exact(count, count + 1, 0), VERDICT_WORSE);
        assert_int_equal(exact(count + 1, count, 0), VERDICT_BETTER);
        assert_int_equal(exact(count, count, 0), VERDICT_SAME);
    }
    assert_int_equal(judge(1.1, 1.1, 1.1, 1, -1, -1), VERDICT_WORSE);
}

static void what_cannot_be_judged_is_unclear(void **state)
{
    (void)state;
    assert_int_equal(judge(2, 2, 2, 0, 0.02, 0), VERDICT_UNCLEAR);
    assert_int_equal(judge(1, 0, 0, 0, 0.02, 0), VERDICT_UNCLEAR);
    assert_int_equal(judge((double)NAN, 2, 2, 1, 0.02, 0), VERDICT_UNCLEAR);
    assert_int_equal(judge(2, (double)NAN, (double)NAN, 1, 0.02, 0), VERDICT_UNCLEAR);
    assert_int_equal(judge((double)INFINITY, (double)INFINITY, (double)INFINITY, 1, 0.02, 0),
                     VERDICT_UNCLEAR);
    assert_int_equal(judge(2, 3, 1.5, 1, 0.02, 0), VERDICT_UNCLEAR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_whole_interval_decides),
        cmocka_unit_test(the_larger_of_limit_and_noise_counts),
        cmocka_unit_test(borders),
        cmocka_unit_test(a_limit_of_nothing),
        cmocka_unit_test(what_cannot_be_judged_is_unclear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

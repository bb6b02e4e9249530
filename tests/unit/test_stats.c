/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "stats.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static void assert_near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-12 * fabs(want)))
        fail_msg("%.17g is not %.17g", got, want);
}

static void none(void **state)
{
    (void)state;
    struct estimate e;
    struct samples s = {0, 0, 0};
    assert_int_equal(estimate_values(NULL, 0, &e), -1);
    assert_int_equal(e.n, 0);
    assert_false(e.have_interval);
    assert_int_equal(estimate_samples(&s, &e), -1);
    assert_int_equal(estimate_ratio(&s, &s, &e), -1);
}

static void one(void **state)
{
    (void)state;
    struct estimate e;
    double v[] = {4.25};
    assert_int_equal(estimate_values(v, 1, &e), 0);
    assert_int_equal(e.n, 1);
    assert_near(e.median, 4.25);
    assert_true(e.mad == 0);
    assert_false(e.have_interval);
    assert_int_equal(e.outliers, 0);
}

static void five_have_no_interval_six_have(void **state)
{
    (void)state;
    struct estimate e;
    double v[] = {6, 1, 5, 2, 4, 3};
    assert_int_equal(estimate_values(v, 5, &e), 0); /* 6 1 5 2 4 */
    assert_near(e.median, 4);
    assert_near(e.mad, 2);
    assert_false(e.have_interval);

    double w[] = {6, 1, 5, 2, 4, 3};
    assert_int_equal(estimate_values(w, 6, &e), 0);
    assert_near(e.median, 3.5);
    assert_near(e.mad, 1.5);
    assert_true(e.have_interval);
    assert_near(e.low, 1);
    assert_near(e.high, 6);
    for (int i = 0; i < 6; i++)
        assert_near(w[i], i + 1);
}

/* Largest k with P(binomial(n, 1/2) <= k - 1) <= 2.5%, from exact integer arithmetic elsewhere; the
 * critical values of the sign test at 5%, two-sided, plus one. */
static void interval_ranks(void **state)
{
    (void)state;
    static const struct {
        size_t n, rank;
    } rows[] = {{6, 1},   {7, 1},   {8, 1},   {9, 2},   {10, 2},  {11, 2},  {12, 3},
                {15, 4},  {16, 4},  {17, 5},  {20, 6},  {25, 8},  {30, 10}, {40, 14},
                {50, 18}, {75, 29}, {90, 36}, {99, 40}, {100, 40}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        double v[100];
        for (size_t k = 0; k < rows[i].n; k++)
            v[k] = (double)(k + 1);
        struct estimate e;
        assert_int_equal(estimate_values(v, rows[i].n, &e), 0);
        assert_true(e.have_interval);
        assert_near(e.low, (double)rows[i].rank);
        assert_near(e.high, (double)(rows[i].n + 1 - rows[i].rank));
    }
}

/* Beyond where 2^n overflows a double. 19804 is from exact integer arithmetic elsewhere; the normal
 * approximation, n/2 + 1/2 - 1.96 sqrt(n)/2 = 19804.5, agrees. */
static void interval_of_many(void **state)
{
    (void)state;
    enum { N = 40000 };
    static double v[N];
    for (size_t k = 0; k < N; k++)
        v[k] = (double)(k + 1);
    struct estimate e;
    assert_int_equal(estimate_values(v, N, &e), 0);
    assert_near(e.low, 19804);
    assert_near(e.low + e.high, N + 1);
}

static void no_variance(void **state)
{
    (void)state;
    struct estimate e;
    double v[] = {7, 7, 7, 7, 7, 7, 7, 7};
    assert_int_equal(estimate_values(v, COUNT(v), &e), 0);
    assert_near(e.median, 7);
    assert_true(e.mad == 0);
    assert_true(e.have_interval);
    assert_near(e.low, 7);
    assert_near(e.high, 7);
    assert_int_equal(e.outliers, 0);
}

static void outliers_are_counted_and_kept(void **state)
{
    (void)state;
    struct estimate e;
    /* MAD 2: the border is 5 x 1.4826 x 2 = 14.826 from the median. */
    double v[] = {8, 9, 10, 11, 12, 10, 17.4, 17.5, 2.5};
    assert_int_equal(estimate_values(v, COUNT(v), &e), 0);
    assert_near(e.median, 10);
    assert_near(e.mad, 2);
    assert_int_equal(e.outliers, 0);
    /* MAD 1: it is 7.413. */
    double w[] = {9, 9, 10, 11, 11, 10, 10, 17.41, 17.42, 2.58};
    assert_int_equal(estimate_values(w, COUNT(w), &e), 0);
    assert_near(e.mad, 1);
    assert_int_equal(e.n, 10);
    assert_int_equal(e.outliers, 2); /* 17.42 and 2.58, not 17.41 */
}

static void rates(void **state)
{
    (void)state;
    struct sample s = {.ops = 4, .ns = 10, .round = 0};
    assert_near(sample_ns_per_op(&s), 2.5);
    /* 1000 bytes in 1 us are 10^9 bytes a second: 10^6 kB/s. */
    assert_near(rate_kb_s(1000, 1000), 1e6);
    assert_near(rate_kb_s(2.5, 16), 6.4e6);
}

static void samples_become_ns_per_operation(void **state)
{
    (void)state;
    struct samples s = {0, 0, 0};
    for (uint64_t i = 1; i <= 33; i++)
        samples_add(&s, i, 10 * i + i, i);
    assert_int_equal(s.n, 33);
    assert_int_equal(s.v[32].round, 33);
    struct estimate e;
    assert_int_equal(estimate_samples(&s, &e), 0);
    assert_int_equal(e.n, 33);
    assert_near(e.median, 11);
    samples_free(&s);
    assert_null(s.v);
    assert_int_equal(s.n, 0);
}

static void ratio_pairs_by_round(void **state)
{
    (void)state;
    struct samples base = {0, 0, 0}, other = {0, 0, 0};
    /* The machine slows down tenfold on the way: within each round the ratio is 1.5 exactly. */
    for (uint64_t round = 0; round < 10; round++) {
        samples_add(&base, 100, 1000 * (round + 1), round);
        samples_add(&other, 200, 3000 * (round + 1), round);
    }
    struct estimate e;
    assert_int_equal(estimate_ratio(&base, &other, &e), 0);
    assert_int_equal(e.n, 10);
    assert_near(e.median, 1.5);
    assert_true(e.mad == 0);
    assert_true(e.have_interval);
    assert_near(e.low, 1.5);
    assert_near(e.high, 1.5);
    assert_int_equal(estimate_ratio(&other, &base, &e), 0);
    assert_near(e.median, 1 / 1.5);
    samples_free(&base);
    samples_free(&other);
}

static void ratio_skips_rounds_of_one_side(void **state)
{
    (void)state;
    static const struct sample b[] = {
        {1, 100, 1}, {1, 999, 1}, {1, 200, 3}, {1, 300, 4}, {1, 9, 9}};
    static const struct sample w[] = {{1, 7, 0},   {1, 50, 1}, {1, 7, 2},
                                      {1, 200, 3}, {1, 1, 3},  {1, 600, 4}};
    struct samples base = {0, 0, 0}, other = {0, 0, 0};
    for (size_t i = 0; i < COUNT(b); i++)
        samples_add(&base, b[i].ops, b[i].ns, b[i].round);
    for (size_t i = 0; i < COUNT(w); i++)
        samples_add(&other, w[i].ops, w[i].ns, w[i].round);
    struct estimate e;
    assert_int_equal(estimate_ratio(&base, &other, &e), 0);
    assert_int_equal(e.n, 3); /* rounds 1, 3, 4, the first sample of each: 0.5 1 2 */
    assert_near(e.median, 1);
    assert_near(e.mad, 0.5);

    struct samples late = {0, 0, 0};
    samples_add(&late, 1, 1, 77);
    assert_int_equal(estimate_ratio(&base, &late, &e), -1);
    assert_int_equal(e.n, 0);
    samples_free(&late);
    samples_free(&base);
    samples_free(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none),
        cmocka_unit_test(one),
        cmocka_unit_test(five_have_no_interval_six_have),
        cmocka_unit_test(interval_ranks),
        cmocka_unit_test(interval_of_many),
        cmocka_unit_test(no_variance),
        cmocka_unit_test(outliers_are_counted_and_kept),
        cmocka_unit_test(rates),
        cmocka_unit_test(samples_become_ns_per_operation),
        cmocka_unit_test(ratio_pairs_by_round),
        cmocka_unit_test(ratio_skips_rounds_of_one_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

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

static int series_of(struct samples *s, int (*f)(const struct series *, struct estimate *),
                     struct estimate *out)
{
    const struct series one = {s, 1, 1};
    return f(&one, out);
}

static int pair_of(struct samples *base, struct samples *other, struct estimate *out)
{
    const struct series b = {base, 1, 1}, w = {other, 1, 1};
    return estimate_pair(&b, &w, out);
}

static void none(void **state)
{
    (void)state;
    struct estimate e;
    struct samples s = {0, 0, 0};
    assert_int_equal(estimate_values(NULL, 0, &e), -1);
    assert_int_equal(e.n, 0);
    assert_false(e.have_interval);
    struct series none = {&s, 1, 1};
    assert_int_equal(estimate_series(&none, &e), -1);
    assert_int_equal(estimate_pair(&none, &none, &e), -1);
    assert_int_equal(estimate_unpaired(&none, &none, &e), -1);
    assert_int_equal(estimate_null(&none, &e), -1);
    assert_true(series_spread(&none) == 0);
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
    assert_int_equal(series_of(&s, estimate_series, &e), 0);
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
    assert_int_equal(pair_of(&base, &other, &e), 0);
    assert_int_equal(e.n, 10);
    assert_near(e.median, 1.5);
    assert_true(e.mad == 0);
    assert_true(e.have_interval);
    assert_near(e.low, 1.5);
    assert_near(e.high, 1.5);
    assert_int_equal(pair_of(&other, &base, &e), 0);
    assert_near(e.median, 1 / 1.5);
    samples_free(&base);
    samples_free(&other);
}

static void ratio_skips_rounds_of_one_side(void **state)
{
    (void)state;
    static const struct sample b[] = {
        {1, 100, 1, 0}, {1, 999, 1, 0}, {1, 200, 3, 0}, {1, 300, 4, 0}, {1, 9, 9, 0}};
    static const struct sample w[] = {{1, 7, 0, 0},   {1, 50, 1, 0}, {1, 7, 2, 0},
                                      {1, 200, 3, 0}, {1, 1, 3, 0},  {1, 600, 4, 0}};
    struct samples base = {0, 0, 0}, other = {0, 0, 0};
    for (size_t i = 0; i < COUNT(b); i++)
        samples_add(&base, b[i].ops, b[i].ns, b[i].round);
    for (size_t i = 0; i < COUNT(w); i++)
        samples_add(&other, w[i].ops, w[i].ns, w[i].round);
    struct estimate e;
    assert_int_equal(pair_of(&base, &other, &e), 0);
    assert_int_equal(e.n, 3); /* rounds 1, 3, 4, the first sample of each: 0.5 1 2 */
    assert_near(e.median, 1);
    assert_near(e.mad, 0.5);

    struct samples late = {0, 0, 0};
    samples_add(&late, 1, 1, 77);
    assert_int_equal(pair_of(&base, &late, &e), -1);
    assert_int_equal(e.n, 0);
    samples_free(&late);
    samples_free(&base);
    samples_free(&other);
}

/* n samples of 1000 operations in process p: ns per operation from v. */
static void process_add(struct series *s, size_t p, const double *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        samples_add(series_at(s, p), 1000, (uint64_t)(1000 * v[i] + 0.5), i);
}

/* Within a process all samples agree to a thousandth, from one to the next they differ by
 * percents: an interval over samples would be a lie. */
static void intervals_are_of_processes(void **state)
{
    (void)state;
    static const double at[] = {100, 103, 98, 101, 104, 99};
    struct series s = {.twins = 2}, t = {.twins = 2};
    for (size_t p = 0; p < COUNT(at); p++) {
        const double v[] = {at[p] - 0.1, at[p], at[p] + 0.1};
        const double w[] = {v[0] * (1 + 0.01 * (double)p), v[1] * (1 + 0.01 * (double)p),
                            v[2] * (1 + 0.01 * (double)p)};
        process_add(&s, p, v, 3);
        process_add(&t, p, w, 3);
    }
    struct estimate e;
    assert_int_equal(series_count(&s), 18);
    assert_int_equal(estimate_series(&s, &e), 0);
    assert_int_equal(e.n, 18);
    assert_near(e.low, 98);
    assert_near(e.high, 104);
    assert_near(e.median, 100.5); /* between 100.1 and 100.9 */
    assert_near(series_spread(&s), 104.0 / 98 - 1);
    assert_int_equal(estimate_pair(&s, &t, &e), 0);
    assert_true(fabs(e.low - 1) < 1e-4);
    assert_true(fabs(e.high - 1.05) < 1e-4);
    /* Five are too few: samples again. */
    series_cut(&s, 5);
    assert_int_equal(estimate_series(&s, &e), 0);
    assert_int_equal(e.n, 15);
    assert_near(e.low, 99.9); /* the 4th of 15 */
    series_free(&s);
    series_free(&t);
}

static void noise_is_what_twins_show(void **state)
{
    (void)state;
    static const double at[] = {100, 101, 100, 99.5, 100, 102};
    struct series s = {.twins = 2};
    struct estimate e;
    for (size_t p = 0; p < COUNT(at); p++) {
        const double v[] = {at[p], at[p], at[p]};
        process_add(&s, p, v, 3);
    }
    assert_int_equal(estimate_null(&s, &e), 0);
    assert_near(e.low, 0.995); /* three launches: their extremes */
    assert_near(e.high, 1.02);
    assert_near(noise_floor(&e), 0.02);
    s.twins = 1;
    assert_int_equal(estimate_null(&s, &e), -1);
    series_free(&s);

    /* Faster counts as much: half the time is as far from the same as twice. */
    s = (struct series){.twins = 2};
    const double slow[] = {100, 100, 100, 100, 100, 100}, fast[] = {50, 50, 50, 50, 50, 50};
    process_add(&s, 0, slow, 6);
    process_add(&s, 1, fast, 6);
    assert_int_equal(estimate_null(&s, &e), 0);
    assert_near(noise_floor(&e), 1);
    series_free(&s);
}

/* Two-sided 5% critical values of the Mann-Whitney test as tables have them (Hollander and Wolfe,
 * table A.6): the interval leaves out so many of the smallest and of the largest ratios. */
static void shift_interval_ranks(void **state)
{
    (void)state;
    static const struct {
        size_t m, n;
        int critical; /* -1: none */
    } rows[] = {{3, 3, -1},   {3, 4, -1},   {4, 4, 0},  {3, 5, 0},  {5, 5, 2},
                {5, 6, 3},    {6, 6, 5},    {7, 7, 8},  {8, 8, 13}, {9, 9, 17},
                {10, 10, 23}, {12, 12, 37}, {8, 12, 22}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct series base = {.twins = 1}, other = {.twins = 1};
        struct estimate e;
        double ratios[144];
        size_t n = 0;
        /* All ratios differ: 2^k in one, 2^(k/100) in the other would be too coarse; primes do. */
        static const double primes[] = {2,  3,  5,  7,  11, 13, 17, 19, 23, 29, 31, 37,
                                        41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89};
        for (size_t k = 0; k < rows[i].m; k++)
            samples_add(series_at(&base, k), 1, (uint64_t)primes[k], 0);
        for (size_t k = 0; k < rows[i].n; k++)
            samples_add(series_at(&other, k), 1, (uint64_t)primes[12 + k], 0);
        for (size_t a = 0; a < rows[i].m; a++)
            for (size_t b = 0; b < rows[i].n; b++)
                ratios[n++] = primes[12 + b] / primes[a];
        assert_int_equal(estimate_unpaired(&base, &other, &e), 0);
        assert_int_equal(e.have_interval, rows[i].critical >= 0);
        if (e.have_interval) {
            size_t below = 0, above = 0;
            for (size_t k = 0; k < n; k++) {
                below += ratios[k] < e.low;
                above += ratios[k] > e.high;
            }
            assert_int_equal(below, rows[i].critical);
            assert_int_equal(above, rows[i].critical);
        }
        series_free(&base);
        series_free(&other);
    }
}

static void few_samples_of_other_runs(void **state)
{
    (void)state;
    static const double slow[] = {115, 114, 115, 115, 115}, fast[] = {78.8, 78.8, 78.8, 78.8, 78.8};
    struct series base = {.twins = 1}, other = {.twins = 1};
    struct estimate e;
    process_add(&base, 0, slow, 5);
    process_add(&other, 0, fast, 5);
    assert_int_equal(estimate_unpaired(&base, &other, &e), 0);
    assert_true(e.have_interval);
    assert_near(e.median, 78.8 / 115);
    assert_near(e.low, 78.8 / 115);
    assert_near(e.high, 78.8 / 114); /* there are five of them */
    series_free(&other);
    process_add(&other, 0, fast, 1);
    assert_int_equal(estimate_unpaired(&base, &other, &e), 0);
    assert_int_equal(e.n, 1);
    assert_false(e.have_interval);
    series_free(&base);
    series_free(&other);
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
        cmocka_unit_test(intervals_are_of_processes),
        cmocka_unit_test(noise_is_what_twins_show),
        cmocka_unit_test(shift_interval_ranks),
        cmocka_unit_test(few_samples_of_other_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "random.h"

/* What the generator's reference code (splitmix64.c of Vigna) gives for this seed. */
static void reference_values(void **state)
{
    static const uint64_t want[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                    UINT64_C(9817491932198370423)};
    struct random r;

    (void)state;
    random_start(&r, 1234567);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        assert_true(random_next(&r) == want[i]);
}

static void a_seed_repeats(void **state)
{
    struct random a, b, c;
    int differ = 0;

    (void)state;
    random_start(&a, 7);
    random_start(&b, 7);
    random_start(&c, 8);
    for (size_t i = 0; i < 100; i++) {
        uint64_t x = random_next(&a);
        assert_true(x == random_next(&b));
        differ += x != random_next(&c);
    }
    assert_true(differ >= 99);
}

static void below_is_below(void **state)
{
    static const uint64_t limits[] = {1, 2, 3, 4096, UINT64_C(1) << 63, UINT64_MAX};
    struct random r;

    (void)state;
    random_start(&r, 1);
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
        for (size_t i = 0; i < 200; i++)
            assert_true(random_below(&r, limits[k]) < limits[k]);
}

/* Each of n values in n-ths of the draws: 6 standard deviations are at most 6 x sqrt(draws / 4). */
static void below_is_even(void **state)
{
    enum { DRAWS = 10000, SLACK = 300, MOST = 6 };
    struct random r;

    (void)state;
    random_start(&r, 42);
    for (size_t n = 1; n <= MOST; n++) {
        size_t counts[MOST] = {0};
        for (size_t i = 0; i < DRAWS; i++)
            counts[random_below(&r, n)]++;
        for (size_t i = 0; i < n; i++)
            assert_in_range(counts[i], DRAWS / n > SLACK ? DRAWS / n - SLACK : 0,
                            DRAWS / n + SLACK);
    }
}

static void drawn_seeds(void **state)
{
    uint64_t first = random_seed();
    int differ = 0;

    (void)state;
    for (size_t i = 0; i < 8; i++) {
        uint64_t seed = random_seed();
        assert_true(seed < UINT64_C(1) << 53); /* what a double holds */
        differ |= seed != first;
    }
    assert_true(differ);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_values), cmocka_unit_test(a_seed_repeats),
        cmocka_unit_test(below_is_below),   cmocka_unit_test(below_is_even),
        cmocka_unit_test(drawn_seeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "pareto.h"

static void test_front(void **state)
{
    /* small and slow, between, large and fast; and two that are beaten */
    struct pareto_point p[] = {{.bytes = 100, .cost = 9},
                               {.bytes = 200, .cost = 5},
                               {.bytes = 300, .cost = 4},
                               {.bytes = 210, .cost = 5},
                               {.bytes = 350, .cost = 8}};
    (void)state;
    pareto_mark(p, 5, NULL, NULL);
    assert_int_equal(p[0].dominated, 0);
    assert_int_equal(p[1].dominated, 0);
    assert_int_equal(p[2].dominated, 0);
    assert_int_equal(p[3].dominated, 1);
    assert_int_equal(p[3].by, 1);
    assert_int_equal(p[4].dominated, 1);
    assert_int_equal(p[4].by, 2); /* of three that beat it, the one of least cost */
}

static void test_equal_points_stand(void **state)
{
    struct pareto_point p[] = {{.bytes = 100, .cost = 5},
                               {.bytes = 100, .cost = 5},
                               {.bytes = 100, .cost = 6},
                               {.bytes = 101, .cost = 5}};
    (void)state;
    pareto_mark(p, 4, NULL, NULL);
    assert_int_equal(p[0].dominated, 0);
    assert_int_equal(p[1].dominated, 0);
    assert_int_equal(p[2].dominated, 1);
    assert_int_equal(p[3].dominated, 1);
}

static void test_few(void **state)
{
    struct pareto_point p[] = {{.bytes = 100, .cost = 5, .dominated = 1}};
    size_t out[1] = {9};
    (void)state;
    pareto_mark(p, 0, NULL, NULL);
    assert_int_equal(p[0].dominated, 1); /* not looked at */
    pareto_mark(p, 1, NULL, NULL);
    assert_int_equal(p[0].dominated, 0);
    assert_int_equal(pareto_hull(p, 0, out), 0);
    assert_int_equal(out[0], 9);
    assert_int_equal(pareto_hull(p, 1, out), 1);
    assert_int_equal(out[0], 0);
}

/* Costs below 2% of another's are not told apart. */
static int noisy(const void *arg, size_t i, size_t k)
{
    const struct pareto_point *p = arg;
    if (p[i].cost * 1.02 < p[k].cost)
        return -1;
    return p[k].cost * 1.02 < p[i].cost;
}

static void test_noise_is_a_tie(void **state)
{
    struct pareto_point p[] = {
        {.bytes = 100, .cost = 5.05}, {.bytes = 200, .cost = 5}, {.bytes = 300, .cost = 4.5}};
    (void)state;
    pareto_mark(p, 3, NULL, NULL);
    assert_int_equal(p[1].dominated, 0);
    pareto_mark(p, 3, noisy, p);
    assert_int_equal(p[0].dominated, 0);
    assert_int_equal(p[1].dominated, 1); /* the larger of two that cost the same */
    assert_int_equal(p[1].by, 0);
    assert_int_equal(p[2].dominated, 0);
}

static void test_ties_do_not_chain(void **state)
{
    /* each next one is a tie with the one before; the last is not one with the first */
    struct pareto_point p[] = {
        {.bytes = 100, .cost = 5.00}, {.bytes = 200, .cost = 4.93}, {.bytes = 300, .cost = 4.86}};
    size_t out[3];
    (void)state;
    pareto_mark(p, 3, noisy, p);
    assert_int_equal(p[0].dominated, 0);
    assert_int_equal(p[1].dominated, 1);
    assert_int_equal(p[1].by, 0);
    assert_int_equal(p[2].dominated, 0);
    assert_int_equal(pareto_hull(p, 3, out), 2);
    assert_int_equal(out[0], 0);
    assert_int_equal(out[1], 2);
}

static void test_hull(void **state)
{
    /* 2 is on the front but for no price the best: it lies above the line from 0 to 3 */
    static const struct pareto_point p[] = {{.bytes = 100, .cost = 9},   {.bytes = 300, .cost = 8},
                                            {.bytes = 200, .cost = 8.8}, {.bytes = 160, .cost = 5},
                                            {.bytes = 400, .cost = 4},   {.bytes = 500, .cost = 4}};
    size_t out[6];
    (void)state;
    assert_int_equal(pareto_hull(p, 6, out), 3);
    assert_int_equal(out[0], 0);
    assert_int_equal(out[1], 3);
    assert_int_equal(out[2], 4);
    assert_true(pareto_exchange(&p[0], &p[3]) == 15);
    assert_true(pareto_exchange(&p[3], &p[4]) == 240);
    /* with any weight, no point is better than the hull's of that range */
    for (double weight = 0; weight < 400; weight += 1) {
        size_t best = weight < 15 ? 0 : weight < 240 ? 3 : 4;
        for (size_t i = 0; i < 6; i++)
            assert_true(p[best].bytes + weight * p[best].cost <= p[i].bytes + weight * p[i].cost);
    }
}

static void test_hull_on_a_line(void **state)
{
    static const struct pareto_point p[] = {
        {.bytes = 100, .cost = 3}, {.bytes = 200, .cost = 2}, {.bytes = 300, .cost = 1}};
    static const struct pareto_point same[] = {{.bytes = 100, .cost = 3},
                                               {.bytes = 100, .cost = 3}};
    size_t out[3];
    (void)state;
    assert_int_equal(pareto_hull(p, 3, out), 2);
    assert_int_equal(out[1], 2);
    assert_int_equal(pareto_hull(same, 2, out), 1);
    assert_int_equal(out[0], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_front),
        cmocka_unit_test(test_equal_points_stand),
        cmocka_unit_test(test_few),
        cmocka_unit_test(test_noise_is_a_tie),
        cmocka_unit_test(test_ties_do_not_chain),
        cmocka_unit_test(test_hull),
        cmocka_unit_test(test_hull_on_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

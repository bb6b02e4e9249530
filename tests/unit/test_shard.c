/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "shard.h"

static void words(void **state)
{
    static const char *const bad[] = {
        "",     "/",   "2",    "2/",    "/8",   "a/b",  "0/8",     "9/8",
        "0/0",  "1/0", "-1/2", "1/2/3", "1 /2", "1/2 ", "1/10001", "1/99999999999999999999",
        "1.5/2"};
    struct shard s = {0};
    struct err e = ERR_INIT;
    (void)state;

    assert_int_equal(shard_parse("2/8", &s, &e), 0);
    assert_int_equal(s.index, 2);
    assert_int_equal(s.of, 8);
    assert_int_equal(shard_parse("10000/10000", &s, &e), 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct shard kept = {3, 4};
        assert_int_equal(shard_parse(bad[i], &kept, &e), -1);
        assert_int_equal(e.exit_code, EXIT_USAGE);
        assert_non_null(strstr(e.text, bad[i]));
        assert_non_null(strstr(e.text, "--shard"));
        assert_int_equal(kept.index, 3);
        err_clear(&e);
    }
}

/* Runs of items, as they follow each other in the line: how many, and the weight of each. */
static const struct run {
    size_t n;
    uint64_t weight;
} line[] = {{30, 4}, {30, 4}, {7, 1}, {1, 9}, {30, 4}, {2, 6}};
enum { RUNS = sizeof line / sizeof line[0], ITEMS = 100 };

static uint64_t line_weight(void)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < RUNS; i++)
        sum += line[i].n * line[i].weight;
    return sum;
}

/* Marks what the shard takes, by the item's number in the line; returns the weight. */
static uint64_t take_all(struct shard s, unsigned *taken)
{
    uint64_t at = 0, sum = 0, total = line_weight();
    size_t first = 0;

    for (size_t i = 0; i < RUNS; first += line[i].n, i++) {
        struct shard_range r = shard_take(&s, total, &at, line[i].n, line[i].weight);
        assert_true(r.first <= r.end && r.end <= line[i].n);
        for (size_t k = r.first; k < r.end; k++)
            taken[first + k]++;
        sum += (r.end - r.first) * line[i].weight;
    }
    assert_int_equal(at, total);
    return sum;
}

static void all_once(void **state)
{
    (void)state;
    for (uint64_t of = 1; of <= 3 * ITEMS; of++) {
        unsigned taken[ITEMS] = {0};
        uint64_t sum = 0;
        for (uint64_t i = 1; i <= of; i++)
            sum += take_all((struct shard){i, of}, taken);
        assert_int_equal(sum, line_weight());
        for (size_t k = 0; k < ITEMS; k++)
            assert_int_equal(taken[k], 1);
    }
}

/* No piece is further than the heaviest item from an even share. */
static void even(void **state)
{
    (void)state;
    for (uint64_t of = 1; of <= ITEMS; of++) {
        for (uint64_t i = 1; i <= of; i++) {
            unsigned taken[ITEMS] = {0};
            uint64_t share = line_weight() / of, sum = take_all((struct shard){i, of}, taken);
            assert_true(sum <= share + 10);
            assert_true(sum + 10 >= share);
        }
    }
}

static void one_piece(void **state)
{
    (void)state;
    for (uint64_t i = 1; i <= 7; i++) {
        unsigned taken[ITEMS] = {0}, pieces = 0;
        take_all((struct shard){i, 7}, taken);
        for (size_t k = 0; k < ITEMS; k++)
            pieces += taken[k] && (k == 0 || !taken[k - 1]);
        assert_int_equal(pieces, 1);
    }
}

static void not_sharded(void **state)
{
    uint64_t at = 5;
    struct shard_range r = shard_take(&(struct shard){0, 0}, 100, &at, 6, 4);
    (void)state;

    assert_int_equal(r.first, 0);
    assert_int_equal(r.end, 6);
    assert_int_equal(at, 29);
    r = shard_take(&(struct shard){0, 0}, 100, &at, 0, 4);
    assert_int_equal(r.first, r.end);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words),     cmocka_unit_test(all_once),    cmocka_unit_test(even),
        cmocka_unit_test(one_piece), cmocka_unit_test(not_sharded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

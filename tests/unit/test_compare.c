/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "compare.h"
#include "mem.h"

static void add(struct comparison *c, enum metric m, const char *name, enum verdict v, double ratio)
{
    struct finding f = {.metric = m,
                        .name = xstrdup(name),
                        .verdict = v,
                        .base = 1000,
                        .now = 1000 * ratio,
                        .ratio = ratio,
                        .low = ratio,
                        .high = ratio,
                        .have_interval = 1,
                        .limit = 0.02};
    if (v == VERDICT_EXCLUDED)
        f = (struct finding){
            .metric = m, .name = f.name, .verdict = v, .reason = xstrdup("build-failed")};
    comparison_add(c, &f);
}

/* Finishes with nothing allowed but a word (NULL: nothing). */
static void finish(struct comparison *c, const char *allowed)
{
    struct policy p;
    struct err e = ERR_INIT;
    policy_start(&p);
    if (allowed)
        assert_int_equal(policy_allow_add(&p, allowed, &e), 0);
    comparison_finish(c, &p);
    policy_free(&p);
}

static void deciding_first(void **state)
{
    (void)state;
    static const char *const order[] = {"w-large", "w-small", "u-large", "u-small",
                                        "b-large", "b-small", "s-a",     "s-b",
                                        "s-b",     "x-a",     "x-b"};
    struct comparison c = {0};
    add(&c, METRIC_JUDGED_TIME, "x-b", VERDICT_EXCLUDED, 0);
    add(&c, METRIC_JUDGED_INSNS, "s-b", VERDICT_SAME, 1);
    add(&c, METRIC_JUDGED_TIME, "b-small", VERDICT_BETTER, 0.9);
    add(&c, METRIC_JUDGED_SIZE, "u-small", VERDICT_UNCLEAR, 1.01);
    add(&c, METRIC_JUDGED_TIME, "w-small", VERDICT_WORSE, 1.05);
    add(&c, METRIC_JUDGED_TIME, "b-large", VERDICT_BETTER, 0.5);
    add(&c, METRIC_JUDGED_TIME, "s-b", VERDICT_SAME, 1);
    add(&c, METRIC_JUDGED_TIME, "x-a", VERDICT_EXCLUDED, 0);
    add(&c, METRIC_JUDGED_TIME, "s-a", VERDICT_SAME, 1);
    add(&c, METRIC_JUDGED_INSNS, "w-large", VERDICT_WORSE, 1.5);
    add(&c, METRIC_JUDGED_TIME, "u-large", VERDICT_UNCLEAR, 0.8);
    finish(&c, NULL);
    assert_int_equal(c.n, sizeof order / sizeof *order);
    for (size_t i = 0; i < c.n; i++)
        assert_string_equal(c.findings[i].name, order[i]);
    assert_int_equal(c.findings[7].metric, METRIC_JUDGED_TIME);
    assert_int_equal(comparison_count(&c, VERDICT_WORSE), 2);
    assert_int_equal(comparison_count_of(&c, METRIC_JUDGED_INSNS, VERDICT_WORSE), 1);
    assert_int_equal(comparison_count_of(&c, METRIC_JUDGED_SIZE, VERDICT_WORSE), 0);
    assert_int_equal(c.outcome, EXIT_REGRESSION);
    comparison_free(&c);
    assert_null(c.findings);
}

static void geometric_means(void **state)
{
    (void)state;
    struct comparison c = {0};
    add(&c, METRIC_JUDGED_TIME, "a", VERDICT_WORSE, 2);
    add(&c, METRIC_JUDGED_TIME, "b", VERDICT_BETTER, 0.125);
    add(&c, METRIC_JUDGED_TIME, "c", VERDICT_EXCLUDED, 0);
    add(&c, METRIC_JUDGED_INSNS, "a", VERDICT_SAME, 1);
    add(&c, METRIC_JUDGED_SIZE, "d", VERDICT_EXCLUDED, 0);
    finish(&c, NULL);
    assert_true(fabs(c.means[METRIC_JUDGED_TIME].ratio - 0.5) < 1e-12);
    assert_int_equal(c.means[METRIC_JUDGED_TIME].n, 2);
    assert_int_equal(c.means[METRIC_JUDGED_TIME].excluded, 1);
    assert_true(c.means[METRIC_JUDGED_INSNS].ratio == 1);
    assert_int_equal(c.means[METRIC_JUDGED_SIZE].n, 0);
    assert_int_equal(c.means[METRIC_JUDGED_SIZE].excluded, 1);
    assert_true(c.means[METRIC_JUDGED_SIZE].ratio == 0);
    comparison_free(&c);
}

/* Enough that a product of ratios would be no number any more. */
static void means_of_many(void **state)
{
    (void)state;
    struct comparison c = {0};
    for (size_t i = 0; i < 3000; i++)
        add(&c, METRIC_JUDGED_TIME, "a", VERDICT_WORSE, 8);
    finish(&c, NULL);
    assert_true(fabs(c.means[METRIC_JUDGED_TIME].ratio - 8) < 1e-9);
    comparison_free(&c);
}

static void outcomes(void **state)
{
    (void)state;
    static const struct {
        enum verdict verdict;
        const char *blocker, *allow;
        int outcome;
    } cases[] = {
        {VERDICT_SAME, NULL, NULL, EXIT_OK},
        {VERDICT_BETTER, NULL, NULL, EXIT_OK},
        {VERDICT_WORSE, NULL, NULL, EXIT_REGRESSION},
        {VERDICT_WORSE, "machine: another", NULL, EXIT_REGRESSION},
        {VERDICT_WORSE, NULL, "unclear", EXIT_REGRESSION},
        {VERDICT_UNCLEAR, NULL, NULL, EXIT_NO_VERDICT},
        {VERDICT_UNCLEAR, NULL, "missing", EXIT_NO_VERDICT},
        {VERDICT_UNCLEAR, NULL, "unclear", EXIT_OK},
        {VERDICT_UNCLEAR, "machine: another", "unclear", EXIT_NO_VERDICT},
        {VERDICT_SAME, "machine: another", NULL, EXIT_NO_VERDICT},
        {VERDICT_EXCLUDED, NULL, NULL, EXIT_NO_VERDICT},
        {VERDICT_EXCLUDED, NULL, "unclear", EXIT_NO_VERDICT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct comparison c = {0};
        add(&c, METRIC_JUDGED_TIME, "a", cases[i].verdict, 1.1);
        if (cases[i].blocker)
            list_add(&c.blockers, cases[i].blocker);
        finish(&c, cases[i].allow);
        if (c.outcome != cases[i].outcome)
            fail_msg("case %zu: expected %s, got %s", i, outcome_name(cases[i].outcome),
                     outcome_name(c.outcome));
        comparison_free(&c);
    }
}

static void one_excluded_among_others_does_not_decide(void **state)
{
    (void)state;
    struct comparison c = {0};
    add(&c, METRIC_JUDGED_TIME, "a", VERDICT_SAME, 1);
    add(&c, METRIC_JUDGED_TIME, "b", VERDICT_EXCLUDED, 0);
    finish(&c, NULL);
    assert_int_equal(c.outcome, EXIT_OK);
    comparison_free(&c);
}

static void what_was_allowed_is_said(void **state)
{
    (void)state;
    struct comparison c = {0};
    add(&c, METRIC_JUDGED_TIME, "a", VERDICT_UNCLEAR, 1.1);
    add(&c, METRIC_JUDGED_TIME, "b", VERDICT_SAME, 1);
    finish(&c, "unclear");
    assert_int_equal(c.allowed.n, 1);
    assert_string_equal(c.allowed.v[0], "unclear: 1 interval is too wide for a verdict");
    assert_int_equal(c.allow.n, 1);
    assert_string_equal(c.allow.v[0], "unclear");
    comparison_free(&c);
    /* not needed: in force all the same */
    add(&c, METRIC_JUDGED_TIME, "b", VERDICT_SAME, 1);
    finish(&c, "unclear");
    assert_int_equal(c.allowed.n, 0);
    assert_int_equal(c.allow.n, 1);
    comparison_free(&c);
}

static void nothing_to_compare(void **state)
{
    (void)state;
    struct comparison c = {0};
    finish(&c, NULL);
    assert_int_equal(c.outcome, EXIT_NO_VERDICT);
    assert_int_equal(c.blockers.n, 1);
    assert_non_null(strstr(c.blockers.v[0], "nothing-compared: "));
    comparison_free(&c);
    list_add(&c.blockers, "workload: record/1 and stream/1");
    finish(&c, NULL);
    assert_int_equal(c.outcome, EXIT_NO_VERDICT);
    assert_int_equal(c.blockers.n, 1);
    comparison_free(&c);
}

static void names(void **state)
{
    (void)state;
    assert_string_equal(verdict_name(VERDICT_WORSE, METRIC_JUDGED_TIME), "slower");
    assert_string_equal(verdict_name(VERDICT_BETTER, METRIC_JUDGED_TIME), "faster");
    assert_string_equal(verdict_name(VERDICT_WORSE, METRIC_JUDGED_SIZE), "larger");
    assert_string_equal(verdict_name(VERDICT_BETTER, METRIC_JUDGED_SIZE), "smaller");
    assert_string_equal(verdict_name(VERDICT_EXCLUDED, METRIC_JUDGED_INSNS), "excluded");
    assert_string_equal(outcome_name(EXIT_OK), "pass");
    assert_string_equal(outcome_name(EXIT_REGRESSION), "regression");
    assert_string_equal(outcome_name(EXIT_NO_VERDICT), "no verdict");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deciding_first),
        cmocka_unit_test(geometric_means),
        cmocka_unit_test(means_of_many),
        cmocka_unit_test(outcomes),
        cmocka_unit_test(one_excluded_among_others_does_not_decide),
        cmocka_unit_test(what_was_allowed_is_said),
        cmocka_unit_test(nothing_to_compare),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

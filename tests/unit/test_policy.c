/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "mem.h"
#include "policy.h"

#define CELL "x86_64/gcc/O2/aes-256-gcm/encrypt/16"

static int setup(void **state)
{
    const char *base = getenv("TMPDIR");
    char *dir = xasprintf("%s/cb-test-XXXXXX", base ? base : P_tmpdir);
    if (!mkdtemp(dir))
        return -1;
    *state = dir;
    return 0;
}

static int teardown(void **state)
{
    struct err e = ERR_INIT;
    int rc = tree_remove(*state, &e);
    err_clear(&e);
    free(*state);
    return rc;
}

/* Reads a file that has the schema and more. */
static int read_more(const char *dir, struct policy *p, const char *more, struct err *e)
{
    char *text = xasprintf("{\"schema\": \"crypto-bench-policy/1\"%s}\n", more);
    char *path = path_join(dir, "limits.json");
    assert_int_equal(file_write_atomic(path, text, strlen(text), e), 0);
    int rc = policy_read(p, path, e);
    free(path);
    free(text);
    return rc;
}

static void limit_is(const struct policy *p, enum metric m, const char *name, double percent)
{
    double found = 100 * policy_limit(p, m, name);
    if (fabs(found - percent) > 1e-12)
        fail_msg("%s of %s: expected %g%%, got %g%%", metric_name(m), name, percent, found);
}

static void defaults(void **state)
{
    (void)state;
    struct policy p;
    policy_start(&p);
    limit_is(&p, METRIC_JUDGED_TIME, CELL, 2);
    limit_is(&p, METRIC_JUDGED_INSNS, CELL, 0.5);
    limit_is(&p, METRIC_JUDGED_SIZE, "x86_64/gcc/O2", 1);
    limit_is(&p, METRIC_JUDGED_MODELLED, CELL, 5);
    for (size_t a = 0; a < ALLOW_COUNT; a++) {
        assert_int_equal(p.allow[a], 0);
        assert_non_null(allow_summary((enum allow)a));
    }
    assert_string_equal(metric_limit_name(METRIC_JUDGED_TIME), "max-slowdown");
    policy_free(&p);
    assert_null(p.limits);
}

static void options_add_limits(void **state)
{
    (void)state;
    struct policy p;
    struct err e = ERR_INIT;
    policy_start(&p);
    assert_int_equal(policy_limit_add(&p, METRIC_JUDGED_TIME, "5%", &e), 0);
    limit_is(&p, METRIC_JUDGED_TIME, CELL, 5);
    limit_is(&p, METRIC_JUDGED_INSNS, CELL, 0.5);
    assert_int_equal(
        policy_limit_add(&p, METRIC_JUDGED_TIME, "3,*/aes-256-gcm/*=0.25%,arm/*=.5", &e), 0);
    limit_is(&p, METRIC_JUDGED_TIME, CELL, 0.25);
    limit_is(&p, METRIC_JUDGED_TIME, "x86_64/gcc/O2/aes-256-cbc/encrypt/16", 3);
    limit_is(&p, METRIC_JUDGED_TIME, "arm/gcc/O2/aes-256-gcm/encrypt/16", 0.5);
    /* the last that matches, not the narrowest; the last '=' ends the pattern */
    assert_int_equal(policy_limit_add(&p, METRIC_JUDGED_TIME, "a=b*=7,0", &e), 0);
    limit_is(&p, METRIC_JUDGED_TIME, CELL, 0);
    limit_is(&p, METRIC_JUDGED_TIME, "a=bc", 0);
    assert_int_equal(policy_limit_add(&p, METRIC_JUDGED_TIME, "1000%,a=b*=7", &e), 0);
    limit_is(&p, METRIC_JUDGED_TIME, CELL, 1000);
    limit_is(&p, METRIC_JUDGED_TIME, "a=bc", 7);
    policy_free(&p);
}

static void options_refuse(void **state)
{
    (void)state;
    static const char *const cases[] = {"",     "%",     "x",      "2%%", "-1%",  "+1%",  "1e1%",
                                        "2 %",  " 2%",   "=2%",    "a=",  "a=b",  "2%,",  ",2%",
                                        "1,x=", "1001%", "1000.1", "nan", "inf%", "0x10", "2,5,x%"};
    struct policy p;
    policy_start(&p);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err e = ERR_INIT;
        if (!policy_limit_add(&p, METRIC_JUDGED_SIZE, cases[i], &e))
            fail_msg("accepted: %s", cases[i]);
        assert_int_equal(e.exit_code, EXIT_USAGE);
        assert_non_null(strstr(e.text, "--max-size '"));
        /* nothing of it stays */
        assert_int_equal(p.n, METRIC_COUNT);
        err_clear(&e);
    }
    policy_free(&p);
}

static void allow_words(void **state)
{
    (void)state;
    struct policy p;
    struct err e = ERR_INIT;
    policy_start(&p);
    for (size_t a = 0; a < ALLOW_COUNT; a++) {
        assert_int_equal(policy_allow_add(&p, allow_name((enum allow)a), &e), 0);
        assert_int_equal(p.allow[a], 1);
    }
    assert_int_equal(policy_allow_add(&p, "mising", &e), -1);
    assert_int_equal(e.exit_code, EXIT_USAGE);
    assert_non_null(strstr(e.text, "did you mean 'missing'"));
    err_clear(&e);
    assert_int_equal(policy_allow_add(&p, "", &e), -1);
    err_clear(&e);
    policy_free(&p);
}

static void files(void **state)
{
    struct policy p;
    struct err e = ERR_INIT;
    policy_start(&p);
    /* limits for all come first, wherever they stand */
    assert_int_equal(read_more(*state, &p,
                               ", \"cells\": [{\"pattern\": \"*/aes-256-gcm/*\", "
                               "\"max_slowdown\": \"5%\", \"max_insns\": \"0%\"}], "
                               "\"allow\": [\"extra\", \"few-samples\"], \"max_modelled\": \"8%\", "
                               "\"max_slowdown\": \"3%\", \"max_size\": \"0.25%\"",
                               &e),
                     0);
    limit_is(&p, METRIC_JUDGED_TIME, CELL, 5);
    limit_is(&p, METRIC_JUDGED_TIME, "other", 3);
    limit_is(&p, METRIC_JUDGED_INSNS, CELL, 0);
    limit_is(&p, METRIC_JUDGED_INSNS, "other", 0.5);
    limit_is(&p, METRIC_JUDGED_SIZE, "x86_64/gcc/O2", 0.25);
    limit_is(&p, METRIC_JUDGED_MODELLED, "other", 8);
    assert_int_equal(p.allow[ALLOW_EXTRA], 1);
    assert_int_equal(p.allow[ALLOW_SINGLE], 1);
    assert_int_equal(p.allow[ALLOW_MISSING], 0);
    /* options after it win */
    assert_int_equal(policy_limit_add(&p, METRIC_JUDGED_TIME, "1%", &e), 0);
    limit_is(&p, METRIC_JUDGED_TIME, CELL, 1);
    policy_free(&p);
    policy_start(&p);
    assert_int_equal(read_more(*state, &p, "", &e), 0);
    limit_is(&p, METRIC_JUDGED_TIME, CELL, 2);
    policy_free(&p);
}

static void files_refused(void **state)
{
    static const struct {
        const char *more, *where, *what;
    } cases[] = {
        {", \"max_slowdwn\": \"2%\"", "$.max_slowdwn", "max_slowdown"},
        {", \"max_size\": \"1%\", \"max_size\": \"2%\"", "max_size", "duplicate"},
        {", \"max_size\": 1", "$.max_size", "string"},
        {", \"max_size\": null", "$.max_size", "string"},
        {", \"max_size\": \"1\"", "$.max_size", "0.5%"},
        {", \"max_size\": \"1001%\"", "$.max_size", "1000%"},
        {", \"max_size\": \"-1%\"", "$.max_size", "-1%"},
        {", \"max_size\": \"a=1%\"", "$.max_size", "a=1%"},
        {", \"cells\": {}", "$.cells", "array"},
        {", \"cells\": [3]", "$.cells[0]", "object"},
        {", \"cells\": [{\"max_size\": \"1%\"}]", "$.cells[0].pattern", "string"},
        {", \"cells\": [{\"pattern\": \"\", \"max_size\": \"1%\"}]", "$.cells[0].pattern", "empty"},
        {", \"cells\": [{\"pattern\": \"a\"}]", "$.cells[0]", "no limit"},
        {", \"cells\": [{\"pattern\": \"a\", \"max_size\": \"1%\"}, {\"pattern\": \"b\", "
         "\"max_size\": \"x\"}]",
         "$.cells[1].max_size", "'x'"},
        {", \"cells\": [{\"pattern\": \"a\", \"allow\": []}]", "$.cells[0].allow", "unknown key"},
        {", \"allow\": \"extra\"", "$.allow", "array"},
        {", \"allow\": [\"extra\", \"extras\"]", "$.allow[1]", "did you mean 'extra'"},
        {", \"allow\": [true]", "$.allow[0]", "string"},
        {"} {", "limits.json", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct policy p;
        struct err e = ERR_INIT;
        policy_start(&p);
        if (!read_more(*state, &p, cases[i].more, &e))
            fail_msg("accepted: %s", cases[i].more);
        assert_int_equal(e.exit_code, EXIT_USAGE);
        assert_non_null(strstr(e.text, "limits.json"));
        if (!strstr(e.text, cases[i].where) || !strstr(e.text, cases[i].what))
            fail_msg("%s: expected '%s' and '%s' in: %s", cases[i].more, cases[i].where,
                     cases[i].what, e.text);
        /* nothing of it stays */
        assert_int_equal(p.n, METRIC_COUNT);
        assert_int_equal(p.allow[ALLOW_EXTRA], 0);
        err_clear(&e);
        policy_free(&p);
    }
}

static void no_such_file(void **state)
{
    (void)state;
    struct policy p;
    struct err e = ERR_INIT;
    policy_start(&p);
    assert_int_equal(policy_read(&p, "/nonexistent/policy.json", &e), -1);
    assert_int_equal(e.exit_code, EXIT_USAGE);
    assert_non_null(strstr(e.text, "/nonexistent/policy.json"));
    err_clear(&e);
    policy_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(options_add_limits),
        cmocka_unit_test(options_refuse),
        cmocka_unit_test(allow_words),
        cmocka_unit_test_setup_teardown(files, setup, teardown),
        cmocka_unit_test_setup_teardown(files_refused, setup, teardown),
        cmocka_unit_test(no_such_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "status.h"

/* The table is indexed by designators: a forgotten row would be NULL. */
static void every_status_has_a_row(void **state)
{
    (void)state;
    for (int i = 0; i < STATUS_COUNT; i++) {
        const char *name = status_name((enum status)i);
        const char *summary = status_summary((enum status)i);
        assert_non_null(name);
        assert_non_null(summary);
        assert_true(strlen(summary) > 10);
        assert_null(strchr(summary, '\n'));
        assert_int_equal(name[strspn(name, "abcdefghijklmnopqrstuvwxyz-")], '\0');
        assert_int_equal(status_by_name(name), i);
    }
}

/* These are in result files: they cannot change. */
static void names_are_the_format(void **state)
{
    (void)state;
    static const struct {
        enum status status;
        const char *name;
    } rows[] = {
        {STATUS_OK, "ok"},
        {STATUS_BUILD_FAILED, "build-failed"},
        {STATUS_SOURCE_MISSING, "source-missing"},
        {STATUS_COMPILER_MISSING, "compiler-missing"},
        {STATUS_RUNNER_MISSING, "runner-missing"},
        {STATUS_WRONG_MACHINE, "wrong-machine"},
        {STATUS_WRONG_LIBRARY, "wrong-library"},
        {STATUS_ILLEGAL_INSTRUCTION, "illegal-instruction"},
        {STATUS_DRIVER_DIED, "driver-died"},
        {STATUS_TIMEOUT, "timeout"},
        {STATUS_BAD_ANSWER, "bad-answer"},
        {STATUS_BAD_CLOCK, "bad-clock"},
        {STATUS_WRONG_ANSWER, "wrong-answer"},
        {STATUS_UNSUPPORTED, "unsupported"},
        {STATUS_SKIPPED, "skipped"},
    };
    assert_int_equal(sizeof rows / sizeof *rows, STATUS_COUNT);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(status_name(rows[i].status), rows[i].name);
}

static void unknown_names(void **state)
{
    (void)state;
    static const char *const names[] = {"", "OK", "ok ", "build", "build_failed"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(status_by_name(names[i]), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_row),
        cmocka_unit_test(names_are_the_format),
        cmocka_unit_test(unknown_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "driver.h"
#include "spawn.h"

/* Long enough for a loaded machine; short where the point is that it passes. */
enum { LONG_MS = 30000, SHORT_MS = 300 };

static const char *fake;

static const struct time_request request = {
    .workload = "record/1",
    .alg = "aes-256-gcm",
    .op = "encrypt",
    .bytes = 1456,
    .sample_ns = 2000000,
    .count = 2,
};

static struct driver *start(const char *mode, int timeout_ms)
{
    struct list argv = LIST_INIT;
    struct err e = ERR_INIT;
    struct driver *d;

    list_add(&argv, fake);
    list_add(&argv, "--mode");
    list_add(&argv, mode);
    list_add(&argv, "driver-path");
    assert_int_equal(driver_start(&argv, NULL, timeout_ms, &d, &e), STATUS_OK);
    list_free(&argv);
    return d;
}

static void good_driver_answers(void **state)
{
    struct driver *d = start("good", LONG_MS);
    struct samples s = {0};
    struct driver_info info;
    struct err e = ERR_INIT;

    (void)state;
    assert_true(driver_alive(d));
    assert_int_equal(driver_info(d, &info, &e), STATUS_OK);
    assert_string_equal(info.library, "OpenSSL 3.0.0 fake");
    assert_string_equal(info.headers, info.library);
    assert_string_equal(info.build_flags, "compiler: fake");
    assert_string_equal(info.capabilities, "FAKE_cap=0x1");
    assert_string_equal(info.clock, "CLOCK_MONOTONIC");
    assert_int_equal(info.clock_tick_ns, 41);
    assert_int_equal(info.bits, sizeof(void *) * 8);
    assert_int_equal(info.big, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
    driver_info_free(&info);
    assert_int_equal(driver_check(d, "aes-256-gcm", &e), STATUS_OK);
    assert_int_equal(driver_time(d, &request, &s, &e), STATUS_OK);
    /* Appended to what is there. */
    assert_int_equal(driver_time(d, &request, &s, &e), STATUS_OK);
    assert_int_equal(s.n, 4);
    for (size_t i = 0; i < s.n; i++) {
        assert_int_equal(s.v[i].ops, 2000);
        assert_int_equal(s.v[i].ns, 2000000);
    }
    assert_true(driver_alive(d));
    driver_close(d);
    samples_free(&s);
    assert_null(e.text);
}

static void unchecked_time_is_refused(void **state)
{
    struct driver *d = start("good", LONG_MS);
    struct samples s = {0};
    struct err e = ERR_INIT;

    (void)state;
    assert_int_equal(driver_time(d, &request, &s, &e), STATUS_BAD_ANSWER);
    assert_non_null(strstr(e.text, "unchecked"));
    assert_int_equal(s.n, 0);
    assert_false(driver_alive(d));
    driver_close(d);
    err_clear(&e);
}

static void unknown_algorithm_is_unsupported(void **state)
{
    struct driver *d = start("good", LONG_MS);
    struct err e = ERR_INIT;

    (void)state;
    assert_int_equal(driver_check(d, "rot13", &e), STATUS_UNSUPPORTED);
    assert_true(driver_alive(d));
    assert_int_equal(driver_check(d, "aes-256-gcm", &e), STATUS_OK);
    driver_close(d);
    err_clear(&e);
}

/* What a fault in `time` (or before) comes to. */
static const struct fault {
    const char *mode;
    enum status status;
    const char *reason; /* part of it */
    int alive;          /* afterwards */
    int timeout_ms;
} faults[] = {
    {"crash", STATUS_DRIVER_DIED, "SIGSEGV", 0, LONG_MS},
    {"sigill", STATUS_ILLEGAL_INSTRUCTION, "SIGILL", 0, LONG_MS},
    {"exit-132", STATUS_ILLEGAL_INSTRUCTION, "Illegal instruction", 0, LONG_MS},
    {"qemu-sigill", STATUS_ILLEGAL_INSTRUCTION, "uncaught target signal 4", 0, LONG_MS},
    {"exit", STATUS_DRIVER_DIED, "exit status 3", 0, LONG_MS},
    {"exit", STATUS_DRIVER_DIED, "giving up in mid-work", 0, LONG_MS},
    {"start-crash", STATUS_DRIVER_DIED, "fake: cannot start: no such luck", 0, LONG_MS},
    {"no-cpu", STATUS_RUNNER_MISSING, "qemu-fake: unable to find CPU model 'cortex-z99'", 0,
     LONG_MS},
    {"garbage", STATUS_BAD_ANSWER, "Segmentation fault? ? No, a mere fortune cookie", 0, LONG_MS},
    {"motd", STATUS_BAD_ANSWER, "Welcome to router", 0, LONG_MS},
    {"silent", STATUS_TIMEOUT, "no answer to 'time record/1 aes-256-gcm", 0, SHORT_MS},
    {"partial", STATUS_TIMEOUT, "no answer", 0, SHORT_MS},
    {"start-silent", STATUS_TIMEOUT, "no answer to 'check", 0, SHORT_MS},
    {"huge-line", STATUS_BAD_ANSWER, "more than 4 MiB", 0, LONG_MS},
    {"two-lines", STATUS_BAD_ANSWER, "", 0, LONG_MS},
    {"no-ok", STATUS_BAD_ANSWER, "ok", 0, LONG_MS},
    {"no-samples", STATUS_BAD_ANSWER, "samples", 0, LONG_MS},
    {"few-samples", STATUS_BAD_ANSWER, "number of samples", 0, LONG_MS},
    {"wrong-echo", STATUS_BAD_ANSWER, "bytes", 0, LONG_MS},
    {"wrong-op", STATUS_BAD_ANSWER, "'encrypt'", 0, LONG_MS},
    {"words", STATUS_BAD_ANSWER, "[operations, ns]", 0, LONG_MS},
    {"nan", STATUS_BAD_ANSWER, "not JSON", 0, LONG_MS},
    {"infinite", STATUS_BAD_ANSWER, "not JSON", 0, LONG_MS},
    {"error-new", STATUS_BAD_ANSWER, "melted", 0, LONG_MS},
    {"error-failed", STATUS_DRIVER_DIED, "EVP_EncryptUpdate", 0, LONG_MS},
    {"stuck-clock", STATUS_BAD_CLOCK, "[1000,0]", 1, LONG_MS},
    {"negative", STATUS_BAD_CLOCK, "-1000000", 1, LONG_MS},
    {"fraction", STATUS_BAD_CLOCK, "1000.5", 1, LONG_MS},
    {"zero-ops", STATUS_BAD_CLOCK, "[0,1000]", 1, LONG_MS},
    {"many-ops", STATUS_BAD_CLOCK, "18446744073709551615 operations in 1000 ns", 1, LONG_MS},
    {"long-work", STATUS_BAD_CLOCK, "8206.000000 s of work inside a request of 0", 1, LONG_MS},
    {"overflow", STATUS_BAD_CLOCK, "18446744073.709", 1, LONG_MS},
    {"error-bad-clock", STATUS_BAD_CLOCK, "moved backwards", 1, LONG_MS},
    {"error-wrong-answer", STATUS_WRONG_ANSWER, "a tag was not verified", 1, LONG_MS},
    {"wrong-tag", STATUS_WRONG_ANSWER, "check aes-256-gcm", 1, LONG_MS},
    {"unsupported", STATUS_UNSUPPORTED, "unsupported", 1, LONG_MS},
};

static void faults_have_their_status(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        const struct fault *f = &faults[i];
        struct driver *d = start(f->mode, f->timeout_ms);
        struct samples s = {0};
        struct err e = ERR_INIT;
        enum status status = driver_check(d, request.alg, &e);

        if (status == STATUS_OK)
            status = driver_time(d, &request, &s, &e);
        /* A second line may come too late for the answer it belongs to. */
        if (status == STATUS_OK && strcmp(f->mode, "two-lines") == 0) {
            s.n = 0;
            status = driver_time(d, &request, &s, &e);
        }
        if (status != f->status || !e.text || !strstr(e.text, f->reason))
            fail_msg("%s: %s, '%s'", f->mode, status_name(status), e.text ? e.text : "");
        assert_null(strchr(e.text, '\n'));
        assert_int_equal(s.n, 0);
        assert_int_equal(driver_alive(d), f->alive);
        if (!f->alive) {
            /* Nothing more is to be had, and nothing hangs. */
            assert_int_equal(driver_check(d, request.alg, &e), STATUS_DRIVER_DIED);
            assert_non_null(strstr(e.text, "has ended before"));
        }
        driver_close(d);
        samples_free(&s);
        err_clear(&e);
    }
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void harmless_oddities_are_accepted(void **state)
{
    static const char *const modes[] = {"slow", "extra-keys", "stderr-flood", "drift"};
    struct time_request one = request;

    (void)state;
    one.count = 1;
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        struct driver *d = start(modes[i], LONG_MS);
        struct samples s = {0};
        struct err e = ERR_INIT;

        assert_int_equal(driver_check(d, one.alg, &e), STATUS_OK);
        assert_int_equal(driver_time(d, &one, &s, &e), STATUS_OK);
        assert_int_equal(s.n, 1);
        if (strcmp(modes[i], "stderr-flood") == 0) {
            /* What was written is read at the next request at the latest. */
            assert_int_equal(driver_check(d, one.alg, &e), STATUS_OK);
            char *line = driver_stderr(d);
            assert_non_null(strstr(line, "part 63 of a great deal that nobody asked for"));
            assert_null(strchr(line, '\n'));
            free(line);
        }
        driver_close(d);
        samples_free(&s);
        assert_null(e.text);
    }
}

static void cycles_come_with_samples(void **state)
{
    struct driver *d = start("good", LONG_MS);
    struct cycle_source source;
    struct samples s = {0};
    struct err e = ERR_INIT;

    (void)state;
    assert_int_equal(driver_check(d, request.alg, &e), STATUS_OK);
    /* Nobody asked yet. */
    assert_int_equal(driver_time(d, &request, &s, &e), STATUS_OK);
    assert_int_equal(driver_cycles(d, &source, &e), STATUS_OK);
    assert_string_equal(source.source, "fake");
    assert_true(source.hz == 2e9);
    cycle_source_free(&source);
    assert_null(source.source);
    assert_int_equal(driver_time(d, &request, &s, &e), STATUS_OK);
    assert_int_equal(s.n, 4);
    for (size_t i = 0; i < s.n; i++)
        assert_int_equal(s.v[i].cycles, i < 2 ? 0 : 4000000);
    driver_close(d);
    samples_free(&s);
    assert_null(e.text);
}

/* A sample without cycles is a sample all the same; a source need not have a rate. */
static void cycles_may_be_null(void **state)
{
    struct driver *d = start("null-cycles", LONG_MS);
    struct cycle_source source;
    struct samples s = {0};
    struct err e = ERR_INIT;

    (void)state;
    assert_int_equal(driver_check(d, request.alg, &e), STATUS_OK);
    assert_int_equal(driver_cycles(d, &source, &e), STATUS_OK);
    assert_true(source.hz == 0);
    cycle_source_free(&source);
    assert_int_equal(driver_time(d, &request, &s, &e), STATUS_OK);
    assert_int_equal(s.n, 2);
    assert_int_equal(s.v[1].ns, 2000000);
    assert_int_equal(s.v[1].cycles, 0);
    driver_close(d);
    samples_free(&s);
    assert_null(e.text);
}

static void driver_without_a_counter_goes_on(void **state)
{
    struct driver *d = start("no-cycles", LONG_MS);
    struct cycle_source source;
    struct samples s = {0};
    struct err e = ERR_INIT;

    (void)state;
    assert_int_equal(driver_check(d, request.alg, &e), STATUS_OK);
    assert_int_equal(driver_cycles(d, &source, &e), STATUS_UNSUPPORTED);
    assert_non_null(strstr(e.text, "no cycle counter: so the mode wants it"));
    assert_null(source.source);
    assert_true(driver_alive(d));
    assert_int_equal(driver_time(d, &request, &s, &e), STATUS_OK);
    assert_int_equal(s.n, 2);
    assert_int_equal(s.v[0].cycles, 0);
    driver_close(d);
    samples_free(&s);
    err_clear(&e);
}

static void nonsense_cycles_are_refused(void **state)
{
    static const struct {
        const char *mode, *reason;
    } rows[] = {
        {"many-cycles", "cycles of 3 samples instead of 2"},
        {"negative-cycles", "cycles of a sample are neither"},
        {"zero-cycles", "cycles of a sample are neither"},
        {"wild-cycles", "999999999999 cycles in 2000000 ns cannot be"},
        {"zero-hz", "hz is neither"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct driver *d = start(rows[i].mode, LONG_MS);
        struct cycle_source source;
        struct samples s = {0};
        struct err e = ERR_INIT;
        enum status status;

        assert_int_equal(driver_check(d, request.alg, &e), STATUS_OK);
        status = driver_cycles(d, &source, &e);
        if (status == STATUS_OK)
            status = driver_time(d, &request, &s, &e);
        if (status != STATUS_BAD_ANSWER || !strstr(e.text, rows[i].reason))
            fail_msg("%s: %s, '%s'", rows[i].mode, status_name(status), e.text ? e.text : "");
        assert_int_equal(s.n, 0);
        assert_false(driver_alive(d));
        cycle_source_free(&source);
        driver_close(d);
        samples_free(&s);
        err_clear(&e);
    }
}

static void fault_in_one_place_only(void **state)
{
    struct list argv = LIST_INIT;
    struct samples s = {0};
    struct err e = ERR_INIT;
    struct time_request r = request;
    struct driver *d;

    (void)state;
    list_split(&argv, "--mode crash --only aes-256-gcm/64", ' ');
    struct list whole = LIST_INIT;
    list_add(&whole, fake);
    list_add_all(&whole, &argv);
    assert_int_equal(driver_start(&whole, NULL, LONG_MS, &d, &e), STATUS_OK);
    assert_int_equal(driver_check(d, r.alg, &e), STATUS_OK);
    assert_int_equal(driver_time(d, &r, &s, &e), STATUS_OK);
    r.bytes = 64;
    assert_int_equal(driver_time(d, &r, &s, &e), STATUS_DRIVER_DIED);
    assert_int_equal(s.n, 2);
    driver_close(d);
    samples_free(&s);
    list_free(&argv);
    list_free(&whole);
    err_clear(&e);
}

static void missing_program(void **state)
{
    struct list argv = LIST_INIT;
    struct err e = ERR_INIT;
    struct driver *d;

    (void)state;
    list_add(&argv, "no-such-emulator");
    assert_int_equal(driver_start(&argv, NULL, LONG_MS, &d, &e), STATUS_RUNNER_MISSING);
    assert_null(d);
    assert_non_null(strstr(e.text, "'no-such-emulator' not found on PATH"));
    driver_close(d);
    list_free(&argv);
    err_clear(&e);
}

/* A program that is no driver at all: it ends without a word. */
static void silent_end_is_death(void **state)
{
    struct list argv = LIST_INIT;
    struct err e = ERR_INIT;
    struct driver_info info;
    struct driver *d;
    char *line;

    (void)state;
    list_add(&argv, "true");
    assert_int_equal(driver_start(&argv, NULL, LONG_MS, &d, &e), STATUS_OK);
    assert_int_equal(driver_info(d, &info, &e), STATUS_DRIVER_DIED);
    assert_string_equal(e.text, "exit status 0 at 'info'");
    line = driver_stderr(d);
    assert_string_equal(line, "");
    free(line);
    driver_close(d);
    list_free(&argv);
    err_clear(&e);
}

/* Needs a process of its own: an interrupt is for good. */
static void interrupt_ends_the_wait(void **state)
{
    int status;
    pid_t pid = fork();

    (void)state;
    if (pid == 0) {
        struct driver *d = start("silent", LONG_MS);
        struct samples s = {0};
        struct err e = ERR_INIT;
        int good;

        interrupt_install();
        good = driver_check(d, request.alg, &e) == STATUS_OK;
        raise(SIGTERM);
        good = good && driver_time(d, &request, &s, &e) == STATUS_SKIPPED &&
               strcmp(e.text, "interrupted") == 0 && !driver_alive(d);
        driver_close(d);
        err_clear(&e);
        _exit(good ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_driver_answers),
        cmocka_unit_test(unchecked_time_is_refused),
        cmocka_unit_test(unknown_algorithm_is_unsupported),
        cmocka_unit_test(faults_have_their_status),
        cmocka_unit_test(harmless_oddities_are_accepted),
        cmocka_unit_test(cycles_come_with_samples),
        cmocka_unit_test(cycles_may_be_null),
        cmocka_unit_test(driver_without_a_counter_goes_on),
        cmocka_unit_test(nonsense_cycles_are_refused),
        cmocka_unit_test(fault_in_one_place_only),
        cmocka_unit_test(missing_program),
        cmocka_unit_test(silent_end_is_death),
        cmocka_unit_test(interrupt_ends_the_wait),
    };

    fake = getenv("CB_FAKE_DRIVER");
    if (!fake) {
        fprintf(stderr, "test_driver: set CB_FAKE_DRIVER to the program made of "
                        "tests/driver/fake.c\n");
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
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

#include <math.h>

#include <cmocka.h>

#include "measure.h"
#include "mem.h"
#include "spawn.h"

enum { BUILDS_MAX = 4 };

static const char *fake;
static const char *const algs[] = {"aes-128-gcm", "chacha20-poly1305"};
static const uint64_t sizes[] = {16, 1456};
enum { ALGS = 2, SIZES = 2, ROWS = ALGS * SIZES };

/* Two algorithms x two sizes on drivers that are the fake with options. */
struct bench {
    struct target target;
    struct library library;
    struct build builds[BUILDS_MAX];
    struct build *list[BUILDS_MAX];
    struct lane lane;
    size_t done;
    struct str order; /* index of the build of each sample, as letters; '|' before each row */
    size_t cells_seen;
    int interrupt_at; /* raise SIGINT after so many samples; 0: never */
    int samples_seen;
    size_t launches, twins;
    double precision;
};

static struct cell *cell_at(struct bench *b, size_t row, size_t build)
{
    return &b->lane.cells[row * b->lane.nbuilds + build];
}

/* options: of the fake, for each build; NULL ends. */
static void bench_init(struct bench *b, const char *const *options)
{
    struct lane *l = &b->lane;

    *b = (struct bench){.launches = 1, .twins = 1};
    b->target.name = xstrdup("test");
    b->target.elf.bits = (int)sizeof(void *) * 8;
    b->target.elf.big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    b->library.kind = LIBRARY_RELEASE;
    b->library.name = xstrdup("openssl-3.0");
    b->library.version = xstrdup("3.0.0");
    l->metrics = METRIC_TIME;
    l->target = &b->target;
    l->builds = b->list;
    l->runner.kind = RUNNER_EXEC;
    /* Lets a "driver path" be a command with options. */
    list_add(&l->runner.prefix, "env");
    list_add(&l->runner.prefix, "-S");
    for (char **v = environ; *v; v++)
        list_add(&l->runner.env, *v);
    for (; options[l->nbuilds]; l->nbuilds++) {
        struct build *x = &b->builds[l->nbuilds];
        x->library = &b->library;
        x->target = &b->target;
        x->driver = xasprintf("%s %s", fake, options[l->nbuilds]);
        b->list[l->nbuilds] = x;
    }
    l->capabilities = xcalloc(l->nbuilds, sizeof *l->capabilities);
    l->library_text = xcalloc(l->nbuilds, sizeof *l->library_text);
    l->ncells = ROWS * l->nbuilds;
    l->cells = xcalloc(l->ncells, sizeof *l->cells);
    for (size_t i = 0; i < l->ncells; i++) {
        size_t row = i / l->nbuilds;
        l->cells[i].build = b->list[i % l->nbuilds];
        l->cells[i].lane = l;
        l->cells[i].alg = algorithm_find(algs[row / SIZES]);
        l->cells[i].workload = "record/1";
        l->cells[i].op = "encrypt";
        l->cells[i].bytes = sizes[row % SIZES];
        l->cells[i].status = STATUS_SKIPPED;
    }
}

static void bench_free(struct bench *b)
{
    struct lane *l = &b->lane;

    for (size_t i = 0; i < l->ncells; i++) {
        free(l->cells[i].reason);
        series_free(&l->cells[i].series);
    }
    for (size_t i = 0; i < l->nbuilds; i++) {
        free(b->builds[i].driver);
        free(b->builds[i].reason);
        free(l->capabilities[i]);
        free(l->library_text[i]);
    }
    free(l->cells);
    free(l->capabilities);
    free(l->library_text);
    free(l->clock);
    free(l->reason);
    list_free(&l->runner.prefix);
    list_free(&l->runner.env);
    free(b->target.name);
    free(b->library.name);
    free(b->library.version);
    str_free(&b->order);
}

static void on_row(void *arg, const struct lane *l, const struct cell *first, size_t launch,
                   double part)
{
    struct bench *b = arg;
    double rows = (double)(l->ncells / l->nbuilds);
    double row = (double)(first - l->cells) / (double)l->nbuilds;

    assert_ptr_equal(l, &b->lane);
    assert_true(fabs(part - ((double)launch + row / rows) / (double)b->launches) < 1e-9);
    str_addc(&b->order, '|');
}

static void on_sample(void *arg, const struct cell *c, const struct sample *s)
{
    struct bench *b = arg;

    assert_true(s->ns > 0);
    str_addc(&b->order, (char)('A' + (c - b->lane.cells) % (long)b->lane.nbuilds));
    if (++b->samples_seen == b->interrupt_at)
        raise(SIGINT);
}

static void on_cell(void *arg, const struct cell *c, size_t done, size_t total)
{
    struct bench *b = arg;

    b->cells_seen++;
    assert_ptr_equal(c, &b->lane.cells[done - 1]);
    assert_int_equal(total, b->lane.ncells);
}

static int bench_run(struct bench *b, double seconds, double timeout)
{
    const struct measure_settings s = {.seconds = seconds,
                                       .timeout = timeout,
                                       .precision = b->precision,
                                       .launches = b->launches,
                                       .twins = b->twins,
                                       .seed = 1,
                                       .pin = -1};
    const struct measure_watch w = {on_row, on_sample, on_cell, b};

    return measure_lane(&b->lane, &s, &w, &b->done, b->lane.ncells);
}

static void cell_is(struct bench *b, size_t row, size_t build, enum status status,
                    const char *reason)
{
    const struct cell *c = cell_at(b, row, build);

    if (c->status != status)
        fail_msg("row %zu build %zu: %s: %s", row, build, status_name(c->status),
                 c->reason ? c->reason : "");
    if (status == STATUS_OK) {
        assert_null(c->reason);
        assert_true(series_count(&c->series) >= 3);
        return;
    }
    assert_int_equal(series_count(&c->series), 0);
    if (!c->reason || !strstr(c->reason, reason))
        fail_msg("row %zu build %zu: '%s'", row, build, c->reason ? c->reason : "");
}

static void build_is(struct bench *b, size_t build, enum status status, const char *reason)
{
    for (size_t row = 0; row < ROWS; row++)
        cell_is(b, row, build, status, reason);
}

static void good_builds_are_interleaved(void **state)
{
    struct bench b;

    (void)state;
    bench_init(&b, (const char *const[]){"--ns-per-op 1000", "--ns-per-op 1250", NULL});
    assert_int_equal(bench_run(&b, 0.006, 30), 0);
    build_is(&b, 0, STATUS_OK, NULL);
    build_is(&b, 1, STATUS_OK, NULL);
    /* 6 ms in samples of 1 ms: six rounds in each row, each second one the reverse of the first. */
    const char *o = b.order.p;
    for (size_t row = 0; row < ROWS; row++) {
        assert_int_equal(*o++, '|');
        for (size_t k = 0; k < 3; k++, o += 4)
            assert_true(!strncmp(o, "ABBA", 4) || !strncmp(o, "BAAB", 4));
    }
    assert_int_equal(*o, 0);
    assert_non_null(strstr(b.order.p, "ABBA"));
    assert_non_null(strstr(b.order.p, "BAAB"));
    for (size_t row = 0; row < ROWS; row++)
        for (size_t k = 0; k < 6; k++) {
            const struct sample *x = &cell_at(&b, row, 0)->series.process[0].v[k];
            const struct sample *y = &cell_at(&b, row, 1)->series.process[0].v[k];
            assert_int_equal(x->round, k);
            assert_int_equal(y->round, k);
            assert_int_equal(x->ns, 1000 * x->ops);
            assert_int_equal(y->ns, 1250 * y->ops);
        }
    assert_int_equal(b.done, b.lane.ncells);
    assert_int_equal(b.cells_seen, b.lane.ncells);
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(b.lane.capabilities[i], "FAKE_cap=0x1");
        assert_string_equal(b.lane.library_text[i], "OpenSSL 3.0.0 fake");
    }
    assert_string_equal(b.lane.clock, "CLOCK_MONOTONIC");
    bench_free(&b);
}

/* Over two rounds everyone is as early as everyone else, and who begins is drawn: of up to
 * 64 pairs of rounds a third each, give or take four standard deviations. */
static void order_is_balanced(void **state)
{
    enum { PEERS = 3, ROUNDS = 32, SLACK = 15 };
    struct bench b;
    int first[PEERS] = {0}, pairs = 0;

    (void)state;
    bench_init(&b, (const char *const[]){"", "", "", NULL});
    assert_int_equal(bench_run(&b, 0.001 * ROUNDS, 30), 0);
    for (const char *o = strchr(b.order.p, '|'); o; o = strchr(o, '|')) {
        o++;
        /* On a busy machine a row may end before its last rounds. */
        for (size_t left = strcspn(o, "|"); left >= 2 * PEERS; left -= 2 * PEERS, o += 2 * PEERS) {
            int places[PEERS] = {0};
            for (int i = 0; i < 2 * PEERS; i++)
                places[o[i] - 'A'] += i;
            for (int i = 0; i < PEERS; i++)
                assert_int_equal(places[i], 2 * PEERS - 1);
            first[*o - 'A']++;
            pairs++;
        }
    }
    assert_in_range(pairs, ROWS * ROUNDS / 4, ROWS * ROUNDS / 2);
    for (int i = 0; i < PEERS; i++)
        assert_in_range(first[i], pairs / PEERS - SLACK, pairs / PEERS + SLACK);
    bench_free(&b);
}

/* Which twin a sample is of shows in the series; A and B are builds here. */
static void launches_and_twins(void **state)
{
    struct bench b;

    (void)state;
    bench_init(&b, (const char *const[]){"--ns-per-op 1000", "--ns-per-op 1250", NULL});
    b.launches = 3;
    b.twins = 2;
    assert_int_equal(bench_run(&b, 0.012, 30), 0);
    for (size_t i = 0; i < b.lane.ncells; i++) {
        const struct series *s = &b.lane.cells[i].series, *first = &b.lane.cells[0].series;
        assert_int_equal(b.lane.cells[i].status, STATUS_OK);
        assert_int_equal(s->n, 6);
        assert_int_equal(s->twins, 2);
        assert_int_equal(first->n, 6);
        /* 12 ms over six processes in samples of 1 ms */
        for (size_t p = 0; p < s->n; p++)
            assert_int_equal(s->process[p].n, 2);
    }
    /* In each round of a row each of the four is asked once, the next round the other way about. */
    for (const char *o = strchr(b.order.p, '|'); o; o = strchr(o, '|')) {
        o++;
        assert_true(strcspn(o, "|") == 8);
        for (size_t k = 0; k < 4; k++)
            assert_int_equal(o[k], o[7 - k]);
    }
    assert_int_equal(b.cells_seen, b.lane.ncells);
    bench_free(&b);

    /* An emulator's time is not worth it. */
    bench_init(&b, (const char *const[]){"", NULL});
    b.lane.runner.emulated = 1;
    assert_int_equal(bench_run(&b, 0.003, 30), 0);
    assert_int_equal(b.lane.cells[0].series.n, 1);
    bench_free(&b);
}

/* The fake takes the same time every time, so that three launches of two twins are precise. */
static void precise_rows_end_early(void **state)
{
    struct bench b;

    (void)state;
    for (int early = 0; early < 2; early++) {
        bench_init(&b, (const char *const[]){"--ns-per-op 1000", "--ns-per-op 1250", NULL});
        b.launches = 5;
        b.twins = 2;
        b.precision = early ? 0.01 : 0;
        assert_int_equal(bench_run(&b, 0.010, 30), 0);
        for (size_t i = 0; i < b.lane.ncells; i++)
            assert_int_equal(b.lane.cells[i].series.n, early ? 6 : 10);
        bench_free(&b);
    }
}

static void one_twins_failure_is_the_cells(void **state)
{
    struct bench b;

    (void)state;
    bench_init(&b, (const char *const[]){"", "--mode crash --only chacha20-poly1305/16", NULL});
    b.launches = 2;
    b.twins = 2;
    assert_int_equal(bench_run(&b, 0.008, 30), 0);
    build_is(&b, 0, STATUS_OK, NULL);
    cell_is(&b, 1, 1, STATUS_OK, NULL);
    cell_is(&b, 2, 1, STATUS_DRIVER_DIED, "SIGSEGV");
    cell_is(&b, 3, 1, STATUS_OK, NULL);
    assert_int_equal(cell_at(&b, 2, 0)->series.n, 4);
    bench_free(&b);
}

static void slow_operation_gets_three_rounds(void **state)
{
    struct bench b;

    (void)state;
    bench_init(&b, (const char *const[]){"--ns-per-op 20000000", "--ns-per-op 1000", NULL});
    assert_int_equal(bench_run(&b, 0.005, 30), 0);
    for (size_t row = 0; row < ROWS; row++) {
        /* Its time is over after three; it goes on with the fast one, so that both have the same
         * rounds. */
        assert_int_equal(cell_at(&b, row, 0)->series.process[0].n,
                         cell_at(&b, row, 1)->series.process[0].n);
        assert_in_range(cell_at(&b, row, 0)->series.process[0].n, 3, 6);
        assert_int_equal(cell_at(&b, row, 0)->series.process[0].v[2].ops, 1);
    }
    bench_free(&b);
}

static void long_row_is_cut_after_three_rounds(void **state)
{
    struct bench b;

    (void)state;
    /* Every sample claims 1 ms but takes 400: the limit of a row is 1.2 s. */
    bench_init(&b, (const char *const[]){"--mode lazy", NULL});
    b.lane.ncells = 1;
    assert_int_equal(bench_run(&b, 0.05, 30), 0);
    assert_int_equal(b.lane.cells[0].status, STATUS_OK);
    assert_int_equal(b.lane.cells[0].series.process[0].n, 3);
    b.lane.ncells = ROWS;
    bench_free(&b);
}

/* A fault at one algorithm (rows 2, 3) of build 1; the rest of it, and all of build 0, is good. */
static const struct {
    const char *options;
    enum status status;
    const char *reason;
} faults[] = {
    {"--mode crash", STATUS_DRIVER_DIED, "SIGSEGV"},
    {"--mode sigill", STATUS_ILLEGAL_INSTRUCTION, "SIGILL"},
    {"--mode exit", STATUS_DRIVER_DIED, "exit status 3"},
    {"--mode garbage", STATUS_BAD_ANSWER, "fortune cookie"},
    {"--mode huge-line", STATUS_BAD_ANSWER, "4 MiB"},
    {"--mode nan", STATUS_BAD_ANSWER, "not JSON"},
    {"--mode infinite", STATUS_BAD_ANSWER, "not JSON"},
    {"--mode stuck-clock", STATUS_BAD_CLOCK, "at least 1"},
    {"--mode negative", STATUS_BAD_CLOCK, "-1000000"},
    {"--mode zero-ops", STATUS_BAD_CLOCK, "at least 1"},
    {"--mode long-work", STATUS_BAD_CLOCK, "4103.000000 s of work inside"},
    {"--mode wrong-tag", STATUS_WRONG_ANSWER, "vector 1"},
    {"--mode wrong-after", STATUS_WRONG_ANSWER, "known-answer test after the measurement"},
    {"--mode error-wrong-answer", STATUS_WRONG_ANSWER, "a tag was not verified"},
    {"--mode unsupported", STATUS_UNSUPPORTED, "chacha20-poly1305"},
};

static void faults_stay_where_they_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        char *options = xasprintf("%s --only chacha20-poly1305", faults[i].options);
        struct bench b;

        bench_init(&b, (const char *const[]){"", options, "--mode stderr-flood", NULL});
        assert_int_equal(bench_run(&b, 0.003, 30), 0);
        build_is(&b, 0, STATUS_OK, NULL);
        build_is(&b, 2, STATUS_OK, NULL);
        cell_is(&b, 0, 1, STATUS_OK, NULL);
        cell_is(&b, 1, 1, STATUS_OK, NULL);
        cell_is(&b, 2, 1, faults[i].status, faults[i].reason);
        cell_is(&b, 3, 1, faults[i].status, faults[i].reason);
        assert_int_equal(b.done, b.lane.ncells);
        bench_free(&b);
        free(options);
    }
}

static void driver_is_restarted_after_a_crash(void **state)
{
    struct bench b;

    (void)state;
    bench_init(&b, (const char *const[]){"--mode crash --only aes-128-gcm/16", "", NULL});
    assert_int_equal(bench_run(&b, 0.003, 30), 0);
    cell_is(&b, 0, 0, STATUS_DRIVER_DIED, "SIGSEGV");
    for (size_t row = 1; row < ROWS; row++)
        cell_is(&b, row, 0, STATUS_OK, NULL);
    build_is(&b, 1, STATUS_OK, NULL);
    bench_free(&b);
}

static void drivers_that_cannot_work_are_given_up(void **state)
{
    struct bench b;

    (void)state;
    bench_init(&b, (const char *const[]){"--mode start-crash", "--mode motd", "", NULL});
    assert_int_equal(bench_run(&b, 0.003, 30), 0);
    cell_is(&b, 0, 0, STATUS_DRIVER_DIED, "exit status 2 at 'info': fake: cannot start");
    cell_is(&b, 1, 0, STATUS_DRIVER_DIED, "given up after 2 failed starts");
    cell_is(&b, 3, 0, STATUS_DRIVER_DIED, "given up after 2 failed starts");
    cell_is(&b, 0, 1, STATUS_BAD_ANSWER, "Welcome to router");
    cell_is(&b, 3, 1, STATUS_BAD_ANSWER, "given up after 2 failed starts");
    build_is(&b, 2, STATUS_OK, NULL);
    bench_free(&b);
}

static void silent_driver_is_given_up(void **state)
{
    struct bench b;

    (void)state;
    bench_init(&b, (const char *const[]){"--mode silent", NULL});
    assert_int_equal(bench_run(&b, 0.003, 0.7), 0);
    cell_is(&b, 0, 0, STATUS_TIMEOUT, "no answer to 'time record/1 aes-128-gcm encrypt 16");
    cell_is(&b, 2, 0, STATUS_TIMEOUT, "given up after 3 time-outs in a row");
    cell_is(&b, 3, 0, STATUS_TIMEOUT, "given up after 3 time-outs in a row");
    bench_free(&b);
}

static void wrong_things_are_refused(void **state)
{
    const char *bits = sizeof(void *) == 8 ? "--bits 32" : "--bits 64";
    struct bench b;

    (void)state;
    bench_init(&b, (const char *const[]){"--mode wrong-library", "--version OpenSSL-3.0.01", bits,
                                         "", NULL});
    assert_int_equal(bench_run(&b, 0.003, 30), 0);
    build_is(&b, 0, STATUS_WRONG_LIBRARY, "'OpenSSL 3.0.0 fake (another)'");
    build_is(&b, 1, STATUS_WRONG_LIBRARY, "not version 3.0.0 of 'openssl-3.0'");
    build_is(&b, 2, STATUS_WRONG_MACHINE, "target 'test'");
    build_is(&b, 3, STATUS_OK, NULL);
    bench_free(&b);

    /* A prefix is whatever it is. */
    bench_init(&b, (const char *const[]){"--version OpenSSL-3.0.01", NULL});
    b.library.kind = LIBRARY_PREFIX;
    assert_int_equal(bench_run(&b, 0.003, 30), 0);
    build_is(&b, 0, STATUS_OK, NULL);
    bench_free(&b);
}

static void earlier_failures_are_passed_on(void **state)
{
    struct bench b;

    (void)state;
    bench_init(&b, (const char *const[]){"--mode crash", "", NULL});
    b.builds[0].status = STATUS_BUILD_FAILED;
    b.builds[0].reason = xstrdup("x.c:1:1: error: no");
    assert_int_equal(bench_run(&b, 0.003, 30), 0);
    build_is(&b, 0, STATUS_BUILD_FAILED, "x.c:1:1: error: no");
    build_is(&b, 1, STATUS_OK, NULL);
    bench_free(&b);

    bench_init(&b, (const char *const[]){"", "", NULL});
    b.lane.status = STATUS_RUNNER_MISSING;
    b.lane.reason = xstrdup("qemu-vax not found");
    assert_int_equal(bench_run(&b, 0.003, 30), 0);
    build_is(&b, 0, STATUS_RUNNER_MISSING, "qemu-vax not found");
    build_is(&b, 1, STATUS_RUNNER_MISSING, "qemu-vax not found");
    assert_int_equal(b.done, b.lane.ncells);
    assert_int_equal(b.cells_seen, b.lane.ncells);
    bench_free(&b);
}

static void interrupt_body(void)
{
    struct bench b;

    interrupt_install();
    bench_init(&b, (const char *const[]){"", "", "", NULL});
    b.builds[2].status = STATUS_BUILD_FAILED;
    /* In the second row of the second algorithm: 2 builds x 3 rounds a row. */
    b.interrupt_at = 3 * 6 + 2;
    assert_int_equal(bench_run(&b, 0.003, 30), -1);
    for (size_t build = 0; build < 2; build++) {
        cell_is(&b, 0, build, STATUS_OK, NULL);
        cell_is(&b, 1, build, STATUS_OK, NULL);
        /* Measured, but its second known-answer test was not reached. */
        cell_is(&b, 2, build, STATUS_SKIPPED, "interrupted");
        cell_is(&b, 3, build, STATUS_SKIPPED, "interrupted");
    }
    build_is(&b, 2, STATUS_BUILD_FAILED, "");
    bench_free(&b);
    exit(0);
}

/* In the second launch: what the first one measured stays. */
static void interrupt_late_body(void)
{
    struct bench b;

    interrupt_install();
    bench_init(&b, (const char *const[]){"", "", NULL});
    b.launches = 2;
    b.twins = 2;
    /* 4 drivers x 2 rounds x 4 rows a launch; in the first row of the second */
    b.interrupt_at = 32 + 3;
    assert_int_equal(bench_run(&b, 0.008, 30), -1);
    for (size_t i = 0; i < b.lane.ncells; i++) {
        assert_int_equal(b.lane.cells[i].status, STATUS_OK);
        assert_int_equal(b.lane.cells[i].series.n, 2);
    }
    bench_free(&b);
    exit(0);
}

static void interrupt_skips_the_rest(void **state)
{
    void (*const bodies[])(void) = {interrupt_body, interrupt_late_body};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        int status;
        pid_t pid = fork();
        if (pid == 0)
            bodies[i]();
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_builds_are_interleaved),
        cmocka_unit_test(order_is_balanced),
        cmocka_unit_test(launches_and_twins),
        cmocka_unit_test(precise_rows_end_early),
        cmocka_unit_test(one_twins_failure_is_the_cells),
        cmocka_unit_test(slow_operation_gets_three_rounds),
        cmocka_unit_test(long_row_is_cut_after_three_rounds),
        cmocka_unit_test(faults_stay_where_they_are),
        cmocka_unit_test(driver_is_restarted_after_a_crash),
        cmocka_unit_test(drivers_that_cannot_work_are_given_up),
        cmocka_unit_test(silent_driver_is_given_up),
        cmocka_unit_test(wrong_things_are_refused),
        cmocka_unit_test(earlier_failures_are_passed_on),
        cmocka_unit_test(interrupt_skips_the_rest),
    };

    fake = getenv("CB_FAKE_DRIVER");
    if (!fake) {
        fprintf(stderr, "test_measure: set CB_FAKE_DRIVER to the program made of "
                        "tests/driver/fake.c\n");
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}

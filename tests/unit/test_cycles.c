/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/* The driver's choice of a cycle counter, with counters that are not to be had. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

/* The measured side is no part of the library that tests link. */
#include "../../bench/clock.c"
#include "../../bench/cycles.c"
#include "../../bench/event.c"

static uint64_t steps; /* of the counters below */

static uint64_t good_read(void)
{
    return steps += 1000;
}

static uint64_t two(void)
{
    return 2;
}

static uint64_t none(void)
{
    return 0;
}

/* What a processor does with an instruction that it does not have or does not allow. */
static uint64_t illegal_read(void)
{
#if defined __x86_64__ || defined __i386__
    __asm__ volatile("ud2");
#elif defined __aarch64__
    __asm__ volatile(".inst 0");
#else
    raise(SIGILL);
#endif
    return 1;
}

static uint64_t illegal_later_read(void)
{
    return steps > 3000 ? illegal_read() : good_read();
}

static uint64_t fault_read(void)
{
    static const volatile uint64_t *page;

    if (page == NULL)
        page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return *page;
}

static uint64_t bus_read(void)
{
    raise(SIGBUS);
    return 1;
}

static uint64_t constant_read(void)
{
    return 7;
}

static uint64_t backward_read(void)
{
    return steps -= 1000;
}

static const struct {
    struct cycles_counter counter;
    const char *why; /* NULL: it is good */
    uint64_t unit;
} rows[] = {
    {{"good", 64, 0, good_read, NULL}, NULL, 1},
    {{"twofold", 64, 0, good_read, two}, NULL, 2},
    {{"narrow", 12, 0, good_read, NULL}, NULL, 1},
    {{"x", 64, 0, illegal_read, NULL}, "x: traps (SIGILL)", 0},
    {{"x", 64, 0, illegal_later_read, NULL}, "x: traps (SIGILL)", 0},
    {{"x", 64, 0, good_read, illegal_read}, "x: traps (SIGILL)", 0},
    {{"x", 64, 0, fault_read, NULL}, "x: traps (SIGSEGV)", 0},
    {{"x", 64, 0, bus_read, NULL}, "x: traps (SIGBUS)", 0},
    {{"x", 64, 0, constant_read, NULL}, "x: does not move", 0},
    {{"x", 64, 0, backward_read, NULL}, "x: moves backwards", 0},
    {{"x", 12, 0, backward_read, NULL}, "x: moves backwards", 0},
    {{"x", 64, 0, good_read, none}, "x: has steps of 0 cycles", 0},
};

static void own_handler(int sig)
{
    (void)sig;
}

static void counters_are_proven(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char why[CYCLES_WHY_BYTES] = "";
        uint64_t unit = 99;
        int rc;

        steps = 0;
        rc = cycles_prove(&rows[i].counter, &unit, why, sizeof why);
        if (rc != (rows[i].why ? -1 : 0) || strcmp(why, rows[i].why ? rows[i].why : "") != 0)
            fail_msg("row %zu: %d, '%s'", i, rc, why);
        if (rc == 0)
            assert_int_equal(unit, rows[i].unit);
    }
}

/* As the caller had them, even where it had one of them blocked. */
static void handlers_and_mask_are_restored(void **state)
{
    const struct cycles_counter bad[] = {{"x", 64, 0, illegal_read, NULL},
                                         {"x", 64, 0, fault_read, NULL},
                                         {"x", 64, 0, good_read, NULL}};
    struct sigaction own = {0}, before[TRAPS], now;
    sigset_t blocked, mask, mask_before;

    (void)state;
    own.sa_handler = own_handler;
    own.sa_flags = SA_RESTART;
    sigemptyset(&own.sa_mask);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGILL);
    for (size_t i = 0; i < TRAPS; i++)
        assert_int_equal(sigaction(traps[i].number, &own, &before[i]), 0);
    assert_int_equal(sigprocmask(SIG_BLOCK, &blocked, &mask_before), 0);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        char why[CYCLES_WHY_BYTES];
        uint64_t unit;

        (void)cycles_prove(&bad[k], &unit, why, sizeof why);
        for (size_t i = 0; i < TRAPS; i++) {
            assert_int_equal(sigaction(traps[i].number, NULL, &now), 0);
            assert_ptr_equal(now.sa_handler, own_handler);
            assert_int_equal(now.sa_flags & SA_RESTART, SA_RESTART);
        }
        assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &mask), 0);
        assert_int_equal(sigismember(&mask, SIGILL), 1);
        assert_int_equal(sigismember(&mask, SIGSEGV), sigismember(&mask_before, SIGSEGV));
    }
    assert_int_equal(sigprocmask(SIG_SETMASK, &mask_before, NULL), 0);
    for (size_t i = 0; i < TRAPS; i++)
        assert_int_equal(sigaction(traps[i].number, &before[i], NULL), 0);
}

/* Of a counter of 32 bits with two cycles a step that costs 100 cycles to read. */
static void differences_are_checked(void **state)
{
    static const struct cycles_counter narrow = {"narrow", 32, 1, good_read, two};
    static const struct {
        struct cycles_reading first, last;
        uint64_t ns, cycles;
    } cases[] = {
        {{1000, 0}, {2050, 0}, 1000, 2000},
        {{1000, 0}, {1050, 0}, 1000, 0},                   /* no more than reading costs */
        {{1000, 0}, {1000, 0}, 1000, 0},                   /* stood still */
        {{2000, 0}, {1000, 0}, 1000, 0},                   /* backwards */
        {{0xffffff00, 0}, {0x100, 0}, 1000, 924},          /* went on from 0 */
        {{1000, 0}, {2050, 1}, 1000, 0},                   /* another CPU */
        {{1000, 0}, {1000000, 0}, 1000, 0},                /* more than 10 a ns */
        {{1000, 0}, {101001050, 0}, 200000000, 202000000}, /* 0.2 s */
        {{1000, 0}, {101000050, 0}, UINT64_C(1) << 31, 0}, /* may have gone round */
    };

    (void)state;
    choose(&narrow, 2);
    chosen.cost = 100;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (cycles_between(&cases[i].first, &cases[i].last, cases[i].ns) != cases[i].cycles)
            fail_msg("case %zu", i);
    choose(NULL, 1);
    assert_int_equal(cycles_between(&cases[0].first, &cases[0].last, 1000), 0);
}

static uint64_t clock_read(void)
{
    return clock_now() * 3;
}

/* The clock itself, three steps a ns. */
static void rate_is_measured(void **state)
{
    static const struct cycles_counter clocklike = {"clock", 64, 0, clock_read, NULL};
    char why[CYCLES_WHY_BYTES];

    (void)state;
    assert_int_equal(counter_choose(&clocklike, why, sizeof why), 0);
    assert_string_equal(cycles_source(), "clock");
    /* Another process may come between two readings. */
    assert_true(cycles_hz() > 2900000000u && cycles_hz() < 3100000000u);
    assert_int_equal(counter_choose(NULL, why, sizeof why), -1);
    assert_non_null(strstr(why, "no other counter is known"));
    choose(NULL, 1);
}

/* Whatever this machine has: a source that counts, or every reason against one. */
static void this_machine_has_one_or_says_why(void **state)
{
    char why[CYCLES_WHY_BYTES] = "";
    struct cycles_reading first, last;
    uint64_t start, ns, cycles = 0;

    (void)state;
    choose(NULL, 1);
    if (cycles_start(why) != 0) {
        assert_null(cycles_source());
        assert_non_null(strstr(why, "; "));
        assert_null(strchr(why, '\n'));
        return;
    }
    assert_non_null(cycles_source());
    assert_int_equal(cycles_start(why), 0);
    /* It may be moved from one CPU to another now and then. */
    for (int tries = 0; tries < 5 && cycles == 0; tries++) {
        cycles_read(&first);
        start = clock_now();
        for (int i = 0; i < 100; i++)
            spin();
        ns = clock_now() - start;
        cycles_read(&last);
        cycles = cycles_between(&first, &last, ns);
    }
    assert_true(cycles > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_are_proven),
        cmocka_unit_test(handlers_and_mask_are_restored),
        cmocka_unit_test(differences_are_checked),
        cmocka_unit_test(rate_is_measured),
        cmocka_unit_test(this_machine_has_one_or_says_why),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "processor.h"
#include "str.h"

static void lists_of_processors(void **state)
{
    static const char *const same[] = {"0", "0-3", "0-3,6", "1,3,5-7", "1023"};
    static const char *const bad[] = {"",   " ",   ",", "0,",    "0-",
                                      "-1", "3-1", "a", "0-3 6", "1234567890123456789"};
    cpu_set_t set;
    (void)state;

    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        assert_int_equal(cpulist_parse(same[i], &set), 0);
        char *text = cpulist_text(&set);
        assert_string_equal(text, same[i]);
        free(text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (!cpulist_parse(bad[i], &set))
            fail_msg("'%s' is taken for a list", bad[i]);
    assert_int_equal(cpulist_parse("2,0-1,1", &set), 0);
    char *text = cpulist_text(&set);
    assert_string_equal(text, "0-2");
    free(text);
    /* more than can be told apart */
    assert_int_equal(cpulist_parse("1020-5000,999999999999", &set), 0);
    assert_int_equal(CPU_COUNT(&set), 4);
    CPU_ZERO(&set);
    text = cpulist_text(&set);
    assert_string_equal(text, "");
    free(text);
}

static void times_of_processors(void **state)
{
    struct cpu_ticks *t = cpu_ticks_parse("cpu  9 9 9 9 9 9 9 9 9 9\n"
                                          "cpu0 1 2 3 40 50 6 7 8 1 0\n"
                                          "cpu1 1 2 3 40\n"
                                          "cpu2 1 2 3\n"
                                          "cpu3 1 2 3 4x\n"
                                          "cpu5000 1 2 3 4\n"
                                          "cpufreq 1 2 3 4\n"
                                          "intr 1 2 3 4\n"
                                          "cpu4 1 2 3 40 50 6 7");
    (void)state;
    assert_true(t[0].known && t[0].have_steal);
    assert_int_equal(t[0].busy, 19);
    assert_int_equal(t[0].idle, 90);
    assert_int_equal(t[0].steal, 8);
    assert_true(t[1].known && !t[1].have_steal);
    assert_int_equal(t[1].busy, 6);
    assert_false(t[2].known);
    assert_false(t[3].known);
    assert_true(t[4].known && !t[4].have_steal);
    assert_false(t[5].known);
    free(t);
    t = cpu_ticks_parse(NULL);
    assert_false(t[0].known);
    free(t);
}

/* text of /proc/stat where processor i has been busy for busy[i] ticks and lost steal[i]. */
static char *stat_text(size_t n, const int *busy, const int *steal)
{
    struct str s = STR_INIT;
    str_add(&s, "cpu  0 0 0 0 0 0 0 0 0 0\n");
    for (size_t i = 0; i < n; i++)
        str_addf(&s, "cpu%zu %d 0 0 1000 0 0 0 %d 0 0\n", i, 100 + busy[i], steal ? steal[i] : 0);
    str_add(&s, "ctxt 1\n");
    return str_take(&s);
}

static const int none[4] = {0};
enum { ALONE, PAIRS };

static int quietest(const int *busy, const int *steal, const char *allowed, int cores)
{
    char *first = stat_text(4, none, NULL), *second = stat_text(4, busy, steal);
    int core[CPU_SETSIZE];
    cpu_set_t set;

    for (int i = 0; i < CPU_SETSIZE; i++)
        core[i] = i < 4 && cores == PAIRS ? i / 2 : -1;
    assert_int_equal(cpulist_parse(allowed, &set), 0);
    int cpu = processor_quietest(first, second, &set, core);
    free(first);
    free(second);
    return cpu;
}

static void quietest_of_several(void **state)
{
    (void)state;
    /* equal: the highest */
    assert_int_equal(quietest(none, NULL, "0-3", ALONE), 3);
    assert_int_equal(quietest(none, NULL, "0-2", ALONE), 2);
    assert_int_equal(quietest((int[]){5, 1, 5, 5}, NULL, "0-3", ALONE), 1);
    assert_int_equal(quietest((int[]){5, 1, 5, 4}, NULL, "0,2-3", ALONE), 3);
    assert_int_equal(quietest((int[]){5, 5, 5, 5}, NULL, "1", ALONE), 1);
    assert_int_equal(quietest((int[]){1, 1, 2, 5}, NULL, "0-3", ALONE), 1);
    /* taken by the hypervisor */
    assert_int_equal(quietest(none, (int[]){0, 0, 0, 4}, "0-3", ALONE), 2);
}

static void busy_thread_on_the_same_core(void **state)
{
    (void)state;
    /* cores 0-1 and 2-3 */
    assert_int_equal(quietest((int[]){0, 0, 5, 0}, NULL, "0-3", PAIRS), 1);
    assert_int_equal(quietest((int[]){0, 0, 5, 0}, NULL, "0-3", ALONE), 3);
    /* even when it is not allowed to us */
    assert_int_equal(quietest((int[]){0, 0, 5, 0}, NULL, "1,3", PAIRS), 1);
    /* a little work of its own is better than a sibling at full work */
    assert_int_equal(quietest((int[]){1, 0, 5, 0}, NULL, "0,3", PAIRS), 0);
    assert_int_equal(quietest((int[]){5, 0, 5, 0}, NULL, "0-3", PAIRS), 3);
}

static void without_times(void **state)
{
    int core[CPU_SETSIZE];
    cpu_set_t set;
    (void)state;

    for (int i = 0; i < CPU_SETSIZE; i++)
        core[i] = -1;
    cpulist_parse("0,2", &set);
    assert_int_equal(processor_quietest(NULL, NULL, &set, core), 2);
    assert_int_equal(processor_quietest("nonsense", "", &set, core), 2);
    /* one that is not in both texts is gone */
    assert_int_equal(
        processor_quietest("cpu0 1 1 1 1\ncpu2 1 1 1 1\n", "cpu0 9 1 1 1\n", &set, core), 0);
    /* backwards */
    assert_int_equal(processor_quietest("cpu0 9 1 1 1\ncpu2 1 1 1 1\n",
                                        "cpu0 1 1 1 1\ncpu2 2 1 1 1\n", &set, core),
                     0);
    CPU_ZERO(&set);
    assert_int_equal(processor_quietest(NULL, NULL, &set, core), -1);
}

static int first_allowed(cpu_set_t *all)
{
    size_t cpu = 0;
    assert_int_equal(sched_getaffinity(0, sizeof *all, all), 0);
    while (!CPU_ISSET(cpu, all))
        cpu++;
    return (int)cpu;
}

static void words(void **state)
{
    struct err e = ERR_INIT;
    cpu_set_t all;
    int first = first_allowed(&all), cpu = 7;
    char *own = xasprintf("%d", first), *list = cpulist_text(&all);
    static const char *const bad[] = {"", "Auto", "-1", "1.0", "0-3", " 0", "0x1"};
    (void)state;

    assert_int_equal(pin_check_word("auto", &e), 0);
    assert_int_equal(pin_check_word("none", &e), 0);
    assert_int_equal(pin_check_word(own, &e), 0);
    assert_null(e.text);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(pin_check_word(bad[i], &e), -1);
        assert_int_equal(e.exit_code, EXIT_USAGE);
        assert_non_null(strstr(e.text, "--pin '"));
        assert_non_null(strstr(e.text, bad[i]));
        assert_non_null(strstr(e.text, list));
    }
    static const char *const absent[] = {"1023", "1024", "18446744073709551615"};
    for (size_t i = 0; i < sizeof absent / sizeof absent[0] && !CPU_ISSET(1023, &all); i++) {
        assert_int_equal(pin_check_word(absent[i], &e), -1);
        assert_int_equal(e.exit_code, EXIT_USAGE);
        assert_non_null(strstr(e.text, "may not use that processor"));
        assert_non_null(strstr(e.text, list));
    }
    err_clear(&e);

    assert_int_equal(processor_pick("none", &cpu, &e), 0);
    assert_int_equal(cpu, -1);
    assert_int_equal(processor_pick(own, &cpu, &e), 0);
    assert_int_equal(cpu, first);
    assert_int_equal(processor_pick("auto", &cpu, &e), 0);
    assert_true(cpu >= 0 && CPU_ISSET((size_t)cpu, &all));
    assert_int_equal(processor_pick("some", &cpu, &e), -1);
    assert_int_equal(cpu, -1);
    err_clear(&e);
    free(own);
    free(list);
}

static void pins_and_lets_go(void **state)
{
    cpu_set_t all, before, now;
    struct err e = ERR_INIT;
    int first = first_allowed(&all), cpu;
    (void)state;

    assert_int_equal(processor_apply(first, &before), 0);
    assert_true(CPU_EQUAL(&before, &all));
    assert_int_equal(first_allowed(&now), first);
    assert_int_equal(CPU_COUNT(&now), 1);
    /* what is left to choose from */
    assert_int_equal(processor_pick("auto", &cpu, &e), 0);
    assert_int_equal(cpu, first);
    processor_restore(&before);
    first_allowed(&now);
    assert_true(CPU_EQUAL(&now, &all));

    /* nothing asked for, and nothing to be had */
    assert_int_equal(processor_apply(-1, &before), 0);
    processor_restore(&before);
    first_allowed(&now);
    assert_true(CPU_EQUAL(&now, &all));
    if (!CPU_ISSET(1023, &all)) {
        assert_int_equal(processor_apply(1023, &before), -1);
        processor_restore(&before);
        first_allowed(&now);
        assert_true(CPU_EQUAL(&now, &all));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_of_processors), cmocka_unit_test(times_of_processors),
        cmocka_unit_test(quietest_of_several), cmocka_unit_test(busy_thread_on_the_same_core),
        cmocka_unit_test(without_times),       cmocka_unit_test(words),
        cmocka_unit_test(pins_and_lets_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

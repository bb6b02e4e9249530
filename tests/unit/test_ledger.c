/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ledger.h"

#define LIST(...)                                                                                  \
    {                                                                                              \
        (struct object_size[]){__VA_ARGS__},                                                       \
            sizeof((struct object_size[]){__VA_ARGS__}) / sizeof(struct object_size)               \
    }
#define OBJECT(name, ...)                                                                          \
    {                                                                                              \
        (char *)(uintptr_t)name, __VA_ARGS__                                                       \
    }

static void row_is(const struct ledger_row *r, const char *object, const char *section,
                   uint64_t base, uint64_t now)
{
    assert_string_equal(r->object, object);
    assert_string_equal(section_name(r->section), section);
    assert_int_equal(r->base, base);
    assert_int_equal(r->now, now);
}

static void test_pairs_and_order(void **state)
{
    (void)state;
    const struct object_sizes base =
                                  LIST(OBJECT("z.o", 100, 10, 0, 0), OBJECT("gone.o", 50, 5, 0, 0),
                                       OBJECT("same.o", 7, 7, 7, 7), OBJECT("a.o", 1000, 0, 0, 8)),
                              now =
                                  LIST(OBJECT("a.o", 400, 0, 0, 16), OBJECT("same.o", 7, 7, 7, 7),
                                       OBJECT("new.o", 0, 700, 0, 0), OBJECT("z.o", 105, 10, 0, 0));
    struct ledger l;
    ledger_make(&base, &now, &l);
    assert_int_equal(l.n, 6);
    row_is(&l.v[0], "new.o", "rodata", 0, 700);
    assert_true(l.v[0].base_absent && !l.v[0].now_absent);
    row_is(&l.v[1], "a.o", "text", 1000, 400);
    assert_true(!l.v[1].base_absent && !l.v[1].now_absent);
    row_is(&l.v[2], "gone.o", "text", 50, 0);
    assert_true(!l.v[2].base_absent && l.v[2].now_absent);
    row_is(&l.v[3], "a.o", "bss", 8, 16);
    /* of one size: by name, then section */
    row_is(&l.v[4], "gone.o", "rodata", 5, 0);
    row_is(&l.v[5], "z.o", "text", 100, 105);
    assert_int_equal(l.base[SECTION_TEXT], 1157);
    assert_int_equal(l.now[SECTION_TEXT], 512);
    assert_int_equal(l.base[SECTION_RODATA], 22);
    assert_int_equal(l.now[SECTION_RODATA], 717);
    assert_int_equal(l.base[SECTION_DATA], 7);
    assert_int_equal(l.now[SECTION_BSS], 23);
    ledger_free(&l);
}

/* The rows add up to what the totals differ by. */
static void test_names_twice(void **state)
{
    (void)state;
    const struct object_sizes base = LIST(OBJECT("v.o", 10, 0, 0, 0), OBJECT("v.o", 20, 1, 0, 0)),
                              now = LIST(OBJECT("v.o", 40, 1, 0, 0));
    struct ledger l;
    ledger_make(&base, &now, &l);
    assert_int_equal(l.n, 1);
    row_is(&l.v[0], "v.o", "text", 30, 40);
    assert_int_equal(l.base[SECTION_TEXT], 30);
    ledger_free(&l);
}

static void test_empty(void **state)
{
    (void)state;
    const struct object_sizes none = {0}, one = LIST(OBJECT("a.o", 1, 0, 0, 0));
    struct ledger l;
    ledger_make(&none, &none, &l);
    assert_int_equal(l.n, 0);
    ledger_free(&l);
    ledger_make(&one, &one, &l);
    assert_int_equal(l.n, 0);
    assert_int_equal(l.base[SECTION_TEXT], 1);
    ledger_free(&l);
    ledger_make(&one, &none, &l);
    assert_int_equal(l.n, 1);
    row_is(&l.v[0], "a.o", "text", 1, 0);
    ledger_free(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs_and_order),
        cmocka_unit_test(test_names_twice),
        cmocka_unit_test(test_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

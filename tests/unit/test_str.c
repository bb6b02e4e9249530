/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "mem.h"
#include "str.h"

static void str_grows(void **state)
{
    (void)state;
    struct str s = STR_INIT;
    for (int i = 0; i < 1000; i++)
        str_addf(&s, "%03d,", i);
    assert_int_equal(s.n, 4000);
    assert_int_equal(strlen(s.p), 4000);
    assert_memory_equal(s.p + 3992, "998,999,", 9);
    assert_true(s.cap > s.n);
    str_free(&s);
    assert_null(s.p);
    assert_int_equal(s.n, 0);
}

static void str_keeps_any_byte(void **state)
{
    (void)state;
    struct str s = STR_INIT;
    str_addn(&s, "a\0b", 3);
    str_addc(&s, '\0');
    str_add(&s, "c");
    assert_int_equal(s.n, 5);
    assert_memory_equal(s.p, "a\0b\0c", 6);
    str_free(&s);
}

static void str_adding_nothing_terminates(void **state)
{
    (void)state;
    struct str s = STR_INIT;
    str_add(&s, "");
    assert_non_null(s.p);
    assert_string_equal(s.p, "");
    str_free(&s);
}

static void str_long_format(void **state)
{
    (void)state;
    struct str s = STR_INIT;
    str_add(&s, "x");
    str_addf(&s, "%5000d", 7);
    assert_int_equal(s.n, 5001);
    assert_int_equal(s.p[5000], '7');
    str_free(&s);
}

static void str_trims_the_end_only(void **state)
{
    (void)state;
    static const struct {
        const char *in, *out;
    } rows[] = {{" a b \t\r\n\v\f", " a b"}, {"   ", ""}, {"", ""}, {"x", "x"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str s = STR_INIT;
        str_add(&s, rows[i].in);
        str_trim(&s);
        assert_string_equal(s.p, rows[i].out);
        assert_int_equal(s.n, strlen(rows[i].out));
        str_free(&s);
    }
    struct str never = STR_INIT;
    str_trim(&never);
    assert_null(never.p);
}

static void str_take_empties(void **state)
{
    (void)state;
    struct str s = STR_INIT;
    char *nothing = str_take(&s);
    assert_string_equal(nothing, "");
    free(nothing);
    str_add(&s, "text");
    char *text = str_take(&s);
    assert_string_equal(text, "text");
    assert_null(s.p);
    assert_int_equal(s.cap, 0);
    free(text);
}

static void list_is_an_argv(void **state)
{
    (void)state;
    struct list l = LIST_INIT;
    for (int i = 0; i < 100; i++) {
        list_addf(&l, "%d", i);
        assert_int_equal(l.n, i + 1);
        assert_null(l.v[l.n]);
    }
    for (int i = 0; i < 100; i++)
        assert_int_equal(atoi(l.v[i]), i);
    list_addn(&l, "abcdef", 3);
    assert_string_equal(l.v[100], "abc");
    assert_true(list_has(&l, "abc"));
    assert_false(list_has(&l, "abcdef"));
    list_free(&l);
    assert_null(l.v);
    assert_false(list_has(&l, "abc"));
}

static void list_owns_its_strings(void **state)
{
    (void)state;
    char text[] = "one";
    struct list l = LIST_INIT;
    list_add(&l, text);
    text[0] = 'X';
    assert_string_equal(l.v[0], "one");
    list_add_all(&l, &l);
    assert_int_equal(l.n, 2);
    assert_string_equal(l.v[1], "one");
    assert_ptr_not_equal(l.v[0], l.v[1]);
    list_free(&l);
}

static void list_splits_and_joins(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t parts;
    } rows[] = {{"", 1}, {"a", 1}, {"a,b", 2}, {",", 2}, {"a,,b,", 4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct list l = LIST_INIT;
        list_split(&l, rows[i].text, ',');
        assert_int_equal(l.n, rows[i].parts);
        char *back = list_join(&l, ",");
        assert_string_equal(back, rows[i].text);
        free(back);
        list_free(&l);
    }
    struct list none = LIST_INIT;
    char *joined = list_join(&none, ", ");
    assert_string_equal(joined, "");
    free(joined);
}

static void list_sorts_by_bytes_without_repeats(void **state)
{
    (void)state;
    struct list l = LIST_INIT;
    list_sort_unique(&l);
    assert_int_equal(l.n, 0);
    list_split(&l, "b,a,B,a,,b,b,\xc3\xa4,z", ',');
    list_sort_unique(&l);
    char *joined = list_join(&l, ",");
    assert_string_equal(joined, ",B,a,b,z,\xc3\xa4");
    free(joined);
    assert_null(l.v[l.n]);
    /* It can go on growing after it has shrunk. */
    for (int i = 0; i < 20; i++)
        list_add(&l, "more");
    assert_int_equal(l.n, 26);
    assert_null(l.v[26]);
    list_free(&l);
}

static void mem_copies(void **state)
{
    (void)state;
    assert_null(xstrdup(NULL));
    assert_null(xstrndup(NULL, 3));
    char *s = xasprintf("%s-%d", "a", 5);
    assert_string_equal(s, "a-5");
    free(s);
    unsigned char *zero = xcalloc(16, 4);
    for (int i = 0; i < 64; i++)
        assert_int_equal(zero[i], 0);
    free(zero);
    void *none = xmalloc(0);
    assert_non_null(none);
    free(none);
}

static void err_is_one_line_with_a_code(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    assert_int_equal(err_set(&e, "cannot read '%s'\n", "a\nb"), -1);
    assert_string_equal(e.text, "cannot read 'a b'");
    assert_int_equal(e.exit_code, EXIT_FAILED);
    /* The new text may be made from the old one. */
    assert_int_equal(err_usage(&e, "%s, %s", e.text, e.text), -1);
    assert_string_equal(e.text, "cannot read 'a b', cannot read 'a b'");
    assert_int_equal(e.exit_code, EXIT_USAGE);
    err_usage(&e, "bad value");
    assert_int_equal(err_prefix(&e, "--%s: ", "size"), -1);
    assert_string_equal(e.text, "--size: bad value");
    assert_int_equal(e.exit_code, EXIT_USAGE);
    err_clear(&e);
    assert_null(e.text);
    assert_int_equal(e.exit_code, 0);
    err_prefix(&e, "alone");
    assert_string_equal(e.text, "alone");
    assert_int_equal(e.exit_code, EXIT_FAILED);
    err_clear(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(str_grows),
        cmocka_unit_test(str_keeps_any_byte),
        cmocka_unit_test(str_adding_nothing_terminates),
        cmocka_unit_test(str_long_format),
        cmocka_unit_test(str_trims_the_end_only),
        cmocka_unit_test(str_take_empties),
        cmocka_unit_test(list_is_an_argv),
        cmocka_unit_test(list_owns_its_strings),
        cmocka_unit_test(list_splits_and_joins),
        cmocka_unit_test(list_sorts_by_bytes_without_repeats),
        cmocka_unit_test(mem_copies),
        cmocka_unit_test(err_is_one_line_with_a_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "catalog.h"

static struct list words(const char *text)
{
    struct list l = LIST_INIT;
    list_split(&l, text, ' ');
    return l;
}

static void nearest(void **state)
{
    (void)state;
    static const struct {
        const char *word, *known, *near;
    } rows[] = {
        {"aes-257-gcm", "aes-128-gcm aes-256-gcm aes-256-cbc", "aes-256-gcm"},
        {"aes-256-gmc", "aes-128-gcm aes-256-gcm", "aes-256-gcm"}, /* swapped: one */
        {"AES-256-GCM", "aes-128-gcm aes-256-gcm", "aes-256-gcm"},
        {"x86-64", "arm x86_64", "x86_64"},
        {"aarch46", "aarch64 arm", "aarch64"},
        {"amr", "mips arm", "arm"},
        {"os", "O2 Os O3", "Os"},
        {"O4", "O2 Os O3", "O2"}, /* equally near: the first */
        {"small", "O2 small-footprint", "small-footprint"},
        {"vax", "aarch64 arm mips x86_64", NULL},
        {"x", "a b c", NULL},
        {"", "a bc", NULL},
        {"aes", "", NULL},
        {"chacha20poly1305", "chacha20-poly1305", "chacha20-poly1305"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct list known = LIST_INIT;
        if (*rows[i].known)
            known = words(rows[i].known);
        const char *near = suggest(rows[i].word, &known);
        if (rows[i].near) {
            if (!near)
                fail_msg("nothing near '%s'", rows[i].word);
            assert_string_equal(near, rows[i].near);
        } else if (near) {
            fail_msg("'%s' said to be near '%s'", near, rows[i].word);
        }
        list_free(&known);
    }
}

static void points_into_the_list(void **state)
{
    (void)state;
    struct list known = words("one two three");
    assert_ptr_equal(suggest("thre", &known), known.v[2]);
    list_free(&known);
}

static void message(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct list known = words("aes-128-gcm aes-256-gcm");
    assert_int_equal(unknown_word(&e, "algorithm", "aes-257-gcm", &known), -1);
    assert_string_equal(e.text, "unknown algorithm 'aes-257-gcm'; did you mean 'aes-256-gcm'? "
                                "Known: aes-128-gcm, aes-256-gcm");
    assert_int_equal(e.exit_code, EXIT_USAGE);
    assert_int_equal(unknown_word(&e, "algorithm", "serpent", &known), -1);
    assert_string_equal(e.text, "unknown algorithm 'serpent'. Known: aes-128-gcm, aes-256-gcm");
    list_free(&known);
    assert_int_equal(unknown_word(&e, "target", "arm", &known), -1);
    assert_string_equal(e.text, "unknown target 'arm'. Known: none");
    err_clear(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest),
        cmocka_unit_test(points_into_the_list),
        cmocka_unit_test(message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

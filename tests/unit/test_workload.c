/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "workload.h"

static void algorithms_are_what_they_say(void **state)
{
    (void)state;
    size_t usual = 0;
    assert_int_equal(algorithm_count(), 6);
    for (size_t i = 0; i < algorithm_count(); i++) {
        const struct algorithm *a = algorithm_at(i);
        int is_cbc = strstr(a->name, "-cbc") != NULL;
        assert_int_equal(a->aead, !is_cbc);
        assert_int_equal(a->block, is_cbc ? 16 : 1);
        assert_true(*a->summary);
        assert_ptr_equal(algorithm_find(a->name), a);
        usual += (size_t)a->in_default_set;
    }
    /* four configs, four targets, six sizes and these: 480 cells */
    assert_int_equal(usual, 5);
    assert_false(algorithm_find("aes-192-cbc")->in_default_set);
}

static void algorithms_by_name(void **state)
{
    (void)state;
    static const char *const names[] = {"aes-128-gcm", "aes-256-gcm", "aes-128-cbc",
                                        "aes-192-cbc", "aes-256-cbc", "chacha20-poly1305"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_string_equal(algorithm_find(names[i])->name, names[i]);
    assert_null(algorithm_find("AES-128-GCM"));
    assert_null(algorithm_find("aes-128"));
    assert_null(algorithm_find(""));
}

static void workloads(void **state)
{
    (void)state;
    assert_int_equal(workload_count(), 2);
    assert_string_equal(workload_at(0)->name, "record/1");
    assert_string_equal(workload_at(1)->name, "stream/1");
    for (size_t i = 0; i < workload_count(); i++)
        assert_true(*workload_at(i)->summary);
}

static void operations(void **state)
{
    (void)state;
    static const char *const names[] = {"encrypt", "decrypt"};
    assert_int_equal(operation_count(), 2);
    for (size_t i = 0; i < operation_count(); i++) {
        assert_string_equal(operation_at(i), names[i]);
        /* The table's own copy, whatever the caller's was. */
        char word[16] = "";
        memcpy(word, names[i], strlen(names[i]));
        assert_ptr_equal(operation_find(word), operation_at(i));
    }
    assert_null(operation_find("encryp"));
    assert_null(operation_find(""));
}

static void sizes(void **state)
{
    (void)state;
    static const uint64_t want[] = {16, 64, 256, 1024, 1456, 8192};
    assert_int_equal(default_size_count, 6);
    for (size_t i = 0; i < default_size_count; i++) {
        assert_int_equal(default_sizes[i], want[i]);
        /* Every algorithm can be asked for every default size. */
        for (size_t k = 0; k < algorithm_count(); k++)
            assert_int_equal(default_sizes[i] % algorithm_at(k)->block, 0);
        assert_true(default_sizes[i] <= BLOCK_SIZE_MAX);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(algorithms_are_what_they_say),
        cmocka_unit_test(algorithms_by_name),
        cmocka_unit_test(workloads),
        cmocka_unit_test(operations),
        cmocka_unit_test(sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

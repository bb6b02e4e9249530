/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../bench/qemu/count.h"
#include "counter_reader.h"

/* A stream under construction. */
static struct stream {
    char bytes[100000];
    size_t n;
} s;

static void add(const void *p, size_t n)
{
    assert_true(n <= sizeof s.bytes - s.n);
    memcpy(s.bytes + s.n, p, n);
    s.n += n;
}

static void add_head(uint32_t tag, uint32_t n)
{
    struct count_head h = {tag, n};

    add(&h, sizeof h);
}

static void add_block(uint64_t start, uint32_t n)
{
    add_head(COUNT_BLOCK, n);
    for (uint32_t i = 0; i < n; i++, start += 4)
        add(&start, sizeof start);
}

static void add_run(uint32_t number)
{
    add_head(COUNT_RUN, 1);
    add(&number, sizeof number);
}

static void hello(void)
{
    s.n = 0;
    add_head(COUNT_HELLO, COUNT_FORMAT);
}

static int feed(struct reading *g, size_t piece)
{
    reading_open(g, &counter_plugin, EM_AARCH64, 1, 2);
    return reading_feed(g, s.bytes, s.n, piece);
}

static void one_pair(void)
{
    static const uint32_t runs[] = {0, 2, 2, 1};

    hello();
    add_block(0x100, 1);
    add_block(0x200, 2);
    add_head(COUNT_BEGIN, 0);
    add_run(0);
    add_run(1);
    add_head(COUNT_END, 0);
    add_head(COUNT_BEGIN, 0);
    add_block(0x300, 5);
    add_head(COUNT_RUN, 4);
    add(runs, sizeof runs);
    add_head(COUNT_END, 0);
}

static void counting(void **state)
{
    struct reading g;
    struct count c;

    (void)state;
    one_pair();
    for (size_t piece = 1; piece < 100; piece += 3) {
        assert_int_equal(feed(&g, piece), 0);
        assert_true(counter_plugin.is_started(g.reader));
        assert_int_equal(counter_plugin.finish(g.reader, &g.error), 0);
        assert_true(tally_is_complete(g.tally));
        assert_int_equal(reading_take(&g, &c), 0);
        assert_int_equal(c.insns, 10);
        assert_int_equal(c.overhead, 3);
        assert_false(tally_is_complete(g.tally));
        count_free(&c);
        reading_close(&g);
    }
}

/* Runs between the pairs, as while a block is translated, change nothing. */
static void pairs_do_not_mix(void **state)
{
    struct reading g;
    struct count c;

    (void)state;
    one_pair();
    assert_int_equal(feed(&g, 64), 0);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(reading_take(&g, &c), 0);
        assert_int_equal(c.insns, 10 + i);
        count_free(&c);
        s.n = 0;
        add_run(1);
        add_head(COUNT_BEGIN, 0);
        add_head(COUNT_END, 0);
        add_head(COUNT_BEGIN, 0);
        for (int k = 0; k < 11 + i; k++)
            add_run(0);
        add_head(COUNT_END, 0);
        assert_int_equal(reading_feed(&g, s.bytes, s.n, 64), 0);
    }
    reading_close(&g);
}

static void less_than_nothing(void **state)
{
    struct reading g;
    struct count c;

    (void)state;
    hello();
    add_block(0x100, 1);
    for (int i = 0; i < 2; i++) {
        add_head(COUNT_BEGIN, 0);
        if (i == 0)
            add_run(0);
        add_head(COUNT_END, 0);
    }
    assert_int_equal(feed(&g, 64), 0);
    assert_int_equal(reading_take(&g, &c), -1);
    assert_non_null(strstr(g.error.text, "nothing between"));
    assert_null(c.functions);
    reading_close(&g);
}

static void refused(const char *why)
{
    struct reading g;
    const char *said;

    if (feed(&g, 64) == 0)
        counter_plugin.finish(g.reader, &g.error);
    said = g.error.text ? g.error.text : "accepted";
    if (strstr(said, why) == NULL)
        fail_msg("'%s' lacks '%s'", said, why);
    reading_close(&g);
}

static void nonsense(void **state)
{
    (void)state;
    s.n = 0;
    add_block(0x100, 1);
    refused("not what the plugin writes");
    s.n = 0;
    add("{\"ok\":true}\n", 12);
    refused("not what the plugin writes");
    s.n = 0;
    add_head(COUNT_HELLO, COUNT_FORMAT + 1);
    refused("format");
    hello();
    add_head(COUNT_HELLO, COUNT_FORMAT);
    refused("not what the plugin writes");
    hello();
    add_head(COUNT_FAULT + 1, 0);
    refused("not what the plugin writes");
    hello();
    add_head(COUNT_BLOCK, 0);
    refused("not what the plugin writes");
    hello();
    add_head(COUNT_BLOCK, UINT32_MAX);
    refused("not what the plugin writes");
    hello();
    add_head(COUNT_RUN, UINT32_MAX);
    refused("not what the plugin writes");
    hello();
    add_head(COUNT_BLOCK, 2);
    refused("middle");
    hello();
    add("abc", 3);
    refused("middle");
    hello();
    add_head(COUNT_BEGIN, 0);
    add_run(0);
    refused("only 0 were translated");
    hello();
    add_head(COUNT_FAULT, COUNT_FAULT_THREAD);
    refused("more than one thread");
    hello();
    add_head(COUNT_FAULT, 99);
    refused("unknown reason");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counting),
        cmocka_unit_test(pairs_do_not_mix),
        cmocka_unit_test(less_than_nothing),
        cmocka_unit_test(nonsense),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

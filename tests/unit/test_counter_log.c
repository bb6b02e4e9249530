/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/* Logs as QEMU 7.2 and 10.0 wrote them for the driver, cut down to few operations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "counter_reader.h"

enum { BEGIN = 0x11b9c, END = 0x11ba0 };

/* qemu-arm 7.2.22. The operation is the block at 10748 (three instructions), twice. */
static const char log_7_2[] =
    "OP:\n"
    " ld_i32 tmp3,env,$0xfffffffffffffff8\n"
    " brcond_i32 tmp3,$0x0,lt,$L0\n"
    "\n"
    " ---- 00011b9c 00000000 00000000\n"
    " mov_i32 tmp3,r14\n"
    " and_i32 pc,tmp3,$0xfffffffe\n"
    " call lookup_tb_ptr,$0x6,$1,tmp7,env\n"
    " goto_ptr tmp7\n"
    " set_label $L0\n"
    " exit_tb $0x7f69b01b6583\n"
    "\n"
    "Trace 0: 0x7f69b01b6600 [00800480/00011b9c/00000000/00000200] cb_mark_begin\n"
    "OP:\n"
    " ld_i32 tmp3,env,$0xfffffffffffffff8\n"
    "\n"
    " ---- 0001073c 00000000 00000000\n"
    " mov_i32 r14,$0x10741\n"
    "\n"
    "Trace 0: 0x7f69b01b6700 [00800480/0001073c/00000000/00000200] "
    "count_between_marks.constprop.0\n"
    "OP:\n"
    " ld_i32 tmp3,env,$0xfffffffffffffff8\n"
    "\n"
    " ---- 00011ba0 00000000 00000000\n"
    " mov_i32 tmp3,r14\n"
    "\n"
    "Trace 0: 0x7f69b01b67c0 [00800480/00011ba0/00000000/00000200] cb_mark_end\n"
    "OP:\n"
    "\n"
    " ---- 00010740 00000000 00000000\n"
    " mov_i32 r14,$0x10745\n"
    "\n"
    "Trace 0: 0x7f69b01b68c0 [00800480/00010740/00000000/00000200] "
    "count_between_marks.constprop.0\n"
    "Trace 0: 0x7f69b01b6600 [00800480/00011b9c/00000000/00000200] cb_mark_begin\n"
    "OP:\n"
    "\n"
    " ---- 00010748 00000000 00000000\n"
    " ---- 0001074a 00000000 00000000\n"
    " ---- 0001074e 00000000 00000000\n"
    "\n"
    "Trace 0: 0x7f69b01b6980 [00800480/00010748/00000000/00000200] record_aead_encrypt\n"
    "Trace 0: 0x7f69b01b6980 [00800480/00010748/00000000/00000200] record_aead_encrypt\n"
    "Trace 0: 0x7f69b01b6700 [00800480/0001073c/00000000/00000200] "
    "count_between_marks.constprop.0\n"
    "Trace 0: 0x7f69b01b67c0 [00800480/00011ba0/00000000/00000200] cb_mark_end\n"
    "Trace 0: 0x7f69b01b68c0 [00800480/00010740/00000000/00000200] "
    "count_between_marks.constprop.0\n";

/* qemu-arm 10.0.13: addresses have 16 digits, and a listing may be started again. */
static const char log_10_0[] =
    "OP:\n"
    " ld_i32 loc3,env,$0xfffffffffffffff0\n"
    " brcond_i32 loc3,$0x0,lt,$L0\n"
    " st8_i32 $0x1,env,$0xfffffffffffffff4\n"
    "\n"
    " ---- 0000000000011b9c 0000000000000000 0000000000000000\n"
    " mov_i32 loc5,r14\n"
    " exit_tb $0x7f99b0217fc3\n"
    "\n"
    "Trace 0: 0x7f99b0218080 [00800480/0000000000011b9c/00000000/00000200] cb_mark_begin\n"
    "OP:\n"
    "\n"
    " ---- 000000000001073c 0000000000000000 0000000000000000\n"
    "\n"
    "Trace 0: 0x7f99b0218180 [00800480/000000000001073c/00000000/00000200] \n"
    "OP:\n"
    "\n"
    " ---- 0000000000011ba0 0000000000000000 0000000000000000\n"
    "\n"
    "Trace 0: 0x7f99b0218280 [00800480/0000000000011ba0/00000000/00000200] cb_mark_end\n"
    "Trace 0: 0x7f99b0218080 [00800480/0000000000011b9c/00000000/00000200] cb_mark_begin\n"
    "OP:\n"
    "\n"
    " ---- 0000000000010748 0000000000000000 0000000000000000\n"
    " ---- 000000000001074a 0000000000000000 0000000000000000\n"
    " ---- 000000000001074e 0000000000000000 0000000000000000\n"
    " ---- 0000000000010752 0000000000000000 0000000000000000\n"
    "Restarting code generation with smaller translation block (max 3 insns)\n"
    "OP:\n"
    "\n"
    " ---- 0000000000010748 0000000000000000 0000000000000000\n"
    " ---- 000000000001074a 0000000000000000 0000000000000000\n"
    " ---- 000000000001074e 0000000000000000 0000000000000000\n"
    "\n"
    "Trace 0: 0x7f99b0218380 [00800480/0000000000010748/00000000/00000200] \n"
    "Trace 0: 0x7f99b0218380 [00800480/0000000000010748/00000000/00000200] \n"
    "Trace 0: 0x7f99b0218180 [00800480/000000000001073c/00000000/00000200] \n"
    "Trace 0: 0x7f99b0218280 [00800480/0000000000011ba0/00000000/00000200] cb_mark_end\n"
    "Linking TBs 0x7f99b0218280 index 0 -> 0x7f99b0218180\n"
    "Trace 0: 0x7f99b0218180 [00800480/000000000001073c/00000000/00000200] \n";

static void counts_are(const char *text, uint64_t insns, uint64_t overhead)
{
    static const size_t pieces[] = {1, 7, 100, 1 << 20};

    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        struct reading g;
        struct count c;
        uint64_t sum = 0;

        reading_open(&g, &counter_log, EM_ARM, BEGIN, END);
        assert_false(counter_log.is_started(g.reader));
        if (reading_feed(&g, text, strlen(text), pieces[i]) != 0)
            fail_msg("%s", g.error.text);
        assert_true(counter_log.is_started(g.reader));
        assert_int_equal(counter_log.finish(g.reader, &g.error), 0);
        assert_int_equal(reading_take(&g, &c), 0);
        assert_int_equal(c.insns, insns);
        assert_int_equal(c.overhead, overhead);
        for (size_t k = 0; k < c.nfunctions; k++)
            sum += c.functions[k].insns;
        assert_int_equal(sum, insns);
        assert_null(c.trace);
        count_free(&c);
        reading_close(&g);
    }
}

static void both_formats(void **state)
{
    (void)state;
    counts_are(log_7_2, 6, 2);
    counts_are(log_10_0, 6, 2);
}

static void the_order_of_blocks(void **state)
{
    static const uint64_t starts[] = {0x11b9c, 0x10748, 0x10748, 0x1073c};
    struct reading g;
    struct count c;

    (void)state;
    reading_open(&g, &counter_log, EM_ARM, BEGIN, END);
    tally_want_trace(g.tally, 1);
    assert_int_equal(reading_feed(&g, log_7_2, strlen(log_7_2), 64), 0);
    assert_int_equal(reading_take(&g, &c), 0);
    assert_int_equal(c.ntrace, 4);
    assert_int_equal(c.nblocks, 3);
    for (size_t i = 0; i < c.ntrace; i++)
        assert_int_equal(c.blocks[c.trace[i]].addresses[0], starts[i]);
    assert_int_equal(c.blocks[c.trace[1]].n, 3);
    assert_int_equal(c.blocks[c.trace[1]].addresses[2], 0x1074e);
    count_free(&c);
    reading_close(&g);
}

#define LISTING(address)       "OP:\n\n ---- " address " 00000000\n\n"
#define RUN(host, address)     "Trace 0: 0x" host " [0/" address "/0/0] f\n"
#define STOPPED(host, address) "Stopped execution of TB chain before 0x" host " [" address "] f\n"
#define MARK_BEGIN             RUN("b0", "11b9c")
#define MARK_END               RUN("e0", "11ba0")
#define MARKS                  LISTING("11b9c") MARK_BEGIN LISTING("11ba0") MARK_END MARK_BEGIN

/* A block that was announced, interrupted and announced again is executed once; marks too. */
static void stops(void **state)
{
    (void)state;
    counts_are(LISTING("11b9c") MARK_BEGIN STOPPED("b0", "11b9c") MARK_BEGIN LISTING("11ba0")
                   MARK_END STOPPED("e0", "11ba0") MARK_END MARK_BEGIN LISTING("100")
                       RUN("a0", "100") STOPPED("a0", "100") RUN("a0", "100") RUN("a0", "100")
                           MARK_END RUN("a0", "100"),
               2, 1);
}

/* The same code translated again, under another address and with another length; then another
 * block at the first one's place. */
static void retranslation(void **state)
{
    (void)state;
    counts_are(MARKS LISTING("100") RUN("a0", "100") "OP:\n ---- 100\n ---- 102\n" RUN("a4", "100")
                   RUN("a0", "100") LISTING("200") RUN("a0", "200") MARK_END RUN("e0", "11ba0"),
               5, 1);
}

/* What a marker's execution means is only known with the line after it. */
static void incomplete_until_the_next_line(void **state)
{
    static const char text[] = MARKS LISTING("100") RUN("a0", "100") MARK_END;
    struct reading g;
    struct count c;

    (void)state;
    reading_open(&g, &counter_log, EM_ARM, BEGIN, END);
    assert_int_equal(reading_feed(&g, text, strlen(text), 1000), 0);
    assert_false(tally_is_complete(g.tally));
    assert_int_equal(reading_take(&g, &c), -1);
    assert_int_equal(reading_feed(&g, RUN("a0", "100"), strlen(RUN("a0", "100")), 1000), 0);
    assert_true(tally_is_complete(g.tally));
    assert_int_equal(reading_take(&g, &c), 0);
    assert_int_equal(c.insns, 1);
    count_free(&c);
    reading_close(&g);
}

/* `rep stos`: QEMU 7.2 comes back to it once for each round, 10.0 does not. */
static void string_instructions_count_once(void **state)
{
    static const char text[] = MARKS "OP:\n ---- 100\n ---- 102\n" RUN("a0", "100") LISTING("102")
        RUN("a4", "102") RUN("a4", "102") RUN("a4", "102") "OP:\n ---- 105\n" RUN("a8", "105")
            RUN("a4", "102") MARK_END RUN("a0", "100");
    static const int machines[] = {EM_X86_64, EM_386, EM_ARM};
    static const uint64_t insns[] = {4, 4, 7};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct reading g;
        struct count c;

        reading_open(&g, &counter_log, machines[i], BEGIN, END);
        assert_int_equal(reading_feed(&g, text, strlen(text), 1000), 0);
        assert_int_equal(reading_take(&g, &c), 0);
        assert_int_equal(c.insns, insns[i]);
        count_free(&c);
        reading_close(&g);
    }
}

static void refused(const char *text, const char *why)
{
    struct reading g;
    const char *said;

    reading_open(&g, &counter_log, EM_ARM, BEGIN, END);
    if (reading_feed(&g, text, strlen(text), 1000) == 0)
        counter_log.finish(g.reader, &g.error);
    said = g.error.text ? g.error.text : "accepted";
    if (strstr(said, why) == NULL)
        fail_msg("%s: '%s' lacks '%s'", text, said, why);
    reading_close(&g);
}

static void nonsense(void **state)
{
    (void)state;
    refused("Trace 0: 0x7f69b01b6600 [00800480/0001", "middle of a line");
    refused("hello\n", "unknown line");
    refused("Trace 0: 0x7f69b01b6600\n", "unknown form of execution");
    refused("Trace 0: 0x10000000000000000 [0/100/0/0] f\n", "unknown form of execution");
    refused("Trace 0: 0xXY [0/100/0/0] f\n", "unknown form of execution");
    refused("Trace 1: 0x7f69b01b6600 [0/100/0/0] f\n", "more than one thread");
    refused(RUN("a0", "100"), "never listed");
    refused(LISTING("100") RUN("a0", "100") RUN("a0", "104"), "never listed");
    refused(" ---- 100\n", "out of place");
    refused("OP:\n ---- \n", "out of place");
    refused("OP:\n ---- 10z\n", "out of place");
    refused("OP:\n" RUN("a0", "100"), "without instructions");
    refused("OP:\nOP:\n", "without instructions");
    refused(STOPPED("a0", "100"), "not executed");
    refused(LISTING("100") RUN("a0", "100") STOPPED("a0", "104"), "not executed");
    refused("Stopped execution of TB chain somewhere\n", "unknown form of a stop");
    refused(LISTING("11b9c") MARK_BEGIN MARK_BEGIN MARK_BEGIN, "two begin marks");
    refused(LISTING("11ba0") MARK_END MARK_END, "without a begin mark");
    refused(MARKS MARK_END MARK_BEGIN MARK_END, "nobody asked for");
}

static void without_end(void **state)
{
    static const char start[] = "OP:\n", insn[] = " ---- 100\n";
    static char line[100000];
    struct reading g;
    int rc;

    (void)state;
    memset(line, ' ', sizeof line);
    reading_open(&g, &counter_log, EM_ARM, BEGIN, END);
    assert_int_equal(reading_feed(&g, line, sizeof line, 1000), -1);
    assert_non_null(strstr(g.error.text, "bytes"));
    reading_close(&g);
    reading_open(&g, &counter_log, EM_ARM, BEGIN, END);
    rc = reading_feed(&g, start, strlen(start), 1000);
    for (int i = 0; i < 10000 && rc == 0; i++)
        rc = reading_feed(&g, insn, strlen(insn), 1000);
    assert_int_equal(rc, -1);
    assert_non_null(strstr(g.error.text, "instructions"));
    reading_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_formats),
        cmocka_unit_test(the_order_of_blocks),
        cmocka_unit_test(stops),
        cmocka_unit_test(retranslation),
        cmocka_unit_test(incomplete_until_the_next_line),
        cmocka_unit_test(string_instructions_count_once),
        cmocka_unit_test(nonsense),
        cmocka_unit_test(without_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

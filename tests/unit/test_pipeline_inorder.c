/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "program.h"

/*
 * A core whose figures are easy to work with; t is the cycle of issue in the comments below, and a
 * stream takes one more than the last t.
 */
enum { UNIT_LS, UNIT_MAC, UNIT_LOW, UNIT_HIGH };

static const struct core two_wide =
    {
        .name = "two-wide",
        .version = 1,
        .kind = CORE_IN_ORDER,
        .width = 2,
        .taken_branch = 1,
        .nunits = 4,
        .classes =
            {
                [CLASS_ALU] = {.present = 1,
                               .latency = 1,
                               .base_latency = 1,
                               .slots = SLOT_ANY,
                               .issue_cycles = 1},
                [CLASS_SHIFT] = {.present = 1,
                                 .latency = 1,
                                 .base_latency = 1,
                                 .slots = SLOT_FIRST,
                                 .issue_cycles = 1},
                [CLASS_SYS] = {.present = 1,
                               .latency = 1,
                               .base_latency = 1,
                               .slots = SLOT_ALONE,
                               .issue_cycles = 1},
                [CLASS_DIV] = {.present = 1,
                               .latency = 3,
                               .base_latency = 3,
                               .slots = SLOT_ANY,
                               .issue_cycles = 3},
                [CLASS_BR] = {.present = 1,
                              .latency = 1,
                              .base_latency = 1,
                              .slots = SLOT_ANY,
                              .issue_cycles = 1},
                [CLASS_LD] = {.present = 1,
                              .latency = 3,
                              .base_latency = 2,
                              .slots = SLOT_ANY,
                              .issue_cycles = 1,
                              .nuses = 1,
                              .uses = {{1u << UNIT_LS, 1}}},
                [CLASS_ST] = {.present = 1,
                              .latency = 1,
                              .base_latency = 2,
                              .slots = SLOT_ANY,
                              .issue_cycles = 1,
                              .nuses = 1,
                              .uses = {{1u << UNIT_LS, 1}},
                              .read = {[SOURCE_DATA] = 2}},
                [CLASS_MUL] = {.present = 1,
                               .latency = 4,
                               .base_latency = 4,
                               .slots = SLOT_ANY,
                               .issue_cycles = 1,
                               .nuses = 1,
                               .uses = {{1u << UNIT_MAC, 1}},
                               .read = {[SOURCE_ACCUMULATOR] = 3}},
                [CLASS_MULH] = {.present = 1,
                                .latency = 4,
                                .base_latency = 4,
                                .slots = SLOT_ANY,
                                .issue_cycles = 1,
                                .nuses = 1,
                                .uses = {{1u << UNIT_MAC, 3}}},
                [CLASS_VALU_D] = {.present = 1,
                                  .latency = 2,
                                  .base_latency = 2,
                                  .slots = SLOT_ANY,
                                  .issue_cycles = 1,
                                  .nuses = 1,
                                  .uses = {{1u << UNIT_LOW | 1u << UNIT_HIGH, 2}}},
                [CLASS_VALU_Q] = {.present = 1,
                                  .latency = 2,
                                  .base_latency = 2,
                                  .slots = SLOT_ANY,
                                  .issue_cycles = 1,
                                  .nuses = 2,
                                  .uses = {{1u << UNIT_LOW, 1}, {1u << UNIT_HIGH, 1}}},
                /* Two registers a cycle, which the issue stage waits for... */
                [CLASS_LDM] = {.present = 1,
                               .latency = 3,
                               .base_latency = 2,
                               .slots = SLOT_ANY,
                               .issue_cycles = 1,
                               .nuses = 1,
                               .uses = {{1u << UNIT_LS, 1}},
                               .group = 2,
                               .group_latency = 1,
                               .group_units = 1},
                /* ...and does not. */
                [CLASS_VLDM] = {.present = 1,
                                .latency = 3,
                                .base_latency = 2,
                                .slots = SLOT_ANY,
                                .issue_cycles = 1,
                                .nuses = 1,
                                .uses = {{1u << UNIT_LS, 1}},
                                .group = 2,
                                .group_latency = 1,
                                .group_units = 1,
                                .group_pipelined = 1},
                [CLASS_VTBL_Q] = {.present = 1,
                                  .latency = 2,
                                  .base_latency = 2,
                                  .slots = SLOT_ANY,
                                  .issue_cycles = 1,
                                  .group = 1,
                                  .group_pipelined = 1,
                                  .group_together = 1},
            },
};

static void nothing_takes_no_time(void **state)
{
    struct program p = {0};
    (void)state;
    assert_int_equal(program_cycles(&two_wide, &p), 0);
    assert_int_equal(program_operation(&two_wide, &p), 0);
}

/* t = 0, 4, 8: each multiplication waits 4 cycles for the one before. */
static void latency_chain(void **state)
{
    struct program p = {0};
    (void)state;
    for (int i = 0; i < 3; i++)
        program_add(&p, CLASS_MUL, "1", "1");
    assert_int_equal(program_cycles(&two_wide, &p), 9);
    assert_int_equal(p.charges[0].waits[WAIT_ISSUE], 1);
    assert_int_equal(p.charges[1].waits[WAIT_MULTIPLY], 4);
    assert_int_equal(p.charges[2].waits[WAIT_MULTIPLY], 4);
}

/* t = 0, 0, 1, 1, 2, 2; one wide, 0 to 5. */
static void dual_issue(void **state)
{
    struct core one = two_wide;
    struct program p = {0};
    (void)state;
    one.width = 1;
    for (int i = 0; i < 6; i++)
        program_add(&p, CLASS_ALU, "1", i % 2 ? "2" : "3");
    assert_int_equal(program_cycles(&two_wide, &p), 3);
    assert_int_equal(program_charged(&p).waits[WAIT_ISSUE], 3);
    assert_int_equal(program_cycles(&one, &p), 6);
}

static void dual_issue_slots(void **state)
{
    static const struct {
        enum insn_class a, b;
        uint64_t cycles; /* 1: both issue in cycle 0 */
    } pairs[] = {
        {CLASS_ALU, CLASS_ALU, 1},
        {CLASS_SHIFT, CLASS_ALU, 1},
        {CLASS_ALU, CLASS_SHIFT, 1},
        {CLASS_SHIFT, CLASS_SHIFT, 2} /* one slot for both */,
        {CLASS_SYS, CLASS_ALU, 2} /* alone */,
        {CLASS_ALU, CLASS_SYS, 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct program p = {0};
        program_add(&p, pairs[i].a, "1", "2");
        program_add(&p, pairs[i].b, "3", "4");
        assert_int_equal(program_cycles(&two_wide, &p), pairs[i].cycles);
    }
}

/* Two loads have one load/store unit: t = 0, 1. What pairs with the second still does. */
static void unit_conflict(void **state)
{
    struct program p = {0};
    (void)state;
    program_add(&p, CLASS_LD, "1a", "2");
    program_add(&p, CLASS_LD, "1a", "3");
    program_add(&p, CLASS_ALU, "4", "5");
    assert_int_equal(program_cycles(&two_wide, &p), 2);
    assert_int_equal(p.charges[1].waits[WAIT_UNIT], 1);
    assert_int_equal(p.charges[1].units[UNIT_LS], 1);
}

/* Multiplications that hold their unit for 3 cycles: t = 0, 3, 6. */
static void unit_busy(void **state)
{
    struct program p = {0};
    (void)state;
    for (int i = 0; i < 3; i++)
        program_add(&p, CLASS_MULH, "1", i == 0 ? "2" : i == 1 ? "3" : "4");
    assert_int_equal(program_cycles(&two_wide, &p), 7);
    assert_int_equal(program_charged(&p).units[UNIT_MAC], 6);
}

/* Halves held for 2 cycles: one each for the first two, t = 0, 0; the third waits for one, t = 2,
 * and the fourth gets the other then. A 128-bit one needs both at once: t = 4. */
static void unit_alternatives(void **state)
{
    struct program p = {0};
    (void)state;
    for (int i = 0; i < 4; i++)
        program_add(&p, CLASS_VALU_D, "40", i == 0 ? "41" : i == 1 ? "42" : i == 2 ? "43" : "44");
    assert_int_equal(program_cycles(&two_wide, &p), 3);
    program_add(&p, CLASS_VALU_Q, "40", "45");
    assert_int_equal(program_cycles(&two_wide, &p), 5);
}

/* A load's result is there 3 cycles after it; its address is read at issue, as are operands of the
 * ALU: t = 0, 3. */
static void load_use(void **state)
{
    struct program p = {0};
    (void)state;
    program_add(&p, CLASS_LD, "1a", "2");
    program_add(&p, CLASS_ALU, "2", "3");
    assert_int_equal(program_cycles(&two_wide, &p), 4);
    assert_int_equal(p.charges[1].waits[WAIT_LOAD], 3);
}

/* Data of a store is read 2 cycles after issue: loaded in the cycle 3, it may issue at 1. As its
 * address it would be needed at 3. */
static void store_data(void **state)
{
    struct program data = {0}, address = {0};
    (void)state;
    program_add(&data, CLASS_LD, "1a", "2");
    program_add(&data, CLASS_ST, "2d 3a", "");
    assert_int_equal(program_cycles(&two_wide, &data), 2);
    program_add(&address, CLASS_LD, "1a", "2");
    program_add(&address, CLASS_ST, "3d 2a", "");
    assert_int_equal(program_cycles(&two_wide, &address), 4);
}

/* An accumulator is read 3 cycles after issue, when the sum from before is just 4 - 3 = 1 cycle
 * away: t = 0, 1, 2. As a factor: 0, 4, 8. */
static void accumulator_forwarding(void **state)
{
    struct program sum = {0}, product = {0};
    (void)state;
    for (int i = 0; i < 3; i++) {
        program_add(&sum, CLASS_MUL, "1 2 3c", "3");
        program_add(&product, CLASS_MUL, "1 3 2c", "3");
    }
    assert_int_equal(program_cycles(&two_wide, &sum), 3);
    assert_int_equal(program_cycles(&two_wide, &product), 9);
}

/* The load writes register 2 at 3; the ALU's value, a cycle after issue, must not come sooner, so
 * t = 3 - 1 = 2. Into another register: t = 0. */
static void write_after_write(void **state)
{
    struct program same = {0}, other = {0};
    (void)state;
    program_add(&same, CLASS_LD, "1a", "2");
    program_add(&same, CLASS_ALU, "3", "2");
    assert_int_equal(program_cycles(&two_wide, &same), 3);
    assert_int_equal(same.charges[1].waits[WAIT_LOAD], 2);
    program_add(&other, CLASS_LD, "1a", "2");
    program_add(&other, CLASS_ALU, "3", "4");
    assert_int_equal(program_cycles(&two_wide, &other), 1);
}

/* What is after a branch not taken pairs with it; after a taken one, a cycle later at the soonest,
 * and here one more: t = 0 and 2. */
static void taken_branch(void **state)
{
    struct program p = {0};
    (void)state;
    program_add(&p, CLASS_BR, "", "");
    program_add(&p, CLASS_ALU, "1", "2");
    assert_int_equal(program_cycles(&two_wide, &p), 1);
    p.insns[1].address += 64;
    assert_int_equal(program_cycles(&two_wide, &p), 3);
    assert_int_equal(p.charges[1].waits[WAIT_BRANCH], 2);
    assert_int_equal(p.charges[0].waits[WAIT_ISSUE], 1);
}

/* The base register is there 2 cycles after a load that writes it back, its data after 3: t = 0, 2,
 * and 3. */
static void base_write_back(void **state)
{
    struct program p = {0};
    (void)state;
    program_add(&p, CLASS_LD, "1a", "2 1b");
    program_add(&p, CLASS_LD, "1a", "3");
    assert_int_equal(program_cycles(&two_wide, &p), 3);
    assert_int_equal(p.charges[1].waits[WAIT_RESULT], 2);
    program_add(&p, CLASS_ALU, "2", "4");
    assert_int_equal(program_cycles(&two_wide, &p), 4);
}

/* Nothing issues in the two cycles after one that holds the issue stage for 3: t = 0, 3. */
static void issue_stage_held(void **state)
{
    struct program p = {0};
    (void)state;
    program_add(&p, CLASS_DIV, "1", "2");
    assert_int_equal(program_cycles(&two_wide, &p), 3);
    program_add(&p, CLASS_ALU, "3", "4");
    assert_int_equal(program_cycles(&two_wide, &p), 4);
    assert_int_equal(p.charges[0].waits[WAIT_ISSUE], 3);
    assert_int_equal(p.charges[1].waits[WAIT_ISSUE], 1);
}

/* Four registers in groups of two: the second group issues at 1, its registers are there at
 * 0 + 3 + 1 = 4, those of the first at 3. */
static void several_registers(void **state)
{
    struct program free = {0}, first = {0}, last = {0}, again = {0};
    (void)state;
    program_add_several(&free, CLASS_LDM, "1a", "2 3 4 5", 4);
    program_add_several(&first, CLASS_LDM, "1a", "2 3 4 5", 4);
    program_add_several(&last, CLASS_LDM, "1a", "2 3 4 5", 4);
    program_add(&free, CLASS_ALU, "6", "7");
    program_add(&first, CLASS_ALU, "3", "7");
    program_add(&last, CLASS_ALU, "4", "7");
    assert_int_equal(program_cycles(&two_wide, &free), 3); /* t = 2 */
    assert_int_equal(program_cycles(&two_wide, &first), 4);
    assert_int_equal(program_cycles(&two_wide, &last), 5);
    /* Pipelined, it pairs with what needs none of them; the unit is busy all the same: t = 0, 0, 2.
     */
    program_add_several(&again, CLASS_VLDM, "1a", "40 41 42 43", 4);
    program_add(&again, CLASS_ALU, "6", "7");
    assert_int_equal(program_cycles(&two_wide, &again), 1);
    program_add(&again, CLASS_LD, "1a", "8");
    assert_int_equal(program_cycles(&two_wide, &again), 3);
}

/* A look-up in three registers has its result 2 + 3 - 1 = 4 cycles later. */
static void table_look_up(void **state)
{
    struct program p = {0};
    (void)state;
    program_add_several(&p, CLASS_VTBL_Q, "40 41 42 43", "44", 3);
    program_add(&p, CLASS_ALU, "44", "1");
    assert_int_equal(program_cycles(&two_wide, &p), 5);
}

/* Cortex-A53: AESE and AESMC take 2 cycles each, fused 2 together; they issue alone. A chain of
 * three: t = 0, 2, 4 fused, and 0, 2, ..., 10. Two blocks in turns fill every cycle: 0 to 5. */
static void fused_aes(void **state)
{
    struct program fused = {0}, apart = {0}, two = {0};
    struct core c;
    struct err e = ERR_INIT;
    (void)state;
    if (core_load("cortex-a53", &c, &e))
        fail_msg("%s", e.text);
    for (int i = 0; i < 3; i++) {
        program_add(&fused, CLASS_AESF, "40 50", "40");
        program_add(&apart, CLASS_AESE, "40 50", "40");
        program_add(&apart, CLASS_AESMC, "40", "40");
        program_add(&two, CLASS_AESF, "40 50", "40");
        program_add(&two, CLASS_AESF, "41 50", "41");
    }
    assert_int_equal(program_cycles(&c, &fused), 5);
    assert_int_equal(program_cycles(&c, &apart), 11);
    assert_int_equal(program_cycles(&c, &two), 6);
    core_free(&c);
}

/* Once: t = 0, cycles 1. Again after itself: the product is there at 4 (and the branch back would
 * do at 2), so the second costs 4. Without a chain the branch is what it costs. */
static void operation_is_the_second_time(void **state)
{
    struct program chain = {0}, alone = {0};
    (void)state;
    program_add(&chain, CLASS_MUL, "1", "1");
    assert_int_equal(program_cycles(&two_wide, &chain), 1);
    assert_int_equal(program_operation(&two_wide, &chain), 4);
    assert_int_equal(chain.charges[0].waits[WAIT_MULTIPLY], 4);
    program_add(&alone, CLASS_ALU, "1", "2");
    assert_int_equal(program_operation(&two_wide, &alone), 2);
}

static void refuse(struct program *p, const char *what)
{
    struct pipeline_stream s = program_stream(p);
    struct err e = ERR_INIT;
    uint64_t cycles;
    assert_int_equal(pipeline_cycles(&two_wide, &s, NULL, &cycles, &e), -1);
    if (!strstr(e.text, what))
        fail_msg("expected '%s' in: %s", what, e.text);
    err_clear(&e);
}

static void refuses_what_it_cannot_model(void **state)
{
    struct program p = {.end = 0x4000};
    (void)state;
    program_add(&p, CLASS_ALU, "1", "2");
    program_add(&p, CLASS_AESE, "40", "40");
    refuse(&p, "'aese'");
    refuse(&p, "two-wide");
    refuse(&p, "0x4004");
    p.n = 1; /* that it is there does not matter when it is not executed */
    assert_int_equal(program_cycles(&two_wide, &p), 1);
    p.order[0] = 2;
    refuse(&p, "number 2");
    p.order[0] = 0;
    p.insns[0].sources[0].reg = INSN_REGISTERS;
    refuse(&p, "0x4000");
    p.insns[0].sources[0].reg = 1;
    p.insns[0].n = 0;
    refuse(&p, "0x4000");
}

/* What holds for any stream: no more than two in a cycle; at most 6 cycles until the result of a
 * fourth group is there (a multiplication: 4, a branch: 2), and 4 in which the fourth group of its
 * own issues; more instructions never take less. */
static void random_streams(void **state)
{
    static struct program p;
    struct random r;
    (void)state;
    random_start(&r, 53);
    for (int round = 0; round < 100; round++) {
        uint64_t before = 0;
        program_random(&two_wide, &r, &p);
        size_t n = p.n, step = 1 + (size_t)random_below(&r, 97);
        for (p.n = 1; p.n < n; p.n += step) {
            uint64_t cycles = program_cycles(&two_wide, &p);
            assert_true(cycles >= (p.n + 1) / 2);
            assert_true(cycles <= p.n * 10);
            assert_true(cycles >= before);
            before = cycles;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_takes_no_time),
        cmocka_unit_test(latency_chain),
        cmocka_unit_test(dual_issue),
        cmocka_unit_test(dual_issue_slots),
        cmocka_unit_test(unit_conflict),
        cmocka_unit_test(unit_busy),
        cmocka_unit_test(unit_alternatives),
        cmocka_unit_test(load_use),
        cmocka_unit_test(store_data),
        cmocka_unit_test(accumulator_forwarding),
        cmocka_unit_test(write_after_write),
        cmocka_unit_test(taken_branch),
        cmocka_unit_test(base_write_back),
        cmocka_unit_test(issue_stage_held),
        cmocka_unit_test(several_registers),
        cmocka_unit_test(table_look_up),
        cmocka_unit_test(fused_aes),
        cmocka_unit_test(operation_is_the_second_time),
        cmocka_unit_test(refuses_what_it_cannot_model),
        cmocka_unit_test(random_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

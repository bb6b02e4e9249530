/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "program.h"

/*
 * A core whose figures are easy to work with. In the comments below, d is the cycle of dispatch, t
 * that of issue, at d + 1 or later. An instruction is done when its result exists, at t + latency;
 * a stream takes until its last instruction has retired, which is not before all are done.
 */
enum { P0, P1, L, S, M };

#define ONE(unit, cycles)                                                                          \
    {                                                                                              \
        {                                                                                          \
            1u << (unit), cycles                                                                   \
        }                                                                                          \
    }

static const struct core four_ports =
    {
        .name = "four-ports",
        .version = 1,
        .kind = CORE_OUT_OF_ORDER,
        .width = 2,
        .taken_branch = 1,
        .nunits = 5,
        .entries = 64,
        .retire = 8,
        .nqueues = 5,
        .queues =
            {{1u << P0, 8, 0}, {1u << P1, 8, 0}, {1u << L, 8, 0}, {1u << S, 8, 0}, {1u << M, 8, 0}},
        .queue_of = {0, 1, 2, 3, 4},
        .classes =
            {
                [CLASS_NOP] = {.present = 1, .latency = 1, .base_latency = 1},
                [CLASS_ALU] = {.present = 1,
                               .latency = 1,
                               .base_latency = 1,
                               .nuses = 1,
                               .uses = {{1u << P0 | 1u << P1, 1}}},
                [CLASS_SHIFT] = {.present = 1,
                                 .latency = 5,
                                 .base_latency = 5,
                                 .nuses = 1,
                                 .uses = ONE(P0, 20)},
                [CLASS_BR] =
                    {.present = 1, .latency = 1, .base_latency = 1, .nuses = 1, .uses = ONE(P1, 1)},
                [CLASS_LD] =
                    {.present = 1, .latency = 4, .base_latency = 1, .nuses = 1, .uses = ONE(L, 1)},
                [CLASS_SYS] = {.present = 1,
                               .latency = 20,
                               .base_latency = 1,
                               .nuses = 1,
                               .uses = ONE(L, 1)}, /* a slow load */
                [CLASS_LDM] = {.present = 1,
                               .latency = 4,
                               .base_latency = 1,
                               .nuses = 1,
                               .uses = ONE(L, 1),
                               .group = 2,
                               .group_latency = 1,
                               .group_units = 1},
                [CLASS_ST] = {.present = 1,
                              .latency = 1,
                              .base_latency = 1,
                              .nuses = 1,
                              .uses = ONE(S, 1),
                              .read = {[SOURCE_DATA] = 1}},
                [CLASS_MUL] = {.present = 1,
                               .latency = 3,
                               .base_latency = 3,
                               .nuses = 1,
                               .uses = ONE(M, 1),
                               .read = {[SOURCE_ACCUMULATOR] = 2}},
                [CLASS_DIV] =
                    {.present = 1, .latency = 5, .base_latency = 5, .nuses = 1, .uses = ONE(M, 5)},
                [CLASS_EXTR] = {.present = 1,
                                .latency = 3,
                                .base_latency = 3,
                                .nuses = 2,
                                .uses = {{1u << P0 | 1u << P1, 1}, {1u << M, 1}}},
            },
};

static void nothing_takes_no_time(void **state)
{
    struct program p = {0};
    (void)state;
    assert_int_equal(program_cycles(&four_ports, &p), 0);
    assert_int_equal(program_operation(&four_ports, &p), 0);
}

/* d = 0, t = 1, done at 2; without a unit too. */
static void one_instruction(void **state)
{
    struct program alu = {0}, nop = {0};
    (void)state;
    program_add(&alu, CLASS_ALU, "1", "2");
    program_add(&nop, CLASS_NOP, "", "");
    assert_int_equal(program_cycles(&four_ports, &alu), 2);
    assert_int_equal(program_cycles(&four_ports, &nop), 2);
}

/* t = 1, 5, 9, done at 13: each is 4 cycles later than the one before. */
static void latency_chain(void **state)
{
    struct program p = {0};
    (void)state;
    for (int i = 0; i < 3; i++)
        program_add(&p, CLASS_LD, "1a", "1");
    assert_int_equal(program_cycles(&four_ports, &p), 13);
    assert_int_equal(p.charges[1].waits[WAIT_LOAD], 4);
    assert_int_equal(p.charges[2].waits[WAIT_LOAD], 4);
}

/* Two in a cycle: d = 0, 0, 1, 1, ports in turn, t = 1, 1, 2, 2. One wide: t = 1 to 4. */
static void dual_dispatch(void **state)
{
    struct core one = four_ports;
    struct program p = {0};
    (void)state;
    one.width = 1;
    for (int i = 0; i < 4; i++)
        program_add(&p, CLASS_ALU, "1", "2");
    assert_int_equal(program_cycles(&four_ports, &p), 3);
    assert_int_equal(p.charges[2].waits[WAIT_ISSUE], 1);
    assert_int_equal(program_cycles(&one, &p), 5);
}

/* All four are done at 3; one retires a cycle: 2, 3, 4, 5. */
static void retirement_width(void **state)
{
    struct core c = four_ports;
    struct program p = {0};
    (void)state;
    c.retire = 1;
    for (int i = 0; i < 4; i++)
        program_add(&p, CLASS_ALU, "1", "2");
    assert_int_equal(program_cycles(&c, &p), 5);
    assert_int_equal(p.charges[3].waits[WAIT_ISSUE], 1);
}

/* A unit busy for 5 cycles: t = 1, 6, done at 11. The second could have issued at 2: of the 5
 * cycles that it is later, 4 are the unit's. */
static void unit_conflict(void **state)
{
    struct program p = {0};
    (void)state;
    program_add(&p, CLASS_DIV, "1", "2");
    program_add(&p, CLASS_DIV, "1", "3");
    assert_int_equal(program_cycles(&four_ports, &p), 11);
    assert_int_equal(p.charges[1].waits[WAIT_UNIT], 4);
    assert_int_equal(p.charges[1].units[M], 4);
}

/* A queue takes one a cycle: loads have d = 0, 1, 2, whatever the width; t = 1, 2, 3, done at 7.
 * That is the unit's doing. */
static void unit_takes_one_a_cycle(void **state)
{
    struct program p = {0};
    (void)state;
    for (int i = 0; i < 3; i++)
        program_add(&p, CLASS_LD, "1a", "2");
    assert_int_equal(program_cycles(&four_ports, &p), 7);
    assert_int_equal(p.charges[2].units[L], 1);
}

/* Which port an instruction goes to is settled at dispatch. The first has P0 from 1 to 20. d = 0:
 * the next, with P0 next in turn, which has got its one, goes to P1. d = 1: P1, whose turn it is,
 * t = 2, and then P0, though P1 were free: t = 21. */
static void alternatives_take_turns(void **state)
{
    struct program p = {0};
    (void)state;
    program_add(&p, CLASS_SHIFT, "1", "2");
    program_add(&p, CLASS_ALU, "1", "3");
    program_add(&p, CLASS_ALU, "1", "4");
    program_add(&p, CLASS_ALU, "1", "5");
    assert_int_equal(program_cycles(&four_ports, &p), 22);
    assert_int_equal(p.charges[3].units[P0], 16); /* of 22 - 6, when the first retires */
    p.n = 3;
    assert_int_equal(program_cycles(&four_ports, &p), 6);
}

/* The first multiplication waits for the load, d = 0, t = 5, done at 8. The second, d = 1, needs
 * nothing and goes before it, t = 2; what needs its result has t = 5. All is done at 8. In order,
 * the second has t = 6, and the last t = 9, done at 10. */
static void issues_out_of_order(void **state)
{
    struct core in_order = four_ports;
    struct program p = {0};
    (void)state;
    in_order.queues[M].in_order = 1;
    program_add(&p, CLASS_LD, "1a", "2");
    program_add(&p, CLASS_MUL, "2", "3");
    program_add(&p, CLASS_MUL, "1", "4");
    program_add(&p, CLASS_ALU, "4", "5");
    assert_int_equal(program_cycles(&four_ports, &p), 8);
    assert_int_equal(program_cycles(&in_order, &p), 10);
}

/* Data of a store is read a cycle after issue: loaded at 5, t = 4, done at 5. As its address: t =
 * 5, done at 6. */
static void store_data(void **state)
{
    struct program data = {0}, address = {0};
    (void)state;
    program_add(&data, CLASS_LD, "1a", "2");
    program_add(&data, CLASS_ST, "2d 3a", "");
    assert_int_equal(program_cycles(&four_ports, &data), 5);
    program_add(&address, CLASS_LD, "1a", "2");
    program_add(&address, CLASS_ST, "3d 2a", "");
    assert_int_equal(program_cycles(&four_ports, &address), 6);
}

/* An accumulator is read 2 cycles after issue: t = 1, 2, 3, done at 6. As a factor: t = 1, 4, 7. */
static void accumulator_forwarding(void **state)
{
    struct program sum = {0}, product = {0};
    (void)state;
    for (int i = 0; i < 3; i++) {
        program_add(&sum, CLASS_MUL, "1 2 3c", "3");
        program_add(&product, CLASS_MUL, "1 3 2c", "3");
    }
    assert_int_equal(program_cycles(&four_ports, &sum), 6);
    assert_int_equal(program_cycles(&four_ports, &product), 10);
    assert_int_equal(program_charged(&product).waits[WAIT_MULTIPLY], 9); /* and 1 to start with */
}

/* Registers are renamed: the ALU's write does not wait for the load's. What reads the register then
 * has the ALU's value: d = 1, t = 2. All is done when the load is, at 5. */
static void write_after_write(void **state)
{
    struct program p = {0};
    (void)state;
    program_add(&p, CLASS_LD, "1a", "2");
    program_add(&p, CLASS_ALU, "1", "2");
    program_add(&p, CLASS_LD, "2a", "3");
    assert_int_equal(program_cycles(&four_ports, &p), 6); /* the second load: t = 2 */
}

/* After a taken branch at d = 0 dispatch goes on at 2: t = 3, done at 4. */
static void taken_branch(void **state)
{
    struct program p = {0};
    (void)state;
    program_add(&p, CLASS_BR, "", "");
    program_add(&p, CLASS_ALU, "1", "2");
    assert_int_equal(program_cycles(&four_ports, &p), 2);
    p.insns[1].address += 64;
    assert_int_equal(program_cycles(&four_ports, &p), 4);
    assert_int_equal(p.charges[1].waits[WAIT_BRANCH], 2);
}

/* Four entries hold the slow load and three more, until it retires at 21. The next has d = 22, is
 * done at 24. With room for it all retire with the load. */
static void reorder_buffer_full(void **state)
{
    struct core c = four_ports;
    struct program p = {0};
    (void)state;
    c.entries = 4;
    program_add(&p, CLASS_SYS, "1a", "2");
    for (int i = 0; i < 4; i++)
        program_add(&p, CLASS_ALU, "1", "3");
    assert_int_equal(program_cycles(&c, &p), 24);
    assert_int_equal(p.charges[4].waits[WAIT_QUEUE], 3);
    assert_int_equal(program_cycles(&four_ports, &p), 21);
}

/* A queue of two. Divisions: d = 0, 1, 2, the last because the first has left the queue at 1; t =
 * 1, 6, 11. The fourth finds the other two in it until 6: d = 6, t = 16, done at 21. The slow load
 * after it is dispatched with it, t = 7, and done at 27; with room in the queue, d = 3, done at 24.
 */
static void queue_full(void **state)
{
    struct core c = four_ports;
    struct program p = {0};
    (void)state;
    c.queues[M].entries = 2;
    for (int i = 0; i < 4; i++)
        program_add(&p, CLASS_DIV, "1", "2");
    program_add(&p, CLASS_SYS, "1a", "3");
    assert_int_equal(program_cycles(&c, &p), 27);
    assert_int_equal(program_cycles(&four_ports, &p), 24);
}

/* The store waits for its data, loaded at 5, t = 4. Its base register is a micro-operation of its
 * own, that does not: d = 1, t = 2; the slow load has its address at 3, t = 3, done at 23. As a
 * result of the store itself the base comes at 4 + 1 = 5, and the load is done at 25. */
static void base_write_back(void **state)
{
    struct core apart = four_ports;
    struct program p = {0};
    (void)state;
    apart.writeback = 1u << P0 | 1u << P1;
    program_add(&p, CLASS_LD, "4a", "2");
    program_add(&p, CLASS_ST, "2d 1a", "1b");
    program_add(&p, CLASS_SYS, "1a", "3");
    assert_int_equal(program_cycles(&apart, &p), 23);
    assert_int_equal(program_cycles(&four_ports, &p), 25);
}

/* Four registers, two micro-operations: d = 0, 1, t = 1, 2. Results are at 1 + 4, of the second
 * group at 1 + 4 + 1: what needs it has t = 6. */
static void several_registers(void **state)
{
    struct program first = {0}, last = {0};
    (void)state;
    program_add_several(&first, CLASS_LDM, "1a", "2 3 4 5", 4);
    program_add_several(&last, CLASS_LDM, "1a", "2 3 4 5", 4);
    program_add(&first, CLASS_MUL, "3", "6");
    program_add(&last, CLASS_MUL, "4", "6");
    assert_int_equal(program_cycles(&four_ports, &first), 8);
    assert_int_equal(program_cycles(&four_ports, &last), 9);
}

/* Two micro-operations, the second on a unit that is busy until 6: t = 1 and 6. The result is there
 * at 1 + 3 by the first, but not before the second has issued: 7. */
static void two_units(void **state)
{
    struct program p = {0};
    (void)state;
    program_add(&p, CLASS_DIV, "1", "2");
    program_add(&p, CLASS_EXTR, "1", "3");
    program_add(&p, CLASS_ALU, "3", "4");
    assert_int_equal(program_cycles(&four_ports, &p), 8);
}

/* Cortex-A57: AESE and AESMC take 3 cycles, and as many together when fused; Cortex-A72 2. Three
 * rounds: t = 1, 4, 7, done at 10; apart, t = 1, 4, ..., 16, done at 19. A72: t = 1, 3, 5, done
 * at 7; apart t = 11 last, done at 13. */
static void fused_aes(void **state)
{
    static const struct {
        const char *core;
        uint64_t fused, apart;
    } cores[] = {{"cortex-a57", 10, 19}, {"cortex-a72", 7, 13}};
    struct program fused = {0}, apart = {0};
    (void)state;
    for (int i = 0; i < 3; i++) {
        program_add(&fused, CLASS_AESF, "40 50", "40");
        program_add(&apart, CLASS_AESE, "40 50", "40");
        program_add(&apart, CLASS_AESMC, "40", "40");
    }
    for (size_t i = 0; i < sizeof cores / sizeof *cores; i++) {
        struct core c;
        struct err e = ERR_INIT;
        if (core_load(cores[i].core, &c, &e))
            fail_msg("%s", e.text);
        assert_int_equal(program_cycles(&c, &fused), cores[i].fused);
        assert_int_equal(program_cycles(&c, &apart), cores[i].apart);
        core_free(&c);
    }
}

/* A chain through two times the same: once 13 cycles, and 12 more for the next three loads. */
static void operation_is_the_second_time(void **state)
{
    struct program p = {0};
    (void)state;
    for (int i = 0; i < 3; i++)
        program_add(&p, CLASS_LD, "1a", "1");
    assert_int_equal(program_cycles(&four_ports, &p), 13);
    assert_int_equal(program_operation(&four_ports, &p), 12);
    assert_int_equal(program_charged(&p).waits[WAIT_LOAD], 12);
}

/* A load of 44 registers of which the last is the address of the next: 4 cycles, and 255 for each
 * of 21 further groups. 64 of them in a queue reach further ahead than any core does: an error,
 * neither memory without end nor a wrong number. With 8 entries dispatch does not get so far ahead,
 * and the last of 100 has its result at 1 + 100 x 5359. */
static void no_reservation_too_far_ahead(void **state)
{
    struct core c = four_ports;
    struct program p = {0};
    struct err e = ERR_INIT;
    uint64_t cycles;
    char registers[200] = "";
    (void)state;
    c.classes[CLASS_LDM].group_latency = CORE_LATENCY_MAX;
    c.classes[CLASS_LDM].group_units = 0;
    for (int i = 0; i < 43; i++)
        strcat(registers, "2 ");
    strcat(registers, "1");
    for (int i = 0; i < 100; i++)
        program_add_several(&p, CLASS_LDM, "1a", registers, 44);
    assert_int_equal(program_cycles(&c, &p), 1 + 100 * 5359);
    c.queues[L].entries = CORE_QUEUE_MAX;
    c.entries = CORE_ENTRIES_MAX;
    struct pipeline_stream s = program_stream(&p);
    assert_int_equal(pipeline_cycles(&c, &s, NULL, &cycles, &e), -1);
    assert_non_null(strstr(e.text, "four-ports"));
    assert_non_null(strstr(e.text, "262144 cycles"));
    err_clear(&e);
}

/* The most that a table may say: 6 micro-operations for each of 44 registers, each 255 cycles on
 * one unit. The last of 20 x 264 issues at 1 + 5279 x 255, and is done a cycle later. */
static void slowest_table(void **state)
{
    struct core c = four_ports;
    struct core_class *k = &c.classes[CLASS_LDM];
    struct program p = {0};
    (void)state;
    k->group = 1;
    k->latency = k->group_latency = CORE_LATENCY_MAX;
    k->nuses = CORE_USES;
    for (size_t i = 0; i < k->nuses; i++)
        k->uses[i] = (struct core_use){1u << L, CORE_BUSY_MAX};
    c.queues[L].entries = CORE_QUEUE_MAX;
    c.entries = CORE_ENTRIES_MAX;
    c.width = CORE_WIDTH_MAX;
    for (int i = 0; i < 20; i++)
        program_add_several(&p, CLASS_LDM, "1a", "2", 44);
    assert_int_equal(program_cycles(&c, &p), 1 + 5279 * 255 + 1);
}

/* What holds for any stream: no more micro-operations in a cycle than the width; nothing is slower
 * than one after the other; more instructions never take less. */
static void random_streams(void **state)
{
    static struct program p;
    struct random r;
    (void)state;
    random_start(&r, 72);
    for (int round = 0; round < 100; round++) {
        struct core c = four_ports;
        uint64_t before = 0;
        c.entries = 1 + (int)random_below(&r, 40);
        c.retire = 1 + (int)random_below(&r, 4);
        for (size_t q = 0; q < c.nqueues; q++) {
            c.queues[q].entries = 1 + (int)random_below(&r, 12);
            c.queues[q].in_order = !random_below(&r, 3);
        }
        program_random(&c, &r, &p);
        size_t n = p.n, step = 1 + (size_t)random_below(&r, 97);
        for (p.n = 1; p.n < n; p.n += step) {
            uint64_t cycles = program_cycles(&c, &p);
            assert_true(cycles >= 1 + (p.n + 1) / 2);
            assert_true(cycles <= p.n * 32); /* 20 of P0; 4 + 3 of a load, and dispatch before it */
            assert_true(cycles >= before);
            before = cycles;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_takes_no_time),
        cmocka_unit_test(one_instruction),
        cmocka_unit_test(latency_chain),
        cmocka_unit_test(dual_dispatch),
        cmocka_unit_test(retirement_width),
        cmocka_unit_test(unit_conflict),
        cmocka_unit_test(unit_takes_one_a_cycle),
        cmocka_unit_test(alternatives_take_turns),
        cmocka_unit_test(issues_out_of_order),
        cmocka_unit_test(store_data),
        cmocka_unit_test(accumulator_forwarding),
        cmocka_unit_test(write_after_write),
        cmocka_unit_test(taken_branch),
        cmocka_unit_test(reorder_buffer_full),
        cmocka_unit_test(queue_full),
        cmocka_unit_test(base_write_back),
        cmocka_unit_test(several_registers),
        cmocka_unit_test(two_units),
        cmocka_unit_test(fused_aes),
        cmocka_unit_test(operation_is_the_second_time),
        cmocka_unit_test(no_reservation_too_far_ahead),
        cmocka_unit_test(slowest_table),
        cmocka_unit_test(random_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

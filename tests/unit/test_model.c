/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <stdlib.h>

#include "codefile.h"
#include "model.h"

enum { MARK = 0x1000, CALLER = 0x1010, WORK = 0x1020, ODD = 0x1040 };

static const uint8_t code[] = {
    /* cb_mark_begin: ret */
    0xc0, 0x03, 0x5f, 0xd6, 0x1f, 0x20, 0x03, 0xd5, 0x1f, 0x20, 0x03, 0xd5, 0x1f, 0x20, 0x03, 0xd5,
    /* caller: bl work; bl (the end mark) */
    0x04, 0x00, 0x00, 0x94, 0x00, 0x00, 0x00, 0x94, 0x1f, 0x20, 0x03, 0xd5, 0x1f, 0x20, 0x03, 0xd5,
    /* work: ldr x1, [x0]; add x1, x1, #1; mul x2, x1, x1; add x2, x2, x2; ret */
    0x01, 0x00, 0x40, 0xf9, 0x21, 0x04, 0x00, 0x91, 0x22, 0x7c, 0x01, 0x9b, 0x42, 0x00, 0x02, 0x8b,
    0xc0, 0x03, 0x5f, 0xd6, 0x1f, 0x20, 0x03, 0xd5, 0x1f, 0x20, 0x03, 0xd5, 0x1f, 0x20, 0x03, 0xd5,
    /* odd: fadd d0, d1, d2; eor3 v0.16b, v1.16b, v2.16b, v3.16b; fdiv d0, d1, d2 */
    0x20, 0x28, 0x62, 0x1e, 0x20, 0x0c, 0x02, 0xce, 0x20, 0x18, 0x62, 0x1e};

static const struct code_symbol list[] = {{"cb_mark_begin", MARK, 4, STT_FUNC},
                                          {"caller", CALLER, 8, STT_FUNC},
                                          {"work", WORK, 20, STT_FUNC},
                                          {"odd", ODD, 12, STT_FUNC}};

static char path[] = "/tmp/cb-model-XXXXXX";
static struct symbols *symbols;
static struct core core;

static uint64_t mark_block[] = {MARK}, call_block[] = {CALLER}, end_block[] = {CALLER + 4},
                work_block[] = {WORK, WORK + 4, WORK + 8, WORK + 12, WORK + 16},
                odd_block[] = {ODD}, unknown_block[] = {ODD, ODD + 4, ODD + 8};
static struct count_block blocks[] = {
    {mark_block, 1}, {call_block, 1}, {work_block, 5}, {end_block, 1}, {odd_block, 1}};

/* In order, two at a time; results a cycle later, of loads 3, of products 5. */
static void core_make(void)
{
    static char name[] = "test", mul[] = "mul";

    core = (struct core){.name = name, .machines = {EM_AARCH64}, .nmachines = 1};
    core.kind = CORE_IN_ORDER;
    core.width = 2;
    core.units[0] = mul;
    core.nunits = 1;
    for (size_t c = 0; c < CLASSES; c++)
        core.classes[c] = (struct core_class){
            .present = 1, .latency = 1, .base_latency = 1, .slots = SLOT_ANY, .issue_cycles = 1};
    core.classes[CLASS_LD].latency = 3;
    core.classes[CLASS_MUL64].latency = 5;
    core.classes[CLASS_MUL64].uses[0] = (struct core_use){1, 4};
    core.classes[CLASS_MUL64].nuses = 1;
}

static int setup(void **state)
{
    const struct code_file f = {EM_AARCH64, ELFCLASS64, MARK, code, sizeof code, list, 4};
    struct err e = ERR_INIT;
    int fd = mkstemp(path);

    (void)state;
    if (fd < 0)
        return -1;
    close(fd);
    code_file_write(path, &f);
    symbols = symbols_read(path, &e);
    core_make();
    return symbols ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    symbols_free(symbols);
    return unlink(path);
}

static struct model *open_model(void)
{
    struct err e = ERR_INIT;
    struct model *m;

    if (model_open(path, symbols, &core, &m, &e))
        fail_msg("%s", e.text);
    return m;
}

/* The function of that name. */
static const struct modelled_function *function_of(const struct modelled *r, const char *name)
{
    for (size_t k = 0; k < r->nfunctions; k++)
        if (!strcmp(r->functions[k].name, name))
            return &r->functions[k];
    fail_msg("no function %s", name);
    return NULL;
}

static void sums_are_whole(const struct modelled *r)
{
    double cycles = 0;
    uint64_t insns = 0;

    for (size_t k = 0; k < r->nfunctions; k++) {
        double waits = 0;

        for (size_t w = 0; w < WAITS; w++)
            waits += r->functions[k].waits[w];
        assert_true(waits == r->functions[k].cycles);
        if (k > 0)
            assert_true(r->functions[k - 1].cycles >= r->functions[k].cycles);
        cycles += r->functions[k].cycles;
        insns += r->functions[k].insns;
    }
    assert_true(cycles == (double)r->cycles);
    assert_int_equal(insns, r->insns);
}

static void operation(void **state)
{
    static uint32_t trace[] = {0, 1, 2, 2, 3}; /* "work" is executed twice */
    const struct count c = {
        .insns = 11, .overhead = 2, .blocks = blocks, .nblocks = 4, .trace = trace, .ntrace = 5};
    struct model *m = open_model();
    struct err e = ERR_INIT;
    struct modelled r, again;
    const struct modelled_function *work;

    (void)state;
    if (model_operation(m, &c, &r, &e))
        fail_msg("%s", e.text);
    /* Each branch ends its cycle. Twice: ldr, 3 cycles, add, 1, mul, 5, add with ret. */
    assert_int_equal(r.cycles, 1 + 2 * 10);
    assert_int_equal(r.insns, 11);
    assert_int_equal(r.unknown, 0);
    assert_null(r.unknown_names);
    assert_int_equal(r.nfunctions, 2);
    sums_are_whole(&r);
    work = function_of(&r, "work");
    assert_int_equal(work->insns, 10);
    assert_true(work->cycles == 2 * 10);
    assert_true(work->waits[WAIT_LOAD] == 2 * 3);
    assert_true(work->waits[WAIT_RESULT] == 2 * 1);
    assert_true(work->waits[WAIT_MULTIPLY] == 2 * 5);
    assert_true(work->waits[WAIT_BRANCH] == 1); /* ldr after bl */
    assert_true(work->waits[WAIT_ISSUE] == 1);  /* ldr after add and ret, which fill a cycle */
    assert_null(work->busiest_unit);
    assert_int_equal(function_of(&r, "caller")->insns, 1);
    /* The same again, whatever was before. */
    assert_int_equal(model_operation(m, &c, &again, &e), 0);
    assert_int_equal(again.cycles, r.cycles);
    modelled_free(&again);
    modelled_free(&r);
    assert_null(r.functions);
    model_close(m);
}

/* A unit that is busy for longer than results take is named where it is waited for. */
static void busiest_unit(void **state)
{
    static uint64_t multiply_block[] = {WORK + 8};
    static struct count_block multiply[] = {{multiply_block, 1}};
    static uint32_t trace[] = {0, 0, 0, 0};
    const struct count c = {
        .insns = 4, .blocks = multiply, .nblocks = 1, .trace = trace, .ntrace = 4};
    struct core before = core;
    struct err e = ERR_INIT;
    struct modelled r;
    struct model *m;

    (void)state;
    core.classes[CLASS_MUL64].uses[0].busy = 9;
    m = open_model();
    assert_int_equal(model_operation(m, &c, &r, &e), 0);
    assert_int_equal(r.cycles, 4 * 9);
    assert_string_equal(r.functions[0].busiest_unit, "mul");
    assert_true(r.functions[0].waits[WAIT_UNIT] > 0);
    sums_are_whole(&r);
    modelled_free(&r);
    model_close(m);
    core = before;
}

/* n times "work", then the unknown. */
static struct count with_unknown(size_t works, uint32_t last, uint64_t unknown)
{
    static uint32_t trace[1000];
    struct count c = {.insns = 5 * works + unknown, .blocks = blocks, .nblocks = 5, .trace = trace};

    assert_true(works < 1000);
    for (size_t k = 0; k < works; k++)
        trace[c.ntrace++] = 2;
    trace[c.ntrace++] = last;
    return c;
}

static void unknown_instructions(void **state)
{
    struct model *m = open_model();
    struct err e = ERR_INIT;
    struct modelled r;
    struct count c = with_unknown(40, 4, 1); /* 1 of 201 */

    (void)state;
    if (model_operation(m, &c, &r, &e))
        fail_msg("%s", e.text);
    assert_int_equal(r.unknown, 1);
    assert_string_equal(r.unknown_names, "fadd");
    assert_int_equal(function_of(&r, "odd")->insns, 1);
    sums_are_whole(&r);
    modelled_free(&r);
    c = with_unknown(39, 4, 1); /* 1 of 196 */
    assert_int_equal(model_operation(m, &c, &r, &e), -1);
    assert_non_null(strstr(e.text, "0.5%"));
    assert_non_null(strstr(e.text, "(fadd)"));
    assert_null(r.unknown_names);
    blocks[4] = (struct count_block){unknown_block, 3};
    c = with_unknown(39, 4, 3);
    assert_int_equal(model_operation(m, &c, &r, &e), -1);
    assert_non_null(strstr(e.text, "1.5%"));
    assert_non_null(strstr(e.text, "fadd, .inst 200c02ce, fdiv"));
    blocks[4] = (struct count_block){odd_block, 1};
    err_clear(&e);
    model_close(m);
}

/* An error leaves nothing behind, and the model goes on. */
static void refused(void **state)
{
    struct count c = with_unknown(40, 2, 5);
    struct core before = core;
    struct model *m = open_model();
    struct err e = ERR_INIT;
    struct modelled r;

    (void)state;
    c.ntrace--; /* cut off */
    assert_int_equal(model_operation(m, &c, &r, &e), -1);
    assert_non_null(strstr(e.text, "were counted"));
    assert_null(r.functions);
    c.ntrace++;
    core.classes[CLASS_MUL64].present = 0;
    assert_int_equal(model_operation(m, &c, &r, &e), -1);
    assert_non_null(strstr(e.text, "mul64"));
    assert_null(r.functions);
    core = before;
    assert_int_equal(model_operation(m, &c, &r, &e), 0);
    modelled_free(&r);
    model_close(m);

    core.machines[0] = EM_MIPS;
    assert_int_equal(model_open(path, symbols, &core, &m, &e), -1);
    assert_non_null(strstr(e.text, "AArch64"));
    core = before;
    assert_int_equal(model_open("/nonexistent", symbols, &core, &m, &e), -1);
    assert_non_null(strstr(e.text, "/nonexistent"));
    err_clear(&e);
    model_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operation),
        cmocka_unit_test(busiest_unit),
        cmocka_unit_test(unknown_instructions),
        cmocka_unit_test(refused),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}

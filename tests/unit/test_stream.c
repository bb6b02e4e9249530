/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <stdlib.h>

#include "codefile.h"
#include "stream.h"

/* Addresses of the code below. */
enum { MARK = 0x1000, BETWEEN = 0x1008, WORK = 0x1020 };

static const uint8_t code[] = {
    /* cb_mark_begin: nop; ret */
    0x1f, 0x20, 0x03, 0xd5, 0xc0, 0x03, 0x5f, 0xd6,
    /* between: bl work; mov x0, x19; bl (the end mark) */
    0x06, 0x00, 0x00, 0x94, 0xe0, 0x03, 0x13, 0xaa, 0x00, 0x00, 0x00, 0x94, 0x1f, 0x20, 0x03, 0xd5,
    0x1f, 0x20, 0x03, 0xd5, 0x1f, 0x20, 0x03, 0xd5,
    /* work: aese v2, v0; aesmc v2, v2; aese v3, v0; aesmc v4, v3; aese v2, v0; ret */
    0x02, 0x48, 0x28, 0x4e, 0x42, 0x68, 0x28, 0x4e, 0x03, 0x48, 0x28, 0x4e, 0x64, 0x68, 0x28, 0x4e,
    0x02, 0x48, 0x28, 0x4e, 0xc0, 0x03, 0x5f, 0xd6};

static char path[] = "/tmp/cb-stream-XXXXXX";
static struct symbols *symbols, *without;
static struct decoder *decoder;

static struct symbols *symbols_of(const struct code_symbol *list, size_t n)
{
    const struct code_file f = {EM_AARCH64, ELFCLASS64, MARK, code, sizeof code, list, n};
    struct err e = ERR_INIT;

    code_file_write(path, &f);
    return symbols_read(path, &e);
}

static int setup(void **state)
{
    static const struct code_symbol list[] = {{"between", BETWEEN, 24, STT_FUNC},
                                              {"work", WORK, 24, STT_FUNC},
                                              {"cb_mark_begin", MARK, 8, STT_FUNC}};
    struct err e = ERR_INIT;
    int fd = mkstemp(path);

    (void)state;
    if (fd < 0)
        return -1;
    close(fd);
    without = symbols_of(list, 2);
    symbols = symbols_of(list, 3);
    return !without || !symbols || decoder_open(path, &decoder, &e) ? -1 : 0;
}

static int teardown(void **state)
{
    (void)state;
    symbols_free(symbols);
    symbols_free(without);
    decoder_close(decoder);
    return unlink(path);
}

/* One operation as the driver executes it: blocks, their order, what an empty interval has. */
static uint64_t mark_block[] = {MARK, MARK + 4}, call_block[] = {BETWEEN},
                work_block[] = {WORK, WORK + 4, WORK + 8, WORK + 12, WORK + 16, WORK + 20},
                end_block[] = {BETWEEN + 4, BETWEEN + 8};
static struct count_block blocks[] = {
    {work_block, 6}, {mark_block, 2}, {call_block, 1}, {end_block, 2}};
static uint32_t trace[] = {1, 2, 0, 3};

static struct count operation(void)
{
    /* The empty interval: nop, ret, and the call of the end mark. */
    return (struct count){
        .insns = 8, .overhead = 3, .blocks = blocks, .nblocks = 4, .trace = trace, .ntrace = 4};
}

static void make(const struct count *c, int fuse, struct stream *out)
{
    struct err e = ERR_INIT;

    if (stream_make(decoder, symbols, c, fuse, out, &e))
        fail_msg("%s", e.text);
}

/* Neither the begin mark nor the call of the end mark. */
static void marks_are_left_out(void **state)
{
    static const uint64_t expected[] = {BETWEEN,   WORK,      WORK + 4,  WORK + 8,
                                        WORK + 12, WORK + 16, WORK + 20, BETWEEN + 4};
    struct count c = operation();
    struct stream s;

    (void)state;
    make(&c, 0, &s);
    assert_int_equal(s.n, 8);
    assert_int_equal(s.executed, c.insns);
    for (size_t k = 0; k < s.n; k++) {
        assert_int_equal(s.insns[s.order[k]].address, expected[k]);
        assert_int_equal(s.times[s.order[k]], 1);
    }
    stream_free(&s);
}

/* Of three AESE only the first has an AESMC of its own register behind it. */
static void fusion(void **state)
{
    struct count c = operation();
    struct stream s;
    const struct insn *pair;

    (void)state;
    make(&c, 1, &s);
    assert_int_equal(s.n, 7);
    assert_int_equal(s.executed, c.insns);
    pair = &s.insns[s.order[1]];
    assert_int_equal(pair->class, CLASS_AESF);
    assert_int_equal(pair->address, WORK);
    assert_int_equal(pair->length, 8);
    assert_int_equal(s.insns[s.order[2]].class, CLASS_AESE);
    assert_int_equal(s.insns[s.order[3]].class, CLASS_AESMC);
    assert_int_equal(s.insns[s.order[4]].class, CLASS_AESE);
    for (size_t k = 0; k < s.ninsns; k++)
        if (s.insns[k].address == WORK)
            assert_int_equal(s.times[k], s.insns[k].class == CLASS_AESF);
    stream_free(&s);
}

/* Across blocks, as often as it comes, and not when the AESE is the last of all. */
static void fusion_across_blocks(void **state)
{
    static uint64_t first[] = {WORK}, second[] = {WORK + 4};
    static struct count_block halves[] = {{first, 1}, {second, 1}};
    static uint32_t order[] = {0, 1, 0, 1, 0, 0, 1, 1, 0};
    const struct count c = {
        .insns = 9, .blocks = halves, .nblocks = 2, .trace = order, .ntrace = 9};
    static const enum insn_class expected[] = {CLASS_AESF, CLASS_AESF,  CLASS_AESE,
                                               CLASS_AESF, CLASS_AESMC, CLASS_AESE};
    struct stream s;

    (void)state;
    make(&c, 1, &s);
    assert_int_equal(s.n, 6);
    for (size_t k = 0; k < s.n; k++)
        assert_int_equal(s.insns[s.order[k]].class, expected[k]);
    assert_int_equal(s.times[s.order[0]], 3);
    assert_int_equal(s.executed, 9);
    stream_free(&s);
}

static void refused(const struct count *c, const struct symbols *s, const char *why)
{
    struct err e = ERR_INIT;
    struct stream out;

    assert_int_equal(stream_make(decoder, s, c, 1, &out, &e), -1);
    if (!strstr(e.text, why))
        fail_msg("'%s' lacks '%s'", e.text, why);
    stream_free(&out);
    err_clear(&e);
}

static void nonsense(void **state)
{
    static uint64_t elsewhere[] = {0x2000, 0x2004};
    static struct count_block foreign[] = {{elsewhere, 2}};
    static uint32_t zero[] = {0};
    struct count c = operation();

    (void)state;
    refused(&c, without, "cb_mark_begin");
    c.ntrace = 0;
    refused(&c, symbols, "no trace");
    c.ntrace = 3; /* cut off */
    refused(&c, symbols, "9 instructions, where 8 and 3");
    c = operation();
    c.insns++;
    refused(&c, symbols, "11 instructions");
    c = operation();
    c.nblocks = 3;
    refused(&c, symbols, "block 3, and only 3");
    c = operation();
    c.overhead = 1;
    c.insns = 10;
    refused(&c, symbols, "more instructions");
    c = (struct count){.insns = 2, .blocks = foreign, .nblocks = 1, .trace = zero, .ntrace = 1};
    refused(&c, symbols, "not of this driver");
}

/* A thousand instructions a block: the limit is passed by a trace of modest size. */
static void too_long(void **state)
{
    enum { BLOCK = 1000, RUNS = STREAM_MAX / BLOCK + 1 };
    uint64_t *addresses = calloc(BLOCK, sizeof *addresses);
    uint32_t *order = calloc(RUNS, sizeof *order);
    struct count_block block = {addresses, BLOCK};
    struct count c = {.insns = (uint64_t)BLOCK * RUNS,
                      .blocks = &block,
                      .nblocks = 1,
                      .trace = order,
                      .ntrace = RUNS};

    (void)state;
    for (size_t k = 0; k < BLOCK; k++)
        addresses[k] = WORK;
    refused(&c, symbols, "more than 50000000");
    block.n = SIZE_MAX / 2; /* sums would wrap around */
    refused(&c, symbols, "more than 50000000");
    free(addresses);
    free(order);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_are_left_out),
        cmocka_unit_test(fusion),
        cmocka_unit_test(fusion_across_blocks),
        cmocka_unit_test(nonsense),
        cmocka_unit_test(too_long),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "decoding.h"

static const struct elf_id a64 = {EM_AARCH64, 64, 0};

static const struct decoding rows[] = {
    {"add x0, x1, x2", "2000028b", "alu: 1 2 > 0"},
    {"add x0, x1, x2, lsl #3", "200c028b", "alush: 1 2/s > 0"},
    {"add x0, x1, w2, uxtw #2", "2048228b", "alush: 1 2/s > 0"},
    {"add x0, x1, #16", "20400091", "alu: 1 > 0"},
    {"add sp, sp, #16", "ff430091", "alu: 31 > 31"},
    {"adds x0, x1, x2", "200002ab", "alu: 1 2 > 0 f"},
    {"subs w0, w1, w2, lsr #4", "2010426b", "alush: 1 2/s > 0 f"},
    {"ands x0, x1, #15", "200c40f2", "alu: 1 > 0 f"},
    {"bics x4, x4, x6", "840026ea", "alu: 4 6 > 4 f"},
    {"adc x6, x6, x3", "c600039a", "alu: 6 3 f > 6"},
    {"adcs x5, x13, xzr", "a5011fba", "alu: 13 f > 5 f"},
    {"negs x0, x1", "e00301eb", "alu: 1 > 0 f"},
    {"mvn x13, x14, lsl #4", "ed132eaa", "alush: 14/s > 13"},
    {"cmp x1, x2", "3f0002eb", "alu: 1 2 > f"},
    {"cmp x1, x2, lsl #3", "3f0c02eb", "alush: 1 2/s > f"},
    {"cmn w0, #1", "1f040031", "alu: 0 > f"},
    {"tst x2, #31", "5f1040f2", "alu: 2 > f"},
    {"ccmp x2, x3, #0, eq", "400043fa", "alu: 2 3 f > f"},
    {"csel x6, x2, x7, cc", "4630879a", "alu: 2 7 f > 6"},
    {"cset w0, ne", "e0079f1a", "alu: f > 0"},
    {"clz x9, x6", "c910c0da", "alu: 6 > 9"},
    {"rev w13, w12", "8d09c05a", "alu: 12 > 13"},
    {"mov x0, x19", "e00313aa", "movr: 19 > 0"},
    {"mov x29, sp", "fd030091", "movr: 31 > 29"},
    {"mov w20, #1", "34008052", "movi: > 20"},
    {"mov x3, #-1", "03008092", "movi: > 3"},
    {"mov x8, #0x0101010101010101", "e8c300b2", "movi: > 8"},
    {"movk x25, #4, lsl #32", "9900c0f2", "movi: 25 > 25"},
    {"adr x1, .", "01000010", "movi: > 1"},
    {"adrp x1, .", "01000090", "movi: > 1"},
    {"lsl w3, w4, #2", "83741e53", "shift: 4 > 3"},
    {"lsl x2, x2, x9", "4220c99a", "shiftr: 2 9 > 2"},
    {"ror w17, w16, #16", "11429013", "ror: 16 > 17"},
    {"ror w17, w16, w1", "112ec11a", "shiftr: 16 1 > 17"},
    {"extr x3, x4, x5, #4", "8310c593", "extr: 4 5 > 3"},
    {"ubfx x5, x6, #33, #1", "c58461d3", "bfx: 6 > 5"},
    {"sxtw x5, w4", "857c4093", "bfx: 4 > 5"},
    {"ubfiz x4, x5, #4, #4", "a40c7cd3", "bfx: 5 > 4"},
    {"bfi w0, w1, #4, #4", "200c1c33", "bfm: 1 0 > 0"},
    {"bfxil w0, w1, #0, #1", "20000033", "bfm: 1 0 > 0"},
    {"mul x12, x4, x7", "8c7c079b", "mul64: 4 7 > 12"},
    {"mul w12, w4, w7", "8c7c071b", "mul: 4 7 > 12"},
    {"madd x1, x2, x3, x4", "4110039b", "mul64: 2 3 4/c > 1"},
    {"msub w1, w2, w3, w4", "4190031b", "mul: 2 3 4/c > 1"},
    {"umaddl x1, w2, w3, x4", "4110a39b", "mul: 2 3 4/c > 1"},
    {"umull x1, w2, w3", "417ca39b", "mul: 2 3 > 1"},
    {"umulh x13, x4, x7", "8d7cc79b", "mulh: 4 7 > 13"},
    {"udiv x1, x2, x3", "4108c39a", "div: 2 3 > 1"},
    {"ldr x3, [x25, #8]", "230740f9", "ld: 25/a > 3"},
    {"ldr x3, [x25], #8", "238740f8", "ld: 25/a > 25/1 3"},
    {"ldr w3, [x25, #8]!", "238f40b8", "ld: 25/a > 25/1 3"},
    {"ldr x3, [x1, x2, lsl #3]", "237862f8", "ldx: 1/a 2/a > 3"},
    {"ldrb w8, [x7, w26, uxtw]", "e8487a38", "ldx: 7/a 26/a > 8"},
    {"ldrsw x1, [sp, #120]", "e17b80b9", "ld: 31/a > 1"},
    {"ldp x3, x1, [x19, #64]", "630644a9", "ldp*2: 19/a > 3 1/2"},
    {"ldp x29, x30, [sp], #80", "fd7bc5a8", "ldp*2: 31/a > 31/1 29 30/2"},
    {"ldp w3, w1, [x19]", "63064029", "ldpw*2: 19/a > 3 1/2"},
    {"ldxr w0, [x1]", "207c5f88", "ld: 1/a > 0"},
    {"str x0, [x20, #112]", "803a00f9", "st: 20/a 0/d >"},
    {"str wzr, [x0, #8]", "1f0800b9", "st: 0/a >"},
    {"strb w2, [x19, x3]", "626a2338", "st: 19/a 3/a 2/d >"},
    {"stp x29, x30, [sp, #-80]!", "fd7bbba9", "stp*2: 31/a 29/d 30/d > 31/1"},
    {"stp wzr, w1, [sp, #120]", "ff070f29", "stpw: 31/a 1/d >"},
    {"stp xzr, xzr, [x5]", "bf7c00a9", "stp: 5/a >"},
    {"stxr w2, w3, [x4]", "837c0288", "st: 4/a 3/d > 2"},
    {"prfm pldl1keep, [x1]", "200080f9", "nop: >"},
    {"nop", "1f2003d5", "nop: >"},
    {"hint #25", "3f2303d5", "nop: >"},
    {"dmb ish", "bf3b03d5", "nop: >"},
    {"b .", "00000014", "br: >"},
    {"b.ne .", "01000054", "br: f >"},
    {"bl .", "00000094", "br: > 30"},
    {"cbz x1, .", "010000b4", "br: 1 >"},
    {"tbnz w5, #31, .", "0500f837", "br: 5 >"},
    {"br x17", "20021fd6", "bri: 17 >"},
    {"blr x2", "40003fd6", "bri: 2 > 30"},
    {"ret", "c0035fd6", "ret: 30 >"},
    {"ret x9", "20015fd6", "ret: 9 >"},
    {"mrs x0, tpidr_el0", "40d03bd5", "sys: > 0"},
    {"svc #0", "010000d4", "sys: >"},
    {"dc zva, x3", "23740bd5", "alu: 3 >"},
    {"add v12.4s, v11.4s, v10.4s", "6c85aa4e", "valu.q: v11 v10 > v12"},
    {"add v12.2s, v11.2s, v10.2s", "6c85aa0e", "valu.d: v11 v10 > v12"},
    {"eor v1.16b, v2.16b, v3.16b", "411c236e", "valu.q: v2 v3 > v1"},
    {"mov v3.16b, v0.16b", "031ca04e", "valu.q: v0 > v3"},
    {"mov v3.8b, v0.8b", "031ca00e", "valu.d: v0 > v3"},
    {"orr v17.16b, v3.16b, v5.16b", "711ca54e", "valu.q: v3 v5 > v17"},
    {"bic v27.2s, #0xfc, lsl #24", "9b77072f", "valu.d: > v27"},
    {"bif v5.16b, v18.16b, v0.16b", "451ee06e", "valu.q: v18 v0 v5 > v5"},
    {"bsl v30.16b, v17.16b, v21.16b", "3e1e756e", "valu.q: v17 v21 v30 > v30"},
    {"cmtst v24.16b, v0.16b, v16.16b", "188c304e", "valu.q: v0 v16 > v24"},
    {"mov d31, v6.d[1]", "df04185e", "valu.d: v6 > v31"},
    {"mov v31.d[1], v30.d[0]", "df07186e", "vperm.d: v30 v31 > v31"},
    {"mov v1.s[3], w10", "411d1c4e", "g2v: 10 v1 > v1"},
    {"mov v0.d[1], x10", "401d184e", "g2v: 10 v0 > v0"},
    {"fmov d1, x10", "4101679e", "g2v: 10 > v1"},
    {"fmov v1.d[1], x9", "2101af9e", "g2v: 9 v1 > v1"},
    {"fmov x1, d2", "4100669e", "v2g: v2 > 1"},
    {"mov x19, v1.d[0]", "333c084e", "v2g: v1 > 19"},
    {"umov w3, v1.b[2]", "233c050e", "v2g: v1 > 3"},
    {"dup v16.4s, v0.s[0]", "1004044e", "vperm.q: v0 > v16"},
    {"dup v16.4s, w3", "700c044e", "g2v: 3 > v16"},
    {"movi v0.4s, #1", "2004004f", "vmovi: > v0"},
    {"movi v8.8b, #0xc2", "48e4060f", "vmovi: > v8"},
    {"fmov d0, d1", "2040601e", "vmovi: v1 > v0"},
    {"shl v7.4s, v6.4s, #2", "c754224f", "vshl.q: v6 > v7"},
    {"shl d8, d7, #56", "e854785f", "vshl.d: v7 > v8"},
    {"ushr v30.2s, v27.2s, #26", "7e07262f", "vshl.d: v27 > v30"},
    {"shrn v30.2s, v21.2d, #26", "be86260f", "vshl.q: v21 > v30"},
    {"xtn v27.2s, v22.2d", "db2aa10e", "vshl.q: v22 > v27"},
    {"xtn2 v27.4s, v22.2d", "db2aa14e", "vshl.q: v22 v27 > v27"},
    {"ushll v1.2d, v2.2s, #0", "41a4202f", "vshl.q: v2 > v1"},
    {"sli v17.4s, v4.4s, #12", "91542c6f", "vins.q: v4 v17 > v17"},
    {"sri v17.2s, v4.2s, #12", "9144342f", "vins.d: v4 v17 > v17"},
    {"usra v3.2d, v4.2d, #26", "8314666f", "vsra.q: v4 v3/c > v3"},
    {"ssra v3.2s, v4.2s, #3", "83143d0f", "vsra.d: v4 v3/c > v3"},
    {"ext v8.16b, v0.16b, v1.16b, #8", "0840016e", "vperm.q: v0 v1 > v8"},
    {"rev32 v19.8h, v18.8h", "530a606e", "vperm.q: v18 > v19"},
    {"rev64 v11.8b, v10.8b", "4b09200e", "vperm.d: v10 > v11"},
    {"trn1 v9.2d, v14.2d, v15.2d", "c929cf4e", "vperm.q: v14 v15 > v9"},
    {"zip1 v4.4s, v16.4s, v20.4s", "043a944e", "vzip.q: v16 v20 > v4"},
    {"uzp2 v4.2s, v16.2s, v20.2s", "045a940e", "vzip.d: v16 v20 > v4"},
    {"mul v1.4s, v2.4s, v3.4s", "419ca34e", "vmul.q: v2 v3 > v1"},
    {"mul v1.2s, v2.2s, v3.2s", "419ca30e", "vmul.d: v2 v3 > v1"},
    {"mla v1.4s, v2.4s, v3.4s", "4194a34e", "vmla.q: v2 v3 v1/c > v1"},
    {"mls v1.2s, v2.2s, v3.2s", "4194a32e", "vmla.d: v2 v3 v1/c > v1"},
    {"umull v23.2d, v14.2s, v7.s[2]", "d7a9872f", "vmull: v14 v7 > v23"},
    {"umull2 v19.2d, v16.4s, v6.4s", "13c2a66e", "vmull: v16 v6 > v19"},
    {"umlal v22.2d, v11.2s, v1.2s", "7681a12e", "vmlal: v11 v1 v22/c > v22"},
    {"umlal2 v19.2d, v14.4s, v0.4s", "d381a06e", "vmlal: v14 v0 v19/c > v19"},
    {"pmull v11.1q, v4.1d, v15.1d", "8be0ef0e", "vpmull64: v4 v15 > v11"},
    {"pmull2 v28.1q, v5.2d, v14.2d", "bce0ee4e", "vpmull64: v5 v14 > v28"},
    {"pmull v1.8h, v2.8b, v3.8b", "41e0230e", "vpmull8: v2 v3 > v1"},
    {"aese v2.16b, v0.16b", "0248284e", "aese: v0 v2 > v2"},
    {"aesd v2.16b, v0.16b", "0258284e", "aese: v0 v2 > v2"},
    {"aesmc v2.16b, v3.16b", "6268284e", "aesmc: v3 > v2"},
    {"aesimc v2.16b, v2.16b", "4278284e", "aesmc: v2 > v2"},
    {"tbl v0.16b, {v1.16b}, v10.16b", "20000a4e", "vtbl.q: v1 v10 > v0"},
    {"tbl v0.16b, {v30.16b, v31.16b, v0.16b}, v10.16b", "c0430a4e",
     "vtbl.q*3: v30 v31 v0 v10 > v0"},
    {"tbx v0.8b, {v1.16b, v2.16b}, v10.8b", "20300a0e", "vtbl.q*2: v1 v2 v10 v0 > v0"},
    {"ldr q8, [x9], #16", "2805c13c", "vld: 9/a > 9/1 v8"},
    {"ldr d1, [x22, x20]", "c16a74fc", "vld: 22/a 20/a > v1"},
    {"ldp q8, q9, [x9], #32", "2825c1ac", "vldp*2: 9/a > 9/1 v8 v9/2"},
    {"ldp d8, d9, [sp, #16]", "e827416d", "vldpd*2: 31/a > v8 v9/2"},
    {"ld1 {v0.16b}, [x0], x8", "0070c84c", "vld: 0/a 8/a > 0/1 v0"},
    {"ld1 {v0.16b}, [x0]", "0070404c", "vld: 0/a > v0"},
    {"ld1 {v0.8b}, [x0]", "0070400c", "vldd: 0/a > v0"},
    {"ld1 {v31.4s, v0.4s}, [x7], #32", "ffa8df4c", "vld*2: 7/a > 7/1 v31 v0/2"},
    {"ld1 {v0.4s-v3.4s}, [x15], #64", "e029df4c", "vld*4: 15/a > 15/1 v0 v1/2 v2/2 v3/2"},
    {"ld1 {v7.s}[0], [x5]", "a780400d", "vldlane: 5/a v7 > v7"},
    {"ld1r {v7.4s}, [x5]", "a7c8404d", "vldr: 5/a > v7"},
    {"ld2 {v0.4s, v1.4s}, [x0]", "0088404c", "vldx*2: 0/a > v0 v1/2"},
    {"ld4 {v0.4s-v3.4s}, [x0]", "0008404c", "vldx*4: 0/a > v0 v1/2 v2/2 v3/2"},
    {"str q6, [sp]", "e603803d", "vst: 31/a v6/d >"},
    {"str d0, [x19, #752]", "607a01fd", "vstd: 19/a v0/d >"},
    {"stp q0, q1, [sp], #32", "e00781ac", "vstp*2: 31/a v0/d v1/d > 31/1"},
    {"stp d8, d9, [sp, #16]", "e827016d", "vstpd*2: 31/a v8/d v9/d >"},
    {"st1 {v24.16b-v27.16b}, [x17], #64", "38229f4c", "vst*4: 17/a v24/d v25/d v26/d v27/d > 17/1"},
    {"st1 {v6.8b}, [x1]", "2670000c", "vstd: 1/a v6/d >"},
    {"st1 {v23.s}[0], [x0]", "1780000d", "vstd: 0/a v23/d >"},
    {"st4 {v19.s-v22.s}[0], [x0], #16", "13a0bf0d", "vstd*4: 0/a v19/d v20/d v21/d v22/d > 0/1"},
};

static void instructions(void **state)
{
    (void)state;
    decodings_check(&a64, 0, rows, sizeof rows / sizeof rows[0]);
}

/* What capstone knows and the table has not, and what capstone does not know either: fadd d0, d1,
 * d2; eor3 v0.16b, v1.16b, v2.16b, v3.16b. */
static void not_in_the_table(void **state)
{
    struct decoder *d = code_open(&a64,
                                  "2028621e"
                                  "200c02ce",
                                  0);
    struct err e = ERR_INIT;
    uint32_t number;

    (void)state;
    decoded_is(d, CODE_AT, "valu.d: v1 v2 > v0 unknown", "fadd");
    assert_int_equal(decoder_at(d, CODE_AT, &number, &e), 0);
    assert_string_equal(decoder_unknown_name(d, number), "fadd");
    decoded_is(d, CODE_AT + 4, "alu: > unknown", "eor3");
    assert_int_equal(decoder_at(d, CODE_AT + 4, &number, &e), 0);
    assert_string_equal(decoder_unknown_name(d, number), ".inst 200c02ce");
    decoder_close(d);
}

static void refused(struct decoder *d, uint64_t address, const char *why)
{
    struct err e = ERR_INIT;
    uint32_t number;

    assert_int_equal(decoder_at(d, address, &number, &e), -1);
    if (!strstr(e.text, why))
        fail_msg("'%s' lacks '%s'", e.text, why);
    err_clear(&e);
}

static void addresses(void **state)
{
    struct decoder *d = code_open(&a64,
                                  "1f2003d5"
                                  "1f2003d5"
                                  "1f20",
                                  0);
    struct err e = ERR_INIT;
    uint32_t first, second, again;
    size_t n;

    (void)state;
    refused(d, CODE_AT - 4, "no code");
    refused(d, CODE_AT + 10, "no code");
    refused(d, UINT64_MAX, "no code");
    refused(d, CODE_AT + 2, "no instruction can be");
    refused(d, CODE_AT + 8, "no instruction can be"); /* half of one */
    assert_int_equal(decoder_at(d, CODE_AT + 4, &first, &e), 0);
    assert_int_equal(decoder_at(d, CODE_AT, &second, &e), 0);
    assert_int_equal(decoder_at(d, CODE_AT + 4, &again, &e), 0);
    decoder_insns(d, &n);
    assert_int_equal(n, 2);
    assert_int_equal(first, 0);
    assert_int_equal(second, 1);
    assert_int_equal(again, 0);
    decoder_close(d);
}

/* As many as a driver has: each keeps its number and its operands. */
static void many(void **state)
{
    enum { MANY = 20000 };
    static uint8_t code[4 * MANY];
    struct err e = ERR_INIT;
    struct decoder *d;
    uint32_t number;
    size_t n;

    (void)state;
    for (size_t k = 0; k < MANY; k++) { /* add xK, x1, x2 */
        code[4 * k] = (uint8_t)(0x20 | k % 31);
        code[4 * k + 2] = 0x02;
        code[4 * k + 3] = 0x8b;
    }
    assert_int_equal(decoder_open_code(&a64, CODE_AT, code, sizeof code, 0, &d, &e), 0);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t k = 0; k < MANY; k++) {
            assert_int_equal(decoder_at(d, CODE_AT + 4 * k, &number, &e), 0);
            assert_int_equal(number, k);
            assert_int_equal(decoder_insns(d, &n)[number].destinations[0].reg, k % 31);
        }
    }
    assert_int_equal(n, MANY);
    decoder_close(d);
}

static void other_machines(void **state)
{
    static const struct elf_id none[] = {
        {EM_X86_64, 64, 0}, {EM_AARCH64, 64, 1}, {EM_ARM, 32, 1},
        {EM_MIPS, 64, 1},   {EM_RISCV, 64, 0},
    };
    struct err e = ERR_INIT;
    struct decoder *d;

    (void)state;
    assert_true(decoder_machine_is_known(&a64));
    for (size_t k = 0; k < sizeof none / sizeof none[0]; k++) {
        assert_false(decoder_machine_is_known(&none[k]));
        assert_int_equal(decoder_open_code(&none[k], CODE_AT, "abcd", 4, 0, &d, &e), -1);
        assert_non_null(strstr(e.text, "no decoder"));
    }
    err_clear(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions),   cmocka_unit_test(not_in_the_table),
        cmocka_unit_test(addresses),      cmocka_unit_test(many),
        cmocka_unit_test(other_machines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

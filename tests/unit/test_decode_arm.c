/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "codefile.h"
#include "decoding.h"

static const struct elf_id arm = {EM_ARM, 32, 0};

static const struct decoding arm_rows[] = {
    {"add r0, r1, r2", "020081e0", "alu: 1 2 > 0"},
    {"add r0, r1, r2, lsl #2", "020181e0", "alush: 1 2/s > 0"},
    {"add r0, r1, r2, lsl r3", "120381e0", "alush: 1 2/s 3/s > 0"},
    {"add r0, r1, #4", "040081e2", "alui: 1 > 0"},
    {"adds r0, r1, r2", "020091e0", "alu: 1 2 > 0 f"},
    {"addne r0, r1, #4", "04008112", "alui: 1 f 0 > 0"},
    {"addeqs r0, r1, r2", "02009100", "alu: 1 2 f 0 f > 0 f"},
    {"adc r0, r1, r2", "0200a1e0", "alu: 1 2 f > 0"},
    {"adcs r0, r1, r2, lsl #2", "0201b1e0", "alush: 1 2/s f > 0 f"},
    {"rsb r0, r1, #0", "000061e2", "alui: 1 > 0"},
    {"orr r0, r1, r2", "020081e1", "alu: 1 2 > 0"},
    {"bic r0, r1, #15", "0f00c1e3", "alui: 1 > 0"},
    {"tst r0, #3", "030010e3", "alui: 0 > f"},
    {"cmp r0, r1", "010050e1", "alu: 0 1 > f"},
    {"cmpcs r0, r1", "01005021", "alu: 0 1 f f > f"},
    {"teq r0, r1, lsl #2", "010130e1", "alush: 0 1/s > f"},
    {"mov r0, r1", "0100a0e1", "alum: 1 > 0"},
    {"mov r0, #1", "0100a0e3", "alui: > 0"},
    {"moveq r0, r1", "0100a001", "alum: 1 f 0 > 0"},
    {"movw r0, #0x1234", "340201e3", "alui: > 0"},
    {"movt r0, #0x1234", "340241e3", "alui: 0 > 0"},
    {"mvn r0, r1", "0100e0e1", "alui: 1 > 0"},
    {"mvn r0, r1, lsl #3", "8101e0e1", "alush: 1/s > 0"},
    {"lsl r0, r1, #2", "0101a0e1", "shift: 1 > 0"},
    {"lsrs r0, r1, #3", "a101b0e1", "shift: 1 > 0 f"},
    {"lsr r0, r1, r2", "3102a0e1", "shiftr: 1 2 > 0"},
    {"ror r0, r1, #4", "6102a0e1", "shift: 1 > 0"},
    {"rrx r0, r1", "6100a0e1", "alu: 1 f > 0"},
    {"uxtb r0, r1", "7100efe6", "bfx: 1 > 0"},
    {"uxtab r0, r1, r2, ror #8", "7204e1e6", "alush: 1 2/s > 0"},
    {"ubfx r0, r1, #3, #4", "d101e3e7", "bfx: 1 > 0"},
    {"bfi r0, r1, #3, #4", "9101c6e7", "bfx: 1 0 > 0"},
    {"rev r0, r1", "310fbfe6", "alu: 1 > 0"},
    {"clz r0, r1", "110f6fe1", "alu: 1 > 0"},
    {"sel r0, r1, r2", "b20f81e6", "alu: 1 2 > 0"},
    {"uadd8 r0, r1, r2", "920f51e6", "alu: 1 2 > 0"},
    {"mul r0, r1, r2", "910200e0", "mul: 1 2 > 0"},
    {"mla r0, r1, r2, r3", "913220e0", "mul: 1 2 3/c > 0"},
    {"mls r0, r1, r2, r3", "913260e0", "mul: 1 2 3/c > 0"},
    {"umull r0, r1, r2, r3", "920381e0", "mull: 2 3 > 0 1"},
    {"umlal r0, r1, r2, r3", "9203a1e0", "mull: 0/c 1/c 2 3 > 0 1"},
    {"udiv r0, r1, r2", "11f230e7", "div: 1 2 > 0"},
    {"ldr r0, [r1, #4]", "040091e5", "ld: 1/a > 0"},
    {"ldr r0, [r1, r2]", "020091e7", "ldx: 1/a 2/a > 0"},
    {"ldr r0, [r1, r2, lsl #2]", "020191e7", "ldx: 1/a 2/a > 0"},
    {"ldr r0, [r1, r2, lsl #3]", "820191e7", "ldxs: 1/a 2/a > 0"},
    {"ldr r0, [r1, r2, lsr #2]", "220191e7", "ldxs: 1/a 2/a > 0"},
    {"ldr r0, [r1], #4", "040091e4", "ld: 1/a > 1/1 0"},
    {"ldr r0, [r1], r2", "020091e6", "ld: 1/a 2/a > 1/1 0"},
    {"ldr r0, [r1, #4]!", "0400b1e5", "ld: 1/a > 1/1 0"},
    {"ldrne r0, [r1]", "00009115", "ld: 1/a f 0 > 0"},
    {"ldrb r0, [r1, #1]", "0100d1e5", "ldb: 1/a > 0"},
    {"ldrb r0, [r1, r2]", "0200d1e7", "ldbx: 1/a 2/a > 0"},
    {"ldrb r0, [r1, r2, lsl #8]", "0204d1e7", "ldbxs: 1/a 2/a > 0"},
    {"ldrh r0, [r1, r2]", "b20091e1", "ldbx: 1/a 2/a > 0"},
    {"ldrd r0, r1, [r2, #8]", "d800c2e1", "ldrd*2: 2/a > 0 1/2"},
    {"ldr pc, [r1], #4", "04f091e4", "bri: 1/a > 1/1"},
    {"ldr r0, [pc, #8]", "08009fe5", "ld: 15/a > 0"},
    {"str r0, [r1, #4]", "040081e5", "st: 1/a 0/d >"},
    {"strne r0, [r1], #1", "01008114", "st: 1/a 0/d f > 1/1"},
    {"strd r0, r1, [r2, #8]!", "f800e2e1", "strd*2: 2/a 0/d 1/d > 2/1"},
    {"strex r0, r1, [r2]", "910f82e1", "st: 2/a 1/d > 0"},
    {"ldm r0, {r1, r2, r3}", "0e0090e8", "ldm*3: 0/a > 1 2/3 3/4"},
    {"ldm r0!, {r1, r2, r3}", "0e00b0e8", "ldm*3: 0/a > 0/1 1 2/3 3/4"},
    {"ldmne r0, {r1, r2}", "06009018", "ldm*2: 0/a f 1 2 > 1 2/3"},
    {"pop {r4, r5, pc}", "3080bde8", "ldmret*3: 13/a > 13/1 4 5/3"},
    {"stm r0, {r1, r2, r3}", "0e0080e8", "stm*3: 0/a 1/d 2/d 3/d >"},
    {"push {r4, r5, lr}", "30402de9", "stm*3: 13/a 4/d 5/d 14/d > 13/1"},
    {"b .", "feffffea", "br: >"},
    {"bne .", "feffff1a", "br: f >"},
    {"bl .", "feffffeb", "br: > 14"},
    {"blx r3", "33ff2fe1", "bri: 3 > 14"},
    {"bx lr", "1eff2fe1", "ret: 14 >"},
    {"bxne lr", "1eff2f11", "ret: 14 f >"},
    {"bx r3", "13ff2fe1", "bri: 3 >"},
    {"nop", "00f020e3", "nop: >"},
    {"pld [r1]", "00f0d1f5", "nop: >"},
    {"dmb ish", "5bf07ff5", "nop: >"},
    {"svc #0", "000000ef", "sys: >"},
    {"mrc p15, 0, r3, c13, c0, 3", "703f1dee", "sys: > 3"},
    {"vmrs apsr_nzcv, fpscr", "10faf1ee", "sys: > f"},
    {"vadd.i32 d10, d9, d30", "2ea829f2", "valu.d: v9 v30 > v10"},
    {"vadd.i32 q9, q8, q7", "ce2860f2", "valu.q: v16 v17 v14 v15 > v18 v19"},
    {"veor q3, q2, q1", "526104f3", "valu.q: v4 v5 v2 v3 > v6 v7"},
    {"vbic.i32 d16, #0xfc000000", "3c07c7f3", "valu.d: v16 > v16"},
    {"vorr q3, q0, q0", "506120f2", "valu.q: v0 v1 v0 v1 > v6 v7"},
    {"vmvn q0, q1", "c205b0f3", "valu.q: v2 v3 > v0 v1"},
    {"vbsl q13, q9, q8", "f0a152f3", "valu.q: v18 v19 v16 v17 v26 v27 > v26 v27"},
    {"vaddl.u32 q5, d10, d30", "2ea0aaf3", "valu.q: v10 v30 > v10 v11"},
    {"vshl.i32 d30, d29, #2", "3de5e2f2", "vshl.d: v29 > v30"},
    {"vshr.u64 q10, q0, #1", "d040fff3", "vshl.q: v0 v1 > v20 v21"},
    {"vshrn.i64 d30, q9, #26", "32e8e6f2", "vshl.q: v18 v19 > v30"},
    {"vmovn.i64 d16, q8", "2002faf3", "vshl.q: v16 v17 > v16"},
    {"vsli.32 q1, q12, #12", "7825acf3", "vins.q: v24 v25 v2 v3 > v2 v3"},
    {"vsri.32 d28, d26, #8", "3ac4f8f3", "vins.d: v26 v28 > v28"},
    {"vsra.u64 q0, q1, #3", "d201bdf3", "vsra.q: v2 v3 v0/c v1/c > v0 v1"},
    {"vext.8 q8, q7, q6, #15", "4c0ffef2", "vperm.q: v14 v15 v12 v13 > v16 v17"},
    {"vrev64.8 d0, d1", "0100b0f3", "vperm.d: v1 > v0"},
    {"vdup.32 q0, d1[1]", "410cbcf3", "vperm.q: v1 > v0 v1"},
    {"vdup.32 d0, r2", "102b80ee", "g2v: 2 > v0"},
    {"vtrn.32 d0, d10", "8a00baf3", "vperm.d: v0 v10 > v0 v10"},
    {"vzip.8 q0, q1", "c201b2f3", "vzip.q: v0 v1 v2 v3 > v0 v1 v2 v3"},
    {"vswp d0, d1", "0100b2f3", "vswp.d: v0 v1 > v0 v1"},
    {"vtbl.8 d0, {d20-d21}, d16", "a009b4f3", "vtbl.d*2: v20 v21 v16 > v0"},
    {"vtbx.8 d0, {d1}, d2", "4208b1f3", "vtbl.d: v1 v2 v0 > v0"},
    {"vmov.32 d13[1], r12", "10cb2dee", "g2v: 12 v13 > v13"},
    {"vmov.32 r0, d1[1]", "100b31ee", "v2g: v1 > 0"},
    {"vmov d0, r0, r1", "100b41ec", "g2v: 0 1 > v0"},
    {"vmov r0, r1, d2", "120b51ec", "v2g: v2 > 0 1"},
    {"vmov s3, r1", "901a01ee", "g2v: 1 > v1"},
    {"vmov.i32 q14, #0x1000000", "51c6c0f2", "vmovi: > v28 v29"},
    {"vmvn.i32 q0, #1", "710080f2", "vmovi: > v0 v1"},
    {"vmul.i32 d0, d1, d2", "120921f2", "vmul.d: v1 v2 > v0"},
    {"vmul.i32 q0, q1, q2", "540922f2", "vmul.q: v2 v3 v4 v5 > v0 v1"},
    {"vmla.i32 d0, d1, d2", "020921f2", "vmla.d: v1 v2 v0/c > v0"},
    {"vmla.i32 q0, q1, q2", "440922f2", "vmla.q: v2 v3 v4 v5 v0/c v1/c > v0 v1"},
    {"vmull.u32 q5, d0, d1[1]", "61aaa0f3", "vmull: v0 v1 > v10 v11"},
    {"vmlal.u32 q5, d29, d2", "82a8adf3", "vmlal: v29 v2 v10/c v11/c > v10 v11"},
    {"vmull.p8 q8, d16, d6", "860ec0f2", "vpmull8: v16 v6 > v16 v17"},
    {"vmull.p64 q4, d24, d14", "8e8ea8f2", "vpmull64: v24 v14 > v8 v9"},
    {"aese.8 q2, q0", "0043b0f3", "aese: v0 v1 v4 v5 > v4 v5"},
    {"aesimc.8 q0, q1", "c203b0f3", "aesmc: v2 v3 > v0 v1"},
    {"vldr d24, [sp, #64]", "108bdded", "vldd: 13/a > v24"},
    {"vldr s1, [r0]", "000ad0ed", "vldd: 0/a > v0"},
    {"vld1.8 {d0}, [r0]", "0f0720f4", "vldd: 0/a > v0"},
    {"vld1.8 {q0}, [r0]!", "0d0a20f4", "vld: 0/a > 0/1 v0 v1/2"},
    {"vld1.64 {d18-d19}, [r2], r12", "cc2a62f4", "vld: 2/a 12/a > 2/1 v18 v19/2"},
    {"vld1.32 {d0-d3}, [r11]!", "8d022bf4", "vld*2: 11/a > 11/1 v0 v1/2 v2/2 v3/3"},
    {"vld1.32 {d8[0]}, [r6]", "0f88a6f4", "vldlane: 6/a v8 > v8"},
    {"vld1.32 {d0[],d1[]}, [r0]", "af0ca0f4", "vldlane: 0/a > v0 v1/2"},
    {"vld4.32 {d20,d22,d24,d26}, [r1]", "8f4161f4", "vldx*2: 1/a > v20 v22/2 v24/2 v26/3"},
    {"vldmia r11, {d8-d15}", "108b9bec",
     "vldm*4: 11/a > v8 v9/2 v10/2 v11/3 v12/3 v13/4 v14/4 v15/5"},
    {"vpop {d8-d11}", "088bbdec", "vldm*2: 13/a > 13/1 v8 v9/2 v10/2 v11/3"},
    {"vldmia r0!, {s0-s3}", "040ab0ec", "vldm*2: 0/a > 0/1 v0 v0/2 v1/2 v1/3"},
    {"vstr d24, [sp, #64]", "108bcded", "vstd: 13/a v24/d >"},
    {"vst1.8 {d12-d13}, [r1]!", "0dca01f4", "vst: 1/a v12/d v13/d > 1/1"},
    {"vst1.8 {d0}, [r12]!", "0d070cf4", "vstd: 12/a v0/d > 12/1"},
    {"vst1.32 {d8[0]}, [r6 :32]", "3f8886f4", "vstlane: 6/a v8/d >"},
    {"vst4.32 {d0[0],d1[0],d2[0],d3[0]}, [r6]!", "0d0b86f4",
     "vstlane*2: 6/a v0/d v1/d v2/d v3/d > 6/1"},
    {"vstmia r12!, {d14-d15}", "04ebacec", "vstm: 12/a v14/d v15/d > 12/1"},
    {"vpush {d8-d15}", "108b2ded",
     "vstm*4: 13/a v8/d v9/d v10/d v11/d v12/d v13/d v14/d v15/d > 13/1"},
};

static const struct decoding thumb_rows[] = {
    {"adds r2, #80", "5032", "alui: 2 > 2 f"},
    {"adds r3, r7, r2", "bb18", "alu: 7 2 > 3 f"},
    {"add r11, r5", "ab44", "alu: 5 11 > 11"},
    {"adcs r5, r1", "4d41", "alu: 1 5 f > 5 f"},
    {"adc.w r2, r2, #0", "42f10002", "alui: 2 f > 2"},
    {"adcs.w r4, r4, r5, lsl #20", "54eb0554", "alush: 4 5/s f > 4 f"},
    {"sbcs r1, r2", "9141", "alu: 2 1 f > 1 f"},
    {"negs r0, r2", "5042", "alu: 2 0 > 0 f"},
    {"ands r0, r2", "1040", "alu: 2 0 > 0 f"},
    {"cmp r3, #15", "0f2b", "alui: 3 > f"},
    {"movs r2, #1", "0122", "alui: > 2 f"},
    {"mov r11, r3", "9b46", "alum: 3 > 11"},
    {"mov.w r11, r5, lsr #4", "4fea151b", "shift: 5 > 11"},
    {"lsls r3, r3, #16", "1b04", "shift: 3 > 3 f"},
    {"asrs r3, r2", "1341", "shiftr: 2 3 > 3 f"},
    {"lsl.w r1, r2, r3", "02fa03f1", "shiftr: 2 3 > 1"},
    {"muls r0, r3, r0", "5843", "mul: 3 0 > 0 f"},
    {"uxtb r3, r3", "dbb2", "bfx: 3 > 3"},
    {"addw r5, pc, #100", "0ff26405", "alui: 15 > 5"},
    {"cbz r5, .+8", "15b1", "br: 5 >"},
    {"bx lr", "7047", "ret: 14 >"},
    {"blx r11", "d847", "bri: 11 > 14"},
    {"push {r4, r5, r6, lr}", "70b5", "stm*4: 13/a 4/d 5/d 6/d 14/d > 13/1"},
    {"pop {r4, r5, r6, pc}", "70bd", "ldmret*4: 13/a > 13/1 4 5/3 6/4"},
    {"stmdb sp!, {r1, r2, r3, lr}", "2de90e40", "stm*4: 13/a 1/d 2/d 3/d 14/d > 13/1"},
    {"ldmia r2!, {r0, r1}", "03ca", "ldm*2: 2/a > 2/1 0 1/3"},
    {"ldr r3, [sp, #12]", "039b", "ld: 13/a > 3"},
    {"ldr.w r12, [r11, r12, lsl #2]", "5bf82cc0", "ldx: 11/a 12/a > 12"},
    {"ldrb.w r14, [r0, #1]!", "10f801ef", "ldb: 0/a > 0/1 14"},
    {"ldrh.w r8, [r2, r12]", "32f80c80", "ldbx: 2/a 12/a > 8"},
    {"tbb [pc, r1]", "dfe801f0", "bri: >"},
    {"tbh [pc, r8, lsl #1]", "dfe818f0", "bri: >"},
    {"vld1.32 {d0-d3}, [r11]!", "2bf98d02", "vld*2: 11/a > 11/1 v0 v1/2 v2/2 v3/3"},
    {"vld1.32 {d0[]}, [r0]", "a0f98f0c", "vldlane: 0/a > v0"},
    {"aese.8 q2, q0", "b0ff0043", "aese: v0 v1 v4 v5 > v4 v5"},
    {"vmull.p64 q4, d24, d14", "a8ef8e8e", "vpmull64: v24 v14 > v8 v9"},
};

static void arm_instructions(void **state)
{
    (void)state;
    decodings_check(&arm, 0, arm_rows, sizeof arm_rows / sizeof arm_rows[0]);
}

static void thumb_instructions(void **state)
{
    (void)state;
    decodings_check(&arm, 1, thumb_rows, sizeof thumb_rows / sizeof thumb_rows[0]);
}

/* itte ne; addne r0, #1; adcne r1, r2; movweq r3, #0; adds r0, #1. */
static const char block[] = "1abf"
                            "0130"
                            "5141"
                            "40f20003"
                            "0130";

static void it_block(void **state)
{
    struct decoder *d = code_open(&arm, block, 1);

    (void)state;
    decoded_is(d, CODE_AT, "it: f >", "itte ne");
    decoded_is(d, CODE_AT + 2, "alui: 0 f 0 > 0", "addne r0, #1");
    decoded_is(d, CODE_AT + 4, "alu: 2 1 f f 1 > 1", "adcne r1, r2");
    decoded_is(d, CODE_AT + 6, "alui: f 3 > 3", "movweq r3, #0");
    decoded_is(d, CODE_AT + 10, "alui: 0 > 0 f", "adds r0, #1");
    decoder_close(d);
}

/* The block of an `it` is known from it, whatever was asked for first; numbers stay. */
static void it_block_backwards(void **state)
{
    struct decoder *d = code_open(&arm, block, 1);
    struct err e = ERR_INIT;
    uint32_t before, after;

    (void)state;
    decoded_is(d, CODE_AT + 2, "alui: 0 > 0 f", "adds r0, #1");
    assert_int_equal(decoder_at(d, CODE_AT + 2, &before, &e), 0);
    decoded_is(d, CODE_AT, "it: f >", "itte ne");
    decoded_is(d, CODE_AT + 2, "alui: 0 f 0 > 0", "addne r0, #1");
    assert_int_equal(decoder_at(d, CODE_AT + 2, &after, &e), 0);
    assert_int_equal(after, before);
    decoder_close(d);
}

static void it_of_one(void **state)
{
    /* it ne; bxne lr; adds r0, #1: the second is no longer in it */
    struct decoder *d = code_open(&arm,
                                  "18bf"
                                  "7047"
                                  "0130",
                                  1);

    (void)state;
    decoded_is(d, CODE_AT, "nop: >", "it ne");
    decoded_is(d, CODE_AT + 2, "ret: 14 f >", "bxne lr");
    decoded_is(d, CODE_AT + 4, "alui: 0 > 0 f", "adds r0, #1");
    decoder_close(d);
}

/* vdiv.f32 s0, s1, s2, which the table has not, and what is no instruction. */
static void not_in_the_table(void **state)
{
    struct decoder *d = code_open(&arm,
                                  "810a80ee"
                                  "ffffffff",
                                  0);
    struct err e = ERR_INIT;
    uint32_t number;

    (void)state;
    decoded_is(d, CODE_AT, "valu.d: v0 v1 > v0 unknown", "vdiv.f32");
    assert_int_equal(decoder_at(d, CODE_AT, &number, &e), 0);
    assert_string_equal(decoder_unknown_name(d, number), "vdiv.f32");
    decoded_is(d, CODE_AT + 4, "alu: > unknown", "ffffffff");
    decoder_close(d);
    d = code_open(&arm,
                  "ffffffff"
                  "0130",
                  1);
    decoded_is(d, CODE_AT, "alu: > unknown", "ffffffff");
    assert_int_equal(decoded_at(d, CODE_AT)->length, 4);
    decoder_close(d);
}

/* What is Thumb follows from mapping symbols, without them from functions; $d is no end of code:
 * older assemblers take AES as data words only. */
static void mapping_symbols(void **state)
{
    static const uint8_t code[] = {0x01, 0x30, 0xb0, 0xff, 0x00, 0x43,  /* thumb: adds, aese */
                                   0x00, 0x00,                          /* */
                                   0x04, 0x00, 0x81, 0xe2,              /* arm: add r0, r1, #4 */
                                   0x00, 0x43, 0xb0, 0xf3, 0x01, 0x30}; /* arm: aese; thumb: adds */
    static const struct code_symbol symbols[] = {
        {"$t", 0x1000, 0, STT_NOTYPE},      {"$d", 0x1002, 0, STT_NOTYPE},
        {"$a.7", 0x1008, 0, STT_NOTYPE},    {"$d.8", 0x100c, 0, STT_NOTYPE},
        {"thumb", 0x1011, 2, STT_FUNC},     {"$tail", 0x1008, 0, STT_NOTYPE},
        {"cb_data", 0x1008, 0, STT_NOTYPE},
    };
    const struct code_file f = {
        EM_ARM, ELFCLASS32, 0x1000, code, sizeof code, symbols, sizeof symbols / sizeof symbols[0]};
    char path[] = "/tmp/cb-decode-XXXXXX";
    int fd = mkstemp(path);
    struct err e = ERR_INIT;
    struct decoder *d;

    (void)state;
    assert_true(fd >= 0);
    close(fd);
    code_file_write(path, &f);
    if (decoder_open(path, &d, &e))
        fail_msg("%s", e.text);
    decoded_is(d, 0x1000, "alui: 0 > 0 f", "adds r0, #1");
    decoded_is(d, 0x1002, "aese: v0 v1 v4 v5 > v4 v5", "aese.8 q2, q0, Thumb");
    decoded_is(d, 0x1008, "alui: 1 > 0", "add r0, r1, #4");
    decoded_is(d, 0x100c, "aese: v0 v1 v4 v5 > v4 v5", "aese.8 q2, q0, ARM");
    decoded_is(d, 0x1010, "alui: 0 > 0 f", "adds r0, #1");
    decoded_is(d, 0x1000, "alui: 0 > 0 f", "adds r0, #1, again");
    decoder_close(d);
    unlink(path);
    assert_int_equal(decoder_open(path, &d, &e), -1);
    assert_non_null(strstr(e.text, path));
    err_clear(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arm_instructions), cmocka_unit_test(thumb_instructions),
        cmocka_unit_test(it_block),         cmocka_unit_test(it_block_backwards),
        cmocka_unit_test(it_of_one),        cmocka_unit_test(not_in_the_table),
        cmocka_unit_test(mapping_symbols),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

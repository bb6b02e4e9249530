/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "resultfile.h"

#define LIBRARY "\"library\":{\"name\":\"lib\",\"kind\":\"tree\",\"version\":\"1\","
#define BUILD(id, config)                                                                          \
    "{\"id\":\"" id "\",\"status\":\"ok\",\"reason\":null,\"log\":null,\"key\":null,\"side\":null" \
    "," LIBRARY "\"source_sha256\":\"00\",\"path\":null},"                                         \
    "\"compiler\":{\"word\":\"gcc\",\"family\":\"gcc\",\"version\":\"12\"},"                       \
    "\"config\":{\"name\":\"" config "\",\"cflags\":[],\"baseline\":null},"                        \
    "\"target\":{\"name\":\"t\"},\"effective\":{\"optimisation\":\"-O2\"},"                        \
    "\"sizes\":{\"archive\":{\"text\":10,\"rodata\":20,\"data\":30,\"bss\":40},"                   \
    "\"shared_stripped\":null}}"
#define LANE                                                                                       \
    "{\"target\":\"t\",\"cpu\":null,\"runner\":\"native\",\"runner_version\":null,"                \
    "\"emulated\":false,\"metrics\":[\"time\"],\"counter\":null,"                                  \
    "\"drivers\":[{\"build\":\"A\",\"capabilities\":\"cap=1\"}]}"
#define CELL(build, bytes, time, cycles, vs)                                                       \
    "{\"build\":\"" build "\",\"target\":\"t\",\"cpu\":null,\"runner\":\"native\","                \
    "\"library\":\"lib\",\"compiler\":\"gcc\",\"config\":\"O2\",\"workload\":\"record/1\","        \
    "\"alg\":\"aes-128-gcm\",\"op\":\"encrypt\",\"bytes\":" bytes ",\"status\":\"ok\","            \
    "\"reason\":null,\"time\":" time ",\"cycles\":" cycles ",\"cycles_reason\":null,"              \
    "\"insns\":null,\"insns_reason\":null,\"vs_baseline\":" vs "}"
#define TIME(launches, samples)                                                                    \
    "{\"emulated\":false,\"ns_per_op\":{\"median\":1},\"launches\":" launches                      \
    ",\"samples\":" samples "}"
#define RESULT(cells)                                                                              \
    "{\"schema\":\"crypto-bench/1\",\"created\":\"2026-01-01T00:00:00Z\",\"settings\":"            \
    "{\"workload\":[\"record/1\"],\"seconds_per_cell\":0.5},"                                      \
    "\"host\":{\"cpu_model\":\"X\",\"turbo\":false,\"governor\":null,\"time_in_state\":[[1,2]]}"   \
    ",\"builds\":[" BUILD("A", "O2") "," BUILD(                                                    \
        "B", "Os") "],\"lanes\":[" LANE "],"                                                       \
                   "\"cells\":[" cells                                                             \
                   "],\"fits\":[],\"warnings\":[{\"code\":\"load\",\"text\":\"much\"}]}"
#define ONE(launches, samples) RESULT(CELL("A", "16", TIME(launches, samples), "null", "null"))

static struct result_file read_good(const char *text)
{
    struct result_file f;
    struct err e = ERR_INIT;
    if (result_file_parse(text, strlen(text), "r.json", &f, &e))
        fail_msg("%s", e.text);
    err_clear(&e);
    return f;
}

static void is_refused(const char *text, const char *want)
{
    struct result_file f;
    struct err e = ERR_INIT;
    assert_int_equal(result_file_parse(text, strlen(text), "r.json", &f, &e), -1);
    if (strncmp(e.text, "r.json", 6) != 0 || !strstr(e.text, want))
        fail_msg("'%s' does not say '%s'", e.text, want);
    err_clear(&e);
}

/* Process p has these many samples; ns of the first is as given, and each has one more. */
static void process_is(const struct series *s, size_t p, size_t n, uint64_t first_ns)
{
    assert_true(p < s->n);
    assert_int_equal(s->process[p].n, n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(s->process[p].v[i].ops, 10);
        assert_int_equal(s->process[p].v[i].ns, first_ns + i);
        assert_int_equal(s->process[p].v[i].round, i);
        assert_int_equal(s->process[p].v[i].cycles, 0);
    }
}

static void two_twins(void **state)
{
    (void)state;
    struct result_file f = read_good(
        ONE("[[2,1],[1,3]]", "[[10,100],[10,101],[10,200],[10,300],[10,400],[10,401],[10,402]]"));
    const struct series *s = &f.cells[0].series;
    assert_int_equal(s->twins, 2);
    assert_int_equal(s->n, 4);
    process_is(s, 0, 2, 100);
    process_is(s, 1, 1, 200);
    process_is(s, 2, 1, 300);
    process_is(s, 3, 3, 400);
    assert_int_equal(f.cells[0].time.n, 7);
    assert_true(fabs(f.cells[0].time.median - 30) < 1e-12); /* and not the file's */
    /* Rounds that both twins of a launch have: 200/100 and 400/300. */
    assert_int_equal(f.cells[0].null.n, 2);
    result_file_free(&f);
}

static void one_twin(void **state)
{
    (void)state;
    struct result_file f = read_good(ONE("[[2],[1]]", "[[10,100],[10,101],[10,200]]"));
    const struct series *s = &f.cells[0].series;
    assert_int_equal(s->twins, 1);
    assert_int_equal(s->n, 2);
    process_is(s, 0, 2, 100);
    process_is(s, 1, 1, 200);
    assert_int_equal(f.cells[0].null.n, 0);
    result_file_free(&f);
}

static void three_twins(void **state)
{
    (void)state;
    struct result_file f = read_good(ONE(
        "[[1,2,1],[1,1,1]]", "[[10,100],[10,200],[10,201],[10,300],[10,400],[10,500],[10,600]]"));
    const struct series *s = &f.cells[0].series;
    assert_int_equal(s->twins, 3);
    assert_int_equal(s->n, 6);
    process_is(s, 0, 1, 100);
    process_is(s, 1, 2, 200);
    process_is(s, 2, 1, 300);
    process_is(s, 5, 1, 600);
    result_file_free(&f);
}

static void launches_that_are_wrong(void **state)
{
    (void)state;
    static const char samples[] = "$.cells[0].time.samples",
                      launches[] = "$.cells[0].time.launches";
    is_refused(ONE("[[1,1]]", "[[10,100]]"), samples);
    is_refused(ONE("[[1,1]]", "[[10,100],[10,100],[10,100]]"), samples);
    is_refused(ONE("[]", "[[10,100]]"), launches);
    is_refused(ONE("[]", "[]"), launches);
    is_refused(ONE("[[1]]", "[]"), samples);
    is_refused(ONE("[[1,0]]", "[[10,100]]"), samples);
    is_refused(ONE("[[0],[1]]", "[[10,100]]"), samples);
    is_refused(ONE("[[18446744073709551615,2]]", "[[10,100]]"), samples);
    is_refused(ONE("[[1,1],[1]]", "[[10,100],[10,100],[10,100],[10,100]]"), launches);
    is_refused(ONE("[[1],[]]", "[[10,100],[10,100]]"), launches);
    is_refused(ONE("[1]", "[[10,100]]"), launches);
    is_refused(ONE("[[1.5]]", "[[10,100]]"), launches);
    is_refused(ONE("[[-1]]", "[[10,100]]"), launches);
    is_refused(ONE("{}", "[[10,100]]"), launches);
    is_refused(ONE("[[1,1]]", "[[10,100],[10,0]]"), samples);
    is_refused(ONE("[[1,1]]", "[[10,100],[0,100]]"), samples);
    is_refused(ONE("[[1]]", "[[10,-100]]"), "$.cells[0].time.samples");
    is_refused(ONE("[[1]]", "[[10,100,1]]"), "$.cells[0].time.samples");
}

static void cycles_of_samples(void **state)
{
    (void)state;
#define CYCLES(list)                                                                               \
    RESULT(CELL("A", "16", TIME("[[1,1]]", "[[10,100],[10,100]]"),                                 \
                "{\"source\":\"tsc\",\"samples\":" list "}", "null"))
    struct result_file f = read_good(CYCLES("[300,500]"));
    assert_int_equal(f.cells[0].series.process[0].v[0].cycles, 300);
    assert_int_equal(f.cells[0].series.process[1].v[0].cycles, 500);
    assert_true(fabs(f.cells[0].cycles.median - 40) < 1e-12);
    assert_string_equal(f.cells[0].cycle_source, "tsc");
    result_file_free(&f);
    is_refused(CYCLES("[300]"), "$.cells[0].cycles.samples");
    is_refused(CYCLES("[300,500,700]"), "$.cells[0].cycles.samples");
    is_refused(CYCLES("[300,\"500\"]"), "$.cells[0].cycles.samples");
}

#define GOOD_TIME(ns) TIME("[[1]]", "[[10," ns "]]")
#define VS(build)     "{\"build\":\"" build "\",\"time_ratio\":{\"median\":7}}"

static void baselines(void **state)
{
    (void)state;
    struct result_file f =
        read_good(RESULT(CELL("B", "16", GOOD_TIME("110"), "null", VS("A")) "," CELL(
            "A", "64", GOOD_TIME("100"), "null", "null") "," CELL("A", "16", GOOD_TIME("100"),
                                                                  "null", "null")));
    assert_ptr_equal(f.cells[0].baseline, &f.cells[2]);
    assert_ptr_equal(f.cells[0].build, &f.builds[1]);
    assert_ptr_equal(f.cells[0].lane, &f.lanes[0]);
    assert_int_equal(f.cells[0].ratio.n, 1);
    assert_true(fabs(f.cells[0].ratio.median - 1.1) < 1e-12);
    assert_null(f.cells[1].baseline);
    result_file_free(&f);
    is_refused(RESULT(CELL("B", "16", GOOD_TIME("110"), "null", VS("C"))),
               "$.cells[0]: vs_baseline");
    /* The build is there, but has no such cell. */
    is_refused(RESULT(CELL("B", "16", GOOD_TIME("110"), "null",
                           VS("A")) "," CELL("A", "64", GOOD_TIME("100"), "null", "null")),
               "$.cells[0]: vs_baseline");
}

static void what_belongs_together(void **state)
{
    (void)state;
    is_refused(RESULT(CELL("C", "16", GOOD_TIME("1"), "null", "null")), "$.cells[0].build");
    is_refused(RESULT(CELL("A", "16", GOOD_TIME("1"), "null", "null") "," CELL(
                   "B", "16", GOOD_TIME("1"), "null", "null") "," CELL("A", "16", GOOD_TIME("1"),
                                                                       "null", "null")),
               "$.cells[2]: the same build");
    is_refused(RESULT(CELL("A", "0", GOOD_TIME("1"), "null", "null")), "$.cells[0].bytes");
    is_refused("{\"schema\":\"crypto-bench/2\"}", "$.schema");
    is_refused("[]", "$");
    is_refused("", "r.json:1:1");
    is_refused("{\"schema\":\"crypto-bench/1\",", "r.json:1:");
}

static void the_rest_of_a_file(void **state)
{
    (void)state;
    struct result_file f = read_good(ONE("[[1]]", "[[10,100]]"));
    assert_string_equal(f.path, "r.json");
    assert_true(fabs(f.seconds - 0.5) < 1e-12);
    assert_string_equal(result_fact(&f, "cpu_model"), "\"X\"");
    assert_string_equal(result_fact(&f, "turbo"), "false");
    assert_string_equal(result_fact(&f, "governor"), "null");
    assert_null(result_fact(&f, "machine"));
    assert_int_equal(f.warnings.n, 1);
    assert_string_equal(f.warnings.v[0], "load: much");
    assert_int_equal(f.nbuilds, 2);
    assert_true(f.builds[0].have_sizes && !f.builds[0].have_shared);
    assert_int_equal(f.builds[0].bss, 40);
    assert_string_equal(f.cells[0].cpu, "");
    assert_string_equal(f.lanes[0].driver_capabilities.v[0], "cap=1");
    result_file_free(&f);
    f = read_good(RESULT(""));
    assert_int_equal(f.ncells, 0);
    result_file_free(&f);
}

/* selftest changes samples, and has all computed again. */
static void figures_again(void **state)
{
    (void)state;
    struct result_file f = read_good(ONE("[[1,1]]", "[[10,100],[10,100]]"));
    f.cells[0].series.process[0].v[0].ns = 200;
    f.cells[0].series.process[1].v[0].ns = 300;
    result_file_figures(&f);
    assert_true(fabs(f.cells[0].time.median - 25) < 1e-12);
    assert_true(fabs(f.cells[0].null.median - 1.5) < 1e-12);
    result_file_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_twins),
        cmocka_unit_test(one_twin),
        cmocka_unit_test(three_twins),
        cmocka_unit_test(launches_that_are_wrong),
        cmocka_unit_test(cycles_of_samples),
        cmocka_unit_test(baselines),
        cmocka_unit_test(what_belongs_together),
        cmocka_unit_test(the_rest_of_a_file),
        cmocka_unit_test(figures_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "match.h"
#include "mem.h"
#include "prediction.h"

/* A core with the bands of targets/cores/cortex-a53.json. */
static struct core core_of(char *name, int version)
{
    return (struct core){
        .name = name, .version = version, .bands = {{256, 35}, {1024, 15}}, .nbands = 2};
}

static struct prediction predict(uint64_t cycles, char *name, int version, uint64_t bytes)
{
    struct modelled_function functions[] = {
        {"body", 700, 0.9 * (double)cycles, {0}, "ls"},
        {"call", 90, 0.0999 * (double)cycles, {0}, NULL},
        {"tiny", 1, 0.0001 * (double)cycles, {0}, NULL},
    };
    const struct core core = core_of(name, version);
    struct modelled m = {.cycles = cycles,
                         .insns = 800,
                         .unknown = 2,
                         .unknown_names = (char *)(uintptr_t) "frob",
                         .functions = functions,
                         .nfunctions = 3};
    struct prediction p = {0};
    functions[0].waits[WAIT_ISSUE] = 0.6 * functions[0].cycles;
    functions[0].waits[WAIT_UNIT] = 0.35 * functions[0].cycles;
    functions[0].waits[WAIT_LOAD] = 0.05 * functions[0].cycles;
    prediction_set(&p, &m, &core, bytes);
    return p;
}

static void text_is(char *text, const char *want)
{
    assert_string_equal(text, want);
    free(text);
}

static char a53[] = "cortex-a53", a57[] = "cortex-a57", mips[] = "24kc";

static void it_is_labelled(void **state)
{
    (void)state;
    struct prediction p = predict(8192, a53, 3, 4096), small = predict(900, mips, 1, 64);

    text_is(prediction_label(&p), "modelled cycles, Cortex-A53 table v3; caches and predictors "
                                  "perfect; not measured");
    text_is(prediction_label(&small), "modelled cycles, 24Kc table v1; caches and predictors "
                                      "perfect; not measured");
    text_is(prediction_band_text(&p), "+-15%");
    text_is(prediction_band_text(&small), "-");
    assert_int_equal(small.band, -1);
    /* 4096 bytes in 8192 cycles at 1000 MHz */
    assert_true(prediction_rate(&p, 4096, 1000) == 500000);
    prediction_free(&p);
    prediction_free(&small);
}

static void functions_tell_what_they_wait_for(void **state)
{
    (void)state;
    struct prediction p = predict(10000, a53, 1, 1024);

    /* below 1 in 1000 is the rest */
    assert_int_equal(p.nfunctions, 2);
    assert_true(p.rest == 1);
    text_is(prediction_waits_text(&p.functions[0]), "issue width 60%, unit ls 35%");
    text_is(prediction_waits_text(&p.functions[1]), "");
    prediction_refuse(&p, "too many unknown instructions");
    assert_int_equal(p.known, 0);
    assert_string_equal(p.reason, "too many unknown instructions");
    prediction_free(&p);
}

static void what_is_close_is_not_called(void **state)
{
    (void)state;
    static const struct {
        double ratio;
        int close;
        const char *text;
    } cases[] = {
        {1, 1, "too close to call"},
        {1.0499, 1, "too close to call"},
        {0.9525, 1, "too close to call"},
        {1.05, 0, "1.05x"},
        {1 / 1.05, 0, "0.95x"},
        {7.581, 0, "7.58x"},
        {0.5, 0, "0.50x"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(prediction_is_close(cases[i].ratio), cases[i].close);
        text_is(prediction_ratio_text(cases[i].ratio), cases[i].text);
    }
}

static void other_cores_and_tables_do_not_compare(void **state)
{
    (void)state;
    struct prediction a = predict(1000, a53, 1, 1024), b = predict(1200, a53, 1, 1024),
                      other = predict(1000, a57, 1, 1024), later = predict(1000, a53, 2, 1024);
    char *why;

    assert_null(prediction_mismatch(&a, &b));
    assert_true(prediction_ratio(&a, &b) == 1.2);
    assert_non_null(why = prediction_mismatch(&a, &other));
    assert_non_null(strstr(why, "cortex-a57"));
    free(why);
    assert_non_null(why = prediction_mismatch(&a, &later));
    assert_non_null(strstr(why, "v2"));
    free(why);
    prediction_free(&a);
    prediction_free(&b);
    prediction_free(&other);
    prediction_free(&later);
}

/* A file of one cell, as text. */
static char *file_text(const struct prediction *p, const char *metrics)
{
    struct json *cell = json_new_object();
    prediction_json(cell, p, 1024);
    char *line = json_line(cell), *text;
    json_free(cell);
    line[0] = ','; /* members that go on */
    line[strlen(line) - 1] = '\0';
    text = xasprintf(
        "{\"schema\":\"crypto-bench/1\",\"created\":\"\",\"settings\":{\"workload\":[\"record/1\"],"
        "\"seconds_per_cell\":1},\"host\":{},\"builds\":[{\"id\":\"b\",\"status\":\"ok\","
        "\"library\":{\"name\":\"l\",\"source_sha256\":\"0\"},\"compiler\":{\"word\":\"gcc\"},"
        "\"config\":{\"name\":\"O2\"},\"target\":{\"name\":\"t\"},\"effective\":null,"
        "\"sizes\":null}],\"lanes\":[{\"target\":\"t\",\"cpu\":\"c\",\"runner\":\"qemu\","
        "\"emulated\":true,\"metrics\":[%s],\"drivers\":[]}],\"cells\":[{\"build\":\"b\","
        "\"target\":\"t\",\"cpu\":\"c\",\"runner\":\"qemu\",\"library\":\"l\",\"compiler\":\"gcc\","
        "\"config\":\"O2\",\"workload\":\"record/1\",\"alg\":\"a\",\"op\":\"encrypt\","
        "\"bytes\":1024,\"status\":\"ok\",\"time\":null,\"cycles\":null,\"insns\":{\"per_op\":100,"
        "\"overhead\":0,\"rest\":100,\"functions\":[]},\"vs_baseline\":null%s}],\"fits\":[],"
        "\"warnings\":[]}",
        metrics, line);
    free(line);
    return text;
}

static void file_of(const struct prediction *p, const char *metrics, struct result_file *out)
{
    struct err e = ERR_INIT;
    char *text = file_text(p, metrics);
    if (result_file_parse(text, strlen(text), "made", out, &e))
        fail_msg("%s", e.text);
    err_clear(&e);
    free(text);
}

static void files_keep_it(void **state)
{
    (void)state;
    struct prediction p = predict(10000, a53, 4, 1024);
    struct result_file f;

    file_of(&p, "\"insns\",\"modelled\"", &f);
    const struct prediction *got = &f.cells[0].modelled;
    assert_int_equal(got->known, 1);
    assert_int_equal(got->cycles, 10000);
    assert_string_equal(got->core, "cortex-a53");
    assert_int_equal(got->version, 4);
    assert_int_equal(got->band, 15);
    assert_int_equal(got->insns, 800);
    assert_int_equal(got->unknown, 2);
    assert_string_equal(got->unknown_names, "frob");
    assert_int_equal(got->nfunctions, 2);
    assert_string_equal(got->functions[0].name, "body");
    assert_string_equal(got->functions[0].unit, "ls");
    assert_null(got->functions[1].unit);
    assert_true(got->functions[0].waits[WAIT_UNIT] == p.functions[0].waits[WAIT_UNIT]);
    assert_true(got->rest == 1);
    result_file_free(&f);
    prediction_refuse(&p, "no table");
    file_of(&p, "\"insns\",\"modelled\"", &f);
    assert_int_equal(f.cells[0].modelled.known, 0);
    assert_string_equal(f.cells[0].modelled.reason, "no table");
    result_file_free(&f);
    prediction_free(&p);
}

static void damaged_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *is, *becomes, *where;
    } cases[] = {
        {"\"cycles_per_op\":10000", "\"cycles_per_op\":0", "modelled"},
        {"\"band\":0.15", "\"band\":-1", "band"},
        {"\"unit\":\"ls\"", "\"unit\":7", "functions[0].unit"},
        {"\"table_version\":1", "\"table_version\":\"1\"", "table_version"},
        {"\"waits\":[0,0,0,0,0,0,0]", "\"waits\":[0,0,0,0,0,0]", "waits"},
        {"\"waits\":[0,0,0,0,0,0,0]", "\"waits\":[0,0,0,0,0,0,0,0]", "waits"},
    };
    struct prediction p = predict(10000, a53, 1, 1024);
    char *text = file_text(&p, "\"modelled\"");

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct err e = ERR_INIT;
        struct result_file f;
        const char *at = strstr(text, cases[i].is);
        assert_non_null(at);
        char *bad = xasprintf("%.*s%s%s", (int)(at - text), text, cases[i].becomes,
                              at + strlen(cases[i].is));
        assert_int_equal(result_file_parse(bad, strlen(bad), "bad.json", &f, &e), -1);
        assert_non_null(strstr(e.text, "bad.json: $.cells[0]"));
        if (!strstr(e.text, cases[i].where))
            fail_msg("%s", e.text);
        err_clear(&e);
        free(bad);
    }
    free(text);
    prediction_free(&p);
}

/* Compares two files of one cell each. */
static enum verdict verdict_of(const struct result_file *base, const struct result_file *now,
                               int asked, const char *limit, struct comparison *out)
{
    struct match_request r = {.base = {.file = base}, .now = {.file = now}};
    struct policy p;
    struct err e = ERR_INIT;
    enum verdict v = VERDICT_UNCLEAR;

    policy_start(&p);
    if (limit)
        assert_int_equal(policy_limit_add(&p, METRIC_JUDGED_MODELLED, limit, &e), 0);
    r.metric[METRIC_JUDGED_MODELLED] = asked;
    *out = (struct comparison){0};
    match(&r, &p, out);
    policy_free(&p);
    for (size_t i = 0; i < out->n; i++)
        if (out->findings[i].metric == METRIC_JUDGED_MODELLED)
            v = out->findings[i].verdict;
    return v;
}

static void below_five_per_cent_nothing_is_slower(void **state)
{
    (void)state;
    static const struct {
        uint64_t cycles;
        const char *limit;
        enum verdict want;
    } cases[] = {
        {10000, NULL, VERDICT_SAME},  {10490, NULL, VERDICT_SAME},  {10490, "0%", VERDICT_SAME},
        {10510, NULL, VERDICT_WORSE}, {10510, "0%", VERDICT_WORSE}, {10510, "20%", VERDICT_SAME},
        {9000, NULL, VERDICT_BETTER},
    };
    struct prediction base = predict(10000, a53, 1, 1024);
    struct result_file b;
    file_of(&base, "\"modelled\"", &b);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct prediction now = predict(cases[i].cycles, a53, 1, 1024);
        struct result_file n;
        struct comparison c;
        file_of(&now, "\"modelled\"", &n);
        assert_int_equal(verdict_of(&b, &n, 1, cases[i].limit, &c), cases[i].want);
        assert_int_equal(c.notes.n, 1);
        assert_non_null(strstr(c.notes.v[0], "not measured"));
        comparison_free(&c);
        result_file_free(&n);
        prediction_free(&now);
    }
    result_file_free(&b);
    prediction_free(&base);
}

static void unlike_tables_are_excluded(void **state)
{
    (void)state;
    struct prediction base = predict(10000, a53, 1, 1024), now = predict(20000, a53, 2, 1024);
    struct result_file b, n;
    struct comparison c;
    file_of(&base, "\"modelled\"", &b);
    file_of(&now, "\"modelled\"", &n);
    assert_int_equal(verdict_of(&b, &n, 1, NULL, &c), VERDICT_EXCLUDED);
    assert_int_equal(c.outcome, EXIT_NO_VERDICT);
    comparison_free(&c);
    result_file_free(&b);
    result_file_free(&n);
    prediction_free(&base);
    prediction_free(&now);
}

/* A file from before must not lose its verdict by instructions to what it cannot have. */
static void one_side_alone_blocks_only_when_asked_for(void **state)
{
    (void)state;
    struct prediction none = {0}, now = predict(10000, a53, 1, 1024);
    struct result_file b, n;
    struct comparison c;
    file_of(&none, "\"insns\"", &b);
    file_of(&now, "\"insns\",\"modelled\"", &n);
    verdict_of(&b, &n, 0, NULL, &c);
    assert_int_equal(c.outcome, EXIT_OK);
    assert_int_equal(c.extra.n, 0);
    comparison_free(&c);
    verdict_of(&b, &n, 1, NULL, &c);
    assert_int_equal(c.outcome, EXIT_NO_VERDICT);
    assert_int_equal(c.extra.n, 1);
    comparison_free(&c);
    result_file_free(&b);
    result_file_free(&n);
    prediction_free(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_labelled),
        cmocka_unit_test(functions_tell_what_they_wait_for),
        cmocka_unit_test(what_is_close_is_not_called),
        cmocka_unit_test(other_cores_and_tables_do_not_compare),
        cmocka_unit_test(files_keep_it),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(below_five_per_cent_nothing_is_slower),
        cmocka_unit_test(unlike_tables_are_excluded),
        cmocka_unit_test(one_side_alone_blocks_only_when_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

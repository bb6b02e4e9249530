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

#include "match.h"
#include "mem.h"

/* A file in memory, of one target and compiler, with a lane and a host. */
struct made {
    struct str cells, builds;
    struct result_file file;
};

static void build_add(struct made *m, const char *library, const char *config, int size)
{
    str_addf(&m->builds,
             "%s{\"id\":\"%s/%s\",\"status\":\"ok\",\"library\":{\"name\":\"%s\","
             "\"source_sha256\":\"0\"},\"compiler\":{\"word\":\"gcc\"},\"config\":{\"name\":\"%s\"}"
             ",\"target\":{\"name\":\"t\"},\"effective\":null,\"sizes\":{\"archive\":{\"text\":%d,"
             "\"rodata\":0,\"data\":0,\"bss\":0},\"shared_stripped\":null}}",
             m->builds.n ? "," : "", library, config, library, config, size);
}

/* Six launches of one process with one sample; launch k takes ns + k * step. */
static void cell_add(struct made *m, const char *library, const char *config, int bytes, int ns,
                     int step)
{
    str_addf(&m->cells,
             "%s{\"build\":\"%s/%s\",\"target\":\"t\",\"cpu\":null,\"runner\":\"native\","
             "\"library\":\"%s\",\"compiler\":\"gcc\",\"config\":\"%s\",\"workload\":\"record/1\","
             "\"alg\":\"aes-128-gcm\",\"op\":\"encrypt\",\"bytes\":%d,\"status\":\"ok\",\"cycles\":"
             "null,\"insns\":null,\"vs_baseline\":null,\"time\":{\"emulated\":false,"
             "\"launches\":[[1],[1],[1],[1],[1],[1]],\"samples\":[",
             m->cells.n ? "," : "", library, config, library, config, bytes);
    for (int k = 0; k < 6; k++)
        str_addf(&m->cells, "%s[1,%d]", k ? "," : "", ns + k * step);
    str_add(&m->cells, "]}}");
}

static void made_read(struct made *m, const char *host)
{
    struct err e = ERR_INIT;
    char *text = xasprintf(
        "{\"schema\":\"crypto-bench/1\",\"created\":\"\",\"settings\":{\"workload\":[\"record/1\"],"
        "\"seconds_per_cell\":1},\"host\":{%s},\"builds\":[%s],\"lanes\":[{\"target\":\"t\","
        "\"cpu\":null,\"runner\":\"native\",\"emulated\":false,\"metrics\":[\"time\"],"
        "\"drivers\":[]}],\"cells\":[%s],\"fits\":[],\"warnings\":[]}",
        host, m->builds.n ? m->builds.p : "", m->cells.n ? m->cells.p : "");
    if (result_file_parse(text, strlen(text), "made", &m->file, &e))
        fail_msg("%s", e.text);
    err_clear(&e);
    free(text);
}

static void made_free(struct made *m)
{
    str_free(&m->cells);
    str_free(&m->builds);
    result_file_free(&m->file);
}

static void compare_sides(struct side base, struct side now, int time, int size,
                          struct comparison *out)
{
    struct match_request r = {.base = base, .now = now};
    struct policy p;
    policy_start(&p);
    r.metric[METRIC_JUDGED_TIME] = time;
    r.metric[METRIC_JUDGED_SIZE] = size;
    *out = (struct comparison){0};
    match(&r, &p, out);
    policy_free(&p);
}

static const struct finding *find(const struct comparison *c, const char *name)
{
    for (size_t i = 0; i < c->n; i++)
        if (!strcmp(c->findings[i].name, name))
            return &c->findings[i];
    fail_msg("no finding '%s'", name);
    return NULL;
}

static void ratio_is(const struct comparison *c, const char *name, double ratio)
{
    const struct finding *f = find(c, name);
    if (!(fabs(f->ratio - ratio) < 1e-9))
        fail_msg("%s: %.17g", name, f->ratio);
}

static void one_library_each_is_the_subject(void **state)
{
    (void)state;
    struct made a = {0}, b = {0};
    struct comparison c;
    build_add(&a, "old", "O2", 100);
    cell_add(&a, "old", "O2", 16, 1000, 0);
    cell_add(&a, "old", "O2", 64, 2000, 0);
    build_add(&b, "new", "O2", 101);
    cell_add(&b, "new", "O2", 64, 3000, 0);
    cell_add(&b, "new", "O2", 16, 1000, 0);
    made_read(&a, "");
    made_read(&b, "");
    compare_sides((struct side){.file = &a.file}, (struct side){.file = &b.file}, 1, 1, &c);
    assert_int_equal(c.n, 3);
    ratio_is(&c, "t/gcc/O2/aes-128-gcm/encrypt/16", 1);
    ratio_is(&c, "t/gcc/O2/aes-128-gcm/encrypt/64", 1.5);
    ratio_is(&c, "t/gcc/O2", 1.01);
    assert_int_equal(c.missing.n + c.extra.n + c.blockers.n, 0);
    assert_int_equal(c.outcome, EXIT_REGRESSION);
    comparison_free(&c);
    made_free(&a);
    made_free(&b);
}

static void several_libraries_are_told_apart(void **state)
{
    (void)state;
    struct made a = {0}, b = {0};
    struct comparison c;
    build_add(&a, "one", "O2", 100);
    build_add(&a, "two", "O2", 200);
    cell_add(&a, "one", "O2", 16, 1000, 0);
    cell_add(&a, "two", "O2", 16, 2000, 0);
    build_add(&b, "two", "O2", 202);
    cell_add(&b, "two", "O2", 16, 2200, 0);
    made_read(&a, "");
    made_read(&b, "");
    compare_sides((struct side){.file = &a.file}, (struct side){.file = &b.file}, 1, 1, &c);
    ratio_is(&c, "t/two/gcc/O2/aes-128-gcm/encrypt/16", 1.1);
    ratio_is(&c, "t/two/gcc/O2", 1.01);
    assert_int_equal(c.missing.n, 1);
    assert_string_equal(c.missing.v[0], "t/one/gcc/O2/aes-128-gcm/encrypt/16 (time)");
    comparison_free(&c);

    /* A side that is one library of the file is not several. */
    compare_sides((struct side){.file = &a.file, .library = "one"},
                  (struct side){.file = &a.file, .library = "two"}, 1, 1, &c);
    ratio_is(&c, "t/gcc/O2/aes-128-gcm/encrypt/16", 2);
    ratio_is(&c, "t/gcc/O2", 2);
    assert_int_equal(c.missing.n + c.extra.n, 0);
    comparison_free(&c);
    made_free(&a);
    made_free(&b);
}

static void configs_are_the_subject_only_when_asked_for(void **state)
{
    (void)state;
    struct made a = {0};
    struct comparison c;
    build_add(&a, "lib", "O2", 100);
    build_add(&a, "lib", "Os", 90);
    cell_add(&a, "lib", "O2", 16, 1000, 0);
    cell_add(&a, "lib", "Os", 16, 1300, 0);
    made_read(&a, "");
    compare_sides((struct side){.file = &a.file, .config = "O2"},
                  (struct side){.file = &a.file, .config = "Os"}, 1, 1, &c);
    assert_int_equal(c.n, 2);
    ratio_is(&c, "t/gcc/Os/aes-128-gcm/encrypt/16", 1.3);
    ratio_is(&c, "t/gcc/Os", 0.9);
    comparison_free(&c);

    compare_sides((struct side){.file = &a.file}, (struct side){.file = &a.file}, 1, 0, &c);
    assert_int_equal(c.n, 2);
    ratio_is(&c, "t/gcc/O2/aes-128-gcm/encrypt/16", 1);
    ratio_is(&c, "t/gcc/Os/aes-128-gcm/encrypt/16", 1);
    comparison_free(&c);

    /* All of a file against one config of another. */
    struct made b = {0};
    build_add(&b, "lib", "O2", 100);
    cell_add(&b, "lib", "O2", 16, 1000, 0);
    made_read(&b, "");
    compare_sides((struct side){.file = &a.file}, (struct side){.file = &b.file}, 1, 0, &c);
    assert_int_equal(c.n, 1);
    assert_string_equal(c.missing.v[0], "t/gcc/Os/aes-128-gcm/encrypt/16 (time)");
    assert_int_equal(c.outcome, EXIT_NO_VERDICT);
    comparison_free(&c);
    /* Their sizes alone say as much. */
    compare_sides((struct side){.file = &a.file}, (struct side){.file = &b.file}, 0, 1, &c);
    assert_string_equal(c.missing.v[0], "t/gcc/Os (size)");
    assert_int_equal(c.outcome, EXIT_NO_VERDICT);
    comparison_free(&c);
    compare_sides((struct side){.file = &b.file}, (struct side){.file = &a.file}, 0, 1, &c);
    assert_string_equal(c.extra.v[0], "t/gcc/Os (size)");
    assert_int_equal(c.outcome, EXIT_NO_VERDICT);
    comparison_free(&c);
    made_free(&a);
    made_free(&b);
}

/* The machine grows slower by 50% over the launches: within one run that meets both sides alike. */
static void paired_in_one_file_unpaired_in_two(void **state)
{
    (void)state;
    struct made a = {0}, b = {0}, d = {0};
    struct comparison c;
    const struct finding *f;
    build_add(&a, "old", "O2", 100);
    build_add(&a, "new", "O2", 100);
    cell_add(&a, "old", "O2", 16, 1000, 100);
    cell_add(&a, "new", "O2", 16, 1100, 110);
    made_read(&a, "\"cpu_model\":\"X\"");
    compare_sides((struct side){.file = &a.file, .library = "old"},
                  (struct side){.file = &a.file, .library = "new"}, 1, 0, &c);
    f = find(&c, "t/gcc/O2/aes-128-gcm/encrypt/16");
    ratio_is(&c, f->name, 1.1);
    assert_true(fabs(f->low - 1.1) < 1e-9 && fabs(f->high - 1.1) < 1e-9);
    assert_true(f->noise < 1e-9); /* without twins there is nothing to tell it by */
    assert_int_equal(f->verdict, VERDICT_WORSE);
    assert_int_equal(c.notes.n, 0);
    comparison_free(&c);

    build_add(&b, "old", "O2", 100);
    cell_add(&b, "old", "O2", 16, 1000, 100);
    made_read(&b, "\"cpu_model\":\"X\"");
    build_add(&d, "new", "O2", 100);
    cell_add(&d, "new", "O2", 16, 1100, 110);
    made_read(&d, "\"cpu_model\":\"X\"");
    compare_sides((struct side){.file = &b.file}, (struct side){.file = &d.file}, 1, 0, &c);
    f = find(&c, "t/gcc/O2/aes-128-gcm/encrypt/16");
    assert_true(f->ratio > 1 && f->ratio < 1.2);
    assert_true(f->low < 1 && f->high > 1.2);
    assert_true(fabs(f->noise - 0.5) < 1e-9); /* 1000 to 1500 between processes */
    assert_int_not_equal(f->verdict, VERDICT_WORSE);
    comparison_free(&c);
    made_free(&a);
    made_free(&b);
    made_free(&d);
}

static void machines_matter_between_files(void **state)
{
    (void)state;
    struct made a = {0}, b = {0};
    struct comparison c;
    struct made *both[] = {&a, &b};
    for (size_t i = 0; i < 2; i++) {
        build_add(both[i], "lib", "O2", 100);
        cell_add(both[i], "lib", "O2", 16, i ? 1300 : 1000, 0);
        made_read(both[i], i ? "\"cpu_model\":\"X\"" : "\"cpu_model\":\"Y\"");
    }
    compare_sides((struct side){.file = &a.file}, (struct side){.file = &b.file}, 1, 0, &c);
    assert_int_equal(c.outcome, EXIT_NO_VERDICT);
    assert_int_equal(c.findings[0].verdict, VERDICT_EXCLUDED);
    assert_int_equal(c.blockers.n, 1);
    assert_non_null(strstr(c.blockers.v[0], "machine: CPU model"));
    comparison_free(&c);
    /* Sizes do not ask for the machine. */
    compare_sides((struct side){.file = &a.file}, (struct side){.file = &b.file}, 0, 1, &c);
    assert_int_equal(c.outcome, EXIT_OK);
    comparison_free(&c);
    made_free(&a);
    made_free(&b);
}

static int only_16(const void *arg, const struct result_cell *c)
{
    (void)arg;
    return c->bytes == 16;
}

static void only_what_is_wanted(void **state)
{
    (void)state;
    struct made a = {0}, b = {0};
    struct comparison c = {0};
    struct policy p;
    build_add(&a, "lib", "O2", 100);
    cell_add(&a, "lib", "O2", 16, 1000, 0);
    cell_add(&a, "lib", "O2", 64, 1000, 0);
    build_add(&b, "lib", "O2", 100);
    cell_add(&b, "lib", "O2", 16, 1000, 0);
    made_read(&a, "");
    made_read(&b, "");
    const struct match_request r = {
        .base = {.file = &a.file}, .now = {.file = &b.file}, .wanted = only_16};
    policy_start(&p);
    match(&r, &p, &c);
    assert_int_equal(c.n, 2); /* a time and a size */
    assert_int_equal(c.missing.n, 0);
    assert_int_equal(c.outcome, EXIT_OK);
    comparison_free(&c);
    policy_free(&p);
    made_free(&a);
    made_free(&b);
}

static void nothing_is_no_pass(void **state)
{
    (void)state;
    struct made a = {0};
    struct comparison c;
    made_read(&a, "");
    compare_sides((struct side){.file = &a.file}, (struct side){.file = &a.file}, 0, 0, &c);
    assert_int_equal(c.outcome, EXIT_NO_VERDICT);
    assert_non_null(strstr(c.blockers.v[0], "nothing-compared"));
    comparison_free(&c);
    made_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_library_each_is_the_subject),
        cmocka_unit_test(several_libraries_are_told_apart),
        cmocka_unit_test(configs_are_the_subject_only_when_asked_for),
        cmocka_unit_test(paired_in_one_file_unpaired_in_two),
        cmocka_unit_test(machines_matter_between_files),
        cmocka_unit_test(only_what_is_wanted),
        cmocka_unit_test(nothing_is_no_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "catalog.h"
#include "core.h"
#include "file.h"
#include "mem.h"
#include "target.h"

/* Good files; each test of an error replaces one piece of one. */
static const char in_order[] =
    "{\"schema\": \"crypto-bench-core/1\", \"name\": \"box\", \"summary\": \"a box\",\n"
    " \"version\": 3, \"machines\": [\"EM_ARM\", \"EM_AARCH64\"], \"kind\": \"in-order\",\n"
    " \"width\": 2, \"taken_branch\": 1, \"units\": [\"ls\", \"lo\", \"hi\"],\n"
    " \"fusion\": [\"aese+aesmc\"],\n"
    " \"band\": [{\"bytes\": 256, \"percent\": 35}, {\"bytes\": 1024, \"percent\": 15}],\n"
    " \"source\": \"book\", \"fitted\": [\"taken_branch\"],\n"
    " \"sources\": {\"book\": \"a book\", \"fit\": \"figures\"},\n"
    " \"classes\": {\n"
    "  \"alu\": {\"latency\": 2, \"read\": {\"normal\": 1, \"shifted\": 0}, \"source\": "
    "\"book\"},\n"
    "  \"ld\": {\"latency\": 3, \"base_latency\": 2, \"units\": [{\"of\": [\"ls\"], \"busy\": "
    "2}],\n"
    "         \"read\": {\"address\": -1}, \"source\": \"book\"},\n"
    "  \"ldm\": {\"latency\": 4, \"slot\": \"alone\", \"issue_cycles\": 3,\n"
    "          \"group\": {\"registers\": 2, \"latency\": 1, \"units\": true}, \"source\": "
    "\"book\"},\n"
    "  \"vtbl.q\": {\"latency\": 2, \"slot\": \"first\", \"units\": [{\"of\": [\"lo\"]}, {\"of\": "
    "[\"hi\"]}],\n"
    "             \"group\": {\"registers\": 1, \"together\": true, \"pipelined\": true},\n"
    "             \"source\": \"fit\", \"fitted\": [\"latency\", \"slot\"]},\n"
    "  \"aesf\": {\"latency\": 2, \"units\": [{\"of\": [\"lo\", \"hi\"]}], \"source\": "
    "\"fit\"}}}\n";

static const char out_of_order[] =
    "{\"schema\": \"crypto-bench-core/1\", \"name\": \"box\", \"summary\": \"a box\",\n"
    " \"version\": 1, \"machines\": [\"EM_ARM\"], \"kind\": \"out-of-order\",\n"
    " \"width\": 3, \"taken_branch\": 1, \"reorder\": {\"entries\": 40, \"retire\": 4},\n"
    " \"units\": [\"I\", \"L\", \"V\", \"W\"],\n"
    " \"queues\": [{\"units\": [\"I\"], \"entries\": 8},\n"
    "            {\"units\": [\"W\", \"V\"], \"entries\": 16, \"in_order\": true},\n"
    "            {\"units\": [\"L\"], \"entries\": 8}],\n"
    " \"writeback_units\": [\"I\"], \"fusion\": [], \"band\": [], \"source\": \"book\",\n"
    " \"sources\": {\"book\": \"a book\"},\n"
    " \"classes\": {\n"
    "  \"alu\": {\"latency\": 1, \"units\": [{\"of\": [\"I\"]}], \"source\": \"book\"},\n"
    "  \"ldp\": {\"latency\": 4, \"units\": [{\"of\": [\"L\"]}, {\"of\": [\"L\"]}], "
    "\"group\": {\"registers\": 1}, \"source\": \"book\"}}}\n";

static int setup(void **state)
{
    const char *base = getenv("TMPDIR");
    char *dir = xasprintf("%s/cb-test-XXXXXX", base ? base : P_tmpdir);
    if (!mkdtemp(dir))
        return -1;
    *state = dir;
    return 0;
}

static int teardown(void **state)
{
    struct err e = ERR_INIT;
    int rc = tree_remove(*state, &e);
    err_clear(&e);
    free(*state);
    return rc;
}

/* Loads text with the first `from` replaced by `to`. */
static int load_changed(const char *dir, const char *text, const char *from, const char *to,
                        struct core *c, struct err *e)
{
    const char *at = strstr(text, from);
    assert_non_null(at);
    char *changed = xasprintf("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    char *path = path_join(dir, "box.json");
    assert_int_equal(file_write_atomic(path, changed, strlen(changed), e), 0);
    int rc = core_load(path, c, e);
    free(path);
    free(changed);
    return rc;
}

static void load(const char *dir, const char *text, struct core *c)
{
    struct err e = ERR_INIT;
    if (load_changed(dir, text, "", "", c, &e))
        fail_msg("%s", e.text);
}

static void loads_in_order(void **state)
{
    struct core c;
    load(*state, in_order, &c);
    assert_string_equal(path_base(c.path), "box.json");
    assert_string_equal(c.name, "box");
    assert_string_equal(c.summary, "a box");
    assert_int_equal(c.version, 3);
    assert_int_equal(c.kind, CORE_IN_ORDER);
    assert_int_equal(c.width, 2);
    assert_int_equal(c.taken_branch, 1);
    assert_int_equal(c.nunits, 3);
    assert_string_equal(c.units[2], "hi");
    assert_int_equal(c.fuses_aes, 1);
    assert_int_equal(c.entries, 0);
    assert_int_equal(core_covers(&c, EM_ARM), 1);
    assert_int_equal(core_covers(&c, EM_AARCH64), 1);
    assert_int_equal(core_covers(&c, EM_MIPS), 0);
    core_free(&c);
    assert_null(c.name);
}

static void classes_have_what_the_file_says(void **state)
{
    struct core c;
    load(*state, in_order, &c);
    const struct core_class *k = &c.classes[CLASS_ALU];
    assert_int_equal(k->present, 1);
    assert_int_equal(k->latency, 2);
    assert_int_equal(k->base_latency, 2); /* as latency unless given */
    assert_int_equal(k->read[SOURCE_NORMAL], 1);
    assert_int_equal(k->read[SOURCE_ADDRESS], 1); /* as normal unless given */
    assert_int_equal(k->read[SOURCE_SHIFTED], 0);
    assert_int_equal(k->read[SOURCE_DATA], 1);
    assert_int_equal(k->nuses, 0);
    assert_int_equal(k->slots, SLOT_ANY);
    assert_int_equal(k->issue_cycles, 1);
    assert_int_equal(k->group, 0);

    k = &c.classes[CLASS_LD];
    assert_int_equal(k->base_latency, 2);
    assert_int_equal(k->read[SOURCE_NORMAL], 0);
    assert_int_equal(k->read[SOURCE_ADDRESS], -1);
    assert_int_equal(k->nuses, 1);
    assert_int_equal(k->uses[0].units, 1);
    assert_int_equal(k->uses[0].busy, 2);

    k = &c.classes[CLASS_LDM];
    assert_int_equal(k->slots, SLOT_ALONE);
    assert_int_equal(k->issue_cycles, 3);
    assert_int_equal(k->group, 2);
    assert_int_equal(k->group_latency, 1);
    assert_int_equal(k->group_units, 1);
    assert_int_equal(k->group_pipelined, 0);
    assert_int_equal(k->group_together, 0);

    k = &c.classes[CLASS_VTBL_Q];
    assert_int_equal(k->slots, SLOT_FIRST);
    assert_int_equal(k->nuses, 2);
    assert_int_equal(k->uses[1].units, 4);
    assert_int_equal(k->uses[1].busy, 1);
    assert_int_equal(k->group_pipelined, 1);
    assert_int_equal(k->group_together, 1);

    assert_int_equal(c.classes[CLASS_AESF].uses[0].units, 6);
    assert_int_equal(c.classes[CLASS_MUL].present, 0);
    assert_int_equal(c.classes[CLASS_MUL].latency, 0);
    core_free(&c);
}

static void loads_out_of_order(void **state)
{
    struct core c;
    load(*state, out_of_order, &c);
    assert_int_equal(c.kind, CORE_OUT_OF_ORDER);
    assert_int_equal(c.width, 3);
    assert_int_equal(c.entries, 40);
    assert_int_equal(c.retire, 4);
    assert_int_equal(c.nqueues, 3);
    assert_int_equal(c.queues[1].units, 12);
    assert_int_equal(c.queues[1].entries, 16);
    assert_int_equal(c.queues[1].in_order, 1);
    assert_int_equal(c.queues[2].in_order, 0);
    assert_int_equal(c.queue_of[0], 0);
    assert_int_equal(c.queue_of[1], 2);
    assert_int_equal(c.queue_of[2], 1);
    assert_int_equal(c.queue_of[3], 1);
    assert_int_equal(c.writeback, 1);
    assert_int_equal(c.fuses_aes, 0);
    assert_int_equal(c.classes[CLASS_LDP].nuses, 2);
    assert_int_equal(c.classes[CLASS_LDP].uses[1].units, 2);
    core_free(&c);
}

static void band_is_of_the_size(void **state)
{
    struct core c;
    load(*state, in_order, &c);
    assert_int_equal(core_band(&c, 16), -1);
    assert_int_equal(core_band(&c, 255), -1);
    assert_int_equal(core_band(&c, 256), 35);
    assert_int_equal(core_band(&c, 1023), 35);
    assert_int_equal(core_band(&c, 1024), 15);
    assert_int_equal(core_band(&c, UINT64_MAX), 15);
    core_free(&c);
    load(*state, out_of_order, &c);
    assert_int_equal(core_band(&c, UINT64_MAX), -1);
    core_free(&c);
}

struct refusal {
    const char *from, *to;
    const char *where; /* path inside the file that the error must name */
    const char *what;  /* and a piece of what is wrong */
};

static void refuse_all(const char *dir, const char *text, const struct refusal *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct core c;
        struct err e = ERR_INIT;
        if (!load_changed(dir, text, cases[i].from, cases[i].to, &c, &e))
            fail_msg("case %zu: '%s' is accepted", i, cases[i].to);
        assert_int_equal(e.exit_code, EXIT_USAGE);
        assert_non_null(strstr(e.text, "box.json"));
        if (!strstr(e.text, cases[i].where) || !strstr(e.text, cases[i].what))
            fail_msg("case %zu: expected '%s' and '%s' in: %s", i, cases[i].where, cases[i].what,
                     e.text);
        assert_null(strchr(e.text, '\n'));
        err_clear(&e);
    }
}

static void refuses_in_order(void **state)
{
    static const struct refusal cases[] = {
        {"core/1", "core/2", "$.schema", "crypto-bench-core/1"},
        {"\"summary\"", "\"sumary\"", "$.sumary", "summary"},
        {"\"box\"", "\"a/box\"", "$.name", "a/box"},
        {"\"version\": 3", "\"version\": 0", "$.version", "from 1 to"},
        {"\"version\": 3", "\"version\": \"3\"", "$.version", "string"},
        {"\"version\": 3", "\"version\": 1.5", "$.version", "1.5"},
        {"\"version\": 3, ", "", "$.version", "expected"},
        {"EM_AARCH64", "EM_X86_64", "$.machines", "EM_X86_64"},
        {"EM_AARCH64", "EM_VAXEN", "$.machines", "EM_VAXEN"},
        {"EM_AARCH64", "EM_ARM", "$.machines", "twice"},
        {"\"EM_ARM\", \"EM_AARCH64\"", "", "$.machines", "at least one"},
        {"in-order", "inorder", "$.kind", "'inorder'"},
        {"\"width\": 2", "\"width\": 0", "$.width", "from 1 to 2, found 0"},
        {"\"width\": 2", "\"width\": 3", "$.width", "from 1 to 2"},
        {"\"width\": 2", "\"width\": 4294967298", "$.width", "from 1 to 2"},
        {"\"width\": 2", "\"width\": 1", "$.classes.ldm.slot", "width of 2"},
        {"\"taken_branch\": 1", "\"taken_branch\": -1", "$.taken_branch", "from 0"},
        {"\"taken_branch\": 1", "\"taken_branch\": 1000", "$.taken_branch", "to 255"},
        {"[\"ls\", \"lo\"", "[\"ls\", \"hi\"", "$.units", "second unit named 'hi'"},
        {"[\"ls\", ",
         "[\"u1\", \"u2\", \"u3\", \"u4\", \"u5\", \"u6\", \"u7\", \"u8\", \"u9\", "
         "\"u10\", \"u11\", \"u12\", \"u13\", \"u14\", \"ls\", ",
         "$.units", "more than 16"},
        {"\"fusion\"", "\"reorder\": {\"entries\": 8, \"retire\": 1}, \"fusion\"", "$.reorder",
         "out of order only"},
        {"\"fusion\"", "\"queues\": [], \"fusion\"", "$.queues", "out of order only"},
        {"\"fusion\"", "\"writeback_units\": [\"ls\"], \"fusion\"", "$.writeback_units",
         "out of order only"},
        {"aese+aesmc", "cmp+b", "$.fusion", "cmp+b"},
        {",\n  \"aesf\": {\"latency\": 2, \"units\": [{\"of\": [\"lo\", \"hi\"]}], \"source\": "
         "\"fit\"}",
         "", "$.fusion", "'aesf'"},
        {"\"bytes\": 1024", "\"bytes\": 256", "$.band[1].bytes", "more than"},
        {"\"percent\": 35", "\"percent\": 0", "$.band[0].percent", "from 1 to 100"},
        {"\"percent\": 35", "\"per_cent\": 35", "$.band[0].per_cent", "unknown key"},
        {"\"source\": \"book\"", "\"source\": \"books\"", "$.source", "'books'"},
        {"[\"taken_branch\"]", "[\"latency\"]", "$.fitted", "'latency'"},
        {"\"a book\"", "\"\"", "$.sources.book", "one line"},
        {"\"alu\"", "\"aul\"", "$.classes.aul", "no class"},
        {"\"latency\": 2", "\"latency\": 0", "$.classes.alu.latency", "from 1 to 255"},
        {"\"latency\": 2", "\"latency\": -2", "$.classes.alu.latency", "-2"},
        {"\"latency\": 2", "\"latency\": 9223372036854775807", "$.classes.alu.latency", "255"},
        {"\"latency\": 2, ", "", "$.classes.alu.latency", "expected"},
        {"\"shifted\": 0", "\"shiftet\": 0", "$.classes.alu.read.shiftet", "unknown key"},
        {"\"shifted\": 0", "\"shifted\": -256", "$.classes.alu.read.shifted", "from -255"},
        {"\"source\": \"book\"},\n  \"ld\"", "\"source\": \"fitt\"},\n  \"ld\"",
         "$.classes.alu.source", "'fitt'"},
        {"\"source\": \"book\"},\n  \"ld\"", "\"x\": 1},\n  \"ld\"", "$.classes.alu.x",
         "unknown key"},
        {"\"base_latency\": 2", "\"base_latency\": 0", "$.classes.ld.base_latency", "from 1"},
        {"\"of\": [\"ls\"]", "\"of\": [\"sl\"]", "$.classes.ld.units[0].of", "'sl'"},
        {"\"of\": [\"ls\"]", "\"of\": []", "$.classes.ld.units[0].of", "at least one"},
        {"\"of\": [\"ls\"]", "\"of\": [\"ls\", \"ls\"]", "$.classes.ld.units[0].of", "twice"},
        {"\"of\": [\"ls\"], ", "", "$.classes.ld.units[0].of", "at least one"},
        {"\"busy\": 2", "\"busy\": -1", "$.classes.ld.units[0].busy", "from 1 to 255, found -1"},
        {"\"busy\": 2", "\"busy\": 0", "$.classes.ld.units[0].busy", "from 1"},
        {"\"busy\": 2", "\"busy\": 1e9", "$.classes.ld.units[0].busy", ""},
        {"{\"of\": [\"hi\"]}", "{\"of\": [\"hi\", \"lo\"]}", "$.classes[\"vtbl.q\"].units[1].of",
         "holds already"},
        {"\"alone\"", "\"third\"", "$.classes.ldm.slot", "'third'"},
        {"\"issue_cycles\": 3", "\"issue_cycles\": 0", "$.classes.ldm.issue_cycles", "from 1"},
        {"\"registers\": 2", "\"registers\": 0", "$.classes.ldm.group.registers", "from 1"},
        {"\"registers\": 2, ", "", "$.classes.ldm.group.registers", "expected"},
        {"\"latency\": 1, \"units\"", "\"latency\": 1, \"together\": true, \"units\"",
         "$.classes.ldm.group.latency", "together"},
        {"\"units\": true", "\"units\": 1", "$.classes.ldm.group.units", "true"},
        {"\"units\": true", "\"pipelined\": true", "$.classes.ldm.group.pipelined", "issue_cycles"},
        {"[\"latency\", \"slot\"]", "[\"speed\"]", "$.classes[\"vtbl.q\"].fitted", "'speed'"},
    };
    refuse_all(*state, in_order, cases, sizeof cases / sizeof *cases);
}

static void refuses_out_of_order(void **state)
{
    static const struct refusal cases[] = {
        {"\"width\": 3", "\"width\": 17", "$.width", "from 1 to 16"},
        {"\"reorder\": {\"entries\": 40, \"retire\": 4},", "", "$.reorder", "object"},
        {"\"entries\": 40", "\"entries\": 0", "$.reorder.entries", "from 1 to 1024"},
        {"\"entries\": 40", "\"entries\": 1000000", "$.reorder.entries", "from 1 to 1024"},
        {"\"retire\": 4", "\"retire\": 0", "$.reorder.retire", "from 1"},
        {"\"retire\": 4", "\"retires\": 4", "$.reorder.retires", "unknown key"},
        {"[\"I\"], \"entries\": 8", "[\"I\"], \"entries\": 65", "$.queues[0].entries",
         "from 1 to 64"},
        {"\"units\": [\"W\", \"V\"]", "\"units\": [\"W\", \"X\"]", "$.queues[1].units", "'X'"},
        {"\"units\": [\"W\", \"V\"]", "\"units\": [\"W\", \"I\"]", "$.queues[1].units", "already"},
        {"\"units\": [\"W\", \"V\"]", "\"units\": [\"W\"]", "$.queues", "no queue for unit 'V'"},
        {"\"in_order\": true", "\"in_order\": \"yes\"", "$.queues[1].in_order", "true"},
        {"\"writeback_units\": [\"I\"]", "\"writeback_units\": []", "$.writeback_units",
         "at least one"},
        {"\"latency\": 1", "\"slot\": \"any\", \"latency\": 1", "$.classes.alu.slot",
         "in order only"},
        {"\"latency\": 1", "\"issue_cycles\": 1, \"latency\": 1", "$.classes.alu.issue_cycles",
         "in order only"},
        {"\"latency\": 1", "\"base_latency\": 1, \"latency\": 1", "$.classes.alu.base_latency",
         "no effect"},
        {"{\"registers\": 1}", "{\"registers\": 1, \"pipelined\": true}",
         "$.classes.ldp.group.pipelined", "in order only"},
        {"{\"registers\": 1}", "{\"registers\": 1, \"together\": true}",
         "$.classes.ldp.group.together", "in order only"},
        {"[{\"of\": [\"I\"]}]",
         "[{\"of\": [\"I\"]}, {\"of\": [\"I\"]}, {\"of\": [\"I\"]}, {\"of\": [\"I\"]}, "
         "{\"of\": [\"I\"]}, {\"of\": [\"I\"]}, {\"of\": [\"I\"]}]",
         "$.classes.alu.units[6]", "more than 6"},
        {"\"classes\": {\n", "\"classes\": {}}\n", "", ""},
    };
    refuse_all(*state, out_of_order, cases, sizeof cases / sizeof *cases);
}

static void unknown_name(void **state)
{
    struct core c;
    struct err e = ERR_INIT;
    (void)state;
    assert_int_equal(core_load("cortex-a35", &c, &e), -1);
    assert_int_equal(e.exit_code, EXIT_USAGE);
    assert_non_null(strstr(e.text, "unknown core 'cortex-a35'"));
    err_clear(&e);
}

/* Shipped tables: each loads and has its file's name; what a target's CPU model names covers the
 * target's programs, and a CPU model of each table exists. */
static void shipped_tables_are_good(void **state)
{
    struct list names = LIST_INIT, targets = LIST_INIT, used = LIST_INIT;
    struct err e = ERR_INIT;
    struct core c;
    (void)state;
    assert_int_equal(catalog_names("targets/cores", &names, &e), 0);
    for (size_t i = 0; i < names.n; i++) {
        if (core_load(names.v[i], &c, &e))
            fail_msg("%s", e.text);
        assert_string_equal(c.name, names.v[i]);
        assert_int_equal(core_band(&c, 64), -1);
        assert_int_equal(core_band(&c, 256), 35);
        assert_in_range(core_band(&c, 1024), 15, 30);
        core_free(&c);
    }
    assert_int_equal(catalog_names("targets", &targets, &e), 0);
    for (size_t i = 0; i < targets.n; i++) {
        char *path = NULL;
        struct target t;
        assert_int_equal(catalog_path("targets", "target", targets.v[i], &path, &e), 0);
        assert_int_equal(target_load(path, &t, &e), 0);
        for (size_t k = 0; k < t.ncpus; k++) {
            if (!t.cpus[k].core)
                continue;
            assert_int_equal(core_load(t.cpus[k].core, &c, &e), 0);
            assert_true(core_covers(&c, t.elf.machine));
            list_add(&used, c.name);
            core_free(&c);
        }
        target_free(&t);
        free(path);
    }
    list_sort_unique(&used);
    char *all = list_join(&names, " "), *some = list_join(&used, " ");
    assert_string_equal(all, "24kc cortex-a53 cortex-a57 cortex-a7 cortex-a72 cortex-a9");
    assert_string_equal(all, some);
    free(all);
    free(some);
    list_free(&names);
    list_free(&targets);
    list_free(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(loads_in_order, setup, teardown),
        cmocka_unit_test_setup_teardown(classes_have_what_the_file_says, setup, teardown),
        cmocka_unit_test_setup_teardown(loads_out_of_order, setup, teardown),
        cmocka_unit_test_setup_teardown(band_is_of_the_size, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses_in_order, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses_out_of_order, setup, teardown),
        cmocka_unit_test(unknown_name),
        cmocka_unit_test(shipped_tables_are_good),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

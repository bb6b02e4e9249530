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
#include <sys/utsname.h>
#include <unistd.h>

#include "catalog.h"
#include "file.h"
#include "mem.h"
#include "target.h"

/* A good file; each test of an error replaces one piece of it. */
static const char good[] =
    "{\"schema\": \"crypto-bench-target/1\", \"name\": \"box\", \"summary\": \"a box\",\n"
    " \"triplet\": \"mips-linux-gnu\", \"cross_prefix\": \"mips-linux-gnu-\",\n"
    " \"configure\": \"linux-mips32\", \"cflags\": [\"-mips32r2\", \"-Wa,-x\"],\n"
    " \"elf\": {\"machine\": \"EM_MIPS\", \"bits\": 32, \"endian\": \"big\"},\n"
    " \"qemu\": \"qemu-mips\",\n"
    " \"cpus\": [{\"name\": \"one\", \"summary\": \"first\", \"qemu_cpu\": \"24Kf\",\n"
    "            \"core\": \"24kc\", \"env\": {\"OPENSSL_armcap\": \"0\", \"B\": \"x=y z\"}},\n"
    "           {\"name\": \"two\", \"summary\": \"second\", \"default\": true}],\n"
    " \"packages\": {\"compiler\": [\"gcc-mips-linux-gnu\", \"make\"], \"qemu\": "
    "[\"qemu-user\"]},\n"
    " \"in_default_set\": true}\n";

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

/* Loads good with the first `from` replaced by `to`. */
static int load_changed(const char *dir, const char *from, const char *to, struct target *t,
                        struct err *e)
{
    const char *at = strstr(good, from);
    assert_non_null(at);
    char *text = xasprintf("%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
    char *path = path_join(dir, "box.json");
    assert_int_equal(file_write_atomic(path, text, strlen(text), e), 0);
    int rc = target_load(path, t, e);
    free(path);
    free(text);
    return rc;
}

static void loads_all(void **state)
{
    struct target t;
    struct err e = ERR_INIT;
    assert_int_equal(load_changed(*state, "box", "box", &t, &e), 0);
    assert_string_equal(path_base(t.path), "box.json");
    assert_string_equal(t.name, "box");
    assert_string_equal(t.summary, "a box");
    assert_string_equal(t.triplet, "mips-linux-gnu");
    assert_string_equal(t.cross_prefix, "mips-linux-gnu-");
    assert_string_equal(t.configure, "linux-mips32");
    assert_int_equal(t.cflags.n, 2);
    assert_string_equal(t.cflags.v[1], "-Wa,-x");
    assert_int_equal(t.elf.machine, EM_MIPS);
    assert_int_equal(t.elf.bits, 32);
    assert_int_equal(t.elf.big, 1);
    assert_string_equal(t.qemu, "qemu-mips");
    assert_int_equal(t.ncpus, 2);
    assert_string_equal(t.cpus[0].qemu_cpu, "24Kf");
    assert_string_equal(t.cpus[0].core, "24kc");
    assert_null(t.cpus[1].core);
    assert_int_equal(t.cpus[0].env.n, 2);
    assert_string_equal(t.cpus[0].env.v[0], "OPENSSL_armcap=0");
    assert_string_equal(t.cpus[0].env.v[1], "B=x=y z");
    assert_int_equal(t.cpus[0].is_default, 0);
    assert_null(t.cpus[1].qemu_cpu);
    assert_ptr_equal(target_default_cpu(&t), &t.cpus[1]);
    assert_string_equal(t.compiler_packages.v[0], "gcc-mips-linux-gnu");
    assert_string_equal(t.qemu_packages.v[0], "qemu-user");
    assert_int_equal(t.in_default_set, 1);
    target_free(&t);
    assert_null(t.name);
}

static void optional_keys_may_be_absent(void **state)
{
    struct target t;
    struct err e = ERR_INIT;
    assert_int_equal(load_changed(*state, ",\n \"in_default_set\": true", "", &t, &e), 0);
    assert_int_equal(t.in_default_set, 0);
    target_free(&t);
    assert_int_equal(load_changed(*state, "\"cflags\": [\"-mips32r2\", \"-Wa,-x\"],", "", &t, &e),
                     0);
    assert_int_equal(t.cflags.n, 0);
    target_free(&t);
    assert_int_equal(load_changed(*state, "\"mips-linux-gnu-\"", "\"\"", &t, &e), 0);
    assert_string_equal(t.cross_prefix, "");
    target_free(&t);
}

static void refuses(void **state)
{
    static const struct {
        const char *from, *to;
        const char *where; /* path inside the file that the error must name */
        const char *what;  /* and a piece of what is wrong */
    } cases[] = {
        {"target/1", "target/2", "$.schema", "crypto-bench-target/1"},
        {"target/1", "config/1", "$.schema", "crypto-bench-config/1"},
        {"\"summary\": \"a box\"", "\"sumary\": \"a box\"", "$.sumary", "summary"},
        {"\"name\": \"box\"", "\"name\": 3", "$.name", "string"},
        {"\"name\": \"box\"", "\"name\": \"\"", "$.name", "no name"},
        {"\"name\": \"box\"", "\"name\": \"-box\"", "$.name", "-box"},
        {"\"name\": \"box\"", "\"name\": \".box\"", "$.name", ".box"},
        {"\"name\": \"box\"", "\"name\": \"a/box\"", "$.name", "a/box"},
        {"\"name\": \"box\"", "\"name\": \"b\xc3\xb6x\"", "$.name", "no name"},
        {"\"name\": \"box\"", "\"name\": \"box\", \"name\": \"box\"", "name", "duplicate"},
        {"\"name\": \"box\", ", "", "$.name", "string"},
        {"\"a box\"", "\"a\\nbox\"", "$.summary", "one line"},
        {"\"mips-linux-gnu\",", "\"mips linux\",", "$.triplet", "mips linux"},
        {"\"mips-linux-gnu-\"", "\"a;b-\"", "$.cross_prefix", "a;b-"},
        {"\"linux-mips32\"", "\"linux mips\"", "$.configure", "linux mips"},
        {"\"-mips32r2\"", "\"mips32r2\"", "$.cflags[0]", "begin with '-'"},
        {"\"-Wa,-x\"", "\"-O2 -g\"", "$.cflags[1]", "-O2 -g"},
        {"\"-Wa,-x\"", "\"-D$(X)\"", "$.cflags[1]", "-D$(X)"},
        {"\"-Wa,-x\"", "\"\"", "$.cflags[1]", "empty"},
        {"\"-Wa,-x\"", "7", "$.cflags[1]", "string"},
        {"EM_MIPS", "EM_VAXEN", "$.elf.machine", "EM_VAXEN"},
        {"\"bits\": 32", "\"bits\": 16", "$.elf.bits", "32 or 64"},
        {"\"bits\": 32", "\"bits\": \"32\"", "$.elf.bits", "string"},
        {"\"bits\": 32", "\"bits\": 32, \"x\": 1", "$.elf.x", "unknown key"},
        {"\"endian\": \"big\"", "\"endian\": \"Big\"", "$.elf.endian", "little"},
        {"\"one\"", "\"two\"", "$.cpus[1].name", "two"},
        {", \"default\": true", "", "$.cpus", "default"},
        {"\"name\": \"one\"", "\"name\": \"one\", \"default\": true", "$.cpus[1].default",
         "second default"},
        {"\"name\": \"one\"", "\"name\": \"one\", \"default\": 1", "$.cpus[0].default", "true"},
        {"\"24Kf\"", "\"24Kf x\"", "$.cpus[0].qemu_cpu", "24Kf x"},
        {"\"24kc\"", "\"24kd\"", "$.cpus[0].core", "unknown core '24kd'"},
        {"\"24kc\"", "\"./absent.json\"", "$.cpus[0].core", "No such file"},
        {"\"24kc\"", "24", "$.cpus[0].core", "string"},
        {"EM_MIPS", "EM_X86_64", "$.cpus[0].core", "EM_X86_64"},
        {"OPENSSL_armcap", "OPENSSL=x", "$.cpus[0].env", "OPENSSL=x"},
        {"OPENSSL_armcap", "1X", "$.cpus[0].env", "1X"},
        {"OPENSSL_armcap", "", "$.cpus[0].env", "environment"},
        {"\"x=y z\"", "0", "$.cpus[0].env.B", "string"},
        {"\"x=y z\"", "\"x\\ny\"", "$.cpus[0].env.B", "one line"},
        {"\"make\"", "\"-y\"", "$.packages.compiler[1]", "-y"},
        {"\"qemu\": [", "\"quemu\": [", "$.packages.quemu", "qemu"},
        {"true}\n", "\"yes\"}\n", "$.in_default_set", "true or false"},
        {"true}\n", "true} {}\n", "", ""},
        {"{\"schema\"", "[{\"schema\"", "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct target t;
        struct err e = ERR_INIT;
        assert_int_equal(load_changed(*state, cases[i].from, cases[i].to, &t, &e), -1);
        assert_int_equal(e.exit_code, EXIT_USAGE);
        assert_non_null(strstr(e.text, "box.json"));
        if (!strstr(e.text, cases[i].where) || !strstr(e.text, cases[i].what))
            fail_msg("case %zu: expected '%s' and '%s' in: %s", i, cases[i].where, cases[i].what,
                     e.text);
        assert_null(strchr(e.text, '\n'));
        err_clear(&e);
    }
}

/* A path is one from where the target's file is, not from the current directory. */
static void core_is_beside_the_file(void **state)
{
    struct target t;
    struct err e = ERR_INIT;
    char *path = path_join(*state, "my.json");
    assert_int_equal(file_write_atomic(path, "{}", 2, &e), 0);
    assert_int_equal(load_changed(*state, "\"24kc\"", "\"my.json\"", &t, &e), 0);
    assert_string_equal(t.cpus[0].core, path);
    target_free(&t);
    char *quoted = xasprintf("\"%s\"", path);
    assert_int_equal(load_changed(*state, "\"24kc\"", quoted, &t, &e), 0);
    assert_string_equal(t.cpus[0].core, path);
    target_free(&t);
    free(quoted);
    free(path);
}

static void needs_a_cpu(void **state)
{
    struct target t;
    struct err e = ERR_INIT;
    const char *from = strstr(good, "[{\"name\": \"one\""), *end = strstr(good, ",\n \"packages\"");
    char *cpus = xstrndup(from, (size_t)(end - from));
    assert_int_equal(load_changed(*state, cpus, "[]", &t, &e), -1);
    assert_non_null(strstr(e.text, "$.cpus: needs at least one"));
    err_clear(&e);
    free(cpus);
}

static void unreadable_file(void **state)
{
    struct target t;
    struct err e = ERR_INIT;
    char *path = path_join(*state, "absent.json");
    assert_int_equal(target_load(path, &t, &e), -1);
    assert_int_equal(e.exit_code, EXIT_USAGE);
    assert_non_null(strstr(e.text, path));
    err_clear(&e);
    assert_int_equal(target_load(*state, &t, &e), -1); /* a directory */
    assert_int_equal(e.exit_code, EXIT_USAGE);
    err_clear(&e);
    free(path);
}

static void finds_cpus_by_name(void **state)
{
    struct target t;
    struct err e = ERR_INIT;
    assert_int_equal(load_changed(*state, "box", "box", &t, &e), 0);
    assert_ptr_equal(target_cpu(&t, "one", &e), &t.cpus[0]);
    assert_null(target_cpu(&t, "tow", &e));
    assert_int_equal(e.exit_code, EXIT_USAGE);
    assert_non_null(strstr(e.text, "'tow'"));
    assert_non_null(strstr(e.text, "'two'"));
    assert_non_null(strstr(e.text, "box"));
    err_clear(&e);
    target_free(&t);
}

/* Shipped files: each loads, has its file's name, and the default set is the documented one. */
static void shipped_files_are_good(void **state)
{
    (void)state;
    struct list names = LIST_INIT, defaults = LIST_INIT;
    struct err e = ERR_INIT;
    struct utsname host;
    size_t native = 0;
    assert_int_equal(uname(&host), 0);
    assert_int_equal(catalog_names("targets", &names, &e), 0);
    for (size_t i = 0; i < names.n; i++) {
        char *path = NULL;
        struct target t;
        assert_int_equal(catalog_path("targets", "target", names.v[i], &path, &e), 0);
        if (target_load(path, &t, &e))
            fail_msg("%s", e.text);
        assert_string_equal(t.name, names.v[i]);
        assert_true(t.compiler_packages.n > 0);
        assert_true(t.qemu_packages.n > 0);
        if (t.in_default_set)
            list_add(&defaults, t.name);
        if (target_is_native(&t)) {
            native++;
            assert_int_equal(t.elf.bits, (int)sizeof(void *) * 8);
            if (!strcmp(host.machine, "x86_64") || !strcmp(host.machine, "aarch64"))
                assert_string_equal(t.name, host.machine);
        }
        target_free(&t);
        free(path);
    }
    assert_true(native <= 1);
    if (!strcmp(host.machine, "x86_64") && sizeof(void *) == 8)
        assert_int_equal(native, 1);
    char *all = list_join(&defaults, " ");
    assert_string_equal(all, "aarch64 arm mips x86_64");
    free(all);
    list_free(&names);
    list_free(&defaults);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(loads_all, setup, teardown),
        cmocka_unit_test_setup_teardown(optional_keys_may_be_absent, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses, setup, teardown),
        cmocka_unit_test_setup_teardown(core_is_beside_the_file, setup, teardown),
        cmocka_unit_test_setup_teardown(needs_a_cpu, setup, teardown),
        cmocka_unit_test_setup_teardown(unreadable_file, setup, teardown),
        cmocka_unit_test_setup_teardown(finds_cpus_by_name, setup, teardown),
        cmocka_unit_test(shipped_files_are_good),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

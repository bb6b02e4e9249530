/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "driver.h"
#include "elffile.h"
#include "file.h"
#include "mem.h"
#include "runner.h"

enum { LONG_MS = 30000 };

static const char *fake;
static char *bin;     /* first directory of PATH, with an ssh and a QEMU of ours */
static char *ssh_log; /* one line for each call: HOST: COMMAND */
static struct target here, elsewhere;
static struct cpu cpus[2];

static void program_write(const char *name, const char *script)
{
    char *path = path_join(bin, name);
    struct err e = ERR_INIT;

    assert_int_equal(file_write_atomic(path, script, strlen(script), &e), 0);
    assert_int_equal(chmod(path, 0700), 0);
    free(path);
}

static int setup(void **state)
{
    char dir[] = "/tmp/cb-runner-XXXXXX", *path;
    struct elf_file self;
    struct err e = ERR_INIT;

    (void)state;
    assert_non_null(mkdtemp(dir));
    bin = xstrdup(dir);
    ssh_log = path_join(bin, "log");
    path = xasprintf("%s:%s", bin, getenv("PATH"));
    setenv("PATH", path, 1);
    setenv("SSH_LOG", ssh_log, 1);
    free(path);
    /* Takes the options that the runner gives, and runs the command as sshd does. */
    program_write("ssh", "#!/bin/sh\n"
                         "[ \"$1\" = -V ] && { echo 'FakeSSH_1.0, no crypto' >&2; exit 0; }\n"
                         "[ \"$1 $2 $3 $4 $5\" = '-T -o BatchMode=yes -o ConnectTimeout=10' ] || "
                         "exit 64\n"
                         "shift 5\n"
                         "host=$1; shift\n"
                         "echo \"$host: $*\" >> \"$SSH_LOG\"\n"
                         "[ \"$host\" = down ] && { echo 'ssh: connect to host down port 22: No "
                         "route to host' >&2; exit 255; }\n"
                         "exec env -u FAKE_LIBRARY sh -c \"$*\"\n");
    program_write("qemu-fake", "#!/bin/sh\n"
                               "echo 'qemu-fake version 7.2'; echo Copyright\n");

    assert_int_equal(elf_read("/proc/self/exe", &self, &e), 0);
    cpus[0] = (struct cpu){.name = xstrdup("plain"), .qemu_cpu = xstrdup("core-1")};
    cpus[0].is_default = 1;
    cpus[1] = (struct cpu){.name = xstrdup("odd"), .qemu_cpu = xstrdup("core-2")};
    list_add(&cpus[1].env, "FAKE_LIBRARY=it's `pwd` $HOME; * 1.0");
    list_add(&cpus[1].env, "OPENSSL_fakecap=0x81");
    here.path = elsewhere.path = xstrdup("targets/test.json");
    here.name = xstrdup("here");
    elsewhere.name = xstrdup("elsewhere");
    here.elf = elsewhere.elf = self.id;
    elsewhere.elf.big = !self.id.big;
    here.qemu = elsewhere.qemu = xstrdup("qemu-fake");
    here.cpus = elsewhere.cpus = cpus;
    here.ncpus = elsewhere.ncpus = 2;
    list_add(&elsewhere.qemu_packages, "qemu-user");
    return 0;
}

static int teardown(void **state)
{
    struct err e = ERR_INIT;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        free(cpus[i].name);
        free(cpus[i].qemu_cpu);
        list_free(&cpus[i].env);
    }
    free(here.path);
    free(here.name);
    free(here.qemu);
    free(elsewhere.name);
    list_free(&elsewhere.qemu_packages);
    assert_int_equal(tree_remove(bin, &e), 0);
    free(bin);
    free(ssh_log);
    return 0;
}

static void words_are_checked(void **state)
{
    static const char *const good[] = {"auto",
                                       "native",
                                       "qemu",
                                       "ssh:router",
                                       "ssh:root@192.168.1.1",
                                       "ssh:root@[fe80::1%eth0]",
                                       "exec:valgrind -q",
                                       "exec: x"};
    static const struct {
        const char *word, *reason;
    } bad[] = {
        {"", "runner"},
        {"qmeu", "did you mean 'qemu'"},
        {"nativ", "did you mean 'native'"},
        {"qemu:x", "unknown runner"},
        {"ssh", "unknown runner"},
        {"ssh:", "no host"},
        {"ssh:-oProxyCommand=reboot", "does not start with '-'"},
        {"ssh:root@-oProxyCommand=reboot", "does not start with '-'"},
        {"ssh:host command", "' ' is not part of a host's name"},
        {"ssh:a;b", "';' is not part"},
        {"exec:", "no program"},
        {"exec:   ", "no program"},
    };
    struct err e = ERR_INIT;

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_int_equal(runner_check_word(good[i], &e), 0);
    assert_null(e.text);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(runner_check_word(bad[i].word, &e), -1);
        assert_int_equal(e.exit_code, EXIT_USAGE);
        if (!strstr(e.text, bad[i].reason))
            fail_msg("'%s': %s", bad[i].word, e.text);
    }
    err_clear(&e);
}

static void find(const char *word, const struct target *t, const char *cpu, struct runner *r)
{
    struct err e = ERR_INIT;
    enum status status = STATUS_COUNT;

    if (runner_find(word, t, cpu, r, &status, &e) < 0)
        fail_msg("%s: %s", word, e.text);
    assert_int_equal(status, STATUS_OK);
    assert_null(e.text);
}

static void auto_is_native_at_home(void **state)
{
    struct runner r;

    (void)state;
    find("auto", &here, NULL, &r);
    assert_int_equal(r.kind, RUNNER_NATIVE);
    assert_string_equal(r.name, "native");
    assert_int_equal(r.emulated, 0);
    assert_int_equal(r.prefix.n, 0);
    assert_null(r.cpu);
    assert_null(r.version);
    runner_free(&r);

    /* A model's environment is taken along, its emulator is not. */
    find("auto", &here, "odd", &r);
    assert_int_equal(r.kind, RUNNER_NATIVE);
    assert_ptr_equal(r.cpu, &cpus[1]);
    assert_true(list_has(&r.env, "OPENSSL_fakecap=0x81"));
    runner_free(&r);
}

static void auto_is_qemu_elsewhere(void **state)
{
    struct runner r;
    char *argv, *wanted = xasprintf("%s/qemu-fake -cpu core-1", bin);

    (void)state;
    find("auto", &elsewhere, NULL, &r);
    assert_int_equal(r.kind, RUNNER_QEMU);
    assert_string_equal(r.name, "qemu");
    assert_int_equal(r.emulated, 1);
    assert_ptr_equal(r.cpu, &cpus[0]);
    assert_string_equal(r.version, "qemu-fake version 7.2");
    argv = list_join(&r.prefix, " ");
    assert_string_equal(argv, wanted);
    free(argv);
    free(wanted);
    runner_free(&r);

    find("qemu", &here, "odd", &r);
    assert_string_equal(r.prefix.v[2], "core-2");
    assert_ptr_equal(r.cpu, &cpus[1]);
    assert_true(list_has(&r.env, "OPENSSL_fakecap=0x81"));
    runner_free(&r);
}

static void what_cannot_be_had_is_said(void **state)
{
    struct target t = elsewhere;
    struct runner r;
    enum status status;
    struct err e = ERR_INIT;

    (void)state;
    t.qemu = xstrdup("qemu-vax");
    assert_int_equal(runner_find("qemu", &t, NULL, &r, &status, &e), -1);
    assert_int_equal(status, STATUS_RUNNER_MISSING);
    assert_int_equal(e.exit_code, EXIT_FAILED);
    assert_string_equal(e.text, "qemu-vax not found on PATH; install: apt-get install qemu-user");
    /* Still known: what it would have been. */
    assert_string_equal(r.name, "qemu");
    assert_int_equal(r.emulated, 1);
    runner_free(&r);
    free(t.qemu);

    assert_int_equal(runner_find("native", &elsewhere, NULL, &r, &status, &e), -1);
    assert_int_equal(status, STATUS_RUNNER_MISSING);
    assert_non_null(strstr(e.text, "does not run programs for target 'elsewhere'"));
    runner_free(&r);

    assert_int_equal(runner_find("exec:no-such-wrapper -x", &here, NULL, &r, &status, &e), -1);
    assert_int_equal(status, STATUS_RUNNER_MISSING);
    assert_non_null(strstr(e.text, "no-such-wrapper not found on PATH"));
    runner_free(&r);

    assert_int_equal(runner_find("auto", &here, "z80", &r, &status, &e), -1);
    assert_int_equal(e.exit_code, EXIT_USAGE);
    runner_free(&r);
    assert_int_equal(runner_find("natvie", &here, NULL, &r, &status, &e), -1);
    assert_int_equal(e.exit_code, EXIT_USAGE);
    runner_free(&r);
    err_clear(&e);
}

static void exec_takes_words(void **state)
{
    struct build b = {.driver = xstrdup("/cache/driver")};
    struct list argv = LIST_INIT;
    struct runner r;
    struct err e = ERR_INIT;

    (void)state;
    find("exec:sh -c  qemu-fake x", &elsewhere, NULL, &r);
    assert_int_equal(r.kind, RUNNER_EXEC);
    assert_string_equal(r.name, "exec:sh -c  qemu-fake x");
    assert_int_equal(r.emulated, 1);
    assert_string_equal(r.version, "qemu-fake version 7.2");
    assert_int_equal(runner_argv(&r, &b, &argv, &e), 0);
    assert_int_equal(argv.n, 5);
    assert_string_equal(path_base(argv.v[0]), "sh");
    assert_string_equal(argv.v[2], "qemu-fake");
    assert_string_equal(argv.v[3], "x");
    assert_string_equal(argv.v[4], "/cache/driver");
    runner_free(&r);
    list_free(&argv);

    find("exec:env", &here, NULL, &r);
    assert_int_equal(r.emulated, 0);
    assert_null(r.version);
    assert_null(r.cpu);
    runner_free(&r);
    free(b.driver);
}

static void environment_is_cleaned(void **state)
{
    struct runner r;
    size_t seen = 0;

    (void)state;
    setenv("OPENSSL_armcap", "0", 1);
    setenv("LD_PRELOAD", "", 1);
    setenv("QEMU_CPU", "max", 1);
    setenv("FAKE_LIBRARY", "the parent's", 1);
    setenv("CB_KEPT", "yes", 1);
    find("native", &here, "odd", &r);
    for (size_t i = 0; i < r.env.n; i++) {
        assert_int_not_equal(strncmp(r.env.v[i], "OPENSSL_armcap", 14), 0);
        assert_int_not_equal(strncmp(r.env.v[i], "LD_", 3), 0);
        assert_int_not_equal(strncmp(r.env.v[i], "QEMU_", 5), 0);
        seen += strncmp(r.env.v[i], "FAKE_LIBRARY=", 13) == 0;
    }
    assert_int_equal(seen, 1);
    assert_true(list_has(&r.env, cpus[1].env.v[0]));
    assert_true(list_has(&r.env, "CB_KEPT=yes"));
    runner_free(&r);
    unsetenv("OPENSSL_armcap");
    unsetenv("LD_PRELOAD");
    unsetenv("QEMU_CPU");
    unsetenv("FAKE_LIBRARY");
}

static size_t log_count(const char *part)
{
    struct str text = STR_INIT;
    struct err e = ERR_INIT;
    size_t n = 0;

    assert_int_equal(file_read(ssh_log, 1 << 20, &text, &e), 0);
    for (const char *p = text.p; p && (p = strstr(p, part)); p++)
        n++;
    str_free(&text);
    return n;
}

/* What the driver started by r says its library is. */
static char *library_by(const struct runner *r, const struct build *b)
{
    struct list argv = LIST_INIT;
    struct driver_info info;
    struct driver *d;
    struct err e = ERR_INIT;
    char *text;

    assert_int_equal(runner_argv(r, b, &argv, &e), 0);
    assert_int_equal(driver_start(&argv, &r->env, LONG_MS, &d, &e), STATUS_OK);
    if (driver_info(d, &info, &e) != STATUS_OK)
        fail_msg("%s", e.text);
    text = xstrdup(info.library);
    driver_info_free(&info);
    driver_close(d);
    list_free(&argv);
    return text;
}

static void ssh_copies_once_and_cleans_up(void **state)
{
    struct build b = {.driver = xstrdup(fake), .driver_key = "00ff"};
    char *path = xasprintf("/tmp/crypto-bench-00ff-%ld", (long)getpid()), *text;
    struct runner r, other;
    struct stat st;

    (void)state;
    find("ssh:root@router", &here, NULL, &r);
    assert_int_equal(r.kind, RUNNER_SSH);
    assert_string_equal(r.host, "root@router");
    assert_string_equal(r.version, "FakeSSH_1.0, no crypto");
    assert_int_equal(r.emulated, 0);
    assert_null(r.cpu);
    text = library_by(&r, &b);
    assert_string_equal(text, "OpenSSL 3.0.0 fake");
    free(text);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);

    /* The model's environment gets there whole, and the file is not copied again. */
    find("ssh:root@router", &here, "odd", &other);
    text = library_by(&other, &b);
    assert_string_equal(text, "it's `pwd` $HOME; * 1.0");
    free(text);
    assert_int_equal(log_count("cat > "), 1);
    runner_cleanup();
    assert_int_equal(stat(path, &st), -1);
    assert_int_equal(log_count("rm -f '/tmp/crypto-bench-00ff"), 2);
    runner_cleanup();
    assert_int_equal(log_count("rm -f '/tmp/crypto-bench-00ff"), 2);
    runner_free(&r);
    runner_free(&other);
    free(path);
    free(b.driver);
}

static void ssh_failures_are_reported(void **state)
{
    struct build b = {.driver = xstrdup(fake), .driver_key = "00fe"};
    struct list argv = LIST_INIT;
    struct runner r;
    struct samples s = {0};
    struct driver *d;
    struct err e = ERR_INIT;
    const struct time_request t = {"record/1", "aes-128-gcm", "encrypt", 16, 1000000, 1};

    (void)state;
    find("ssh:down", &here, NULL, &r);
    assert_int_equal(runner_argv(&r, &b, &argv, &e), -1);
    assert_string_equal(e.text, "copying the driver to 'down': ssh: exit status 255: ssh: connect "
                                "to host down port 22: No route to host");
    runner_free(&r);

    /* A death by SIGILL over there arrives as such. */
    setenv("FAKE_MODE", "sigill", 1);
    find("ssh:router", &here, NULL, &r);
    assert_int_equal(runner_argv(&r, &b, &argv, &e), 0);
    assert_int_equal(driver_start(&argv, &r.env, LONG_MS, &d, &e), STATUS_OK);
    assert_int_equal(driver_check(d, t.alg, &e), STATUS_OK);
    assert_int_equal(driver_time(d, &t, &s, &e), STATUS_ILLEGAL_INSTRUCTION);
    unsetenv("FAKE_MODE");
    driver_close(d);
    runner_free(&r);
    runner_cleanup();
    list_free(&argv);
    free(b.driver);
    err_clear(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_checked),
        cmocka_unit_test(auto_is_native_at_home),
        cmocka_unit_test(auto_is_qemu_elsewhere),
        cmocka_unit_test(what_cannot_be_had_is_said),
        cmocka_unit_test(exec_takes_words),
        cmocka_unit_test(environment_is_cleaned),
        cmocka_unit_test(ssh_copies_once_and_cleans_up),
        cmocka_unit_test(ssh_failures_are_reported),
    };

    fake = getenv("CB_FAKE_DRIVER");
    if (!fake) {
        fprintf(stderr, "test_runner: set CB_FAKE_DRIVER to the program made of "
                        "tests/driver/fake.c\n");
        return 1;
    }
    return cmocka_run_group_tests(tests, setup, teardown);
}

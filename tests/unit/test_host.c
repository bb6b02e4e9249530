/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "host.h"
#include "hostwarning.h"
#include "mem.h"

/* A made-up /proc and /sys below a directory of its own, for each test. */
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
    int r = tree_remove(*state, &e);
    if (r)
        fprintf(stderr, "%s\n", e.text);
    err_clear(&e);
    free(*state);
    return r;
}

static void put(const char *root, const char *path, const char *text)
{
    struct err e = ERR_INIT;
    char *full = xasprintf("%s%s", root, path);
    char *dir = xstrndup(full, (size_t)(path_base(full) - full));
    if (dir_make(dir, &e) || file_write_atomic(full, text, strlen(text), &e))
        fail_msg("%s", e.text);
    free(dir);
    free(full);
}

#define CPUS    "/sys/devices/system/cpu"
#define FREQ(n) CPUS "/cpu" #n "/cpufreq/"
#define HEAT(n) CPUS "/cpu" #n "/thermal_throttle/"

/* Two cores of one frequency, acpi-cpufreq, without fault. */
static void put_machine(const char *root)
{
    static const char *const files[][2] = {
        {"/etc/os-release", "NAME=x\nPRETTY_NAME=\"Example OS 1\"\n"},
        {"/proc/cpuinfo", "processor\t: 0\nmodel name\t: Example CPU @ 3GHz\nflags\t\t: fpu aes\n"},
        {"/proc/loadavg", "0.08 0.10 0.09 1/200 4000\n"},
        {"/proc/stat", "cpu  220 0 20 2000 0 0 0 0 0 0\ncpu0 100 0 10 1000 0 0 0 0 0 0\n"
                       "cpu1 120 0 10 1000 0 0 0 0 0 0\nintr 5 6\n"},
        {"/proc/sys/kernel/randomize_va_space", "2\n"},
        {"/proc/self/personality", "00000000\n"},
        {CPUS "/online", "0-1\n"},
        {CPUS "/smt/active", "0\n"},
        {CPUS "/cpufreq/boost", "0\n"},
        {FREQ(0) "scaling_driver", "acpi-cpufreq\n"},
        {FREQ(0) "scaling_governor", "performance\n"},
        {FREQ(0) "scaling_min_freq", "1000000\n"},
        {FREQ(0) "scaling_max_freq", "3000000\n"},
        {FREQ(0) "cpuinfo_max_freq", "3000000\n"},
        {FREQ(0) "related_cpus", "0 1\n"},
        {FREQ(0) "stats/time_in_state", "3000000 500\n2000000 100\n1000000 900\n"},
        {FREQ(1) "scaling_driver", "acpi-cpufreq\n"},
        {FREQ(1) "scaling_governor", "performance\n"},
        {FREQ(1) "scaling_min_freq", "1000000\n"},
        {FREQ(1) "scaling_max_freq", "3000000\n"},
        {FREQ(1) "cpuinfo_max_freq", "3000000\n"},
        {FREQ(1) "related_cpus", "0 1\n"},
        {FREQ(1) "stats/time_in_state", "3000000 500\n2000000 100\n1000000 900\n"},
        {HEAT(0) "core_throttle_count", "3\n"},
        {HEAT(0) "package_throttle_count", "10\n"},
        {HEAT(1) "core_throttle_count", "4\n"},
        {HEAT(1) "package_throttle_count", "10\n"},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        put(root, files[i][0], files[i][1]);
}

/* Reads facts, then what changed on processor cpu (-1: all) while nothing happened but that
 * `later`, a NULL-terminated list of paths and texts, was written. */
static void read_all(const char *root, int cpu, const char *const *later, struct host *h)
{
    struct host_state before, after;
    cpu_set_t used;

    CPU_ZERO(&used);
    if (cpu >= 0)
        CPU_SET((size_t)cpu, &used);
    host_read(root, h);
    host_state_read(root, &before);
    for (; later && *later; later += 2)
        put(root, later[0], later[1]);
    host_state_read(root, &after);
    host_change_make(&before, &after, cpu < 0 ? NULL : &used, &h->change);
    host_state_free(&before);
    host_state_free(&after);
}

static char *json_of(const struct host *h)
{
    struct json *root = json_new_object();
    host_to_json(h, root);
    char *text = json_line(root);
    json_free(root);
    return text;
}

static void assert_json(const struct host *h, const char *part)
{
    char *text = json_of(h);
    if (!strstr(text, part))
        fail_msg("no '%s' in %s", part, text);
    free(text);
}

/* codes: "a b", those of all warnings in order. */
static void assert_warnings(const struct host *h, const char *codes)
{
    struct list w = LIST_INIT, found = LIST_INIT;
    host_warnings(h, &w);
    for (size_t i = 0; i < w.n; i++) {
        assert_non_null(strstr(w.v[i], ": "));
        list_addn(&found, w.v[i], strcspn(w.v[i], ":"));
    }
    char *text = list_join(&found, " ");
    assert_string_equal(text, codes);
    free(text);
    list_free(&found);
    list_free(&w);
}

static void assert_warning_says(const struct host *h, const char *part)
{
    struct list w = LIST_INIT;
    host_warnings(h, &w);
    char *text = list_join(&w, "\n");
    if (!strstr(text, part))
        fail_msg("no '%s' in: %s", part, text);
    free(text);
    list_free(&w);
}

static void check(const char *root, int cpu, const char *const *later, const char *codes,
                  const char *says)
{
    struct host h;
    read_all(root, cpu, later, &h);
    assert_warnings(&h, codes);
    if (says)
        assert_warning_says(&h, says);
    host_free(&h);
}

static void facts_of_a_sound_machine(void **state)
{
    struct host h;
    put_machine(*state);
    read_all(*state, 1, NULL, &h);
    assert_string_equal(h.os, "Example OS 1");
    assert_string_equal(h.cpu_model, "Example CPU @ 3GHz");
    assert_null(h.virtualisation);
    assert_int_equal(h.cpus_online, 2);
    assert_json(&h, "\"smt\":false,\"virtualisation\":null,\"aslr\":2,\"processors_used\":\"1\","
                    "\"governor\":\"performance\",\"frequency_min_khz\":1000000,"
                    "\"frequency_max_khz\":3000000,\"frequency_hardware_max_khz\":3000000,"
                    "\"turbo\":false,\"load_1min\":0.08,\"load_1min_end\":0.08,"
                    "\"steal_percent\":null,\"throttle_events\":0,\"time_in_state\":[]}");
    assert_warnings(&h, "");
    host_free(&h);
}

static void nothing_known_is_null(void **state)
{
    struct host h;
    read_all(*state, -1, NULL, &h);
    assert_true(h.cpus_online >= 1);
    assert_json(&h, "\"smt\":null,\"virtualisation\":null,\"aslr\":null,\"processors_used\":null,"
                    "\"governor\":null,\"frequency_min_khz\":null,\"frequency_max_khz\":null,"
                    "\"frequency_hardware_max_khz\":null,\"turbo\":null,\"load_1min\":null,"
                    "\"load_1min_end\":null,\"steal_percent\":null,\"throttle_events\":null,"
                    "\"time_in_state\":null}");
    assert_json(&h, "{\"host\":{\"os\":null,");
    assert_json(&h, "\"cpu_model\":null,");
    assert_warnings(&h, "");
    host_free(&h);
}

/* Without a measurement. */
static void read_alone_is_written(void **state)
{
    struct host h;
    put_machine(*state);
    host_read(*state, &h);
    assert_json(&h, "\"processors_used\":null,\"governor\":null,");
    assert_json(&h, "\"load_1min\":0.08,\"load_1min_end\":null,");
    host_free(&h);
}

static void absurd_contents_are_unknown(void **state)
{
    static const char *const bad[] = {
        "",   "\n",  "many\n",   "-1\n", "99999999999999999999999\n", "1e9", "12 34", ",",
        "0-", "7-3", "\xff\xfe", "0x10"};
    static const char *const files[] = {"/proc/loadavg",
                                        "/proc/stat",
                                        "/proc/sys/kernel/randomize_va_space",
                                        CPUS "/online",
                                        CPUS "/smt/active",
                                        CPUS "/cpufreq/boost",
                                        CPUS "/intel_pstate/max_perf_pct",
                                        FREQ(0) "scaling_min_freq",
                                        FREQ(0) "scaling_max_freq",
                                        FREQ(0) "cpuinfo_max_freq",
                                        FREQ(0) "bios_limit",
                                        FREQ(0) "base_frequency",
                                        FREQ(0) "stats/time_in_state",
                                        HEAT(0) "core_throttle_count",
                                        HEAT(0) "package_throttle_count"};
    struct host h;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        put_machine(*state);
        for (size_t k = 0; k < sizeof files / sizeof files[0]; k++)
            put(*state, files[k], bad[i]);
        /* a governor is any word */
        put(*state, FREQ(0) "scaling_governor", i ? "two words\n" : "");
        read_all(*state, 0, NULL, &h);
        assert_int_equal(h.aslr, -1);
        assert_int_equal(h.smt, -1);
        assert_true(h.load_1min < 0 || h.load_1min == 12); /* "12 34" begins like one */
        assert_int_equal(h.change.governors.n, 0);
        assert_int_equal(h.change.min_khz, 0);
        assert_int_equal(h.change.max_khz, 0);
        assert_int_equal(h.change.hardware_khz, 0);
        assert_int_equal(h.change.turbo, -1);
        assert_int_equal(h.change.throttled, -1);
        assert_true(h.change.steal_percent < 0);
        host_free(&h);
    }
}

static void odd_lines_spoil_only_their_own(void **state)
{
    struct host h;
    put_machine(*state);
    put(*state, FREQ(0) "stats/time_in_state", "3000000 500\n2000000\n");
    put(*state, "/proc/stat", "cpu0 1 2 x 4\ncpu1 1 2 3\ncpu\ncpu99999999999999999999 1 1 1 1\n");
    put(*state, "/proc/self/personality", "zz\n");
    put(*state, FREQ(0) "related_cpus", "none\n");
    put(*state, "/proc/cpuinfo", "model name\t:\nflags");
    read_all(*state, 0, NULL, &h);
    assert_false(h.change.times.known);
    assert_true(h.change.steal_percent < 0);
    assert_int_equal(h.aslr, 2);
    assert_null(h.cpu_model);
    assert_int_equal(h.change.max_khz, 3000000);
    host_free(&h);

    char *name = xcalloc(1, 5000);
    memcpy(name, "model name : ", 13);
    memset(name + 13, 'x', 4000);
    put(*state, "/proc/cpuinfo", name);
    read_all(*state, 0, NULL, &h);
    assert_null(h.cpu_model);
    host_free(&h);
    free(name);
}

static void changes_are_counted(void **state)
{
    static const char *const later[] = {
        FREQ(0) "stats/time_in_state",
        "3000000 700\n2000000 100\n1000000 901\n",
        FREQ(1) "stats/time_in_state",
        "3000000 700\n2000000 100\n1000000 901\n",
        HEAT(0) "core_throttle_count",
        "5\n",
        HEAT(0) "package_throttle_count",
        "11\n",
        "/proc/loadavg",
        "1.50 1 1 1/2 3\n",
        "/proc/stat",
        "cpu0 190 0 10 1000 0 0 0 10 0 0\ncpu1 120 0 10 1500 0 0 0 0 0 0\n",
        NULL};
    struct host h;

    put_machine(*state);
    read_all(*state, 0, later, &h);
    assert_json(&h, "\"load_1min\":0.08,\"load_1min_end\":1.5,\"steal_percent\":10,"
                    "\"throttle_events\":3,\"time_in_state\":[[1000000,10],[3000000,2000]]}");
    host_free(&h);

    /* one policy counts once, and the busier of two says how often heat struck */
    put_machine(*state);
    read_all(*state, -1, later, &h);
    assert_string_equal(h.change.processors, "0-1");
    assert_json(&h, "\"throttle_events\":3,\"time_in_state\":[[1000000,10],[3000000,2000]]}");
    host_free(&h);
}

static void counters_that_run_backwards_are_unknown(void **state)
{
    static const char *const later[] = {FREQ(0) "stats/time_in_state",
                                        "3000000 500\n2000000 99\n1000000 900\n",
                                        HEAT(0) "core_throttle_count",
                                        "0\n",
                                        "/proc/stat",
                                        "cpu0 90 0 10 1000 0 0 0 0 0 0\n",
                                        NULL};
    struct host h;
    put_machine(*state);
    read_all(*state, 0, later, &h);
    assert_json(&h, "\"steal_percent\":null,\"throttle_events\":null,\"time_in_state\":null}");
    host_free(&h);
}

static void processor_taken_away(void **state)
{
    static const char *const later[] = {CPUS "/online", "0\n", NULL};
    struct host h;
    put_machine(*state);
    read_all(*state, 1, later, &h);
    assert_json(&h, "\"processors_used\":null,\"governor\":null,");
    assert_warnings(&h, "");
    host_free(&h);
}

static void governors(void **state)
{
    static const struct {
        const char *driver, *governor, *codes, *says;
    } rows[] = {
        {"acpi-cpufreq", "performance", "", NULL},
        {"acpi-cpufreq", "userspace", "", NULL},
        {"acpi-cpufreq", "schedutil", "governor", "'schedutil': the frequency follows the load"},
        {"acpi-cpufreq", "ondemand", "governor", "cpupower frequency-set -g performance"},
        {"acpi-cpufreq", "powersave", "governor", "stays at its lowest frequency"},
        {"intel_pstate", "powersave", "governor", "chooses its frequency itself"},
        {"amd-pstate-epp", "powersave", "governor", "chooses its frequency itself"},
        {"", "powersave", "governor", "stays at its lowest frequency"},
    };
    static const char *const changed[] = {FREQ(0) "scaling_governor", "ondemand\n", NULL};
    struct host h;

    put_machine(*state);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        put(*state, FREQ(0) "scaling_driver", rows[i].driver);
        put(*state, FREQ(0) "scaling_governor", rows[i].governor);
        check(*state, 0, NULL, rows[i].codes, rows[i].says);
    }
    /* the other processor's is of no concern, unless it may be used */
    check(*state, 1, NULL, "", NULL);
    check(*state, -1, NULL, "governor", "processor 0-1");
    /* some of the time is enough */
    put_machine(*state);
    read_all(*state, 0, changed, &h);
    assert_json(&h, "\"governor\":\"performance, ondemand\"");
    assert_warnings(&h, "governor");
    host_free(&h);
    /* nothing to choose from */
    put(*state, FREQ(0) "scaling_min_freq", "3000000\n");
    check(*state, 0, NULL, "", NULL);
}

static void limits(void **state)
{
    put_machine(*state);
    put(*state, FREQ(0) "scaling_max_freq", "2000000\n");
    check(*state, 0, NULL, "frequency-limit",
          "processor 0 may run at 2000 MHz at most, it could at 3000");
    check(*state, 1, NULL, "", NULL);
    put_machine(*state);
    put(*state, FREQ(0) "bios_limit", "1500000\n");
    check(*state, 0, NULL, "frequency-limit", "1500 MHz");
    put(*state, FREQ(0) "bios_limit", "3000000\n");
    put(*state, CPUS "/intel_pstate/max_perf_pct", "50\n");
    check(*state, 0, NULL, "frequency-limit", "1500 MHz");
    put(*state, CPUS "/intel_pstate/max_perf_pct", "100\n");
    check(*state, 0, NULL, "", NULL);
    /* who turns turbo off keeps the base frequency: no limit to complain of */
    put(*state, FREQ(0) "base_frequency", "2200000\n");
    put(*state, FREQ(0) "scaling_max_freq", "2200000\n");
    check(*state, 0, NULL, "", NULL);
    put(*state, FREQ(0) "scaling_max_freq", "2000000\n");
    check(*state, 0, NULL, "frequency-limit", "it could at 2200");
}

static void turbo(void **state)
{
    put_machine(*state);
    put(*state, CPUS "/cpufreq/boost", "1\n");
    check(*state, 0, NULL, "turbo", ": echo 0 > /sys/devices/system/cpu/cpufreq/boost");
    put(*state, CPUS "/intel_pstate/no_turbo", "1\n");
    check(*state, 0, NULL, "", NULL);
    put(*state, CPUS "/intel_pstate/no_turbo", "0\n");
    check(*state, 0, NULL, "turbo", ": echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo");
    /* out of reach */
    put(*state, FREQ(0) "base_frequency", "2200000\n");
    put(*state, FREQ(0) "scaling_max_freq", "2200000\n");
    check(*state, 0, NULL, "frequency-limit", NULL);
    /* a switch for each processor */
    put_machine(*state);
    put(*state, CPUS "/intel_pstate/no_turbo", "\n");
    put(*state, CPUS "/cpufreq/boost", "\n");
    put(*state, FREQ(1) "boost", "1\n");
    check(*state, 0, NULL, "", NULL);
    check(*state, 1, NULL, "turbo", "for steady speeds turn it off");
}

static void heat_and_load(void **state)
{
    static const char *const hot[] = {HEAT(1) "package_throttle_count", "12\n", NULL};
    put_machine(*state);
    check(*state, 1, hot, "throttled", "2 times");
    put(*state, "/proc/loadavg", "0.80 0 0 1/1 1\n");
    check(*state, 1, NULL, "", NULL);
    put(*state, "/proc/loadavg", "0.95 0 0 1/1 1\n");
    check(*state, 1, NULL, "load", "0.95 processes");
}

static void address_layout(void **state)
{
    put_machine(*state);
    put(*state, "/proc/sys/kernel/randomize_va_space", "1\n");
    check(*state, 0, NULL, "", NULL);
    put(*state, "/proc/sys/kernel/randomize_va_space", "0\n");
    check(*state, 0, NULL, "aslr-off", "kernel.randomize_va_space=2");
    put(*state, "/proc/sys/kernel/randomize_va_space", "2\n");
    put(*state, "/proc/self/personality", "00040000\n");
    check(*state, 0, NULL, "aslr-off", "setarch -R");
}

static void virtual_machine(void **state)
{
    static const char *const stolen[] = {
        "/proc/stat", "cpu0 190 0 10 1000 0 0 0 10 0 0\ncpu1 220 0 10 1000 0 0 0 1 0 0\n", NULL};
    struct host h;

    put(*state, "/proc/cpuinfo", "model name : V\nflags : fpu hypervisor lahf_lm\n");
    put(*state, "/proc/stat", "cpu0 100 0 10 1000 0 0 0 0 0 0\ncpu1 120 0 10 1000 0 0 0 0 0 0\n");
    read_all(*state, 0, stolen, &h);
    assert_string_equal(h.virtualisation, "hypervisor");
    assert_string_equal(h.change.processors, "0"); /* no list of those online: from stat */
    assert_warnings(&h, "stolen-time virtual-machine");
    assert_warning_says(&h, "10.0%");
    host_free(&h);

    put(*state, "/proc/stat", "cpu0 100 0 10 1000 0 0 0 0 0 0\ncpu1 120 0 10 1000 0 0 0 0 0 0\n");
    check(*state, 1, stolen, "virtual-machine", "remain good");
    /* with frequencies there is no reason to */
    put_machine(*state);
    put(*state, "/proc/cpuinfo", "model name : V\nflags : fpu hypervisor lahf_lm\n");
    put(*state, "/sys/class/dmi/id/sys_vendor", "Example Cloud\n");
    read_all(*state, 0, NULL, &h);
    assert_string_equal(h.virtualisation, "hypervisor (Example Cloud)");
    assert_warnings(&h, "");
    host_free(&h);
    /* processors without the flag */
    put(*state, "/proc/cpuinfo", "CPU implementer : 0x41\nCPU part : 0xd0c\n");
    host_read(*state, &h);
    assert_null(h.virtualisation);
    assert_string_equal(h.cpu_model, "implementer 0x41 part 0xd0c");
    host_free(&h);
    put(*state, "/sys/class/dmi/id/sys_vendor", "QEMU\n");
    host_read(*state, &h);
    assert_string_equal(h.virtualisation, "hypervisor (QEMU)");
    host_free(&h);
    put(*state, "/proc/device-tree/hypervisor/compatible", "linux,kvm");
    host_read(*state, &h);
    assert_string_equal(h.virtualisation, "linux,kvm");
    host_free(&h);
}

static void threads_of_a_core(void **state)
{
    struct host h;
    put_machine(*state);
    put(*state, CPUS "/smt/active", "");
    put(*state, CPUS "/cpu0/topology/thread_siblings_list", "0-1\n");
    host_read(*state, &h);
    assert_int_equal(h.smt, 1);
    host_free(&h);
    put(*state, CPUS "/cpu0/topology/thread_siblings_list", "0\n");
    host_read(*state, &h);
    assert_int_equal(h.smt, 0);
    host_free(&h);
}

/* Whatever it is like. */
static void this_machine(void **state)
{
    struct host h;
    (void)state;
    read_all("", -1, NULL, &h);
    assert_non_null(h.kernel);
    assert_non_null(h.machine);
    assert_true(h.cpus_online >= 1);
    char *text = json_of(&h);
    print_message("# %s\n", text);
    free(text);
    host_free(&h);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(facts_of_a_sound_machine),
        TEST(nothing_known_is_null),
        TEST(read_alone_is_written),
        TEST(absurd_contents_are_unknown),
        TEST(odd_lines_spoil_only_their_own),
        TEST(changes_are_counted),
        TEST(counters_that_run_backwards_are_unknown),
        TEST(processor_taken_away),
        TEST(governors),
        TEST(limits),
        TEST(turbo),
        TEST(heat_and_load),
        TEST(address_layout),
        TEST(virtual_machine),
        TEST(threads_of_a_core),
        TEST(this_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/*
 * QEMU TCG plugin: writes which translation blocks are executed between two addresses.
 *   -plugin count-N.so,fd=FD,begin=0xADDR,end=0xADDR
 *
 * Compiled without QEMU's headers, which no distribution's qemu-user package brings. Only functions
 * are used that exist in QEMU 7.2 up to 11 (include/qemu/qemu-plugin.h, from 11 on
 * include/plugins/qemu-plugin.h); their declarations are repeated here.
 */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "count.h"

#define EXPORT __attribute__((visibility("default")))

/*
 * The loader (plugins/loader.c) refuses what is not between QEMU_PLUGIN_MIN_VERSION (plugins/
 * plugin.h) and QEMU_PLUGIN_VERSION: 0 to 1 in QEMU 7.2 and 8.x, from 9.0 on 2 to 2 and more (3 in
 * 9.1, 4 in 9.2, 5 in 10.1, 6 and 7 in 11.x). One build for each row of plugin_apis
 * (src/counter.c).
 */
#ifndef COUNT_API
#error "COUNT_API is the plugin API version to declare"
#endif
EXPORT extern int qemu_plugin_version;
int qemu_plugin_version = COUNT_API;

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_info_t; /* its fields are not needed here */
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };

/*
 * Up to API version 6 the callback is called with (id, block), and registering takes no user data;
 * from 7 on it is called with (block, user data). Always given user data, which older versions
 * never look at, and in the callback told apart by it. In the calling conventions of all 64-bit
 * hosts both arguments are a register each.
 */
typedef void block_translated(uintptr_t, uintptr_t);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, block_translated *cb,
                                           void *userdata);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
                                          void (*cb)(unsigned vcpu, void *userdata),
                                          enum qemu_plugin_cb_flags flags, void *userdata);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);

typedef char an_id_is_a_register[sizeof(uintptr_t) == sizeof(qemu_plugin_id_t) ? 1 : -1];

#define RUNS_MAX (64u << 10)

static int out_fd = -1;
static uint64_t begin_address, end_address;
static int active; /* between marks */
static int over;   /* nothing more is written */
static uint32_t blocks;
static uint32_t runs[RUNS_MAX];
static size_t nruns;
static char user_data;

static void put(const void *p, size_t n)
{
    const char *at = p;

    while (n > 0 && !over) {
        ssize_t done = write(out_fd, at, n);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            over = 1;
            return;
        }
        at += done;
        n -= (size_t)done;
    }
}

static void put_head(enum count_tag tag, uint32_t n)
{
    struct count_head h = {tag, n};

    put(&h, sizeof h);
}

static void put_fault(enum count_fault what)
{
    put_head(COUNT_FAULT, what);
    over = 1;
}

static void put_runs(void)
{
    if (nruns == 0)
        return;
    put_head(COUNT_RUN, (uint32_t)nruns);
    put(runs, nruns * sizeof runs[0]);
    nruns = 0;
}

static void run(unsigned vcpu, void *number)
{
    if (!active)
        return;
    if (vcpu != 0)
        put_fault(COUNT_FAULT_THREAD);
    runs[nruns++] = (uint32_t)(uintptr_t)number;
    if (nruns == RUNS_MAX)
        put_runs();
}

static void run_begin(unsigned vcpu, void *number)
{
    put_runs();
    put_head(COUNT_BEGIN, 0);
    active = 1;
    run(vcpu, number);
}

static void run_end(unsigned vcpu, void *number)
{
    (void)vcpu;
    (void)number;
    put_runs();
    put_head(COUNT_END, 0);
    active = 0;
}

/* Told in one piece: a block can be translated while another thread executes. */
static int put_block(const struct qemu_plugin_tb *tb, size_t n)
{
    struct count_head h = {COUNT_BLOCK, (uint32_t)n};
    size_t bytes = sizeof h + n * sizeof(uint64_t);
    char *record = malloc(bytes);

    if (record == NULL)
        return -1;
    memcpy(record, &h, sizeof h);
    for (size_t i = 0; i < n; i++) {
        uint64_t address = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, i));

        memcpy(record + sizeof h + i * sizeof address, &address, sizeof address);
    }
    put(record, bytes);
    free(record);
    return 0;
}

static void translated(uintptr_t a, uintptr_t b)
{
    struct qemu_plugin_tb *tb = (struct qemu_plugin_tb *)(b == (uintptr_t)&user_data ? a : b);
    size_t n = qemu_plugin_tb_n_insns(tb);
    void (*cb)(unsigned, void *) = run;
    uint64_t start;

    if (n == 0 || over)
        return;
    if (put_block(tb, n) != 0) {
        put_fault(COUNT_FAULT_MEMORY);
        return;
    }
    start = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, 0));
    if (start == begin_address)
        cb = run_begin;
    else if (start == end_address)
        cb = run_end;
    qemu_plugin_register_vcpu_tb_exec_cb(tb, cb, QEMU_PLUGIN_CB_NO_REGS,
                                         (void *)(uintptr_t)blocks++);
}

static int option_read(const char *arg, const char *name, uint64_t *out)
{
    size_t n = strlen(name);
    char *end;

    if (strncmp(arg, name, n) != 0 || arg[n] != '=')
        return 0;
    errno = 0;
    *out = strtoull(arg + n + 1, &end, 0);
    return errno == 0 && end != arg + n + 1 && *end == '\0';
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int argc,
                               char **argv);
int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int argc, char **argv)
{
    uint64_t fd = UINT64_MAX;

    (void)info;
    for (int i = 0; i < argc; i++)
        if (!option_read(argv[i], "fd", &fd) && !option_read(argv[i], "begin", &begin_address) &&
            !option_read(argv[i], "end", &end_address))
            return -1;
    if (fd > 1 << 20 || begin_address == 0 || end_address == 0 || begin_address == end_address)
        return -1;
    out_fd = (int)fd;
    put_head(COUNT_HELLO, COUNT_FORMAT);
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated, &user_data);
    return over ? -1 : 0;
}

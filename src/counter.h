/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_COUNTER_H
#define CB_COUNTER_H

/*
 * Counts guest instructions under QEMU user-mode, exactly: one operation between marks in the
 * driver, by function. Two ways, with the same result to the instruction:
 *
 *   plugin  QEMU loads count-N.so (bench/qemu/), N being an API version that it accepts
 *   log     QEMU's execution log, read through a pipe, for one that cannot load plugins
 *
 * One QEMU process counts all operations of a build. What it writes is read by a thread of the
 * counter's while the caller waits for the driver's answer.
 *
 *   counter_choose(&setup, dir, COUNTER_AUTO, &choice, &e)    once for a QEMU and CPU model
 *   counter_start(&setup, &choice, &counter, &e)
 *   counter_check(counter, "aes-256-gcm", &e)                 before counting an algorithm
 *   counter_count(counter, &request, 0, &count, &e)           any number of times
 *   counter_close(counter)
 */
#include "driver.h"
#include "err.h"
#include "status.h"
#include "str.h"
#include "symbols.h"
#include "tally.h"

enum counter_kind { COUNTER_AUTO, COUNTER_PLUGIN, COUNTER_LOG };

const char *counter_kind_name(enum counter_kind k); /* "plugin", "log"; "auto" */
/* -1 when none has that name. */
int counter_kind_by_name(const char *name);

struct counter_setup {
    const struct list *prefix; /* QEMU and its options, without the driver */
    const struct list *env;    /* whole environment of the driver */
    const char *driver;        /* path of a static, position-dependent, unstripped ELF file */
    int timeout_ms;            /* longest wait for an answer */
};

struct counter_choice {
    enum counter_kind kind; /* never COUNTER_AUTO */
    char *plugin;           /* path; NULL for the log */
    char *reason;           /* why not the plugin, when the log was chosen for that; else NULL */
};

/*
 * Finds out by starting the setup's driver which way works. plugin_dir holds count-*.so;
 * NULL: there is none. wanted: COUNTER_AUTO prefers the plugin. STATUS_OK, or with a
 * reason in e: RUNNER_MISSING (QEMU is absent, has not the CPU model, or can do neither), or what
 * else kept the driver from answering.
 */
enum status counter_choose(const struct counter_setup *s, const char *plugin_dir,
                           enum counter_kind wanted, struct counter_choice *out, struct err *e);
void counter_choice_free(struct counter_choice *c);

struct counter; /* a running driver that is watched */

/* Starts QEMU. BAD_ANSWER when the driver's file is not fit for counting. */
enum status counter_start(const struct counter_setup *s, const struct counter_choice *c,
                          struct counter **out, struct err *e);
/* The driver, for driver_info, driver_alive, driver_stderr. Lives as long as the counter. */
struct driver *counter_driver(struct counter *c);
/* Its functions; names in counts are theirs. */
const struct symbols *counter_symbols(const struct counter *c);

/* driver_check, with the cause when QEMU ended because of what it wrote. */
enum status counter_check(struct counter *c, const char *alg, struct err *e);

/*
 * Counts one operation. Instructions between the marks with nothing between them are taken off.
 * want_trace: the order of blocks too. out is the caller's to free (count_free), with names that
 * live until counter_close. On any status but OK and UNSUPPORTED the process is gone
 * (driver_alive is 0): close and start another for further operations.
 */
enum status counter_count(struct counter *c, const struct count_request *r, int want_trace,
                          struct count *out, struct err *e);
/* NULL is fine. */
void counter_close(struct counter *c);

#endif

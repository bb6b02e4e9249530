/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_DRIVER_H
#define CB_DRIVER_H

/*
 * The host's side of the driver protocol (docs/protocol.md): one command a line, one
 * JSON object a line back. Nothing a driver does can hang or crash the caller: every request has a
 * deadline, a line is at most 4 MiB, and every answer is checked. The driver's stderr is kept (last
 * 64 KiB).
 */
#include <stdint.h>

#include "err.h"
#include "runner.h"
#include "sample.h"
#include "status.h"
#include "str.h"

struct driver; /* a running co-process */

struct driver_info {
    char *library;      /* OpenSSL_version(OPENSSL_VERSION) at run time */
    char *headers;      /* OPENSSL_VERSION_TEXT it was compiled with */
    char *build_flags;  /* OpenSSL_version(OPENSSL_CFLAGS) */
    char *capabilities; /* CPU capability mask as the library says it, "OPENSSL_armcap=0x1"; "" if
                           it does not */
    char *clock;        /* "CLOCK_MONOTONIC" */
    uint64_t clock_tick_ns; /* smallest step seen */
    int bits, big;
};

/* Every call below returns STATUS_OK, or the status for the cell with one useful line
 * in e. After TIMEOUT, DRIVER_DIED, ILLEGAL_INSTRUCTION or BAD_ANSWER the process is gone
 * (driver_alive is 0): close it and start another. */
enum status driver_start(const struct list *argv, const struct list *env, int timeout_ms,
                         struct driver **out, struct err *e);
/* The same; the child keeps these descriptors, -1-terminated, under their numbers. */
enum status driver_start_keeping(const struct list *argv, const struct list *env,
                                 const int *keep_fds, int timeout_ms, struct driver **out,
                                 struct err *e);
int driver_alive(const struct driver *d);
enum status driver_info(struct driver *d, struct driver_info *out, struct err *e);
void driver_info_free(struct driver_info *i);
/* Known-answer tests of an algorithm, both directions. */
enum status driver_check(struct driver *d, const char *alg, struct err *e);
/* Those with long additional data, on which no number depends. */
enum status driver_check_long(struct driver *d, const char *alg, struct err *e);

/* What counts the cycles of a driver. */
struct cycle_source {
    char *source; /* "perf_event", "tsc", "pmccntr", "rdhwr-cc" */
    double hz;    /* rate of its steps as measured; 0: not known (perf_event: the core's own) */
};
/* From then on driver_time() has cycles too. UNSUPPORTED: there is no counter, and e says why; the
 * driver goes on. */
enum status driver_cycles(struct driver *d, struct cycle_source *out, struct err *e);
void cycle_source_free(struct cycle_source *s);

struct time_request {
    const char *workload; /* "record/1" */
    const char *alg;
    const char *op; /* "encrypt" or "decrypt" */
    uint64_t bytes;
    uint64_t sample_ns; /* wanted length of one sample */
    uint64_t count;     /* samples wanted, >= 1 */
};
/* Appends to out. The host's clock bounds what it believes: the sum of the durations is at most
 * the wall time of the request; every duration and operation count is positive. Cycles are there
 * after driver_cycles(), for the samples that the driver has them of. */
enum status driver_time(struct driver *d, const struct time_request *r, struct samples *out,
                        struct err *e);

struct count_request {
    const char *workload; /* "record/1" */
    const char *alg;
    const char *op;
    uint64_t bytes;
};
struct json_doc;
/* Sends a command about one piece of work; on STATUS_OK doc is the answer, which was checked to be
 * about r: the caller closes it. */
enum status driver_work(struct driver *d, const char *command, const struct count_request *r,
                        struct json_doc **doc, struct err *e);
/* Ends the process at once: for one that answers but cannot be trusted any more. */
void driver_kill(struct driver *d);
/* Polite end ("quit"), then kill. NULL is fine. */
void driver_close(struct driver *d);
/* Last useful line the driver wrote to stderr, caller owns; "" if none. */
char *driver_stderr(const struct driver *d);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_STATUS_H
#define CB_STATUS_H

/* How a build or a cell ended. One table: name in the file, meaning, advice. */

enum status {
    STATUS_OK,
    STATUS_BUILD_FAILED,   /* compiler, assembler, Configure or link error */
    STATUS_SOURCE_MISSING, /* the library's sources could not be had */
    STATUS_COMPILER_MISSING,
    STATUS_RUNNER_MISSING,      /* QEMU or ssh absent, or without the CPU model */
    STATUS_WRONG_MACHINE,       /* the driver's ELF header is not the target's */
    STATUS_WRONG_LIBRARY,       /* the library at run time is not the one built */
    STATUS_ILLEGAL_INSTRUCTION, /* driver ended by SIGILL */
    STATUS_DRIVER_DIED,         /* any other signal, or an exit in mid-work */
    STATUS_TIMEOUT,             /* no answer in time */
    STATUS_BAD_ANSWER,          /* not the protocol */
    STATUS_BAD_CLOCK,           /* durations that cannot be true */
    STATUS_WRONG_ANSWER,        /* a known-answer test failed */
    STATUS_UNSUPPORTED,         /* the library does not offer the algorithm */
    STATUS_SKIPPED,             /* not asked for after all: interrupted, or excluded */
    STATUS_COUNT
};

const char *status_name(enum status s);    /* "build-failed" */
const char *status_summary(enum status s); /* one line for people */
/* -1 when no status has that name. */
int status_by_name(const char *name);

#endif

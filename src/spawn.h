/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_SPAWN_H
#define CB_SPAWN_H

/*
 * Child processes, by posix_spawn and argv arrays only. Contract: every child
 * is its own process group and is killed (group-wise) when the parent gives up
 * or is interrupted; descriptors other than 0, 1, 2 are not inherited (one
 * exception: `keep_fds`); SIGPIPE is default in the child; the environment is
 * what `env` says, else the parent's.
 */
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "err.h"
#include "str.h"

struct spawn {
    const struct list *argv;
    const struct list *env; /* whole environment, "K=V"; NULL: the parent's */
    const char *dir;        /* working directory; NULL: the parent's */
    const char *stdin_path; /* NULL: /dev/null */
    int out_fd;             /* stdout goes there; -1: /dev/null */
    int err_fd;             /* stderr likewise; equal to out_fd is fine */
    int in_fd;              /* >= 0: stdin from there, stdin_path ignored; else -1 */
    const int *keep_fds;    /* -1-terminated, or NULL: kept open under the same number */
};
#define SPAWN_INIT                                                                                 \
    {                                                                                              \
        0, 0, 0, 0, -1, -1, -1, 0                                                                  \
    }

/* How a child ended. */
struct spawn_end {
    int exited; /* 1: exit_code is set; 0: killed by signal */
    int exit_code;
    int signal;
    int timed_out; /* killed by us because the time was over */
};

/* Starts; pid on success. The error names the program, and when it is missing
 * says so. */
pid_t spawn_start(const struct spawn *s, struct err *e);
/* Waits up to timeout_ms (-1: for ever), kills the group on time-out (0, end->timed_out set) or
 * interrupt (-1, "interrupted"). */
int spawn_wait(pid_t pid, int timeout_ms, struct spawn_end *end, struct err *e);
/* 1: ended (end set), 0: still running. Never blocks. What the child left running in its group
 * is killed when it ends. */
int spawn_poll(pid_t pid, struct spawn_end *end);
/* SIGTERM, then SIGKILL after a short grace, to the group; reaps. */
void spawn_kill(pid_t pid);
/* SIGKILL to the groups of all children; async-signal-safe, reaps nothing. */
void spawn_kill_all(void);
/* 0 when exit code 0; otherwise -1 with what, and how it ended, in e. */
int spawn_check(const struct spawn_end *end, const char *what, struct err *e);

/* Runs to the end, with stdout in out and stderr in errout (either may be NULL:
 * dropped). A non-zero exit is an error that carries the last line of stderr. Of each
 * stream the first 64 MiB are kept. */
int spawn_output(const struct list *argv, const struct list *env, const char *dir, int timeout_ms,
                 struct str *out, struct str *errout, struct err *e);

/* Interrupts: install once in main. SIGINT, SIGTERM and SIGHUP set a flag; a
 * second one kills all children and ends the process at once. */
void interrupt_install(void);
int interrupt_pending(void); /* the signal's number, or 0 */
/* After cleaning up: ends the process by that signal, as shells expect. */
void interrupt_reraise(void);

/* Monotonic clock of the host, nanoseconds. */
uint64_t now_ns(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_RUNNER_H
#define CB_RUNNER_H

/*
 * A runner is an argv prefix: how a driver is started.
 *
 *   auto         native when the target is this machine's, else qemu
 *   native       nothing
 *   qemu         the target's qemu-user program with -cpu MODEL
 *   ssh:HOST     copies the driver to HOST (ssh, BatchMode) and starts it there
 *   exec:WORDS   WORDS, split at spaces, then the driver's path (wrappers, simulators, tests)
 */
#include "build.h"
#include "err.h"
#include "status.h"
#include "str.h"
#include "target.h"

enum runner_kind { RUNNER_NATIVE, RUNNER_QEMU, RUNNER_SSH, RUNNER_EXEC };

struct runner {
    enum runner_kind kind;
    char *name;            /* as in results: "native", "qemu", "ssh:root@router", "exec:..." */
    const struct cpu *cpu; /* NULL when native, ssh: whatever the machine is */
    int emulated;          /* its times are an emulator's */
    struct list prefix;    /* argv before the driver; for ssh, before the remote command */
    struct list env;       /* whole environment for the child */
    char *version;         /* first line of what the program says of itself; NULL for native */
    char *host;            /* ssh only */
};

/* word as above; cpu_name: NULL for the target's default model. On native and ssh a
 * CPU model's environment is still applied when cpu_name is given, QEMU's -cpu is not.
 * When it cannot be had: -1 with *status set (RUNNER_MISSING) and e saying how to install it; a
 * word that is no runner is a usage error. */
int runner_find(const char *word, const struct target *t, const char *cpu_name, struct runner *out,
                enum status *status, struct err *e);
void runner_free(struct runner *r);
/* Checks the form of a --runner word only. */
int runner_check_word(const char *word, struct err *e);
/* argv to start the driver of b, with whatever is needed done (ssh: copied, once a process). */
int runner_argv(const struct runner *r, const struct build *b, struct list *argv, struct err *e);
/* Removes what runner_argv left on devices. */
void runner_cleanup(void);

#endif

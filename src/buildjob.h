/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_BUILDJOB_H
#define CB_BUILDJOB_H

/*
 * One build on its way: a row of steps, each a child process at most, that are moved on by polling.
 * All work is done in CACHE/tmp/KEY under the lock of KEY; what is finished goes to its
 * place by rename.
 */
#include <stdint.h>
#include <sys/types.h>

#include "build.h"
#include "buildrecord.h"
#include "file.h"
#include "jobserver.h"

/* What the builds of one run share. */
struct build_shared {
    const char *cache;
    const char *bench; /* directory of the driver's sources */
    struct jobserver jobserver;
    const struct build_watch *watch;
    /* What source_fetch() gives of a library, owned by the callee; NULL on error. */
    const char *(*archive)(void *arg, const struct library *l, struct err *e);
    void *arg;
};

struct buildjob {
    struct build *build;
    struct build_shared *shared;
    int nth; /* as told to the watch */
    int lock;
    char *work;            /* CACHE/tmp/KEY */
    struct list env;       /* of every child but for MAKEFLAGS */
    const char *phase_key; /* of what is being made: the library, then the driver */
    char *log;             /* path */
    int log_fd;
    int64_t log_step; /* where the current step's output starts in the log */
    int64_t log_seen; /* how far it was read for progress */
    size_t step;      /* index into the row of steps */
    int need_library; /* 0: it is in the cache, only the driver is made */
    pid_t pid;        /* of the running command, 0: none */
    char *command;    /* its name, for messages */
    size_t compiled, to_compile;
    uint64_t started_ns, compile_ns;
    struct archive_record record;
    struct stack_use stack;
    char *library_dir; /* holds or leads to include/ and libcrypto.a */
};

/* Starts a build whose lock is held: takes the lock over. Nothing is started when the build
 * turns out to be cached by now (`fresh` says to ignore that). */
struct buildjob *buildjob_start(struct build *b, struct build_shared *shared, int lock, int fresh,
                                int nth);
/* Moves it on; 1 when it is over, with the status of the build set. */
int buildjob_poll(struct buildjob *j);
/* Ends the command that runs, if one does. */
void buildjob_kill(struct buildjob *j);
/* That, removes the work directory, gives the lock back. */
void buildjob_free(struct buildjob *j);

/* For the steps: */

/* Starts argv in dir (below work), output to the log. make: joined to the jobserver. out: file
 * (below work) for its stdout, or NULL. */
int buildjob_command(struct buildjob *j, const char *dir, const struct list *argv, int make,
                     const char *out, struct err *e);
/* Opens a new log for the making of key. */
int buildjob_log(struct buildjob *j, const char *key, const char *name, struct err *e);
/* What the current step wrote to the log, caller owns. */
char *buildjob_output(const struct buildjob *j);
/* work/name, caller owns. */
char *buildjob_path(const struct buildjob *j, const char *name);
/* Puts a finished directory (below work) to CACHE/kind/key, in place of what was there. */
int buildjob_store(struct buildjob *j, const char *name, const char *kind, const char *key,
                   struct err *e);

/* A row of steps. start and done return 0 or -1; start may find that there is nothing to run. done
 * (may be NULL) is called when the command ended well, or with `failed` set when it did not
 * and may_fail is set. */
struct build_step {
    const char *name;
    int may_fail;
    int (*start)(struct buildjob *j, struct err *e);
    int (*done)(struct buildjob *j, int failed, struct err *e);
};
extern const struct build_step library_steps[]; /* buildsteps.c; ends with name NULL */
extern const struct build_step prefix_steps[];
extern const struct build_step linuxaes_steps[]; /* linuxaes.c */
extern const struct build_step driver_steps[];   /* driverlink.c */
/* The last step of all libraries. */
int library_store(struct buildjob *j, struct err *e);

/* Adds what the driver is made with to a hash: a change of it makes another driver. */
int driver_hash(struct hash *h, const char *bench, struct err *e);
/* The same for what is compiled with the kernel's files, see linuxaes.c. */
int linuxaes_hash(struct hash *h, struct err *e);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_BUILD_H
#define CB_BUILD_H

/*
 * Builds: library x compiler x config x target, through the cache. A build appears in
 * the cache by rename, under a lock; a failed one keeps its log.
 *
 *   CACHE/sources/SHA256/ARCHIVE       verified archives
 *   CACHE/builds/KEY/                  libcrypto.a include/ build.json stack.json build.log
 *   CACHE/drivers/KEY/                 driver driver.json build.log
 *   CACHE/failed/KEY/                  build.log
 *   CACHE/locks/KEY.lock               flock; CACHE/tmp/KEY work in progress
 */
#include "compiler.h"
#include "config.h"
#include "err.h"
#include "library.h"
#include "size.h"
#include "stack.h"
#include "status.h"
#include "str.h"
#include "target.h"

/* What was found out about a finished build, from its log and files. */
struct build_facts {
    char *version_text; /* OPENSSL_VERSION_TEXT of its headers */
    char *configure;    /* Configure target used; NULL for a prefix */
    char *flags; /* flags of a typical C compile line, paths and -I/-D module noise left out */
    char *optimisation; /* effective level, e.g. "-Os"; "mixed: -O2 -O3" if files differ; "" if
                           none; NULL if unknown (prefix) */
    int optimisation_repeated; /* more than one -O on some compile line */
    struct list asm_modules;   /* base names of assembly sources compiled, sorted */
    int have_asm_modules;
    struct list linker_warnings; /* of the driver's link, beyond the known static-glibc ones */
    struct library_sizes sizes;
    double build_seconds; /* wall time of the library build when it was made */
};

struct build {
    const struct library *library;
    const struct compiler *compiler; /* NULL when missing: status says so */
    const struct config *config;
    const struct target *target;
    char *cc_word;
    char *id; /* "LIBRARY/CC/CONFIG/TARGET", unique within a run; key of cells */

    enum status status; /* STATUS_OK once the driver is there and is what it should be */
    char *reason;       /* first useful line of the cause; NULL when ok */
    char *log;          /* path of the kept log; NULL when ok */

    char key[65]; /* of the library build */
    char driver_key[65];
    char *driver; /* path of the driver, in the cache */
    char driver_sha256[65];
    struct elf_id driver_elf;
    int was_cached; /* 1: nothing was built */
    struct build_facts facts;
    struct stack_use stack;      /* by build_details() */
    struct object_sizes objects; /* likewise; none when they cannot be read */
};

/* Fills id and keys; no work. The four parts must outlive the build. */
int build_init(struct build *b, const struct library *l, const struct compiler *cc,
               const char *cc_word, const struct config *c, const struct target *t, struct err *e);
void build_free(struct build *b);
/* 1 when library and driver are in the cache already. */
int build_is_cached(const struct build *b);
/* Of a build whose status is ok: stack use and objects, from the cache. What cannot be had is left
 * out, stack use with its reason. */
void build_details(struct build *b);

/* How builds tell of their progress: one call per event, from one thread. */
struct build_watch {
    void (*start)(void *arg, const struct build *b, int nth, int total);
    void (*step)(void *arg, const struct build *b,
                 const char *what); /* "configure", "compile 120/900" ... */
    void (*end)(void *arg, const struct build *b, int nth, int total, double seconds);
    void (*note)(void *arg, const char *text); /* fetching and the like */
    void (*tick)(void *arg);                   /* several times a second while waiting */
    void *arg;
};

/* Makes all builds, side by side on `jobs` processors (shared through a make jobserver).
 * Sets status of each; one failing does not stop the others. -1 only when the
 * cache itself cannot be used, or interrupted. `rebuild`: ignore what is cached. */
int build_all(struct build *const *b, size_t n, int jobs, int rebuild, const struct build_watch *w,
              struct err *e);

#endif

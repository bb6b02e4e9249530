/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_PROCESSOR_H
#define CB_PROCESSOR_H

/*
 * The one processor that all drivers of a lane share (--pin).
 *
 *   auto      the quietest that this process may use
 *   none      wherever the kernel puts them
 *   NUMBER    that one
 */
#include <sched.h>

#include "cpulist.h"
#include "err.h"

/* A word that is none of these, or a processor that this process may not use, is a usage error
 * that lists those it may. */
int pin_check_word(const char *word, struct err *e);

/* The processor that word means now; *cpu is -1 for none, and where the kernel does not tell which
 * may be used. For auto it takes PROCESSOR_WINDOW_MS to look at the machine. Errors as above. */
enum { PROCESSOR_WINDOW_MS = 50 };
int processor_pick(const char *word, int *cpu, struct err *e);

/* The choice of auto, from two texts of /proc/stat (NULL: none): of the allowed processors the one
 * that was busy least, together with those that share its core; the highest number where several
 * are equal. core[i] names the core of processor i, -1: unknown; it has CPU_SETSIZE elements.
 * Returns -1 when none is allowed. */
int processor_quietest(const char *first, const char *second, const cpu_set_t *allowed,
                       const int *core);

/* Keeps this process, and those it starts from now on, on cpu; *before gets what it could use so
 * far. Returns -1, with nothing changed, when the kernel refuses; cpu -1 changes nothing. */
int processor_apply(int cpu, cpu_set_t *before);
/* Takes back what processor_apply did, whether it worked or not. */
void processor_restore(const cpu_set_t *before);

#endif

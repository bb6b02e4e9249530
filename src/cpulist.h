/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_CPULIST_H
#define CB_CPULIST_H

/* Sets of processors as the kernel writes them ("0-3,6"), and their times in /proc/stat.
 * Processors from CPU_SETSIZE (1024) on are left out. */
#include <sched.h>
#include <stdint.h>

/* 0, or -1 when text is no such list; an empty one is none. */
int cpulist_parse(const char *text, cpu_set_t *out);
/* Caller owns; "" for an empty set. */
char *cpulist_text(const cpu_set_t *set);

/* What one processor did since the machine was started, in ticks of 1/100 s. */
struct cpu_ticks {
    int known;      /* it has a sound line */
    int have_steal; /* the kernel tells steal */
    uint64_t busy;  /* all but idle, waiting for disks and steal */
    uint64_t idle;
    uint64_t steal; /* ready to run, but the hypervisor ran something else */
};

/* Times of all processors in the text of /proc/stat (NULL: none), CPU_SETSIZE of them by number.
 * Caller owns. */
struct cpu_ticks *cpu_ticks_parse(const char *text);

#endif

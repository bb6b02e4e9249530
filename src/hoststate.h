/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_HOSTSTATE_H
#define CB_HOSTSTATE_H

/*
 * What the machine's processors are set to and have counted so far, read before and after a
 * measurement, and what lies between the two. root as in sysfile.h.
 */
#include <sched.h>
#include <stdint.h>

#include "cpulist.h"
#include "str.h"

/* Time at one frequency. */
struct frequency_time {
    uint64_t khz, ms;
};
struct frequency_times {
    struct frequency_time *v; /* by frequency, lowest first in a change */
    size_t n;
    int known;
};

/* cpufreq of one processor, and its counters. Frequencies are 0, strings NULL when unknown. */
struct processor_state {
    int cpu;
    int policy;                /* lowest processor that shares its frequency */
    char *governor;            /* "performance", "schedutil", ... */
    char *driver;              /* "acpi-cpufreq", "intel_pstate", ... */
    uint64_t min_khz, max_khz; /* limits in force */
    uint64_t hardware_khz;     /* highest that the hardware has */
    uint64_t base_khz;         /* highest without turbo */
    int boost;                 /* its own turbo switch: 0, 1; -1 unknown */
    int64_t throttled;         /* times that heat slowed its core or package down; -1 unknown */
    struct cpu_ticks ticks;
    struct frequency_times times;
};

struct host_state {
    struct processor_state *processors; /* those online, by number */
    size_t n;
    int turbo;              /* the machine's switch: 0, 1; -1 unknown */
    const char *turbo_file; /* where it is; NULL: none */
    double load_1min;       /* < 0 unknown */
};
void host_state_read(const char *root, struct host_state *out);
void host_state_free(struct host_state *s);
/* Processes running or waiting, over the last minute; < 0 unknown. */
double host_load_1min(const char *root);

/* Figures are about the processors used; HOST_CHANGE_INIT where none is known. */
struct host_change {
    char *processors;                        /* kernel list; NULL: nothing was watched */
    struct list governors;                   /* each once */
    char *driver;                            /* of the first */
    uint64_t min_khz, max_khz, hardware_khz; /* widest limits among them; 0 unknown */
    int fixed;                               /* limits leave one frequency */
    int limited;                     /* a processor below what it could do, plus one; 0: none */
    uint64_t limited_khz, could_khz; /* of that one */
    int turbo;                       /* 0, 1; -1 unknown */
    int turbo_barred;                /* limits keep all of them from using it */
    const char *turbo_file;          /* NULL: no switch for the whole machine */
    double load_1min_end;            /* < 0 unknown */
    double steal_percent;            /* of the time that they had something to do; < 0 unknown */
    int64_t throttled;               /* by the one that saw most; -1 unknown */
    struct frequency_times times;    /* summed; frequencies that took no time are left out */
};
#define HOST_CHANGE_INIT                                                                           \
    {                                                                                              \
        .turbo = -1, .load_1min_end = -1, .steal_percent = -1, .throttled = -1                     \
    }
/* used NULL: all processors. out is set anew. */
void host_change_make(const struct host_state *before, const struct host_state *after,
                      const cpu_set_t *used, struct host_change *out);
void host_change_free(struct host_change *c);

#endif

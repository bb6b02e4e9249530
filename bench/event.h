/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_EVENT_H
#define CB_EVENT_H

/* A counter of the processor as the kernel gives it (perf_event): of this thread, user mode only.
 */
#include <stddef.h>
#include <stdint.h>

enum event { EVENT_INSTRUCTIONS, EVENT_CYCLES };

struct event_reading {
    uint64_t count;
    /* Since the event was made, in ns: the thread ran with the event on, and the event really was
     * on a counter. They drift apart when more events than counters are wanted. */
    uint64_t enabled_ns, running_ns;
};

/* A descriptor, to be closed; the event stands still. -1: there is none, and why (n bytes) is the
 * kernel's answer and what can be done about it, in one line. */
int event_open(enum event which, char *why, size_t n);
void event_start(int fd);
void event_stop(int fd);
/* Sets the count to 0; the times go on. */
void event_reset(int fd);
/* All zero when it cannot be read. */
void event_read(int fd, struct event_reading *out);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_COUNTER_SOURCE_H
#define CB_COUNTER_SOURCE_H

/* Readers of what QEMU tells of a running driver: bytes in, blocks and marks into a tally. */
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "tally.h"

struct counter_marks {
    uint64_t begin, end; /* addresses */
};

struct counter_source {
    void *(*open)(struct tally *t, const struct counter_marks *m);
    /* Takes any piece of the stream. After an error nothing more may be fed. */
    int (*feed)(void *self, const char *bytes, size_t n, struct err *e);
    /* The stream is at its end: an error when it was cut off. */
    int (*finish)(void *self, struct err *e);
    /* 1 once anything arrived that shows that QEMU does what it was asked for. */
    int (*is_started)(const void *self);
    void (*close)(void *self);
};

extern const struct counter_source counter_plugin; /* records of bench/qemu/count.c */
extern const struct counter_source counter_log;    /* text of -d op,exec,nochain */

#endif

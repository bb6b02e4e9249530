/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_INSNS_H
#define CB_INSNS_H

/*
 * Instruction counts of cells, and where they go. Guest instructions of exactly one operation,
 * from counter.h; the same on every machine.
 */
#include <stddef.h>
#include <stdint.h>

struct insns_function {
    char *name; /* owned */
    uint64_t insns;
};

/* Of one cell. Zeroed: not counted. */
struct insns {
    int counted;
    char *reason;                     /* why not, when it was asked for; NULL otherwise */
    uint64_t per_op;                  /* guest instructions of one operation */
    uint64_t overhead;                /* of the marks, taken off already */
    struct insns_function *functions; /* most first, at most INSNS_FUNCTIONS */
    size_t nfunctions;
    uint64_t rest; /* instructions in further functions */
};

/* Functions kept a cell: more than one operation of the libraries tried goes through. */
enum { INSNS_FUNCTIONS = 64 };

void insns_free(struct insns *i);

struct lane;
struct measure_settings;
struct measure_watch;

/*
 * Counts all cells of a lane that are to be counted (lane->metrics), one QEMU process a build.
 * Sets lane->counter to how ("qemu-plugin", "qemu-log"). A cell that cannot be counted gets the
 * reason; where counting is all that was asked for, the status too. plugin_dir: where count-*.so
 * are, or NULL. -1 only when interrupted.
 */
int insns_lane(struct lane *l, const struct measure_settings *s, const char *plugin_dir,
               const struct measure_watch *w, size_t *done, size_t total);

/*
 * A straight line through (block size, instructions) by least squares: per_message is its
 * intercept, per_byte its slope. -1 with fewer than two different sizes.
 */
struct line_fit {
    double per_message, per_byte;
    size_t n;
};
int line_fit(const uint64_t *bytes, const uint64_t *insns, size_t n, struct line_fit *out);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_PROGRESS_H
#define CB_PROGRESS_H

/*
 * Progress on standard error: what is being done, n of m, elapsed, estimate. On a
 * terminal one line is kept up to date; elsewhere whole lines, sparingly. Nothing when quiet.
 */
#include <stddef.h>
#include <stdint.h>

struct progress {
    int quiet, terminal;
    uint64_t started; /* now_ns() */
    uint64_t last;    /* of the last update of the live line */
    int live;         /* a live line stands on the terminal */
    int columns;
    /* builds under way, for the live line */
    int done, total;
    double spent; /* seconds that finished builds took, summed */
    int made;
    char *step;
    int first_sample_said;
};

void progress_start(struct progress *p, int quiet);
void progress_end(struct progress *p);
/* A line that stays. */
void progress_line(struct progress *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The line that is overwritten; at most 10 a second, only on a terminal. */
void progress_live(struct progress *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
double progress_elapsed(const struct progress *p);
/* "12 s", "3 min 05 s"; caller owns. */
char *duration_text(double seconds);

/* The watches of builds and measurements that print through a struct progress. */
struct build_watch;
struct measure_watch;
struct build_watch progress_build_watch(struct progress *p);
struct measure_watch progress_measure_watch(struct progress *p);

#endif

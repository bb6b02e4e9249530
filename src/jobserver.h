/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_JOBSERVER_H
#define CB_JOBSERVER_H

/*
 * The GNU make jobserver: a pipe that holds one byte for every processor that is free. All
 * builds, and all makes within them, take from the same pipe, so that together they use as
 * many processors as they may and no more.
 */
#include "err.h"

struct jobserver {
    int fds[3]; /* read end, write end, -1: as spawn's keep_fds wants it */
    int own;    /* another opening of the read end, for jobserver_take() */
    int jobs;
};

int jobserver_open(struct jobserver *j, int jobs, struct err *e);
void jobserver_close(struct jobserver *j);
/* 1: a token was taken, for one process; 0: none is free. */
int jobserver_take(struct jobserver *j);
void jobserver_give(struct jobserver *j);
/* All tokens are back: a killed make takes its own with it. Only while nothing runs. */
void jobserver_refill(struct jobserver *j);
/* "MAKEFLAGS=..." for a make's environment, caller owns. */
char *jobserver_makeflags(const struct jobserver *j);

#endif

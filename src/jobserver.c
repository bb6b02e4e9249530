/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "jobserver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mem.h"

static const char TOKEN = '+'; /* the byte GNU make itself uses */

int jobserver_open(struct jobserver *j, int jobs, struct err *e)
{
    *j = (struct jobserver){{-1, -1, -1}, -1, jobs < 1 ? 1 : jobs};
    if (pipe2(j->fds, O_CLOEXEC) != 0)
        return err_set(e, "no pipe for the jobserver: %s", strerror(errno));
    /* GNU make before 4.3 fails on a read that does not block, and we must never block: the
     * read end is opened once more, as O_NONBLOCK belongs to an opening, not to a pipe. */
    char *again = xasprintf("/proc/self/fd/%d", j->fds[0]);
    j->own = open(again, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (j->own < 0)
        err_set(e, "cannot open '%s' for the jobserver: %s", again, strerror(errno));
    free(again);
    if (j->own < 0) {
        jobserver_close(j);
        return -1;
    }
    jobserver_refill(j);
    return 0;
}

void jobserver_close(struct jobserver *j)
{
    const int all[] = {j->fds[0], j->fds[1], j->own};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] >= 0)
            close(all[i]);
    j->fds[0] = j->fds[1] = j->own = -1;
}

int jobserver_take(struct jobserver *j)
{
    char token;
    return read(j->own, &token, 1) == 1;
}

void jobserver_give(struct jobserver *j)
{
    ssize_t done;
    do
        done = write(j->fds[1], &TOKEN, 1);
    while (done < 0 && errno == EINTR);
}

void jobserver_refill(struct jobserver *j)
{
    while (jobserver_take(j))
        ;
    for (int i = 0; i < j->jobs; i++)
        jobserver_give(j);
}

char *jobserver_makeflags(const struct jobserver *j)
{
    return xasprintf("MAKEFLAGS= -j%d --jobserver-auth=%d,%d", j->jobs, j->fds[0], j->fds[1]);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "perf.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WARM_OPS 4

/* perf_event_open has no wrapper in any libc, and syscall() is not POSIX, so unistd.h hides it. */
long syscall(long number, ...);

static int perf_open(struct fail *f)
{
    struct perf_event_attr a;
    long fd;

    memset(&a, 0, sizeof a);
    a.size = sizeof a;
    a.type = PERF_TYPE_HARDWARE;
    a.config = PERF_COUNT_HW_INSTRUCTIONS;
    a.disabled = 1;
    a.exclude_kernel = 1;
    a.exclude_hv = 1;
    fd = syscall(SYS_perf_event_open, &a, 0, -1, -1, 0);
    if (fd < 0)
        fail_set(f, FAIL_UNSUPPORTED,
                 "no instruction counter on this machine: perf_event_open: %s%s", strerror(errno),
                 errno == EACCES || errno == EPERM
                     ? " (see /proc/sys/kernel/perf_event_paranoid; 2 or less is enough)"
                     : "");
    return (int)fd;
}

/* Instructions of n operations; -1 in *count when it cannot be read. */
static int perf_once(int fd, struct op *o, uint64_t n, uint64_t *count)
{
    int failed = 0;

    ioctl(fd, PERF_EVENT_IOC_RESET, 0);
    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    if (n)
        failed = o->run(o, n);
    ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
    if (read(fd, count, sizeof *count) != (ssize_t)sizeof *count)
        *count = 0;
    return failed;
}

int perf_run(const struct workload *w, const struct cipher *c, int encrypt, size_t bytes,
             uint64_t insns[PERF_RUNS], uint64_t empty[PERF_RUNS], struct fail *f)
{
    static struct op o;
    int fd, failed, rc = -1;

    fd = perf_open(f);
    if (fd < 0)
        return -1;
    if (op_open(&o, w, c, encrypt, bytes, f) != 0)
        goto close_fd;
    if (op_rewind(&o, f) != 0)
        goto close_op;
    failed = o.run(&o, WARM_OPS);
    for (int i = 0; i < PERF_RUNS && !failed; i++) {
        (void)perf_once(fd, &o, 0, &empty[i]);
        failed = perf_once(fd, &o, 1, &insns[i]);
        if (!failed && insns[i] <= empty[i]) {
            fail_set(f, FAIL_UNSUPPORTED,
                     "the instruction counter does not count: %llu for an operation, %llu for none",
                     (unsigned long long)insns[i], (unsigned long long)empty[i]);
            goto close_op;
        }
    }
    rc = failed ? op_explain(&o, failed, f) : 0;
close_op:
    op_close(&o);
close_fd:
    close(fd);
    return rc;
}

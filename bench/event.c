/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "event.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* perf_event_open has no wrapper in any libc, and syscall() is not POSIX, so unistd.h hides it. */
long syscall(long number, ...);

static const uint64_t configs[] = {
    [EVENT_INSTRUCTIONS] = PERF_COUNT_HW_INSTRUCTIONS,
    [EVENT_CYCLES] = PERF_COUNT_HW_CPU_CYCLES,
};

static const struct {
    int error;
    const char *hint;
} hints[] = {
    {EACCES, " (see /proc/sys/kernel/perf_event_paranoid; 2 or less is enough)"},
    {EPERM, " (see /proc/sys/kernel/perf_event_paranoid; 2 or less is enough)"},
    {ENOENT, " (no such counter here: virtual machines often have none)"},
    {EOPNOTSUPP, " (no such counter here: virtual machines often have none)"},
    {ENOSYS, " (a kernel without perf_event, or an emulator)"},
};

static const char *hint_for(int error)
{
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++)
        if (hints[i].error == error)
            return hints[i].hint;
    return "";
}

int event_open(enum event which, char *why, size_t n)
{
    struct perf_event_attr a;
    long fd;

    memset(&a, 0, sizeof a);
    a.size = sizeof a;
    a.type = PERF_TYPE_HARDWARE;
    a.config = configs[which];
    a.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    a.disabled = 1;
    a.exclude_kernel = 1;
    a.exclude_hv = 1;
    fd = syscall(SYS_perf_event_open, &a, 0, -1, -1, 0);
    if (fd < 0) {
        int error = errno;

        snprintf(why, n, "perf_event_open: %s%s", strerror(error), hint_for(error));
        return -1;
    }
    return (int)fd;
}

void event_start(int fd)
{
    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
}

void event_stop(int fd)
{
    ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
}

void event_reset(int fd)
{
    ioctl(fd, PERF_EVENT_IOC_RESET, 0);
}

void event_read(int fd, struct event_reading *out)
{
    /* As the kernel lays it out for this read_format. */
    uint64_t raw[3] = {0, 0, 0};

    if (read(fd, raw, sizeof raw) != (ssize_t)sizeof raw)
        memset(raw, 0, sizeof raw);
    out->count = raw[0];
    out->enabled_ns = raw[1];
    out->running_ns = raw[2];
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "perf.h"

#include <unistd.h>

#include "event.h"

#define WARM_OPS 4

/* Instructions of n operations; 0 in *count when it cannot be read. */
static int perf_once(int fd, struct op *o, uint64_t n, uint64_t *count)
{
    struct event_reading r;
    int failed = 0;

    event_reset(fd);
    event_start(fd);
    if (n)
        failed = o->run(o, n);
    event_stop(fd);
    event_read(fd, &r);
    *count = r.count;
    return failed;
}

int perf_run(const struct workload *w, const struct cipher *c, int encrypt, size_t bytes,
             uint64_t insns[PERF_RUNS], uint64_t empty[PERF_RUNS], struct fail *f)
{
    static struct op o;
    char why[256];
    int fd, failed, rc = -1;

    fd = event_open(EVENT_INSTRUCTIONS, why, sizeof why);
    if (fd < 0)
        return fail_set(f, FAIL_UNSUPPORTED, "no instruction counter on this machine: %s", why);
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

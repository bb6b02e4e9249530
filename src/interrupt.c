/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "spawn.h"

#include <signal.h>

static volatile sig_atomic_t pending;
static uint64_t
    pending_since; /* written before any second signal can be handled: handlers block each other */

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof signals / sizeof signals[0] };

/* Ends the process by sig, whatever is caught or blocked. Async-signal-safe. */
static void die_by(int sig)
{
    struct sigaction sa = {.sa_handler = SIG_DFL};
    sigset_t set;

    sigemptyset(&sa.sa_mask);
    sigaction(sig, &sa, NULL);
    sigemptyset(&set);
    sigaddset(&set, sig);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(sig);
}

/* One interrupt can come twice: timeout(1) signals the process and then its group. A second one
 * only means "at once" when a person had the time to send it. */
#define REPEAT_NS 500000000u

static void on_signal(int sig)
{
    uint64_t now = now_ns();

    if (!pending) {
        pending = sig;
        pending_since = now;
    } else if (now - pending_since > REPEAT_NS) {
        spawn_kill_all();
        die_by(sig);
    }
}

void interrupt_install(void)
{
    struct sigaction sa = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    struct sigaction old;

    /* One handler at a time, so that "first" and "second" are well defined. */
    sigemptyset(&sa.sa_mask);
    for (size_t i = 0; i < SIGNALS; i++)
        sigaddset(&sa.sa_mask, signals[i]);
    for (size_t i = 0; i < SIGNALS; i++) {
        /* Ignored from the start (nohup, a shell's background job): left so. */
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN)
            continue;
        sigaction(signals[i], &sa, NULL);
    }
}

int interrupt_pending(void)
{
    return (int)pending;
}

void interrupt_reraise(void)
{
    if (pending)
        die_by((int)pending);
}

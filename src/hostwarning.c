/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "hostwarning.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "mem.h"

/* Load per processor. With half of them busy, cores of two threads have no idle one left, and a
 * driver shares its core whatever processor it is on. The average creeps up to that in minutes. */
static const double LOAD_MAX = 0.4;
/* Lost time falls on a few samples, and the median of all bears that; not much more than this. */
static const double STEAL_MAX = 2; /* per cent */

/* First row that fits; NULL fits any. */
static const struct {
    const char *driver; /* how its name begins */
    const char *governor;
    const char *effect; /* NULL: no doubt */
} governors[] = {
    {NULL, "performance", NULL},
    {NULL, "userspace", NULL}, /* one frequency, set by hand */
    {"intel_pstate", "powersave",
     "the processor chooses its frequency itself and reaches the highest only after some "
     "milliseconds of work"},
    {"amd-pstate", "powersave",
     "the processor chooses its frequency itself and reaches the highest only after some "
     "milliseconds of work"},
    {NULL, "powersave", "the processor stays at its lowest frequency"},
    {NULL, NULL, "the frequency follows the load and changes during the run"},
};

static const char *governor_effect(const char *driver, const char *governor)
{
    size_t i = 0;

    while ((governors[i].driver &&
            (!driver || strncmp(driver, governors[i].driver, strlen(governors[i].driver)) != 0)) ||
           (governors[i].governor && strcmp(governor, governors[i].governor) != 0))
        i++;
    return governors[i].effect;
}

static void warn_governor(const struct host *h, struct list *w)
{
    const struct host_change *c = &h->change;

    for (size_t i = 0; i < c->governors.n && !c->fixed; i++) {
        const char *effect = governor_effect(c->driver, c->governors.v[i]);
        if (!effect)
            continue;
        list_addf(w,
                  "governor: the governor of processor %s is '%s': %s; set it with: cpupower "
                  "frequency-set -g performance",
                  c->processors, c->governors.v[i], effect);
        return;
    }
}

static void warn_limit(const struct host *h, struct list *w)
{
    const struct host_change *c = &h->change;

    if (c->limited)
        list_addf(w,
                  "frequency-limit: processor %d may run at %" PRIu64 " MHz at most, it could at "
                  "%" PRIu64 ": speeds are those of the lower clock; compare with runs under the "
                  "same limit only, or lift it with: cpupower frequency-set -u %" PRIu64 "MHz "
                  "(or in the firmware)",
                  c->limited - 1, c->limited_khz / 1000, c->could_khz / 1000, c->could_khz / 1000);
}

static void warn_turbo(const struct host *h, struct list *w)
{
    const struct host_change *c = &h->change;

    if (c->turbo != 1 || c->turbo_barred)
        return;
    char *how = c->turbo_file
                    ? xasprintf(": echo %d > %s", !strcmp(path_base(c->turbo_file), "no_turbo"),
                                c->turbo_file)
                    : xstrdup("");
    list_addf(w,
              "turbo: turbo is on: the frequency depends on heat and on what other cores do; "
              "changes between builds, measured in turn, are hardly touched; for steady speeds "
              "turn it off%s",
              how);
    free(how);
}

static void warn_throttled(const struct host *h, struct list *w)
{
    if (h->change.throttled > 0)
        list_addf(w,
                  "throttled: heat slowed the processor down %" PRId64 " times during the run: "
                  "speeds are too low; cool it better, or limit the frequency to what it can "
                  "hold (cpupower frequency-set -u), and repeat",
                  h->change.throttled);
}

static void warn_aslr(const struct host *h, struct list *w)
{
    if (h->aslr == 0)
        list_addf(w, "aslr-off: addresses are not randomised: all starts of a driver have one "
                     "memory layout, which may suit one build by chance; turn it on with: sysctl "
                     "kernel.randomize_va_space=2 (and without setarch -R)");
}

static void warn_load(const struct host *h, struct list *w)
{
    if (h->load_1min > LOAD_MAX * h->cpus_online)
        list_addf(w,
                  "load: %.2f processes were at work on %d processor%s when the run began: they "
                  "take time, caches and shared cores from it; stop them and repeat, or go by "
                  "the changes between builds, not by the speeds",
                  h->load_1min, h->cpus_online, h->cpus_online == 1 ? "" : "s");
}

static void warn_steal(const struct host *h, struct list *w)
{
    if (h->change.steal_percent > STEAL_MAX)
        list_addf(w,
                  "stolen-time: the hypervisor gave %.1f%% of the time to others: samples that "
                  "met it are too long; repeat with more --time, or on a machine of its own",
                  h->change.steal_percent);
}

static void warn_virtual(const struct host *h, struct list *w)
{
    if (h->virtualisation && !h->change.governors.n && !h->change.max_khz)
        list_addf(w, "virtual-machine: this machine is virtual and does not tell its frequency, "
                     "which can change without notice: changes between builds, measured in turn, "
                     "remain good; take speeds from hardware");
}

void host_warnings(const struct host *h, struct list *warnings)
{
    static void (*const all[])(const struct host *, struct list *) = {
        warn_governor, warn_limit, warn_turbo, warn_throttled,
        warn_aslr,     warn_load,  warn_steal, warn_virtual,
    };

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        all[i](h, warnings);
}

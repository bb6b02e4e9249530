/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "processor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mem.h"
#include "number.h"
#include "sysfile.h"

/* Lowest processor of each core: the same number twice is one core with two threads. */
static void cores_read(const char *root, const cpu_set_t *cpus, int *core)
{
    for (size_t i = 0; i < CPU_SETSIZE; i++)
        core[i] = -1;
    for (size_t i = 0; i < CPU_SETSIZE; i++) {
        cpu_set_t threads;
        if (!CPU_ISSET(i, cpus) || core[i] >= 0)
            continue;
        char *text =
            sysfile_text(root, "/sys/devices/system/cpu/cpu%zu/topology/thread_siblings_list", i);
        if (text && !cpulist_parse(text, &threads) && CPU_ISSET(i, &threads))
            /* Those that this process may not use count too: others may. */
            for (size_t k = 0; k < CPU_SETSIZE; k++)
                if (CPU_ISSET(k, &threads))
                    core[k] = (int)i;
        free(text);
    }
}

/* Ticks that cpu was not idle between the two: for us, time taken by the hypervisor is as bad as
 * time taken by others. */
static uint64_t taken(const struct cpu_ticks *first, const struct cpu_ticks *second)
{
    uint64_t before = first->busy + first->steal, after = second->busy + second->steal;

    if (!first->known || !second->known || after < before)
        return 0;
    return after - before;
}

int processor_quietest(const char *first, const char *second, const cpu_set_t *allowed,
                       const int *core)
{
    struct cpu_ticks *a = cpu_ticks_parse(first), *b = cpu_ticks_parse(second);
    uint64_t least = UINT64_MAX;
    int best = -1, seen = 0;

    for (size_t i = CPU_SETSIZE; i-- > 0;) {
        uint64_t sum = taken(&a[i], &b[i]);
        if (!CPU_ISSET(i, allowed))
            continue;
        for (size_t k = 0; core[i] >= 0 && k < CPU_SETSIZE; k++)
            if (k != i && core[k] == core[i])
                sum += taken(&a[k], &b[k]);
        /* One of which nothing is known is only for want of another. */
        int known = a[i].known && b[i].known;
        if (known > seen || (known == seen && sum < least)) {
            best = (int)i;
            least = sum;
            seen = known;
        }
    }
    free(a);
    free(b);
    return best;
}

static int quietest_now(const char *root, const cpu_set_t *allowed)
{
    const struct timespec window = {0, PROCESSOR_WINDOW_MS * 1000000L};
    int *core = xcalloc(CPU_SETSIZE, sizeof *core);

    cores_read(root, allowed, core);
    char *first = sysfile_text(root, "/proc/stat");
    nanosleep(&window, NULL);
    char *second = sysfile_text(root, "/proc/stat");
    int cpu = processor_quietest(first, second, allowed, core);
    free(first);
    free(second);
    free(core);
    return cpu;
}

/* Processors set apart by the kernel's isolcpus= are in no process's set until it asks, and are
 * what one sets apart for measuring. */
static int is_isolated(int cpu)
{
    cpu_set_t isolated, before;
    char *text = sysfile_text("", "/sys/devices/system/cpu/isolated");
    int is = text && !cpulist_parse(text, &isolated) && CPU_ISSET((size_t)cpu, &isolated) &&
             !processor_apply(cpu, &before);

    if (is)
        processor_restore(&before);
    free(text);
    return is;
}

static int number_pick(const char *word, int *cpu, struct err *e)
{
    cpu_set_t allowed;
    uint64_t n;

    if (sched_getaffinity(0, sizeof allowed, &allowed))
        return err_set(e, "--pin '%s': the kernel does not tell which processors may be used: %s",
                       word, strerror(errno));
    char *list = cpulist_text(&allowed);
    int rc = 0;
    if (number_u64(word, &n))
        rc = err_usage(e, "--pin '%s': expected auto, none or the number of a processor (%s)", word,
                       list);
    else if (n < CPU_SETSIZE && (CPU_ISSET((size_t)n, &allowed) || is_isolated((int)n)))
        *cpu = (int)n;
    else
        rc = err_usage(e,
                       "--pin '%s': this process may not use that processor; give one of %s, or "
                       "auto or none",
                       word, list);
    free(list);
    return rc;
}

int pin_check_word(const char *word, struct err *e)
{
    int cpu;

    return !strcmp(word, "auto") || !strcmp(word, "none") ? 0 : number_pick(word, &cpu, e);
}

int processor_pick(const char *word, int *cpu, struct err *e)
{
    cpu_set_t allowed;

    *cpu = -1;
    if (!strcmp(word, "none"))
        return 0;
    if (strcmp(word, "auto") != 0)
        return number_pick(word, cpu, e);
    if (!sched_getaffinity(0, sizeof allowed, &allowed))
        *cpu = quietest_now("", &allowed);
    return 0;
}

int processor_apply(int cpu, cpu_set_t *before)
{
    cpu_set_t one;

    CPU_ZERO(before);
    if (cpu < 0)
        return 0;
    if (sched_getaffinity(0, sizeof *before, before)) {
        CPU_ZERO(before);
        return -1;
    }
    CPU_ZERO(&one);
    CPU_SET((size_t)cpu, &one);
    if (!sched_setaffinity(0, sizeof one, &one))
        return 0;
    CPU_ZERO(before);
    return -1;
}

void processor_restore(const cpu_set_t *before)
{
    if (CPU_COUNT(before))
        sched_setaffinity(0, sizeof *before, before);
}

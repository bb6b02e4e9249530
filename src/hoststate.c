/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "hoststate.h"

#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "number.h"
#include "sysfile.h"

#define CPU_DIR "/sys/devices/system/cpu"

enum {
    KHZ_MAX = 100000000,     /* 100 GHz: above is no frequency */
    PROCESSES_MAX = 1 << 22, /* the kernel has no more numbers for them */
    MS_PER_USER_TICK = 10,   /* cpufreq counts in units of 10 ms on every architecture */
};

static const struct {
    const char *file;
    uint64_t on;
} turbo_switches[] = {
    {CPU_DIR "/intel_pstate/no_turbo", 0},
    {CPU_DIR "/cpufreq/boost", 1},
};

static uint64_t khz_read(const char *root, int cpu, const char *name)
{
    uint64_t v = 0;

    sysfile_u64(root, KHZ_MAX, &v, CPU_DIR "/cpu%d/cpufreq/%s", cpu, name);
    return v;
}

/* The lowest of the limits that are known. */
static uint64_t max_khz_read(const char *root, const struct processor_state *p)
{
    uint64_t max = khz_read(root, p->cpu, "scaling_max_freq"), percent;
    uint64_t bios = khz_read(root, p->cpu, "bios_limit");

    if (!max)
        max = p->hardware_khz;
    if (bios && bios < max)
        max = bios;
    /* intel_pstate's own limit does not show in scaling_max_freq */
    if (!sysfile_u64(root, 100, &percent, CPU_DIR "/intel_pstate/max_perf_pct") && percent &&
        p->hardware_khz && p->hardware_khz * percent / 100 < max)
        max = p->hardware_khz * percent / 100;
    return max;
}

/* Lines of "KHZ TICKS"; one that is not spoils all. */
static void times_parse(const char *text, struct frequency_times *out)
{
    struct list lines = LIST_INIT;

    list_split(&lines, text, '\n');
    out->v = xcalloc(lines.n, sizeof *out->v);
    out->known = 1;
    for (size_t i = 0; i < lines.n && out->known; i++) {
        char *khz = lines.v[i], *ticks = strchr(khz, ' ');
        struct frequency_time *t = &out->v[i];
        if (ticks)
            *ticks++ = '\0';
        if (!ticks || number_u64(khz, &t->khz) || !t->khz || t->khz > KHZ_MAX ||
            number_u64(ticks, &t->ms) || t->ms > UINT64_MAX / MS_PER_USER_TICK)
            out->known = 0;
        else
            t->ms *= MS_PER_USER_TICK;
        out->n = i + 1;
    }
    if (!out->known)
        out->n = 0;
    list_free(&lines);
}

static int64_t throttled_read(const char *root, int cpu)
{
    static const char *const names[] = {"core_throttle_count", "package_throttle_count"};
    int64_t sum = -1;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        uint64_t n;
        if (!sysfile_u64(root, INT64_MAX / 2, &n, CPU_DIR "/cpu%d/thermal_throttle/%s", cpu,
                         names[i]))
            sum = (sum < 0 ? 0 : sum) + (int64_t)n;
    }
    return sum;
}

static void processor_read(const char *root, int cpu, struct processor_state *p)
{
    uint64_t v;

    *p = (struct processor_state){.cpu = cpu, .policy = cpu, .boost = -1};
    p->governor = sysfile_word(root, CPU_DIR "/cpu%d/cpufreq/scaling_governor", cpu);
    p->driver = sysfile_word(root, CPU_DIR "/cpu%d/cpufreq/scaling_driver", cpu);
    p->min_khz = khz_read(root, cpu, "scaling_min_freq");
    p->hardware_khz = khz_read(root, cpu, "cpuinfo_max_freq");
    p->base_khz = khz_read(root, cpu, "base_frequency");
    p->max_khz = max_khz_read(root, p);
    if (!sysfile_u64(root, 1, &v, CPU_DIR "/cpu%d/cpufreq/boost", cpu))
        p->boost = (int)v;
    p->throttled = throttled_read(root, cpu);

    char *times = sysfile_text(root, CPU_DIR "/cpu%d/cpufreq/stats/time_in_state", cpu);
    if (times)
        times_parse(times, &p->times);
    free(times);
    char *shared = sysfile_text(root, CPU_DIR "/cpu%d/cpufreq/related_cpus", cpu);
    if (shared) {
        shared[strcspn(shared, " ")] = '\0';
        if (!number_u64(shared, &v) && v < CPU_SETSIZE)
            p->policy = (int)v;
    }
    free(shared);
}

double host_load_1min(const char *root)
{
    char *text = sysfile_text(root, "/proc/loadavg");
    double load;

    if (text)
        text[strcspn(text, " ")] = '\0';
    if (!text || number_double(text, &load) || load > PROCESSES_MAX)
        load = -1;
    free(text);
    return load;
}

void host_state_read(const char *root, struct host_state *out)
{
    char *online = sysfile_text(root, CPU_DIR "/online");
    char *stat = sysfile_text(root, "/proc/stat");
    struct cpu_ticks *ticks = cpu_ticks_parse(stat);
    cpu_set_t cpus;

    *out = (struct host_state){.turbo = -1, .load_1min = host_load_1min(root)};
    if (!online || cpulist_parse(online, &cpus)) {
        CPU_ZERO(&cpus);
        for (size_t i = 0; i < CPU_SETSIZE; i++)
            if (ticks[i].known)
                CPU_SET(i, &cpus);
    }
    out->processors = xcalloc((size_t)CPU_COUNT(&cpus) + 1, sizeof *out->processors);
    for (size_t i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &cpus)) {
            processor_read(root, (int)i, &out->processors[out->n]);
            out->processors[out->n++].ticks = ticks[i];
        }
    for (size_t i = 0; i < sizeof turbo_switches / sizeof turbo_switches[0] && out->turbo < 0;
         i++) {
        uint64_t v;
        if (sysfile_u64(root, 1, &v, "%s", turbo_switches[i].file))
            continue;
        out->turbo = v == turbo_switches[i].on;
        out->turbo_file = turbo_switches[i].file;
    }
    free(ticks);
    free(stat);
    free(online);
}

void host_state_free(struct host_state *s)
{
    for (size_t i = 0; i < s->n; i++) {
        free(s->processors[i].governor);
        free(s->processors[i].driver);
        free(s->processors[i].times.v);
    }
    free(s->processors);
    *s = (struct host_state){0};
}

static const struct processor_state *processor_find(const struct host_state *s, int cpu)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->processors[i].cpu == cpu)
            return &s->processors[i];
    return NULL;
}

static uint64_t lower_known(uint64_t a, uint64_t b)
{
    return !a || (b && b < a) ? b : a;
}

/* Both ends count: a limit or governor that was in force for some of the time was in force. */
static void add_frequency(struct host_change *c, const struct processor_state *a,
                          const struct processor_state *b)
{
    const struct processor_state *ends[] = {a, b};
    uint64_t max = lower_known(a->max_khz, b->max_khz), min = lower_known(a->min_khz, b->min_khz);
    uint64_t hardware = a->hardware_khz > b->hardware_khz ? a->hardware_khz : b->hardware_khz;
    uint64_t could = c->turbo == 0 ? lower_known(a->base_khz, hardware) : hardware;

    for (size_t i = 0; i < 2; i++)
        if (ends[i]->governor && !list_has(&c->governors, ends[i]->governor))
            list_add(&c->governors, ends[i]->governor);
    if (!c->driver)
        c->driver = xstrdup(a->driver);
    c->min_khz = lower_known(c->min_khz, min);
    c->max_khz = max > c->max_khz ? max : c->max_khz;
    c->hardware_khz = hardware > c->hardware_khz ? hardware : c->hardware_khz;
    if (!min || min != a->max_khz || a->min_khz != b->min_khz || a->max_khz != b->max_khz)
        c->fixed = 0;
    if (!a->base_khz || !max || max > a->base_khz)
        c->turbo_barred = 0;
    if (!c->limited && max && max < could) {
        c->limited = a->cpu + 1;
        c->limited_khz = max;
        c->could_khz = could;
    }
}

static void add_throttled(struct host_change *c, const struct processor_state *a,
                          const struct processor_state *b)
{
    if (a->throttled < 0 || b->throttled < a->throttled)
        return; /* unknown, or the processor was taken away and came back */
    if (b->throttled - a->throttled > c->throttled)
        c->throttled = b->throttled - a->throttled;
}

static void time_add(struct frequency_times *t, uint64_t khz, uint64_t ms)
{
    size_t i = 0;

    while (i < t->n && t->v[i].khz < khz)
        i++;
    if (i == t->n || t->v[i].khz != khz) {
        t->v = xreallocarray(t->v, t->n + 1, sizeof *t->v);
        memmove(&t->v[i + 1], &t->v[i], (t->n - i) * sizeof *t->v);
        t->v[i] = (struct frequency_time){khz, 0};
        t->n++;
    }
    t->v[i].ms += ms;
}

static void add_times(struct host_change *c, const struct frequency_times *a,
                      const struct frequency_times *b)
{
    if (!a->known || !b->known || a->n != b->n)
        return;
    for (size_t i = 0; i < a->n; i++)
        if (a->v[i].khz != b->v[i].khz || b->v[i].ms < a->v[i].ms)
            return; /* counters were reset, or it is another table now */
    c->times.known = 1;
    for (size_t i = 0; i < a->n; i++)
        if (b->v[i].ms > a->v[i].ms)
            time_add(&c->times, a->v[i].khz, b->v[i].ms - a->v[i].ms);
}

/* 1 when steal and busy time between the two are known, added to the sums. */
static int add_ticks(const struct cpu_ticks *a, const struct cpu_ticks *b, uint64_t *busy,
                     uint64_t *steal)
{
    if (!a->known || !b->known || !a->have_steal || !b->have_steal || b->busy < a->busy ||
        b->steal < a->steal)
        return 0;
    *busy += b->busy - a->busy;
    *steal += b->steal - a->steal;
    return 1;
}

static int turbo_of(const struct host_state *s, const struct processor_state *p)
{
    return s->turbo >= 0 ? s->turbo : p->boost;
}

static int greater(int a, int b)
{
    return a > b ? a : b;
}

void host_change_make(const struct host_state *before, const struct host_state *after,
                      const cpu_set_t *used, struct host_change *out)
{
    uint64_t busy = 0, steal = 0;
    int have_ticks = 0;
    cpu_set_t cpus, policies;

    *out = (struct host_change)HOST_CHANGE_INIT;
    out->load_1min_end = after->load_1min;
    out->turbo_file = after->turbo_file;
    CPU_ZERO(&cpus);
    CPU_ZERO(&policies);
    /* first what the limits are judged by */
    for (size_t i = 0; i < before->n; i++) {
        const struct processor_state *a = &before->processors[i];
        const struct processor_state *b = processor_find(after, a->cpu);
        if (!b || (used && !CPU_ISSET((size_t)a->cpu, used)))
            continue;
        CPU_SET((size_t)a->cpu, &cpus);
        out->turbo = greater(out->turbo, greater(turbo_of(before, a), turbo_of(after, b)));
    }
    out->fixed = out->turbo_barred = CPU_COUNT(&cpus) > 0;
    for (size_t i = 0; i < before->n; i++) {
        const struct processor_state *a = &before->processors[i];
        if (!CPU_ISSET((size_t)a->cpu, &cpus))
            continue;
        const struct processor_state *b = processor_find(after, a->cpu);
        add_frequency(out, a, b);
        add_throttled(out, a, b);
        have_ticks |= add_ticks(&a->ticks, &b->ticks, &busy, &steal);
        if (!CPU_ISSET((size_t)a->policy, &policies))
            add_times(out, &a->times, &b->times);
        CPU_SET((size_t)a->policy, &policies);
    }
    if (have_ticks && busy + steal)
        out->steal_percent = 100 * (double)steal / (double)(busy + steal);
    if (CPU_COUNT(&cpus))
        out->processors = cpulist_text(&cpus);
}

void host_change_free(struct host_change *c)
{
    free(c->processors);
    list_free(&c->governors);
    free(c->driver);
    free(c->times.v);
    *c = (struct host_change)HOST_CHANGE_INIT;
}

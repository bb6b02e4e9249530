/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "mem.h"
#include "str.h"
#include "sysfile.h"

enum { FACT_MAX = 200 }; /* bytes; a longer name of a thing is none */

/* Value of the first "key<spaces>sep value" line; quotes taken off; NULL when there is none. */
static char *line_value(const char *text, const char *key, char sep)
{
    size_t n = strlen(key);
    for (const char *p = text; p && *p; p = strchr(p, '\n'), p = p ? p + 1 : NULL) {
        if (strncmp(p, key, n))
            continue;
        const char *v = p + n;
        v += strspn(v, " \t");
        if (*v != sep)
            continue;
        v += 1 + strspn(v + 1, " \t\"");
        n = strcspn(v, "\"\n");
        return n ? xstrndup(v, n) : NULL;
    }
    return NULL;
}

/* A name for people; takes text over. */
static char *fact(char *text)
{
    if (text && strlen(text) <= FACT_MAX)
        return text;
    free(text);
    return NULL;
}

static char *cpu_model(const char *cpuinfo)
{
    static const char *const keys[] = {"model name", "cpu model", "Model", "Processor", "Hardware"};
    char *v = NULL;
    for (size_t i = 0; !v && i < sizeof keys / sizeof keys[0]; i++)
        v = fact(line_value(cpuinfo, keys[i], ':'));
    if (!v) {
        /* arm64 kernels give numbers only */
        char *who = line_value(cpuinfo, "CPU implementer", ':');
        char *part = line_value(cpuinfo, "CPU part", ':');
        if (who && part)
            v = fact(xasprintf("implementer %s part %s", who, part));
        free(who);
        free(part);
    }
    return v;
}

/* Firmware that only virtual machines have, for processors without x86's flag. */
static int is_virtual_vendor(const char *vendor, const char *product)
{
    static const char *const vendors[] = {"QEMU", "VMware", "Xen", "Parallels", "innotek"};
    static const char *const products[] = {"KVM", "Virtual Machine", "VirtualBox",
                                           "Google Compute Engine"};
    for (size_t i = 0; vendor && i < sizeof vendors / sizeof vendors[0]; i++)
        if (!strncmp(vendor, vendors[i], strlen(vendors[i])))
            return 1;
    for (size_t i = 0; product && i < sizeof products / sizeof products[0]; i++)
        if (strstr(product, products[i]))
            return 1;
    return 0;
}

static char *virtualisation(const char *root, const char *cpuinfo)
{
    char *flags = line_value(cpuinfo, "flags", ':');
    char *vendor = fact(sysfile_text(root, "/sys/class/dmi/id/sys_vendor"));
    char *product = fact(sysfile_text(root, "/sys/class/dmi/id/product_name"));
    char *v = sysfile_word(root, "/sys/hypervisor/type");
    /* several words, each with a NUL: the first is it */
    if (!v)
        v = fact(sysfile_text(root, "/proc/device-tree/hypervisor/compatible"));
    if (!v && (flags ? strstr(flags, " hypervisor") != NULL : is_virtual_vendor(vendor, product)))
        v = vendor ? xasprintf("hypervisor (%s)", vendor) : xstrdup("hypervisor");
    free(flags);
    free(vendor);
    free(product);
    return v;
}

static int aslr(const char *root)
{
    uint64_t v;
    char *text = sysfile_text(root, "/proc/self/personality"), *end = NULL;
    /* setarch --addr-no-randomize; what we start inherits it */
    int off = text && strtoul(text, &end, 16) & ADDR_NO_RANDOMIZE && !*end;

    free(text);
    if (sysfile_u64(root, 2, &v, "/proc/sys/kernel/randomize_va_space"))
        return off ? 0 : -1;
    return off ? 0 : (int)v;
}

/* Older kernels have no smt/active. */
static int smt(const char *root, const cpu_set_t *online)
{
    uint64_t v;
    int result = -1;

    if (!sysfile_u64(root, 1, &v, "/sys/devices/system/cpu/smt/active"))
        return (int)v;
    for (size_t i = 0; i < CPU_SETSIZE && result < 1; i++) {
        cpu_set_t threads;
        if (!CPU_ISSET(i, online))
            continue;
        char *text =
            sysfile_text(root, "/sys/devices/system/cpu/cpu%zu/topology/thread_siblings_list", i);
        if (text && !cpulist_parse(text, &threads))
            result = CPU_COUNT(&threads) > 1;
        free(text);
    }
    return result;
}

static int online_read(const char *root, cpu_set_t *out)
{
    char *text = sysfile_text(root, "/sys/devices/system/cpu/online");
    long n = sysconf(_SC_NPROCESSORS_ONLN);

    if (text && !cpulist_parse(text, out) && CPU_COUNT(out))
        n = CPU_COUNT(out);
    else
        CPU_ZERO(out);
    free(text);
    return n < 1 ? 1 : (int)n;
}

void host_read(const char *root, struct host *out)
{
    struct utsname u;
    char *release = sysfile_text(root, "/etc/os-release");
    char *cpuinfo = sysfile_text(root, "/proc/cpuinfo");
    cpu_set_t online;

    *out = (struct host){.change = HOST_CHANGE_INIT};
    if (!uname(&u)) {
        out->kernel = xasprintf("%s %s", u.sysname, u.release);
        out->machine = xstrdup(u.machine);
    }
    out->os = fact(line_value(release, "PRETTY_NAME", '='));
    out->cpu_model = cpu_model(cpuinfo);
    out->cpus_online = online_read(root, &online);
    out->virtualisation = virtualisation(root, cpuinfo);
    out->aslr = aslr(root);
    out->smt = smt(root, &online);
    out->load_1min = host_load_1min(root);
    free(release);
    free(cpuinfo);
}

void host_free(struct host *h)
{
    free(h->os);
    free(h->kernel);
    free(h->machine);
    free(h->cpu_model);
    free(h->virtualisation);
    host_change_free(&h->change);
    *h = (struct host){0};
}

/* Unknown, which is below zero, becomes null. */
static void add_number(struct json *o, const char *key, double v)
{
    if (v < 0)
        json_add_null(o, key);
    else
        json_add_double(o, key, v);
}

static void add_count(struct json *o, const char *key, int64_t v)
{
    if (v < 0)
        json_add_null(o, key);
    else
        json_add_i64(o, key, v);
}

static void add_switch(struct json *o, const char *key, int v)
{
    if (v < 0)
        json_add_null(o, key);
    else
        json_add_bool(o, key, v);
}

static void add_khz(struct json *o, const char *key, uint64_t khz)
{
    if (khz)
        json_add_u64(o, key, khz);
    else
        json_add_null(o, key);
}

static void add_times(struct json *o, const struct frequency_times *t)
{
    if (!t->known) {
        json_add_null(o, "time_in_state");
        return;
    }
    struct json *all = json_add_array(o, "time_in_state");
    for (size_t i = 0; i < t->n; i++) {
        struct json *pair = json_add_array(all, NULL);
        json_add_u64(pair, NULL, t->v[i].khz);
        json_add_u64(pair, NULL, t->v[i].ms);
    }
}

void host_to_json(const struct host *h, struct json *parent)
{
    const struct host_change *c = &h->change;
    char *governors = c->governors.n ? list_join(&c->governors, ", ") : NULL;
    struct json *o = json_add_object(parent, "host");
    json_add_str(o, "os", h->os);
    json_add_str(o, "kernel", h->kernel);
    json_add_str(o, "machine", h->machine);
    json_add_str(o, "cpu_model", h->cpu_model);
    json_add_u64(o, "cpus_online", (uint64_t)h->cpus_online);
    add_switch(o, "smt", h->smt);
    json_add_str(o, "virtualisation", h->virtualisation);
    add_count(o, "aslr", h->aslr);
    json_add_str(o, "processors_used", c->processors);
    json_add_str(o, "governor", governors);
    add_khz(o, "frequency_min_khz", c->min_khz);
    add_khz(o, "frequency_max_khz", c->max_khz);
    add_khz(o, "frequency_hardware_max_khz", c->hardware_khz);
    add_switch(o, "turbo", c->turbo);
    add_number(o, "load_1min", h->load_1min);
    add_number(o, "load_1min_end", c->load_1min_end);
    add_number(o, "steal_percent", c->steal_percent);
    add_count(o, "throttle_events", c->throttled);
    add_times(o, &c->times);
    free(governors);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "err.h"
#include "file.h"
#include "host.h"
#include "mem.h"
#include "number.h"
#include "str.h"

/* Small files of /proc and /sys; NULL when not there. */
static char *text_of(const char *path)
{
    struct str s = STR_INIT;
    struct err e = ERR_INIT;
    if (file_read(path, 1 << 22, &s, &e)) {
        err_clear(&e);
        str_free(&s);
        return NULL;
    }
    str_trim(&s);
    return str_take(&s);
}

/* Value of the first "key<spaces>sep value" line; quotes taken off. */
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
        return xstrndup(v, strcspn(v, "\"\n"));
    }
    return NULL;
}

static char *cpu_model(void)
{
    static const char *const keys[] = {"model name", "cpu model", "Model", "Processor", "Hardware"};
    char *text = text_of("/proc/cpuinfo"), *v = NULL;
    for (size_t i = 0; text && !v && i < sizeof keys / sizeof keys[0]; i++)
        v = line_value(text, keys[i], ':');
    if (!v && text) {
        /* arm64 kernels give numbers only */
        char *who = line_value(text, "CPU implementer", ':');
        char *part = line_value(text, "CPU part", ':');
        if (who && part)
            v = xasprintf("implementer %s part %s", who, part);
        free(who);
        free(part);
    }
    free(text);
    return v;
}

static char *virtualisation(void)
{
    char *info = text_of("/proc/cpuinfo"), *v = NULL;
    char *flags = info ? line_value(info, "flags", ':') : NULL;
    char *vendor = text_of("/sys/class/dmi/id/sys_vendor");
    char *type = text_of("/sys/hypervisor/type");
    if (type)
        v = xstrdup(type);
    else if (flags && strstr(flags, " hypervisor"))
        v = vendor ? xasprintf("hypervisor (%s)", vendor) : xstrdup("hypervisor");
    free(info);
    free(flags);
    free(vendor);
    free(type);
    return v;
}

void host_read(struct host *out)
{
    struct utsname u;
    char *release = text_of("/etc/os-release"), *load = text_of("/proc/loadavg");
    long n = sysconf(_SC_NPROCESSORS_ONLN);

    *out = (struct host){.load_1min = -1, .cpus_online = n < 1 ? 1 : (int)n};
    if (!uname(&u)) {
        out->kernel = xasprintf("%s %s", u.sysname, u.release);
        out->machine = xstrdup(u.machine);
    }
    if (release)
        out->os = line_value(release, "PRETTY_NAME", '=');
    out->cpu_model = cpu_model();
    out->governor = text_of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    out->virtualisation = virtualisation();
    if (load) {
        load[strcspn(load, " ")] = 0;
        if (number_double(load, &out->load_1min))
            out->load_1min = -1;
    }
    free(release);
    free(load);
}

void host_free(struct host *h)
{
    free(h->os);
    free(h->kernel);
    free(h->machine);
    free(h->cpu_model);
    free(h->governor);
    free(h->virtualisation);
    *h = (struct host){0};
}

void host_to_json(const struct host *h, struct json *parent)
{
    struct json *o = json_add_object(parent, "host");
    json_add_str(o, "os", h->os);
    json_add_str(o, "kernel", h->kernel);
    json_add_str(o, "machine", h->machine);
    json_add_str(o, "cpu_model", h->cpu_model);
    json_add_u64(o, "cpus_online", (uint64_t)h->cpus_online);
    json_add_str(o, "governor", h->governor);
    json_add_str(o, "virtualisation", h->virtualisation);
    if (h->load_1min < 0)
        json_add_null(o, "load_1min");
    else
        json_add_double(o, "load_1min", h->load_1min);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_HOST_H
#define CB_HOST_H

/* Facts about the machine that measures. Strings are NULL when unknown. */
#include <stdint.h>

#include "hoststate.h"
#include "json.h"

struct host {
    char *os;        /* PRETTY_NAME of os-release */
    char *kernel;    /* "Linux 6.1.0-18-amd64" */
    char *machine;   /* uname -m */
    char *cpu_model; /* from /proc/cpuinfo */
    int cpus_online;
    char *virtualisation; /* hypervisor by the cpuid flag, device tree or DMI; NULL: none seen */
    int aslr;             /* kernel.randomize_va_space, 0 when off for this process; -1 unknown */
    int smt;              /* threads share cores: 0, 1; -1 unknown */
    double load_1min;     /* now, before anything was built or measured; < 0 unknown */

    /* Unknown after host_read; the caller fills it with host_change_make, host_free frees it. */
    struct host_change change;
};
/* root as in sysfile.h: "" for this machine. */
void host_read(const char *root, struct host *out);
void host_free(struct host *h);
void host_to_json(const struct host *h, struct json *parent);

#endif

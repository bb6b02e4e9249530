/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_HOST_H
#define CB_HOST_H

/* Facts about the machine that measures. Strings are NULL when unknown. */
#include <stdint.h>

#include "json.h"

struct host {
    char *os;        /* PRETTY_NAME of os-release */
    char *kernel;    /* "Linux 6.1.0-18-amd64" */
    char *machine;   /* uname -m */
    char *cpu_model; /* from /proc/cpuinfo */
    int cpus_online;
    char *governor;       /* cpufreq governor of cpu0 */
    char *virtualisation; /* hypervisor by the cpuid flag / DMI; NULL: none seen */
    double load_1min;     /* at the start; < 0 unknown */
};
void host_read(struct host *out);
void host_free(struct host *h);
void host_to_json(const struct host *h, struct json *parent);

#endif

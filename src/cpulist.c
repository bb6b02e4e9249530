/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "cpulist.h"

#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "number.h"
#include "str.h"

/* Reads digits at *p and steps over them. Numbers of more than 18 digits are nothing the kernel
 * counts. */
static int digits(const char **p, uint64_t *out)
{
    size_t n = strspn(*p, "0123456789");
    char text[20];

    if (!n || n > 18)
        return -1;
    memcpy(text, *p, n);
    text[n] = '\0';
    *p += n;
    return number_u64(text, out);
}

int cpulist_parse(const char *text, cpu_set_t *out)
{
    const char *p = text;

    CPU_ZERO(out);
    for (;; p++) {
        uint64_t first, last;
        if (digits(&p, &first))
            return -1;
        last = first;
        if (*p == '-') {
            p++;
            if (digits(&p, &last) || last < first)
                return -1;
        }
        for (uint64_t i = first; i <= last && i < CPU_SETSIZE; i++)
            CPU_SET((size_t)i, out);
        if (!*p)
            return 0;
        if (*p != ',')
            return -1;
    }
}

char *cpulist_text(const cpu_set_t *set)
{
    struct str s = STR_INIT;

    for (size_t i = 0; i < CPU_SETSIZE; i++) {
        size_t last = i;
        if (!CPU_ISSET(i, set))
            continue;
        while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, set))
            last++;
        str_addf(&s, "%s%zu", s.n ? "," : "", i);
        if (last > i)
            str_addf(&s, "-%zu", last);
        i = last;
    }
    return str_take(&s);
}

/* Columns of a line of /proc/stat. Time of guests is part of user and nice. */
enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, COLUMNS };

static void line_parse(const char *p, struct cpu_ticks *out)
{
    uint64_t v[COLUMNS] = {0};
    size_t n = 0;

    while (n < COLUMNS && *p == ' ') {
        p += strspn(p, " ");
        if (digits(&p, &v[n]))
            return;
        n++;
    }
    /* Old kernels have only the first four. */
    if (n <= IDLE || (*p && *p != ' ' && *p != '\n'))
        return;
    out->known = 1;
    out->have_steal = n > STEAL;
    out->busy = v[USER] + v[NICE] + v[SYSTEM] + v[IRQ] + v[SOFTIRQ];
    out->idle = v[IDLE] + v[IOWAIT];
    out->steal = v[STEAL];
}

struct cpu_ticks *cpu_ticks_parse(const char *text)
{
    struct cpu_ticks *all = xcalloc(CPU_SETSIZE, sizeof *all);

    for (const char *p = text; p && *p; p = strchr(p, '\n'), p = p ? p + 1 : NULL) {
        const char *q = p + 3;
        uint64_t cpu;
        if (!strncmp(p, "cpu", 3) && !digits(&q, &cpu) && cpu < CPU_SETSIZE)
            line_parse(q, &all[cpu]);
    }
    return all;
}

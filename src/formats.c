/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "formats.h"

#include <string.h>

#include "comparison.h"
#include "export.h"

/* Formats that no other file has a table of: the first two are what grid_print() knows. */
static const struct {
    const char *name, *summary;
    int of_run; /* and not of other commands */
} plain[] = {
    {"table", "text, as aligned columns", 0},
    {"markdown", "the same to paste", 0},
    {"json", "the result file", 1},
    {"none", "nothing", 1},
};

enum { PLAIN = sizeof plain / sizeof *plain };

static void run_formats(struct list *out)
{
    for (size_t i = 0; i < PLAIN; i++)
        list_add(out, plain[i].name);
}

static void grid_formats(struct list *out)
{
    for (size_t i = 0; i < PLAIN; i++)
        if (!plain[i].of_run)
            list_add(out, plain[i].name);
}

static const char *plain_summary(const char *name)
{
    for (size_t i = 0; i < PLAIN; i++)
        if (!strcmp(plain[i].name, name))
            return plain[i].summary;
    return NULL;
}

static const struct {
    const char *command;
    void (*names)(struct list *out);
    const char *(*summary)(const char *name);
} rows[] = {
    {"run", run_formats, plain_summary},
    {"explain", grid_formats, plain_summary},
    {"report", export_formats, export_format_summary},
    {"advise", grid_formats, plain_summary},
    {"compare", comparison_formats, comparison_format_summary},
    {"gate", comparison_formats, comparison_format_summary},
};

enum { ROWS = sizeof rows / sizeof *rows };

void formats_of(const char *command, struct list *out)
{
    for (size_t i = 0; i < ROWS; i++)
        if (!strcmp(rows[i].command, command))
            rows[i].names(out);
}

const char *formats_summary(const char *command, const char *name)
{
    for (size_t i = 0; i < ROWS; i++)
        if (!strcmp(rows[i].command, command))
            return rows[i].summary(name);
    return NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "stacktable.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "grid.h"
#include "mem.h"

static int same_table(const struct result_build *a, const struct result_build *b)
{
    return !strcmp(a->target, b->target) && !strcmp(a->library, b->library) &&
           !strcmp(a->cc, b->cc);
}

/* What b is compared with: the config that was asked for, else its own baseline. */
static const struct result_build *baseline_find(const struct result_file *r,
                                                const struct result_build *b)
{
    const char *name = r->baseline ? r->baseline : b->baseline;
    for (size_t i = 0; i < r->nbuilds && name; i++) {
        const struct result_build *x = &r->builds[i];
        if (x != b && same_table(x, b) && !strcmp(x->config, name))
            return x;
    }
    return NULL;
}

static const struct stack_frame *largest(const struct result_build *b)
{
    return b && b->stack.use.n ? &b->stack.use.v[0] : NULL;
}

static char *change_text(const struct result_build *b, const struct result_build *baseline,
                         const char *format)
{
    const struct stack_frame *now = largest(b), *base = largest(baseline);
    if (!now || !base || !base->bytes)
        return xstrdup("-");
    char *name = escape_name(baseline->config, format);
    char *text =
        xasprintf("%+.1f%% vs %s", 100 * ((double)now->bytes / (double)base->bytes - 1), name);
    free(name);
    return text;
}

static void row_add(struct grid *g, const struct result_file *r, const struct result_build *b,
                    const char *format)
{
    const struct stack_frame *f = largest(b);
    grid_add(g, escape_name(b->config, format));
    grid_add(g, f ? xasprintf("%" PRIu64, f->bytes) : xstrdup("-"));
    grid_add(g, f ? escape_name(f->function, format) : xstrdup("-"));
    grid_add(g, f ? xasprintf("%" PRIu64, b->stack.above) : xstrdup("-"));
    grid_add(g, f ? xasprintf("%" PRIu64, b->stack.dynamic) : xstrdup("-"));
    grid_add(g, change_text(b, baseline_find(r, b), format));
}

static int table_print_from(FILE *f, const struct result_file *r, size_t first, const char *format)
{
    const struct result_build *b = &r->builds[first];
    int markdown = !strcmp(format, "markdown");
    struct grid g;

    int known = b->family && b->cc_version;
    const char *cc = known ? b->family : b->cc;
    const char *raw[] = {b->target, b->library, b->version, cc, known ? b->cc_version : NULL};
    struct list names = LIST_INIT;
    escape_names(&names, raw, sizeof raw / sizeof *raw, format);
    fprintf(f, "%sStack frames: %s, %s%s%s, %s%s%s", markdown ? "### " : "", names.v[0], names.v[1],
            raw[2] ? " " : "", names.v[2], names.v[3], raw[4] ? " " : "", names.v[4]);
    list_free(&names);
    fputs(markdown ? "; bytes\n\n" : "; bytes\n", f);
    grid_start(&g, 6);
    grid_add(&g, xstrdup("config"));
    grid_add(&g, xstrdup("largest"));
    grid_add(&g, xstrdup("function"));
    grid_add(&g, xasprintf("above %" PRIu64, r->max_stack));
    grid_add(&g, xstrdup("unlimited"));
    grid_add(&g, xstrdup("change"));
    for (size_t i = first; i < r->nbuilds; i++)
        if (same_table(b, &r->builds[i]))
            row_add(&g, r, &r->builds[i], format);
    int rc = grid_print(f, &g, format);
    fputc('\n', f);
    grid_free(&g);
    return rc;
}

/* 1 when an earlier build has brought b's table. */
static int is_shown(const struct result_file *r, size_t b)
{
    for (size_t i = 0; i < b; i++)
        if (same_table(&r->builds[i], &r->builds[b]))
            return 1;
    return 0;
}

int stack_tables_wanted(const struct result_file *r)
{
    return list_has(&r->metric, "stack") || list_has(&r->metric, "all");
}

int stack_tables_print(FILE *f, const struct result_file *r, const char *format)
{
    int rc = 0;
    if (!stack_tables_wanted(r))
        return 0;
    for (size_t i = 0; i < r->nbuilds && !rc; i++)
        if (!is_shown(r, i))
            rc = table_print_from(f, r, i, format);
    if (rc)
        return rc;
    fputs("largest: of all functions in C, by the compiler's -fstack-usage; what they call and\n"
          "assembly are not in it. above: functions with a larger frame than --max-stack.\n"
          "unlimited: functions whose frame grows at run time (alloca).\n",
          f);
    for (size_t i = 0; i < r->nbuilds; i++) {
        const struct result_build *b = &r->builds[i];
        const char *why = b->reason ? b->reason : b->stack.use.reason;
        if (largest(b))
            continue;
        char *id = escape_name(b->id, format);
        char *text =
            escape_name(why ? why : "this file was written before stack use was recorded", format);
        fprintf(f, "no stack use: %s: %s%s%s\n", id, strcmp(b->status, "ok") ? b->status : "",
                strcmp(b->status, "ok") ? ": " : "", text);
        free(id);
        free(text);
    }
    return ferror(f) ? -1 : 0;
}

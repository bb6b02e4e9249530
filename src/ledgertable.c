/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "ledgertable.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "ledger.h"
#include "mem.h"

/* Rows shown; what is left out is summed in one. */
enum { ROWS = 25 };

static int is_chosen(const struct options *o, const struct sides *s, const struct result_build *b)
{
    return !strcmp(b->status, "ok") && (!s->new_config || !strcmp(b->config, s->new_config)) &&
           (!o->target.n || list_has(&o->target, b->target)) &&
           (!o->cc.n || list_has(&o->cc, b->cc)) &&
           (!o->library.n || list_has(&o->library, b->library));
}

/* The build to compare with. Two files may be of two libraries or compilers, so there their names
 * decide only between several candidates. */
static const struct result_build *counterpart(const struct sides *s, const struct result_build *b)
{
    const char *config = s->base_config ? s->base_config : b->config;
    const struct result_build *found = NULL;
    for (size_t i = 0; i < s->base->nbuilds; i++) {
        const struct result_build *x = &s->base->builds[i];
        if (strcmp(x->status, "ok") || strcmp(x->target, b->target) || strcmp(x->config, config))
            continue;
        if (!strcmp(x->library, b->library) && !strcmp(x->cc, b->cc))
            return x;
        if (s->base != s->now && !found)
            found = x;
    }
    return found;
}

static char *bytes_text(uint64_t v, int absent)
{
    return absent ? xstrdup("-") : xasprintf("%" PRIu64, v);
}

static char *change_text(uint64_t base, uint64_t now)
{
    return xasprintf("%+" PRId64, (int64_t)now - (int64_t)base);
}

static void row_add(struct grid *g, const char *object, const char *section, uint64_t base,
                    uint64_t now)
{
    grid_add(g, xstrdup(object));
    grid_add(g, xstrdup(section));
    grid_add(g, bytes_text(base, 0));
    grid_add(g, bytes_text(now, 0));
    grid_add(g, change_text(base, now));
}

static void change_rows(struct grid *g, const struct ledger *l)
{
    uint64_t base = 0, now = 0;
    for (size_t i = 0; i < l->n; i++) {
        const struct ledger_row *r = &l->v[i];
        if (i >= ROWS) {
            base += r->base;
            now += r->now;
            continue;
        }
        grid_add(g, xstrdup(r->object));
        grid_add(g, xstrdup(section_name(r->section)));
        grid_add(g, bytes_text(r->base, r->base_absent));
        grid_add(g, bytes_text(r->now, r->now_absent));
        grid_add(g, change_text(r->base, r->now));
    }
    if (l->n > ROWS)
        row_add(g, "(others)", "", base, now);
}

static void total_rows(struct grid *g, const struct ledger *l)
{
    uint64_t base = 0, now = 0;
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        base += l->base[i];
        now += l->now[i];
        row_add(g, "all objects", section_name((enum section)i), l->base[i], l->now[i]);
    }
    row_add(g, "total", "", base, now);
}

static int pair_print(FILE *f, const struct result_build *base, const struct result_build *now,
                      const char *format)
{
    int markdown = !strcmp(format, "markdown"), same = !strcmp(base->config, now->config);
    struct ledger l;
    struct grid g;

    ledger_make(&base->objects, &now->objects, &l);
    fprintf(f, "%sSize of libcrypto.a: %s against %s; bytes, %zu change%s\n",
            markdown ? "### " : "", now->id, base->id, l.n, l.n == 1 ? "" : "s");
    if (markdown)
        fputc('\n', f);
    grid_start(&g, 5);
    grid_add(&g, xstrdup("object"));
    grid_add(&g, xstrdup("section"));
    grid_add(&g, xstrdup(same ? "base" : base->config));
    grid_add(&g, xstrdup(same ? "new" : now->config));
    grid_add(&g, xstrdup("change"));
    change_rows(&g, &l);
    total_rows(&g, &l);
    int rc = grid_print(f, &g, format);
    fputc('\n', f);
    grid_free(&g);
    ledger_free(&l);
    return rc;
}

/* Options that choose cells say nothing of a library's size. */
static int options_check(const struct options *o, struct err *e)
{
    const struct {
        const char *name;
        size_t given;
    } cells[] = {{"alg", o->alg.n}, {"op", o->op.n}, {"cpu", o->cpu.n}, {"size LIST", o->nsizes}};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        if (cells[i].given)
            return err_usage(e,
                             "explain --size is about whole libraries: --%s has no meaning beside "
                             "it (block sizes are chosen by --size with a list, such as --size 16)",
                             cells[i].name);
    return 0;
}

int ledger_tables_print(FILE *f, const struct options *o, const struct sides *s, struct err *e)
{
    size_t shown = 0, alone = 0;
    if (options_check(o, e))
        return -1;
    for (size_t i = 0; i < s->now->nbuilds; i++) {
        const struct result_build *b = &s->now->builds[i], *base;
        if (!is_chosen(o, s, b))
            continue;
        base = counterpart(s, b);
        if (!base) {
            alone++;
            continue;
        }
        const struct result_build *lacks = !b->objects.n ? b : !base->objects.n ? base : NULL;
        if (lacks)
            return err_set(e,
                           "%s: build %s has no sizes of objects: the file was written before they "
                           "were kept, or the build had left the cache; measure again with "
                           "crypto-bench run --metric stack (which only builds)",
                           lacks == b ? s->now->path : s->base->path, lacks->id);
        if (pair_print(f, base, b, o->format))
            return err_set(e, "standard output cannot be written");
        shown++;
    }
    if (!shown)
        return err_set(e,
                       "no build of the new side has a counterpart on the base side (same target "
                       "and config, or the two configs of --config; built on both)");
    fprintf(f, "%zu build%s compared, %zu without a counterpart.\n", shown, shown == 1 ? "" : "s",
            alone);
    return 0;
}

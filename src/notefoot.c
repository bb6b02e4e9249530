/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "notefoot.h"

#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "file.h"
#include "mem.h"
#include "prediction.h"
#include "resultfile.h"
#include "wording.h"

/* ---- sides ---- */

/* The library and version of all cells of a side; NULL when there are several. Caller owns. */
static char *only_library(const struct side *s)
{
    const struct result_build *b = NULL;
    for (size_t i = 0; i < s->file->ncells; i++) {
        const struct result_cell *c = &s->file->cells[i];
        if (s->library && strcmp(s->library, c->library) != 0)
            continue;
        if (b && strcmp(b->library, c->library) != 0)
            return NULL;
        b = c->build;
    }
    return b ? xasprintf("%s%s%s", b->library, b->version ? " " : "", b->version ? b->version : "")
             : NULL;
}

char *notefoot_side(const struct match_request *r, int now)
{
    const struct side *s = now ? &r->now : &r->base, *other = now ? &r->base : &r->now;
    char *own = only_library(s), *others = only_library(other), *text;
    if (s->config)
        text = escape_name(s->config, "markdown");
    else if (own && others && strcmp(own, others) != 0)
        text = escape_name(own, "markdown");
    else if (strcmp(path_base(s->file->path), path_base(other->file->path)) != 0)
        text = escape_name(path_base(s->file->path), "markdown");
    else
        text = escape_name(s->file->path, "markdown");
    free(own);
    free(others);
    return text;
}

/* ---- conditions ---- */

/* What the compared cells and builds have, each once. */
struct conditions {
    int insns;           /* some were compared */
    int modelled;        /* likewise */
    int bands, unbanded; /* with a band, and fit for ratios only */
    int least, most;     /* of the bands, per cent */
    struct list runners, counters, compilers, configs, libraries, workloads, cpus, dates;
};

static void once(struct list *l, const char *name)
{
    char *safe = name && *name ? escape_name(name, "markdown") : NULL;
    if (safe && !list_has(l, safe))
        list_add(l, safe);
    free(safe);
}

static void build_note(struct conditions *d, const struct result_build *b)
{
    char *cc =
        b->family && b->cc_version ? xasprintf("%s %s", b->family, b->cc_version) : xstrdup(b->cc);
    char *library =
        xasprintf("%s%s%s", b->library, b->version ? " " : "", b->version ? b->version : "");
    once(&d->compilers, cc);
    once(&d->libraries, library);
    once(&d->configs, b->config);
    free(cc);
    free(library);
}

static void band_note(struct conditions *d, const struct prediction *p)
{
    d->modelled = 1;
    if (p->band < 0) {
        d->unbanded = 1;
        return;
    }
    d->least = !d->bands || p->band < d->least ? p->band : d->least;
    d->most = !d->bands || p->band > d->most ? p->band : d->most;
    d->bands = 1;
}

static void cell_note(struct conditions *d, const struct finding *f, const struct result_cell *c)
{
    once(&d->workloads, c->workload);
    if (f->metric == METRIC_JUDGED_TIME)
        once(&d->runners, c->runner);
    else if (f->metric == METRIC_JUDGED_INSNS)
        once(&d->counters, c->lane->counter);
    else if (f->metric == METRIC_JUDGED_MODELLED)
        band_note(d, &c->modelled);
    d->insns |= f->metric == METRIC_JUDGED_INSNS;
}

/* A JSON string's text, as far as names of CPUs go: without its quotes. */
static void cpu_note(struct conditions *d, const struct result_file *f)
{
    const char *cpu = result_fact(f, "cpu_model");
    if (!cpu || *cpu != '"')
        return;
    char *name = xstrndup(cpu + 1, strlen(cpu) - 2);
    once(&d->cpus, name);
    free(name);
}

static void conditions_find(const struct comparison *c, const struct match_request *r,
                            struct conditions *d)
{
    *d = (struct conditions){0};
    for (size_t i = 0; i < c->n; i++) {
        const struct finding *f = &c->findings[i];
        if (f->verdict == VERDICT_EXCLUDED)
            continue;
        build_note(d, f->base_build);
        build_note(d, f->new_build);
        if (f->new_cell) {
            cell_note(d, f, f->base_cell);
            cell_note(d, f, f->new_cell);
        }
    }
    once(&d->dates, r->base.file->created);
    once(&d->dates, r->now.file->created);
    if (d->runners.n) {
        cpu_note(d, r->base.file);
        cpu_note(d, r->now.file);
    }
}

static void conditions_free(struct conditions *d)
{
    struct list *all[] = {&d->runners,   &d->counters,  &d->compilers, &d->configs,
                          &d->libraries, &d->workloads, &d->cpus,      &d->dates};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        list_free(all[i]);
}

static void list_say(FILE *f, const char *before, const struct list *l)
{
    char *text = list_join(l, ", ");
    if (l->n)
        fprintf(f, "%s%s", before, text);
    free(text);
}

/* "limit 2%", or "limits 2% to 5%" where they differ by cell; nothing when none was compared. */
static void limits_say(FILE *f, const struct comparison *c, enum metric m, const char *what)
{
    double least = 0, most = 0;
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++) {
        const struct finding *x = &c->findings[i];
        if (x->metric != m || x->verdict == VERDICT_EXCLUDED)
            continue;
        least = !n || x->limit < least ? x->limit : least;
        most = !n || x->limit > most ? x->limit : most;
        n++;
    }
    if (!n)
        return;
    char *a = wording_percent(least), *b = wording_percent(most);
    fprintf(f, ", %s%s%s for %s", a, strcmp(a, b) ? " to " : "", strcmp(a, b) ? b : "", what);
    free(a);
    free(b);
}

void notefoot_print(FILE *f, const struct comparison *c, const struct match_request *r)
{
    struct conditions d;
    conditions_find(c, r, &d);
    fputs("Change: + is slower, more instructions, larger; listed as slower or faster is what lies "
          "with its whole 95% interval beyond noise and limit",
          f);
    limits_say(f, c, METRIC_JUDGED_TIME, "time");
    limits_say(f, c, METRIC_JUDGED_INSNS, "instructions");
    limits_say(f, c, METRIC_JUDGED_MODELLED, "modelled cycles");
    fputs(".", f);
    if (d.runners.n) {
        fprintf(f, " Time: median ns per operation, the change from %s",
                r->base.file == r->now.file ? "samples taken in turn" : "two separate runs");
        list_say(f, ", runner ", &d.runners);
        list_say(f, ", on ", &d.cpus);
        fputs(".", f);
    }
    if (d.insns) {
        fputs(" Instructions: of one operation, exact", f);
        list_say(f, ", counted by ", &d.counters);
        fputs(".", f);
    }
    if (d.modelled) {
        fputs(" Modelled cycles: of one operation, not measured: the instructions through a "
              "published pipeline table, with perfect caches and predictors; below 5% two are too "
              "close to call",
              f);
        if (d.bands && d.least == d.most)
            fprintf(f, "; absolute values may be off by +-%d%%", d.most);
        else if (d.bands)
            fprintf(f, "; absolute values may be off by +-%d%% to +-%d%%", d.least, d.most);
        if (d.unbanded)
            fputs("; - is where only the ratio holds", f);
        fputs(".", f);
    }
    fputs(" Sizes: bytes of libcrypto.", f);
    list_say(f, " Workload ", &d.workloads);
    list_say(f, d.workloads.n ? "; libraries " : " Libraries ", &d.libraries);
    list_say(f, "; compilers ", &d.compilers);
    list_say(f, "; configs ", &d.configs);
    list_say(f, "; measured ", &d.dates);
    fputs(".\n", f);
    conditions_free(&d);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "comparison_format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "mem.h"
#include "wording.h"

/* GitHub shows 10 errors, 10 warnings and 10 notices of a step, and drops further ones silently. */
enum { ANNOTATIONS = 10 };

struct annotations {
    FILE *f;
    const char *level; /* "error", "warning", "notice" */
    size_t most, n;    /* n counts those beyond most too */
};

/* Takes text over. */
static void annotate(struct annotations *a, const char *title, char *text)
{
    if (a->n++ < a->most) {
        char *safe_title = escape_github_property(title), *safe = escape_github_message(text);
        fprintf(a->f, "::%s title=%s::%s\n", a->level, safe_title, safe);
        free(safe_title);
        free(safe);
    }
    free(text);
}

static void annotate_finding(struct annotations *a, const struct finding *f)
{
    char *title = xasprintf("%s: %s", metric_name(f->metric), verdict_name(f->verdict, f->metric));
    char *detail = wording_finding(f);
    annotate(a, title, xasprintf("%s: %s", f->name, detail));
    free(detail);
    free(title);
}

static void annotate_list(struct annotations *a, const char *title, const struct list *l)
{
    for (size_t i = 0; i < l->n; i++)
        annotate(a, title, xstrdup(l->v[i]));
}

static size_t left_out(const struct annotations *a)
{
    return a->n > a->most ? a->n - a->most : 0;
}

/* The step's summary: what others wrote there before stays. */
static int summary_append(const struct comparison *c, struct err *e)
{
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    if (!path || !*path)
        return 0;
    FILE *f = fopen(path, "ae");
    if (!f)
        return err_set(e, "GITHUB_STEP_SUMMARY: '%s' cannot be opened: %s", path, strerror(errno));
    fputc('\n', f); /* a heading begins a block only after an empty line */
    int rc = comparison_markdown(f, c, e);
    int bad = ferror(f), failed = fclose(f);
    if (!rc && (bad || failed))
        rc = err_set(e, "GITHUB_STEP_SUMMARY: '%s' cannot be written: %s", path, strerror(errno));
    return rc;
}

int comparison_github(FILE *f, const struct comparison *c, struct err *e)
{
    struct annotations errors = {f, "error", ANNOTATIONS, 0};
    struct annotations warnings = {f, "warning", ANNOTATIONS, 0};
    struct annotations notices = {f, "notice", ANNOTATIONS - 1, 0}; /* the last one sums up */
    struct annotations last = {f, "notice", 1, 0};
    struct list excluded = LIST_INIT;
    int unclear_allowed = wording_unclear_allowed(c);

    for (size_t i = 0; i < c->n; i++)
        if (c->findings[i].verdict == VERDICT_WORSE)
            annotate_finding(&errors, &c->findings[i]);
    annotate_list(&errors, "no verdict", &c->blockers);
    for (size_t i = 0; i < c->n && !unclear_allowed; i++)
        if (c->findings[i].verdict == VERDICT_UNCLEAR)
            annotate_finding(&warnings, &c->findings[i]);
    wording_excluded(c, &excluded);
    annotate_list(&warnings, "excluded", &excluded);
    annotate_list(&notices, "allowed", &c->allowed);

    char *headline = wording_headline(c);
    size_t more = left_out(&errors) + left_out(&warnings) + left_out(&notices);
    annotate(&last, "crypto-bench",
             more ? xasprintf("%s (%zu errors and %zu warnings in all; GitHub shows %d of each)",
                              headline, errors.n, warnings.n, ANNOTATIONS)
                  : xstrdup(headline));
    free(headline);
    list_free(&excluded);
    return summary_append(c, e);
}

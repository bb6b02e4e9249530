/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "comparison_format.h"

#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "mem.h"
#include "wording.h"

/* What a test case is, by verdict: NULL for one that passes. */
static const char *element(const struct comparison *c, enum verdict v)
{
    static const char *const elements[] = {[VERDICT_SAME] = NULL,
                                           [VERDICT_BETTER] = NULL,
                                           [VERDICT_WORSE] = "failure",
                                           [VERDICT_UNCLEAR] = "error",
                                           [VERDICT_EXCLUDED] = "skipped"};
    return v == VERDICT_UNCLEAR && wording_unclear_allowed(c) ? NULL : elements[v];
}

/* Takes the strings over. type NULL: "skipped" has none. */
static void case_print(FILE *f, char *class, const char *name, const char *what, const char *type,
                       char *text)
{
    char *safe_class = escape_xml(class), *safe_name = escape_xml(name), *safe = escape_xml(text);
    fprintf(f, "    <testcase classname=\"%s\" name=\"%s\">\n", safe_class, safe_name);
    if (!what)
        fprintf(f, "      <system-out>%s</system-out>\n", safe);
    else if (type)
        fprintf(f, "      <%s type=\"%s\" message=\"%s\"/>\n", what, type, safe);
    else
        fprintf(f, "      <%s message=\"%s\"/>\n", what, safe);
    fputs("    </testcase>\n", f);
    free(safe_class);
    free(safe_name);
    free(safe);
    free(class);
    free(text);
}

static void finding_print(FILE *f, const struct comparison *c, const struct finding *x)
{
    const char *what = element(c, x->verdict), *type = verdict_name(x->verdict, x->metric);
    int target = (int)strcspn(x->name, "/:");
    char *detail = wording_finding(x);
    char *class = xasprintf("%s.%.*s", metric_name(x->metric), target, x->name);
    char *text =
        x->verdict == VERDICT_EXCLUDED ? xstrdup(detail) : xasprintf("%s: %s", type, detail);
    case_print(f, class, x->name, what, x->verdict == VERDICT_EXCLUDED ? NULL : type, text);
    free(detail);
}

static void property_print(FILE *f, const char *name, const char *value)
{
    char *safe = escape_xml(value);
    fprintf(f, "      <property name=\"%s\" value=\"%s\"/>\n", name, safe);
    free(safe);
}

static void properties_print(FILE *f, const struct comparison *c)
{
    char *headline = wording_headline(c);
    fputs("    <properties>\n", f);
    property_print(f, "outcome", headline);
    property_print(f, "base", c->base_name);
    property_print(f, "new", c->new_name);
    for (size_t i = 0; i < c->allowed.n; i++)
        property_print(f, "allowed", c->allowed.v[i]);
    for (size_t i = 0; i < c->missing.n; i++)
        property_print(f, "only in base", c->missing.v[i]);
    for (size_t i = 0; i < c->extra.n; i++)
        property_print(f, "only in new", c->extra.v[i]);
    for (size_t i = 0; i < c->notes.n; i++)
        property_print(f, "note", c->notes.v[i]);
    fputs("    </properties>\n", f);
    free(headline);
}

int comparison_junit(FILE *f, const struct comparison *c, struct err *e)
{
    size_t unclear = wording_unclear_allowed(c) ? 0 : comparison_count(c, VERDICT_UNCLEAR);
    char *counts = xasprintf("name=\"crypto-bench\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" "
                             "skipped=\"%zu\"",
                             c->n + c->blockers.n, comparison_count(c, VERDICT_WORSE),
                             unclear + c->blockers.n, comparison_count(c, VERDICT_EXCLUDED));
    (void)e;
    /* Test cases that fail come first: findings are in that order, and blockers decide too. */
    size_t worse = comparison_count(c, VERDICT_WORSE);
    fprintf(f, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites %s>\n  <testsuite %s>\n",
            counts, counts);
    properties_print(f, c);
    for (size_t i = 0; i < worse; i++)
        finding_print(f, c, &c->findings[i]);
    for (size_t i = 0; i < c->blockers.n; i++) {
        const char *text;
        char *code = wording_code(c->blockers.v[i], &text);
        case_print(f, xstrdup("comparison"), code, "error", "blocker", xstrdup(text));
        free(code);
    }
    for (size_t i = worse; i < c->n; i++)
        finding_print(f, c, &c->findings[i]);
    fputs("  </testsuite>\n</testsuites>\n", f);
    free(counts);
    return 0;
}

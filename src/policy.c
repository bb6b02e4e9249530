/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "policy.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "datafile.h"
#include "mem.h"
#include "number.h"

#define SCHEMA      "crypto-bench-policy/1"
#define PERCENT_MAX 1000.0

static const struct {
    const char *name, *limit; /* the option without its dashes */
    const char *key;          /* in a policy file */
    double most;              /* the default, as a fraction */
} metrics[METRIC_COUNT] = {
    [METRIC_JUDGED_TIME] = {"time", "max-slowdown", "max_slowdown", 0.02},
    [METRIC_JUDGED_INSNS] = {"insns", "max-insns", "max_insns", 0.005},
    [METRIC_JUDGED_SIZE] = {"size", "max-size", "max_size", 0.01},
    [METRIC_JUDGED_MODELLED] = {"modelled", "max-modelled", "max_modelled", 0.05},
};

static const struct {
    const char *name, *summary;
} allows[ALLOW_COUNT] = {
    [ALLOW_MISSING] = {"missing", "cells that only the base side has"},
    [ALLOW_EXTRA] = {"extra", "cells that only the new side has"},
    [ALLOW_MACHINE] = {"machine", "another CPU model, governor or frequency limit, or throttling"},
    [ALLOW_CPUMASK] = {"capabilities", "another CPU capability mask"},
    [ALLOW_EMULATED] = {"emulated", "time measured under an emulator"},
    [ALLOW_SINGLE] = {"few-samples", "too few samples for an interval"},
    [ALLOW_UNCLEAR] = {"unclear", "cells whose interval crosses the limit"},
};

const char *metric_name(enum metric m)
{
    return metrics[m].name;
}

const char *metric_limit_name(enum metric m)
{
    return metrics[m].limit;
}

const char *allow_name(enum allow a)
{
    return allows[a].name;
}

const char *allow_summary(enum allow a)
{
    return allows[a].summary;
}

/* Takes pattern over. */
static void limit_push(struct policy *p, enum metric m, char *pattern, double most)
{
    p->limits = xreallocarray(p->limits, p->n + 1, sizeof *p->limits);
    p->limits[p->n++] = (struct limit){m, pattern, most};
}

/* Forgets limits from the first on. */
static void limits_cut(struct policy *p, size_t first)
{
    while (p->n > first)
        free(p->limits[--p->n].pattern);
}

void policy_start(struct policy *p)
{
    *p = (struct policy){0};
    for (size_t m = 0; m < METRIC_COUNT; m++)
        limit_push(p, (enum metric)m, xstrdup("*"), metrics[m].most);
}

/* "2%", and without the sign where that may lack; as a fraction. */
static int percent_parse(const char *text, int sign_needed, double *out)
{
    size_t n = strlen(text);
    int has_sign = n && text[n - 1] == '%';
    if (sign_needed && !has_sign)
        return -1;
    char *digits = xstrndup(text, n - (size_t)has_sign);
    double v = 0;
    int rc = number_double(digits, &v) || v > PERCENT_MAX ? -1 : 0;
    free(digits);
    if (!rc)
        *out = v / 100;
    return rc;
}

/* One part of an option's value. Patterns may hold '=', percentages do not: the last one counts. */
static int limit_part(struct policy *p, enum metric m, const char *part, struct err *e)
{
    const char *equals = strrchr(part, '=');
    double most = 0;
    if (percent_parse(equals ? equals + 1 : part, 0, &most))
        return err_usage(e,
                         "--%s '%s': expected a percentage from 0%% to 1000%%, such as 2%%, or "
                         "PATTERN=2%%",
                         metric_limit_name(m), part);
    if (equals == part)
        return err_usage(e, "--%s '%s': there is no pattern before '='; for all cells give '%s'",
                         metric_limit_name(m), part, equals + 1);
    limit_push(p, m, equals ? xstrndup(part, (size_t)(equals - part)) : xstrdup("*"), most);
    return 0;
}

int policy_limit_add(struct policy *p, enum metric m, const char *text, struct err *e)
{
    struct list parts = LIST_INIT;
    size_t before = p->n;
    int rc = 0;
    list_split(&parts, text, ',');
    for (size_t i = 0; i < parts.n && !rc; i++)
        rc = limit_part(p, m, parts.v[i], e);
    if (rc)
        limits_cut(p, before);
    list_free(&parts);
    return rc;
}

static int allow_by_name(const char *word)
{
    for (size_t a = 0; a < ALLOW_COUNT; a++)
        if (!strcmp(allows[a].name, word))
            return (int)a;
    return -1;
}

static int allow_unknown(const char *noun, const char *word, struct err *e)
{
    struct list known = LIST_INIT;
    for (size_t a = 0; a < ALLOW_COUNT; a++)
        list_add(&known, allows[a].name);
    unknown_word(e, noun, word, &known);
    list_free(&known);
    return -1;
}

int policy_allow_add(struct policy *p, const char *word, struct err *e)
{
    int a = allow_by_name(word);
    if (a < 0)
        return allow_unknown("word of --allow", word, e);
    p->allow[a] = 1;
    return 0;
}

/* ---- the file ---- */

/* Adds the limits that are members of o, for names that match pattern. */
static int limits_read(struct policy *p, const struct json_doc *d, const struct json *o,
                       const char *pattern, struct err *e)
{
    for (size_t m = 0; m < METRIC_COUNT; m++) {
        const char *key = metrics[m].key;
        char *text = NULL;
        double most = 0;
        /* Required once it is there: null is no limit. */
        if (!json_get(o, key))
            continue;
        if (json_str(d, o, key, JSON_REQUIRED, &text, e))
            return -1;
        if (percent_parse(text, 1, &most)) {
            datafile_refuse(d, o, key, e,
                            "'%s' is no limit; expected a percentage from 0%% to 1000%%, such as "
                            "\"0.5%%\"",
                            text);
            free(text);
            return -1;
        }
        free(text);
        limit_push(p, (enum metric)m, xstrdup(pattern), most);
    }
    return 0;
}

static int cell_read(struct policy *p, const struct json_doc *d, const struct json *o,
                     struct err *e)
{
    static const char *const keys[] = {"pattern",  "max_slowdown", "max_insns",
                                       "max_size", "max_modelled", NULL};
    char *pattern = NULL;
    size_t before = p->n;
    if (json_only(d, o, keys, e) || json_str(d, o, "pattern", JSON_REQUIRED, &pattern, e))
        return -1;
    int rc = *pattern ? limits_read(p, d, o, pattern, e)
                      : datafile_refuse(d, o, "pattern", e, "must not be empty");
    if (!rc && p->n == before)
        rc = datafile_refuse(
            d, o, NULL, e,
            "gives no limit; expected max_slowdown, max_insns, max_size or max_modelled");
    free(pattern);
    return rc;
}

static int allow_read(struct policy *p, const struct json_doc *d, const struct json *v,
                      struct err *e)
{
    const char *word = NULL;
    char *where = json_where(d, v);
    int rc = -1;
    if (json_value_str(v, &word)) {
        datafile_refuse(d, v, NULL, e, "expected a string");
    } else {
        int a = allow_by_name(word);
        if (a < 0) {
            allow_unknown("word", word, e);
            err_prefix(e, "%s: ", where);
        } else {
            p->allow[a] = 1;
            rc = 0;
        }
    }
    free(where);
    return rc;
}

static int root_read(struct policy *p, const struct json_doc *d, struct err *e)
{
    const struct json *o = json_root(d), *cells = NULL, *allow = NULL;
    if (limits_read(p, d, o, "*", e) || json_array(d, o, "cells", JSON_OPTIONAL, &cells, e) ||
        json_array(d, o, "allow", JSON_OPTIONAL, &allow, e))
        return -1;
    for (const struct json *v = cells ? json_first(cells) : NULL; v; v = json_next(v))
        if (cell_read(p, d, v, e))
            return -1;
    for (const struct json *v = allow ? json_first(allow) : NULL; v; v = json_next(v))
        if (allow_read(p, d, v, e))
            return -1;
    return 0;
}

int policy_read(struct policy *p, const char *path, struct err *e)
{
    static const char *const keys[] = {"schema",       "max_slowdown", "max_insns", "max_size",
                                       "max_modelled", "cells",        "allow",     NULL};
    size_t before = p->n;
    int allowed[ALLOW_COUNT];
    struct json_doc *d = datafile_open(path, SCHEMA, keys, e);
    if (!d)
        return -1;
    memcpy(allowed, p->allow, sizeof allowed);
    int rc = root_read(p, d, e);
    if (rc) {
        /* Named on the command line: the user's words, as in all data files. */
        e->exit_code = EXIT_USAGE;
        limits_cut(p, before);
        memcpy(p->allow, allowed, sizeof allowed);
    }
    json_close(d);
    return rc;
}

double policy_limit(const struct policy *p, enum metric m, const char *name)
{
    for (size_t i = p->n; i-- > 0;)
        if (p->limits[i].metric == m && !fnmatch(p->limits[i].pattern, name, 0))
            return p->limits[i].most;
    return metrics[m].most;
}

void policy_free(struct policy *p)
{
    limits_cut(p, 0);
    free(p->limits);
    *p = (struct policy){0};
}

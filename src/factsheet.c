/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "factsheet.h"

#include <inttypes.h>
#include <stdlib.h>

#include "escape.h"
#include "mem.h"
#include "str.h"

enum { MOST_ENTRIES = 256 }; /* of a list that is written out */

struct sheet {
    FILE *f;
    const struct json_doc *d;
};

static void row_print(const struct sheet *s, const char *path, const char *value)
{
    char *safe_path = escape_xml(path), *safe = escape_xml(value);
    fprintf(s->f, "<tr><th scope=\"row\">%s</th><td>%s</td></tr>\n", safe_path, safe);
    free(safe_path);
    free(safe);
}

/* NULL for what is no scalar; else the caller's. */
static char *scalar_text(const struct json *v)
{
    const char *text;
    switch (json_typeof(v)) {
    case JSON_NULL:
        return xstrdup("not known");
    case JSON_BOOL:
        return xstrdup(json_value_bool(v) ? "yes" : "no");
    case JSON_NUMBER:
        return xstrdup(json_number_text(v));
    case JSON_STRING:
        return xstrdup(json_value_str(v, &text) ? "" : text);
    default:
        return NULL;
    }
}

/* Such as [[1000000, 20], [2000000, 350]]: "1000000: 20, 2000000: 350". */
static char *pairs_text(const struct sheet *s, const struct json *object, const char *key)
{
    struct str out = STR_INIT;
    struct err e = ERR_INIT;
    const uint64_t *v;
    size_t n;
    if (!json_pairs(s->d, object, key, &v, &n, &e))
        for (size_t i = 0; i < n; i++)
            str_addf(&out, "%s%" PRIu64 ": %" PRIu64, i ? ", " : "", v[2 * i], v[2 * i + 1]);
    err_clear(&e);
    return str_take(&out);
}

/* The scalars of a list in one line; NULL when it has other things. */
static char *list_text(const struct json *list)
{
    struct str out = STR_INIT;
    for (const struct json *v = json_first(list); v; v = json_next(v)) {
        char *text = scalar_text(v);
        if (!text) {
            str_free(&out);
            return NULL;
        }
        str_addf(&out, "%s%s", out.n ? ", " : "", text);
        free(text);
    }
    if (!out.n)
        str_add(&out, "none");
    return str_take(&out);
}

/* A list of objects is walked; of anything deeper only the count is told. */
static int is_walked(const struct json *list)
{
    const struct json *first = json_first(list);
    return first && json_typeof(first) == JSON_OBJECT && json_count(list) <= MOST_ENTRIES;
}

static void value_print(const struct sheet *s, const struct json *parent, const struct json *v,
                        const char *path);

static void list_print(const struct sheet *s, const struct json *list, const char *path)
{
    char *text = json_count(list) <= MOST_ENTRIES ? list_text(list) : NULL;
    size_t i = 0;
    if (text) {
        row_print(s, path, text);
    } else if (is_walked(list)) {
        for (const struct json *v = json_first(list); v; v = json_next(v)) {
            char *at = xasprintf("%s[%zu]", path, i++);
            value_print(s, list, v, at);
            free(at);
        }
    } else {
        text = xasprintf("%zu entries, in the result file", json_count(list));
        row_print(s, path, text);
    }
    free(text);
}

static void object_print(const struct sheet *s, const struct json *object, const char *path)
{
    for (const struct json *v = json_first(object); v; v = json_next(v)) {
        char *at = xasprintf("%s%s%s", path, *path ? "." : "", json_key(v));
        value_print(s, object, v, at);
        free(at);
    }
}

/* Nesting is bounded by json_open(): 64 levels. */
static void value_print(const struct sheet *s, const struct json *parent, const struct json *v,
                        const char *path)
{
    char *text = NULL;
    if (json_typeof(v) == JSON_OBJECT) {
        object_print(s, v, path);
        return;
    }
    if (json_typeof(v) == JSON_ARRAY) {
        list_print(s, v, path);
        return;
    }
    text = json_typeof(v) == JSON_PAIRS ? pairs_text(s, parent, json_key(v)) : scalar_text(v);
    row_print(s, path, text);
    free(text);
}

void factsheet_print(FILE *f, const struct json_doc *d, const struct json *object,
                     const char *caption)
{
    struct sheet s = {f, d};
    char *safe = escape_xml(caption);
    fprintf(f, "<table class=\"facts\"><caption>%s</caption>\n<tbody>\n", safe);
    object_print(&s, object, "");
    fputs("</tbody></table>\n", f);
    free(safe);
}

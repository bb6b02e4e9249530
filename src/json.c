/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "json.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "arena.h"
#include "catalog.h"
#include "file.h"
#include "jsonscan.h"
#include "mem.h"
#include "number.h"

/*
 * struct json is never defined: a pointer to one is a pointer to cJSON. cJSON keeps numbers as
 * doubles, which hold integers up to 2^53 only, so every number here has its text in valuestring as
 * well. The text decides; the double serves json_double(). In a document that was read it lies in
 * the document's text (cJSON_IsReference keeps cJSON from freeing it). Arrays of pairs that the
 * scan has read are nodes of type cJSON_Raw, whose valueint is the index among the scan's.
 */
struct json_doc {
    char *name;
    char *text; /* numbers of the tree point into it */
    struct json_scan marks;
    struct arena arena; /* the tree of a packed document */
    cJSON *root;
};

static cJSON *node(const struct json *v)
{
    return (cJSON *)v;
}

static struct json *value(const cJSON *n)
{
    return (struct json *)n;
}

/* A result of cJSON that is only NULL (or false) when there is no memory. */
static cJSON *must(cJSON *n)
{
    if (!n) {
        fputs("crypto-bench: out of memory\n", stderr);
        exit(EXIT_FAILED);
    }
    return n;
}

/* ---- reading ---- */

/* Goes through tree and marks side by side: both are in the order of the text. */
struct join {
    char *text;
    const char *name;
    const struct json_scan *scan;
    const size_t *mark;
    size_t packed; /* how many were met */
    struct err *e;
};

struct member {
    const char *key;
    size_t at;
};

static int compare_members(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    int r = strcmp(x->key, y->key);
    return r ? r : (x->at > y->at) - (x->at < y->at);
}

static int refuse_duplicates(const struct join *j, struct member *m, size_t n)
{
    if (n < 2)
        return 0;
    qsort(m, n, sizeof *m, compare_members);
    for (size_t i = 1; i < n; i++) {
        if (strcmp(m[i].key, m[i - 1].key) == 0) {
            char *what = xasprintf("duplicate key \"%s\"", m[i].key);
            json_scan_error(j->e, j->name, j->text, m[i].at, what);
            free(what);
            return -1;
        }
    }
    return 0;
}

static int join_number(struct join *j, cJSON *n)
{
    size_t at = *j->mark++;
    if (j->packed < j->scan->npacked && j->scan->packed[j->packed].from == at) {
        n->type = cJSON_Raw;
        n->valueint = (int)j->packed++;
        return 0;
    }
    n->valuestring = j->text + at;
    n->type |= cJSON_IsReference;
    if (isfinite(n->valuedouble))
        return 0;
    return json_scan_error(j->e, j->name, j->text, at, "number too large for a double");
}

static int join_value(struct join *j, cJSON *n)
{
    if (cJSON_IsNumber(n))
        return join_number(j, n);
    int is_object = cJSON_IsObject(n), r = 0;
    if (!is_object && !cJSON_IsArray(n))
        return 0;
    struct member *members = NULL;
    size_t count = 0;
    if (is_object)
        members = xcalloc(json_count(value(n)), sizeof *members);
    for (cJSON *child = n->child; child && r == 0; child = child->next) {
        if (is_object)
            members[count++] = (struct member){child->string, *j->mark++};
        r = join_value(j, child);
    }
    if (r == 0 && is_object)
        r = refuse_duplicates(j, members, count);
    free(members);
    return r;
}

static _Thread_local struct arena *parse_arena; /* NULL: memory of the usual kind */

static void *parse_take(size_t n)
{
    return parse_arena ? arena_take(parse_arena, n) : xmalloc(n);
}

static void parse_drop(void *p)
{
    if (!parse_arena)
        free(p);
}

static void hooks_set(void)
{
    cJSON_Hooks hooks = {parse_take, parse_drop};
    cJSON_InitHooks(&hooks);
}

/* The text is known to be good, so that only memory can be lacking. arena: where the tree goes. */
static cJSON *tree_make(const char *text, size_t n, struct arena *arena)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, hooks_set);
    parse_arena = arena;
    cJSON *root = must(cJSON_ParseWithLength(text, n));
    parse_arena = NULL;
    return root;
}

/* Takes text over. */
static struct json_doc *doc_make(char *text, size_t n, const char *name, const char *const *skip,
                                 struct err *e)
{
    struct json_doc *d = xcalloc(1, sizeof *d);
    d->name = xstrdup(name);
    d->text = text;
    if (json_scan(text, n, name, skip, &d->marks, e)) {
        json_close(d);
        return NULL;
    }
    json_scan_blank(text, &d->marks);
    d->root = tree_make(text, n, skip ? &d->arena : NULL);
    struct join j = {text, name, &d->marks, d->marks.at, 0, e};
    if (join_value(&j, d->root)) {
        json_close(d);
        return NULL;
    }
    json_scan_end_numbers(text, &d->marks);
    return d;
}

struct json_doc *json_parse(const char *text, size_t n, const char *name, struct err *e)
{
    return doc_make(xstrndup(text, n), n, name, NULL, e);
}

struct json_doc *json_parse_packed(const char *text, size_t n, const char *name,
                                   const char *const *skip, struct err *e)
{
    return doc_make(xstrndup(text, n), n, name, skip, e);
}

static struct json_doc *file_parse(const char *path, const char *const *skip, struct err *e)
{
    struct str text = STR_INIT;
    if (file_read(path, (size_t)1 << 30, &text, e)) {
        str_free(&text);
        return NULL;
    }
    size_t n = text.n;
    return doc_make(str_take(&text), n, path, skip, e);
}

struct json_doc *json_open(const char *path, struct err *e)
{
    return file_parse(path, NULL, e);
}

struct json_doc *json_open_packed(const char *path, const char *const *skip, struct err *e)
{
    return file_parse(path, skip, e);
}

const struct json *json_root(const struct json_doc *d)
{
    return value(d->root);
}

void json_close(struct json_doc *d)
{
    if (!d)
        return;
    if (!d->arena.pieces)
        cJSON_Delete(d->root);
    arena_free(&d->arena);
    json_scan_free(&d->marks);
    free(d->text);
    free(d->name);
    free(d);
}

/* Nodes do not know their parents; a search is good enough for an error. */
static int path_find(const cJSON *from, const cJSON *wanted, struct str *path)
{
    if (from == wanted)
        return 1;
    size_t before = path->n, i = 0;
    for (const cJSON *child = from->child; child; child = child->next, i++) {
        if (cJSON_IsObject(from))
            json_path_add(path, child->string);
        else
            str_addf(path, "[%zu]", i);
        if (path_find(child, wanted, path))
            return 1;
        path->n = before;
        path->p[before] = '\0';
    }
    return 0;
}

static struct str where_find(const struct json_doc *d, const struct json *v)
{
    struct str path = STR_INIT;
    str_addf(&path, "%s: $", d->name);
    path_find(d->root, node(v), &path);
    return path;
}

char *json_where(const struct json_doc *d, const struct json *v)
{
    struct str path = where_find(d, v);
    return str_take(&path);
}

enum json_type json_typeof(const struct json *v)
{
    switch (node(v)->type & 0xff) {
    case cJSON_Raw:
        return JSON_PAIRS;
    case cJSON_True:
    case cJSON_False:
        return JSON_BOOL;
    case cJSON_Number:
        return JSON_NUMBER;
    case cJSON_String:
        return JSON_STRING;
    case cJSON_Array:
        return JSON_ARRAY;
    case cJSON_Object:
        return JSON_OBJECT;
    default:
        return JSON_NULL;
    }
}

/* -1 with "WHERE: expected WHAT, found ..."; digits: 1 to show the number that was found. */
static int unexpected(const struct json_doc *d, const struct json *v, const char *what, int digits,
                      struct err *e)
{
    static const char *const types[] = {
        [JSON_NULL] = "null",
        [JSON_BOOL] = "a boolean",
        [JSON_NUMBER] = "a number",
        [JSON_STRING] = "a string",
        [JSON_ARRAY] = "an array",
        [JSON_OBJECT] = "an object",
        [JSON_PAIRS] = "an array of pairs",
    };
    enum json_type type = json_typeof(v);
    char *where = json_where(d, v);
    err_set(e, "%s: expected %s, found %s", where, what,
            digits && type == JSON_NUMBER ? node(v)->valuestring : types[type]);
    free(where);
    return -1;
}

int json_only(const struct json_doc *d, const struct json *o, const char *const *keys,
              struct err *e)
{
    if (json_typeof(o) != JSON_OBJECT)
        return unexpected(d, o, "an object", 0, e);
    for (const cJSON *m = node(o)->child; m; m = m->next) {
        size_t i = 0;
        while (keys[i] && strcmp(keys[i], m->string) != 0)
            i++;
        if (keys[i])
            continue;
        struct list known = LIST_INIT;
        for (i = 0; keys[i]; i++)
            list_add(&known, keys[i]);
        const char *near = suggest(m->string, &known);
        char *where = json_where(d, value(m));
        char *all = list_join(&known, ", ");
        if (near)
            err_set(e, "%s: unknown key; did you mean '%s'? Known: %s", where, near, all);
        else
            err_set(e, "%s: unknown key. Known: %s", where, all);
        free(all);
        free(where);
        list_free(&known);
        return -1;
    }
    return 0;
}

const struct json *json_get(const struct json *o, const char *key)
{
    return value(cJSON_GetObjectItemCaseSensitive(node(o), key));
}

/* The member, or NULL in *out when it may be absent and is. */
static int member_get(const struct json_doc *d, const struct json *o, const char *key,
                      enum json_need need, const char *what, const struct json **out, struct err *e)
{
    *out = NULL;
    if (json_typeof(o) != JSON_OBJECT)
        return unexpected(d, o, "an object", 0, e);
    *out = json_get(o, key);
    if (*out || need == JSON_OPTIONAL)
        return 0;
    struct str where = where_find(d, o);
    json_path_add(&where, key);
    err_set(e, "%s: expected %s, found nothing", where.p, what);
    str_free(&where);
    return -1;
}

int json_str_ref(const struct json_doc *d, const struct json *o, const char *key,
                 enum json_need need, const char **out, struct err *e)
{
    const struct json *v;
    if (member_get(d, o, key, need, "a string", &v, e))
        return -1;
    if (!v || (need == JSON_OPTIONAL && json_typeof(v) == JSON_NULL))
        return 0;
    return json_value_str(v, out) ? unexpected(d, v, "a string", 0, e) : 0;
}

int json_str(const struct json_doc *d, const struct json *o, const char *key, enum json_need need,
             char **out, struct err *e)
{
    const char *s = NULL;
    if (json_str_ref(d, o, key, need, &s, e))
        return -1;
    if (s)
        *out = xstrdup(s);
    return 0;
}

int json_bool(const struct json_doc *d, const struct json *o, const char *key, enum json_need need,
              int *out, struct err *e)
{
    const struct json *v;
    if (member_get(d, o, key, need, "true or false", &v, e))
        return -1;
    if (!v)
        return 0;
    if (json_typeof(v) != JSON_BOOL)
        return unexpected(d, v, "true or false", 0, e);
    *out = cJSON_IsTrue(node(v));
    return 0;
}

int json_u64(const struct json_doc *d, const struct json *o, const char *key, enum json_need need,
             uint64_t *out, struct err *e)
{
    static const char what[] = "an integer from 0 to 18446744073709551615";
    const struct json *v;
    if (member_get(d, o, key, need, what, &v, e))
        return -1;
    if (!v)
        return 0;
    return json_value_u64(v, out) ? unexpected(d, v, what, 1, e) : 0;
}

/* 1 when the text of a number is an integer: digits, perhaps after a minus. */
static int is_integer(const char *text)
{
    text += *text == '-';
    return text[strspn(text, "0123456789")] == '\0';
}

int json_i64(const struct json_doc *d, const struct json *o, const char *key, enum json_need need,
             int64_t *out, struct err *e)
{
    static const char what[] = "an integer from -9223372036854775808 to 9223372036854775807";
    const struct json *v;
    if (member_get(d, o, key, need, what, &v, e))
        return -1;
    if (!v)
        return 0;
    int64_t i = 0;
    errno = 0;
    if (json_typeof(v) == JSON_NUMBER && is_integer(node(v)->valuestring))
        i = strtoll(node(v)->valuestring, NULL, 10);
    else
        errno = EINVAL;
    if (errno)
        return unexpected(d, v, what, 1, e);
    *out = i;
    return 0;
}

int json_double(const struct json_doc *d, const struct json *o, const char *key,
                enum json_need need, double *out, struct err *e)
{
    const struct json *v;
    if (member_get(d, o, key, need, "a number", &v, e))
        return -1;
    if (!v)
        return 0;
    return json_value_double(v, out) ? unexpected(d, v, "a number", 0, e) : 0;
}

int json_strings(const struct json_doc *d, const struct json *o, const char *key,
                 enum json_need need, struct list *out, struct err *e)
{
    const struct json *v = NULL;
    if (json_array(d, o, key, need, &v, e))
        return -1;
    if (!v)
        return 0;
    for (const cJSON *item = node(v)->child; item; item = item->next)
        if (!cJSON_IsString(item))
            return unexpected(d, value(item), "a string", 0, e);
    for (const cJSON *item = node(v)->child; item; item = item->next)
        list_add(out, item->valuestring);
    return 0;
}

static int container_get(const struct json_doc *d, const struct json *o, const char *key,
                         enum json_need need, enum json_type type, const char *what,
                         const struct json **out, struct err *e)
{
    const struct json *v;
    if (member_get(d, o, key, need, what, &v, e))
        return -1;
    if (!v)
        return 0;
    if (json_typeof(v) != type)
        return unexpected(d, v, what, 0, e);
    *out = v;
    return 0;
}

int json_object(const struct json_doc *d, const struct json *o, const char *key,
                enum json_need need, const struct json **out, struct err *e)
{
    return container_get(d, o, key, need, JSON_OBJECT, "an object", out, e);
}

int json_array(const struct json_doc *d, const struct json *o, const char *key, enum json_need need,
               const struct json **out, struct err *e)
{
    return container_get(d, o, key, need, JSON_ARRAY, "an array", out, e);
}

int json_pairs(const struct json_doc *d, const struct json *o, const char *key,
               const uint64_t **out, size_t *n, struct err *e)
{
    static const char what[] = "an array of pairs of whole numbers";
    const struct json *v;
    *out = NULL;
    *n = 0;
    if (member_get(d, o, key, JSON_REQUIRED, what, &v, e))
        return -1;
    if (json_typeof(v) == JSON_ARRAY && !json_first(v))
        return 0;
    if (json_typeof(v) != JSON_PAIRS)
        return unexpected(d, v, what, 0, e);
    const struct json_packed *p = &d->marks.packed[node(v)->valueint];
    *out = p->v;
    *n = p->n;
    return 0;
}

const struct json *json_first(const struct json *v)
{
    return value(node(v)->child);
}

const struct json *json_next(const struct json *v)
{
    return value(node(v)->next);
}

const char *json_key(const struct json *v)
{
    return node(v)->string;
}

size_t json_count(const struct json *v)
{
    size_t n = 0;
    for (const cJSON *child = node(v)->child; child; child = child->next)
        n++;
    return n;
}

int json_value_str(const struct json *v, const char **out)
{
    if (json_typeof(v) != JSON_STRING)
        return -1;
    *out = node(v)->valuestring;
    return 0;
}

int json_value_u64(const struct json *v, uint64_t *out)
{
    if (json_typeof(v) != JSON_NUMBER)
        return -1;
    const char *text = node(v)->valuestring;
    if (*text == '-' || !is_integer(text))
        return -1;
    errno = 0;
    uint64_t u = strtoull(text, NULL, 10);
    if (errno)
        return -1;
    *out = u;
    return 0;
}

int json_value_double(const struct json *v, double *out)
{
    if (json_typeof(v) != JSON_NUMBER)
        return -1;
    *out = node(v)->valuedouble;
    return 0;
}

const char *json_number_text(const struct json *v)
{
    return node(v)->valuestring;
}

int json_value_bool(const struct json *v)
{
    return cJSON_IsTrue(node(v));
}

/* ---- building ---- */

struct json *json_new_object(void)
{
    return value(must(cJSON_CreateObject()));
}

struct json *json_new_array(void)
{
    return value(must(cJSON_CreateArray()));
}

void json_free(struct json *root)
{
    cJSON_Delete(node(root));
}

void json_add(struct json *parent, const char *key, struct json *child)
{
    cJSON *p = node(parent), *c = node(child);
    cJSON_bool ok = key ? cJSON_AddItemToObject(p, key, c) : cJSON_AddItemToArray(p, c);
    must(ok ? c : NULL);
}

struct json *json_add_object(struct json *parent, const char *key)
{
    struct json *o = json_new_object();
    json_add(parent, key, o);
    return o;
}

struct json *json_add_array(struct json *parent, const char *key)
{
    struct json *a = json_new_array();
    json_add(parent, key, a);
    return a;
}

void json_add_null(struct json *parent, const char *key)
{
    json_add(parent, key, value(must(cJSON_CreateNull())));
}

void json_add_str(struct json *parent, const char *key, const char *s)
{
    if (!s)
        json_add_null(parent, key);
    else
        json_add(parent, key, value(must(cJSON_CreateString(s))));
}

void json_add_raw(struct json *parent, const char *key, const char *text)
{
    json_add(parent, key, value(must(cJSON_CreateRaw(text))));
}

void json_add_bool(struct json *parent, const char *key, int v)
{
    json_add(parent, key, value(must(cJSON_CreateBool(v != 0))));
}

/* Takes text over. */
static void add_number(struct json *parent, const char *key, double v, char *text)
{
    cJSON *n = must(cJSON_CreateNumber(v));
    n->valuestring = text;
    json_add(parent, key, value(n));
}

void json_add_u64(struct json *parent, const char *key, uint64_t v)
{
    add_number(parent, key, (double)v, xasprintf("%" PRIu64, v));
}

void json_add_i64(struct json *parent, const char *key, int64_t v)
{
    add_number(parent, key, (double)v, xasprintf("%" PRId64, v));
}

void json_add_double(struct json *parent, const char *key, double v)
{
    if (!isfinite(v)) {
        json_add_null(parent, key);
        return;
    }
    add_number(parent, key, v, double_text(v));
}

void json_add_strings(struct json *parent, const char *key, const struct list *l)
{
    struct json *a = json_add_array(parent, key);
    for (size_t i = 0; l && i < l->n; i++)
        json_add_str(a, NULL, l->v[i]);
}

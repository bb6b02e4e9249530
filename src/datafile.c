/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "datafile.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "mem.h"

/* A hand-written file; the largest shipped one has 3 kB. */
#define DATAFILE_MAX (1u << 20)

int datafile_refuse(const struct json_doc *d, const struct json *o, const char *key, struct err *e,
                    const char *fmt, ...)
{
    struct str text = STR_INIT;
    const struct json *v = key ? json_get(o, key) : NULL;
    char *where = json_where(d, v ? v : o);
    va_list ap;
    va_start(ap, fmt);
    str_vaddf(&text, fmt, ap);
    va_end(ap);
    if (key && !v)
        err_usage(e, "%s.%s: %s", where, key, text.p);
    else
        err_usage(e, "%s: %s", where, text.p);
    free(where);
    str_free(&text);
    return -1;
}

struct json_doc *datafile_open(const char *path, const char *schema, const char *const *keys,
                               struct err *e)
{
    char *found = NULL;
    struct str text = STR_INIT;
    struct json_doc *d = NULL;
    if (!file_read(path, DATAFILE_MAX, &text, e))
        d = json_parse(text.p, text.n, path, e);
    str_free(&text);
    if (!d) {
        e->exit_code = EXIT_USAGE;
        return NULL;
    }
    const struct json *root = json_root(d);
    /* The schema first: a file of another kind should be told so, not of its first odd key. */
    if (json_typeof(root) == JSON_OBJECT) {
        if (json_str(d, root, "schema", JSON_REQUIRED, &found, e))
            goto fail;
        if (strcmp(found, schema)) {
            datafile_refuse(d, root, "schema", e, "expected '%s', found '%s'", schema, found);
            goto fail;
        }
    }
    if (json_only(d, root, keys, e))
        goto fail;
    free(found);
    return d;
fail:
    e->exit_code = EXIT_USAGE;
    free(found);
    json_close(d);
    return NULL;
}

/* Results name things by these words; tables have them as columns. 'all' is taken. */
#define NAME_MAX_BYTES 64
#define LETTERS        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

int name_is_sane(const char *s)
{
    return *s && *s != '-' && *s != '.' && strlen(s) <= NAME_MAX_BYTES && strcmp(s, "all") != 0 &&
           !s[strspn(s, LETTERS "0123456789._+-")];
}

static int has_control(const char *s)
{
    for (; *s; s++)
        if ((unsigned char)*s < ' ' || *s == 127)
            return 1;
    return 0;
}

static int name_check(const struct json_doc *d, const struct json *o, const char *key,
                      const char *s, struct err *e)
{
    if (name_is_sane(s))
        return 0;
    return datafile_refuse(d, o, key, e,
                           "'%s' is no name: letters, digits and ._+- only, not beginning with "
                           "'-' or '.'",
                           s);
}

static int word_check(const struct json_doc *d, const struct json *o, const char *key,
                      const char *s, int empty_too, struct err *e)
{
    if (!*s && !empty_too)
        return datafile_refuse(d, o, key, e, "must not be empty");
    /* '=' is for -DNAME=VALUE, ',' for -Wa,OPTION. */
    if (has_control(s) || s[strcspn(s, " \"'`\\$#;&|<>(){}[]*?!")])
        return datafile_refuse(d, o, key, e,
                               "'%s' has white space or a character special to make or the shell; "
                               "give one option a string",
                               s);
    return 0;
}

int datafile_name(const struct json_doc *d, const struct json *o, const char *key,
                  enum json_need need, char **out, struct err *e)
{
    char *s = NULL;
    if (json_str(d, o, key, need, &s, e))
        return -1;
    if (s && name_check(d, o, key, s, e)) {
        free(s);
        return -1;
    }
    if (s)
        *out = s;
    return 0;
}

int datafile_text(const struct json_doc *d, const struct json *o, const char *key,
                  enum json_need need, char **out, struct err *e)
{
    char *s = NULL;
    if (json_str(d, o, key, need, &s, e))
        return -1;
    if (s && (!*s || has_control(s))) {
        free(s);
        return datafile_refuse(d, o, key, e, "must be one line of text without control characters");
    }
    if (s)
        *out = s;
    return 0;
}

int datafile_word(const struct json_doc *d, const struct json *o, const char *key,
                  enum json_need need, int empty_too, char **out, struct err *e)
{
    char *s = NULL;
    if (json_str(d, o, key, need, &s, e))
        return -1;
    if (s && word_check(d, o, key, s, empty_too, e)) {
        free(s);
        return -1;
    }
    if (s)
        *out = s;
    return 0;
}

/* Array of strings that check accepts; errors name the element. */
static int list_get(const struct json_doc *d, const struct json *o, const char *key,
                    int (*check)(const struct json_doc *, const struct json *, const char *,
                                 struct err *),
                    struct list *out, struct err *e)
{
    const struct json *array = NULL;
    struct list found = LIST_INIT;
    int rc = -1;
    /* json_strings() for its errors about types, the walk for the place of a bad value. */
    if (json_strings(d, o, key, JSON_OPTIONAL, &found, e) ||
        json_array(d, o, key, JSON_OPTIONAL, &array, e))
        goto out;
    size_t i = 0;
    for (const struct json *v = array ? json_first(array) : NULL; v; v = json_next(v), i++)
        if (check(d, v, found.v[i], e))
            goto out;
    list_add_all(out, &found);
    rc = 0;
out:
    list_free(&found);
    return rc;
}

static int word_element(const struct json_doc *d, const struct json *v, const char *s,
                        struct err *e)
{
    return word_check(d, v, NULL, s, 0, e);
}

static int name_element(const struct json_doc *d, const struct json *v, const char *s,
                        struct err *e)
{
    return name_check(d, v, NULL, s, e);
}

static int flag_element(const struct json_doc *d, const struct json *v, const char *s,
                        struct err *e)
{
    if (*s && *s != '-')
        return datafile_refuse(d, v, NULL, e, "'%s' is no compiler option; options begin with '-'",
                               s);
    return word_check(d, v, NULL, s, 0, e);
}

int datafile_flags(const struct json_doc *d, const struct json *o, const char *key,
                   struct list *out, struct err *e)
{
    return list_get(d, o, key, flag_element, out, e);
}

static int url_element(const struct json_doc *d, const struct json *v, const char *s, struct err *e)
{
    static const char *const schemes[] = {"https://", "http://", "ftp://", "file://"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (!strncmp(s, schemes[i], strlen(schemes[i])) && !has_control(s) && !strchr(s, ' '))
            return 0;
    return datafile_refuse(d, v, NULL, e,
                           "'%s' is no URL; expected https://, http://, ftp:// or file://", s);
}

int datafile_urls(const struct json_doc *d, const struct json *o, const char *key, struct list *out,
                  struct err *e)
{
    return list_get(d, o, key, url_element, out, e);
}

int datafile_words(const struct json_doc *d, const struct json *o, const char *key,
                   struct list *out, struct err *e)
{
    return list_get(d, o, key, word_element, out, e);
}

int datafile_names(const struct json_doc *d, const struct json *o, const char *key,
                   struct list *out, struct err *e)
{
    return list_get(d, o, key, name_element, out, e);
}

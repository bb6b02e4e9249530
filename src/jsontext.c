/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/* Values as text; the part of json.h that needs nothing of their inside. */
#include <string.h>

#include "json.h"
#include "jsonscan.h"

enum { LINE_MAX_BYTES = 100 }; /* longest array of strings that is put on one line */

static const char *string_of(const struct json *v)
{
    const char *s = "";
    json_value_str(v, &s);
    return s;
}

static const char *scalar_text(const struct json *v)
{
    switch (json_typeof(v)) {
    case JSON_NUMBER:
    case JSON_PAIRS: /* what was added raw: of a document that was read, none is printed */
        return json_number_text(v);
    case JSON_BOOL:
        return json_value_bool(v) ? "true" : "false";
    case JSON_STRING:
        return string_of(v);
    default:
        return "null";
    }
}

static void print_scalar(struct str *out, const struct json *v)
{
    if (json_typeof(v) == JSON_STRING)
        json_quote(out, string_of(v));
    else
        str_add(out, scalar_text(v));
}

static int is_number(const struct json *v)
{
    return v && json_typeof(v) == JSON_NUMBER;
}

static int is_container(const struct json *v)
{
    return json_typeof(v) == JSON_ARRAY || json_typeof(v) == JSON_OBJECT;
}

static int is_pair(const struct json *v)
{
    if (json_typeof(v) != JSON_ARRAY || !is_number(json_first(v)))
        return 0;
    const struct json *second = json_next(json_first(v));
    return is_number(second) && !json_next(second);
}

/* The arrays that go on one line: of numbers, of [number, number] pairs, and of scalars when
 * that is short. */
static int is_one_line(const struct json *v)
{
    if (!json_first(v))
        return 1;
    if (json_typeof(v) != JSON_ARRAY)
        return 0;
    int numbers = 1, pairs = 1, scalars = 1;
    size_t bytes = 0;
    for (const struct json *c = json_first(v); c && (numbers || pairs || scalars);
         c = json_next(c)) {
        numbers = numbers && is_number(c);
        pairs = pairs && is_pair(c);
        scalars = scalars && !is_container(c) && bytes <= LINE_MAX_BYTES;
        if (scalars)
            bytes += 4 + strlen(scalar_text(c));
    }
    return numbers || pairs || (scalars && bytes <= LINE_MAX_BYTES);
}

/* indent: spaces before the line v begins on; -1: everything stays on that line. gap: " " or "",
 * put after colons, and after commas inside a line. */
static void print_value(struct str *out, const struct json *v, int indent, const char *gap)
{
    if (!is_container(v)) {
        print_scalar(out, v);
        return;
    }
    int is_object = json_typeof(v) == JSON_OBJECT, flat = indent < 0 || is_one_line(v);
    str_addc(out, is_object ? '{' : '[');
    for (const struct json *child = json_first(v); child; child = json_next(child)) {
        if (!flat)
            str_addf(out, "\n%*s", indent + 2, "");
        if (is_object) {
            json_quote(out, json_key(child));
            str_addf(out, ":%s", gap);
        }
        print_value(out, child, flat ? -1 : indent + 2, gap);
        if (json_next(child))
            str_addf(out, ",%s", flat ? gap : "");
    }
    if (!flat)
        str_addf(out, "\n%*s", indent, "");
    str_addc(out, is_object ? '}' : ']');
}

char *json_text(const struct json *v)
{
    struct str s = STR_INIT;
    print_value(&s, v, 0, " ");
    str_addc(&s, '\n');
    return str_take(&s);
}

char *json_line(const struct json *v)
{
    struct str s = STR_INIT;
    print_value(&s, v, -1, "");
    return str_take(&s);
}

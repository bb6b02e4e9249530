/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "escape.h"

#include <stdlib.h>
#include <string.h>

#include "jsonscan.h"
#include "mem.h"
#include "str.h"

/* What stands for a character that is not to appear as it is. */
struct replacement {
    char from;
    const char *to;
};

/* The table ends with '\0'. */
static const char *replacement(const struct replacement *table, char c)
{
    for (; table->from; table++)
        if (table->from == c)
            return table->to;
    return NULL;
}

/* Takes one character from *p, and shows it when it is a control character or no character. */
static void text_next(struct str *out, const char **p)
{
    static const struct replacement named[] = {{'\n', "\\n"}, {'\r', "\\r"}, {'\t', "\\t"}, {0, 0}};
    const char *s = *p, *name = replacement(named, *s);
    const unsigned char *u = (const unsigned char *)s;
    size_t n = utf8_length(s, strnlen(s, 4));

    *p += n ? n : 1;
    if (name)
        str_add(out, name);
    else if (!n)
        str_add(out, "\\ufffd");
    else if (*u < ' ' || *u == 0x7f)
        str_addf(out, "\\u%04x", *u);
    else if (n == 2 && u[0] == 0xc2 && u[1] < 0xa0) /* U+0080 to U+009F: terminals obey these */
        str_addf(out, "\\u%04x", u[1]);
    else
        str_addn(out, s, n);
}

char *escape_text(const char *s)
{
    struct str out = STR_INIT;
    while (s && *s)
        text_next(&out, &s);
    return str_take(&out);
}

char *escape_xml(const char *s)
{
    static const struct replacement table[] = {{'&', "&amp;"},  {'<', "&lt;"},    {'>', "&gt;"},
                                               {'"', "&quot;"}, {'\'', "&apos;"}, {'\t', "&#9;"},
                                               {'\n', "&#10;"}, {'\r', "&#13;"},  {0, 0}};
    struct str out = STR_INIT;
    while (s && *s) {
        const char *to = replacement(table, *s);
        if (to) {
            str_add(&out, to);
            s++;
        } else if (!strncmp(s, "\xef\xbf\xbe", 3) || !strncmp(s, "\xef\xbf\xbf", 3)) {
            /* U+FFFE and U+FFFF: good UTF-8, bad XML */
            str_addf(&out, "\\uff%02x", (unsigned char)s[2] + 0x40);
            s += 3;
        } else {
            text_next(&out, &s);
        }
    }
    return str_take(&out);
}

char *escape_script(const char *json)
{
    struct str out = STR_INIT;
    for (; json && *json; json++) {
        if (strchr("<>&", *json)) {
            str_addf(&out, "\\u%04x", *json);
        } else if (!strncmp(json, "\xe2\x80\xa8", 3) || !strncmp(json, "\xe2\x80\xa9", 3)) {
            str_addf(&out, "\\u20%02x", (unsigned char)json[2] - 0x80);
            json += 2;
        } else {
            str_addc(&out, *json);
        }
    }
    return str_take(&out);
}

char *escape_markdown(const char *s)
{
    /* Markup goes on inside <code>, unlike in a span of backticks. */
    static const struct replacement table[] = {
        {'&', "&amp;"},  {'<', "&lt;"},  {'>', "&gt;"},  {'\\', "&#92;"}, {'`', "&#96;"},
        {'*', "&#42;"},  {'_', "&#95;"}, {'[', "&#91;"}, {']', "&#93;"},  {'~', "&#126;"},
        {'|', "&#124;"}, {'!', "&#33;"}, {':', "&#58;"}, {'$', "&#36;"},  {0, 0}};
    char *text = escape_text(s);
    struct str out = STR_INIT;
    if (!*text) {
        str_add(&out, "``"); /* no span, and shown as it is */
    } else if (!strpbrk(text, "`\\")) {
        str_addf(&out, "`%s`", text);
    } else {
        /* A span cannot hold backticks plainly, nor, in a table, a backslash before a bar. */
        str_add(&out, "<code>");
        for (const char *p = text; *p; p++) {
            const char *to = replacement(table, *p);
            if (to)
                str_add(&out, to);
            else
                str_addc(&out, *p);
        }
        str_add(&out, "</code>");
    }
    free(text);
    return str_take(&out);
}

static int is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* Nothing that Markdown makes more of: no markup, and no link, mention or reference. An underscore
 * is none inside a word, nor a colon inside a time of day. */
static int is_plain(const char *s)
{
    if (!is_word(*s) || strstr(s, "www."))
        return 0;
    for (const char *p = s + 1; *p; p++) {
        int between = is_word(p[-1]) && is_word(p[1]);
        int digits = p[-1] <= '9' && p[1] >= '0' && p[1] <= '9';
        if (!is_word(*p) && !strchr(" .,-+/()%=", *p) && !(*p == '_' && between) &&
            !(*p == ':' && between && digits))
            return 0;
    }
    return 1;
}

char *escape_name(const char *s, const char *format)
{
    if (strcmp(format, "markdown") != 0)
        return escape_text(s);
    return !s || is_plain(s) ? xstrdup(s ? s : "") : escape_markdown(s);
}

void escape_names(struct list *out, const char *const *names, size_t n, const char *format)
{
    for (size_t i = 0; i < n; i++) {
        char *name = escape_name(names[i], format);
        list_add(out, name);
        free(name);
    }
}

char *escape_csv(const char *s)
{
    struct str out = STR_INIT;
    int quoted;
    if (!s || !*s)
        return xstrdup("");
    quoted = s[strcspn(s, ",\"\r\n")] || *s == ' ' || s[strlen(s) - 1] == ' ';
    str_add(&out, quoted ? "\"" : "");
    /* A spreadsheet would take these for the beginning of a formula. */
    if (strchr("=+-@\t\r\n", *s))
        str_addc(&out, '\'');
    while (*s) {
        if (*s == '"')
            str_addc(&out, '"');
        if (strchr("\"\t\r\n", *s))
            str_addc(&out, *s++);
        else
            text_next(&out, &s);
    }
    str_add(&out, quoted ? "\"" : "");
    return str_take(&out);
}

static char *escape_github(const char *s, const struct replacement *table)
{
    struct str out = STR_INIT;
    while (s && *s) {
        const char *to = replacement(table, *s);
        if (to) {
            str_add(&out, to);
            s++;
        } else {
            text_next(&out, &s);
        }
    }
    return str_take(&out);
}

char *escape_github_message(const char *s)
{
    static const struct replacement table[] = {{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}, {0, 0}};
    return escape_github(s, table);
}

char *escape_github_property(const char *s)
{
    static const struct replacement table[] = {{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"},
                                               {':', "%3A"}, {',', "%2C"},  {0, 0}};
    return escape_github(s, table);
}

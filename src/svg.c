/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "svg.h"

#include <stdlib.h>
#include <string.h>

#include "escape.h"

/* U+E000 to U+E002 stand for what XML would take for its own. Names that hold those are shown as
 * those characters are written in JSON. */
static const struct stand_in {
    const char *from, *to, *reference, *shown;
} stand_ins[] = {
    {"&", "\xee\x80\x80", "&amp;", "\\ue000"},
    {"<", "\xee\x80\x81", "&lt;", "\\ue001"},
    {">", "\xee\x80\x82", "&gt;", "\\ue002"},
};

enum { STAND_INS = sizeof stand_ins / sizeof *stand_ins };

static int starts(const char *s, const char *with)
{
    return !strncmp(s, with, strlen(with));
}

/* U+FFFE and U+FFFF, which XML forbids. */
static int is_forbidden(const char *s)
{
    return starts(s, "\xef\xbf\xbe") || starts(s, "\xef\xbf\xbf");
}

char *svg_text(const char *s)
{
    char *line = escape_text(s);
    struct str out = STR_INIT;
    for (const char *p = line; *p;) {
        size_t i = 0;
        while (i < STAND_INS && !starts(p, stand_ins[i].from) && !starts(p, stand_ins[i].to))
            i++;
        if (i < STAND_INS) {
            int own = starts(p, stand_ins[i].from);
            str_add(&out, own ? stand_ins[i].to : stand_ins[i].shown);
            p += strlen(own ? stand_ins[i].from : stand_ins[i].to);
        } else if (is_forbidden(p)) {
            str_addf(&out, "\\uff%02x", (unsigned char)p[2] + 0x40);
            p += 3;
        } else {
            str_addc(&out, *p++);
        }
    }
    free(line);
    return str_take(&out);
}

/* Between tags: stand-ins become references. */
static void text_copy(const char *p, const char *end, struct str *out)
{
    while (p < end) {
        size_t i = 0;
        while (i < STAND_INS && !starts(p, stand_ins[i].to))
            i++;
        if (i < STAND_INS) {
            str_add(out, stand_ins[i].reference);
            p += strlen(stand_ins[i].to);
        } else {
            str_addc(out, *p++);
        }
    }
}

/* What is changed inside of tags: after these goes the prefix. */
static const char *const id_keys[] = {" id='", " id=\"", "xlink:href='#", "xlink:href=\"#",
                                      "url(#"};

/* In a page: black and the grid's grey, of which the page's colour of text takes the place. */
static const struct {
    const char *from, *to;
} colours[] = {
    {"\"black\"", "\"currentColor\""},
    {"'black'", "'currentColor'"},
    {"'rgb(  0,   0,   0)'", "'currentColor'"},
    {"\"rgb(  0,   0,   0)\"", "\"currentColor\""},
    {"stroke='rgb(192, 192, 192)'", "stroke='currentColor' stroke-opacity='0.25'"},
};

static void tag_copy(const char *p, const char *end, const char *prefix, int inlined,
                     struct str *out)
{
    const size_t nkeys = sizeof id_keys / sizeof *id_keys;
    const size_t ncolours = inlined ? sizeof colours / sizeof *colours : 0;
    while (p < end) {
        size_t key = 0, colour = 0;
        while (key < nkeys && !starts(p, id_keys[key]))
            key++;
        while (colour < ncolours && !starts(p, colours[colour].from))
            colour++;
        if (key < nkeys) {
            str_addf(out, "%s%s", id_keys[key], prefix);
            p += strlen(id_keys[key]);
        } else if (colour < ncolours) {
            str_add(out, colours[colour].to);
            p += strlen(colours[colour].from);
        } else {
            str_addc(out, *p++);
        }
    }
}

/* The end of an element that is dropped with what is in it; NULL when p begins none. */
static const char *dropped(const char *p)
{
    static const struct {
        const char *open, *close;
    } elements[] = {{"<title>", "</title>"}, {"<desc>", "</desc>"}};
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        const char *end = starts(p, elements[i].open) ? strstr(p, elements[i].close) : NULL;
        if (end)
            return end + strlen(elements[i].close);
    }
    return NULL;
}

void svg_finish(const char *drawn, const char *title, const char *prefix, int inlined,
                struct str *out)
{
    const char *root = strstr(drawn, "<svg"), *p = inlined && root ? root : drawn;
    char *safe = escape_xml(title);
    while (*p) {
        const char *after = dropped(p);
        if (after) {
            p = after;
            continue;
        }
        const char *end = *p == '<' ? strchr(p, '>') : strchr(p, '<');
        end = !end ? p + strlen(p) : *p == '<' ? end + 1 : end;
        if (p == root) {
            str_add(out, "<svg role=\"img\"");
            tag_copy(p + strlen("<svg"), end, prefix, inlined, out);
            str_addf(out, "<title>%s</title>", safe);
        } else if (*p == '<') {
            tag_copy(p, end, prefix, inlined, out);
        } else {
            text_copy(p, end, out);
        }
        p = end;
    }
    free(safe);
}

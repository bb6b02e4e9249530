/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "gnuplotscript.h"
#include "mem.h"
#include "svg.h"

static const char drawn[] =
    "<?xml version=\"1.0\"?>\n<svg width=\"9\">\n<title>gnuplot</title>\n"
    "<desc>Produced by GNUPLOT 5.4 patchlevel 4 </desc>\n<g id=\"plot_1\" ><title>plot_1</title>\n"
    "<path id='gpPt1'/><use xlink:href='#gpPt1' color='black'/>"
    "<path stroke='rgb(192, 192, 192)'/><text fill=\"black\">id='black' "
    "\xee\x80\x81"
    "b\xee\x80\x82 \xee\x80\x80"
    "amp;</text></g></svg>\n";

static void finished(void **state)
{
    (void)state;
    struct str alone = STR_INIT, inlined = STR_INIT;
    svg_finish(drawn, "<\"title\">", "", 0, &alone);
    assert_string_equal(
        alone.p, "<?xml version=\"1.0\"?>\n<svg role=\"img\" "
                 "width=\"9\"><title>&lt;&quot;title&quot;&gt;</title>\n\n\n"
                 "<g id=\"plot_1\" >\n<path id='gpPt1'/><use xlink:href='#gpPt1' color='black'/>"
                 "<path stroke='rgb(192, 192, 192)'/><text fill=\"black\">id='black' "
                 "&lt;b&gt; &amp;amp;</text></g></svg>\n");
    svg_finish(drawn, "t", "p7", 1, &inlined);
    assert_string_equal(
        inlined.p,
        "<svg role=\"img\" width=\"9\"><title>t</title>\n\n\n<g id=\"p7plot_1\" >\n<path "
        "id='p7gpPt1'/>"
        "<use xlink:href='#p7gpPt1' color='currentColor'/>"
        "<path stroke='currentColor' stroke-opacity='0.25'/><text fill=\"currentColor\">id='black' "
        "&lt;b&gt; &amp;amp;</text></g></svg>\n");
    str_free(&alone);
    str_free(&inlined);
}

static void texts(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
    } cases[] = {
        {"a<b>&c", "a\xee\x80\x81"
                   "b\xee\x80\x82\xee\x80\x80"
                   "c"},
        {"\xee\x80\x80|\xee\x80\x81|\xee\x80\x83", "\\ue000|\\ue001|\xee\x80\x83"},
        {"a\nb\x1b\xff", "a\\nb\\u001b\\ufffd"},
        {"\xef\xbf\xbe\xef\xbf\xbf", "\\ufffe\\uffff"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = svg_text(cases[i].from);
        assert_string_equal(text, cases[i].to);
        free(text);
    }
}

static void shortened(void **state)
{
    (void)state;
    static const struct {
        const char *from;
        size_t most;
        const char *to;
    } cases[] = {
        {"abcdef", 6, "abcdef"},
        {"abcdefg", 6,
         "ab\xe2\x80\xa6"
         "efg"},
        {"\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f", 3, "\xc3\xa4\xe2\x80\xa6\xc3\x9f"},
        {"", 3, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = text_shortened(cases[i].from, cases[i].most);
        assert_string_equal(text, cases[i].to);
        free(text);
    }
}

/* A panel whose every text is that. */
static char *script_of(const char *text, int png)
{
    struct plot p = {0};
    struct plot_panel *panel = plot_panel_add(&p, xstrdup(text), xstrdup(text), xstrdup(text));
    panel->x_label = xstrdup(text);
    panel->y_label = text;
    plot_tic_add(panel, 1, xstrdup(text));
    struct plot_line *line = plot_line_add(panel, xstrdup(text), PLOT_JOINED);
    plot_point_add(line,
                   (struct plot_point){.x = 1, .y = 2, .low = 1, .high = 3, .have_interval = 1});
    plot_point_add(line, (struct plot_point){.x = 2, .y = 2.5, .apart = 1});
    char *script = gnuplot_script(p.v, p.n, (struct gnuplot_terminal){.png = png});
    plot_free(&p);
    return script;
}

/* Outside of single quotes there is nothing of the text: the script is the same for any. */
static void quoted(void **state)
{
    (void)state;
    static const char *const texts_of_users[] = {
        "it's", "`touch x`", "a\nsystem('x')", "\"; !ls; #", "@macro $(x)", "\\", "'", "''\\'"};
    char *plain = NULL;
    for (size_t i = 0; i < sizeof texts_of_users / sizeof *texts_of_users; i++) {
        char *script = script_of(texts_of_users[i], 1), *to = script;
        int inside = 0;
        for (const char *p = script; *p; p++) {
            inside ^= *p == '\'';
            if (!inside && *p != '\'')
                *to++ = *p;
            assert_true(!inside || *p != '\n');
        }
        *to = 0;
        assert_false(inside);
        if (!plain)
            plain = xstrdup(script);
        assert_string_equal(script, plain);
        free(script);
    }
    free(plain);
}

static void data(void **state)
{
    (void)state;
    char *script = script_of("x", 0);
    assert_non_null(strstr(script, "$line0 << END\n1 2 1 3\n\n2 2.5 NaN NaN\nEND\n"));
    assert_non_null(strstr(script, "set terminal svg "));
    free(script);
    script = script_of("\xe2\x80\xa8\xe2\x80\xae", 1);
    assert_non_null(strstr(script, "set terminal pngcairo "));
    assert_non_null(strstr(script, "'\\u2028\\u202e'"));
    free(script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finished), cmocka_unit_test(texts), cmocka_unit_test(shortened),
        cmocka_unit_test(quoted),   cmocka_unit_test(data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "escape.h"

static void escapes(void **state)
{
    (void)state;
    static const struct {
        char *(*escape)(const char *);
        const char *from, *to;
    } cases[] = {
        {escape_text, "plain \xc3\xa4 \\", "plain \xc3\xa4 \\"},
        {escape_text, "\n\r\t\x1b\x7f\x01", "\\n\\r\\t\\u001b\\u007f\\u0001"},
        {escape_text, "\xc2\x9b|\xff|\xc3", "\\u009b|\\ufffd|\\ufffd"},
        {escape_text, NULL, ""},
        {escape_xml, "<a b='c' d=\"e\">&amp;",
         "&lt;a b=&apos;c&apos; d=&quot;e&quot;&gt;&amp;amp;"},
        {escape_xml, "a\nb\tc\rd", "a&#10;b&#9;c&#13;d"},
        {escape_xml, "\x01\x1b\xef\xbf\xbe\xef\xbf\xbf\xed\xa0\x80",
         "\\u0001\\u001b\\ufffe\\uffff\\ufffd\\ufffd\\ufffd"},
        {escape_xml, "]]>\xf0\x9f\x98\x80", "]]&gt;\xf0\x9f\x98\x80"},
        {escape_script, "{\"a\":\"</script>&\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa\"}",
         "{\"a\":\"\\u003c/script\\u003e\\u0026\\u2028\\u2029\xe2\x80\xaa\"}"},
        {escape_markdown, "a_b|<c>@d", "`a_b|<c>@d`"},
        {escape_markdown, "a`b", "<code>a&#96;b</code>"},
        {escape_markdown, "a\n*<|", "<code>a&#92;n&#42;&lt;&#124;</code>"},
        {escape_markdown, "", "``"},
        {escape_csv, "plain x86_64/gcc", "plain x86_64/gcc"},
        {escape_csv, "a,b", "\"a,b\""},
        {escape_csv, "a\"b\r\n", "\"a\"\"b\r\n\""},
        {escape_csv, " a", "\" a\""},
        {escape_csv, "=1+1", "'=1+1"},
        {escape_csv, "-O2,x", "\"'-O2,x\""},
        {escape_csv, "\x1b[31m", "\\u001b[31m"},
        {escape_csv, "", ""},
        {escape_csv, NULL, ""},
        {escape_github_message, "50%\r\n::error::a,b", "50%25%0D%0A::error::a,b"},
        {escape_github_property, "50%\r\n::e,b", "50%25%0D%0A%3A%3Ae%2Cb"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = cases[i].escape(cases[i].from);
        assert_string_equal(text, cases[i].to);
        free(text);
    }
}

static void names(void **state)
{
    (void)state;
    static const struct {
        const char *from, *markdown, *table;
    } cases[] = {
        {"x86_64", "x86_64", "x86_64"},
        {"small-footprint 3.0.20", "small-footprint 3.0.20", "small-footprint 3.0.20"},
        {"2026-12-01T01:28:01Z", "2026-12-01T01:28:01Z", "2026-12-01T01:28:01Z"},
        {"_a_", "`_a_`", "_a_"},
        {"- a", "`- a`", "- a"},
        {"a|b", "`a|b`", "a|b"},
        {"http://a", "`http://a`", "http://a"},
        {"www.a", "`www.a`", "www.a"},
        {"a:b:", "`a:b:`", "a:b:"},
        {"@a", "`@a`", "@a"},
        {"a\nb", "<code>a&#92;nb</code>", "a\\nb"},
        {"", "``", ""},
        {NULL, "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *markdown = escape_name(cases[i].from, "markdown"),
             *table = escape_name(cases[i].from, "table");
        assert_string_equal(markdown, cases[i].markdown);
        assert_string_equal(table, cases[i].table);
        free(markdown);
        free(table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(escapes),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "comparison.h"
#include "file.h"
#include "mem.h"

/* Whatever a name may hold that means something to one of the formats. */
#define NASTY "a\"b'|<i>&`*\n::error::\x1b[31m,%"

static void add(struct comparison *c, struct finding f, const char *name)
{
    f.name = xstrdup(name);
    comparison_add(c, &f);
}

static void finish(struct comparison *c, const char *allowed)
{
    struct policy p;
    struct err e = ERR_INIT;
    policy_start(&p);
    if (allowed)
        assert_int_equal(policy_allow_add(&p, allowed, &e), 0);
    comparison_finish(c, &p);
    policy_free(&p);
}

/* One of each verdict. */
static struct comparison made(const char *allowed)
{
    struct comparison c = {.base_name = xstrdup("old.json"), .new_name = xstrdup(NASTY)};
    static const struct finding slower = {.metric = METRIC_JUDGED_TIME,
                                          .verdict = VERDICT_WORSE,
                                          .base = 812.44,
                                          .now = 838.5,
                                          .ratio = 1.0321,
                                          .low = 1.0251,
                                          .high = 1.0394,
                                          .have_interval = 1,
                                          .limit = 0.02,
                                          .noise = 0.00412},
                                unclear = {.metric = METRIC_JUDGED_TIME,
                                           .verdict = VERDICT_UNCLEAR,
                                           .base = 9.1,
                                           .now = 9.2,
                                           .ratio = 1.011,
                                           .limit = 0.02,
                                           .noise = 0.01},
                                same = {.metric = METRIC_JUDGED_INSNS,
                                        .verdict = VERDICT_SAME,
                                        .base = 10000,
                                        .now = 10010,
                                        .ratio = 1.001,
                                        .low = 1.001,
                                        .high = 1.001,
                                        .have_interval = 1,
                                        .limit = 0.005},
                                smaller = {.metric = METRIC_JUDGED_SIZE,
                                           .verdict = VERDICT_BETTER,
                                           .base = 4000000,
                                           .now = 3000000,
                                           .ratio = 0.75,
                                           .low = 0.75,
                                           .high = 0.75,
                                           .have_interval = 1,
                                           .limit = 0.01},
                                excluded = {.metric = METRIC_JUDGED_TIME,
                                            .verdict = VERDICT_EXCLUDED,
                                            .limit = 0.02};
    struct finding failed = excluded;
    add(&c, same, "arm/gcc/O2/aes-128-cbc/encrypt/16");
    failed.reason = xstrdup("build-failed: '<' & more");
    add(&c, failed, "mips/gcc/O2/aes-128-cbc/encrypt/16");
    failed.reason = xstrdup("build-failed: '<' & more");
    add(&c, failed, "mips/gcc/O2/aes-128-cbc/encrypt/64");
    add(&c, smaller, "arm/gcc/O2");
    add(&c, unclear, NASTY "/gcc/O2/aes-128-cbc/encrypt/16");
    add(&c, slower, "arm:cortex-a7/gcc/O2/aes-128-cbc/encrypt/16");
    list_add(&c.missing, "arm/gcc/O3/aes-128-cbc/encrypt/16");
    list_add(&c.blockers, "missing: 1 cell of '" NASTY "'");
    list_add(&c.notes, "the note");
    finish(&c, allowed);
    /* the last digits of a logarithm are the library's */
    c.means[METRIC_JUDGED_TIME].ratio = 1.0215;
    c.means[METRIC_JUDGED_INSNS].ratio = 1.001;
    c.means[METRIC_JUDGED_SIZE].ratio = 0.75;
    return c;
}

/* Owned by the caller. */
static char *printed(const struct comparison *c, const char *format)
{
    char *text = NULL;
    size_t n = 0;
    struct err e = ERR_INIT;
    FILE *f = open_memstream(&text, &n);
    assert_non_null(f);
    if (comparison_print(f, c, format, &e))
        fail_msg("%s", e.text);
    fclose(f);
    return text;
}

static void prints(const char *format, const char *expected)
{
    struct comparison c = made(NULL);
    char *text = printed(&c, format);
    assert_string_equal(text, expected);
    free(text);
    comparison_free(&c);
}

static void table(void **state)
{
    (void)state;
    prints(
        "table",
        "regression: 1 of 2 cells is slower; 1 blocker\n"
        "base: old.json\n"
        "new: a\"b'|<i>&`*\\n::error::\\u001b[31m,%\n"
        "blocker: missing: 1 cell of 'a\"b'|<i>&`*\\n::error::\\u001b[31m,%'\n"
        "\n"
        "cell                                                              metric  verdict       "
        "base        new   change      95% interval  limit   noise\n"
        "arm:cortex-a7/gcc/O2/aes-128-cbc/encrypt/16                         time   slower   812.4 "
        "ns   838.5 ns   +3.21%  +2.51% to +3.94%     2%  0.412%\n"
        "a\"b'|<i>&`*\\n::error::\\u001b[31m,%/gcc/O2/aes-128-cbc/encrypt/16    time  unclear   "
        "9.100 ns   9.200 ns   +1.10%              none     2%      1%\n"
        "arm/gcc/O2                                                          size  smaller  "
        "4000000 B  3000000 B  -25.00%             exact     1%       -\n"
        "\n"
        "time: 4 cells: 1 slower, 1 unclear, 2 excluded; geometric mean +2.15% over 2\n"
        "insns: 1 cell: 1 same; geometric mean +0.10% over 1\n"
        "size: 1 build: 1 smaller; geometric mean -25.00% over 1\n"
        "excluded: 2 (time): build-failed: '<' & more; first mips/gcc/O2/aes-128-cbc/encrypt/16\n"
        "only in base: arm/gcc/O3/aes-128-cbc/encrypt/16\n"
        "note: the note\n"
        "Change: new against base; + is slower, more instructions, larger. Interval: 95%, of the "
        "change.\n"
        "Slower, faster, larger and smaller: beyond limit and noise with the whole interval; "
        "modelled\n"
        "cycles have none, and nearer than 5% they are too close to call.\n");
}

static void markdown(void **state)
{
    (void)state;
    prints("markdown",
           "### regression: 1 of 2 cells is slower; 1 blocker\n"
           "\n"
           "Base `old.json`, new "
           "<code>a\"b'&#124;&lt;i&gt;&amp;&#96;&#42;&#92;n&#58;&#58;error&#58;&#58;&#92;u001b&#91;"
           "31m,%</code>\n"
           "\n"
           "- blocker: <code>missing&#58; 1 cell of "
           "'a\"b'&#124;&lt;i&gt;&amp;&#96;&#42;&#92;n&#58;&#58;error&#58;&#58;&#92;u001b&#91;31m,%"
           "'</code>\n"
           "\n"
           "| cell | metric | verdict | base | new | change | 95% interval | limit | noise |\n"
           "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n"
           "| `arm:cortex-a7/gcc/O2/aes-128-cbc/encrypt/16` | time | slower | 812.4 ns | 838.5 ns "
           "| +3.21% | +2.51% to +3.94% | 2% | 0.412% |\n"
           "| "
           "<code>a\"b'&#124;&lt;i&gt;&amp;&#96;&#42;&#92;n&#58;&#58;error&#58;&#58;&#92;u001b&#91;"
           "31m,%/gcc/O2/aes-128-cbc/encrypt/16</code> | time | unclear | 9.100 ns | 9.200 ns | "
           "+1.10% | none | 2% | 1% |\n"
           "\n"
           "<details><summary>1 faster or smaller</summary>\n"
           "\n"
           "| cell | metric | verdict | base | new | change | 95% interval | limit | noise |\n"
           "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n"
           "| `arm/gcc/O2` | size | smaller | 4000000 B | 3000000 B | -25.00% | exact | 1% | - |\n"
           "\n"
           "</details>\n"
           "\n"
           "- time: 4 cells: 1 slower, 1 unclear, 2 excluded; geometric mean +2.15% over 2\n"
           "- insns: 1 cell: 1 same; geometric mean +0.10% over 1\n"
           "- size: 1 build: 1 smaller; geometric mean -25.00% over 1\n"
           "\n"
           "- excluded: `2 (time): build-failed: '<' & more; first "
           "mips/gcc/O2/aes-128-cbc/encrypt/16`\n"
           "\n"
           "- only in base: `arm/gcc/O3/aes-128-cbc/encrypt/16`\n"
           "\n"
           "- note: `the note`\n"
           "\n"
           "Change: new against base; + is slower, more instructions, larger. Interval: 95%, of "
           "the change.\n"
           "Slower, faster, larger and smaller: beyond limit and noise with the whole interval; "
           "modelled\n"
           "cycles have none, and nearer than 5% they are too close to call.\n");
}

static void json(void **state)
{
    (void)state;
    prints("json", "{\n"
                   "  \"schema\": \"crypto-bench-comparison/1\",\n"
                   "  \"outcome\": \"regression\",\n"
                   "  \"exit_status\": 3,\n"
                   "  \"base\": \"old.json\",\n"
                   "  \"new\": \"a\\\"b'|<i>&`*\\n::error::\\u001b[31m,%\",\n"
                   "  \"findings\": [\n"
                   "    {\n"
                   "      \"metric\": \"time\",\n"
                   "      \"name\": \"arm:cortex-a7/gcc/O2/aes-128-cbc/encrypt/16\",\n"
                   "      \"verdict\": \"slower\",\n"
                   "      \"base\": 812.44,\n"
                   "      \"new\": 838.5,\n"
                   "      \"ratio\": 1.0321,\n"
                   "      \"low\": 1.0251,\n"
                   "      \"high\": 1.0394,\n"
                   "      \"limit\": 0.02,\n"
                   "      \"noise\": 0.00412,\n"
                   "      \"reason\": null\n"
                   "    },\n"
                   "    {\n"
                   "      \"metric\": \"time\",\n"
                   "      \"name\": "
                   "\"a\\\"b'|<i>&`*\\n::error::\\u001b[31m,%/gcc/O2/aes-128-cbc/encrypt/16\",\n"
                   "      \"verdict\": \"unclear\",\n"
                   "      \"base\": 9.1,\n"
                   "      \"new\": 9.2,\n"
                   "      \"ratio\": 1.011,\n"
                   "      \"low\": null,\n"
                   "      \"high\": null,\n"
                   "      \"limit\": 0.02,\n"
                   "      \"noise\": 0.01,\n"
                   "      \"reason\": null\n"
                   "    },\n"
                   "    {\n"
                   "      \"metric\": \"size\",\n"
                   "      \"name\": \"arm/gcc/O2\",\n"
                   "      \"verdict\": \"smaller\",\n"
                   "      \"base\": 4000000,\n"
                   "      \"new\": 3000000,\n"
                   "      \"ratio\": 0.75,\n"
                   "      \"low\": 0.75,\n"
                   "      \"high\": 0.75,\n"
                   "      \"limit\": 0.01,\n"
                   "      \"noise\": 0,\n"
                   "      \"reason\": null\n"
                   "    },\n"
                   "    {\n"
                   "      \"metric\": \"insns\",\n"
                   "      \"name\": \"arm/gcc/O2/aes-128-cbc/encrypt/16\",\n"
                   "      \"verdict\": \"same\",\n"
                   "      \"base\": 10000,\n"
                   "      \"new\": 10010,\n"
                   "      \"ratio\": 1.001,\n"
                   "      \"low\": 1.001,\n"
                   "      \"high\": 1.001,\n"
                   "      \"limit\": 0.005,\n"
                   "      \"noise\": 0,\n"
                   "      \"reason\": null\n"
                   "    },\n"
                   "    {\n"
                   "      \"metric\": \"time\",\n"
                   "      \"name\": \"mips/gcc/O2/aes-128-cbc/encrypt/16\",\n"
                   "      \"verdict\": \"excluded\",\n"
                   "      \"base\": null,\n"
                   "      \"new\": null,\n"
                   "      \"ratio\": null,\n"
                   "      \"low\": null,\n"
                   "      \"high\": null,\n"
                   "      \"limit\": 0.02,\n"
                   "      \"noise\": null,\n"
                   "      \"reason\": \"build-failed: '<' & more\"\n"
                   "    },\n"
                   "    {\n"
                   "      \"metric\": \"time\",\n"
                   "      \"name\": \"mips/gcc/O2/aes-128-cbc/encrypt/64\",\n"
                   "      \"verdict\": \"excluded\",\n"
                   "      \"base\": null,\n"
                   "      \"new\": null,\n"
                   "      \"ratio\": null,\n"
                   "      \"low\": null,\n"
                   "      \"high\": null,\n"
                   "      \"limit\": 0.02,\n"
                   "      \"noise\": null,\n"
                   "      \"reason\": \"build-failed: '<' & more\"\n"
                   "    }\n"
                   "  ],\n"
                   "  \"means\": {\n"
                   "    \"time\": {\n"
                   "      \"ratio\": 1.0215,\n"
                   "      \"n\": 2,\n"
                   "      \"excluded\": 2\n"
                   "    },\n"
                   "    \"insns\": {\n"
                   "      \"ratio\": 1.001,\n"
                   "      \"n\": 1,\n"
                   "      \"excluded\": 0\n"
                   "    },\n"
                   "    \"size\": {\n"
                   "      \"ratio\": 0.75,\n"
                   "      \"n\": 1,\n"
                   "      \"excluded\": 0\n"
                   "    },\n"
                   "    \"modelled\": {\n"
                   "      \"ratio\": null,\n"
                   "      \"n\": 0,\n"
                   "      \"excluded\": 0\n"
                   "    }\n"
                   "  },\n"
                   "  \"missing\": [\"arm/gcc/O3/aes-128-cbc/encrypt/16\"],\n"
                   "  \"extra\": [],\n"
                   "  \"blockers\": [\n"
                   "    {\n"
                   "      \"code\": \"missing\",\n"
                   "      \"text\": \"1 cell of 'a\\\"b'|<i>&`*\\n::error::\\u001b[31m,%'\"\n"
                   "    }\n"
                   "  ],\n"
                   "  \"allowed\": [],\n"
                   "  \"allow\": [],\n"
                   "  \"notes\": [\"the note\"]\n"
                   "}\n");
}

static void junit(void **state)
{
    (void)state;
    prints(
        "junit",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuites name=\"crypto-bench\" tests=\"7\" failures=\"1\" errors=\"2\" skipped=\"2\">\n"
        "  <testsuite name=\"crypto-bench\" tests=\"7\" failures=\"1\" errors=\"2\" "
        "skipped=\"2\">\n"
        "    <properties>\n"
        "      <property name=\"outcome\" value=\"regression: 1 of 2 cells is slower; 1 "
        "blocker\"/>\n"
        "      <property name=\"base\" value=\"old.json\"/>\n"
        "      <property name=\"new\" "
        "value=\"a&quot;b&apos;|&lt;i&gt;&amp;`*&#10;::error::\\u001b[31m,%\"/>\n"
        "      <property name=\"only in base\" value=\"arm/gcc/O3/aes-128-cbc/encrypt/16\"/>\n"
        "      <property name=\"note\" value=\"the note\"/>\n"
        "    </properties>\n"
        "    <testcase classname=\"time.arm\" "
        "name=\"arm:cortex-a7/gcc/O2/aes-128-cbc/encrypt/16\">\n"
        "      <failure type=\"slower\" message=\"slower: +3.21% (812.4 ns to 838.5 ns), interval "
        "+2.51% to +3.94%, limit 2%, noise 0.412%\"/>\n"
        "    </testcase>\n"
        "    <testcase classname=\"comparison\" name=\"missing\">\n"
        "      <error type=\"blocker\" message=\"1 cell of "
        "&apos;a&quot;b&apos;|&lt;i&gt;&amp;`*&#10;::error::\\u001b[31m,%&apos;\"/>\n"
        "    </testcase>\n"
        "    <testcase classname=\"time.a&quot;b&apos;|&lt;i&gt;&amp;`*&#10;\" "
        "name=\"a&quot;b&apos;|&lt;i&gt;&amp;`*&#10;::error::\\u001b[31m,%/gcc/O2/aes-128-cbc/"
        "encrypt/16\">\n"
        "      <error type=\"unclear\" message=\"unclear: +1.10% (9.100 ns to 9.200 ns), interval "
        "none, limit 2%, noise 1%\"/>\n"
        "    </testcase>\n"
        "    <testcase classname=\"size.arm\" name=\"arm/gcc/O2\">\n"
        "      <system-out>smaller: -25.00% (4000000 B to 3000000 B), interval exact, limit "
        "1%</system-out>\n"
        "    </testcase>\n"
        "    <testcase classname=\"insns.arm\" name=\"arm/gcc/O2/aes-128-cbc/encrypt/16\">\n"
        "      <system-out>same: +0.10% (10000 to 10010), interval exact, limit 0.5%</system-out>\n"
        "    </testcase>\n"
        "    <testcase classname=\"time.mips\" name=\"mips/gcc/O2/aes-128-cbc/encrypt/16\">\n"
        "      <skipped message=\"build-failed: &apos;&lt;&apos; &amp; more\"/>\n"
        "    </testcase>\n"
        "    <testcase classname=\"time.mips\" name=\"mips/gcc/O2/aes-128-cbc/encrypt/64\">\n"
        "      <skipped message=\"build-failed: &apos;&lt;&apos; &amp; more\"/>\n"
        "    </testcase>\n"
        "  </testsuite>\n"
        "</testsuites>\n");
}

static void github(void **state)
{
    (void)state;
    prints(
        "github",
        "::error title=time%3A slower::arm:cortex-a7/gcc/O2/aes-128-cbc/encrypt/16: +3.21%25 "
        "(812.4 ns to 838.5 ns), interval +2.51%25 to +3.94%25, limit 2%25, noise 0.412%25\n"
        "::error title=no verdict::missing: 1 cell of 'a\"b'|<i>&`*%0A::error::\\u001b[31m,%25'\n"
        "::warning title=time%3A "
        "unclear::a\"b'|<i>&`*%0A::error::\\u001b[31m,%25/gcc/O2/aes-128-cbc/encrypt/16: +1.10%25 "
        "(9.100 ns to 9.200 ns), interval none, limit 2%25, noise 1%25\n"
        "::warning title=excluded::2 (time): build-failed: '<' & more; first "
        "mips/gcc/O2/aes-128-cbc/encrypt/16\n"
        "::notice title=crypto-bench::regression: 1 of 2 cells is slower; 1 blocker\n");
}

static void contains(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("expected '%s' in: %s", part, text);
}

static size_t occurrences(const char *text, const char *part)
{
    size_t n = 0;
    for (text = strstr(text, part); text; text = strstr(text + 1, part))
        n++;
    return n;
}

/* Unclear ones that are allowed fail nowhere, and it is said that they were. */
static void allowed_unclear(void **state)
{
    (void)state;
    struct comparison c = made("unclear");
    char *text = printed(&c, "junit");
    contains(text, "errors=\"1\""); /* the blocker */
    contains(text, "<system-out>unclear: ");
    contains(text, "<property name=\"allowed\" value=\"unclear: 1 interval");
    free(text);
    text = printed(&c, "github");
    assert_null(strstr(text, "unclear%3A"));
    assert_null(strstr(text, "title=time%3A unclear"));
    contains(text, "::notice title=allowed::unclear: 1 interval");
    free(text);
    text = printed(&c, "table");
    contains(text, "1 unclear, allowed\n");
    contains(text, "\nallowed: unclear: 1 interval");
    free(text);
    text = printed(&c, "json");
    contains(text, "\"allow\": [\"unclear\"]");
    free(text);
    comparison_free(&c);
}

static struct comparison uniform(size_t n, enum verdict v, double ratio, const char *allowed)
{
    struct comparison c = {.base_name = xstrdup("a"), .new_name = xstrdup("b")};
    for (size_t i = 0; i < n; i++) {
        char *name = xasprintf("arm/gcc/O2/aes-128-cbc/encrypt/%04zu", i);
        struct finding f = {.metric = METRIC_JUDGED_TIME,
                            .verdict = v,
                            .base = 100,
                            .now = 100 * ratio,
                            .ratio = ratio,
                            .low = ratio - 0.001,
                            .high = ratio + 0.001,
                            .have_interval = 1,
                            .limit = 0.02};
        add(&c, f, name);
        free(name);
    }
    finish(&c, allowed);
    return c;
}

static void same_ones_are_counted_only(void **state)
{
    (void)state;
    struct comparison c = uniform(120, VERDICT_SAME, 1.001, NULL);
    char *text = printed(&c, "table");
    contains(text, "time: 120 cells: 120 same; geometric mean +0.10% over 120\n");
    assert_null(strstr(text, "aes-128-cbc"));
    free(text);
    text = printed(&c, "markdown");
    assert_null(strstr(text, "aes-128-cbc"));
    free(text);
    comparison_free(&c);
}

/* GitHub drops what is over 10 of a kind: the last line has the numbers. */
static void github_caps_annotations(void **state)
{
    (void)state;
    struct comparison c = uniform(25, VERDICT_WORSE, 1.5, NULL);
    char *text = printed(&c, "github");
    assert_int_equal(occurrences(text, "::error "), 10);
    contains(text, "::notice title=crypto-bench::regression: 25 of 25 cells are slower (25 errors "
                   "and 0 warnings in all; GitHub shows 10 of each)\n");
    free(text);
    comparison_free(&c);
    c = uniform(25, VERDICT_UNCLEAR, 1.5, NULL);
    text = printed(&c, "github");
    assert_int_equal(occurrences(text, "::warning "), 10);
    free(text);
    comparison_free(&c);
}

static void markdown_folds(void **state)
{
    (void)state;
    struct comparison c = uniform(600, VERDICT_WORSE, 1.5, NULL);
    char *text = printed(&c, "markdown");
    contains(text, "/0019` |");
    contains(text, "\n<details><summary>580 more</summary>\n\n| cell |");
    contains(text, "\n80 more\n\n</details>\n");
    assert_int_equal(occurrences(text, "<details>"), occurrences(text, "</details>"));
    assert_int_equal(occurrences(text, "| slower |"), 520);
    assert_true(strstr(text, "/0019` |") < strstr(text, "<details>"));
    assert_true(strstr(text, "/0020` |") > strstr(text, "<details>"));
    free(text);
    comparison_free(&c);
}

/* Behind what others wrote. */
static void github_step_summary(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    char *dir = xasprintf("%s/cb-test-XXXXXX", base ? base : P_tmpdir);
    struct err e = ERR_INIT;
    struct comparison c = made(NULL);
    struct str found = STR_INIT;
    assert_non_null(mkdtemp(dir));
    char *path = path_join(dir, "summary"), *markdown = printed(&c, "markdown");
    assert_int_equal(file_write_atomic(path, "before\n", 7, &e), 0);
    setenv("GITHUB_STEP_SUMMARY", path, 1);
    free(printed(&c, "github"));
    assert_int_equal(file_read(path, 1 << 20, &found, &e), 0);
    char *expected = xasprintf("before\n\n%s", markdown);
    assert_string_equal(found.p, expected);
    free(expected);
    str_free(&found);
    /* other formats leave it alone */
    free(printed(&c, "table"));
    assert_int_equal(file_read(path, 1 << 20, &found, &e), 0);
    assert_int_equal(found.n, 8 + strlen(markdown));
    str_free(&found);
    /* a place that cannot be written is an error that names it */
    free(path);
    path = path_join(dir, "no/summary");
    setenv("GITHUB_STEP_SUMMARY", path, 1);
    FILE *f = tmpfile();
    assert_non_null(f);
    assert_int_equal(comparison_print(f, &c, "github", &e), -1);
    assert_int_equal(e.exit_code, EXIT_FAILED);
    contains(e.text, path);
    contains(e.text, "GITHUB_STEP_SUMMARY");
    err_clear(&e);
    fclose(f);
    unsetenv("GITHUB_STEP_SUMMARY");
    assert_int_equal(tree_remove(dir, &e), 0);
    free(path);
    free(markdown);
    free(dir);
    comparison_free(&c);
}

static void formats(void **state)
{
    (void)state;
    struct list names = LIST_INIT;
    struct err e = ERR_INIT;
    struct comparison c = made(NULL);
    comparison_formats(&names);
    char *all = list_join(&names, " ");
    assert_string_equal(all, "table markdown json junit github");
    for (size_t i = 0; i < names.n; i++)
        assert_non_null(comparison_format_summary(names.v[i]));
    assert_null(comparison_format_summary("xml"));
    assert_int_equal(comparison_print(stdout, &c, "jnuit", &e), -1);
    assert_int_equal(e.exit_code, EXIT_USAGE);
    contains(e.text, "did you mean 'junit'");
    err_clear(&e);
    FILE *full = fopen("/dev/full", "w");
    for (size_t i = 0; full && i < names.n; i++) {
        assert_int_equal(comparison_print(full, &c, names.v[i], &e), -1);
        contains(e.text, "cannot be written");
        err_clear(&e);
    }
    if (full)
        fclose(full);
    free(all);
    list_free(&names);
    comparison_free(&c);
}

int main(void)
{
    unsetenv("GITHUB_STEP_SUMMARY"); /* these tests may run there */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table),
        cmocka_unit_test(markdown),
        cmocka_unit_test(json),
        cmocka_unit_test(junit),
        cmocka_unit_test(github),
        cmocka_unit_test(allowed_unclear),
        cmocka_unit_test(same_ones_are_counted_only),
        cmocka_unit_test(github_caps_annotations),
        cmocka_unit_test(markdown_folds),
        cmocka_unit_test(github_step_summary),
        cmocka_unit_test(formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "export_format.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "escape.h"
#include "factsheet.h"
#include "file.h"
#include "mem.h"
#include "pagedata.h"
#include "pageplots.h"
#include "str.h"

enum { PART_MAX = 1 << 20 }; /* bytes of the page's own style or script */

/* report/NAME of the data, which is part of the page: style and script. */
static int part_read(const char *name, struct str *out, struct err *e)
{
    char *data = data_dir(), *dir = path_join(data, "report"), *path = path_join(dir, name);
    int rc = file_read(path, PART_MAX, out, e);
    free(path);
    free(dir);
    free(data);
    return rc;
}

/* 'sha256-...' of a part, as a policy of what a page may run has it. */
static void source_add(struct str *out, const struct str *part)
{
    char hex[65];
    unsigned char digest[32], base64[45];
    struct hash *h = hash_new();
    hash_add(h, part->p, part->n);
    hash_end(h, hex);
    for (size_t i = 0; i < sizeof digest; i++) {
        char pair[] = {hex[2 * i], hex[2 * i + 1], 0};
        digest[i] = (unsigned char)strtoul(pair, NULL, 16);
    }
    EVP_EncodeBlock(base64, digest, sizeof digest);
    str_addf(out, "'sha256-%s'", base64);
}

/* Only its own style and script, by their hashes; nothing is loaded from anywhere. */
static void head_print(FILE *f, const struct str *style, const struct str *script)
{
    struct str policy = STR_INIT;
    str_add(&policy, "default-src 'none'; base-uri 'none'; form-action 'none'; style-src ");
    source_add(&policy, style);
    str_add(&policy, "; script-src ");
    source_add(&policy, script);
    fprintf(f,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta name=\"color-scheme\" content=\"light dark\">\n"
            "<title>crypto-bench report</title>\n<style>%s</style>\n</head>\n",
            policy.p, style->p);
    str_free(&policy);
}

static void file_print(FILE *f, const struct result_file *r, int folded)
{
    char *name = escape_xml(path_base(r->path)), *created = escape_xml(r->created);
    fprintf(f, "<p><strong>%s</strong>, made %s, %zu cells.</p>\n", name, created, r->ncells);
    if (r->warnings.n && folded)
        fprintf(f, "<details><summary>%zu warnings</summary>\n", r->warnings.n);
    if (r->warnings.n)
        fprintf(f, "<ul class=\"warnings\" aria-label=\"Warnings of %s\">\n", name);
    for (size_t i = 0; i < r->warnings.n; i++) {
        char *text = escape_xml(r->warnings.v[i]);
        fprintf(f, "<li>%s</li>\n", text);
        free(text);
    }
    fputs(r->warnings.n ? "</ul>\n" : "", f);
    fputs(r->warnings.n && folded ? "</details>\n" : "", f);
    free(name);
    free(created);
}

static int any_emulated(const struct export *x)
{
    for (size_t i = 0; i < x->n; i++)
        for (size_t k = 0; k < x->files[i].nlanes; k++)
            if (x->files[i].lanes[k].emulated)
                return 1;
    return 0;
}

/* The picker and the table are of use with the script only, which unhides them. */
static void cells_print(FILE *f)
{
    fputs("<noscript><p class=\"note\">The table of cells needs JavaScript, which is off here. "
          "<code>crypto-bench report FILE --format markdown</code> prints it as text.</p>"
          "</noscript>\n"
          "<form id=\"picker\" hidden>\n"
          "<label>Target <select id=\"lane\"></select></label>\n"
          "<label>Algorithm <select id=\"alg\"></select></label>\n"
          "<label>Only rows with <input id=\"text\" type=\"search\" autocomplete=\"off\" "
          "placeholder=\"config, size, status\"></label>\n"
          "</form>\n"
          "<p id=\"common\"></p>\n<p id=\"status\" role=\"status\"></p>\n"
          "<div id=\"cells\" class=\"scroll\" tabindex=\"0\" role=\"region\" "
          "aria-label=\"Table of cells\" hidden></div>\n"
          "<button id=\"more\" type=\"button\" hidden></button>\n",
          f);
}

/* Paths may be wider than a narrow screen. name: any text. */
static void sheet_print(FILE *f, const struct json_doc *d, const struct json *object,
                        const char *name)
{
    char *safe = escape_xml(name);
    fprintf(f, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">\n", safe);
    factsheet_print(f, d, object, name);
    fputs("</div>\n", f);
    free(safe);
}

/* An object that some key of each entry of a list names, folded. */
static void entries_print(FILE *f, const struct json_doc *d, const char *key, const char *const *by,
                          const char *file)
{
    const struct json *list = json_get(json_root(d), key);
    for (const struct json *v = list ? json_first(list) : NULL; v; v = json_next(v)) {
        struct str name = STR_INIT;
        str_add(&name, file);
        for (size_t i = 0; by[i]; i++) {
            const struct json *part = json_get(v, by[i]);
            const char *text;
            if (part && !json_value_str(part, &text))
                str_addf(&name, "%s%s", i ? " " : "", text);
        }
        char *safe = escape_xml(name.p);
        fprintf(f, "<details><summary>%s</summary>\n", safe);
        sheet_print(f, d, v, name.p);
        fputs("</details>\n", f);
        free(safe);
        str_free(&name);
    }
}

static const struct {
    const char *key, *heading;
    const char *by[4]; /* names an entry of a list; none: one object */
} facts[] = {
    {"host", "Host", {0}},
    {"tool", "Program", {0}},
    {"settings", "Settings", {0}},
    {"builds", "Builds", {"id", "status"}},
    {"lanes", "Targets", {"target", "cpu", "runner"}},
};

static void facts_print(FILE *f, const struct export *x)
{
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        fprintf(f, "<section aria-labelledby=\"facts-%s\">\n<h2 id=\"facts-%s\">%s</h2>\n",
                facts[i].key, facts[i].key, facts[i].heading);
        for (size_t k = 0; k < x->n; k++) {
            const struct json_doc *d = x->files[k].doc;
            const struct json *o = json_get(json_root(d), facts[i].key);
            const char *name = path_base(x->files[k].path);
            char *prefix = x->n > 1 ? xasprintf("%s: ", name) : xstrdup("");
            if (facts[i].by[0])
                entries_print(f, d, facts[i].key, facts[i].by, prefix);
            else if (o && json_typeof(o) == JSON_OBJECT)
                sheet_print(f, d, o, name);
            free(prefix);
        }
        fputs("</section>\n", f);
    }
}

static int body_print(FILE *f, const struct export *x, const struct str *script, struct err *e)
{
    size_t *lane_base = xcalloc(x->n, sizeof *lane_base);
    char *data = pagedata_text(x->files, x->n, lane_base), *safe = escape_script(data);
    free(data);

    fputs("<body>\n<header>\n<h1>crypto-bench report</h1>\n", f);
    for (size_t i = 0; i < x->n; i++)
        file_print(f, &x->files[i], x->n > 1);
    if (any_emulated(x))
        fputs("<p class=\"note\">Times of targets marked <strong>emulated</strong> are the "
              "emulator's: no measure of the real CPU, and never ranked. Compare their instruction "
              "counts, which are exact.</p>\n",
              f);
    fputs("</header>\n<main>\n<section aria-labelledby=\"results\">\n"
          "<h2 id=\"results\">Results</h2>\n",
          f);
    cells_print(f);
    fputs("</section>\n<section aria-labelledby=\"plots\">\n<h2 id=\"plots\">Plots</h2>\n"
          "<p id=\"noplot\" class=\"note\" hidden>No plot in this page is of what is picked.</p>\n",
          f);
    int rc = pageplots_print(f, x->files, x->n, lane_base, e);
    fputs("</section>\n", f);
    facts_print(f, x);
    fprintf(f,
            "</main>\n<script id=\"data\" type=\"application/json\">%s</script>\n"
            "<script>%s</script>\n</body>\n</html>\n",
            safe, script->p);
    free(safe);
    free(lane_base);
    return rc;
}

int export_html(FILE *f, const struct export *x, struct err *e)
{
    struct str style = STR_INIT, script = STR_INIT;
    int rc = part_read("page.css", &style, e);
    if (!rc)
        rc = part_read("page.js", &script, e);
    if (!rc) {
        head_print(f, &style, &script);
        rc = body_print(f, x, &script, e);
    }
    str_free(&style);
    str_free(&script);
    return rc;
}

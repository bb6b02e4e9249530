/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "comparison.h"

#include <errno.h>
#include <string.h>

#include "catalog.h"
#include "comparison_format.h"

static const struct format {
    const char *name, *summary;
    int (*print)(FILE *, const struct comparison *, struct err *);
} formats[] = {
    {"table", "text, the deciding cells first", comparison_table},
    {"markdown", "the same to paste, long lists folded", comparison_markdown},
    {"json", "described by docs/comparison.schema.json", comparison_json},
    {"junit", "JUnit XML, one test case a cell", comparison_junit},
    {"github", "annotations and step summary of GitHub Actions", comparison_github},
};

enum { FORMATS = sizeof formats / sizeof *formats };

static const struct format *format_find(const char *name)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (!strcmp(formats[i].name, name))
            return &formats[i];
    return NULL;
}

void comparison_formats(struct list *out)
{
    for (size_t i = 0; i < FORMATS; i++)
        list_add(out, formats[i].name);
}

const char *comparison_format_summary(const char *format)
{
    const struct format *found = format_find(format);
    return found ? found->summary : NULL;
}

int comparison_print(FILE *f, const struct comparison *c, const char *format, struct err *e)
{
    const struct format *found = format_find(format);
    if (!found) {
        struct list known = LIST_INIT;
        comparison_formats(&known);
        unknown_word(e, "format", format, &known);
        list_free(&known);
        return -1;
    }
    if (found->print(f, c, e))
        return -1;
    if (fflush(f) || ferror(f))
        return err_set(e, "the comparison cannot be written: %s", strerror(errno));
    return 0;
}

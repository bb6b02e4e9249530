/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "datafile.h"
#include "mem.h"

enum { ORDER_LAST = 1000 }; /* for files that give none: after the shipped ones */

static int configure_check(const struct json_doc *d, const struct json *o, const struct config *c,
                           struct err *e)
{
    for (size_t i = 0; i < c->configure.n; i++) {
        const char *s = c->configure.v[i];
        if (s[0] != '-' && strchr(s, '='))
            return datafile_refuse(d, o, "configure", e,
                                   "'%s' sets a variable, which is the tool's own business; "
                                   "compiler options go into cflags",
                                   s);
    }
    return 0;
}

int config_load(const char *path, struct config *out, struct err *e)
{
    static const char *const keys[] = {"schema",   "name",     "summary",   "source",
                                       "baseline", "cflags",   "configure", "in_default_set",
                                       "order",    "families", NULL};
    struct config c = {.order = ORDER_LAST};
    int64_t order = ORDER_LAST;
    char *source = NULL; /* for readers of the file; nothing depends on it */
    struct json_doc *d = datafile_open(path, "crypto-bench-config/1", keys, e);
    if (!d)
        return -1;
    const struct json *o = json_root(d);
    c.path = xstrdup(path);
    if (datafile_name(d, o, "name", JSON_REQUIRED, &c.name, e) ||
        datafile_text(d, o, "summary", JSON_REQUIRED, &c.summary, e) ||
        datafile_text(d, o, "source", JSON_OPTIONAL, &source, e) ||
        datafile_name(d, o, "baseline", JSON_OPTIONAL, &c.baseline, e) ||
        datafile_flags(d, o, "cflags", &c.cflags, e) ||
        datafile_words(d, o, "configure", &c.configure, e) || configure_check(d, o, &c, e) ||
        json_bool(d, o, "in_default_set", JSON_OPTIONAL, &c.in_default_set, e) ||
        json_i64(d, o, "order", JSON_OPTIONAL, &order, e) ||
        datafile_names(d, o, "families", &c.families, e))
        goto fail;
    if (c.baseline && !strcmp(c.baseline, c.name)) {
        datafile_refuse(d, o, "baseline", e,
                        "'%s' is the config itself; name another one, or null for none",
                        c.baseline);
        goto fail;
    }
    if (order < 0 || order > 1000000) {
        datafile_refuse(d, o, "order", e, "expected 0 to 1000000");
        goto fail;
    }
    c.order = (int)order;
    *out = c;
    free(source);
    json_close(d);
    return 0;
fail:
    e->exit_code = EXIT_USAGE;
    config_free(&c);
    free(source);
    json_close(d);
    return -1;
}

void config_free(struct config *c)
{
    free(c->path);
    free(c->name);
    free(c->summary);
    free(c->baseline);
    list_free(&c->cflags);
    list_free(&c->configure);
    list_free(&c->families);
    *c = (struct config){0};
}

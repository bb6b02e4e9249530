/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "mergefile.h"

#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "jsonscan.h"
#include "mem.h"

enum { SHOWN = 60 }; /* bytes of a value in a message */

/* Elements of an array of the root, which must be n. */
static int elements(const struct merge_file *f, const char *key, size_t n, struct slice **out,
                    struct err *e)
{
    struct slice_walk w = {0};
    size_t found = 0;
    *out = xcalloc(n + 1, sizeof **out);
    if (!slice_member(f->root, key, &w.of))
        while (slice_next(&w) && found < n)
            (*out)[found++] = w.value;
    return found == n
               ? 0
               : err_set(e, "%s: $: expected the key \"%s\" written without escapes", f->path, key);
}

int merge_file_read(const char *path, struct merge_file *f, struct err *e)
{
    *f = (struct merge_file){.path = path};
    if (file_read(path, (size_t)1 << 30, &f->text, e) ||
        result_file_parse(f->text.p ? f->text.p : "", f->text.n, path, &f->result, e))
        return -1;
    f->root = slice_of(f->text.p, f->text.n);
    f->run = xcalloc(f->result.nruns + 1, sizeof *f->run);
    f->build = xcalloc(f->result.nbuilds + 1, sizeof *f->build);
    f->lane = xcalloc(f->result.nlanes + 1, sizeof *f->lane);
    return elements(f, "builds", f->result.nbuilds, &f->builds, e) ||
                   elements(f, "lanes", f->result.nlanes, &f->lanes, e) ||
                   elements(f, "cells", f->result.ncells, &f->cells, e)
               ? -1
               : 0;
}

void merge_file_free(struct merge_file *f)
{
    free(f->builds);
    free(f->lanes);
    free(f->cells);
    free(f->run);
    free(f->build);
    free(f->lane);
    result_file_free(&f->result);
    str_free(&f->text);
    *f = (struct merge_file){0};
}

/* ---- differences ---- */

static char *short_text(struct slice s)
{
    struct str out = STR_INIT;
    size_t at = 0;
    if (!s.n)
        str_add(&out, "nothing");
    while (at < s.n && out.n < SHOWN) {
        size_t n = utf8_length(s.p + at, s.n - at);
        if ((unsigned char)s.p[at] > ' ')
            str_addn(&out, s.p + at, n);
        else if (out.n && out.p[out.n - 1] != ' ')
            str_addc(&out, ' ');
        at += n ? n : 1;
    }
    if (at < s.n)
        str_add(&out, "...");
    return str_take(&out);
}

static int is_object(struct slice s)
{
    return s.n && s.p[0] == '{';
}

static int is_ignored(struct slice key, const char *const *ignored)
{
    for (; *ignored; ignored++)
        if (slice_is(key, *ignored))
            return 1;
    return 0;
}

static int objects_differ(struct slice a, struct slice b, const char *const *ignored,
                          struct str *path, struct difference *out);

/* One member; x or y empty: absent. */
static int members_differ(struct slice key, struct slice x, struct slice y,
                          const char *const *ignored, struct str *path, struct difference *out)
{
    size_t before = path->n;
    if (is_ignored(key, ignored) || (x.n && y.n && slice_equal(x, y)))
        return 0;
    if (path->n)
        str_addc(path, '.');
    str_addn(path, key.p, key.n);
    if (is_object(x) && is_object(y)) {
        int differ = objects_differ(x, y, ignored, path, out);
        path->n = before;
        path->p[before] = '\0';
        return differ;
    }
    difference_set(out, path->p, x, y);
    return 1;
}

static int objects_differ(struct slice a, struct slice b, const char *const *ignored,
                          struct str *path, struct difference *out)
{
    struct slice_walk w = {.of = a};
    char *key = NULL;
    int differ = 0;
    while (!differ && slice_next(&w)) {
        struct slice other = {0};
        key = xstrndup(w.key.p, w.key.n);
        slice_member(b, key, &other);
        differ = members_differ(w.key, w.value, other, ignored, path, out);
        free(key);
    }
    w = (struct slice_walk){.of = b};
    while (!differ && slice_next(&w)) {
        struct slice other = {0};
        key = xstrndup(w.key.p, w.key.n);
        if (slice_member(a, key, &other))
            differ = members_differ(w.key, other, w.value, ignored, path, out);
        free(key);
    }
    return differ;
}

int difference_find(struct slice a, struct slice b, const char *const *ignored,
                    struct difference *out)
{
    struct str path = STR_INIT;
    *out = (struct difference){0};
    int differ = !slice_equal(a, b) && objects_differ(a, b, ignored, &path, out);
    str_free(&path);
    return differ;
}

void difference_set(struct difference *d, const char *path, struct slice a, struct slice b)
{
    *d = (struct difference){xstrdup(path), short_text(a), short_text(b)};
}

void difference_free(struct difference *d)
{
    free(d->path);
    free(d->a);
    free(d->b);
    *d = (struct difference){0};
}

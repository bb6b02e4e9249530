/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "mergelane.h"

#include <stdlib.h>
#include <string.h>

#include "mem.h"

static int same_lane(const struct result_lane *a, const struct result_lane *b)
{
    return !strcmp(a->target, b->target) && !strcmp(a->cpu, b->cpu) &&
           !strcmp(a->runner, b->runner);
}

static int is_null(struct slice s)
{
    return !s.n || slice_is(s, "null");
}

/* ---- drivers: one of each build ---- */

static struct slice driver_build(struct slice driver)
{
    struct slice build = {0};
    slice_member(driver, "build", &build);
    return build;
}

/* The entry of that build; empty: none. */
static struct slice driver_find(struct slice drivers, struct slice build)
{
    struct slice_walk w = {.of = drivers};
    while (slice_next(&w))
        if (slice_equal(driver_build(w.value), build))
            return w.value;
    return (struct slice){0};
}

static int drivers_differ(struct slice a, struct slice b, struct difference *out)
{
    static const char *const ignored[] = {NULL};
    struct slice_walk w = {.of = a};
    while (slice_next(&w)) {
        struct slice other = driver_find(b, driver_build(w.value));
        if (other.n && difference_find(w.value, other, ignored, out))
            return 1;
    }
    return 0;
}

static void raw_add(struct json *parent, const char *key, struct slice s)
{
    char *text = xstrndup(s.p, s.n);
    json_add_raw(parent, key, text);
    free(text);
}

/* Indented as an element of a member of what is at the margin. */
static void driver_add(struct json *all, struct slice driver)
{
    struct str text = STR_INIT;
    slice_indent(&text, driver, 4);
    json_add_raw(all, NULL, text.p);
    str_free(&text);
}

static void drivers_add(struct json *o, struct slice a, struct slice b)
{
    struct json *all = json_add_array(o, "drivers");
    struct slice_walk w = {.of = a};
    while (slice_next(&w))
        driver_add(all, w.value);
    w = (struct slice_walk){.of = b};
    while (slice_next(&w))
        if (!driver_find(a, driver_build(w.value)).n)
            driver_add(all, w.value);
}

/* ---- the rest: what one file does not know, another may ---- */

/* 1 with the first member of which both files know something else. */
static int lanes_differ(struct slice a, struct slice b, struct difference *out)
{
    struct slice_walk w = {.of = a};
    struct slice x = {0}, y = {0};
    while (slice_next(&w)) {
        struct slice other = {0};
        char *key = xstrndup(w.key.p, w.key.n);
        int differ = strcmp(key, "drivers") && strcmp(key, "pinned_processor") &&
                     !slice_member(b, key, &other) && !is_null(w.value) && !is_null(other) &&
                     !slice_equal(w.value, other);
        if (differ)
            difference_set(out, key, w.value, other);
        free(key);
        if (differ)
            return 1;
    }
    slice_member(a, "drivers", &x);
    slice_member(b, "drivers", &y);
    return drivers_differ(x, y, out);
}

/* Both of them, which do not differ. */
static char *lanes_join(struct slice a, struct slice b)
{
    struct json *o = json_new_object();
    struct slice_walk w = {.of = a};
    while (slice_next(&w)) {
        char *key = xstrndup(w.key.p, w.key.n);
        struct slice other = {0};
        slice_member(b, key, &other);
        if (!strcmp(key, "drivers"))
            drivers_add(o, w.value, other);
        else if (!strcmp(key, "pinned_processor") && !slice_equal(w.value, other))
            json_add_null(o, key);
        else
            raw_add(o, key, is_null(w.value) && other.n ? other : w.value);
        free(key);
    }
    struct str out = STR_INIT;
    char *text = json_text(o);
    slice_indent(&out, slice_of(text, strlen(text)), 4);
    free(text);
    json_free(o);
    return str_take(&out);
}

static struct slice lane_text(const struct merge_lane *l)
{
    return l->text ? slice_of(l->text, strlen(l->text)) : l->file->lanes[l->index];
}

static int lane_add(struct merge_file *f, size_t index, struct merge_lanes *out, struct err *e)
{
    const struct result_lane *lane = &f->result.lanes[index];
    struct difference d;
    size_t i = 0;
    while (i < out->n && !same_lane(out->v[i].lane, lane))
        i++;
    f->lane[index] = i;
    if (i == out->n) {
        out->v = xreallocarray(out->v, i + 1, sizeof *out->v);
        out->v[out->n++] = (struct merge_lane){lane, f, index, NULL};
        return 0;
    }
    struct merge_lane *l = &out->v[i];
    struct slice a = lane_text(l), b = f->lanes[index];
    if (slice_equal(a, b))
        return 0;
    if (lanes_differ(a, b, &d)) {
        err_set(e,
                "%s and %s: lane %s%s%s %s: its %s is %s and %s: cells of such two do not belong "
                "in one lane; repeat one of the runs in the way of the other",
                l->file->path, f->path, lane->target, lane->cpu[0] ? ":" : "", lane->cpu,
                lane->runner, d.path, d.a, d.b);
        difference_free(&d);
        return -1;
    }
    char *text = lanes_join(a, b);
    free(l->text);
    l->text = text;
    return 0;
}

int merge_lanes_find(struct merge_file *files, size_t n, struct merge_lanes *out, struct err *e)
{
    *out = (struct merge_lanes){0};
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < files[i].result.nlanes; k++)
            if (lane_add(&files[i], k, out, e))
                return -1;
    return 0;
}

void merge_lanes_free(struct merge_lanes *l)
{
    for (size_t i = 0; i < l->n; i++)
        free(l->v[i].text);
    free(l->v);
    *l = (struct merge_lanes){0};
}

void merge_lanes_add(struct json *root, const struct merge_lanes *l)
{
    struct json *all = json_add_array(root, "lanes");
    for (size_t i = 0; i < l->n; i++)
        raw_add(all, NULL, lane_text(&l->v[i]));
}

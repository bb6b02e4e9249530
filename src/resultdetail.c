/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "resultdetail.h"

#include <stdlib.h>

#include "mem.h"

static void frame_json(struct json *frames, const struct stack_frame *f)
{
    struct json *o = json_add_object(frames, NULL);
    json_add_str(o, "function", f->function);
    json_add_str(o, "file", f->file);
    json_add_u64(o, "bytes", f->bytes);
    json_add_str(o, "kind", stack_kind_name(f->kind));
}

static void stack_json(struct json *build, const struct stack_use *s, uint64_t max)
{
    if (!s || !s->n) {
        json_add_null(build, "stack");
        json_add_str(build, "stack_reason", s ? s->reason : NULL);
        return;
    }
    struct json *o = json_add_object(build, "stack");
    json_add_u64(o, "largest", s->v[0].bytes);
    json_add_str(o, "function", s->v[0].function);
    json_add_str(o, "file", s->v[0].file);
    json_add_u64(o, "functions", s->n);
    json_add_u64(o, "above_max_stack", stack_above(s, max));
    json_add_u64(o, "dynamic", stack_dynamic(s));
    struct json *frames = json_add_array(o, "frames");
    for (size_t i = 0; i < s->n && i < STACK_FRAMES; i++)
        frame_json(frames, &s->v[i]);
    json_add_null(build, "stack_reason");
}

void details_json(struct json *build, const struct stack_use *stack, uint64_t max_stack,
                  const struct object_sizes *objects)
{
    stack_json(build, stack, max_stack);
    if (!objects->n) {
        json_add_null(build, "objects");
        return;
    }
    struct json *all = json_add_array(build, "objects");
    for (size_t i = 0; i < objects->n; i++) {
        const struct object_size *x = &objects->v[i];
        struct json *o = json_add_array(all, NULL);
        json_add_str(o, NULL, x->name);
        json_add_u64(o, NULL, x->text);
        json_add_u64(o, NULL, x->rodata);
        json_add_u64(o, NULL, x->data);
        json_add_u64(o, NULL, x->bss);
    }
}

/* Sets *out to NULL when the member is absent or null. */
static int member_or_null(const struct json_doc *d, const struct json *o, const char *key,
                          int (*get)(const struct json_doc *, const struct json *, const char *,
                                     enum json_need, const struct json **, struct err *),
                          const struct json **out, struct err *e)
{
    const struct json *v = json_get(o, key);
    *out = NULL;
    if (!v || json_typeof(v) == JSON_NULL)
        return 0;
    return get(d, o, key, JSON_REQUIRED, out, e);
}

static int frame_read(const struct json_doc *d, const struct json *o, struct stack_use *out,
                      struct err *e)
{
    struct stack_frame f = {0};
    char *kind = NULL;
    int k, bad = json_str(d, o, "function", JSON_REQUIRED, &f.function, e) ||
                 json_str(d, o, "file", JSON_REQUIRED, &f.file, e) ||
                 json_u64(d, o, "bytes", JSON_REQUIRED, &f.bytes, e) ||
                 json_str(d, o, "kind", JSON_REQUIRED, &kind, e);
    if (!bad && (k = stack_kind_by_name(kind)) < 0) {
        char *where = json_where(d, o);
        bad = err_set(e, "%s.kind: '%s' is none of static, dynamic, bounded", where, kind);
        free(where);
    } else if (!bad) {
        f.kind = (enum stack_kind)k;
    }
    free(kind);
    if (bad) {
        free(f.function);
        free(f.file);
        return -1;
    }
    stack_add(out, f);
    return 0;
}

static int stack_result_read(const struct json_doc *d, const struct json *build,
                             struct stack_result *out, struct err *e)
{
    const struct json *o, *frames;
    if (member_or_null(d, build, "stack", json_object, &o, e) ||
        json_str(d, build, "stack_reason", JSON_OPTIONAL, &out->use.reason, e))
        return -1;
    if (!o)
        return 0;
    if (json_u64(d, o, "functions", JSON_REQUIRED, &out->functions, e) ||
        json_u64(d, o, "above_max_stack", JSON_REQUIRED, &out->above, e) ||
        json_u64(d, o, "dynamic", JSON_REQUIRED, &out->dynamic, e) ||
        json_array(d, o, "frames", JSON_REQUIRED, &frames, e))
        return -1;
    for (const struct json *f = json_first(frames); f; f = json_next(f))
        if (frame_read(d, f, &out->use, e))
            return -1;
    stack_sort(&out->use);
    return 0;
}

static int object_read(const struct json_doc *d, const struct json *v, struct object_sizes *out,
                       struct err *e)
{
    struct object_size o = {0};
    uint64_t *const sections[] = {&o.text, &o.rodata, &o.data, &o.bss};
    const struct json *x = json_typeof(v) == JSON_ARRAY ? json_first(v) : NULL;
    const char *name;
    int bad = !x || json_value_str(x, &name);
    for (size_t i = 0; i < sizeof sections / sizeof *sections && !bad; i++) {
        x = json_next(x);
        bad = !x || json_value_u64(x, sections[i]);
    }
    if (bad || json_next(x)) {
        char *where = json_where(d, v);
        err_set(e, "%s: expected [name, text, rodata, data, bss]", where);
        free(where);
        return -1;
    }
    o.name = xstrdup(name);
    object_sizes_add(out, o);
    return 0;
}

int details_read(const struct json_doc *d, const struct json *build, struct stack_result *stack,
                 struct object_sizes *objects, struct err *e)
{
    const struct json *all;
    if (stack_result_read(d, build, stack, e) ||
        member_or_null(d, build, "objects", json_array, &all, e))
        return -1;
    for (const struct json *v = all ? json_first(all) : NULL; v; v = json_next(v))
        if (object_read(d, v, objects, e))
            return -1;
    return 0;
}

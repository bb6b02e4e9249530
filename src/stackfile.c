/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "stackfile.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file.h"
#include "json.h"
#include "mem.h"
#include "size.h"

static const char SCHEMA[] = "crypto-bench-stack/1";

enum { SU_MAX = 16 << 20 }; /* bytes of a .su file: a line a function */

/* ---- in the build tree ---- */

static int name_order(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

struct gathering {
    const char *root;
    struct list members; /* of the archive, sorted */
    struct stack_use *out;
};

/* A compiler that was called in the directory of its source names no directory: it is added. */
static void paths_complete(struct stack_frame *v, size_t n, const char *root, const char *dir)
{
    size_t length = strlen(root);
    for (size_t i = 0; i < n; i++) {
        char *file = v[i].file, *beside = path_join(dir, file), *is = NULL;
        if (strncmp(file, root, length) == 0 && file[length] == '/')
            is = xstrdup(file + length + 1);
        else if (!strchr(file, '/') && dir[length] == '/' && path_is_file(beside))
            is = xstrdup(beside + length + 1);
        if (is) {
            free(file);
            v[i].file = is;
        }
        free(beside);
    }
}

static int su_gather(struct gathering *g, const char *dir, const char *name, struct err *e)
{
    char *object = xasprintf("%.*s.o", (int)(strlen(name) - strlen(".su")), name);
    int wanted =
        bsearch(&object, g->members.v, g->members.n, sizeof *g->members.v, name_order) != NULL;
    free(object);
    if (!wanted)
        return 0;
    struct str text = STR_INIT;
    char *path = path_join(dir, name);
    size_t before = g->out->n;
    int r = file_read(path, SU_MAX, &text, e);
    if (r == 0 && text.p)
        r = stack_add_text(g->out, text.p, path + strlen(g->root) + 1, e);
    if (r == 0 && g->out->n > before)
        paths_complete(g->out->v + before, g->out->n - before, g->root, dir);
    str_free(&text);
    free(path);
    return r;
}

static int dir_gather(struct gathering *g, const char *dir, int depth, struct err *e)
{
    enum { DEPTH_MAX = 32 };
    struct list names = LIST_INIT;
    int r = depth > DEPTH_MAX ? err_set(e, "'%s' is nested too deeply", dir)
                              : dir_list(dir, "", &names, e);
    for (size_t i = 0; i < names.n && r == 0; i++) {
        const char *name = names.v[i];
        size_t n = strlen(name);
        struct stat st;
        char *path = path_join(dir, name);
        if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode)) /* links are not followed */
            r = dir_gather(g, path, depth + 1, e);
        else if (n > 3 && strcmp(name + n - 3, ".su") == 0)
            r = su_gather(g, dir, name, e);
        free(path);
    }
    list_free(&names);
    return r;
}

int stack_gather(const char *dir, const char *archive, struct stack_use *out, struct err *e)
{
    struct object_sizes objects;
    struct gathering g = {.root = dir, .out = out};
    *out = (struct stack_use){0};
    if (archive_objects(archive, &objects, e))
        return -1;
    for (size_t i = 0; i < objects.n; i++)
        list_add(&g.members, objects.v[i].name);
    list_sort_unique(&g.members);
    int r = dir_gather(&g, dir, 0, e);
    list_free(&g.members);
    object_sizes_free(&objects);
    if (r) {
        stack_free(out);
        return -1;
    }
    stack_sort(out);
    if (out->n == 0)
        out->reason = xstrdup("the compiler left no stack usage beside the objects (with -flto it "
                              "is known only when a program is linked)");
    return 0;
}

/* ---- in the cache ---- */

int stack_write(const char *dir, const char *key, const struct stack_use *s, struct err *e)
{
    struct json *root = json_new_object();
    json_add_str(root, "schema", SCHEMA);
    json_add_str(root, "key", key);
    json_add_str(root, "reason", s->reason);
    struct json *all = json_add_array(root, "functions");
    for (size_t i = 0; i < s->n; i++) {
        struct json *f = json_add_array(all, NULL);
        json_add_str(f, NULL, s->v[i].file);
        json_add_str(f, NULL, s->v[i].function);
        json_add_u64(f, NULL, s->v[i].bytes);
        json_add_str(f, NULL, stack_kind_name(s->v[i].kind));
    }
    char *text = json_text(root), *path = path_join(dir, "stack.json");
    int r = file_write_atomic(path, text, strlen(text), e);
    free(text);
    free(path);
    json_free(root);
    return r;
}

static int frame_read(const struct json_doc *d, const struct json *v, struct stack_use *out,
                      struct err *e)
{
    const struct json *file = json_first(v), *function = file ? json_next(file) : NULL,
                      *bytes = function ? json_next(function) : NULL,
                      *kind = bytes ? json_next(bytes) : NULL;
    const char *words[3];
    uint64_t n;
    int k;
    if (json_typeof(v) != JSON_ARRAY || !kind || json_next(kind) ||
        json_value_str(file, &words[0]) || json_value_str(function, &words[1]) ||
        json_value_u64(bytes, &n) || json_value_str(kind, &words[2]) ||
        (k = stack_kind_by_name(words[2])) < 0) {
        char *where = json_where(d, v);
        err_set(e, "%s: expected [file, function, bytes, kind]", where);
        free(where);
        return -1;
    }
    stack_add(out,
              (struct stack_frame){xstrdup(words[0]), xstrdup(words[1]), n, (enum stack_kind)k});
    return 0;
}

static int record_read(const struct json_doc *d, const char *key, struct stack_use *out,
                       struct err *e)
{
    static const char *const keys[] = {"schema", "key", "reason", "functions", NULL};
    const struct json *o = json_root(d), *all;
    char *schema = NULL, *is_key = NULL;
    int r = json_only(d, o, keys, e) || json_str(d, o, "schema", JSON_REQUIRED, &schema, e) ||
            json_str(d, o, "key", JSON_REQUIRED, &is_key, e) ||
            json_str(d, o, "reason", JSON_OPTIONAL, &out->reason, e) ||
            json_array(d, o, "functions", JSON_REQUIRED, &all, e);
    if (!r && (strcmp(schema, SCHEMA) != 0 || strcmp(is_key, key) != 0))
        r = err_set(e, "it is of schema '%s' and key '%s', expected '%s' and '%s'", schema, is_key,
                    SCHEMA, key);
    for (const struct json *v = r ? NULL : json_first(all); v && !r; v = json_next(v))
        r = frame_read(d, v, out, e);
    if (!r && (out->n == 0) != (out->reason != NULL))
        r = err_set(e, "it has neither functions nor a reason, or both");
    free(schema);
    free(is_key);
    return r ? -1 : 0;
}

void stack_read(const char *dir, const char *key, struct stack_use *out)
{
    struct err e = ERR_INIT;
    char *path = path_join(dir, "stack.json");
    *out = (struct stack_use){0};
    if (!path_is_file(path)) {
        out->reason = xstrdup("built before stack use was recorded; --rebuild makes it");
    } else {
        struct json_doc *d = json_open(path, &e);
        if (!d || record_read(d, key, out, &e)) {
            stack_free(out);
            out->reason = xasprintf("the cache's record of stack use is damaged (%s); --rebuild "
                                    "makes it anew",
                                    e.text);
        }
        json_close(d);
    }
    err_clear(&e);
    free(path);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "stack.h"

#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "number.h"

/* name: in our files; text: in the compiler's. */
static const struct kind {
    const char *name, *text;
} kinds[] = {
    [STACK_STATIC] = {"static", "static"},
    [STACK_DYNAMIC] = {"dynamic", "dynamic"},
    [STACK_BOUNDED] = {"bounded", "dynamic,bounded"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

const char *stack_kind_name(enum stack_kind k)
{
    return kinds[k].name;
}

int stack_kind_by_name(const char *name)
{
    for (int i = 0; i < KINDS; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return i;
    return -1;
}

void stack_add(struct stack_use *s, struct stack_frame f)
{
    if ((s->n & (s->n - 1)) == 0) /* room doubles */
        s->v = xreallocarray(s->v, 2 * s->n + 1, sizeof *s->v);
    s->v[s->n++] = f;
}

/* The number between p and the next colon: what follows that colon, NULL when there is none. */
static char *number_skip(char *p)
{
    size_t n = strspn(p, "0123456789");
    return n && p[n] == ':' ? p + n + 1 : NULL;
}

/* "FILE:LINE:COLUMN:FUNCTION" (gcc), "FILE:LINE:FUNCTION" (clang) or "FILE:FUNCTION" (clang, where
 * it knows no line). Functions may hold colons (C++), and so may files: the first number between
 * colons ends the file. */
static int where_split(char *where, char **function)
{
    for (char *p = where; (p = strchr(p, ':')) != NULL; p++) {
        char *after = number_skip(p + 1);
        if (!after)
            continue;
        char *column = number_skip(after);
        *p = '\0';
        *function = column ? column : after;
        return *where && **function ? 0 : -1;
    }
    char *last = strrchr(where, ':');
    if (!last || last == where || !last[1])
        return -1;
    *last = '\0';
    *function = last + 1;
    return 0;
}

/* One line, which is changed: "WHERE\tBYTES\tKIND", from the right. */
static int line_parse(char *line, struct stack_frame *out)
{
    char *function, *kind = strrchr(line, '\t'), *bytes;
    int k = 0;
    if (!kind)
        return -1;
    *kind++ = '\0';
    bytes = strrchr(line, '\t');
    if (!bytes)
        return -1;
    *bytes++ = '\0';
    while (k < KINDS && strcmp(kinds[k].text, kind) != 0)
        k++;
    if (k == KINDS || number_u64(bytes, &out->bytes) || where_split(line, &function))
        return -1;
    out->kind = (enum stack_kind)k;
    line += 2 * (size_t)(strncmp(line, "./", 2) == 0);
    out->file = xstrdup(line);
    out->function = xstrdup(function);
    return 0;
}

int stack_add_text(struct stack_use *s, const char *text, const char *name, struct err *e)
{
    for (size_t number = 1; *text; number++) {
        struct stack_frame f;
        size_t n = strcspn(text, "\n");
        char *line = xstrndup(text, n), *shown = xstrdup(line);
        int bad = *line && line_parse(line, &f);
        if (bad)
            err_set(e, "%s:%zu: '%s' is no line of stack usage", name, number, shown);
        else if (*shown)
            stack_add(s, f);
        free(line);
        free(shown);
        if (bad)
            return -1;
        text += n + (text[n] == '\n');
    }
    return 0;
}

static int function_order(const void *a, const void *b)
{
    const struct stack_frame *x = a, *y = b;
    int r = strcmp(x->function, y->function);
    if (!r)
        r = strcmp(x->file, y->file);
    return r ? r : (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

static int size_order(const void *a, const void *b)
{
    const struct stack_frame *x = a, *y = b;
    int r = (x->bytes < y->bytes) - (x->bytes > y->bytes);
    return r ? r : function_order(a, b);
}

static void frame_free(struct stack_frame *f)
{
    free(f->file);
    free(f->function);
}

void stack_sort(struct stack_use *s)
{
    size_t kept = 0;
    if (s->n == 0)
        return;
    qsort(s->v, s->n, sizeof *s->v, function_order);
    for (size_t i = 1; i < s->n; i++) {
        struct stack_frame *last = &s->v[kept], *f = &s->v[i];
        if (strcmp(last->function, f->function) != 0 || strcmp(last->file, f->file) != 0) {
            s->v[++kept] = *f;
            continue;
        }
        if (f->kind == STACK_DYNAMIC) /* in one of its copies it has no limit */
            last->kind = STACK_DYNAMIC;
        frame_free(f);
    }
    s->n = kept + 1;
    qsort(s->v, s->n, sizeof *s->v, size_order);
}

size_t stack_above(const struct stack_use *s, uint64_t max)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        n += s->v[i].bytes > max;
    return n;
}

size_t stack_dynamic(const struct stack_use *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        n += s->v[i].kind == STACK_DYNAMIC;
    return n;
}

void stack_free(struct stack_use *s)
{
    for (size_t i = 0; i < s->n; i++)
        frame_free(&s->v[i]);
    free(s->v);
    free(s->reason);
    *s = (struct stack_use){0};
}

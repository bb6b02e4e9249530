/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_STACK_H
#define CB_STACK_H

/* Stack frames of a library's functions, as the compiler's -fstack-usage tells them. */
#include <stddef.h>
#include <stdint.h>

#include "err.h"

/* Static: the frame is always that large. Dynamic: it is that large at least, and grows by what
 * the function asks for at run time (alloca, arrays of variable length). Bounded: such, but the
 * figure is its limit. */
enum stack_kind { STACK_STATIC, STACK_DYNAMIC, STACK_BOUNDED };

struct stack_frame {
    char *file, *function; /* the source file as the compiler was given it */
    uint64_t bytes;
    enum stack_kind kind;
};

struct stack_use {
    struct stack_frame *v; /* after stack_sort(): largest first */
    size_t n;
    char *reason; /* why there are no frames; NULL when there are */
};

const char *stack_kind_name(enum stack_kind k);
/* Of a name in a record or result; -1 when it is none. */
int stack_kind_by_name(const char *name);

/* The frames of one .su file's text are added to s. The name is for errors; a line that cannot be
 * read is one. */
int stack_add_text(struct stack_use *s, const char *text, const char *name, struct err *e);
/* Takes f's strings over. */
void stack_add(struct stack_use *s, struct stack_frame f);
/* Largest first. A function that several objects have (from a header, say) stays once, with the
 * largest of its frames. */
void stack_sort(struct stack_use *s);
/* Functions with a frame of more than max bytes; those of unlimited size. */
size_t stack_above(const struct stack_use *s, uint64_t max);
size_t stack_dynamic(const struct stack_use *s);
void stack_free(struct stack_use *s);

#endif

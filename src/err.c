/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "err.h"

#include <stdarg.h>
#include <stdlib.h>

#include "str.h"

/* One line, whatever the file names and tool output in it held. */
static char *err_line(struct str *s)
{
    str_trim(s);
    for (size_t i = 0; i < s->n; i++)
        if ((unsigned char)s->p[i] < ' ' || s->p[i] == 0x7f)
            s->p[i] = ' ';
    return str_take(s);
}

/* The new text may quote the old one, which is therefore freed last. */
static int err_replace(struct err *e, struct str *s, int exit_code)
{
    char *text = err_line(s);
    free(e->text);
    e->text = text;
    e->exit_code = exit_code;
    return -1;
}

int err_set(struct err *e, const char *fmt, ...)
{
    struct str s = STR_INIT;
    va_list ap;
    va_start(ap, fmt);
    str_vaddf(&s, fmt, ap);
    va_end(ap);
    return err_replace(e, &s, EXIT_FAILED);
}

int err_usage(struct err *e, const char *fmt, ...)
{
    struct str s = STR_INIT;
    va_list ap;
    va_start(ap, fmt);
    str_vaddf(&s, fmt, ap);
    va_end(ap);
    return err_replace(e, &s, EXIT_USAGE);
}

int err_prefix(struct err *e, const char *fmt, ...)
{
    struct str s = STR_INIT;
    va_list ap;
    va_start(ap, fmt);
    str_vaddf(&s, fmt, ap);
    va_end(ap);
    if (e->text)
        str_add(&s, e->text);
    return err_replace(e, &s, e->exit_code ? e->exit_code : EXIT_FAILED);
}

void err_clear(struct err *e)
{
    free(e->text);
    e->text = NULL;
    e->exit_code = 0;
}

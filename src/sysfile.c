/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "sysfile.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "file.h"
#include "number.h"
#include "str.h"

enum {
    TEXT_MAX = 1 << 22, /* bytes; /proc/cpuinfo has about 1500 a processor */
    WORD_MAX = 31,      /* characters; the kernel's own names (governors, drivers) have up to 15 */
};

static char *text_read(const char *root, const char *fmt, va_list ap)
{
    struct str path = STR_INIT, s = STR_INIT;
    struct err e = ERR_INIT;
    char *text = NULL;

    str_add(&path, root);
    str_vaddf(&path, fmt, ap);
    if (!file_read(path.p, TEXT_MAX, &s, &e)) {
        str_trim(&s);
        if (s.n && *s.p)
            text = str_take(&s);
    }
    err_clear(&e);
    str_free(&s);
    str_free(&path);
    return text;
}

char *sysfile_text(const char *root, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = text_read(root, fmt, ap);
    va_end(ap);
    return text;
}

char *sysfile_word(const char *root, const char *fmt, ...)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_-";
    va_list ap;
    va_start(ap, fmt);
    char *text = text_read(root, fmt, ap);
    va_end(ap);
    if (text && (strlen(text) > WORD_MAX || text[strspn(text, allowed)])) {
        free(text);
        text = NULL;
    }
    return text;
}

int sysfile_u64(const char *root, uint64_t max, uint64_t *out, const char *fmt, ...)
{
    uint64_t v;
    va_list ap;
    va_start(ap, fmt);
    char *text = text_read(root, fmt, ap);
    va_end(ap);
    int rc = text && !number_u64(text, &v) && v <= max ? 0 : -1;
    if (!rc)
        *out = v;
    free(text);
    return rc;
}

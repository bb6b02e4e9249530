/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "fail.h"

#include <stdarg.h>
#include <stdio.h>

#include <openssl/err.h>

static const char *const words[] = {
    [FAIL_BAD_COMMAND] = "bad-command",   [FAIL_UNSUPPORTED] = "unsupported",
    [FAIL_WRONG_ANSWER] = "wrong-answer", [FAIL_UNCHECKED] = "unchecked",
    [FAIL_BAD_CLOCK] = "bad-clock",       [FAIL_LIBRARY] = "failed",
    [FAIL_NO_MEMORY] = "no-memory",
};

const char *fail_word_name(enum fail_word w)
{
    return words[w];
}

int fail_set(struct fail *f, enum fail_word w, const char *fmt, ...)
{
    va_list ap;

    f->word = w;
    va_start(ap, fmt);
    vsnprintf(f->detail, sizeof f->detail, fmt, ap);
    va_end(ap);
    return -1;
}

int fail_library(struct fail *f, const char *call)
{
    char text[256] = "the library gives no reason";
    unsigned long code = ERR_peek_error();

    if (code != 0)
        ERR_error_string_n(code, text, sizeof text);
    ERR_clear_error();
    return fail_set(f, FAIL_LIBRARY, "%s: %s", call, text);
}

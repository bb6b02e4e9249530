/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_ERR_H
#define CB_ERR_H

/*
 * An error on its way to the caller. Start with `struct err e = ERR_INIT`.
 * Functions that take one return 0, or -1 with the error set; the text is one
 * line without a final newline that names the file or option, the value it
 * had and what would be right.
 */
struct err {
    char *text;    /* owned; NULL while there is no error */
    int exit_code; /* EXIT_FAILED or EXIT_USAGE: what main should exit with */
};
#define ERR_INIT                                                                                   \
    {                                                                                              \
        0, 0                                                                                       \
    }

/* Exit statuses, as documented in the manual page. */
enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_REGRESSION = 3, EXIT_NO_VERDICT = 4 };

/* Sets e (replacing what it held) with EXIT_FAILED; returns -1 always. */
int err_set(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same with EXIT_USAGE: the user's words are off. */
int err_usage(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Puts text before what e holds; returns -1 always. */
int err_prefix(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void err_clear(struct err *e);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_BUILDLOG_H
#define CB_BUILDLOG_H

/* What a build log says: the flags in force, assembly modules, first error.
 * Pure functions on text. Lines that start with '#' are the builder's own notes. */
#include "str.h"

struct buildlog {
    char *flags; /* of the most frequent C compile line: options without -I -D -M* -o and files; ""
                    if none */
    struct list defines;     /* the -D and -U options of such a line */
    char *optimisation;      /* the last -O of each compile line: "-Os", "mixed: -O2 -O3", or "" */
    int repeated;            /* some line carries more than one -O level */
    char *repeated_example;  /* "-O3 ... -Os" of such a line; NULL if none */
    struct list asm_modules; /* base names of *.s and *.S inputs, sorted, no repeats */
    size_t compile_lines;    /* C compile lines seen */
};
void buildlog_read(const char *text, struct buildlog *out);
void buildlog_free(struct buildlog *l);

/* 1 when a line (without newline) compiles or assembles one file: for progress. */
int buildlog_is_compile(const char *line);

/* First line that names the cause: a compiler's "file:line: error: ...", assembler or linker error,
 * "fatal error", make's "No rule", Configure's complaint, "No space left"; else the last
 * non-empty line. Caller owns; "" for empty text. */
char *buildlog_first_error(const char *text);
/* Removes the known warnings of linking glibc statically (dlopen, getaddrinfo,
 * gethostbyname, getservbyname, getpw*..., each with its "in function" line) and adds what is left,
 * a warning a line. */
void linker_warnings(const char *stderr_text, struct list *out);

#endif

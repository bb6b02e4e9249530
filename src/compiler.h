/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_COMPILER_H
#define CB_COMPILER_H

/*
 * A compiler for a target, identified by what it says of itself, not by its name.
 * Words for --cc: gcc, gcc-N (the target's cross prefix is put before), clang, clang-N
 * (gets --target), or a path, or a file name on PATH.
 */
#include "err.h"
#include "str.h"
#include "target.h"

struct compiler {
    char *word;       /* as given, e.g. "gcc"; part of the build's id */
    struct list argv; /* how to call it: full path, then --target=... if needed */
    char *family;     /* "gcc" or "clang", from its predefined macros */
    char *version;    /* "12.2.0" */
    char *banner;     /* first line of --version */
    char *machine;    /* -dumpmachine */
    char hash[65];    /* of the programs that shape its output: driver, cc1, as */
    char *ar, *ranlib, *strip, *objcopy; /* full paths of matching binutils */
};

/* Missing compiler: EXIT_FAILED error that names the Debian package and the
 * install command. Wrong machine (-dumpmachine of another architecture): error too. */
int compiler_find(const char *word, const struct target *t, struct compiler *out, struct err *e);
void compiler_free(struct compiler *c);
/* 1 when both names lead to one program, called in one way, that says the same of itself. */
int compiler_is_same(const struct compiler *a, const struct compiler *b);
/* 1 when it takes an option. Runs it once. */
int compiler_takes(const struct compiler *c, const char *option);
/* Debian package for a word and target ("gcc-11-aarch64-linux-gnu"), caller owns;
 * NULL when not known. */
char *compiler_package(const char *word, const struct target *t);
/* The environment compilers are called with: nothing in it shapes their output. */
void compiler_env(struct list *env);
/* Words of all compilers found on PATH for t. */
void compiler_scan(const struct target *t, struct list *words);

#endif

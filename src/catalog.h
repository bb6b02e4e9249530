/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_CATALOG_H
#define CB_CATALOG_H

/*
 * The JSON data files: where they are, which there are, and how a word on the
 * command line names one. A word with a slash or ending in ".json" is a path
 * of the user's; any other is a name.
 */
#include "err.h"
#include "str.h"

/* Directory of the data: $CRYPTO_BENCH_DATA, else beside the executable's
 * tree (a checkout), else where make install put it. Caller owns. */
char *data_dir(void);
/* Where the QEMU plugins (count-*.so) are: beside the executable in a build, else where make
 * install put them. Caller owns. */
char *plugin_dir(void);
/* $CRYPTO_BENCH_CACHE, else $XDG_CACHE_HOME/crypto-bench, else
 * ~/.cache/crypto-bench; made when missing. Caller owns; NULL on error. */
char *cache_dir(struct err *e);

/* kind is "targets", "configs" or "libraries": names in it, sorted. */
int catalog_names(const char *kind, struct list *out, struct err *e);
/* File for a word. Unknown: usage error "unknown target 'vax'; did you mean
 * 'arm'? Known: ...". noun is the word for messages ("target"). */
int catalog_path(const char *kind, const char *noun, const char *word, char **path, struct err *e);
/* 1 when word is a path by the rule above. */
int catalog_is_path(const char *word);

/* The usage error for an unknown word among known ones, with the nearest. */
int unknown_word(struct err *e, const char *noun, const char *word, const struct list *known);
/* Nearest by edit distance (transpositions count one); NULL when none is near
 * enough to be meant. Points into known. */
const char *suggest(const char *word, const struct list *known);

#endif

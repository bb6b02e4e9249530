/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_SOURCE_H
#define CB_SOURCE_H

/*
 * Gets the pinned archive of a release: local file ($CRYPTO_BENCH_SOURCES, then
 * beside the library's JSON file), cache, upstream URLs, Debian source package, in
 * that order. Always verified by SHA-256; a mismatch is an error that shows both
 * hashes, and a downloaded file with the wrong hash is not kept.
 */
#include "err.h"
#include "library.h"

/* Of Linux (LIBRARY_LINUX) not an archive but a directory with the files wanted, see linuxsource.h.
 * say: progress line ("fetching openssl-3.5.7.tar.gz from ..."), may be NULL.
 * path: the verified file, caller owns. When nothing works the error says
 * which file to put where. */
int source_fetch(const struct library *l, void (*say)(void *arg, const char *text), void *arg,
                 char **path, struct err *e);
/* Fills dir (exists, empty) with the library's sources: unpacked archive without its top
 * directory, or a copy of the tree without build products and .git. */
int source_unpack(const struct library *l, const char *archive, const char *dir, struct err *e);
/* The command that unpacks an archive into dir, for callers that start it themselves. */
void source_unpack_argv(const char *archive, const char *dir, struct list *argv);
/* Hash of a tree's files as source_unpack would copy them: names, contents, what is executable
 * and where links lead. */
int source_tree_hash(const char *tree, char hex[65], struct err *e);
/* Copies these files into dir, all of one age, so that make sees nothing as out of date. */
int source_tree_copy(const char *tree, const char *dir, struct err *e);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_LINUXSOURCE_H
#define CB_LINUXSOURCE_H

/*
 * The kernel's two files of a LIBRARY_LINUX: out of a source tree, out of an archive the user
 * gives, or as pinned by a library file. The pinned ones are looked for in the cache, in
 * $CRYPTO_BENCH_SOURCES and beside the library file (an archive), in /usr/src (where Debian's
 * package puts it), and in that package, which apt downloads. Files are small and kept in
 * CACHE/sources/SHA256/; archives and packages are large and are not.
 */
#include "err.h"
#include "library.h"

/* Their names in a source tree, LINUX_FILES of them (library.h). */
extern const char *const linux_files[];

/* 1 when dir is a Linux source tree: it holds both. */
int linuxsource_is_tree(const char *dir);
/* 1 when path is named like a tar archive. */
int linuxsource_is_archive(const char *path);
/* Of a Makefile of the tree: "6.1.192"; of a name like linux-6.1.tar.xz: "6.1". Caller owns;
 * NULL when it says nothing. */
char *linuxsource_tree_version(const char *dir);
char *linuxsource_name_version(const char *path);
/* One hash for the hashes of the files, in the order of linux_files. */
void linuxsource_combine(char hex[LINUX_FILES][65], char combined[65]);
/* That of the tree's files. */
int linuxsource_tree_hash(const char *dir, char hex[65], struct err *e);
/* *dir: a directory with both files, caller owns; those pinned are checked. See source_fetch(). */
int linuxsource_fetch(const struct library *l, void (*say)(void *arg, const char *text), void *arg,
                      char **dir, struct err *e);

#endif

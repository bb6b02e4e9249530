/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_FILE_H
#define CB_FILE_H

/* Files, paths and hashes. Paths are UTF-8 bytes; nothing here uses a shell. */
#include <stddef.h>
#include <stdio.h>

#include "err.h"
#include "str.h"

/* Whole file into out (appended). Refuses files over max bytes. */
int file_read(const char *path, size_t max, struct str *out, struct err *e);
/* Writes beside path under a temporary name, syncs, renames: a reader sees
 * the old file or the whole new one. On error nothing is left behind. */
int file_write_atomic(const char *path, const void *data, size_t n, struct err *e);
/* 0 when a file can be made in dir. */
int file_write_probe(const char *dir, struct err *e);
int file_copy(const char *from, const char *to, struct err *e);
/* mkdir -p. */
int dir_make(const char *path, struct err *e);
/* rm -rf; a path that is not there is no error. Never follows links. */
int tree_remove(const char *path, struct err *e);
/* Entries of a directory ending in suffix ("" for all), sorted. */
int dir_list(const char *path, const char *suffix, struct list *out, struct err *e);
int path_is_file(const char *path);
int path_is_dir(const char *path);
/* dir/name, caller owns. */
char *path_join(const char *dir, const char *name);
/* Part after the last slash; points into path. */
const char *path_base(const char *path);
/* Full path of a program found on PATH (or of a name with a slash that can
 * be executed), caller owns; NULL when there is none. */
char *path_program(const char *name);

/* SHA-256 as 64 lower-case hex digits. Uses libcrypto. */
struct hash;
struct hash *hash_new(void);
void hash_add(struct hash *h, const void *p, size_t n);
/* Adds length-prefixed text, so that "ab","c" and "a","bc" differ; NULL is
 * distinct from "". */
void hash_add_str(struct hash *h, const char *s);
void hash_add_list(struct hash *h, const struct list *l);
int hash_add_file(struct hash *h, const char *path, struct err *e);
/* Finishes and frees h. */
void hash_end(struct hash *h, char hex[65]);
int file_sha256(const char *path, char hex[65], struct err *e);

#endif

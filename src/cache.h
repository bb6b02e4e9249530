/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_CACHE_H
#define CB_CACHE_H

/*
 * Locks and work directories of the cache. Whoever holds CACHE/locks/KEY.lock owns
 * CACHE/tmp/KEY; a work directory whose lock is free was left by a run that died.
 */
#include "err.h"

/* The cache directory, absolute and without links, with its parts made and cleared of what dead
 * runs left behind. Caller owns; NULL on error. */
char *cache_open(struct err *e);

/* 1: locked, *lock is to be given to cache_unlock(); 0: another holds it; -1: error. Not
 * inherited by children. */
int cache_lock_try(const char *cache, const char *key, int *lock, struct err *e);
/* Waits for it; calls busy(arg) once when it must wait. Ends with an error when interrupted. */
int cache_lock_wait(const char *cache, const char *key, void (*busy)(void *arg), void *arg,
                    int *lock, struct err *e);
void cache_unlock(int lock);

/* An empty CACHE/tmp/KEY, whose lock is held; caller owns the path. NULL on error. */
char *cache_work_make(const char *cache, const char *key, struct err *e);
/* Removes it, and ends processes that a dead run left working in it. */
int cache_work_remove(const char *work, struct err *e);

/* CACHE/kind/key, caller owns. */
char *cache_path(const char *cache, const char *kind, const char *key);

#endif

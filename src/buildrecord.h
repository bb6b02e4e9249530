/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_BUILDRECORD_H
#define CB_BUILDRECORD_H

/*
 * What a cache entry says of itself: build.json beside a library, driver.json beside a
 * driver. An entry is believed only when its record reads strictly, is of the right key, and the
 * file it describes is the one that lies there.
 */
#include "build.h"

/* The archive of a library entry. */
struct archive_record {
    uint64_t bytes; /* of libcrypto.a; 0 for a prefix, whose archive is elsewhere */
    char sha256[65];
    struct list libs; /* further libraries it must be linked with, e.g. "-latomic" */
};
void archive_record_free(struct archive_record *a);
void build_facts_free(struct build_facts *f);

int build_record_write(const char *dir, const char *key, const struct build_facts *f,
                       const struct archive_record *a, struct err *e);
/* Fills f (but for linker_warnings) and a. `whole`: compare the archive's contents too,
 * not just its size. -1, with nothing to free, when the entry is absent or damaged. */
int build_record_read(const char *dir, const char *key, int whole, struct build_facts *f,
                      struct archive_record *a, struct err *e);

/* Of b: driver_sha256, driver_elf, facts.linker_warnings. */
int driver_record_write(const char *dir, const struct build *b, struct err *e);
/* Fills these and b->driver. */
int driver_record_read(const char *dir, struct build *b, struct err *e);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_WORKLOAD_H
#define CB_WORKLOAD_H

/* The host's knowledge of algorithms, operations and workloads: the same table the driver is
 * made from (bench/algorithms.h), so that the two cannot differ. */
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "str.h"

struct algorithm {
    const char *name; /* "aes-128-gcm" */
    const char *summary;
    int aead;
    unsigned block; /* sizes are multiples of this: 16 for CBC, 1 for AEAD */
    int in_default_set;
};

size_t algorithm_count(void);
const struct algorithm *algorithm_at(size_t i);
const struct algorithm *algorithm_find(const char *name);

struct workload {
    const char *name; /* "record/1" */
    const char *summary;
};
size_t workload_count(void);
const struct workload *workload_at(size_t i);
/* The table's own copy of the id; NULL when there is none. */
const char *workload_find(const char *name);

/* "encrypt", "decrypt". */
size_t operation_count(void);
const char *operation_at(size_t i);
/* The table's own copy of the word; NULL when there is none. */
const char *operation_find(const char *name);

#define BLOCK_SIZE_MAX (16u << 20) /* largest --size, bytes */
extern const uint64_t default_sizes[];
extern const size_t default_size_count;

#endif

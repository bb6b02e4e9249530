/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "workload.h"

#include <string.h>

#include "../bench/algorithms.h"

enum { HOST_MAX = BLOCK_SIZE_MAX, DRIVER_MAX = BLOCK_BYTES_MAX };
_Static_assert(HOST_MAX == DRIVER_MAX, "host and driver agree on the largest block");

enum { AEAD = 1, CBC = 0 };

#define ALGORITHM_ROW(name, summary, kind, key, iv, block, def, evp)                               \
    {name, summary, kind, block, def},
static const struct algorithm algorithms[] = {ALGORITHMS(ALGORITHM_ROW)};

#define WORKLOAD_ROW(name, summary) {name, summary},
static const struct workload workloads[] = {WORKLOADS(WORKLOAD_ROW)};

#define OPERATION_ROW(name) name,
static const char *const operations[] = {OPERATIONS(OPERATION_ROW)};

/* Those of `openssl speed` up to 8192 bytes, and 1456, the payload of a full-sized packet. */
const uint64_t default_sizes[] = {16, 64, 256, 1024, 1456, 8192};
const size_t default_size_count = sizeof default_sizes / sizeof *default_sizes;

size_t algorithm_count(void)
{
    return sizeof algorithms / sizeof *algorithms;
}

const struct algorithm *algorithm_at(size_t i)
{
    return &algorithms[i];
}

const struct algorithm *algorithm_find(const char *name)
{
    for (size_t i = 0; i < algorithm_count(); i++)
        if (strcmp(algorithms[i].name, name) == 0)
            return &algorithms[i];
    return NULL;
}

size_t workload_count(void)
{
    return sizeof workloads / sizeof *workloads;
}

const struct workload *workload_at(size_t i)
{
    return &workloads[i];
}

size_t operation_count(void)
{
    return sizeof operations / sizeof *operations;
}

const char *operation_at(size_t i)
{
    return operations[i];
}

const char *operation_find(const char *name)
{
    for (size_t i = 0; i < operation_count(); i++)
        if (strcmp(operations[i], name) == 0)
            return operations[i];
    return NULL;
}

const char *workload_find(const char *name)
{
    for (size_t i = 0; i < workload_count(); i++)
        if (!strcmp(workload_at(i)->name, name))
            return workload_at(i)->name;
    return NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_RIVALS_H
#define CB_RIVALS_H

/* AES-GCM or ChaCha20-Poly1305: the same library's answer, size by size. */
#include "cellgroup.h"
#include "policy.h"

/* Of one build, operation and pair of algorithms. */
struct rivals {
    const char *aes, *chacha, *op;
    size_t sizes;                     /* that have a number for both */
    struct list aes_at, chacha_at;    /* "16", ...: where that one costs less, beyond noise */
    double least, most;               /* cost of ChaCha20 over AES-GCM's */
    uint64_t least_bytes, most_bytes; /* where */
    /* Of modelled cycles: by how many per cent either side's may be off, least and most; sizes that
     * have no such band are left out; sizes at which the bands of both hold no difference. */
    int aes_band[2], chacha_band[2];
    size_t bandless, within;
};

/* All pairs and operations that the build has numbers for, by the metric, into out, which the
 * caller frees by rivals_free(). Returns how many. */
size_t rivals_find(const struct cell_group *g, const struct result_build *b, enum metric m,
                   struct rivals **out);
void rivals_free(struct rivals *r, size_t n);

#endif

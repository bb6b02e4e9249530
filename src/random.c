/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "random.h"

#include <sys/random.h>
#include <unistd.h>

#include "spawn.h"

void random_start(struct random *r, uint64_t seed)
{
    r->state = seed;
}

uint64_t random_next(struct random *r)
{
    uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t random_below(struct random *r, uint64_t n)
{
    /* the bias is n / 2^64 */
    return random_next(r) % n;
}

uint64_t random_seed(void)
{
    uint64_t seed;

    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != (ssize_t)sizeof seed)
        seed = now_ns() ^ (uint64_t)getpid();
    /* exact in a JSON reader that knows doubles only */
    return seed >> 11;
}

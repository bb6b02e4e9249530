/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "change.h"

int change_in_noise(const struct result_cell *c)
{
    const struct estimate *r = &c->ratio;
    double most = 0;
    const struct result_cell *sides[] = {c, c->baseline};
    for (size_t i = 0; i < 2; i++)
        if (sides[i]->null.n && noise_floor(&sides[i]->null) > most)
            most = noise_floor(&sides[i]->null);
    /* an emulator's time has no twins, and runs unlike the CPU's anyway */
    return c->emulated || !r->have_interval || (r->low <= 1 && r->high >= 1) ||
           (r->median < 1 + most && r->median > 1 / (1 + most));
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "capability.h"

#include <openssl/crypto.h>

#ifdef OPENSSL_INFO_CPU_SETTINGS

const char *capability_text(void)
{
    const char *text = OPENSSL_info(OPENSSL_INFO_CPU_SETTINGS);

    return text != NULL ? text : "";
}

#else

#include <inttypes.h>
#include <stdio.h>

/*
 * Before 3.0 the masks can only be read where the library keeps them. Weak: a library for another
 * architecture, or one that hides its mask, leaves the address NULL.
 */
extern unsigned int OPENSSL_ia32cap_P[4] __attribute__((weak));
extern unsigned int OPENSSL_armcap_P __attribute__((weak));
extern unsigned int OPENSSL_ppccap_P __attribute__((weak));

static const struct mask {
    const char *name;
    const unsigned int *words;
    size_t groups, words_per_group; /* a group is one number, lowest word first */
} masks[] = {
    {"OPENSSL_ia32cap", OPENSSL_ia32cap_P, 2, 2},
    {"OPENSSL_armcap", &OPENSSL_armcap_P, 1, 1},
    {"OPENSSL_ppccap", &OPENSSL_ppccap_P, 1, 1},
};

static void mask_print(const struct mask *m, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s", m->name);

    for (size_t i = 0; i < m->groups && used < size; i++) {
        const unsigned int *w = m->words + i * m->words_per_group;
        uint64_t value = w[0];

        if (m->words_per_group == 2)
            value |= (uint64_t)w[1] << 32;
        used +=
            (size_t)snprintf(text + used, size - used, "%c0x%" PRIx64, i == 0 ? '=' : ':', value);
    }
}

const char *capability_text(void)
{
    static char text[80];

    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++)
        if (masks[i].words != NULL)
            mask_print(&masks[i], text, sizeof text);
    return text;
}

#endif

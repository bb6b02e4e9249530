/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "info.h"

#include <limits.h>

#include "capability.h"
#include "cipher.h"
#include "clock.h"
#include "emit.h"
#include "op.h"

#define PROTOCOL_VERSION 1

static int is_big_endian(void)
{
    const union {
        uint32_t word;
        unsigned char byte[4];
    } probe = {1};

    return probe.byte[3] == 1;
}

void info_emit(void)
{
    emit_begin(1);
    emit_uint("protocol", PROTOCOL_VERSION);
    emit_text("library", OpenSSL_version(OPENSSL_VERSION));
    emit_text("headers", LIBRARY_HEADERS_TEXT);
    emit_text("build_flags", LIBRARY_BUILD_FLAGS);
    emit_text("capabilities", capability_text());
    emit_text("clock", CLOCK_NAME);
    emit_uint("clock_tick_ns", clock_tick());
    emit_uint("bits", CHAR_BIT * sizeof(void *));
    emit_bool("big_endian", is_big_endian());
    emit_array("algorithms");
    for (size_t i = 0; i < cipher_count(); i++)
        if (cipher_implementation(cipher_at(i)) != NULL)
            emit_item_text(cipher_at(i)->name);
    emit_array_end();
    emit_array("workloads");
    for (size_t i = 0; i < workload_count(); i++)
        emit_item_text(workload_name(i));
    emit_array_end();
}

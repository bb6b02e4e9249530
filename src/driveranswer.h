/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_DRIVERANSWER_H
#define CB_DRIVERANSWER_H

/* What a driver's answers with numbers say, and whether it can be true (docs/protocol.md). */
#include <stdint.h>

#include "driver.h"
#include "err.h"
#include "json.h"
#include "sample.h"
#include "status.h"

/* Samples of an answer to `time` that took wall_ns, appended to out, which starts empty. BAD_ANSWER
 * (e: what is not as the protocol has it) or BAD_CLOCK (numbers that cannot be). */
enum status answer_samples(const struct json_doc *doc, uint64_t count, uint64_t wall_ns,
                           struct samples *out, struct err *e);
/* An answer to `cycles`. -1 with what is not as the protocol has it, and nothing to free. */
int answer_cycle_source(const struct json_doc *doc, struct cycle_source *out, struct err *e);

#endif

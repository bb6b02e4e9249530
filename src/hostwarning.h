/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_HOSTWARNING_H
#define CB_HOSTWARNING_H

/* What of the machine makes times measured on it doubtful. */
#include "host.h"
#include "str.h"

/* Appends "code: what is, what it does to the numbers, what to do about it", at most one of each
 * code, for a host whose change is filled in. Only for runs that timed something on this machine's
 * own processor: counts and emulated times do not depend on these. */
void host_warnings(const struct host *h, struct list *warnings);

#endif

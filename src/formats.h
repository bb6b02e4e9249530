/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_FORMATS_H
#define CB_FORMATS_H

/* The words of --format, by command: for its check, help, manual page and completion. */
#include "str.h"

/* Adds the names that a command takes; none for a command without the option. */
void formats_of(const char *command, struct list *out);
/* One line for people; NULL for an unknown name. */
const char *formats_summary(const char *command, const char *name);

#endif

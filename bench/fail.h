/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_FAIL_H
#define CB_FAIL_H

/* Why a command failed: a word of the protocol's table, and a line for people. */

enum fail_word {
    FAIL_BAD_COMMAND,
    FAIL_UNSUPPORTED,
    FAIL_WRONG_ANSWER,
    FAIL_UNCHECKED,
    FAIL_BAD_CLOCK,
    FAIL_LIBRARY,
    FAIL_NO_MEMORY
};

struct fail {
    enum fail_word word;
    char detail[512];
};

/* The word as the protocol spells it. */
const char *fail_word_name(enum fail_word w);
/* Fills f; always -1. */
int fail_set(struct fail *f, enum fail_word w, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* FAIL_LIBRARY, with what the library's error queue says of `call`; empties the queue; always -1.
 */
int fail_library(struct fail *f, const char *call);

#endif

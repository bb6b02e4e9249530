/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_STREAM_H
#define CB_STREAM_H

/* The instructions of one operation in the order of execution, as a pipeline takes them. */
#include <stddef.h>
#include <stdint.h>

#include "decode.h"
#include "err.h"
#include "insn.h"
#include "symbols.h"
#include "tally.h"

/* Instructions with the marks' own: some 64 KiB in the slowest of C code. */
#define STREAM_MAX 50000000

struct stream {
    struct insn *insns; /* each distinct one; the decoder's numbers, then fused pairs */
    size_t ninsns;
    uint64_t *times; /* of each: how often it is in order */
    uint32_t *order; /* indexes into insns */
    size_t n;
    uint64_t executed; /* instructions, a fused pair being two: those of the count */
};

/*
 * From a count with its trace. The marks' own instructions are left out, as many as the count took
 * off: those of the begin mark's function at the front, the rest (the call of the end mark) at the
 * end. fuse_aes: an AESE and the AESMC of its register that follows it are one, CLASS_AESF.
 *
 * Errors: no trace, or one that does not fit the count (cut off, of another program); more than
 * STREAM_MAX instructions; addresses where no code is.
 */
int stream_make(struct decoder *d, const struct symbols *s, const struct count *c, int fuse_aes,
                struct stream *out, struct err *e);
void stream_free(struct stream *s);

#endif

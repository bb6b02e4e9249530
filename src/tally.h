/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_TALLY_H
#define CB_TALLY_H

/*
 * Executed translation blocks between marks, whatever they are learnt from, and what follows from
 * them. The driver passes its marks twice for an operation: with nothing between them, then with
 * the operation; one such pair is held at a time.
 */
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "symbols.h"

struct tally;

/*
 * machine: EM_* of elf.h. On x86, QEMU executes a repeated string instruction (`rep stos`) as a
 * block that goes back to its own start, as often as its version pleases; such an instruction
 * counts once, as processors count it.
 */
struct tally *tally_new(int machine);
void tally_free(struct tally *t);

/* A block of n instructions; *number is what the functions below call it. An error when there
 * are more blocks than any program has. */
int tally_block(struct tally *t, const uint64_t *addresses, size_t n, uint32_t *number,
                struct err *e);
/* Execution is at the begin mark. An error without an end since the last one, or when the
 * last pair was not taken. */
int tally_begin(struct tally *t, struct err *e);
/* A block is executed; ignored outside marks. */
int tally_run(struct tally *t, uint32_t number, struct err *e);
int tally_end(struct tally *t, struct err *e);

/* 1 when both intervals of a pair were seen. */
int tally_is_complete(const struct tally *t);
/* Forgets intervals, keeps blocks. */
void tally_reset(struct tally *t);

/* Keeps the order of blocks too, from the next pair on, as long as it is no longer than
 * TALLY_TRACE_MAX. */
enum { TALLY_TRACE_MAX = 1 << 24 };
void tally_want_trace(struct tally *t, int wanted);

struct count_function {
    const char *name; /* lives as long as the symbols */
    uint64_t insns;   /* guest instructions */
};

/* A block in a trace. */
struct count_block {
    uint64_t *addresses; /* of its instructions */
    size_t n;
};

/* One operation. */
struct count {
    uint64_t insns;    /* guest instructions of the operation, the marks' own taken off */
    uint64_t overhead; /* what was taken off */
    struct count_function *functions; /* most instructions first; add up to insns */
    size_t nfunctions;
    /* With tally_want_trace: what was executed from begin to end mark, both intervals' worth of
     * marks included, in order. */
    struct count_block *blocks; /* each once */
    size_t nblocks;
    uint32_t *trace; /* indexes into blocks */
    size_t ntrace;
    int trace_cut; /* 1: it was longer than TALLY_TRACE_MAX, and there is none */
};
void count_free(struct count *c);

/* The pair's result; resets. An error when the empty interval has what the other has not. */
int tally_take(struct tally *t, const struct symbols *s, struct count *out, struct err *e);

#endif

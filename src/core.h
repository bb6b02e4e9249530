/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_CORE_H
#define CB_CORE_H

/*
 * The pipeline of a CPU core as published, for modelled cycles. targets/cores/ (JSON), or a file of
 * the user's. docs/core.schema.json says what each key of such a file means.
 *
 * All times are in cycles. A consumer may issue when
 * issue >= producer's issue + producer's latency - consumer's read[kind of source].
 */
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "insn.h"

enum {
    CORE_UNITS = 16,
    CORE_USES = 6, /* units that one instruction holds at a time, or micro-operations of it */
    CORE_MACHINES = 4,
    CORE_BANDS = 8,

    /* What a file may say: enough for any core, and small enough that no cycle count overflows and
     * no engine is slow. */
    CORE_LATENCY_MAX = 255,
    CORE_BUSY_MAX = 255,
    CORE_WIDTH_MAX = 16,
    CORE_ENTRIES_MAX = 1024, /* of the reorder buffer */
    CORE_QUEUE_MAX = 64
};

enum core_kind { CORE_IN_ORDER, CORE_OUT_OF_ORDER };

/* Issue slots of a core in order, as bits. */
enum { SLOT_FIRST = 1, SLOT_SECOND = 2, SLOT_ANY = 3, SLOT_ALONE = 0 };

struct core_use {
    uint16_t units; /* alternatives; bit n is unit n of the core */
    uint16_t busy;  /* cycles, at least 1 */
};

struct core_class {
    int present;            /* 0: the table lacks the class, all else is 0 */
    int latency;            /* from issue until the result exists */
    int read[SOURCE_KINDS]; /* cycles after issue at which an operand is read; may be negative */
    int base_latency;       /* of a base register that is written back */
    struct core_use uses[CORE_USES];
    size_t nuses;
    int slots;        /* in order: SLOT_* */
    int issue_cycles; /* in order: for so long nothing else issues; at least 1 */

    /* Loads and stores of several registers, and table look-ups, in groups of so many registers; 0:
     * the class is none of these, and what follows is 0. */
    int group;
    int group_latency;   /* later, for each further group */
    int group_units;     /* 1: each group holds the units, or has micro-operations, of its own */
    int group_pipelined; /* in order, 1: further groups hold units only, not the issue stage */
    int group_together;  /* in order, 1: all results with the last group, a cycle each */
};

struct core_queue {
    uint16_t units; /* that are fed from it */
    int entries;
    int in_order; /* 1: issues in program order */
};

struct core {
    char *path; /* file it came from */
    char *name;
    char *summary;
    int version;                 /* of the table; results name it */
    int machines[CORE_MACHINES]; /* EM_* of elf.h: instruction sets that the table covers */
    size_t nmachines;
    enum core_kind kind;
    int width;        /* instructions issued, or micro-operations dispatched, a cycle */
    int taken_branch; /* cycles lost after one, besides that nothing follows it in its own cycle */
    char *units[CORE_UNITS];
    size_t nunits;
    int fuses_aes; /* AESE and an AESMC of its register that follows it are one: CLASS_AESF */

    /* Out of order; else 0. */
    int entries; /* micro-operations in the reorder buffer */
    int retire;  /* instructions a cycle */
    struct core_queue queues[CORE_UNITS];
    size_t nqueues;
    uint8_t queue_of[CORE_UNITS]; /* of each unit: an index into queues */
    uint16_t
        writeback; /* units for the micro-operation that writes a base register back; 0: none */

    /* How far modelled cycles of blocks of so many bytes and more may be off; ascending. */
    struct core_band {
        uint64_t bytes;
        int percent;
    } bands[CORE_BANDS];
    size_t nbands;

    struct core_class classes[CLASSES];
};

/* word: a name in targets/cores/, or a path (see catalog.h). An error names the file and the place
 * in it, and is a usage error. out is the caller's to free. */
int core_load(const char *word, struct core *out, struct err *e);
void core_free(struct core *c);

/* 1 when the table covers programs of that ELF machine. */
int core_covers(const struct core *c, int machine);
/* 1 when there is a decoder for such programs, so that a target for them may name a core. */
int core_machine_is_known(int machine);
/* Percent by which modelled cycles of blocks of that size may be off; -1: not known, blocks so
 * small are fit for ratios only. */
int core_band(const struct core *c, uint64_t bytes);

#endif

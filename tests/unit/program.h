/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_TEST_PROGRAM_H
#define CB_TEST_PROGRAM_H

/* Hand-made instruction streams, for the tests of pipelines. */
#include <stdlib.h>
#include <string.h>

#include "core.h"
#include "pipeline.h"
#include "random.h"

enum { PROGRAM_INSNS = 256, PROGRAM_LENGTH = 4096 };

struct program {
    struct insn insns[PROGRAM_INSNS];
    size_t ninsns;
    uint32_t order[PROGRAM_LENGTH];
    size_t n;
    uint64_t end; /* address after the last instruction */
    struct pipeline_charge charges[PROGRAM_INSNS];
};

/* Numbers of registers, each with a letter for its kind: "1 2a 3d" are sources (nothing: normal,
 * a: address, s: shifted, c: accumulator, d: data), "1 4b" destinations (b: base, else results in
 * their order). */
static inline uint8_t program_operands(const char *text, struct insn_operand *out, int are_results)
{
    static const char letters[] = "nascd";
    uint8_t n = 0, results = 0;
    while (*text) {
        char *end;
        out[n] = (struct insn_operand){.reg = (uint8_t)strtoul(text, &end, 10)};
        assert_ptr_not_equal(end, text);
        if (are_results && *end != 'b') {
            out[n].kind = (uint8_t)(results ? results + 1 : DESTINATION_RESULT);
            results++;
        } else if (are_results) {
            out[n].kind = DESTINATION_BASE;
        } else if (*end && *end != ' ') {
            const char *at = strchr(letters, *end);
            assert_non_null(at);
            out[n].kind = (uint8_t)(at - letters);
        }
        n++;
        end += *end && *end != ' ';
        text = end + (*end == ' ');
    }
    return n;
}

/* Appends an instruction and executes it. n: registers of a load or store of several. */
static inline void program_add_several(struct program *p, enum insn_class class, const char *from,
                                       const char *to, int n)
{
    struct insn *x = &p->insns[p->ninsns];
    assert_true(p->ninsns < PROGRAM_INSNS && p->n < PROGRAM_LENGTH);
    *x = (struct insn){.address = p->end, .class = (uint8_t) class, .length = 4, .n = (uint8_t)n};
    x->nsources = program_operands(from, x->sources, 0);
    x->ndestinations = program_operands(to, x->destinations, 1);
    p->order[p->n++] = (uint32_t)p->ninsns++;
    p->end += 4;
}

static inline void program_add(struct program *p, enum insn_class class, const char *from,
                               const char *to)
{
    program_add_several(p, class, from, to, 1);
}

static inline struct pipeline_stream program_stream(const struct program *p)
{
    return (struct pipeline_stream){p->insns, p->ninsns, p->order, p->n};
}

/* Sum of what was charged, by kind; units too. */
static inline struct pipeline_charge program_charged(const struct program *p)
{
    struct pipeline_charge sum = {0};
    for (size_t i = 0; i < p->ninsns; i++) {
        for (size_t w = 0; w < WAITS; w++)
            sum.waits[w] += p->charges[i].waits[w];
        for (size_t u = 0; u < CORE_UNITS; u++)
            sum.units[u] += p->charges[i].units[u];
    }
    return sum;
}

/* Runs it both without and with charges, which must add up; the cycles. */
static inline uint64_t program_run(const struct core *c, struct program *p,
                                   int (*cost)(const struct core *, const struct pipeline_stream *,
                                               struct pipeline_charge *, uint64_t *, struct err *))
{
    struct pipeline_stream s = program_stream(p);
    struct err e = ERR_INIT;
    uint64_t plain = 0, charged = 0, waits = 0, units = 0;
    memset(p->charges, 0, sizeof p->charges);
    if (cost(c, &s, NULL, &plain, &e) || cost(c, &s, p->charges, &charged, &e))
        fail_msg("%s", e.text);
    assert_int_equal(plain, charged);
    struct pipeline_charge sum = program_charged(p);
    for (size_t w = 0; w < WAITS; w++)
        waits += sum.waits[w];
    for (size_t u = 0; u < CORE_UNITS; u++)
        units += sum.units[u];
    assert_int_equal(waits, plain);
    assert_int_equal(units, sum.waits[WAIT_UNIT]);
    return plain;
}

static inline uint64_t program_cycles(const struct core *c, struct program *p)
{
    return program_run(c, p, pipeline_cycles);
}

static inline uint64_t program_operation(const struct core *c, struct program *p)
{
    return program_run(c, p, pipeline_operation);
}

/* Some instructions of classes that the core has, and an order with a jump now and then. */
static inline void program_random(const struct core *c, struct random *r, struct program *p)
{
    memset(p, 0, sizeof *p);
    while (p->ninsns < 60) {
        int class = (int)random_below(r, CLASSES), kind = 0;
        struct insn *x = &p->insns[p->ninsns];
        if (!c->classes[class].present)
            continue;
        p->ninsns++;
        *x = (struct insn){.address = p->end, .class = (uint8_t) class, .length = 4, .n = 1};
        if (c->classes[class].group)
            x->n = (uint8_t)(1 + random_below(r, 8));
        x->nsources = (uint8_t)random_below(r, 5);
        for (int i = 0; i < x->nsources; i++)
            x->sources[i] = (struct insn_operand){(uint8_t)random_below(r, 16),
                                                  (uint8_t)random_below(r, SOURCE_KINDS)};
        x->ndestinations = (uint8_t)(x->n > 1 ? x->n : random_below(r, 3));
        for (int i = 0; i < x->ndestinations; i++) {
            x->destinations[i] = (struct insn_operand){(uint8_t)random_below(r, 16), (uint8_t)kind};
            kind = kind ? kind + 1 : 2;
        }
        p->end += 4;
    }
    for (uint32_t at = 0; p->n < 1000; p->n++) {
        p->order[p->n] = at;
        at = (uint32_t)(random_below(r, 12) ? (at + 1) % p->ninsns : random_below(r, p->ninsns));
    }
}

#endif

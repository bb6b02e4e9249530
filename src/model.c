/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "model.h"

#include <stdlib.h>
#include <string.h>

#include "decode.h"
#include "mem.h"
#include "pipeline.h"
#include "str.h"
#include "stream.h"

enum { NAMES_MAX = 8 }; /* unknown mnemonics that are named */

struct model {
    struct decoder *decoder;
    const struct symbols *symbols;
    const struct core *core;
};

void modelled_free(struct modelled *m)
{
    free(m->unknown_names);
    free(m->functions);
    *m = (struct modelled){0};
}

int model_open(const char *driver, const struct symbols *s, const struct core *core,
               struct model **out, struct err *e)
{
    struct decoder *decoder;

    if (!core_covers(core, symbols_machine(s)->machine)) {
        char *text = elf_id_text(symbols_machine(s));

        err_set(e, "'%s' is a program for %s, which the table of core '%s' does not cover", driver,
                text, core->name);
        free(text);
        return -1;
    }
    if (decoder_open(driver, &decoder, e))
        return -1;
    *out = xcalloc(1, sizeof **out);
    **out = (struct model){decoder, s, core};
    return 0;
}

void model_close(struct model *m)
{
    if (m == NULL)
        return;
    decoder_close(m->decoder);
    free(m);
}

static uint64_t executed(const struct stream *s, size_t i)
{
    return s->insns[i].class == CLASS_AESF ? 2 * s->times[i] : s->times[i];
}

/* Counts and names what is not known; an error when it is too much. */
static int unknown_check(const struct model *m, const struct stream *s, struct modelled *out,
                         struct err *e)
{
    struct list names = LIST_INIT;
    int rc = 0;

    for (size_t i = 0; i < s->ninsns; i++) {
        const char *name;

        if (!s->insns[i].unknown || !s->times[i])
            continue;
        out->unknown += s->times[i];
        name = decoder_unknown_name(m->decoder, (uint32_t)i);
        if (names.n < NAMES_MAX && !list_has(&names, name))
            list_add(&names, name);
        else if (names.n == NAMES_MAX && !list_has(&names, name))
            list_add(&names, "...");
    }
    if (out->unknown)
        out->unknown_names = list_join(&names, ", ");
    list_free(&names);
    if ((double)out->unknown > MODEL_UNKNOWN_MAX * (double)s->executed)
        rc = err_set(e,
                     "%.1f%% of the executed instructions are not known to the decoder (%s); "
                     "above %.1f%% there is no figure",
                     100 * (double)out->unknown / (double)s->executed, out->unknown_names,
                     100 * MODEL_UNKNOWN_MAX);
    return rc;
}

/* Sums over one function. */
struct sums {
    uint64_t insns;
    uint64_t waits[WAITS];
    uint64_t units[CORE_UNITS];
};

static void sums_add(struct sums *f, uint64_t insns, const struct pipeline_charge *c)
{
    f->insns += insns;
    for (size_t w = 0; w < WAITS; w++)
        f->waits[w] += c->waits[w];
    for (size_t u = 0; u < CORE_UNITS; u++)
        f->units[u] += c->units[u];
}

static void function_make(const struct core *core, const char *name, const struct sums *f,
                          struct modelled_function *out)
{
    uint64_t most = 0;

    *out = (struct modelled_function){.name = name, .insns = f->insns};
    for (size_t w = 0; w < WAITS; w++) {
        out->waits[w] = (double)f->waits[w];
        out->cycles += (double)f->waits[w];
    }
    for (size_t u = 0; u < core->nunits; u++) {
        if (f->units[u] > most) {
            most = f->units[u];
            out->busiest_unit = core->units[u];
        }
    }
}

static int function_compare(const void *a, const void *b)
{
    const struct modelled_function *x = a, *y = b;

    if (x->cycles != y->cycles)
        return x->cycles < y->cycles ? 1 : -1;
    return strcmp(x->name, y->name);
}

static void functions_make(const struct model *m, const struct stream *s,
                           const struct pipeline_charge *charges, struct modelled *out)
{
    size_t n = symbols_count(m->symbols);
    struct sums *sums = xcalloc(n, sizeof *sums);

    for (size_t i = 0; i < s->ninsns; i++)
        if (s->times[i])
            sums_add(&sums[symbols_at(m->symbols, s->insns[i].address)], executed(s, i),
                     &charges[i]);
    out->functions = xcalloc(n, sizeof *out->functions);
    for (size_t i = 0; i < n; i++)
        if (sums[i].insns)
            function_make(m->core, symbols_name(m->symbols, i), &sums[i],
                          &out->functions[out->nfunctions++]);
    qsort(out->functions, out->nfunctions, sizeof *out->functions, function_compare);
    free(sums);
}

int model_operation(struct model *m, const struct count *trace, struct modelled *out, struct err *e)
{
    struct stream stream;
    struct pipeline_charge *charges = NULL;
    int rc;

    *out = (struct modelled){0};
    if (stream_make(m->decoder, m->symbols, trace, m->core->fuses_aes, &stream, e))
        return -1;
    out->insns = stream.executed;
    rc = unknown_check(m, &stream, out, e);
    if (rc == 0) {
        const struct pipeline_stream p = {stream.insns, stream.ninsns, stream.order, stream.n};

        charges = xcalloc(stream.ninsns + 1, sizeof *charges);
        rc = pipeline_operation(m->core, &p, charges, &out->cycles, e);
    }
    if (rc == 0)
        functions_make(m, &stream, charges, out);
    else
        modelled_free(out);
    free(charges);
    stream_free(&stream);
    return rc;
}

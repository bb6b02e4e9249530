/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "export_format.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

#include "escape.h"
#include "number.h"

/* What a row is made of; cell and lane are NULL for a build without cells. */
struct row {
    const struct result_file *file;
    const struct result_build *build;
    const struct result_lane *lane;
    const struct result_cell *cell;
};

enum of { FILE_, BUILD, LANE, CELL };

/* A member: a string, a whole number, or a figure of a struct estimate; MADE of several. */
enum kind { TEXT, WHOLE, COUNT, MEDIAN, LOW, HIGH, MAD, MADE };

enum { ALWAYS = -1 };

/* Where a column's value lies. */
struct column {
    const char *name;
    enum of of;
    enum kind kind;
    size_t offset;
    ptrdiff_t when;                                  /* of an int without which there is none */
    void (*made)(struct str *, const struct row *r); /* MADE */
};

static void number_add(struct str *out, double v)
{
    char *text = double_text(v);
    str_add(out, text);
    free(text);
}

static void text_add(struct str *out, const char *s)
{
    char *text = escape_csv(s);
    str_add(out, text);
    free(text);
}

/* ---- what follows from several members ---- */

static void emulated(struct str *out, const struct row *r)
{
    if (r->cell->time.n)
        str_add(out, r->cell->emulated ? "true" : "false");
}

static void rate(struct str *out, const struct row *r)
{
    if (r->cell->time.n)
        number_add(out, rate_kb_s(r->cell->time.median, r->cell->bytes));
}

static void noise(struct str *out, const struct row *r)
{
    if (r->cell->null.n)
        number_add(out, noise_floor(&r->cell->null));
}

static void insns_ratio(struct str *out, const struct row *r)
{
    const struct result_cell *c = r->cell, *b = c->baseline;
    if (b && c->insns.counted && b->insns.counted && b->insns.per_op)
        number_add(out, (double)c->insns.per_op / (double)b->insns.per_op);
}

static void modelled_band(struct str *out, const struct row *r)
{
    const struct prediction *p = &r->cell->modelled;
    if (p->known && p->band >= 0)
        str_addf(out, "%d", p->band);
}

static void modelled_ratio(struct str *out, const struct row *r)
{
    const struct result_cell *c = r->cell, *b = c->baseline;
    if (b && prediction_comparable(&b->modelled, &c->modelled))
        number_add(out, prediction_ratio(&b->modelled, &c->modelled));
}

static void frame_bytes(struct str *out, const struct row *r)
{
    const struct stack_use *s = &r->build->stack.use;
    if (s->n)
        str_addf(out, "%" PRIu64, s->v[0].bytes);
}

static void frame_function(struct str *out, const struct row *r)
{
    const struct stack_use *s = &r->build->stack.use;
    if (s->n)
        text_add(out, s->v[0].function);
}

static void status(struct str *out, const struct row *r)
{
    text_add(out, r->cell ? r->cell->status : r->build->status);
}

static void reason(struct str *out, const struct row *r)
{
    text_add(out, r->cell ? r->cell->reason : r->build->reason);
}

/* ---- the columns ---- */

#define FILE_AT(m)  offsetof(struct result_file, m)
#define BUILD_AT(m) offsetof(struct result_build, m)
#define LANE_AT(m)  offsetof(struct result_lane, m)
#define CELL_AT(m)  offsetof(struct result_cell, m)
#define NOWHERE     0, ALWAYS

static const struct column columns[] = {
    {"file", FILE_, TEXT, FILE_AT(path), ALWAYS, NULL},
    {"created", FILE_, TEXT, FILE_AT(created), ALWAYS, NULL},
    {"build", BUILD, TEXT, BUILD_AT(id), ALWAYS, NULL},
    {"side", BUILD, TEXT, BUILD_AT(side), ALWAYS, NULL},
    {"library", BUILD, TEXT, BUILD_AT(library), ALWAYS, NULL},
    {"library_version", BUILD, TEXT, BUILD_AT(version), ALWAYS, NULL},
    {"compiler", BUILD, TEXT, BUILD_AT(cc), ALWAYS, NULL},
    {"compiler_version", BUILD, TEXT, BUILD_AT(cc_version), ALWAYS, NULL},
    {"config", BUILD, TEXT, BUILD_AT(config), ALWAYS, NULL},
    {"target", BUILD, TEXT, BUILD_AT(target), ALWAYS, NULL},
    {"cpu", LANE, TEXT, LANE_AT(cpu), ALWAYS, NULL},
    {"runner", LANE, TEXT, LANE_AT(runner), ALWAYS, NULL},
    {"workload", CELL, TEXT, CELL_AT(workload), ALWAYS, NULL},
    {"alg", CELL, TEXT, CELL_AT(alg), ALWAYS, NULL},
    {"op", CELL, TEXT, CELL_AT(op), ALWAYS, NULL},
    {"bytes", CELL, WHOLE, CELL_AT(bytes), ALWAYS, NULL},
    {"status", BUILD, MADE, NOWHERE, status},
    {"reason", BUILD, MADE, NOWHERE, reason},
    {"emulated", CELL, MADE, NOWHERE, emulated},
    {"ns_per_op", CELL, MEDIAN, CELL_AT(time), ALWAYS, NULL},
    {"ns_per_op_low", CELL, LOW, CELL_AT(time), ALWAYS, NULL},
    {"ns_per_op_high", CELL, HIGH, CELL_AT(time), ALWAYS, NULL},
    {"ns_per_op_mad", CELL, MAD, CELL_AT(time), ALWAYS, NULL},
    {"samples", CELL, COUNT, CELL_AT(time), ALWAYS, NULL},
    {"noise", CELL, MADE, NOWHERE, noise},
    {"kB_per_s", CELL, MADE, NOWHERE, rate},
    {"cycles_per_op", CELL, MEDIAN, CELL_AT(cycles), ALWAYS, NULL},
    {"cycles_per_op_low", CELL, LOW, CELL_AT(cycles), ALWAYS, NULL},
    {"cycles_per_op_high", CELL, HIGH, CELL_AT(cycles), ALWAYS, NULL},
    {"cycles_source", CELL, TEXT, CELL_AT(cycle_source), ALWAYS, NULL},
    {"cycles_reason", CELL, TEXT, CELL_AT(cycles_reason), ALWAYS, NULL},
    {"insns_per_op", CELL, WHOLE, CELL_AT(insns.per_op), CELL_AT(insns.counted), NULL},
    {"insns_counter", LANE, TEXT, LANE_AT(counter), ALWAYS, NULL},
    {"insns_reason", CELL, TEXT, CELL_AT(insns.reason), ALWAYS, NULL},
    {"modelled_cycles", CELL, WHOLE, CELL_AT(modelled.cycles), CELL_AT(modelled.known), NULL},
    {"modelled_core", CELL, TEXT, CELL_AT(modelled.core), CELL_AT(modelled.known), NULL},
    {"modelled_table_version", CELL, WHOLE, CELL_AT(modelled.version), CELL_AT(modelled.known),
     NULL},
    {"modelled_band_percent", CELL, MADE, NOWHERE, modelled_band},
    {"modelled_reason", CELL, TEXT, CELL_AT(modelled.reason), ALWAYS, NULL},
    {"baseline", CELL, TEXT, CELL_AT(baseline_build), ALWAYS, NULL},
    {"time_ratio", CELL, MEDIAN, CELL_AT(ratio), ALWAYS, NULL},
    {"time_ratio_low", CELL, LOW, CELL_AT(ratio), ALWAYS, NULL},
    {"time_ratio_high", CELL, HIGH, CELL_AT(ratio), ALWAYS, NULL},
    {"insns_ratio", CELL, MADE, NOWHERE, insns_ratio},
    {"modelled_ratio", CELL, MADE, NOWHERE, modelled_ratio},
    {"text", BUILD, WHOLE, BUILD_AT(text), BUILD_AT(have_sizes), NULL},
    {"rodata", BUILD, WHOLE, BUILD_AT(rodata), BUILD_AT(have_sizes), NULL},
    {"data", BUILD, WHOLE, BUILD_AT(data), BUILD_AT(have_sizes), NULL},
    {"bss", BUILD, WHOLE, BUILD_AT(bss), BUILD_AT(have_sizes), NULL},
    {"shared_stripped", BUILD, WHOLE, BUILD_AT(shared_stripped), BUILD_AT(have_shared), NULL},
    {"shared_stripped_gzip9", BUILD, WHOLE, BUILD_AT(shared_gzip), BUILD_AT(have_shared), NULL},
    {"shared_stripped_xz9e", BUILD, WHOLE, BUILD_AT(shared_xz), BUILD_AT(have_shared), NULL},
    {"largest_frame", BUILD, MADE, NOWHERE, frame_bytes},
    {"largest_frame_function", BUILD, MADE, NOWHERE, frame_function},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

static void estimate_add(struct str *out, enum kind kind, const struct estimate *x)
{
    const double figures[] = {
        [MEDIAN] = x->median, [LOW] = x->low, [HIGH] = x->high, [MAD] = x->mad};
    if (!x->n || ((kind == LOW || kind == HIGH) && !x->have_interval))
        return;
    if (kind == COUNT)
        str_addf(out, "%zu", x->n);
    else
        number_add(out, figures[kind]);
}

/* Nothing where there is no value. */
static void value_add(struct str *out, const struct column *c, const struct row *r)
{
    const void *bases[] = {
        [FILE_] = r->file, [BUILD] = r->build, [LANE] = r->lane, [CELL] = r->cell};
    const char *base = bases[c->of];
    if (!base || (c->when != ALWAYS && !*(const int *)(const void *)(base + c->when)))
        return;
    const void *at = base + c->offset;
    switch (c->kind) {
    case TEXT:
        text_add(out, *(const char *const *)at);
        break;
    case WHOLE:
        str_addf(out, "%" PRIu64, *(const uint64_t *)at);
        break;
    case MADE:
        c->made(out, r);
        break;
    case COUNT:
    case MEDIAN:
    case LOW:
    case HIGH:
    case MAD:
        estimate_add(out, c->kind, at);
        break;
    }
}

static void row_print(FILE *f, const struct row *r)
{
    struct str line = STR_INIT;
    for (size_t i = 0; i < COLUMNS; i++) {
        if (i)
            str_addc(&line, ',');
        value_add(&line, &columns[i], r);
    }
    str_add(&line, "\r\n");
    fwrite(line.p, 1, line.n, f);
    str_free(&line);
}

int export_csv(FILE *f, const struct export *x, struct err *e)
{
    (void)e;
    for (size_t i = 0; i < COLUMNS; i++)
        fprintf(f, "%s%s", i ? "," : "", columns[i].name);
    fputs("\r\n", f);
    for (size_t i = 0; i < x->n; i++) {
        const struct result_file *r = &x->files[i];
        for (size_t k = 0; k < r->ncells; k++)
            row_print(f, &(struct row){r, r->cells[k].build, r->cells[k].lane, &r->cells[k]});
        /* only stack frames were asked for */
        for (size_t k = 0; k < r->nbuilds && !r->nowned; k++)
            row_print(f, &(struct row){r, &r->builds[k], NULL, NULL});
    }
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "prediction.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "mem.h"
#include "str.h"

/* Share of the cycles below which a function is left out. */
#define FUNCTION_SHARE_MIN 0.001
/* Share of a function's cycles below which a wait is not told of. */
#define WAIT_SHARE_MIN 0.1

void prediction_free(struct prediction *f)
{
    for (size_t i = 0; i < f->nfunctions; i++) {
        free(f->functions[i].name);
        free(f->functions[i].unit);
    }
    free(f->functions);
    free(f->unknown_names);
    free(f->core);
    free(f->reason);
    *f = (struct prediction){0};
}

static char *copy_or_null(const char *s)
{
    return s ? xstrdup(s) : NULL;
}

void prediction_set(struct prediction *out, const struct modelled *m, const struct core *c,
                    uint64_t bytes)
{
    prediction_free(out);
    out->known = 1;
    out->cycles = m->cycles;
    out->core = xstrdup(c->name);
    out->version = (uint64_t)c->version;
    out->band = core_band(c, bytes);
    out->insns = m->insns;
    out->unknown = m->unknown;
    out->unknown_names = copy_or_null(m->unknown_names);
    out->functions = xcalloc(PREDICTION_FUNCTIONS, sizeof *out->functions);
    for (size_t i = 0; i < m->nfunctions; i++) {
        const struct modelled_function *from = &m->functions[i];
        if (out->nfunctions == PREDICTION_FUNCTIONS ||
            from->cycles < FUNCTION_SHARE_MIN * (double)m->cycles) {
            out->rest += from->cycles;
            continue;
        }
        struct prediction_function *to = &out->functions[out->nfunctions++];
        *to = (struct prediction_function){
            xstrdup(from->name), from->cycles, {0}, copy_or_null(from->busiest_unit)};
        memcpy(to->waits, from->waits, sizeof to->waits);
    }
}

void prediction_refuse(struct prediction *out, const char *reason)
{
    prediction_free(out);
    out->reason = xstrdup(reason);
}

char *prediction_mismatch(const struct prediction *base, const struct prediction *now)
{
    if (strcmp(base->core, now->core))
        return xasprintf("modelled for another core: base %s, new %s", base->core, now->core);
    if (base->version != now->version)
        return xasprintf("modelled with another table of %s: base v%" PRIu64 ", new v%" PRIu64
                         "; run both with one version of crypto-bench",
                         now->core, base->version, now->version);
    return NULL;
}

int prediction_comparable(const struct prediction *a, const struct prediction *b)
{
    return a->known && b->known && !strcmp(a->core, b->core) && a->version == b->version;
}

double prediction_ratio(const struct prediction *base, const struct prediction *now)
{
    return (double)now->cycles / (double)base->cycles;
}

int prediction_is_close(double ratio)
{
    /* 1.05 is 1 + 0.05 whatever becomes of it in binary */
    const double most = (1 + PREDICTION_CLOSE) * (1 - 1e-9);
    return ratio < most && ratio > 1 / most;
}

char *prediction_ratio_text(double ratio)
{
    return prediction_is_close(ratio) ? xstrdup("too close to call") : xasprintf("%.2fx", ratio);
}

char *core_title(const char *name)
{
    char *title = xstrdup(name);
    int begin = 1;
    for (char *p = title; *p; p++) {
        if (begin && isalpha((unsigned char)*p)) {
            *p = (char)toupper((unsigned char)*p);
            begin = 0;
        }
        begin |= *p == '-';
    }
    return title;
}

static char *label_with(const char *title, uint64_t version)
{
    return xasprintf("modelled cycles, %s table v%" PRIu64
                     "; caches and predictors perfect; not measured",
                     title, version);
}

char *prediction_label(const struct prediction *f)
{
    char *title = core_title(f->core), *label = label_with(title, f->version);
    free(title);
    return label;
}

char *prediction_label_for(const struct prediction *f, const char *format)
{
    char *title = core_title(f->core), *safe = escape_name(title, format);
    char *label = label_with(safe, f->version);
    free(title);
    free(safe);
    return label;
}

char *prediction_band_text(const struct prediction *f)
{
    return f->band < 0 ? xstrdup("-") : xasprintf("+-%d%%", f->band);
}

double prediction_rate(const struct prediction *f, uint64_t bytes, double mhz)
{
    return (double)bytes * mhz * 1e6 / (double)f->cycles / 1e3;
}

struct share {
    size_t wait;
    double part;
};

static int share_order(const void *a, const void *b)
{
    const struct share *x = a, *y = b;
    if (x->part != y->part)
        return x->part < y->part ? 1 : -1;
    return (x->wait > y->wait) - (x->wait < y->wait);
}

char *prediction_waits_text(const struct prediction_function *f)
{
    struct share shares[WAITS];
    struct list parts = LIST_INIT;
    for (size_t w = 0; w < WAITS; w++)
        shares[w] = (struct share){w, f->cycles > 0 ? f->waits[w] / f->cycles : 0};
    qsort(shares, WAITS, sizeof shares[0], share_order);
    for (size_t i = 0; i < WAITS && shares[i].part >= WAIT_SHARE_MIN; i++) {
        int named = shares[i].wait == WAIT_UNIT && f->unit;
        list_addf(&parts, "%s%s%s %.0f%%", wait_name((enum wait)shares[i].wait), named ? " " : "",
                  named ? f->unit : "", 100 * shares[i].part);
    }
    char *text = list_join(&parts, ", ");
    list_free(&parts);
    return text;
}

/* ---- in files ---- */

static void function_json(struct json *all, const struct prediction_function *f)
{
    struct json *o = json_add_object(all, NULL);
    json_add_str(o, "name", f->name);
    json_add_double(o, "cycles", f->cycles);
    json_add_str(o, "unit", f->unit);
    struct json *waits = json_add_array(o, "waits");
    for (size_t w = 0; w < WAITS; w++)
        json_add_double(waits, NULL, f->waits[w]);
}

void prediction_json(struct json *cell, const struct prediction *f, uint64_t bytes)
{
    if (!f->known) {
        json_add_null(cell, "modelled");
        json_add_str(cell, "modelled_reason", f->reason);
        return;
    }
    struct json *o = json_add_object(cell, "modelled");
    json_add_u64(o, "cycles_per_op", f->cycles);
    json_add_double(o, "cycles_per_byte", (double)f->cycles / (double)bytes);
    json_add_str(o, "core", f->core);
    json_add_u64(o, "table_version", f->version);
    if (f->band >= 0)
        json_add_double(o, "band", f->band / 100.0);
    else
        json_add_null(o, "band");
    json_add_u64(o, "insns", f->insns);
    json_add_u64(o, "unknown", f->unknown);
    json_add_double(o, "unknown_share", f->insns ? (double)f->unknown / (double)f->insns : 0);
    json_add_str(o, "unknown_names", f->unknown_names);
    struct json *all = json_add_array(o, "functions");
    for (size_t i = 0; i < f->nfunctions; i++)
        function_json(all, &f->functions[i]);
    json_add_double(o, "rest", f->rest);
    json_add_null(cell, "modelled_reason");
}

/* For fields that are owned elsewhere. */
static char *shared(const char *text)
{
    return (char *)(uintptr_t)text;
}

static int place_bad(const struct json_doc *d, const struct json *o, const char *what,
                     struct err *e)
{
    char *where = json_where(d, o);
    err_set(e, "%s: %s", where, what);
    free(where);
    return -1;
}

/* What rounding in the file may make sums differ by, as a fraction. */
#define SUM_SLACK 0.01

static int function_read(const struct json_doc *d, const struct json *o,
                         struct prediction_function *to, struct err *e)
{
    const char *name = NULL, *unit = NULL;
    const struct json *waits, *v;
    size_t w = 0;

    if (json_str_ref(d, o, "name", JSON_REQUIRED, &name, e) ||
        json_str_ref(d, o, "unit", JSON_OPTIONAL, &unit, e) ||
        json_double(d, o, "cycles", JSON_REQUIRED, &to->cycles, e) ||
        json_array(d, o, "waits", JSON_REQUIRED, &waits, e))
        return -1;
    to->name = shared(name);
    to->unit = shared(unit);
    double sum = 0;
    for (v = json_first(waits); v && w < WAITS; v = json_next(v), w++) {
        if (json_value_double(v, &to->waits[w]) || to->waits[w] < 0)
            return place_bad(d, v, "expected cycles", e);
        sum += to->waits[w];
    }
    /* all zero: not split */
    if (to->cycles < 0 ||
        (w == WAITS && sum > 0 && fabs(sum - to->cycles) > SUM_SLACK * (1 + to->cycles)))
        return place_bad(d, waits, "the waits do not add up to the function's cycles", e);
    return v || w < WAITS ? place_bad(d, waits, "expected cycles for each kind of wait", e) : 0;
}

static int band_read(const struct json_doc *d, const struct json *o, struct prediction *out,
                     struct err *e)
{
    const struct json *v = json_get(o, "band");
    double fraction = 0;

    out->band = -1;
    if (v && json_typeof(v) == JSON_NULL)
        return 0;
    if (json_double(d, o, "band", JSON_REQUIRED, &fraction, e))
        return -1;
    if (fraction < 0.01 || fraction > 10)
        return place_bad(d, v, "expected a fraction from 0.01 to 10", e);
    out->band = (int)(100 * fraction + 0.5);
    return 0;
}

int prediction_read(const struct json_doc *d, const struct json *cell, struct arena *arena,
                    struct prediction *out, struct err *e)
{
    const struct json *o = json_get(cell, "modelled"), *list;
    const char *text = NULL, *core = NULL, *names = NULL;
    double sum = 0;

    *out = (struct prediction){0};
    if (json_str_ref(d, cell, "modelled_reason", JSON_OPTIONAL, &text, e))
        return -1;
    out->reason = shared(text);
    if (!o || json_typeof(o) == JSON_NULL)
        return 0;
    if (json_object(d, cell, "modelled", JSON_REQUIRED, &o, e) ||
        json_u64(d, o, "cycles_per_op", JSON_REQUIRED, &out->cycles, e) ||
        json_str_ref(d, o, "core", JSON_REQUIRED, &core, e) ||
        json_u64(d, o, "table_version", JSON_REQUIRED, &out->version, e) ||
        band_read(d, o, out, e) || json_u64(d, o, "insns", JSON_REQUIRED, &out->insns, e) ||
        json_u64(d, o, "unknown", JSON_REQUIRED, &out->unknown, e) ||
        json_str_ref(d, o, "unknown_names", JSON_OPTIONAL, &names, e) ||
        json_double(d, o, "rest", JSON_REQUIRED, &out->rest, e) ||
        json_array(d, o, "functions", JSON_REQUIRED, &list, e))
        return -1;
    if (!out->cycles)
        return place_bad(d, o, "cycles_per_op: expected at least 1", e);
    if (!out->version)
        return place_bad(d, o, "table_version: expected at least 1", e);
    if (out->unknown > out->insns)
        return place_bad(d, o, "unknown: more than there are instructions", e);
    out->core = shared(core);
    out->unknown_names = shared(names);
    out->functions = arena_take(arena, json_count(list) * sizeof *out->functions + 1);
    for (const struct json *f = json_first(list); f; f = json_next(f)) {
        struct prediction_function *to = &out->functions[out->nfunctions++];
        *to = (struct prediction_function){0};
        if (function_read(d, f, to, e))
            return -1;
        sum += to->cycles;
    }
    if (out->rest < 0 || sum + out->rest > (double)out->cycles * (1 + SUM_SLACK) + 1)
        return place_bad(d, list, "functions and rest have more cycles than the operation", e);
    out->known = 1;
    return 0;
}

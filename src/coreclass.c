/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "coreclass.h"

#include <stdlib.h>
#include <string.h>

#include "datafile.h"

int core_number(const struct json_doc *d, const struct json *o, const char *key,
                enum json_need need, int low, int high, int *out, struct err *e)
{
    int64_t v = *out;
    if (json_i64(d, o, key, need, &v, e))
        return -1;
    if (json_get(o, key) && (v < low || v > high))
        return datafile_refuse(d, o, key, e, "expected a number from %d to %d, found %lld", low,
                               high, (long long)v);
    *out = (int)v;
    return 0;
}

static int unit_by_name(const struct core *c, const char *name)
{
    for (size_t i = 0; i < c->nunits; i++)
        if (!strcmp(c->units[i], name))
            return (int)i;
    return -1;
}

int core_unit_set(const struct json_doc *d, const struct json *o, const char *key,
                  const struct core *c, uint16_t *out, struct err *e)
{
    struct list names = LIST_INIT;
    unsigned set = 0;
    int rc = -1;
    if (datafile_names(d, o, key, &names, e))
        goto out;
    for (size_t i = 0; i < names.n; i++) {
        int unit = unit_by_name(c, names.v[i]);
        if (unit < 0) {
            datafile_refuse(d, o, key, e, "'%s' is none of the units", names.v[i]);
            goto out;
        }
        if (set >> unit & 1) {
            datafile_refuse(d, o, key, e, "unit '%s' twice", names.v[i]);
            goto out;
        }
        set |= 1u << unit;
    }
    if (!set) {
        datafile_refuse(d, o, key, e, "needs at least one unit");
        goto out;
    }
    *out = (uint16_t)set;
    rc = 0;
out:
    list_free(&names);
    return rc;
}

static int word_among(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (!strcmp(word, *words))
            return 1;
    return 0;
}

int core_origin(const struct json_doc *d, const struct json *o, const struct list *sources,
                const char *const *values, struct err *e)
{
    struct list fitted = LIST_INIT;
    const char *source = NULL;
    int rc = -1;
    if (json_str_ref(d, o, "source", JSON_REQUIRED, &source, e) ||
        json_strings(d, o, "fitted", JSON_OPTIONAL, &fitted, e))
        goto out;
    if (!list_has(sources, source)) {
        datafile_refuse(d, o, "source", e, "'%s' is none of the sources", source);
        goto out;
    }
    for (size_t i = 0; i < fitted.n; i++)
        if (!word_among(fitted.v[i], values)) {
            datafile_refuse(d, o, "fitted", e, "'%s' is no key whose value could be fitted",
                            fitted.v[i]);
            goto out;
        }
    rc = 0;
out:
    list_free(&fitted);
    return rc;
}

/* In file order of the kinds, SOURCE_NORMAL first: it is what the others are unless given. */
static const char *const kinds[SOURCE_KINDS + 1] = {
    [SOURCE_NORMAL] = "normal",   [SOURCE_ADDRESS] = "address",
    [SOURCE_SHIFTED] = "shifted", [SOURCE_ACCUMULATOR] = "accumulator",
    [SOURCE_DATA] = "data",
};

static int read_get(const struct json_doc *d, const struct json *row, struct core_class *out,
                    struct err *e)
{
    const struct json *o = NULL;
    if (json_object(d, row, "read", JSON_OPTIONAL, &o, e))
        return -1;
    if (!o)
        return 0;
    if (json_only(d, o, kinds, e))
        return -1;
    for (size_t k = 0; k < SOURCE_KINDS; k++) {
        out->read[k] = out->read[SOURCE_NORMAL];
        if (core_number(d, o, kinds[k], JSON_OPTIONAL, -CORE_LATENCY_MAX, CORE_LATENCY_MAX,
                        &out->read[k], e))
            return -1;
    }
    return 0;
}

static int uses_get(const struct json_doc *d, const struct json *row, const struct core *c,
                    struct core_class *out, struct err *e)
{
    static const char *const keys[] = {"of", "busy", NULL};
    const struct json *array = NULL;
    unsigned all = 0;
    if (json_array(d, row, "units", JSON_OPTIONAL, &array, e))
        return -1;
    for (const struct json *v = array ? json_first(array) : NULL; v; v = json_next(v)) {
        struct core_use *use = &out->uses[out->nuses];
        int busy = 1;
        if (out->nuses == CORE_USES)
            return datafile_refuse(d, v, NULL, e, "more than %d", CORE_USES);
        if (json_only(d, v, keys, e) || core_unit_set(d, v, "of", c, &use->units, e) ||
            core_number(d, v, "busy", JSON_OPTIONAL, 1, CORE_BUSY_MAX, &busy, e))
            return -1;
        if (c->kind == CORE_IN_ORDER && use->units & all)
            return datafile_refuse(d, v, "of", e,
                                   "a unit that the instruction holds already; in order, the units "
                                   "of one instruction must be different ones");
        all |= use->units;
        use->busy = (uint16_t)busy;
        out->nuses++;
    }
    return 0;
}

/* Keys of a row, or of its group, that mean nothing to a core of this kind. */
static int keys_fit(const struct json_doc *d, const struct json *o, const struct core *c,
                    const char *const *keys, struct err *e)
{
    for (; *keys && c->kind == CORE_OUT_OF_ORDER; keys++)
        if (json_get(o, *keys))
            return datafile_refuse(d, o, *keys, e, "is for cores in order only");
    return 0;
}

static int slot_get(const struct json_doc *d, const struct json *row, const struct core *c,
                    struct core_class *out, struct err *e)
{
    static const struct {
        const char *name;
        int slots;
    } slots[] = {
        {"any", SLOT_ANY}, {"first", SLOT_FIRST}, {"second", SLOT_SECOND}, {"alone", SLOT_ALONE}};
    const char *name = NULL;
    if (json_str_ref(d, row, "slot", JSON_OPTIONAL, &name, e))
        return -1;
    if (!name)
        return 0;
    if (c->width != 2)
        return datafile_refuse(d, row, "slot", e, "is for a width of 2 only");
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
        if (!strcmp(name, slots[i].name)) {
            out->slots = slots[i].slots;
            return 0;
        }
    return datafile_refuse(d, row, "slot", e,
                           "expected 'any', 'first', 'second' or 'alone', found '%s'", name);
}

static int group_get(const struct json_doc *d, const struct json *row, const struct core *c,
                     struct core_class *out, struct err *e)
{
    static const char *const keys[] = {"registers", "latency",  "units",
                                       "pipelined", "together", NULL};
    static const char *const in_order[] = {"pipelined", "together", NULL};
    const struct json *o = NULL;
    if (json_object(d, row, "group", JSON_OPTIONAL, &o, e))
        return -1;
    if (!o)
        return 0;
    if (json_only(d, o, keys, e) || keys_fit(d, o, c, in_order, e) ||
        core_number(d, o, "registers", JSON_REQUIRED, 1, INSN_OPERANDS, &out->group, e) ||
        core_number(d, o, "latency", JSON_OPTIONAL, 0, CORE_LATENCY_MAX, &out->group_latency, e) ||
        json_bool(d, o, "units", JSON_OPTIONAL, &out->group_units, e) ||
        json_bool(d, o, "pipelined", JSON_OPTIONAL, &out->group_pipelined, e) ||
        json_bool(d, o, "together", JSON_OPTIONAL, &out->group_together, e))
        return -1;
    if (out->group_together && out->group_latency)
        return datafile_refuse(d, o, "latency", e,
                               "results that come together have no latency for each group");
    if (out->group_pipelined && out->issue_cycles > 1)
        return datafile_refuse(d, o, "pipelined", e, "contradicts issue_cycles");
    return 0;
}

static int class_get(const struct json_doc *d, const struct json *row, const struct list *sources,
                     const struct core *c, struct core_class *out, struct err *e)
{
    static const char *const keys[] = {"latency",      "read",  "base_latency", "units",  "slot",
                                       "issue_cycles", "group", "source",       "fitted", NULL};
    static const char *const values[] = {"latency", "read",         "base_latency", "units",
                                         "slot",    "issue_cycles", "group",        NULL};
    static const char *const in_order[] = {"slot", "issue_cycles", NULL};
    struct core_class k = {.present = 1, .slots = SLOT_ANY, .issue_cycles = 1};
    if (json_only(d, row, keys, e) || keys_fit(d, row, c, in_order, e) ||
        core_origin(d, row, sources, values, e) ||
        core_number(d, row, "latency", JSON_REQUIRED, 1, CORE_LATENCY_MAX, &k.latency, e))
        return -1;
    k.base_latency = k.latency;
    if (c->writeback && json_get(row, "base_latency"))
        return datafile_refuse(d, row, "base_latency", e,
                               "has no effect beside writeback_units, where it is 1");
    if (read_get(d, row, &k, e) ||
        core_number(d, row, "base_latency", JSON_OPTIONAL, 1, CORE_LATENCY_MAX, &k.base_latency,
                    e) ||
        uses_get(d, row, c, &k, e) || slot_get(d, row, c, &k, e) ||
        core_number(d, row, "issue_cycles", JSON_OPTIONAL, 1, CORE_BUSY_MAX, &k.issue_cycles, e) ||
        group_get(d, row, c, &k, e))
        return -1;
    *out = k;
    return 0;
}

int core_classes(const struct json_doc *d, const struct json *root, const struct list *sources,
                 struct core *c, struct err *e)
{
    const struct json *o;
    if (json_object(d, root, "classes", JSON_REQUIRED, &o, e))
        return -1;
    for (const struct json *row = json_first(o); row; row = json_next(row)) {
        int class = insn_class_by_name(json_key(row));
        if (class < 0)
            return datafile_refuse(d, row, NULL, e, "'%s' is no class of instructions",
                                   json_key(row));
        if (class_get(d, row, sources, c, &c->classes[class], e))
            return -1;
    }
    if (!json_count(o))
        return datafile_refuse(d, root, "classes", e, "needs at least one class");
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "core.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "coreclass.h"
#include "datafile.h"
#include "mem.h"
#include "size.h"

#define SCHEMA "crypto-bench-core/1"

/* Those that decoders were written for. */
static const int decoded[] = {EM_AARCH64, EM_ARM, EM_MIPS};

static const char *const kinds[] = {
    [CORE_IN_ORDER] = "in-order",
    [CORE_OUT_OF_ORDER] = "out-of-order",
};

int core_machine_is_known(int machine)
{
    for (size_t i = 0; i < sizeof decoded / sizeof *decoded; i++)
        if (decoded[i] == machine)
            return 1;
    return 0;
}

int core_covers(const struct core *c, int machine)
{
    for (size_t i = 0; i < c->nmachines; i++)
        if (c->machines[i] == machine)
            return 1;
    return 0;
}

int core_band(const struct core *c, uint64_t bytes)
{
    int percent = -1;
    for (size_t i = 0; i < c->nbands && c->bands[i].bytes <= bytes; i++)
        percent = c->bands[i].percent;
    return percent;
}

static int machines_get(const struct json_doc *d, const struct json *root, struct core *c,
                        struct err *e)
{
    struct list names = LIST_INIT;
    int rc = -1;
    if (json_strings(d, root, "machines", JSON_REQUIRED, &names, e))
        goto out;
    for (size_t i = 0; i < names.n; i++) {
        int machine = elf_machine_by_name(names.v[i]);
        if (!core_machine_is_known(machine)) {
            datafile_refuse(d, root, "machines", e,
                            "no decoder for '%s'; there is one for EM_AARCH64, EM_ARM and EM_MIPS",
                            names.v[i]);
            goto out;
        }
        if (core_covers(c, machine)) {
            datafile_refuse(d, root, "machines", e, "'%s' twice", names.v[i]);
            goto out;
        }
        c->machines[c->nmachines++] = machine; /* has room: no more than there are decoders */
    }
    if (!c->nmachines) {
        datafile_refuse(d, root, "machines", e, "needs at least one");
        goto out;
    }
    rc = 0;
out:
    list_free(&names);
    return rc;
}

static int kind_get(const struct json_doc *d, const struct json *root, struct core *c,
                    struct err *e)
{
    static const char *const out_of_order[] = {"reorder", "queues", "writeback_units"};
    const char *name;
    if (json_str_ref(d, root, "kind", JSON_REQUIRED, &name, e))
        return -1;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (!strcmp(kinds[k], name)) {
            c->kind = (enum core_kind)k;
            for (size_t i = 0; i < 3 && c->kind == CORE_IN_ORDER; i++)
                if (json_get(root, out_of_order[i]))
                    return datafile_refuse(d, root, out_of_order[i], e,
                                           "is for cores out of order only");
            return 0;
        }
    return datafile_refuse(d, root, "kind", e, "expected '%s' or '%s', found '%s'",
                           kinds[CORE_IN_ORDER], kinds[CORE_OUT_OF_ORDER], name);
}

static int units_get(const struct json_doc *d, const struct json *root, struct core *c,
                     struct err *e)
{
    struct list names = LIST_INIT, seen = LIST_INIT;
    int rc = -1;
    if (datafile_names(d, root, "units", &names, e))
        goto out;
    if (names.n > CORE_UNITS) {
        datafile_refuse(d, root, "units", e, "more than %d", CORE_UNITS);
        goto out;
    }
    for (size_t i = 0; i < names.n; i++) {
        if (list_has(&seen, names.v[i])) {
            datafile_refuse(d, root, "units", e, "a second unit named '%s'", names.v[i]);
            goto out;
        }
        list_add(&seen, names.v[i]);
        c->units[c->nunits++] = xstrdup(names.v[i]);
    }
    rc = 0;
out:
    list_free(&names);
    list_free(&seen);
    return rc;
}

static int queues_get(const struct json_doc *d, const struct json *root, struct core *c,
                      struct err *e)
{
    static const char *const keys[] = {"units", "entries", "in_order", NULL};
    const struct json *array;
    unsigned fed = 0;
    if (json_array(d, root, "queues", JSON_REQUIRED, &array, e))
        return -1;
    for (const struct json *v = json_first(array); v; v = json_next(v)) {
        struct core_queue q = {0};
        if (json_only(d, v, keys, e) || core_unit_set(d, v, "units", c, &q.units, e) ||
            core_number(d, v, "entries", JSON_REQUIRED, 1, CORE_QUEUE_MAX, &q.entries, e) ||
            json_bool(d, v, "in_order", JSON_OPTIONAL, &q.in_order, e))
            return -1;
        if (q.units & fed)
            return datafile_refuse(d, v, "units", e, "a unit that another queue feeds already");
        fed |= q.units;
        for (size_t u = 0; u < c->nunits; u++)
            if (q.units >> u & 1)
                c->queue_of[u] = (uint8_t)c->nqueues;
        c->queues[c->nqueues++] = q; /* has room: each queue has a unit of its own */
    }
    for (size_t u = 0; u < c->nunits; u++)
        if (!(fed >> u & 1))
            return datafile_refuse(d, root, "queues", e, "no queue for unit '%s'", c->units[u]);
    return 0;
}

static int reorder_get(const struct json_doc *d, const struct json *root, struct core *c,
                       struct err *e)
{
    static const char *const keys[] = {"entries", "retire", NULL};
    const struct json *o;
    if (json_object(d, root, "reorder", JSON_REQUIRED, &o, e))
        return -1;
    return json_only(d, o, keys, e) ||
                   core_number(d, o, "entries", JSON_REQUIRED, 1, CORE_ENTRIES_MAX, &c->entries,
                               e) ||
                   core_number(d, o, "retire", JSON_REQUIRED, 1, CORE_WIDTH_MAX, &c->retire, e) ||
                   queues_get(d, root, c, e) ||
                   (json_get(root, "writeback_units") &&
                    core_unit_set(d, root, "writeback_units", c, &c->writeback, e))
               ? -1
               : 0;
}

static int bands_get(const struct json_doc *d, const struct json *root, struct core *c,
                     struct err *e)
{
    static const char *const keys[] = {"bytes", "percent", NULL};
    const struct json *array;
    if (json_array(d, root, "band", JSON_REQUIRED, &array, e))
        return -1;
    for (const struct json *v = json_first(array); v; v = json_next(v)) {
        struct core_band *b = &c->bands[c->nbands];
        if (c->nbands == CORE_BANDS)
            return datafile_refuse(d, v, NULL, e, "more than %d", CORE_BANDS);
        if (json_only(d, v, keys, e) || json_u64(d, v, "bytes", JSON_REQUIRED, &b->bytes, e) ||
            core_number(d, v, "percent", JSON_REQUIRED, 1, 100, &b->percent, e))
            return -1;
        if (c->nbands && b->bytes <= b[-1].bytes)
            return datafile_refuse(d, v, "bytes", e, "must be more than the one before");
        c->nbands++;
    }
    return 0;
}

/* After the classes. */
static int fusion_get(const struct json_doc *d, const struct json *root, struct core *c,
                      struct err *e)
{
    static const char aes[] = "aese+aesmc";
    struct list names = LIST_INIT;
    int rc = -1;
    if (json_strings(d, root, "fusion", JSON_REQUIRED, &names, e))
        goto out;
    for (size_t i = 0; i < names.n; i++)
        if (strcmp(names.v[i], aes)) {
            datafile_refuse(d, root, "fusion", e, "unknown pair '%s'; expected '%s'", names.v[i],
                            aes);
            goto out;
        }
    c->fuses_aes = names.n > 0;
    if (c->fuses_aes && !c->classes[CLASS_AESF].present) {
        datafile_refuse(d, root, "fusion", e, "needs the class '%s'", insn_class_name(CLASS_AESF));
        goto out;
    }
    rc = 0;
out:
    list_free(&names);
    return rc;
}

static int sources_get(const struct json_doc *d, const struct json *root, struct list *out,
                       struct err *e)
{
    static const char *const values[] = {"width", "taken_branch", "reorder", "queues", NULL};
    const struct json *o;
    if (json_object(d, root, "sources", JSON_REQUIRED, &o, e))
        return -1;
    for (const struct json *v = json_first(o); v; v = json_next(v)) {
        char *text = NULL;
        if (datafile_text(d, o, json_key(v), JSON_REQUIRED, &text, e))
            return -1;
        free(text);
        list_add(out, json_key(v));
    }
    return core_origin(d, root, out, values, e);
}

/* Results tell tables apart by name and version, so a user's own must not pass for a shipped one.
 */
static int name_is_free(const struct json_doc *d, const struct json *o, const char *word,
                        const struct core *c, struct err *e)
{
    struct err none = ERR_INIT;
    char *shipped = NULL, *theirs, *ours;
    int taken = 0;

    if (!strchr(word, '/') || catalog_path("targets/cores", "core", c->name, &shipped, &none)) {
        err_clear(&none);
        return 0;
    }
    theirs = realpath(c->path, NULL);
    ours = realpath(shipped, NULL);
    taken = theirs && ours && strcmp(theirs, ours) != 0;
    free(theirs);
    free(ours);
    free(shipped);
    return taken ? datafile_refuse(d, o, "name", e,
                                   "is that of a shipped table; give one of your own another name")
                 : 0;
}

int core_load(const char *word, struct core *out, struct err *e)
{
    static const char *const keys[] = {
        "schema",       "name",    "summary", "version",         "machines", "kind",   "width",
        "taken_branch", "reorder", "queues",  "writeback_units", "units",    "fusion", "band",
        "source",       "fitted",  "sources", "classes",         NULL};
    struct core c = {0};
    struct list sources = LIST_INIT;
    struct json_doc *d = NULL;
    int rc = -1;
    if (catalog_path("targets/cores", "core", word, &c.path, e))
        goto out;
    if (!(d = datafile_open(c.path, SCHEMA, keys, e)))
        goto out;
    const struct json *o = json_root(d);
    if (datafile_name(d, o, "name", JSON_REQUIRED, &c.name, e) || name_is_free(d, o, word, &c, e) ||
        datafile_text(d, o, "summary", JSON_REQUIRED, &c.summary, e) ||
        core_number(d, o, "version", JSON_REQUIRED, 1, 1000000, &c.version, e) ||
        machines_get(d, o, &c, e) || kind_get(d, o, &c, e) ||
        core_number(d, o, "width", JSON_REQUIRED, 1, c.kind == CORE_IN_ORDER ? 2 : CORE_WIDTH_MAX,
                    &c.width, e) ||
        core_number(d, o, "taken_branch", JSON_REQUIRED, 0, CORE_LATENCY_MAX, &c.taken_branch, e) ||
        units_get(d, o, &c, e) || (c.kind == CORE_OUT_OF_ORDER && reorder_get(d, o, &c, e)) ||
        bands_get(d, o, &c, e) || sources_get(d, o, &sources, e) ||
        core_classes(d, o, &sources, &c, e) || fusion_get(d, o, &c, e))
        goto out;
    *out = c;
    c = (struct core){0};
    rc = 0;
out:
    if (rc)
        e->exit_code = EXIT_USAGE;
    json_close(d);
    list_free(&sources);
    core_free(&c);
    return rc;
}

void core_free(struct core *c)
{
    for (size_t i = 0; i < c->nunits; i++)
        free(c->units[i]);
    free(c->path);
    free(c->name);
    free(c->summary);
    *c = (struct core){0};
}

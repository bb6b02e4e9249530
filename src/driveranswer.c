/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "driveranswer.h"

#include <stdlib.h>

/* A driver's clock and ours may be trimmed a little differently; beyond that, and beyond the
 * coarsest tick, time measured inside a request cannot exceed the request's. */
static const double CLOCK_SLACK = 1.02;
static const uint64_t CLOCK_SLACK_NS = 1000000;
/* The protocol's: no processor has more. */
static const uint64_t CYCLES_PER_NS_MAX = 10;

/* One number of a sample. A number that no count or duration can be is the clock's fault. */
static enum status sample_number(const struct json *v, uint64_t *out)
{
    double any;

    if (json_value_u64(v, out) == 0)
        return *out ? STATUS_OK : STATUS_BAD_CLOCK;
    return json_value_double(v, &any) == 0 ? STATUS_BAD_CLOCK : STATUS_BAD_ANSWER;
}

static enum status sample_read(const struct json *pair, struct sample *s)
{
    enum status ops, ns;

    if (json_typeof(pair) != JSON_ARRAY || json_count(pair) != 2)
        return STATUS_BAD_ANSWER;
    ops = sample_number(json_first(pair), &s->ops);
    ns = sample_number(json_next(json_first(pair)), &s->ns);
    return ops == STATUS_BAD_ANSWER || ns == STATUS_OK ? ops : ns;
}

/* Everything about the durations that can be checked from here. */
static enum status samples_believe(uint64_t wall_ns, const struct samples *s, struct err *e)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < s->n; i++) {
        if (__builtin_add_overflow(sum, s->v[i].ns, &sum))
            sum = UINT64_MAX;
        /* A call of the library takes several cycles, and none of them is that short. */
        if (s->v[i].ops > s->v[i].ns) {
            err_set(e, "%llu operations in %llu ns cannot be: less than 1 ns each",
                    (unsigned long long)s->v[i].ops, (unsigned long long)s->v[i].ns);
            return STATUS_BAD_CLOCK;
        }
    }
    if ((double)sum > (double)wall_ns * CLOCK_SLACK + (double)CLOCK_SLACK_NS) {
        err_set(e, "the driver reports %.6f s of work inside a request of %.6f s",
                (double)sum / 1e9, (double)wall_ns / 1e9);
        return STATUS_BAD_CLOCK;
    }
    return STATUS_OK;
}

/* Cycles of the samples that are in s, where the answer has them: as many, each a number of at
 * least 1 or null. */
static int cycles_read(const struct json_doc *doc, struct samples *s, struct err *e)
{
    const struct json *list = NULL, *v;

    if (json_array(doc, json_root(doc), "cycles", JSON_OPTIONAL, &list, e) < 0)
        return -1;
    if (!list)
        return 0;
    if (json_count(list) != s->n)
        return err_set(e, "cycles of %zu samples instead of %zu", json_count(list), s->n);
    v = json_first(list);
    for (size_t i = 0; i < s->n; i++, v = json_next(v)) {
        if (json_typeof(v) == JSON_NULL)
            continue;
        if (json_value_u64(v, &s->v[i].cycles) < 0 || s->v[i].cycles == 0)
            return err_set(e, "cycles of a sample are neither a whole number of at least 1 nor "
                              "null");
        if (s->v[i].cycles / CYCLES_PER_NS_MAX > s->v[i].ns)
            return err_set(e, "%llu cycles in %llu ns cannot be: more than %llu a ns",
                           (unsigned long long)s->v[i].cycles, (unsigned long long)s->v[i].ns,
                           (unsigned long long)CYCLES_PER_NS_MAX);
    }
    return 0;
}

enum status answer_samples(const struct json_doc *doc, uint64_t count, uint64_t wall_ns,
                           struct samples *out, struct err *e)
{
    const struct json *list;
    enum status status;

    if (json_array(doc, json_root(doc), "samples", JSON_REQUIRED, &list, e) < 0)
        return STATUS_BAD_ANSWER;
    if (json_count(list) != count) {
        err_set(e, "not the number of samples asked for");
        return STATUS_BAD_ANSWER;
    }
    for (const struct json *v = json_first(list); v; v = json_next(v)) {
        struct sample s = {0, 0, 0, 0};
        status = sample_read(v, &s);
        if (status == STATUS_BAD_ANSWER) {
            err_set(e, "a sample is not [operations, ns]");
            return status;
        }
        if (status == STATUS_BAD_CLOCK) {
            char *shown = json_line(v);
            err_set(e,
                    "sample %s: operations and ns must be whole numbers of at least 1 "
                    "(the request took %llu ns)",
                    shown, (unsigned long long)wall_ns);
            free(shown);
            return status;
        }
        samples_add_copy(out, &s);
    }
    status = samples_believe(wall_ns, out, e);
    if (status == STATUS_OK && cycles_read(doc, out, e) < 0)
        status = STATUS_BAD_ANSWER;
    return status;
}

int answer_cycle_source(const struct json_doc *doc, struct cycle_source *out, struct err *e)
{
    const struct json *root = json_root(doc), *hz = json_get(root, "hz");

    if (json_str(doc, root, "source", JSON_REQUIRED, &out->source, e) < 0)
        return -1;
    if (hz && json_typeof(hz) == JSON_NULL)
        return 0;
    if (json_double(doc, root, "hz", JSON_REQUIRED, &out->hz, e) == 0) {
        if (out->hz > 0)
            return 0;
        err_set(e, "hz is neither a number over 0 nor null");
    }
    cycle_source_free(out);
    return -1;
}

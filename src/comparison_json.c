/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "comparison_format.h"

#include <stdlib.h>

#include "json.h"
#include "wording.h"

static const struct {
    int outcome;
    const char *name;
} outcomes[] = {
    {EXIT_OK, "pass"},
    {EXIT_REGRESSION, "regression"},
    {EXIT_NO_VERDICT, "no-verdict"},
};

static void number_add(struct json *o, const char *key, int known, double v)
{
    if (known)
        json_add_double(o, key, v);
    else
        json_add_null(o, key);
}

static void finding_add(struct json *array, const struct finding *f)
{
    struct json *o = json_add_object(array, NULL);
    int known = f->verdict != VERDICT_EXCLUDED, interval = known && f->have_interval;
    json_add_str(o, "metric", metric_name(f->metric));
    json_add_str(o, "name", f->name);
    json_add_str(o, "verdict", verdict_name(f->verdict, f->metric));
    number_add(o, "base", known, f->base);
    number_add(o, "new", known, f->now);
    number_add(o, "ratio", known, f->ratio);
    number_add(o, "low", interval, f->low);
    number_add(o, "high", interval, f->high);
    json_add_double(o, "limit", f->limit);
    number_add(o, "noise", known, f->noise);
    json_add_str(o, "reason", f->reason);
}

static void means_add(struct json *root, const struct comparison *c)
{
    struct json *means = json_add_object(root, "means");
    for (size_t m = 0; m < METRIC_COUNT; m++) {
        struct json *o = json_add_object(means, metric_name((enum metric)m));
        number_add(o, "ratio", c->means[m].n > 0, c->means[m].ratio);
        json_add_u64(o, "n", c->means[m].n);
        json_add_u64(o, "excluded", c->means[m].excluded);
    }
}

static void coded_add(struct json *root, const char *key, const struct list *lines)
{
    struct json *array = json_add_array(root, key);
    for (size_t i = 0; i < lines->n; i++) {
        struct json *o = json_add_object(array, NULL);
        const char *text;
        char *code = wording_code(lines->v[i], &text);
        json_add_str(o, "code", code);
        json_add_str(o, "text", text);
        free(code);
    }
}

int comparison_json(FILE *f, const struct comparison *c, struct err *e)
{
    struct json *root = json_new_object();
    (void)e;
    json_add_str(root, "schema", "crypto-bench-comparison/1");
    for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++)
        if (outcomes[i].outcome == c->outcome)
            json_add_str(root, "outcome", outcomes[i].name);
    json_add_i64(root, "exit_status", c->outcome);
    json_add_str(root, "base", c->base_name);
    json_add_str(root, "new", c->new_name);
    struct json *findings = json_add_array(root, "findings");
    for (size_t i = 0; i < c->n; i++)
        finding_add(findings, &c->findings[i]);
    means_add(root, c);
    json_add_strings(root, "missing", &c->missing);
    json_add_strings(root, "extra", &c->extra);
    coded_add(root, "blockers", &c->blockers);
    coded_add(root, "allowed", &c->allowed);
    json_add_strings(root, "allow", &c->allow);
    json_add_strings(root, "notes", &c->notes);
    char *text = json_text(root);
    fputs(text, f);
    free(text);
    json_free(root);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "figure.h"

static int speed(const struct result_cell *c, struct figure_value *out)
{
    const struct estimate *t = &c->time;
    if (!t->n)
        return -1;
    *out = (struct figure_value){.y = rate_kb_s(t->median, c->bytes)};
    if (t->have_interval) { /* the longer it takes, the slower */
        out->low = rate_kb_s(t->high, c->bytes);
        out->high = rate_kb_s(t->low, c->bytes);
        out->have_interval = 1;
    }
    return 0;
}

static int real_speed(const struct result_cell *c, struct figure_value *out)
{
    return c->emulated || c->lane->emulated ? -1 : speed(c, out);
}

static int emulated_speed(const struct result_cell *c, struct figure_value *out)
{
    return c->emulated || c->lane->emulated ? speed(c, out) : -1;
}

static int insns_per_byte(const struct result_cell *c, struct figure_value *out)
{
    if (!c->insns.counted)
        return -1;
    *out = (struct figure_value){.y = (double)c->insns.per_op / (double)c->bytes};
    return 0;
}

static const struct row {
    int (*of)(const struct result_cell *, struct figure_value *);
    const char *metric, *label, *note;
    int ranks, more_is_better;
} figures[FIGURE_COUNT] = {
    [FIGURE_SPEED] = {real_speed, "time", "throughput, kB/s (1 kB = 1000 bytes)",
                      "bars: 95% intervals of the medians", 1, 1},
    [FIGURE_INSNS] = {insns_per_byte, "insns", "instructions/byte (less is less work)",
                      "exact counts, no measure of time", 1, 0},
    [FIGURE_EMULATED] = {emulated_speed, "time", "EMULATED throughput, kB/s (1 kB = 1000 bytes)",
                         "EMULATED TIME: the emulator's speed, no measure of the real CPU", 0, 1},
};

int figure_of(const struct result_cell *c, enum figure f, struct figure_value *out)
{
    return figures[f].of(c, out);
}

const char *figure_label(enum figure f)
{
    return figures[f].label;
}

const char *figure_note(enum figure f)
{
    return figures[f].note;
}

int figure_ranks(enum figure f)
{
    return figures[f].ranks;
}

int figure_more_is_better(enum figure f)
{
    return figures[f].more_is_better;
}

static int some_has(enum figure f, const struct result_cell *const *cells, size_t n)
{
    struct figure_value v;
    for (size_t i = 0; i < n; i++)
        if (cells[i] && !figure_of(cells[i], f, &v))
            return 1;
    return 0;
}

int figure_chosen(enum figure f, const struct list *metric)
{
    return !metric || !metric->n || list_has(metric, figures[f].metric);
}

int figure_wanted(enum figure f, const struct list *metric, const struct result_cell *const *cells,
                  size_t n)
{
    if (!figure_chosen(f, metric) || !some_has(f, cells, n))
        return 0;
    return f != FIGURE_EMULATED || (metric && metric->n) ||
           (!some_has(FIGURE_SPEED, cells, n) && !some_has(FIGURE_INSNS, cells, n));
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "pareto.h"

/* The points while they are marked. */
struct marking {
    const struct pareto_point *points;
    int (*order)(const void *arg, size_t i, size_t k);
    const void *arg;
};

static int cost_order(const struct marking *m, size_t i, size_t k)
{
    double a = m->points[i].cost, b = m->points[k].cost;
    return m->order ? m->order(m->arg, i, k) : (a > b) - (a < b);
}

static int dominates(const struct marking *m, size_t i, size_t k)
{
    double a = m->points[i].bytes, b = m->points[k].bytes;
    int cost;
    if (a > b)
        return 0;
    cost = cost_order(m, i, k);
    return a < b ? cost <= 0 : cost < 0;
}

void pareto_mark(struct pareto_point *points, size_t n,
                 int (*order)(const void *arg, size_t i, size_t k), const void *arg)
{
    const struct marking m = {points, order, arg};
    for (size_t k = 0; k < n; k++) {
        points[k].dominated = 0;
        for (size_t i = 0; i < n; i++) {
            if (i == k || !dominates(&m, i, k))
                continue;
            if (!points[k].dominated || points[i].cost < points[points[k].by].cost)
                points[k].by = i;
            points[k].dominated = 1;
        }
    }
}

double pareto_exchange(const struct pareto_point *smaller, const struct pareto_point *costs_less)
{
    return (costs_less->bytes - smaller->bytes) / (smaller->cost - costs_less->cost);
}

size_t pareto_hull(const struct pareto_point *points, size_t n, size_t *out)
{
    size_t at = 0, count = 0;
    if (!n)
        return 0;
    for (size_t i = 1; i < n; i++)
        if (points[i].bytes < points[at].bytes ||
            (points[i].bytes <= points[at].bytes && points[i].cost < points[at].cost))
            at = i;
    out[count++] = at;
    /* As a byte gets cheaper, next comes the point for which the least has to be paid; of several
     * on one line the last. */
    for (;;) {
        size_t next = n;
        double least = 0;
        for (size_t i = 0; i < n; i++) {
            if (!(points[i].cost < points[at].cost))
                continue;
            double price = pareto_exchange(&points[at], &points[i]);
            if (next == n || price < least ||
                (price <= least && points[i].cost < points[next].cost)) {
                next = i;
                least = price;
            }
        }
        if (next == n)
            return count;
        out[count++] = at = next;
    }
}

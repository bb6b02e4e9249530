/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "pareto.h"

#include <stdlib.h>

#include "mem.h"

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

/* Fewest bytes first, of equal ones that of least cost. */
static int point_order(const void *a, const void *b, void *arg)
{
    const struct pareto_point *points = arg;
    const struct pareto_point *x = &points[*(const size_t *)a], *y = &points[*(const size_t *)b];
    int r = (x->bytes > y->bytes) - (x->bytes < y->bytes);
    return r ? r : (x->cost > y->cost) - (x->cost < y->cost);
}

void pareto_mark(struct pareto_point *points, size_t n,
                 int (*order)(const void *arg, size_t i, size_t k), const void *arg)
{
    const struct marking m = {points, order, arg};
    size_t *sorted = xcalloc(n + 1, sizeof *sorted), nfront = 0;
    size_t *front = xcalloc(n + 1, sizeof *front);
    for (size_t i = 0; i < n; i++)
        sorted[i] = i;
    qsort_r(sorted, n, sizeof *sorted, point_order, points);
    /* Whatever beats a point comes before it. Ties are not transitive, so a point that is beaten
     * itself beats none: else a chain of ties could end at one that is better than its start. */
    for (size_t s = 0; s < n; s++) {
        size_t k = sorted[s];
        points[k].dominated = 0;
        for (size_t i = 0; i < nfront; i++) {
            if (!dominates(&m, front[i], k))
                continue;
            if (!points[k].dominated || points[front[i]].cost < points[points[k].by].cost)
                points[k].by = front[i];
            points[k].dominated = 1;
        }
        if (!points[k].dominated)
            front[nfront++] = k;
    }
    free(sorted);
    free(front);
}

double pareto_exchange(const struct pareto_point *smaller, const struct pareto_point *costs_less)
{
    return (costs_less->bytes - smaller->bytes) / (smaller->cost - costs_less->cost);
}

size_t pareto_hull(const struct pareto_point *points, size_t n, size_t *out)
{
    size_t at = n, count = 0;
    for (size_t i = 0; i < n; i++)
        if (!points[i].dominated &&
            (at == n || points[i].bytes < points[at].bytes ||
             (points[i].bytes <= points[at].bytes && points[i].cost < points[at].cost)))
            at = i;
    if (at == n)
        return 0;
    out[count++] = at;
    /* As a byte gets cheaper, next comes the point for which the least has to be paid; of several
     * on one line the last. */
    for (;;) {
        size_t next = n;
        double least = 0;
        for (size_t i = 0; i < n; i++) {
            if (points[i].dominated || !(points[i].cost < points[at].cost))
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

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_PARETO_H
#define CB_PARETO_H

/*
 * Size against cost: which points another one beats in both, and which are best for some price of a
 * byte. Pure functions of their arguments; less is better on both axes.
 */
#include <stddef.h>

struct pareto_point {
    double bytes; /* of the library, say */
    double cost;  /* of an operation, in any unit that all points share */
    int dominated;
    size_t by; /* when dominated: what beats it and is not beaten, of several the least in cost */
};

/*
 * Sets dominated and by of each. A point is dominated when another that is not has no more bytes,
 * costs no more, and has less of one of them; of points that are equal in both, none is. order
 * tells below 0 when point i costs less than point k, 0 when they cannot be told apart (noise), and
 * agrees with cost else; NULL: the costs as they stand.
 */
void pareto_mark(struct pareto_point *points, size_t n,
                 int (*order)(const void *arg, size_t i, size_t k), const void *arg);
/*
 * The points that are best, by bytes + weight * cost, for some weight from 0 up: into out, which
 * has room for n, the smallest one (best for weight 0) first and the one of least cost last.
 * Returns how many. Of equal points the first is taken; dominated ones are left out.
 */
size_t pareto_hull(const struct pareto_point *points, size_t n, size_t *out);
/* The weight, bytes per unit of cost, from which `costs_less` is as good as `smaller`, which has
 * fewer bytes and costs more. */
double pareto_exchange(const struct pareto_point *smaller, const struct pareto_point *costs_less);

#endif

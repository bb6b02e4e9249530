/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "catalog.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Optimal string alignment distance, capital letters equal to small ones: a letter added,
 * dropped, changed, or swapped with its neighbour counts one. */
static size_t distance(const char *a, const char *b)
{
    size_t na = strlen(a), nb = strlen(b);
    size_t *rows = xcalloc(3 * (nb + 1), sizeof *rows);
    size_t *before = rows, *last = before + nb + 1, *row = last + nb + 1;
    for (size_t j = 0; j <= nb; j++)
        row[j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t *free_row = before;
        before = last;
        last = row;
        row = free_row;
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t change = lower(a[i - 1]) != lower(b[j - 1]);
            row[j] = least(last[j - 1] + change, least(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    size_t d = row[nb];
    free(rows);
    return d;
}

static int begins_with(const char *whole, const char *start)
{
    for (; *start; whole++, start++)
        if (lower(*whole) != lower(*start))
            return 0;
    return 1;
}

const char *suggest(const char *word, const struct list *known)
{
    /* One error in three letters is still a slip; more is another word. */
    size_t n = strlen(word), limit = n / 3 > 1 ? n / 3 : 1;
    size_t best_distance = SIZE_MAX;
    const char *best = NULL;
    for (size_t i = 0; i < known->n; i++) {
        size_t nk = strlen(known->v[i]);
        if ((nk > n ? nk - n : n - nk) > limit)
            continue; /* the lengths alone are too far apart */
        size_t d = distance(word, known->v[i]);
        /* Fewer than all letters must differ, or "x" would be near to every letter. */
        if (d <= limit && d < best_distance && (d < n || d == 0)) {
            best_distance = d;
            best = known->v[i];
        }
    }
    /* A word broken off: "small" for "small-footprint". */
    for (size_t i = 0; i < known->n && !best && n >= 2; i++)
        if (begins_with(known->v[i], word))
            best = known->v[i];
    return best;
}

int unknown_word(struct err *e, const char *noun, const char *word, const struct list *known)
{
    const char *near = suggest(word, known);
    char *all = list_join(known, ", ");
    if (near)
        err_usage(e, "unknown %s '%s'; did you mean '%s'? Known: %s", noun, word, near, all);
    else
        err_usage(e, "unknown %s '%s'. Known: %s", noun, word, known->n ? all : "none");
    free(all);
    return -1;
}

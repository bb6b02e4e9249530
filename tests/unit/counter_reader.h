/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_TEST_COUNTER_READER_H
#define CB_TEST_COUNTER_READER_H

/* One reader with its tally, for the tests of both. */
#include <elf.h>
#include <stdint.h>
#include <string.h>

#include "counter_source.h"

struct reading {
    const struct counter_source *source;
    struct tally *tally;
    void *reader;
    struct err error;
};

static void reading_open(struct reading *g, const struct counter_source *source, int machine,
                         uint64_t begin, uint64_t end)
{
    const struct counter_marks marks = {begin, end};

    *g = (struct reading){.source = source, .tally = tally_new(machine)};
    g->reader = source->open(g->tally, &marks);
}

static void reading_close(struct reading *g)
{
    g->source->close(g->reader);
    tally_free(g->tally);
    err_clear(&g->error);
}

/* Feeds in pieces of some size. */
static int reading_feed(struct reading *g, const void *bytes, size_t n, size_t piece)
{
    const char *p = bytes;

    for (size_t at = 0; at < n; at += piece)
        if (g->source->feed(g->reader, p + at, n - at < piece ? n - at : piece, &g->error) != 0)
            return -1;
    return 0;
}

/* Result of a pair, with the test program's own symbols: only sums have a meaning. */
static int reading_take(struct reading *g, struct count *out)
{
    struct symbols *s = symbols_read("/proc/self/exe", &g->error);
    int rc;

    *out = (struct count){0};
    if (s == NULL)
        return -1;
    rc = tally_take(g->tally, s, out, &g->error);
    /* Names end with the symbols. */
    for (size_t i = 0; i < out->nfunctions; i++)
        out->functions[i].name = NULL;
    symbols_free(s);
    return rc;
}

#endif

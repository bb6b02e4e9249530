/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/* Reads the records of the plugin (bench/qemu/count.h). */
#include <stdlib.h>
#include <string.h>

#include "../bench/qemu/count.h"
#include "counter_source.h"
#include "mem.h"

enum {
    /* QEMU's translation blocks have at most 512 instructions (TCG_MAX_INSNS). */
    BLOCK_MAX = 4096,
    RUN_MAX = 1 << 20,
};

struct plugin_reader {
    struct tally *tally;
    char *held; /* what is there of a record that is not whole */
    size_t nheld, held_room;
    int is_started;
};

static void *plugin_open(struct tally *t, const struct counter_marks *m)
{
    struct plugin_reader *r = xcalloc(1, sizeof *r);

    (void)m; /* the plugin itself was given them */
    r->tally = t;
    return r;
}

static void plugin_close(void *self)
{
    struct plugin_reader *r = self;

    free(r->held);
    free(r);
}

static int plugin_is_started(const void *self)
{
    return ((const struct plugin_reader *)self)->is_started;
}

static int hello_take(struct plugin_reader *r, const char *items, uint32_t n, struct err *e)
{
    (void)items;
    if (n != COUNT_FORMAT)
        return err_set(e, "the plugin writes format %u, not %u: it is of another version", n,
                       COUNT_FORMAT);
    r->is_started = 1;
    return 0;
}

static int block_take(struct plugin_reader *r, const char *items, uint32_t n, struct err *e)
{
    uint64_t addresses[BLOCK_MAX];
    uint32_t number;

    memcpy(addresses, items, n * sizeof addresses[0]);
    /* Both sides number the blocks in the same order. */
    return tally_block(r->tally, addresses, n, &number, e);
}

static int run_take(struct plugin_reader *r, const char *items, uint32_t n, struct err *e)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t number;

        memcpy(&number, items + i * sizeof number, sizeof number);
        if (tally_run(r->tally, number, e) != 0)
            return -1;
    }
    return 0;
}

static int begin_take(struct plugin_reader *r, const char *items, uint32_t n, struct err *e)
{
    (void)items;
    (void)n;
    return tally_begin(r->tally, e);
}

static int end_take(struct plugin_reader *r, const char *items, uint32_t n, struct err *e)
{
    (void)items;
    (void)n;
    return tally_end(r->tally, e);
}

static int fault_take(struct plugin_reader *r, const char *items, uint32_t n, struct err *e)
{
    static const char *const texts[] = {
        [COUNT_FAULT_MEMORY] = "no memory in QEMU for a translation block",
        [COUNT_FAULT_THREAD] = "more than one thread ran between the marks",
    };

    (void)r;
    (void)items;
    return err_set(e, "the plugin gave up: %s",
                   n < sizeof texts / sizeof texts[0] ? texts[n] : "for an unknown reason");
}

static const struct record {
    uint32_t tag;
    size_t item_bytes;
    uint32_t least, most; /* of n, where there are items */
    int (*take)(struct plugin_reader *r, const char *items, uint32_t n, struct err *e);
} records[] = {
    {COUNT_HELLO, 0, 0, 0, hello_take},
    {COUNT_BLOCK, sizeof(uint64_t), 1, BLOCK_MAX, block_take},
    {COUNT_RUN, sizeof(uint32_t), 1, RUN_MAX, run_take},
    {COUNT_BEGIN, 0, 0, 0, begin_take},
    {COUNT_END, 0, 0, 0, end_take},
    {COUNT_FAULT, 0, 0, 0, fault_take},
};

static const struct record *record_find(const struct plugin_reader *r, const struct count_head *h,
                                        struct err *e)
{
    for (size_t i = 0; i < sizeof records / sizeof records[0]; i++) {
        const struct record *rec = &records[i];

        if (rec->tag != h->tag || (rec->item_bytes && (h->n < rec->least || h->n > rec->most)))
            continue;
        if ((rec->tag == COUNT_HELLO) == r->is_started)
            break;
        return rec;
    }
    err_set(e, "not what the plugin writes: a record 0x%x of %u items", h->tag, h->n);
    return NULL;
}

/* Bytes of the whole records at p that were taken; -1 on error. */
static ptrdiff_t records_take(struct plugin_reader *r, const char *p, size_t n, struct err *e)
{
    size_t at = 0;

    while (n - at >= sizeof(struct count_head)) {
        const struct record *rec;
        struct count_head h;
        size_t bytes;

        memcpy(&h, p + at, sizeof h);
        rec = record_find(r, &h, e);
        if (rec == NULL)
            return -1;
        bytes = sizeof h + rec->item_bytes * h.n;
        if (n - at < bytes)
            break;
        if (rec->take(r, p + at + sizeof h, h.n, e) != 0)
            return -1;
        at += bytes;
    }
    return (ptrdiff_t)at;
}

static int plugin_feed(void *self, const char *bytes, size_t n, struct err *e)
{
    struct plugin_reader *r = self;
    ptrdiff_t taken;

    if (n > r->held_room - r->nheld) {
        r->held_room = r->nheld + n;
        r->held = xreallocarray(r->held, r->held_room, 1);
    }
    memcpy(r->held + r->nheld, bytes, n);
    r->nheld += n;
    taken = records_take(r, r->held, r->nheld, e);
    if (taken < 0)
        return -1;
    r->nheld -= (size_t)taken;
    memmove(r->held, r->held + taken, r->nheld);
    return 0;
}

static int plugin_finish(void *self, struct err *e)
{
    const struct plugin_reader *r = self;

    if (r->nheld > 0)
        return err_set(e, "the plugin's records end in the middle of one");
    return 0;
}

const struct counter_source counter_plugin = {plugin_open, plugin_feed, plugin_finish,
                                              plugin_is_started, plugin_close};

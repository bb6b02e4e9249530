/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/*
 * Reads the log of QEMU's `-d op,exec,nochain`. Of each translation block it has a listing in
 * QEMU's own intermediate code, when the block is translated, and a line each time the block is
 * about to be executed:
 *
 *   OP:
 *    OPERATION
 *
 *    ---- ADDRESS MORE       before the operations of each instruction
 *    OPERATION
 *
 *   Trace CPU: HOST [CS_BASE/ADDRESS/FLAGS/CFLAGS] SYMBOL
 *   Stopped execution of TB chain before HOST [ADDRESS] SYMBOL
 *
 * HOST, the address of the block's machine code, is what tells blocks apart: the same code may be
 * translated more than once, with other limits. The last line takes back the one before it. A
 * listing that proves too long is said to be restarted. The widths of the numbers differ between
 * versions: 8 or 16 digits. Not `in_asm`, which is shorter: its listing is a disassembler's
 * opinion, and that of QEMU 7.2 on Debian 12 loses track of AVX2 code.
 */
#include <stdlib.h>
#include <string.h>

#include "counter_source.h"
#include "mem.h"

enum {
    /* Symbols of C++ aside, no line has more than 200. */
    LINE_MAX_BYTES = 1 << 16,
    /* QEMU's translation blocks have at most 512 instructions (TCG_MAX_INSNS). */
    BLOCK_MAX = 4096,
    EXCERPT = 60,
};

/* From numbers other than 0 to block numbers, by open addressing. */
struct map {
    struct slot {
        uint64_t key;   /* 0: free */
        uint32_t value; /* block number + 1; 0: none any more */
    } * slots;
    size_t n, room; /* room is a power of two */
};

struct log_reader {
    struct tally *tally;
    struct counter_marks marks;
    char line[LINE_MAX_BYTES]; /* one that is not whole yet */
    size_t nline;
    struct map by_host;  /* blocks that were executed */
    struct map by_guest; /* the latest listing of an address, until it is executed */
    uint64_t *starts;    /* address of each block listed */
    size_t starts_room;
    uint64_t addresses[BLOCK_MAX]; /* of the listing under way */
    size_t naddresses;
    int in_listing;
    /* The execution read last: it may be taken back by the next line. */
    int held;
    uint32_t held_number;
    uint64_t held_start;
    int is_started;
};

static struct slot *map_slot(const struct map *m, uint64_t key)
{
    /* Fibonacci hashing: 2^64 / golden ratio. */
    size_t i = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (m->room - 1);

    while (m->slots[i].key != 0 && m->slots[i].key != key)
        i = (i + 1) & (m->room - 1);
    return &m->slots[i];
}

static void map_set(struct map *m, uint64_t key, uint32_t value)
{
    struct slot *s;

    if (m->n >= m->room / 2) {
        struct map bigger = {0, 0, m->room ? 2 * m->room : 1 << 14};

        bigger.slots = xcalloc(bigger.room, sizeof *bigger.slots);
        for (size_t i = 0; i < m->room; i++) {
            if (m->slots[i].key == 0 || m->slots[i].value == 0)
                continue;
            *map_slot(&bigger, m->slots[i].key) = m->slots[i];
            bigger.n++;
        }
        free(m->slots);
        *m = bigger;
    }
    s = map_slot(m, key);
    m->n += s->key == 0;
    *s = (struct slot){key, value};
}

/* 0 when there is none. */
static uint32_t map_get(const struct map *m, uint64_t key)
{
    return m->room ? map_slot(m, key)->value : 0;
}

static void *log_open(struct tally *t, const struct counter_marks *m)
{
    struct log_reader *r = xcalloc(1, sizeof *r);

    r->tally = t;
    r->marks = *m;
    return r;
}

static void log_close(void *self)
{
    struct log_reader *r = self;

    free(r->by_host.slots);
    free(r->by_guest.slots);
    free(r->starts);
    free(r);
}

static int log_is_started(const void *self)
{
    return ((const struct log_reader *)self)->is_started;
}

static int unexpected(const char *line, size_t n, const char *what, struct err *e)
{
    char text[EXCERPT + 1];
    size_t k = n < EXCERPT ? n : EXCERPT;

    for (size_t i = 0; i < k; i++)
        text[i] = line[i] >= ' ' && line[i] <= '~' ? line[i] : '?';
    text[k] = '\0';
    return err_set(e, "%s in QEMU's log: '%s'", what, text);
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

/* Reads hexadecimal digits; where they end, or NULL when there are none or too many. */
static const char *hex_read(const char *p, const char *end, uint64_t *out)
{
    const char *start = p;
    uint64_t value = 0;
    int digit;

    for (; p < end && (digit = hex_digit(*p)) >= 0; p++)
        value = value << 4 | (uint64_t)digit;
    *out = value;
    return p == start || p - start > 16 ? NULL : p;
}

/* Skips text that must be there; NULL when it is not. */
static const char *skip(const char *p, const char *end, const char *text)
{
    size_t n = strlen(text);

    return p && (size_t)(end - p) >= n && memcmp(p, text, n) == 0 ? p + n : NULL;
}

static const char *skip_hex(const char *p, const char *end, uint64_t *out)
{
    return p ? hex_read(p, end, out) : NULL;
}

/* Tells the tally of the execution held back. */
static int held_flush(struct log_reader *r, struct err *e)
{
    if (!r->held)
        return 0;
    r->held = 0;
    if (r->held_start == r->marks.end && tally_end(r->tally, e) != 0)
        return -1;
    if (r->held_start == r->marks.begin && tally_begin(r->tally, e) != 0)
        return -1;
    return tally_run(r->tally, r->held_number, e);
}

/* A block's listing is over. */
static int listing_end(struct log_reader *r, struct err *e)
{
    uint32_t number;

    if (!r->in_listing)
        return 0;
    r->in_listing = 0;
    if (tally_block(r->tally, r->addresses, r->naddresses, &number, e) != 0)
        return -1;
    if (number >= r->starts_room) {
        r->starts_room = r->starts_room ? 2 * r->starts_room : 1 << 12;
        r->starts = xreallocarray(r->starts, r->starts_room, sizeof *r->starts);
    }
    r->starts[number] = r->addresses[0];
    map_set(&r->by_guest, r->addresses[0], number + 1);
    return 0;
}

static int listing_line(struct log_reader *r, const char *line, size_t n, struct err *e)
{
    int rc = listing_end(r, e);

    (void)line;
    (void)n;
    r->in_listing = 1;
    r->naddresses = 0;
    return rc;
}

static int insn_line(struct log_reader *r, const char *line, size_t n, struct err *e)
{
    const char *end = line + n, *p;
    uint64_t address;

    p = skip_hex(skip(line, end, " ---- "), end, &address);
    if (p == NULL || (p < end && *p != ' ') || !r->in_listing)
        return unexpected(line, n, "an instruction out of place", e);
    if (r->naddresses == BLOCK_MAX)
        return err_set(e, "a translation block of more than %d instructions in QEMU's log",
                       BLOCK_MAX);
    r->addresses[r->naddresses++] = address;
    return 0;
}

static int trace_line(struct log_reader *r, const char *line, size_t n, struct err *e)
{
    const char *end = line + n, *p;
    uint64_t cpu, host, ignored, address;
    uint32_t number;

    p = skip_hex(skip(line, end, "Trace "), end, &cpu);
    p = skip_hex(skip(p, end, ": 0x"), end, &host);
    p = skip_hex(skip(p, end, " ["), end, &ignored);
    p = skip_hex(skip(p, end, "/"), end, &address);
    p = skip(p, end, "/");
    if (p == NULL || host == 0)
        return unexpected(line, n, "an unknown form of execution", e);
    if (cpu != 0)
        return unexpected(line, n, "more than one thread", e);
    if (held_flush(r, e) != 0 || listing_end(r, e) != 0)
        return -1;
    number = map_get(&r->by_guest, address);
    if (number != 0) {
        map_set(&r->by_host, host, number);
        map_set(&r->by_guest, address, 0);
    } else {
        number = map_get(&r->by_host, host);
    }
    if (number == 0 || r->starts[number - 1] != address)
        return unexpected(line, n, "execution of a block that was never listed", e);
    r->held = 1;
    r->held_number = number - 1;
    r->held_start = address;
    r->is_started = 1;
    return 0;
}

static int stopped_line(struct log_reader *r, const char *line, size_t n, struct err *e)
{
    const char *end = line + n, *p;
    uint64_t host, address;

    p = skip_hex(skip(line, end, "Stopped execution of TB chain before 0x"), end, &host);
    p = skip(skip_hex(skip(p, end, " ["), end, &address), end, "]");
    if (p == NULL)
        return unexpected(line, n, "an unknown form of a stop", e);
    if (!r->held || r->held_start != address)
        return unexpected(line, n, "a stop before a block that was not executed", e);
    r->held = 0;
    return 0;
}

/* "Restarting code generation ...": another listing of the same code follows. */
static int restart_line(struct log_reader *r, const char *line, size_t n, struct err *e)
{
    (void)line;
    (void)n;
    (void)e;
    r->in_listing = 0;
    return 0;
}

static int other_line(struct log_reader *r, const char *line, size_t n, struct err *e)
{
    (void)r;
    (void)line;
    (void)n;
    (void)e;
    return 0;
}

/* Lines by how they begin; the most frequent first. */
static const struct kind {
    const char *begin;
    int (*take)(struct log_reader *r, const char *line, size_t n, struct err *e);
} kinds[] = {
    {"Trace ", trace_line},
    {" ---- ", insn_line},
    {" ", other_line},
    {"OP:", listing_line},
    {"Stopped execution of TB chain", stopped_line},
    {"Restarting code generation ", restart_line},
    {"Linking TBs ", other_line},
};

static int line_take(struct log_reader *r, const char *line, size_t n, struct err *e)
{
    if (n == 0)
        return 0;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (skip(line, line + n, kinds[i].begin) != NULL)
            return kinds[i].take(r, line, n, e);
    return unexpected(line, n, "an unknown line", e);
}

/* Keeps the beginning of a line for later. */
static int line_keep(struct log_reader *r, const char *p, size_t n, struct err *e)
{
    if (n > sizeof r->line - r->nline)
        return err_set(e, "a line of more than %d bytes in QEMU's log", LINE_MAX_BYTES);
    memcpy(r->line + r->nline, p, n);
    r->nline += n;
    return 0;
}

static int log_feed(void *self, const char *bytes, size_t n, struct err *e)
{
    struct log_reader *r = self;
    const char *p = bytes, *end = bytes + n;

    while (p < end) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));

        if (newline == NULL)
            return line_keep(r, p, (size_t)(end - p), e);
        if (r->nline > 0) {
            if (line_keep(r, p, (size_t)(newline - p), e) != 0 ||
                line_take(r, r->line, r->nline, e) != 0)
                return -1;
            r->nline = 0;
        } else if (line_take(r, p, (size_t)(newline - p), e) != 0) {
            return -1;
        }
        p = newline + 1;
    }
    return 0;
}

static int log_finish(void *self, struct err *e)
{
    const struct log_reader *r = self;

    if (r->nline > 0)
        return err_set(e, "QEMU's log ends in the middle of a line");
    return 0;
}

const struct counter_source counter_log = {log_open, log_feed, log_finish, log_is_started,
                                           log_close};

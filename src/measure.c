/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "measure.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "mem.h"
#include "spawn.h"

enum {
    SAMPLES_WANTED = 100, /* per cell: many pairs between builds make small differences visible */
    ROUNDS_MIN = 3,       /* for a median, however slow the operation */
    START_TRIES = 2,      /* failed starts in a row until a driver is given up */
    TIMEOUT_TRIES = 3,    /* time-outs in a row */
};
/* A sample shorter than 1 ms drowns in clock steps and interrupts. One longer than 5 ms seldom
 * passes without another process being given the processor on a busy machine; of short ones most
 * are clean, and the median is of those. */
static const double SAMPLE_NS_MIN = 1e6, SAMPLE_NS_MAX = 5e6;

/* One build of the lane and its driver. */
struct peer {
    struct build *build;
    size_t index; /* in the lane */
    struct driver *driver;
    const struct algorithm *checked; /* by this process of the driver */

    /* The verdict on an algorithm by its first known-answer test, once it was bad. */
    const struct algorithm *refused;
    enum status refused_status;
    char *refused_reason;

    int given_up; /* all further cells get this */
    enum status status;
    char *reason;
    int failed_starts, timeouts; /* in a row */
};

struct run {
    struct lane *lane;
    const char *workload;
    const struct measure_settings *set;
    const struct measure_watch *watch;
    struct peer *peers;
    size_t *done, total;
};

static void cell_fail(struct cell *c, enum status status, const char *reason)
{
    /* Copied first: it may be the text about to be freed. */
    char *why = xstrdup(reason && *reason ? reason : status_summary(status));

    c->status = status;
    free(c->reason);
    c->reason = why;
    samples_free(&c->samples);
    c->samples = (struct samples){0};
}

static void peer_close(struct peer *p)
{
    driver_close(p->driver);
    p->driver = NULL;
    p->checked = NULL;
}

static void peer_give_up(struct peer *p, enum status status, const char *reason)
{
    peer_close(p);
    p->given_up = 1;
    p->status = status;
    free(p->reason);
    p->reason = xstrdup(reason);
}

static int driver_timeout_ms(const struct measure_settings *s)
{
    double ms = s->timeout * 1e3;

    return ms < 1 ? 1 : ms < INT_MAX ? (int)ms : INT_MAX;
}

/* 1 when word stands in text between spaces or ends. */
static int word_in(const char *text, const char *word)
{
    size_t n = strlen(word);

    for (const char *p = text; n && (p = strstr(p, word)); p++)
        if ((p == text || p[-1] == ' ') && (!p[n] || p[n] == ' '))
            return 1;
    return 0;
}

/* The driver is what was built, for the machine it was built for. */
static enum status info_check(const struct run *r, const struct peer *p,
                              const struct driver_info *i, struct err *e)
{
    const struct library *l = p->build->library;
    const struct elf_id *elf = &r->lane->target->elf;

    if (i->bits != elf->bits || i->big != elf->big) {
        err_set(e, "the driver says it is %d-bit %s-endian, target '%s' is %d-bit %s-endian",
                i->bits, i->big ? "big" : "little", r->lane->target->name, elf->bits,
                elf->big ? "big" : "little");
        return STATUS_WRONG_MACHINE;
    }
    if (strcmp(i->library, i->headers) != 0) {
        err_set(e, "the library at run time is '%s', the headers it was compiled with '%s'",
                i->library, i->headers);
        return STATUS_WRONG_LIBRARY;
    }
    if (l->kind == LIBRARY_RELEASE && l->version && !word_in(i->library, l->version)) {
        err_set(e, "the library at run time is '%s', not version %s of '%s'", i->library,
                l->version, l->name);
        return STATUS_WRONG_LIBRARY;
    }
    return STATUS_OK;
}

static void info_keep(struct lane *l, size_t index, const struct driver_info *i)
{
    if (!l->capabilities[index])
        l->capabilities[index] = xstrdup(i->capabilities);
    if (!l->library_text[index])
        l->library_text[index] = xstrdup(i->library);
    if (!l->clock)
        l->clock = xstrdup(i->clock);
}

/*
 * All drivers of a lane run on one processor: two processors of one machine differ in speed by tens
 * of per cent when what shares a core with them is busy (seen: 40% between the two of a virtual
 * machine), and a driver stays where it is. They work in turn, so one is enough. A child inherits
 * the mask.
 */
static enum status start_pinned(struct run *r, const struct list *argv, struct driver **out,
                                struct err *e)
{
    cpu_set_t before, one;
    enum status status;
    int pinned = 0;

    if (r->lane->runner.kind != RUNNER_SSH && !sched_getaffinity(0, sizeof before, &before) &&
        CPU_COUNT(&before) > 1) {
        size_t cpu = CPU_SETSIZE - 1;
        while (!CPU_ISSET(cpu, &before))
            cpu--;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        pinned = !sched_setaffinity(0, sizeof one, &one);
        if (pinned)
            r->lane->pinned = (int)cpu + 1;
    }
    status = driver_start(argv, &r->lane->runner.env, driver_timeout_ms(r->set), out, e);
    if (pinned)
        sched_setaffinity(0, sizeof before, &before);
    return status;
}

static enum status peer_start(struct run *r, struct peer *p, struct err *e)
{
    struct list argv = LIST_INIT;
    struct driver_info info = {0};
    enum status status;

    if (runner_argv(&r->lane->runner, p->build, &argv, e) < 0)
        status = STATUS_RUNNER_MISSING;
    else
        status = start_pinned(r, &argv, &p->driver, e);
    list_free(&argv);
    if (status == STATUS_OK)
        status = driver_info(p->driver, &info, e);
    if (status == STATUS_OK) {
        info_keep(r->lane, p->index, &info);
        status = info_check(r, p, &info, e);
    }
    driver_info_free(&info);
    if (status == STATUS_OK) {
        p->failed_starts = 0;
        return status;
    }
    peer_close(p);
    if (interrupt_pending())
        return STATUS_SKIPPED;
    p->failed_starts++;
    if (status == STATUS_WRONG_LIBRARY || status == STATUS_WRONG_MACHINE)
        peer_give_up(p, status, e->text);
    else if (p->failed_starts >= START_TRIES) {
        err_prefix(e, "given up after %d failed starts in a row; the last: ", START_TRIES);
        peer_give_up(p, status, e->text);
    }
    return status;
}

/* Gets p ready to time alg: a driver that runs and has passed the tests of alg. */
static enum status peer_ready(struct run *r, struct peer *p, const struct algorithm *alg,
                              struct err *e)
{
    enum status status;

    if (p->given_up) {
        err_set(e, "%s", p->reason);
        return p->status;
    }
    if (p->refused == alg) {
        err_set(e, "%s", p->refused_reason);
        return p->refused_status;
    }
    if (!p->driver) {
        status = peer_start(r, p, e);
        if (status != STATUS_OK)
            return status;
    }
    if (p->checked == alg)
        return STATUS_OK;
    status = driver_check(p->driver, alg->name, e);
    if (status == STATUS_OK) {
        p->checked = alg;
    } else if (status == STATUS_UNSUPPORTED || status == STATUS_WRONG_ANSWER) {
        /* Must not become a pass by asking again for the next row. */
        p->refused = alg;
        p->refused_status = status;
        free(p->refused_reason);
        p->refused_reason = xstrdup(e->text);
    }
    return status;
}

/* Something failed while cell c was at work. */
static void peer_failed(struct peer *p, struct cell *c, enum status status, struct err *e)
{
    if (!p->given_up) {
        p->timeouts = status == STATUS_TIMEOUT ? p->timeouts + 1 : 0;
        if (p->timeouts >= TIMEOUT_TRIES) {
            err_prefix(e, "given up after %d time-outs in a row; the last: ", TIMEOUT_TRIES);
            peer_give_up(p, status, e->text);
        } else if (status != STATUS_UNSUPPORTED) {
            /* An unsupported algorithm is no fault of the process. */
            peer_close(p);
        }
    }
    cell_fail(c, status, e->text);
}

static uint64_t sample_length_ns(const struct measure_settings *s)
{
    double ns = s->seconds * 1e9 / SAMPLES_WANTED;

    return (uint64_t)(ns < SAMPLE_NS_MIN ? SAMPLE_NS_MIN : ns > SAMPLE_NS_MAX ? SAMPLE_NS_MAX : ns);
}

/* What the samples take off the cell's measuring time. One that other processes delayed counts as
 * twice what it should have lasted, so that a few of them cannot use up the time of all; that is
 * the wanted length, or the shortest seen where one operation alone is longer. */
static uint64_t samples_cost(const struct samples *s, uint64_t wanted)
{
    uint64_t sum = 0, shortest = UINT64_MAX, most;

    for (size_t i = 0; i < s->n; i++)
        if (s->v[i].ns < shortest)
            shortest = s->v[i].ns;
    most = 2 * (s->n && shortest > wanted ? shortest : wanted);
    for (size_t i = 0; i < s->n; i++)
        sum += s->v[i].ns < most ? s->v[i].ns : most;
    return sum;
}

/* Takes one sample of c into `into`. */
static enum status cell_sample(struct run *r, struct peer *p, const struct cell *c,
                               struct samples *into, struct err *e)
{
    struct time_request t = {
        .workload = r->workload,
        .alg = c->alg->name,
        .op = c->op,
        .bytes = c->bytes,
        .sample_ns = sample_length_ns(r->set),
        .count = 1,
    };
    enum status status = driver_time(p->driver, &t, into, e);

    if (status == STATUS_OK)
        p->timeouts = 0;
    return status;
}

/* Every build of the row is asked once. The first request of a cell is the driver's to warm
 * up and calibrate in: its sample is thrown away. -1: interrupted. */
static int row_start(struct run *r, struct cell *row)
{
    struct err e = ERR_INIT;

    for (size_t i = 0; i < r->lane->nbuilds; i++) {
        struct samples warm_up = {0};
        struct cell *c = &row[i];
        struct peer *p = &r->peers[i];
        enum status status;

        if (p->build->status != STATUS_OK) {
            cell_fail(c, p->build->status, p->build->reason);
            continue;
        }
        status = peer_ready(r, p, c->alg, &e);
        if (status == STATUS_OK)
            status = cell_sample(r, p, c, &warm_up, &e);
        samples_free(&warm_up);
        if (interrupt_pending()) {
            err_clear(&e);
            return -1;
        }
        if (status == STATUS_OK)
            c->status = STATUS_OK;
        else
            peer_failed(p, c, status, &e);
    }
    err_clear(&e);
    return 0;
}

/* 1 when some cell of the row has not had its time. All go on until none is left, so that all have
 * the same rounds: medians over other rounds than their pairs' could contradict the change. */
static int row_wants_more(const struct run *r, const struct cell *row)
{
    for (size_t i = 0; i < r->lane->nbuilds; i++) {
        const struct samples *s = &row[i].samples;
        if (row[i].status == STATUS_OK &&
            (s->n < ROUNDS_MIN ||
             (double)samples_cost(s, sample_length_ns(r->set)) < r->set->seconds * 1e9))
            return 1;
    }
    return 0;
}

/* One more sample for each cell that works. Returns how many were asked; -1: interrupted. */
static int row_round(struct run *r, struct cell *row, uint64_t round)
{
    size_t n = r->lane->nbuilds;
    struct err e = ERR_INIT;
    int asked = 0;

    for (size_t k = 0; k < n; k++) {
        size_t i = round % 2 ? n - 1 - k : k;
        struct cell *c = &row[i];
        enum status status;

        if (c->status != STATUS_OK)
            continue;
        asked++;
        status = cell_sample(r, &r->peers[i], c, &c->samples, &e);
        if (interrupt_pending()) {
            asked = -1;
            break;
        }
        if (status != STATUS_OK) {
            peer_failed(&r->peers[i], c, status, &e);
            continue;
        }
        c->samples.v[c->samples.n - 1].round = round;
        if (r->watch && r->watch->sample)
            r->watch->sample(r->watch->arg, c, &c->samples.v[c->samples.n - 1]);
    }
    err_clear(&e);
    return asked;
}

/* All samples of one row. -1: interrupted. */
static int row_measure(struct run *r, struct cell *row)
{
    /* Four times the measuring time, and a second a build for warming up: beyond that the
     * operation is so slow that only the smallest number of rounds is affordable. */
    const double limit_ns = (r->set->seconds * 4 + 1) * 1e9 * (double)r->lane->nbuilds;
    uint64_t start = now_ns();
    int asked;

    if (row_start(r, row) < 0)
        return -1;
    for (uint64_t round = 0;; round++) {
        if (!row_wants_more(r, row) ||
            (round >= ROUNDS_MIN && (double)(now_ns() - start) > limit_ns))
            return 0;
        asked = row_round(r, row, round);
        if (asked <= 0)
            return asked;
    }
}

/* Known-answer tests after the last row of an algorithm, whose cells are first..last-1. A build
 * that fails now has no cell of the algorithm that could be trusted. -1: interrupted. */
static int algorithm_end(struct run *r, size_t first, size_t last)
{
    struct cell *cells = r->lane->cells;
    size_t n = r->lane->nbuilds;
    struct err e = ERR_INIT;

    for (size_t i = 0; i < n; i++) {
        struct peer *p = &r->peers[i];
        enum status status;

        if (!p->driver || p->checked != cells[first].alg)
            continue;
        status = driver_check(p->driver, cells[first].alg->name, &e);
        if (status == STATUS_OK)
            continue;
        if (interrupt_pending()) {
            err_clear(&e);
            return -1;
        }
        /* Before, the library did offer it. */
        if (status == STATUS_UNSUPPORTED)
            status = STATUS_WRONG_ANSWER;
        err_prefix(&e, "known-answer test after the measurement: ");
        for (size_t k = first + i; k < last; k += n)
            if (cells[k].status == STATUS_OK)
                cell_fail(&cells[k], status, e.text);
        peer_close(p);
    }
    err_clear(&e);
    return 0;
}

static void cells_report(struct run *r, struct cell *c, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        ++*r->done;
        if (r->watch && r->watch->cell)
            r->watch->cell(r->watch->arg, &c[i], *r->done, r->total);
    }
}

/* The lane's cells in rows of one cell a build. -1: interrupted. */
static int rows_measure(struct run *r)
{
    struct lane *l = r->lane;
    size_t first = 0, at; /* first: of the algorithm, not yet tested a second time */

    for (at = 0; at < l->ncells; at += l->nbuilds) {
        struct cell *row = &l->cells[at];
        if (row->alg != l->cells[first].alg) {
            if (algorithm_end(r, first, at) < 0)
                break;
            first = at;
        }
        if (r->watch && r->watch->row)
            r->watch->row(r->watch->arg, l, row, *r->done, r->total);
        if (row_measure(r, row) < 0)
            break;
        cells_report(r, row, l->nbuilds);
    }
    if (at >= l->ncells && algorithm_end(r, first, l->ncells) == 0)
        return 0;
    /* Interrupted: without the second test there is no number, so the algorithm's cells go too. */
    for (size_t i = first; i < l->ncells; i++) {
        struct cell *c = &l->cells[i];
        if (i >= at && c->build->status != STATUS_OK)
            cell_fail(c, c->build->status, c->build->reason);
        else if (i >= at || c->status == STATUS_OK)
            cell_fail(c, STATUS_SKIPPED, "interrupted");
    }
    return -1;
}

int measure_lane(struct lane *l, const char *workload, const struct measure_settings *s,
                 const struct measure_watch *w, size_t *done, size_t total)
{
    struct run r = {
        .lane = l, .workload = workload, .set = s, .watch = w, .done = done, .total = total};
    int rc = 0;

    if (l->status != STATUS_OK && l->metrics & METRIC_TIME) {
        for (size_t i = 0; i < l->ncells; i++)
            cell_fail(&l->cells[i], l->status, l->reason);
        cells_report(&r, l->cells, l->ncells);
        return 0;
    }
    if (!l->ncells || !(l->metrics & METRIC_TIME))
        return 0;
    r.peers = xcalloc(l->nbuilds, sizeof *r.peers);
    for (size_t i = 0; i < l->nbuilds; i++) {
        r.peers[i].build = l->builds[i];
        r.peers[i].index = i;
    }
    rc = rows_measure(&r);
    for (size_t i = 0; i < l->nbuilds; i++) {
        peer_close(&r.peers[i]);
        free(r.peers[i].reason);
        free(r.peers[i].refused_reason);
    }
    free(r.peers);
    return rc;
}

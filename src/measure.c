/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "measure.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "mem.h"
#include "processor.h"
#include "random.h"
#include "spawn.h"

enum {
    SAMPLES_WANTED = 100, /* per cell: many pairs between builds make small differences visible */
    ROUNDS_MIN = 3,       /* for a median, however slow the operation */
    LAUNCHES_MAX = 24,
    PROCESSES_MIN = 6,  /* before a row may end early: less give no interval */
    PADDING_MAX = 4096, /* a page */
    START_TRIES = 2,    /* failed starts in a row until a driver is given up */
    TIMEOUT_TRIES = 3,  /* time-outs in a row */
};
/* A sample shorter than 1 ms drowns in clock steps and interrupts. A long one seldom
 * passes without another process being given the processor on a busy machine; of short ones most
 * are clean, and the median is of those. */
static const double SAMPLE_NS_MIN = 1e6, SAMPLE_NS_MAX = 2e6;
/* A launch costs about 50 ms a driver and row: starting, testing, warming up. */
static const double LAUNCH_SECONDS = 0.12;

/* One of a build's drivers. */
struct peer {
    struct build *build;
    size_t index; /* of the build, in the lane */
    size_t twin;
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
    const struct measure_settings *set;
    const struct measure_watch *watch;
    struct peer *peers; /* twin 0 of all builds, then twin 1 */
    size_t npeers, twins, launches;
    size_t launch;      /* under way */
    size_t *order;      /* peers, as asked in the round under way */
    char *finished;     /* per row: its intervals are tight enough, or its time is over */
    uint64_t *spent_ns; /* per row: wall time so far */
    struct random random;
    size_t *done, total;
};

size_t measure_launches(double seconds)
{
    double n = seconds / LAUNCH_SECONDS;

    return n < 1 ? 1 : n > LAUNCHES_MAX ? LAUNCHES_MAX : (size_t)n;
}

static size_t row_count(const struct run *r)
{
    return r->lane->ncells / r->lane->nbuilds;
}

static struct samples *cell_samples(const struct run *r, struct cell *c, const struct peer *p)
{
    c->series.twins = r->twins;
    return series_at(&c->series, r->launch * r->twins + p->twin);
}

static void cell_fail(struct cell *c, enum status status, const char *reason)
{
    /* Copied first: it may be the text about to be freed. */
    char *why = xstrdup(reason && *reason ? reason : status_summary(status));

    c->status = status;
    free(c->reason);
    c->reason = why;
    series_free(&c->series);
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
    int pin = r->lane->runner.kind == RUNNER_SSH ? -1 : r->set->pin;
    struct list env = LIST_INIT;
    cpu_set_t before;
    enum status status;

    list_add_all(&env, &r->lane->runner.env);
    if (!r->lane->runner.emulated) {
        char padding[PADDING_MAX] = "";
        memset(padding, 'x', random_below(&r->random, sizeof padding));
        list_addf(&env, "CRYPTO_BENCH_PADDING=%s", padding);
    }
    if (!processor_apply(pin, &before) && pin >= 0)
        r->lane->pinned = pin + 1;
    status = driver_start(argv, &env, driver_timeout_ms(r->set), out, e);
    processor_restore(&before);
    list_free(&env);
    return status;
}

/* Has the driver count cycles beside its samples. Without a counter there are none: no failure. An
 * emulator has no processor whose cycles these would be. */
static enum status cycles_start(struct lane *l, struct peer *p, struct err *e)
{
    struct cycle_source source = {0};
    enum status status;

    if (!(l->metrics & METRIC_CYCLES))
        return STATUS_OK;
    if (l->runner.emulated) {
        if (!l->cycle_reason)
            l->cycle_reason = xstrdup("emulated: there is no processor whose cycles to count");
        return STATUS_OK;
    }
    status = driver_cycles(p->driver, &source, e);
    if (status == STATUS_OK && !l->cycle_source) {
        l->cycle_source = xstrdup(source.source);
        l->cycle_hz = source.hz;
    }
    cycle_source_free(&source);
    if (status != STATUS_UNSUPPORTED)
        return status;
    if (!l->cycle_reason)
        l->cycle_reason = xstrdup(e->text);
    return STATUS_OK;
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
    if (status == STATUS_OK)
        status = cycles_start(r->lane, p, e);
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

/* What the samples take off their process's measuring time. One that other processes delayed counts
 * as twice what it should have lasted, so that a few of them cannot use up the time of all; that is
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
        .workload = c->workload,
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

/* A cell that failed in an earlier launch, or whose other twin did, has its status already. */
static int cell_is_out(const struct run *r, const struct cell *c)
{
    return c->status != STATUS_OK && (r->launch || c->reason);
}

/* Every driver is asked once. The first request of a cell is its own to warm up and
 * calibrate in: its sample is thrown away. -1: interrupted. */
static int row_start(struct run *r, struct cell *row)
{
    struct err e = ERR_INIT;

    for (size_t i = 0; i < r->npeers; i++) {
        struct samples warm_up = {0};
        struct peer *p = &r->peers[i];
        struct cell *c = &row[p->index];
        enum status status;

        if (p->build->status != STATUS_OK) {
            cell_fail(c, p->build->status, p->build->reason);
            continue;
        }
        if (cell_is_out(r, c))
            continue;
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

/* 1 when some driver has not had its share of the row's time. All go on until none is left, so that
 * all have the same rounds: medians over other rounds than their pairs' could contradict the
 * change. */
static int row_wants_more(const struct run *r, struct cell *row)
{
    /* over all processes, there are enough in any case when each has one */
    size_t least = r->launches * r->twins >= ROUNDS_MIN ? 1 : ROUNDS_MIN;
    double share = r->set->seconds * 1e9 / (double)(r->launches * r->twins);

    for (size_t i = 0; i < r->npeers; i++) {
        struct cell *c = &row[r->peers[i].index];
        const struct samples *s;
        if (c->status != STATUS_OK)
            continue;
        s = cell_samples(r, c, &r->peers[i]);
        if (s->n < least || (double)samples_cost(s, sample_length_ns(r->set)) < share)
            return 1;
    }
    return 0;
}

/* Each driver once, in a random order, and in the next round the other way about: over the two,
 * each came before each other as often as after it. */
static void order_make(struct run *r, uint64_t round)
{
    for (size_t i = 0; i < r->npeers; i++) {
        size_t k = round % 2 ? r->npeers - 1 - i : i + random_below(&r->random, r->npeers - i);
        if (round % 2 && k <= i)
            break;
        size_t kept = r->order[i];
        r->order[i] = r->order[k];
        r->order[k] = kept;
    }
}

/* One more sample of each driver whose cell works. Returns how many were asked; -1: interrupted. */
static int row_round(struct run *r, struct cell *row, uint64_t round)
{
    struct err e = ERR_INIT;
    int asked = 0;

    order_make(r, round);
    for (size_t k = 0; k < r->npeers; k++) {
        struct peer *p = &r->peers[r->order[k]];
        struct cell *c = &row[p->index];
        enum status status;

        if (c->status != STATUS_OK)
            continue;
        asked++;
        struct samples *into = cell_samples(r, c, p);
        status = cell_sample(r, p, c, into, &e);
        if (interrupt_pending()) {
            asked = -1;
            break;
        }
        if (status != STATUS_OK) {
            peer_failed(p, c, status, &e);
            continue;
        }
        into->v[into->n - 1].round = round;
        if (r->watch && r->watch->sample)
            r->watch->sample(r->watch->arg, c, &into->v[into->n - 1]);
    }
    err_clear(&e);
    return asked;
}

/* 1 when the interval is as narrow as that on either side. */
static int is_precise(const struct estimate *x, double precision)
{
    return x->have_interval && x->high - x->median <= precision * x->median &&
           x->median - x->low <= precision * x->median;
}

static int row_is_precise(const struct run *r, const struct cell *row)
{
    struct estimate x;

    if ((r->launch + 1) * r->twins < PROCESSES_MIN || r->set->precision <= 0)
        return 0;
    for (size_t i = 0; i < r->lane->nbuilds; i++) {
        const struct cell *c = &row[i];
        if (c->status != STATUS_OK)
            continue;
        if (estimate_series(&c->series, &x) || !is_precise(&x, r->set->precision))
            return 0;
        if (c->baseline && c->baseline->status == STATUS_OK &&
            (estimate_pair(&c->baseline->series, &c->series, &x) ||
             !is_precise(&x, r->set->precision)))
            return 0;
    }
    return 1;
}

/* One launch's samples of one row. -1: interrupted. */
static int row_measure(struct run *r, struct cell *row)
{
    /* Four times the measuring time, and a second a build for warming up: beyond that the
     * operation is so slow that only the smallest number of rounds is affordable. */
    const double limit_ns = (r->set->seconds * 4 + 1) * 1e9 * (double)r->lane->nbuilds;
    size_t at = (size_t)(row - r->lane->cells) / r->lane->nbuilds;
    size_t least = r->launches * r->twins >= ROUNDS_MIN ? 1 : ROUNDS_MIN;
    uint64_t start = now_ns();
    int asked;

    if (row_start(r, row) < 0)
        return -1;
    for (uint64_t round = 0;; round++) {
        if (!row_wants_more(r, row) ||
            (round >= least && (double)(r->spent_ns[at] + now_ns() - start) > limit_ns))
            break;
        asked = row_round(r, row, round);
        if (asked < 0)
            return -1;
        if (asked == 0)
            break;
    }
    r->spent_ns[at] += now_ns() - start;
    r->finished[at] = row_is_precise(r, row) || (double)r->spent_ns[at] > limit_ns;
    return 0;
}

/* Known-answer tests after the last row of an algorithm, whose cells are first..last-1. A build
 * that fails now has no cell of the algorithm that could be trusted. -1: interrupted. */
static int algorithm_end(struct run *r, size_t first, size_t last)
{
    struct cell *cells = r->lane->cells;
    struct err e = ERR_INIT;

    for (size_t i = 0; i < r->npeers; i++) {
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
        for (size_t k = first + p->index; k < last; k += r->lane->nbuilds)
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

static void row_report(struct run *r, const struct cell *row)
{
    double in_launch = (double)(row - r->lane->cells) / (double)r->lane->ncells;
    double in_lane = ((double)r->launch + in_launch) / (double)r->launches;

    if (r->watch && r->watch->row)
        r->watch->row(r->watch->arg, r->lane, row, r->launch,
                      ((double)*r->done + in_lane * (double)r->lane->ncells) / (double)r->total);
}

/* Interrupted: what this launch did without the second test goes, from cell `first`; numbers of the
 * launches before stay. */
static void launch_undo(struct run *r, size_t first)
{
    struct lane *l = r->lane;

    for (size_t i = first; i < l->ncells; i++) {
        struct cell *c = &l->cells[i];
        if (c->build->status != STATUS_OK) {
            cell_fail(c, c->build->status, c->build->reason);
            continue;
        }
        if (cell_is_out(r, c))
            continue;
        series_cut(&c->series, r->launch * r->twins);
        if (!c->series.n)
            cell_fail(c, STATUS_SKIPPED, "interrupted");
    }
}

/* The lane's cells in rows of one cell a build. -1: interrupted. */
static int launch_measure(struct run *r)
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
        if (r->finished[at / l->nbuilds])
            continue;
        row_report(r, row);
        if (row_measure(r, row) < 0)
            break;
    }
    if (at >= l->ncells && algorithm_end(r, first, l->ncells) == 0)
        return 0;
    launch_undo(r, first);
    return -1;
}

static int all_finished(const struct run *r)
{
    for (size_t i = 0; i < row_count(r); i++)
        if (!r->finished[i])
            return 0;
    return 1;
}

static int launches_measure(struct run *r)
{
    int rc = 0;

    for (r->launch = 0; r->launch < r->launches && !rc && !all_finished(r); r->launch++) {
        rc = launch_measure(r);
        for (size_t i = 0; i < r->npeers; i++)
            peer_close(&r->peers[i]);
    }
    return rc;
}

static void peers_make(struct run *r)
{
    r->npeers = r->lane->nbuilds * r->twins;
    r->peers = xcalloc(r->npeers, sizeof *r->peers);
    r->order = xcalloc(r->npeers, sizeof *r->order);
    for (size_t i = 0; i < r->npeers; i++) {
        r->peers[i].index = i % r->lane->nbuilds;
        r->peers[i].twin = i / r->lane->nbuilds;
        r->peers[i].build = r->lane->builds[r->peers[i].index];
        r->order[i] = i;
    }
}

int measure_lane(struct lane *l, const struct measure_settings *s, const struct measure_watch *w,
                 size_t *done, size_t total)
{
    struct run r = {.lane = l, .set = s, .watch = w, .done = done, .total = total};
    int rc;

    if (l->status != STATUS_OK && l->metrics & METRIC_TIME) {
        for (size_t i = 0; i < l->ncells; i++)
            cell_fail(&l->cells[i], l->status, l->reason);
        cells_report(&r, l->cells, l->ncells);
        return 0;
    }
    if (!l->ncells || !(l->metrics & METRIC_TIME))
        return 0;
    /* What an emulator's clock says is never a verdict: no trouble is taken over it. */
    r.launches = !s->launches || l->runner.emulated ? 1 : s->launches;
    r.twins = !s->twins || l->runner.emulated ? 1 : s->twins;
    random_start(&r.random, s->seed);
    peers_make(&r);
    r.finished = xcalloc(row_count(&r), 1);
    r.spent_ns = xcalloc(row_count(&r), sizeof *r.spent_ns);
    rc = launches_measure(&r);
    cells_report(&r, l->cells, l->ncells);
    for (size_t i = 0; i < r.npeers; i++) {
        free(r.peers[i].reason);
        free(r.peers[i].refused_reason);
    }
    free(r.peers);
    free(r.order);
    free(r.finished);
    free(r.spent_ns);
    return rc;
}

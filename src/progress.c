/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "build.h"
#include "measure.h"
#include "mem.h"
#include "progress.h"
#include "spawn.h"

void progress_start(struct progress *p, int quiet)
{
    struct winsize w;
    *p = (struct progress){.quiet = quiet, .started = now_ns(), .columns = 80};
    p->terminal = isatty(STDERR_FILENO);
    if (p->terminal && !ioctl(STDERR_FILENO, TIOCGWINSZ, &w) && w.ws_col > 20)
        p->columns = w.ws_col;
}

static void live_clear(struct progress *p)
{
    if (p->live)
        fputs("\r\033[K", stderr);
    p->live = 0;
}

void progress_end(struct progress *p)
{
    live_clear(p);
    free(p->step);
    p->step = NULL;
}

void progress_line(struct progress *p, const char *fmt, ...)
{
    va_list ap;
    if (p->quiet)
        return;
    live_clear(p);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
}

void progress_live(struct progress *p, const char *fmt, ...)
{
    va_list ap;
    struct str s = STR_INIT;
    uint64_t now = now_ns();

    if (p->quiet || !p->terminal || (p->live && now - p->last < 100000000))
        return;
    va_start(ap, fmt);
    str_vaddf(&s, fmt, ap);
    va_end(ap);
    fprintf(stderr, "\r\033[K%.*s", p->columns - 1, s.p);
    str_free(&s);
    p->live = 1;
    p->last = now;
}

double progress_elapsed(const struct progress *p)
{
    return (double)(now_ns() - p->started) / 1e9;
}

char *duration_text(double seconds)
{
    unsigned long s = seconds < 0 ? 0 : (unsigned long)(seconds + 0.5);
    if (s < 120)
        return xasprintf("%lu s", s);
    return xasprintf("%lu min %02lu s", s / 60, s % 60);
}

/* Seconds of one build, until one was made here: about what two idle cores take. A slow or busy
 * machine takes several times that, which the first finished build shows. */
#define BUILD_SECONDS_GUESS 50

static void build_live(struct progress *p)
{
    double each = p->made ? p->spent / p->made : BUILD_SECONDS_GUESS;
    double elapsed = progress_elapsed(p), all = each * p->total;
    char *gone = duration_text(elapsed), *left = duration_text(all - elapsed);
    progress_live(p, "built %d of %d, %s; %s elapsed, about %s left", p->done, p->total,
                  p->step ? p->step : "", gone, left);
    free(gone);
    free(left);
}

static void build_start(void *arg, const struct build *b, int nth, int total)
{
    struct progress *p = arg;
    double each = p->made ? p->spent / p->made : BUILD_SECONDS_GUESS;
    char *left = duration_text(each * (total - nth + 1)),
         *gone = duration_text(progress_elapsed(p));
    p->total = total;
    progress_line(p, "building %d of %d: %s (%s elapsed, about %s left)", nth, total, b->id, gone,
                  left);
    free(left);
    free(gone);
}

static void build_step(void *arg, const struct build *b, const char *what)
{
    struct progress *p = arg;
    free(p->step);
    p->step = xasprintf("%s: %s", b->id, what);
    build_live(p);
}

static void build_end(void *arg, const struct build *b, int nth, int total, double seconds)
{
    struct progress *p = arg;
    char *took = duration_text(seconds);
    p->done++;
    p->made++;
    /* side by side, a build's own wall time says less than the pace of all */
    p->spent = progress_elapsed(p);
    if (b->status == STATUS_OK)
        progress_line(p, "built %d of %d: %s in %s", nth, total, b->id, took);
    else
        progress_line(p, "%s: %s after %s: %s%s%s", status_name(b->status), b->id, took,
                      b->reason ? b->reason : "", b->log ? "\n  log: " : "", b->log ? b->log : "");
    free(took);
}

static void build_note(void *arg, const char *text)
{
    progress_line(arg, "%s", text);
}

static void build_tick(void *arg)
{
    build_live(arg);
}

struct build_watch progress_build_watch(struct progress *p)
{
    return (struct build_watch){build_start, build_step, build_end, build_note, build_tick, p};
}

static void measure_row(void *arg, const struct lane *l, const struct cell *first, size_t launch,
                        double part)
{
    struct progress *p = arg;
    char *gone = duration_text(progress_elapsed(p));
    /* cells of one kind take about as long each; the first row tells nothing yet */
    char *left = duration_text(part > 0 ? progress_elapsed(p) / part * (1 - part) : 0);
    /* Elsewhere than on a terminal, a line a row for the first launch only. */
    int whole = !launch || first == l->cells;
    if (!first)
        progress_line(p, "counting instructions of %s%s%s (%s)", l->target->name, l->cpu ? " " : "",
                      l->cpu ? l->cpu->name : "", l->counter ? l->counter : l->runner.name);
    else if (whole)
        progress_line(p, "measuring %s%s%s (%s): launch %zu, %s %s %" PRIu64 " B, %.0f%%, %s%s%s",
                      l->target->name, l->cpu ? " " : "", l->cpu ? l->cpu->name : "",
                      l->runner.name, launch + 1, first->alg->name, first->op, first->bytes,
                      100 * part, gone, part > 0 ? ", left about " : "", part > 0 ? left : "");
    free(gone);
    free(left);
}

static void measure_sample(void *arg, const struct cell *c, const struct sample *s)
{
    struct progress *p = arg;
    double rate = rate_kb_s(sample_ns_per_op(s), c->bytes);
    const char *label = c->lane->runner.emulated ? " (emulated)" : "";
    if (!p->first_sample_said) {
        p->first_sample_said = 1;
        progress_line(p, "first sample: %s %s %" PRIu64 " B, %s: %.0f kB/s%s", c->alg->name, c->op,
                      c->bytes, c->build->id, rate, label);
    }
    progress_live(p, "%s %s %" PRIu64 " B, %s: %.0f kB/s%s", c->alg->name, c->op, c->bytes,
                  c->build->id, rate, label);
}

static void measure_cell(void *arg, const struct cell *c, size_t done, size_t total)
{
    (void)done;
    (void)total;
    if (c->status != STATUS_OK && c->status != STATUS_SKIPPED && c->build->status == STATUS_OK &&
        c->lane->status == STATUS_OK)
        progress_line(arg, "%s: %s %s %" PRIu64 " B, %s: %s", status_name(c->status), c->alg->name,
                      c->op, c->bytes, c->build->id, c->reason ? c->reason : "");
}

struct measure_watch progress_measure_watch(struct progress *p)
{
    return (struct measure_watch){measure_row, measure_sample, measure_cell, p};
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "counter.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "counter_source.h"
#include "file.h"
#include "json.h"
#include "mem.h"
#include "spawn.h"

enum {
    /* Fewer and larger reads; as much as Linux gives to any user (pipe-max-size). */
    PIPE_BYTES = 1 << 20,
    READ_BYTES = 256 << 10,
    NAP_NS = 1000000,
    WAIT_MS = 100, /* between looks at interrupts */
    NS_PER_MS = 1000000,
    NS_PER_S = 1000000000,
};

/* The marks of bench/mark.c. */
static const char mark_begin[] = "cb_mark_begin", mark_end[] = "cb_mark_end";

/* Plugin API versions to offer, best guess first. QEMU 9.0 and later accept from 2 on, older ones
 * up to 1; should a later one give up its oldest versions, 7 is the first after the last change of
 * what the plugin uses. See bench/qemu/count.c. */
static const int plugin_apis[] = {2, 1, 7};

static const char *const kind_names[] = {
    [COUNTER_AUTO] = "auto",
    [COUNTER_PLUGIN] = "plugin",
    [COUNTER_LOG] = "log",
};

static const struct counter_source *const sources[] = {
    [COUNTER_PLUGIN] = &counter_plugin,
    [COUNTER_LOG] = &counter_log,
};

struct counter {
    struct driver *driver;
    struct symbols *symbols;
    const struct counter_source *source;
    int timeout_ms;
    int in; /* our end of the pipe; the thread's once it runs */
    pthread_t thread;
    int has_thread;

    /* Below: shared with the thread, under lock. */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct tally *tally;
    void *reader;
    int at_end;
    int gave_up;      /* on the stream, before its end */
    struct err error; /* of the stream */
};

const char *counter_kind_name(enum counter_kind k)
{
    return kind_names[k];
}

int counter_kind_by_name(const char *name)
{
    for (size_t i = 0; i < sizeof kind_names / sizeof kind_names[0]; i++)
        if (strcmp(kind_names[i], name) == 0)
            return (int)i;
    return -1;
}

/* For a while without a reader the pipe fills, and QEMU is not interrupted line by line. */
static void stream_nap(void)
{
    static const struct timespec nap = {0, NAP_NS};

    nanosleep(&nap, NULL);
}

/* Reads all that QEMU writes. An error closes the pipe, which ends QEMU: nothing it counts from
 * then on could be believed. */
static void *stream_run(void *arg)
{
    struct counter *c = arg;
    char *buffer = xmalloc(READ_BYTES);
    int over = 0;

    while (!over) {
        ssize_t n = read(c->in, buffer, READ_BYTES);

        if (n < 0 && errno == EINTR)
            continue;
        pthread_mutex_lock(&c->lock);
        if (n > 0)
            over = c->source->feed(c->reader, buffer, (size_t)n, &c->error) != 0;
        else if (n == 0)
            c->source->finish(c->reader, &c->error);
        else
            err_set(&c->error, "cannot read what QEMU counts: %s", strerror(errno));
        c->gave_up = over;
        over = over || n <= 0;
        c->at_end = over;
        pthread_cond_broadcast(&c->changed);
        pthread_mutex_unlock(&c->lock);
        if (n < READ_BYTES / 2)
            stream_nap();
    }
    close(c->in);
    free(buffer);
    return NULL;
}

/* Signals are the other threads' business. */
static int stream_start(struct counter *c, struct err *e)
{
    sigset_t all, before;
    int rc;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    rc = pthread_create(&c->thread, NULL, stream_run, c);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (rc != 0)
        return err_set(e, "no thread to read what QEMU counts: %s", strerror(rc));
    c->has_thread = 1;
    return 0;
}

static int marks_find(const struct symbols *s, const char *driver, struct counter_marks *m,
                      struct err *e)
{
    if (!symbols_is_fixed(s))
        return err_set(e,
                       "'%s' is position-independent: instructions can only be counted in a "
                       "driver linked with -static -no-pie",
                       driver);
    if (symbols_address(s, mark_begin, &m->begin) != 0 ||
        symbols_address(s, mark_end, &m->end) != 0)
        return err_set(e, "'%s' has no symbols %s and %s", driver, mark_begin, mark_end);
    if (m->begin == m->end)
        return err_set(e, "%s and %s of '%s' are one function: link without folding", mark_begin,
                       mark_end, driver);
    return 0;
}

/* The setup's command line, with QEMU told to count into descriptor fd. */
static void argv_make(const struct counter_setup *s, const struct counter_choice *c,
                      const struct counter_marks *m, int fd, struct list *argv)
{
    list_add_all(argv, s->prefix);
    if (c->kind == COUNTER_PLUGIN) {
        list_add(argv, "-plugin");
        list_addf(argv, "%s,fd=%d,begin=0x%llx,end=0x%llx", c->plugin, fd,
                  (unsigned long long)m->begin, (unsigned long long)m->end);
    } else {
        /* nochain: without it QEMU jumps from block to block without a word in the log. */
        list_add(argv, "-d");
        list_add(argv, "op,exec,nochain");
        list_add(argv, "-D");
        list_addf(argv, "/proc/self/fd/%d", fd);
    }
    list_add(argv, s->driver);
}

static struct counter *counter_new(const struct counter_setup *s, enum counter_kind kind)
{
    struct counter *c = xcalloc(1, sizeof *c);
    pthread_condattr_t attr;

    c->timeout_ms = s->timeout_ms;
    c->source = sources[kind];
    c->in = -1;
    pthread_mutex_init(&c->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&c->changed, &attr);
    pthread_condattr_destroy(&attr);
    return c;
}

enum status counter_start(const struct counter_setup *s, const struct counter_choice *choice,
                          struct counter **out, struct err *e)
{
    struct counter *c = counter_new(s, choice->kind);
    struct list argv = LIST_INIT;
    struct counter_marks marks;
    enum status status = STATUS_BAD_ANSWER;
    int fd[2] = {-1, -1}, keep[2] = {-1, -1};

    *out = NULL;
    c->symbols = symbols_read(s->driver, e);
    if (c->symbols == NULL || marks_find(c->symbols, s->driver, &marks, e) != 0)
        goto fail;
    c->tally = tally_new(symbols_machine(c->symbols)->machine);
    c->reader = c->source->open(c->tally, &marks);
    status = STATUS_DRIVER_DIED;
    if (pipe2(fd, O_CLOEXEC) != 0) {
        err_set(e, "no pipe for what QEMU counts: %s", strerror(errno));
        goto fail;
    }
    c->in = fd[0];
    keep[0] = fd[1];
    fcntl(fd[1], F_SETPIPE_SZ, PIPE_BYTES); /* as it is will do too */
    argv_make(s, choice, &marks, fd[1], &argv);
    status = driver_start_keeping(&argv, s->env, keep, s->timeout_ms, &c->driver, e);
    /* Only QEMU holds the other end now: it closes when QEMU ends. */
    close(fd[1]);
    if (status != STATUS_OK)
        goto fail;
    status = STATUS_DRIVER_DIED;
    if (stream_start(c, e) != 0)
        goto fail;
    list_free(&argv);
    *out = c;
    return STATUS_OK;
fail:
    list_free(&argv);
    counter_close(c);
    return status;
}

void counter_close(struct counter *c)
{
    if (c == NULL)
        return;
    /* A polite end would be counted too. */
    if (c->driver)
        driver_kill(c->driver);
    driver_close(c->driver);
    /* With QEMU gone the thread comes to the end of the pipe. */
    if (c->has_thread)
        pthread_join(c->thread, NULL);
    else if (c->in >= 0)
        close(c->in);
    if (c->reader)
        c->source->close(c->reader);
    tally_free(c->tally);
    symbols_free(c->symbols);
    err_clear(&c->error);
    pthread_cond_destroy(&c->changed);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

struct driver *counter_driver(struct counter *c)
{
    return c->driver;
}

const struct symbols *counter_symbols(const struct counter *c)
{
    return c->symbols;
}

/* Waits for a change, no longer than WAIT_MS. */
static void change_wait(struct counter *c)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_nsec += (long)WAIT_MS * NS_PER_MS;
    t.tv_sec += t.tv_nsec / NS_PER_S;
    t.tv_nsec %= NS_PER_S;
    pthread_cond_timedwait(&c->changed, &c->lock, &t);
}

static int has_pair(const struct counter *c)
{
    return tally_is_complete(c->tally);
}

static int has_start(const struct counter *c)
{
    return c->source->is_started(c->reader);
}

/* Everything that belongs to an answer was written before it: waits until it is read, too. Holds
 * the lock. */
static enum status stream_wait(struct counter *c, int (*has)(const struct counter *),
                               const char *what, struct err *e)
{
    uint64_t deadline = now_ns() + (uint64_t)c->timeout_ms * NS_PER_MS;

    while (!has(c) && !c->at_end) {
        if (interrupt_pending()) {
            err_set(e, "interrupted");
            return STATUS_SKIPPED;
        }
        if (now_ns() >= deadline) {
            err_set(e, "the driver has answered, but QEMU did not tell of %s within %.1f s", what,
                    (double)c->timeout_ms / 1e3);
            return STATUS_TIMEOUT;
        }
        change_wait(c);
    }
    if (c->error.text != NULL) {
        err_set(e, "%s", c->error.text);
        return STATUS_BAD_ANSWER;
    }
    if (has(c))
        return STATUS_OK;
    err_set(e, "QEMU ended before it told of %s", what);
    return STATUS_DRIVER_DIED;
}

/* A driver that is gone may be so because what QEMU wrote was no good: that is the cause to name.
 */
static enum status cause_find(struct counter *c, enum status status, struct err *e)
{
    pthread_mutex_lock(&c->lock);
    if (c->gave_up && status == STATUS_DRIVER_DIED) {
        err_set(e, "%s", c->error.text);
        status = STATUS_BAD_ANSWER;
    }
    pthread_mutex_unlock(&c->lock);
    return status;
}

enum status counter_check(struct counter *c, const char *alg, struct err *e)
{
    return cause_find(c, driver_check(c->driver, alg, e), e);
}

enum status counter_count(struct counter *c, const struct count_request *r, int want_trace,
                          struct count *out, struct err *e)
{
    enum status status;

    *out = (struct count){0};
    pthread_mutex_lock(&c->lock);
    tally_want_trace(c->tally, want_trace);
    pthread_mutex_unlock(&c->lock);
    struct json_doc *answer;
    status = driver_work(c->driver, "count", r, &answer, e);
    if (status == STATUS_OK)
        json_close(answer);
    if (status == STATUS_UNSUPPORTED)
        return status;
    if (status != STATUS_OK) {
        status = cause_find(c, status, e);
        goto end;
    }
    pthread_mutex_lock(&c->lock);
    status = stream_wait(c, has_pair, "the marks", e);
    if (status == STATUS_OK && tally_take(c->tally, c->symbols, out, e) != 0)
        status = STATUS_BAD_ANSWER;
    pthread_mutex_unlock(&c->lock);
end:
    /* Whether marks were passed is not known: the next pair could be taken for this one. */
    if (status != STATUS_OK)
        driver_kill(c->driver);
    return status;
}

/* Starts QEMU and ends it as soon as it tells of anything it executes. */
static enum status choice_try(const struct counter_setup *s, const struct counter_choice *choice,
                              struct err *e)
{
    struct driver_info info;
    struct counter *c;
    enum status status = counter_start(s, choice, &c, e);

    if (status != STATUS_OK)
        return status;
    pthread_mutex_lock(&c->lock);
    status = stream_wait(c, has_start, "its start", e);
    pthread_mutex_unlock(&c->lock);
    if (status == STATUS_DRIVER_DIED) {
        /* How it ended, and what it said. */
        status = driver_info(c->driver, &info, e);
        if (status == STATUS_OK) {
            driver_info_free(&info);
            err_set(e, "QEMU runs the driver, but tells nothing of it");
            status = STATUS_RUNNER_MISSING;
        }
    }
    counter_close(c);
    return status;
}

/* Starts the driver without counting; OK when it answers. */
static enum status plain_try(const struct counter_setup *s, struct err *e)
{
    struct list argv = LIST_INIT;
    struct driver_info info;
    struct driver *d;
    enum status status;

    list_add_all(&argv, s->prefix);
    list_add(&argv, s->driver);
    status = driver_start(&argv, s->env, s->timeout_ms, &d, e);
    if (status == STATUS_OK) {
        status = driver_info(d, &info, e);
        if (status == STATUS_OK)
            driver_info_free(&info);
        driver_close(d);
    }
    list_free(&argv);
    return status;
}

/* Tries the builds of the plugin; why the first one did not work is in e. */
static enum status plugin_choose(const struct counter_setup *s, const char *dir,
                                 struct counter_choice *out, struct err *e)
{
    enum status status = STATUS_RUNNER_MISSING;

    err_set(e, "no plugin (count-*.so) in '%s'", dir ? dir : "");
    for (size_t i = 0, tried = 0; i < sizeof plugin_apis / sizeof plugin_apis[0]; i++) {
        struct err again = ERR_INIT;

        out->kind = COUNTER_PLUGIN;
        out->plugin = xasprintf("%s/count-%d.so", dir ? dir : "", plugin_apis[i]);
        if (path_is_file(out->plugin)) {
            status = choice_try(s, out, tried++ ? &again : e);
            err_clear(&again);
            if (status == STATUS_OK || status == STATUS_SKIPPED)
                break;
        }
        free(out->plugin);
        out->plugin = NULL;
    }
    return status;
}

/* 0 when the driver's file has what counting needs. */
static int driver_check_file(const char *driver, struct err *e)
{
    struct counter_marks marks;
    struct symbols *s = symbols_read(driver, e);
    int rc = s ? marks_find(s, driver, &marks, e) : -1;

    symbols_free(s);
    return rc;
}

enum status counter_choose(const struct counter_setup *s, const char *plugin_dir,
                           enum counter_kind wanted, struct counter_choice *out, struct err *e)
{
    struct err plugin_error = ERR_INIT, log_error = ERR_INIT;
    enum status status;

    *out = (struct counter_choice){0};
    /* A missing QEMU or CPU model, or a driver that does not run, is no matter of counting. */
    status = plain_try(s, e);
    if (status != STATUS_OK)
        return status;
    if (driver_check_file(s->driver, e) != 0)
        return STATUS_BAD_ANSWER;
    if (wanted != COUNTER_LOG) {
        status = plugin_choose(s, plugin_dir, out, &plugin_error);
        if (status == STATUS_OK || status == STATUS_SKIPPED || wanted == COUNTER_PLUGIN)
            goto end;
    }
    out->kind = COUNTER_LOG;
    status = choice_try(s, out, &log_error);
    if (status == STATUS_OK)
        out->reason = plugin_error.text ? xstrdup(plugin_error.text) : NULL;
end:
    if (status != STATUS_OK) {
        /* The driver alone runs: it is QEMU that cannot count. */
        if (status != STATUS_SKIPPED)
            status = STATUS_RUNNER_MISSING;
        err_set(e, "%s cannot count instructions; plugin: %s; log: %s", s->prefix->v[0],
                plugin_error.text ? plugin_error.text : "not wanted",
                log_error.text ? log_error.text : "not wanted");
        counter_choice_free(out);
    }
    err_clear(&plugin_error);
    err_clear(&log_error);
    return status;
}

void counter_choice_free(struct counter_choice *c)
{
    free(c->plugin);
    free(c->reason);
    *c = (struct counter_choice){0};
}

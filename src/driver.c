/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "driver.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driveranswer.h"
#include "json.h"
#include "mem.h"
#include "spawn.h"

enum {
    PROTOCOL = 1,
    LINE_MAX_BYTES = 4 << 20,
    TAIL_BYTES = 64 << 10, /* of stderr kept; the buffer is twice that, so that moving is rare */
    POLL_MS = 100,
    DEATH_MS = 2000, /* from the end of its output to the end of a process */
    QUIT_MS = 500,   /* for a polite end */
    EXCERPT = 80,    /* characters of nonsense shown in a reason */
};
static const uint64_t NS_PER_MS = 1000000;

struct driver {
    pid_t pid;        /* 0 once reaped */
    int in, out, err; /* our ends; -1 once closed */
    uint64_t timeout_ns;
    int alive;
    struct str command; /* the request under way, without newline */
    size_t written;     /* of command and its newline */
    struct str line;    /* the answer so far; whole and without newline after an exchange */
    uint64_t wall_ns;   /* from request to answer */
    char *tail;         /* of stderr, 2 * TAIL_BYTES */
    size_t ntail;
};

/* Error words of docs/protocol.md. */
static const struct {
    const char *word;
    enum status status;
} errors[] = {
    {"bad-command", STATUS_BAD_ANSWER},    {"unsupported", STATUS_UNSUPPORTED},
    {"wrong-answer", STATUS_WRONG_ANSWER}, {"unchecked", STATUS_BAD_ANSWER},
    {"bad-clock", STATUS_BAD_CLOCK},       {"failed", STATUS_DRIVER_DIED},
    {"no-memory", STATUS_DRIVER_DIED},
};

/* What emulators say on stderr when they end, in place of an exit status that tells. */
static const struct {
    const char *text;
    enum status status;
} clues[] = {
    {"uncaught target signal 4 ", STATUS_ILLEGAL_INSTRUCTION},
    {"unable to find CPU model", STATUS_RUNNER_MISSING},
};

static void fd_close(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Statuses after which there is no process any more. */
static int is_final(enum status s)
{
    return s != STATUS_OK && s != STATUS_UNSUPPORTED && s != STATUS_WRONG_ANSWER &&
           s != STATUS_BAD_CLOCK;
}

static void driver_end(struct driver *d)
{
    if (d->pid)
        spawn_kill(d->pid);
    d->pid = 0;
    d->alive = 0;
    fd_close(&d->in);
    fd_close(&d->out);
    fd_close(&d->err);
}

static int pipe_make(int fd[2], int our_end, struct err *e)
{
    if (pipe2(fd, O_CLOEXEC) != 0)
        return err_set(e, "no pipe for the driver: %s", strerror(errno));
    if (fcntl(fd[our_end], F_SETFL, O_NONBLOCK) != 0)
        return err_set(e, "no non-blocking pipe for the driver: %s", strerror(errno));
    return 0;
}

enum status driver_start(const struct list *argv, const struct list *env, int timeout_ms,
                         struct driver **out, struct err *e)
{
    return driver_start_keeping(argv, env, NULL, timeout_ms, out, e);
}

enum status driver_start_keeping(const struct list *argv, const struct list *env,
                                 const int *keep_fds, int timeout_ms, struct driver **out,
                                 struct err *e)
{
    enum { IN, OUT, ERR };
    int p[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    struct spawn s = SPAWN_INIT;
    enum status status = STATUS_DRIVER_DIED;
    struct driver *d;
    pid_t pid;

    *out = NULL;
    /* A driver that died must show as EPIPE, not end us; spawn gives children the default. */
    signal(SIGPIPE, SIG_IGN);
    if (pipe_make(p[IN], 1, e) < 0 || pipe_make(p[OUT], 0, e) < 0 || pipe_make(p[ERR], 0, e) < 0)
        goto out;
    s.argv = argv;
    s.env = env;
    s.keep_fds = keep_fds;
    s.in_fd = p[IN][0];
    s.out_fd = p[OUT][1];
    s.err_fd = p[ERR][1];
    pid = spawn_start(&s, e);
    if (pid < 0) {
        status = STATUS_RUNNER_MISSING;
        goto out;
    }
    d = xcalloc(1, sizeof *d);
    d->tail = xmalloc(2 * TAIL_BYTES);
    d->pid = pid;
    d->alive = 1;
    d->timeout_ns = (uint64_t)(timeout_ms > 0 ? timeout_ms : 0) * NS_PER_MS;
    d->in = p[IN][1];
    d->out = p[OUT][0];
    d->err = p[ERR][0];
    p[IN][1] = p[OUT][0] = p[ERR][0] = -1;
    *out = d;
    status = STATUS_OK;
out:
    for (int i = 0; i < 3; i++) {
        fd_close(&p[i][0]);
        fd_close(&p[i][1]);
    }
    return status;
}

int driver_alive(const struct driver *d)
{
    return d && d->alive;
}

/* Takes what stderr holds now, keeping the last. */
static void tail_read(struct driver *d)
{
    ssize_t n;

    if (d->err < 0)
        return;
    n = read(d->err, d->tail + d->ntail, 2 * TAIL_BYTES - d->ntail);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        fd_close(&d->err);
    if (n <= 0)
        return;
    d->ntail += (size_t)n;
    if (d->ntail == 2 * TAIL_BYTES) {
        memmove(d->tail, d->tail + TAIL_BYTES, TAIL_BYTES);
        d->ntail = TAIL_BYTES;
    }
}

/* Copy of at most max bytes fit for a message: one line, ASCII. */
static char *printable(const char *p, size_t n, size_t max)
{
    struct str s = STR_INIT;

    for (size_t i = 0; i < n && i < max; i++)
        str_addc(&s, p[i] >= 0x20 && p[i] < 0x7f ? p[i] : '?');
    if (n > max)
        str_add(&s, "...");
    return str_take(&s);
}

/* The line of stderr that ends before `end`, without white space around it. */
static char *tail_line(const struct driver *d, size_t end)
{
    size_t start;

    while (end && isspace((unsigned char)d->tail[end - 1]))
        end--;
    for (start = end; start && d->tail[start - 1] != '\n';)
        start--;
    while (start < end && isspace((unsigned char)d->tail[start]))
        start++;
    return printable(d->tail + start, end - start, 400);
}

char *driver_stderr(const struct driver *d)
{
    return tail_line(d, d->ntail);
}

/* How a process ended, for people. */
static char *end_text(const struct spawn_end *end)
{
    const char *name;

    if (!end->exited) {
        name = sigabbrev_np(end->signal);
        return xasprintf("killed by signal %d (SIG%s)", end->signal, name ? name : "?");
    }
    /* Shells and ssh report a signal so. */
    name = end->exit_code > 128 ? sigabbrev_np(end->exit_code - 128) : NULL;
    if (name)
        return xasprintf("exit status %d (128 + SIG%s)", end->exit_code, name);
    return xasprintf("exit status %d", end->exit_code);
}

/* The driver closed its output: finds out how it ended. */
static enum status died(struct driver *d, struct err *e)
{
    uint64_t deadline = now_ns() + DEATH_MS * NS_PER_MS;
    enum status status = STATUS_DRIVER_DIED;
    struct spawn_end end;
    char *how, *line = NULL;
    int ended;

    while (!(ended = spawn_poll(d->pid, &end)) && now_ns() < deadline && !interrupt_pending()) {
        struct pollfd p = {d->err, POLLIN, 0};
        poll(&p, 1, 1);
        tail_read(d);
        if (d->err < 0)
            poll(NULL, 0, 1);
    }
    if (ended)
        d->pid = 0;
    for (size_t before = SIZE_MAX; d->err >= 0 && before != d->ntail;) {
        before = d->ntail;
        tail_read(d);
    }

    if (!ended)
        how = xstrdup("closed its output without ending");
    else
        how = end_text(&end);
    if (ended && (end.exited ? end.exit_code == 128 + SIGILL : end.signal == SIGILL))
        status = STATUS_ILLEGAL_INSTRUCTION;
    for (size_t i = 0; i < sizeof clues / sizeof clues[0]; i++) {
        const char *at = memmem(d->tail, d->ntail, clues[i].text, strlen(clues[i].text));
        if (!at)
            continue;
        size_t from = (size_t)(at - d->tail);
        const char *eol = memchr(at, '\n', d->ntail - from);
        status = clues[i].status;
        free(line);
        line = tail_line(d, eol ? (size_t)(eol - d->tail) : d->ntail);
    }
    if (!line)
        line = driver_stderr(d);
    if (status == STATUS_RUNNER_MISSING)
        err_set(e, "%s", line);
    else
        err_set(e, "%s at '%s'%s%s", how, d->command.p, *line ? ": " : "", line);
    free(line);
    free(how);
    driver_end(d);
    return status;
}

/* Not the protocol: what is wrong, then how the answer began. Takes e's text as "what" if NULL. */
static enum status bad_answer(struct driver *d, const char *what, struct err *e)
{
    char *shown = printable(d->line.p, d->line.n, EXCERPT);

    err_set(e, "answer to '%s': %s: %s", d->command.p, what ? what : e->text, shown);
    free(shown);
    driver_end(d);
    return STATUS_BAD_ANSWER;
}

/* Sends what is left of the command. A closed pipe shows by the end of the output too. */
static void command_write(struct driver *d)
{
    ssize_t n;

    /* The newline stands at command.p[command.n], where the NUL was. */
    d->command.p[d->command.n] = '\n';
    n = write(d->in, d->command.p + d->written, d->command.n + 1 - d->written);
    d->command.p[d->command.n] = '\0';
    if (n > 0)
        d->written += (size_t)n;
    else if (n < 0 && errno != EAGAIN && errno != EINTR)
        d->written = d->command.n + 1;
}

/* Reads what is there. 1: line has something new, 0: nothing, -1: at the end. */
static int line_read(struct driver *d)
{
    char buf[65536];
    ssize_t n = read(d->out, buf, sizeof buf);

    if (n > 0) {
        str_addn(&d->line, buf, (size_t)n);
        return 1;
    }
    return n < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

/* Sends d->command and waits for one line, which is then in d->line. */
static enum status exchange(struct driver *d, uint64_t timeout_ns, struct err *e)
{
    uint64_t start, deadline;
    size_t seen = 0;

    d->line.n = 0;
    if (!d->alive) {
        err_set(e, "the driver has ended before '%s'", d->command.p);
        return STATUS_DRIVER_DIED;
    }
    if (line_read(d) > 0)
        return bad_answer(d, "something was written before it was asked for", e);
    d->written = 0;
    start = now_ns();
    deadline = start + timeout_ns;
    command_write(d);
    for (;;) {
        struct pollfd p[3] = {{d->out, POLLIN, 0},
                              {d->err, POLLIN, 0},
                              {d->written <= d->command.n ? d->in : -1, POLLOUT, 0}};
        uint64_t now = now_ns(), left_ms;
        int got;

        if (interrupt_pending()) {
            driver_end(d);
            err_set(e, "interrupted");
            return STATUS_SKIPPED;
        }
        if (now >= deadline) {
            char *line = driver_stderr(d);
            err_set(e, "no answer to '%s' within %.1f s%s%s", d->command.p,
                    (double)timeout_ns / 1e9, *line ? "; it said: " : "", line);
            free(line);
            driver_end(d);
            return STATUS_TIMEOUT;
        }
        left_ms = (deadline - now) / NS_PER_MS + 1;
        poll(p, 3, left_ms < POLL_MS ? (int)left_ms : POLL_MS);
        tail_read(d);
        if (p[2].revents)
            command_write(d);
        got = line_read(d);
        if (got < 0)
            return died(d, e);
        if (got == 0)
            continue;
        char *newline = memchr(d->line.p + seen, '\n', d->line.n - seen);
        if (newline) {
            size_t n = (size_t)(newline - d->line.p);
            d->wall_ns = now_ns() - start;
            if (n + 1 != d->line.n)
                return bad_answer(d, "more than one line", e);
            d->line.n = n;
            d->line.p[n] = '\0';
            return STATUS_OK;
        }
        seen = d->line.n;
        if (seen > LINE_MAX_BYTES)
            return bad_answer(d, "a line of more than 4 MiB", e);
    }
}

/* "ok" was false: the cell's status by the error word. */
static enum status refused(struct driver *d, const struct json_doc *doc, struct err *e)
{
    enum status status = STATUS_BAD_ANSWER;
    char *word = NULL, *detail = NULL, *shown;
    size_t i, n = sizeof errors / sizeof errors[0];

    if (json_str(doc, json_root(doc), "error", JSON_REQUIRED, &word, e) < 0 ||
        json_str(doc, json_root(doc), "detail", JSON_REQUIRED, &detail, e) < 0) {
        status = bad_answer(d, NULL, e);
        goto out;
    }
    for (i = 0; i < n && strcmp(errors[i].word, word) != 0; i++)
        ;
    if (i == n) {
        status = bad_answer(d, "unknown error word", e);
        goto out;
    }
    status = errors[i].status;
    shown = printable(detail, strlen(detail), 400);
    err_set(e, "%s at '%s'%s%s", word, d->command.p, *shown ? ": " : "", shown);
    free(shown);
    if (is_final(status))
        driver_end(d);
out:
    free(word);
    free(detail);
    return status;
}

/* Asks d->command; on STATUS_OK *doc is an answer with "ok":true that the caller closes. */
static enum status ask(struct driver *d, uint64_t timeout_ns, struct json_doc **doc, struct err *e)
{
    enum status status = exchange(d, timeout_ns, e);
    int ok = 0;

    *doc = NULL;
    if (status != STATUS_OK)
        return status;
    *doc = json_parse(d->line.p, d->line.n, "driver", e);
    if (!*doc) {
        err_prefix(e, "not JSON: ");
        return bad_answer(d, NULL, e);
    }
    if (json_typeof(json_root(*doc)) != JSON_OBJECT)
        status = bad_answer(d, "not an object", e);
    else if (json_bool(*doc, json_root(*doc), "ok", JSON_REQUIRED, &ok, e) < 0)
        status = bad_answer(d, NULL, e);
    else if (!ok)
        status = refused(d, *doc, e);
    if (status != STATUS_OK) {
        json_close(*doc);
        *doc = NULL;
    }
    return status;
}

static void command_set(struct driver *d, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static void command_set(struct driver *d, const char *fmt, ...)
{
    va_list ap;

    d->command.n = 0;
    va_start(ap, fmt);
    str_vaddf(&d->command, fmt, ap);
    va_end(ap);
}

enum status driver_info(struct driver *d, struct driver_info *out, struct err *e)
{
    struct json_doc *doc;
    const struct json *o;
    enum status status;
    uint64_t protocol = 0, bits = 0;

    *out = (struct driver_info){0};
    command_set(d, "info");
    status = ask(d, d->timeout_ns, &doc, e);
    if (status != STATUS_OK)
        return status;
    o = json_root(doc);
    if (json_u64(doc, o, "protocol", JSON_REQUIRED, &protocol, e) < 0)
        status = bad_answer(d, NULL, e);
    else if (protocol != PROTOCOL)
        status = bad_answer(d, "protocol is not 1", e);
    else if (json_str(doc, o, "library", JSON_REQUIRED, &out->library, e) < 0 ||
             json_str(doc, o, "headers", JSON_REQUIRED, &out->headers, e) < 0 ||
             json_str(doc, o, "build_flags", JSON_REQUIRED, &out->build_flags, e) < 0 ||
             json_str(doc, o, "capabilities", JSON_REQUIRED, &out->capabilities, e) < 0 ||
             json_str(doc, o, "clock", JSON_REQUIRED, &out->clock, e) < 0 ||
             json_u64(doc, o, "clock_tick_ns", JSON_REQUIRED, &out->clock_tick_ns, e) < 0 ||
             json_u64(doc, o, "bits", JSON_REQUIRED, &bits, e) < 0 ||
             json_bool(doc, o, "big_endian", JSON_REQUIRED, &out->big, e) < 0)
        status = bad_answer(d, NULL, e);
    else if (bits != 32 && bits != 64)
        status = bad_answer(d, "bits is neither 32 nor 64", e);
    out->bits = (int)bits;
    json_close(doc);
    if (status != STATUS_OK)
        driver_info_free(out);
    return status;
}

void driver_info_free(struct driver_info *i)
{
    free(i->library);
    free(i->headers);
    free(i->build_flags);
    free(i->capabilities);
    free(i->clock);
    *i = (struct driver_info){0};
}

/* 0 when member key of the answer repeats what was asked; -1 with e set. */
static int echo_check(const struct json_doc *doc, const char *key, const char *asked, struct err *e)
{
    char *said = NULL;
    int rc;

    if (json_str(doc, json_root(doc), key, JSON_REQUIRED, &said, e) < 0)
        return -1;
    rc = strcmp(said, asked) == 0 ? 0 : err_set(e, "%s is not the '%s' asked for", key, asked);
    free(said);
    return rc;
}

static enum status check_ask(struct driver *d, const char *command, const char *alg, uint64_t least,
                             struct err *e)
{
    struct json_doc *doc;
    enum status status;
    uint64_t vectors = 0;

    command_set(d, "%s %s", command, alg);
    status = ask(d, d->timeout_ns, &doc, e);
    if (status != STATUS_OK)
        return status;
    if (echo_check(doc, "alg", alg, e) < 0 ||
        json_u64(doc, json_root(doc), "vectors", JSON_REQUIRED, &vectors, e) < 0)
        status = bad_answer(d, NULL, e);
    else if (vectors < least)
        status = bad_answer(d, "no vectors were tested", e);
    json_close(doc);
    return status;
}

enum status driver_check(struct driver *d, const char *alg, struct err *e)
{
    return check_ask(d, "check", alg, 1, e);
}

enum status driver_check_long(struct driver *d, const char *alg, struct err *e)
{
    return check_ask(d, "check-long", alg, 0, e);
}

/* The answer must be to what was asked. */
static enum status work_check(struct driver *d, const struct json_doc *doc, const char *workload,
                              const char *alg, const char *op, uint64_t bytes, struct err *e)
{
    uint64_t said = 0;

    if (echo_check(doc, "workload", workload, e) < 0 || echo_check(doc, "alg", alg, e) < 0 ||
        echo_check(doc, "op", op, e) < 0 ||
        json_u64(doc, json_root(doc), "bytes", JSON_REQUIRED, &said, e) < 0)
        return bad_answer(d, NULL, e);
    return said == bytes ? STATUS_OK : bad_answer(d, "not the bytes asked for", e);
}

enum status driver_time(struct driver *d, const struct time_request *r, struct samples *out,
                        struct err *e)
{
    struct samples got = {0, 0, 0};
    struct json_doc *doc;
    enum status status;
    uint64_t work, timeout;

    if (__builtin_mul_overflow(r->count, r->sample_ns, &work) ||
        __builtin_mul_overflow(work, 4, &work) ||
        __builtin_add_overflow(work, d->timeout_ns, &timeout))
        timeout = UINT64_MAX / 4;
    command_set(d, "time %s %s %s %llu %llu %llu", r->workload, r->alg, r->op,
                (unsigned long long)r->bytes, (unsigned long long)r->sample_ns,
                (unsigned long long)r->count);
    status = ask(d, timeout, &doc, e);
    if (status != STATUS_OK)
        return status;
    status = work_check(d, doc, r->workload, r->alg, r->op, r->bytes, e);
    if (status == STATUS_OK) {
        status = answer_samples(doc, r->count, d->wall_ns, &got, e);
        if (status == STATUS_BAD_ANSWER)
            status = bad_answer(d, NULL, e);
    }
    for (size_t i = 0; status == STATUS_OK && i < got.n; i++)
        samples_add_copy(out, &got.v[i]);
    samples_free(&got);
    json_close(doc);
    return status;
}

enum status driver_cycles(struct driver *d, struct cycle_source *out, struct err *e)
{
    struct json_doc *doc;
    enum status status;

    *out = (struct cycle_source){0};
    command_set(d, "cycles");
    status = ask(d, d->timeout_ns, &doc, e);
    if (status != STATUS_OK)
        return status;
    if (answer_cycle_source(doc, out, e) < 0)
        status = bad_answer(d, NULL, e);
    json_close(doc);
    return status;
}

void cycle_source_free(struct cycle_source *s)
{
    free(s->source);
    *s = (struct cycle_source){0};
}

enum status driver_work(struct driver *d, const char *command, const struct count_request *r,
                        struct json_doc **doc, struct err *e)
{
    enum status status;

    command_set(d, "%s %s %s %s %llu", command, r->workload, r->alg, r->op,
                (unsigned long long)r->bytes);
    status = ask(d, d->timeout_ns, doc, e);
    if (status != STATUS_OK)
        return status;
    status = work_check(d, *doc, r->workload, r->alg, r->op, r->bytes, e);
    if (status != STATUS_OK)
        json_close(*doc);
    return status;
}

void driver_kill(struct driver *d)
{
    driver_end(d);
}

void driver_close(struct driver *d)
{
    struct spawn_end end;

    if (!d)
        return;
    if (d->alive) {
        uint64_t deadline = now_ns() + QUIT_MS * NS_PER_MS;
        command_set(d, "quit");
        d->written = 0;
        command_write(d);
        fd_close(&d->in);
        while (now_ns() < deadline && !interrupt_pending()) {
            struct pollfd p[2] = {{d->out, POLLIN, 0}, {d->err, POLLIN, 0}};
            if (spawn_poll(d->pid, &end)) {
                d->pid = 0;
                break;
            }
            poll(p, 2, 1);
            tail_read(d);
            d->line.n = 0;
            if (d->out >= 0 && line_read(d) < 0)
                fd_close(&d->out);
            if (d->out < 0 && d->err < 0)
                poll(NULL, 0, 1);
        }
    }
    driver_end(d);
    str_free(&d->command);
    str_free(&d->line);
    free(d->tail);
    free(d);
}

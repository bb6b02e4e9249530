/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "buildjob.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buildlog.h"
#include "cache.h"
#include "file.h"
#include "mem.h"
#include "spawn.h"

enum { LOG_MAX = 256 << 20 }; /* bytes; a build that compiles writes some 2 MB */

char *buildjob_path(const struct buildjob *j, const char *name)
{
    return path_join(j->work, name);
}

int buildjob_log(struct buildjob *j, const char *key, const char *name, struct err *e)
{
    free(j->log);
    if (j->log_fd >= 0)
        close(j->log_fd);
    j->log = buildjob_path(j, name);
    j->phase_key = key;
    j->log_step = j->log_seen = 0;
    j->log_fd = open(j->log, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (j->log_fd < 0)
        return err_set(e, "cannot write '%s': %s", j->log, strerror(errno));
    return 0;
}

/* Words as one could type them into a shell. */
static char *argv_text(const struct list *argv)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_=+,./:@%";
    struct str s = STR_INIT;
    for (size_t i = 0; i < argv->n; i++) {
        /* Programs by name: where they lie is the machine's business. */
        const char *word = i ? argv->v[i] : path_base(argv->v[i]);
        int quote = word[strspn(word, plain)] != '\0';
        str_addf(&s, "%s%s%s%s", i ? " " : "", quote ? "'" : "", word, quote ? "'" : "");
    }
    return str_take(&s);
}

/* The head of a step in the log; '#' keeps it apart from the output. */
static int log_head(struct buildjob *j, const char *dir, const struct list *argv, struct err *e)
{
    char *words = argv_text(argv);
    char *head = xasprintf("# in %s/\n# %s\n", dir, words);
    size_t n = strlen(head);
    ssize_t done = write(j->log_fd, head, n);
    free(words);
    free(head);
    if (done != (ssize_t)n)
        return err_set(e, "cannot write '%s': %s", j->log,
                       done < 0 ? strerror(errno) : strerror(ENOSPC));
    return 0;
}

int buildjob_command(struct buildjob *j, const char *dir, const struct list *argv, int make,
                     const char *out, struct err *e)
{
    struct spawn s = SPAWN_INIT;
    struct list env = LIST_INIT;
    char *full = buildjob_path(j, dir), *out_path = out ? buildjob_path(j, out) : NULL;
    int out_fd = -1, r = -1;
    list_add_all(&env, &j->env);
    if (make) {
        char *flags = jobserver_makeflags(&j->shared->jobserver);
        list_add(&env, flags);
        free(flags);
        s.keep_fds = j->shared->jobserver.fds;
    }
    if (log_head(j, dir, argv, e))
        goto out;
    if (out) {
        out_fd = open(out_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (out_fd < 0) {
            err_set(e, "cannot write '%s': %s", out_path, strerror(errno));
            goto out;
        }
    }
    s.argv = argv;
    s.env = &env;
    s.dir = full;
    s.out_fd = out ? out_fd : j->log_fd;
    s.err_fd = j->log_fd;
    pid_t pid = spawn_start(&s, e);
    if (pid <= 0)
        goto out;
    j->pid = pid;
    free(j->command);
    j->command = xstrdup(path_base(argv->v[0]));
    r = 0;
out:
    if (out_fd >= 0)
        close(out_fd);
    free(full);
    free(out_path);
    list_free(&env);
    return r;
}

/* The log from an offset on, as far as it is there; caller owns. */
static char *log_from(const struct buildjob *j, int64_t offset)
{
    struct str s = STR_INIT;
    char buf[16384];
    ssize_t n;
    while (s.n < LOG_MAX && (n = pread(j->log_fd, buf, sizeof buf, offset + (int64_t)s.n)) > 0)
        str_addn(&s, buf, (size_t)n);
    return str_take(&s);
}

char *buildjob_output(const struct buildjob *j)
{
    return log_from(j, j->log_step);
}

int buildjob_store(struct buildjob *j, const char *name, const char *kind, const char *key,
                   struct err *e)
{
    char *from = buildjob_path(j, name), *to = cache_path(j->shared->cache, kind, key);
    char *old = xasprintf("%s/old-%s", j->work, kind);
    int r = 0;
    /* What is there already, damaged or to be replaced, goes the way of the work directory. */
    if (rename(to, old) != 0 && errno != ENOENT)
        r = err_set(e, "cannot move '%s' out of the way: %s", to, strerror(errno));
    if (r == 0 && rename(from, to) != 0)
        r = err_set(e, "cannot move '%s' to '%s': %s", from, to, strerror(errno));
    free(from);
    free(to);
    free(old);
    return r;
}

static void job_tell(const struct buildjob *j, const char *what)
{
    const struct build_watch *w = j->shared->watch;
    if (w && w->step)
        w->step(w->arg, j->build, what);
}

/* Counts compile lines that came into the log, for "compile 120/900". */
static void job_progress(struct buildjob *j)
{
    if (j->to_compile == 0)
        return;
    char *text = log_from(j, j->log_seen);
    size_t before = j->compiled;
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        j->compiled += (size_t)buildlog_is_compile(line);
        j->log_seen += end - line + 1;
    }
    free(text);
    if (j->compiled == before)
        return;
    if (j->compiled > j->to_compile)
        j->to_compile = j->compiled;
    char *what = xasprintf("compile %zu/%zu", j->compiled, j->to_compile);
    job_tell(j, what);
    free(what);
}

static const struct build_step *job_steps(const struct buildjob *j)
{
    if (!j->need_library)
        return driver_steps;
    switch (j->build->library->kind) {
    case LIBRARY_PREFIX:
        return prefix_steps;
    case LIBRARY_LINUX:
        return linuxaes_steps;
    case LIBRARY_RELEASE:
    case LIBRARY_TREE:
        break;
    }
    return library_steps;
}

/* Programs a build needs, and where Debian has them. */
static int tools_check(const struct library *l, struct err *e)
{
    static const struct tool {
        const char *program, *package;
        int for_openssl; /* needed to build that only */
    } tools[] = {
        {"perl", "perl", 1}, {"make", "make", 1},   {"tar", "tar", 1},
        {"gzip", "gzip", 0}, {"xz", "xz-utils", 0},
    };
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        if (tools[i].for_openssl && (l->kind == LIBRARY_PREFIX || l->kind == LIBRARY_LINUX))
            continue;
        char *path = path_program(tools[i].program);
        if (!path)
            return err_set(e, "'%s' is not on PATH; install it: apt-get install %s",
                           tools[i].program, tools[i].package);
        free(path);
    }
    return 0;
}

/* Flags reach the compiler through a Makefile and its shell: what these would interpret is
 * refused rather than guessed at. */
static int flags_check(const struct list *flags, const char *whose, const char *name, struct err *e)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_=+,./:@%^~";
    for (size_t i = 0; i < flags->n; i++) {
        const char *flag = flags->v[i];
        if (!*flag || flag[strspn(flag, plain)] != '\0')
            return err_set(e,
                           "%s %s has the flag '%s': expected letters, digits and %s only, as "
                           "flags go through a Makefile",
                           whose, name, flag, plain + 62);
    }
    return 0;
}

/* The whole environment of a build: nothing of the user's that shapes what compilers do. */
static void env_make(struct buildjob *j)
{
    const char *cc = j->build->compiler->argv.v[0], *path = getenv("PATH");
    char *found = path_program(path_base(cc)), *tmp = buildjob_path(j, "tmp");
    if (!path)
        path = "/usr/local/bin:/usr/bin:/bin";
    /* The library remembers its compiler's name; to make that the bare name, it must be on PATH. */
    if (found && strcmp(found, cc) == 0)
        list_addf(&j->env, "PATH=%s", path);
    else
        list_addf(&j->env, "PATH=%.*s:%s", (int)(path_base(cc) - cc), cc, path);
    list_addf(&j->env, "HOME=%s", j->work);
    list_addf(&j->env, "TMPDIR=%s", tmp);
    list_add(&j->env, "LC_ALL=C");
    /* The date goes into the library; 0 would count as unset for its scripts. */
    list_add(&j->env, "SOURCE_DATE_EPOCH=1");
    free(found);
    free(tmp);
}

static int job_prepare(struct buildjob *j, struct err *e)
{
    const struct build *b = j->build;
    if (tools_check(b->library, e) ||
        flags_check(&b->config->cflags, "config", b->config->name, e) ||
        flags_check(&b->config->configure, "config", b->config->name, e) ||
        flags_check(&b->target->cflags, "target", b->target->name, e))
        return -1;
    j->work = cache_work_make(j->shared->cache, b->key, e);
    if (!j->work)
        return -1;
    char *tmp = buildjob_path(j, "tmp");
    int r = dir_make(tmp, e);
    free(tmp);
    env_make(j);
    return r ? r : buildjob_log(j, b->key, "build.log", e);
}

/* Keeps the log where users find it. */
static void job_keep_log(struct buildjob *j)
{
    struct err ignored = ERR_INIT;
    struct stat st;
    if (!j->log || stat(j->log, &st) != 0 || st.st_size == 0)
        return;
    char *dir = cache_path(j->shared->cache, "failed", j->phase_key);
    char *to = path_join(dir, "build.log");
    if (dir_make(dir, &ignored) == 0 && rename(j->log, to) == 0) {
        free(j->build->log);
        j->build->log = xstrdup(to);
    }
    err_clear(&ignored);
    free(dir);
    free(to);
}

static int job_fail(struct buildjob *j, struct err *e)
{
    struct build *b = j->build;
    /* A step that knows better has set another status. */
    if (b->status == STATUS_OK || b->status == STATUS_SKIPPED)
        b->status = STATUS_BUILD_FAILED;
    free(b->reason);
    b->reason = e->text ? xstrdup(e->text) : xstrdup("no reason given");
    err_clear(e);
    job_keep_log(j);
    return 1;
}

/* The cause a command's output gives, else how it ended. */
static int command_fail(struct buildjob *j, const struct spawn_end *end, struct err *e)
{
    spawn_check(end, j->command, e);
    char *text = buildjob_output(j), *cause = buildlog_first_error(text);
    if (*cause && end->exited)
        err_set(e, "%s", cause);
    else if (*cause)
        err_set(e, "%s; last output: %s", e->text, cause);
    free(text);
    free(cause);
    return -1;
}

/* What the current step's command left. 0: go on. */
static int step_end(struct buildjob *j, const struct spawn_end *end, struct err *e)
{
    const struct build_step *step = &job_steps(j)[j->step];
    int failed = !(end->exited && end->exit_code == 0);
    j->pid = 0;
    if (failed && !step->may_fail)
        return command_fail(j, end, e);
    return step->done ? step->done(j, failed, e) : 0;
}

static int step_start(struct buildjob *j, struct err *e)
{
    const struct build_step *step = &job_steps(j)[j->step];
    struct stat st;
    job_tell(j, step->name);
    if (fstat(j->log_fd, &st) == 0)
        j->log_step = j->log_seen = st.st_size;
    j->to_compile = 0;
    return step->start(j, e);
}

/* The library is done: on to the driver, in the same work directory. */
static int phase_next(struct buildjob *j)
{
    if (!j->need_library)
        return 0;
    j->need_library = 0;
    j->step = 0;
    return 1;
}

static void failed_forget(const struct buildjob *j, const char *key)
{
    struct err ignored = ERR_INIT;
    char *dir = cache_path(j->shared->cache, "failed", key);
    tree_remove(dir, &ignored);
    err_clear(&ignored);
    free(dir);
}

static int job_success(struct buildjob *j)
{
    j->build->status = STATUS_OK;
    failed_forget(j, j->build->key);
    failed_forget(j, j->build->driver_key);
    return 1;
}

int buildjob_poll(struct buildjob *j)
{
    struct err e = ERR_INIT;
    if (j->build->status != STATUS_SKIPPED)
        return 1; /* it was over at once */
    for (;;) {
        if (j->pid) {
            struct spawn_end end;
            job_progress(j);
            if (!spawn_poll(j->pid, &end))
                return 0;
            job_progress(j);
            if (step_end(j, &end, &e))
                return job_fail(j, &e);
            j->step++;
        }
        if (!job_steps(j)[j->step].name && !phase_next(j))
            return job_success(j);
        if (step_start(j, &e))
            return job_fail(j, &e);
        if (!j->pid)
            j->step++;
    }
}

/* 1 when library and driver are in the cache by now. Otherwise finds out what is missing. */
static int job_is_cached(struct buildjob *j)
{
    struct build *b = j->build;
    struct err ignored = ERR_INIT;
    char *dir = cache_path(j->shared->cache, "builds", b->key);
    char *drivers = cache_path(j->shared->cache, "drivers", b->driver_key);
    int cached = 0;
    build_facts_free(&b->facts);
    if (build_record_read(dir, b->key, 1, &b->facts, &j->record, &ignored) == 0) {
        j->need_library = 0;
        cached = driver_record_read(drivers, b, &ignored) == 0;
    }
    err_clear(&ignored);
    free(dir);
    free(drivers);
    return cached;
}

struct buildjob *buildjob_start(struct build *b, struct build_shared *shared, int lock, int fresh,
                                int nth)
{
    struct err e = ERR_INIT;
    struct buildjob *j = xcalloc(1, sizeof *j);
    *j = (struct buildjob){.build = b,
                           .shared = shared,
                           .nth = nth,
                           .lock = lock,
                           .log_fd = -1,
                           .need_library = 1,
                           .started_ns = now_ns()};
    b->status = STATUS_SKIPPED;
    if (!fresh && job_is_cached(j)) {
        b->status = STATUS_OK;
        b->was_cached = 1;
    } else if (job_prepare(j, &e)) {
        job_fail(j, &e);
    }
    return j;
}

void buildjob_kill(struct buildjob *j)
{
    if (j->pid)
        spawn_kill(j->pid);
    j->pid = 0;
}

void buildjob_free(struct buildjob *j)
{
    struct err ignored = ERR_INIT;
    buildjob_kill(j);
    if (j->log_fd >= 0)
        close(j->log_fd);
    if (j->work)
        cache_work_remove(j->work, &ignored);
    err_clear(&ignored);
    cache_unlock(j->lock);
    archive_record_free(&j->record);
    stack_free(&j->stack);
    list_free(&j->env);
    free(j->work);
    free(j->log);
    free(j->command);
    free(j->library_dir);
    free(j);
}

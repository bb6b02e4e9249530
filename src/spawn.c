/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h> /* the system's: src/ must not be among the -I directories */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "file.h"
#include "mem.h"

enum {
    GROUPS_MAX = 1024,      /* children alive at once */
    POLL_MS = 100,          /* longest wait between looks at interrupts and children */
    GRACE_MS = 300,         /* between SIGTERM and SIGKILL */
    NAP_FIRST_NS = 500000,  /* a child of 3 ms should not cost 20 */
    NAP_LAST_NS = 20000000, /* and one of minutes should not cost wake-ups */
    OUTPUT_MAX = 64 << 20,
};
static const uint64_t NS_PER_MS = 1000000;

/* Process groups of children not yet reaped; 0: free. Read by the signal handler. */
static volatile sig_atomic_t groups[GROUPS_MAX];

static volatile sig_atomic_t *group_slot(pid_t pgid)
{
    for (size_t i = 0; i < GROUPS_MAX; i++)
        if (groups[i] == pgid)
            return &groups[i];
    return NULL;
}

void spawn_kill_all(void)
{
    for (size_t i = 0; i < GROUPS_MAX; i++)
        if (groups[i] > 0)
            kill((pid_t)-groups[i], SIGKILL);
}

uint64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Deadline for timeout_ms from now; never when that is negative. */
static uint64_t deadline_ns(int timeout_ms)
{
    return timeout_ms < 0 ? UINT64_MAX : now_ns() + (uint64_t)timeout_ms * NS_PER_MS;
}

/* Sleeps *nap (less when a signal comes) and lets it grow. */
static void nap_growing(uint64_t *nap)
{
    struct timespec t = {0, (long)*nap};

    nanosleep(&t, NULL);
    *nap += *nap / 2;
    if (*nap > NAP_LAST_NS)
        *nap = NAP_LAST_NS;
}

/* Why posix_spawn failed: ENOENT may be the program, its loader, the directory or the input. */
static int start_error(const struct spawn *s, int code, struct err *e)
{
    const char *program = s->argv->v[0];

    if (s->dir && !path_is_dir(s->dir))
        return err_set(e, "program '%s': working directory '%s' is not there", program, s->dir);
    if (s->in_fd < 0 && s->stdin_path && access(s->stdin_path, R_OK) != 0)
        return err_set(e, "program '%s': cannot read '%s' for its input: %s", program,
                       s->stdin_path, strerror(errno));
    if (code != ENOENT)
        return err_set(e, "program '%s' cannot be started: %s", program, strerror(code));
    if (!strchr(program, '/'))
        return err_set(e, "program '%s' not found on PATH", program);
    if (!s->dir && access(program, F_OK) == 0)
        return err_set(e, "program '%s' cannot be started: its interpreter or loader is missing",
                       program);
    return err_set(e, "program '%s' not found", program);
}

/* What the child's descriptors will be. A source among 0, 1 and 2 could be overwritten before it is
 * used, so src[] holds only numbers above; own[] are the copies to close afterwards. */
struct wiring {
    posix_spawn_file_actions_t actions;
    int own[3];
};

static int wiring_stdio(struct wiring *w, const struct spawn *s)
{
    const int wanted[3] = {s->in_fd, s->out_fd, s->err_fd};
    int code = 0;

    for (int i = 0; i < 3 && !code; i++) {
        int fd = wanted[i];
        if (fd >= 0 && fd <= 2) {
            fd = w->own[i] = fcntl(fd, F_DUPFD_CLOEXEC, 3);
            if (fd < 0)
                return errno;
        }
        if (fd >= 0)
            code = posix_spawn_file_actions_adddup2(&w->actions, fd, i);
        else
            code = posix_spawn_file_actions_addopen(
                &w->actions, i, i == 0 && s->stdin_path ? s->stdin_path : "/dev/null",
                i == 0 ? O_RDONLY : O_WRONLY, 0);
    }
    return code;
}

static int is_kept(const int *keep, int fd)
{
    for (; keep && *keep >= 0; keep++)
        if (*keep == fd)
            return 1;
    return 0;
}

static int wiring_make(struct wiring *w, const struct spawn *s)
{
    int code = wiring_stdio(w, s);
    int last = 2;

    for (const int *k = s->keep_fds; k && *k >= 0 && !code; k++) {
        /* dup2 to itself clears close-on-exec. */
        code = posix_spawn_file_actions_adddup2(&w->actions, *k, *k);
        if (*k > last)
            last = *k;
    }
    for (int fd = 3; fd < last && !code; fd++)
        if (!is_kept(s->keep_fds, fd))
            code = posix_spawn_file_actions_addclose(&w->actions, fd);
    if (!code)
        code = posix_spawn_file_actions_addclosefrom_np(&w->actions, last + 1);
    /* After the open: stdin_path is relative to the parent's directory. */
    if (!code && s->dir)
        code = posix_spawn_file_actions_addchdir_np(&w->actions, s->dir);
    return code;
}

pid_t spawn_start(const struct spawn *s, struct err *e)
{
    static char *no_env[] = {NULL};
    struct wiring w = {.own = {-1, -1, -1}};
    posix_spawnattr_t attr;
    sigset_t all, before, defaults;
    volatile sig_atomic_t *slot;
    char **env = environ;
    pid_t pid = -1;
    int code;

    if (!s->argv->n)
        return err_set(e, "no program to start: empty argument list");
    slot = group_slot(0);
    if (!slot)
        return err_set(e, "program '%s' not started: %d children are running already",
                       s->argv->v[0], GROUPS_MAX);
    /* An ignored SIGCHLD, inherited, would lose how children end. */
    signal(SIGCHLD, SIG_DFL);
    if (s->env)
        env = s->env->n ? s->env->v : no_env;

    posix_spawn_file_actions_init(&w.actions);
    posix_spawnattr_init(&attr);
    code = wiring_make(&w, s);
    if (code) {
        err_set(e, "program '%s' not started: %s", s->argv->v[0], strerror(code));
        goto out;
    }
    /* No interrupt between the start and the entry in the table, or the handler misses it. */
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attr, &defaults);
    posix_spawnattr_setsigmask(&attr, &before);
    posix_spawnattr_setpgroup(&attr, 0);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
                                        POSIX_SPAWN_SETSIGMASK);
    code = posix_spawnp(&pid, s->argv->v[0], &w.actions, &attr, s->argv->v, env);
    if (!code)
        *slot = pid;
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (code)
        pid = start_error(s, code, e);
out:
    for (int i = 0; i < 3; i++)
        if (w.own[i] >= 0)
            close(w.own[i]);
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&w.actions);
    return pid;
}

int spawn_poll(pid_t pid, struct spawn_end *end)
{
    siginfo_t info = {0};
    volatile sig_atomic_t *slot;
    int status = 0;

    *end = (struct spawn_end){0};
    if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0)
        return 0;
    /* Before the reaping: until then the number cannot become another group's. */
    slot = group_slot(pid);
    if (slot) {
        kill(-pid, SIGKILL);
        *slot = 0;
    }
    if (waitpid(pid, &status, 0) != pid)
        return 1;
    end->exited = WIFEXITED(status);
    if (end->exited)
        end->exit_code = WEXITSTATUS(status);
    else
        end->signal = WTERMSIG(status);
    return 1;
}

/* Kills the group at once and reaps. */
static void kill_now(pid_t pid, struct spawn_end *end)
{
    uint64_t nap = NAP_FIRST_NS;

    kill(-pid, SIGKILL);
    while (!spawn_poll(pid, end))
        nap_growing(&nap);
}

/* spawn_kill, telling how it ended. */
static void kill_gently(pid_t pid, struct spawn_end *end)
{
    uint64_t deadline = deadline_ns(GRACE_MS), nap = NAP_FIRST_NS;

    kill(-pid, SIGTERM);
    while (!spawn_poll(pid, end)) {
        if (now_ns() >= deadline) {
            kill_now(pid, end);
            return;
        }
        nap_growing(&nap);
    }
}

void spawn_kill(pid_t pid)
{
    struct spawn_end end;

    kill_gently(pid, &end);
}

int spawn_wait(pid_t pid, int timeout_ms, struct spawn_end *end, struct err *e)
{
    uint64_t deadline = deadline_ns(timeout_ms), nap = NAP_FIRST_NS;

    while (!spawn_poll(pid, end)) {
        if (interrupt_pending()) {
            kill_gently(pid, end);
            return err_set(e, "interrupted");
        }
        if (now_ns() >= deadline) {
            kill_gently(pid, end);
            end->timed_out = 1;
            return 0;
        }
        nap_growing(&nap);
    }
    return 0;
}

int spawn_check(const struct spawn_end *end, const char *what, struct err *e)
{
    const char *name;

    if (end->timed_out)
        return err_set(e, "%s: not finished in time, killed", what);
    if (end->exited && end->exit_code == 0)
        return 0;
    if (end->exited)
        return err_set(e, "%s: exit status %d", what, end->exit_code);
    if (!end->signal)
        return err_set(e, "%s: ended, but the system lost how", what);
    name = sigabbrev_np(end->signal);
    return err_set(e, "%s: killed by signal %d (SIG%s)", what, end->signal, name ? name : "?");
}

/* One pipe of a child being read. */
struct stream {
    int fd[2];
    struct str text;
};

/* Takes what is there. 1: more may come; 0: at its end (closed then). */
static int stream_read(struct stream *s)
{
    char buf[16384];
    ssize_t n;

    if (s->fd[0] < 0)
        return 0;
    while ((n = read(s->fd[0], buf, sizeof buf)) > 0) {
        size_t room = OUTPUT_MAX - s->text.n;
        str_addn(&s->text, buf, (size_t)n < room ? (size_t)n : room);
        if ((size_t)n < sizeof buf)
            return 1;
    }
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return 1;
    close(s->fd[0]);
    s->fd[0] = -1;
    return 0;
}

static void stream_close(struct stream *s)
{
    for (int i = 0; i < 2; i++)
        if (s->fd[i] >= 0)
            close(s->fd[i]);
}

/* Reads both streams until they or the child end. The same results as spawn_wait. */
static int streams_wait(struct stream *s, pid_t pid, int timeout_ms, struct spawn_end *end,
                        struct err *e)
{
    uint64_t deadline = deadline_ns(timeout_ms), now;
    uint64_t nap = NAP_FIRST_NS;

    while (!spawn_poll(pid, end)) {
        struct pollfd p[2] = {{s[0].fd[0], POLLIN, 0}, {s[1].fd[0], POLLIN, 0}};

        now = now_ns();
        if (interrupt_pending()) {
            kill_gently(pid, end);
            return err_set(e, "interrupted");
        }
        if (now >= deadline) {
            kill_gently(pid, end);
            end->timed_out = 1;
            break;
        }
        if (s[0].fd[0] < 0 && s[1].fd[0] < 0) {
            nap_growing(&nap);
            continue;
        }
        uint64_t left_ms = (deadline - now) / NS_PER_MS + 1;
        poll(p, 2, left_ms < POLL_MS ? (int)left_ms : POLL_MS);
        stream_read(&s[0]);
        stream_read(&s[1]);
    }
    /* The writers are gone: what is in the pipes now is all there will be. */
    for (int i = 0; i < 2; i++)
        for (size_t before = SIZE_MAX; s[i].fd[0] >= 0 && before != s[i].text.n;) {
            before = s[i].text.n;
            stream_read(&s[i]);
        }
    return 0;
}

/* Last line with something in it, caller owns. */
static char *last_line(const struct str *s)
{
    size_t end = s->n, start;

    while (end && strchr(" \t\r\n", s->p[end - 1]))
        end--;
    for (start = end; start && s->p[start - 1] != '\n';)
        start--;
    return xstrndup(end ? s->p + start : "", end - start);
}

int spawn_output(const struct list *argv, const struct list *env, const char *dir, int timeout_ms,
                 struct str *out, struct str *errout, struct err *e)
{
    struct stream s[2] = {{{-1, -1}, STR_INIT}, {{-1, -1}, STR_INIT}};
    struct spawn sp = SPAWN_INIT;
    struct spawn_end end;
    char *line;
    pid_t pid;
    int rc = -1;

    for (int i = 0; i < 2; i++)
        if (pipe2(s[i].fd, O_CLOEXEC) != 0 || fcntl(s[i].fd[0], F_SETFL, O_NONBLOCK) != 0) {
            err_set(e, "program '%s' not started: no pipe: %s", argv->n ? argv->v[0] : "",
                    strerror(errno));
            goto out;
        }
    sp.argv = argv;
    sp.env = env;
    sp.dir = dir;
    sp.out_fd = s[0].fd[1];
    sp.err_fd = s[1].fd[1];
    pid = spawn_start(&sp, e);
    if (pid < 0)
        goto out;
    for (int i = 0; i < 2; i++) {
        close(s[i].fd[1]);
        s[i].fd[1] = -1;
    }
    if (streams_wait(s, pid, timeout_ms, &end, e) < 0)
        goto out;
    if (out && s[0].text.n)
        str_addn(out, s[0].text.p, s[0].text.n);
    if (errout && s[1].text.n)
        str_addn(errout, s[1].text.p, s[1].text.n);
    rc = spawn_check(&end, argv->v[0], e);
    if (rc < 0) {
        line = last_line(&s[1].text);
        if (*line)
            err_set(e, "%s: %s", e->text, line);
        free(line);
    }
out:
    for (int i = 0; i < 2; i++) {
        stream_close(&s[i]);
        str_free(&s[i].text);
    }
    return rc;
}

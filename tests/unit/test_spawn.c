/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "mem.h"
#include "spawn.h"

enum { LONG_MS = 30000 };

static struct list argv_of(const char *a, const char *b, const char *c)
{
    struct list l = LIST_INIT;

    list_add(&l, a);
    if (b)
        list_add(&l, b);
    if (c)
        list_add(&l, c);
    return l;
}

static struct list sh(const char *script)
{
    return argv_of("sh", "-c", script);
}

/* Runs a script; the caller frees the three. */
static int run(const char *script, int timeout_ms, struct str *out, struct str *errout,
               struct err *e)
{
    struct list argv = sh(script);
    int rc = spawn_output(&argv, NULL, NULL, timeout_ms, out, errout, e);

    list_free(&argv);
    return rc;
}

/* 1 while pid is there and no zombie. */
static int is_running(long pid)
{
    char *path = xasprintf("/proc/%ld/stat", pid);
    char line[512] = "";
    FILE *f = fopen(path, "r");
    const char *state;

    free(path);
    if (!f)
        return 0;
    if (!fgets(line, sizeof line, f))
        line[0] = '\0';
    fclose(f);
    state = strrchr(line, ')');
    return state && state[1] && state[2] != 'Z' && state[2] != 'X';
}

/* A killed process needs a moment to go. */
static int ends_soon(long pid)
{
    const struct timespec nap = {0, 5000000};

    for (int i = 0; i < 2000 && is_running(pid); i++)
        nanosleep(&nap, NULL);
    return !is_running(pid);
}

static void missing_programs_are_named(void **state)
{
    struct list argv = argv_of("no-such-program-here", NULL, NULL);
    struct err e = ERR_INIT;

    (void)state;
    assert_int_equal(spawn_output(&argv, NULL, NULL, LONG_MS, NULL, NULL, &e), -1);
    assert_string_equal(e.text, "program 'no-such-program-here' not found on PATH");
    list_free(&argv);

    argv = argv_of("/nowhere/at/all", NULL, NULL);
    assert_int_equal(spawn_output(&argv, NULL, NULL, LONG_MS, NULL, NULL, &e), -1);
    assert_string_equal(e.text, "program '/nowhere/at/all' not found");
    list_free(&argv);

    argv = argv_of("/etc/passwd", NULL, NULL);
    assert_int_equal(spawn_output(&argv, NULL, NULL, LONG_MS, NULL, NULL, &e), -1);
    assert_non_null(strstr(e.text, "'/etc/passwd' cannot be started: Permission denied"));
    list_free(&argv);

    argv = sh("true");
    assert_int_equal(spawn_output(&argv, NULL, "/nowhere", LONG_MS, NULL, NULL, &e), -1);
    assert_non_null(strstr(e.text, "working directory '/nowhere' is not there"));

    struct spawn s = SPAWN_INIT;
    s.argv = &argv;
    s.stdin_path = "/nowhere/input";
    assert_int_equal(spawn_start(&s, &e), -1);
    assert_non_null(strstr(e.text, "cannot read '/nowhere/input'"));
    list_free(&argv);

    argv = (struct list)LIST_INIT;
    assert_int_equal(spawn_start(&s, &e), -1);
    assert_non_null(strstr(e.text, "empty argument list"));
    err_clear(&e);
}

static void output_is_kept_apart(void **state)
{
    struct str out = STR_INIT, errout = STR_INIT;
    struct err e = ERR_INIT;

    (void)state;
    assert_int_equal(run("echo one; echo two >&2", LONG_MS, &out, &errout, &e), 0);
    assert_string_equal(out.p, "one\n");
    assert_string_equal(errout.p, "two\n");
    str_free(&out);
    str_free(&errout);
}

static void much_output_on_both_does_not_block(void **state)
{
    struct str out = STR_INIT, errout = STR_INIT;
    struct err e = ERR_INIT;

    (void)state;
    assert_int_equal(run("head -c 1000000 /dev/zero >&2; head -c 3000000 /dev/zero; "
                         "head -c 1000000 /dev/zero >&2",
                         LONG_MS, &out, &errout, &e),
                     0);
    assert_int_equal(out.n, 3000000);
    assert_int_equal(errout.n, 2000000);
    str_free(&out);
    str_free(&errout);
}

static void failure_carries_status_and_last_line(void **state)
{
    struct err e = ERR_INIT;

    (void)state;
    assert_int_equal(
        run("echo first >&2; echo 'the cause' >&2; echo >&2; exit 7", LONG_MS, NULL, NULL, &e), -1);
    assert_string_equal(e.text, "sh: exit status 7: the cause");
    assert_int_equal(run("kill -ABRT $$", LONG_MS, NULL, NULL, &e), -1);
    assert_string_equal(e.text, "sh: killed by signal 6 (SIGABRT)");
    err_clear(&e);
}

static void time_out_kills_the_whole_group(void **state)
{
    struct str out = STR_INIT;
    struct err e = ERR_INIT;
    struct list argv = sh("sleep 300 & echo $!; trap '' TERM; wait; sleep 300");
    struct spawn s = SPAWN_INIT;
    struct spawn_end end;
    char text[32] = "";
    int p[2];
    pid_t pid;

    (void)state;
    assert_int_equal(run("echo started; exec sleep 300", 100, &out, NULL, &e), -1);
    assert_non_null(strstr(e.text, "not finished in time"));
    str_free(&out);

    assert_int_equal(pipe2(p, O_CLOEXEC), 0);
    s.argv = &argv;
    s.out_fd = p[1];
    pid = spawn_start(&s, &e);
    assert_true(pid > 0);
    close(p[1]);
    assert_true(read(p[0], text, sizeof text - 1) > 0);
    assert_true(is_running(atol(text)));
    assert_int_equal(spawn_wait(pid, 10, &end, &e), 0);
    assert_int_equal(end.timed_out, 1);
    assert_int_equal(spawn_check(&end, "x", &e), -1);
    assert_true(ends_soon(atol(text)));
    assert_false(is_running(pid));
    close(p[0]);
    list_free(&argv);
    err_clear(&e);
}

static void children_are_groups_of_their_own_and_leave_nothing(void **state)
{
    struct str out = STR_INIT;
    struct err e = ERR_INIT;
    struct list argv = sh("exec sleep 300");
    struct spawn s = SPAWN_INIT;
    struct spawn_end end;
    pid_t pid;

    (void)state;
    s.argv = &argv;
    pid = spawn_start(&s, &e);
    assert_true(pid > 0);
    assert_int_equal(getpgid(pid), pid);
    assert_int_equal(spawn_poll(pid, &end), 0);
    kill(pid, SIGUSR1);
    assert_int_equal(spawn_wait(pid, LONG_MS, &end, &e), 0);
    assert_int_equal(end.exited, 0);
    assert_int_equal(end.signal, SIGUSR1);
    list_free(&argv);

    assert_int_equal(run("sleep 300 > /dev/null 2>&1 & echo $!", LONG_MS, &out, NULL, &e), 0);
    assert_true(ends_soon(atol(out.p)));
    str_free(&out);

    /* One that left the group and holds the pipes is not waited for. */
    assert_int_equal(run("setsid sleep 300 & echo $!", LONG_MS, &out, NULL, &e), 0);
    kill((pid_t)atol(out.p), SIGKILL);
    str_free(&out);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void environment_directory_and_input(void **state)
{
    struct list argv = sh("pwd; echo \"$A\"; cat"), env = LIST_INIT;
    struct str out = STR_INIT;
    struct err e = ERR_INIT;
    struct spawn s = SPAWN_INIT;
    struct spawn_end end;
    char name[] = "/tmp/cb-spawn-XXXXXX", text[64] = "";
    int fd = mkstemp(name), p[2];

    (void)state;
    list_add(&env, "A=b c");
    list_add(&env, "PATH=/usr/bin:/bin");
    assert_int_equal(spawn_output(&argv, &env, "/", LONG_MS, &out, NULL, &e), 0);
    assert_string_equal(out.p, "/\nb c\n");
    str_free(&out);
    list_free(&argv);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, "input", 5), 5);
    close(fd);
    argv = argv_of("cat", NULL, NULL);
    assert_int_equal(pipe2(p, O_CLOEXEC), 0);
    s.argv = &argv;
    s.stdin_path = name;
    s.out_fd = p[1];
    pid_t pid = spawn_start(&s, &e);
    assert_true(pid > 0);
    assert_int_equal(spawn_wait(pid, LONG_MS, &end, &e), 0);
    assert_int_equal(spawn_check(&end, "cat", &e), 0);
    close(p[1]);
    assert_int_equal(read(p[0], text, sizeof text - 1), 5);
    assert_string_equal(text, "input");
    close(p[0]);
    unlink(name);
    list_free(&argv);
    list_free(&env);
    argv = argv_of("env", NULL, NULL);
    assert_int_equal(spawn_output(&argv, &env, NULL, LONG_MS, &out, NULL, &e), 0);
    assert_int_equal(out.n, 0);
    list_free(&argv);
    str_free(&out);
}

static void descriptors_are_not_inherited(void **state)
{
    /* Without close-on-exec: spawn has to see to it. */
    int stray = open("/dev/null", O_RDONLY), kept = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int later = open("/dev/null", O_RDONLY);
    char *script =
        xasprintf("for n in %d %d %d; do test -e /proc/self/fd/$n && echo $n; done; true", stray,
                  kept, later);
    char *wanted = xasprintf("%d\n", kept), text[64] = "";
    struct list argv = sh(script);
    struct spawn s = SPAWN_INIT;
    struct spawn_end end;
    struct str out = STR_INIT;
    struct err e = ERR_INIT;
    int keep[] = {kept, -1}, p[2];
    pid_t pid;

    (void)state;
    assert_true(stray > 2 && kept > stray && later > kept);
    assert_int_equal(spawn_output(&argv, NULL, NULL, LONG_MS, &out, NULL, &e), 0);
    assert_int_equal(out.n, 0);
    assert_int_equal(pipe2(p, O_CLOEXEC), 0);
    s.argv = &argv;
    s.out_fd = p[1];
    s.keep_fds = keep;
    pid = spawn_start(&s, &e);
    assert_true(pid > 0);
    assert_int_equal(spawn_wait(pid, LONG_MS, &end, &e), 0);
    close(p[1]);
    assert_true(read(p[0], text, sizeof text - 1) > 0);
    assert_string_equal(text, wanted);
    close(p[0]);
    close(stray);
    close(kept);
    close(later);
    free(script);
    free(wanted);
    list_free(&argv);
    str_free(&out);
}

/* Runs body in a process of its own, as it changes what cannot be changed back. */
static int forked(void (*body)(int fd), int fd)
{
    int status;
    pid_t pid = fork();

    if (pid == 0) {
        body(fd);
        _exit(99);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void swapped_body(int fd)
{
    struct list argv = sh("echo out; echo err >&2");
    struct spawn s = SPAWN_INIT;
    struct spawn_end end;
    struct err e = ERR_INIT;
    pid_t pid;

    /* Stdout is the file, stderr nothing; the child's are the other way round. */
    dup2(fd, 1);
    dup2(open("/dev/null", O_WRONLY), 2);
    s.argv = &argv;
    s.out_fd = 2;
    s.err_fd = 1;
    pid = spawn_start(&s, &e);
    if (pid < 0 || spawn_wait(pid, LONG_MS, &end, &e) < 0)
        _exit(1);
    list_free(&argv);
    _exit(spawn_check(&end, "sh", &e) == 0 ? 0 : 2);
}

static void standard_descriptors_can_be_swapped(void **state)
{
    char name[] = "/tmp/cb-spawn-XXXXXX", text[64] = "";
    int fd = mkstemp(name);

    (void)state;
    assert_true(fd >= 0);
    unlink(name);
    assert_int_equal(forked(swapped_body, fd), 0);
    assert_true(pread(fd, text, sizeof text - 1, 0) > 0);
    assert_string_equal(text, "err\n");
    close(fd);
}

static void sigpipe_is_default_in_children(void **state)
{
    struct err e = ERR_INIT;
    struct sigaction old;

    (void)state;
    sigaction(SIGPIPE, NULL, &old);
    signal(SIGPIPE, SIG_IGN);
    assert_int_equal(run("kill -PIPE $$; exit 0", LONG_MS, NULL, NULL, &e), -1);
    assert_non_null(strstr(e.text, "SIGPIPE"));
    sigaction(SIGPIPE, &old, NULL);
    err_clear(&e);
}

/* Starts a long sleep, tells its pid through fd, and waits for it. */
static void interrupted_body(int fd)
{
    struct list argv = argv_of("sleep", "300", NULL);
    struct spawn s = SPAWN_INIT;
    struct spawn_end end;
    struct err e = ERR_INIT;
    pid_t pid;

    signal(SIGINT, SIG_DFL);
    interrupt_install();
    if (interrupt_pending())
        _exit(1);
    s.argv = &argv;
    pid = spawn_start(&s, &e);
    if (pid < 0 || write(fd, &pid, sizeof pid) != (ssize_t)sizeof pid)
        _exit(2);
    if (spawn_wait(pid, -1, &end, &e) != -1 || strcmp(e.text, "interrupted") != 0 ||
        interrupt_pending() != SIGINT)
        _exit(3);
    err_clear(&e);
    list_free(&argv);
    interrupt_reraise();
}

/* As above, but stuck in something that never looks. */
static void stuck_body(int fd)
{
    struct list argv = argv_of("sleep", "300", NULL);
    struct spawn s = SPAWN_INIT;
    struct err e = ERR_INIT;
    pid_t pid;

    signal(SIGINT, SIG_DFL);
    interrupt_install();
    s.argv = &argv;
    pid = spawn_start(&s, &e);
    if (pid < 0 || write(fd, &pid, sizeof pid) != (ssize_t)sizeof pid)
        _exit(2);
    for (;;)
        pause();
}

/* Runs body, sends it the signals once it has told its child; how it ended. */
static int interrupt_with(void (*body)(int fd), const int *signals, pid_t *child)
{
    int p[2], status;
    pid_t pid;

    assert_int_equal(pipe(p), 0);
    pid = fork();
    if (pid == 0) {
        close(p[0]);
        body(p[1]);
        _exit(99);
    }
    close(p[1]);
    assert_int_equal(read(p[0], child, sizeof *child), sizeof *child);
    close(p[0]);
    assert_true(is_running(*child));
    for (; *signals; signals++) {
        kill(pid, *signals);
        /* longer than what is taken for one signal sent twice */
        if (signals[1])
            nanosleep(&(struct timespec){0, 700000000}, NULL);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void interrupt_kills_and_is_passed_on(void **state)
{
    pid_t child = 0;
    int status = interrupt_with(interrupted_body, (const int[]){SIGINT, 0}, &child);

    (void)state;
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGINT);
    assert_true(ends_soon(child));
}

static void second_interrupt_ends_at_once(void **state)
{
    pid_t child = 0;
    int status = interrupt_with(stuck_body, (const int[]){SIGINT, SIGTERM, 0}, &child);

    (void)state;
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
    assert_true(ends_soon(child));
}

static int stuck_start(int signal_fd, pid_t *child)
{
    pid_t pid = fork();
    if (pid == 0)
        stuck_body(signal_fd);
    return (int)(*child = pid);
}

static void one_interrupt_sent_twice_is_one(void **state)
{
    int p[2];
    pid_t child, pid = 0;

    (void)state;
    assert_int_equal(pipe(p), 0);
    stuck_start(p[1], &pid);
    assert_int_equal(read(p[0], &child, sizeof child), sizeof child);
    kill(pid, SIGTERM);
    kill(pid, SIGTERM);
    nanosleep(&(struct timespec){0, 200000000}, NULL);
    assert_true(is_running(pid));
    assert_true(is_running(child));
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    kill(child, SIGKILL);
    close(p[0]);
    close(p[1]);
}

static void nohup_body(int fd)
{
    (void)fd;
    signal(SIGHUP, SIG_IGN);
    interrupt_install();
    raise(SIGHUP);
    _exit(interrupt_pending() ? 1 : 0);
}

static void ignored_hangup_stays_ignored(void **state)
{
    (void)state;
    assert_int_equal(forked(nohup_body, -1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_programs_are_named),
        cmocka_unit_test(output_is_kept_apart),
        cmocka_unit_test(much_output_on_both_does_not_block),
        cmocka_unit_test(failure_carries_status_and_last_line),
        cmocka_unit_test(time_out_kills_the_whole_group),
        cmocka_unit_test(children_are_groups_of_their_own_and_leave_nothing),
        cmocka_unit_test(environment_directory_and_input),
        cmocka_unit_test(descriptors_are_not_inherited),
        cmocka_unit_test(standard_descriptors_can_be_swapped),
        cmocka_unit_test(sigpipe_is_default_in_children),
        cmocka_unit_test(interrupt_kills_and_is_passed_on),
        cmocka_unit_test(second_interrupt_ends_at_once),
        cmocka_unit_test(one_interrupt_sent_twice_is_one),
        cmocka_unit_test(ignored_hangup_stays_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

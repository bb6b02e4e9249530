/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/* Builds and processes: several at once, killed, interrupted. */
#include <signal.h>
#include <sys/wait.h>

#include "buildplace.h"
#include "cache.h"

/* A build that stops in mid-compile while a file is there. */
struct waiting {
    char *file, *mark;
    struct config config;
    struct build build; /* for its key */
};

static struct waiting waiting_make(const struct place *p)
{
    struct waiting w = {.file = path_join(p->dir, "wait")};
    char *argument = xasprintf("--mini-wait=%s", w.file);
    file_put(p->dir, "wait", "");
    w.config = config_of("slow", "-Os", argument);
    init(p, &w.build, &w.config);
    w.mark = xasprintf("%s/tmp/%s/src/waiting", p->cache, w.build.key);
    free(argument);
    return w;
}

static void waiting_free(struct waiting *w)
{
    free(w->file);
    free(w->mark);
    build_free(&w->build);
    config_drop(&w->config);
}

/* A process that builds; its exit status says how that went: 0 built, 10 cached, 20 interrupted. */
static pid_t process_start(const struct place *p, const struct config *c, void (*at_note)(void))
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid)
        return pid;
    struct build b;
    struct err e = ERR_INIT;
    struct heard h = {.at_note = at_note};
    struct build_watch w = {heard_start, heard_step, heard_end, heard_note, NULL, &h};
    interrupt_install();
    if (build_init(&b, &p->library, &p->compiler, "gcc", c, &p->target, &e))
        _exit(90);
    int r = build_all((struct build *const[]){&b}, 1, JOBS, 0, &w, &e);
    if (r)
        _exit(interrupt_pending() && b.status == STATUS_SKIPPED ? 20 : 91);
    _exit(b.status != STATUS_OK ? 92 : b.was_cached ? 10 : 0);
}

static int process_end(pid_t pid)
{
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static void wait_for_file(const char *path)
{
    for (int i = 0; i < PATIENCE && !path_is_file(path); i++)
        nap();
    assert_true(path_is_file(path));
}

/* The second process, once it says that it waits, lets the first go on. */
static char *gate;
static void gate_open(void)
{
    unlink(gate);
}

static void processes_share_a_build(void **state)
{
    struct place *p = *state;
    struct waiting w = waiting_make(p);
    pid_t first = process_start(p, &w.config, NULL);
    wait_for_file(w.mark);
    gate = w.file;
    pid_t second = process_start(p, &w.config, gate_open);
    assert_int_equal(process_end(first), 0);
    assert_int_equal(process_end(second), 10);
    assert_nothing_left(p);
    waiting_free(&w);
}

/* Processes that work below a directory. */
static int process_works_in(const char *dir)
{
    struct list all = LIST_INIT;
    struct err e = ERR_INIT;
    int found = 0;
    assert_int_equal(dir_list("/proc", "", &all, &e), 0);
    for (size_t i = 0; i < all.n && !found; i++) {
        char cwd[4096];
        char *link = xasprintf("/proc/%s/cwd", all.v[i]);
        ssize_t n = readlink(link, cwd, sizeof cwd - 1);
        free(link);
        found = n >= (ssize_t)strlen(dir) && memcmp(cwd, dir, strlen(dir)) == 0;
    }
    list_free(&all);
    return found;
}

/* One build alone uses all processors, through make's jobserver, and no more. */
static void uses_all_processors(void **state)
{
    struct place *p = *state;
    struct waiting w = waiting_make(p);
    struct err e = ERR_INIT;
    char *crypto = xasprintf("%s/tmp/%s/src/crypto", p->cache, w.build.key);
    pid_t pid = process_start(p, &w.config, NULL);
    wait_for_file(w.mark);
    size_t most = 0;
    for (int i = 0, settled = 0; i < PATIENCE && settled < 50; i++) {
        struct list compiles = LIST_INIT;
        assert_int_equal(dir_list(crypto, ".waiting", &compiles, &e), 0);
        most = compiles.n > most ? compiles.n : most;
        settled = most < JOBS ? 0 : settled + 1;
        list_free(&compiles);
        nap();
    }
    assert_int_equal(most, JOBS); /* of four files */
    assert_int_equal(unlink(w.file), 0);
    assert_int_equal(process_end(pid), 0);
    free(crypto);
    waiting_free(&w);
}

static void survives_kill_9(void **state)
{
    struct place *p = *state;
    struct waiting w = waiting_make(p);
    struct err e = ERR_INIT;
    pid_t pid = process_start(p, &w.config, NULL);
    wait_for_file(w.mark);
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(process_end(pid), 1000 + SIGKILL);
    assert_true(path_is_file(w.mark)); /* it is in mid-work, and its make still waits */
    assert_true(process_works_in(p->cache));

    char *cache = cache_open(&e);
    assert_non_null(cache);
    free(cache);
    assert_nothing_left(p);
    /* Killed is not yet gone. */
    for (int i = 0; i < PATIENCE && process_works_in(p->cache); i++)
        nap();
    assert_false(process_works_in(p->cache));

    assert_int_equal(unlink(w.file), 0);
    struct build b;
    assert_int_equal(make(p, &w.config, 0, &b, NULL), STATUS_OK);
    assert_driver_works(&b);
    build_free(&b);
    waiting_free(&w);
}

static void leaves_nothing_when_interrupted(void **state)
{
    struct place *p = *state;
    struct waiting w = waiting_make(p);
    pid_t pid = process_start(p, &w.config, NULL);
    wait_for_file(w.mark);
    /* The one that waits for it is interrupted first. */
    pid_t waits = process_start(p, &w.config, NULL);
    for (int i = 0; i < 20; i++)
        nap();
    assert_int_equal(kill(waits, SIGINT), 0);
    assert_int_equal(process_end(waits), 20);
    assert_int_equal(kill(pid, SIGTERM), 0);
    assert_int_equal(process_end(pid), 20);
    assert_nothing_left(p);
    assert_false(process_works_in(p->cache));
    assert_false(build_is_cached(&w.build));
    char *entry = xasprintf("%s/builds/%s", p->cache, w.build.key);
    char *failed = xasprintf("%s/failed/%s", p->cache, w.build.key);
    assert_false(path_is_dir(entry));
    assert_false(path_is_dir(failed));
    free(entry);
    free(failed);
    waiting_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(processes_share_a_build),
        TEST(uses_all_processors),
        TEST(survives_kill_9),
        TEST(leaves_nothing_when_interrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

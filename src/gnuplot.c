/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "gnuplot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "file.h"
#include "spawn.h"

enum { TIMEOUT_MS = 60000 };

static const char program[] = "gnuplot";

const char gnuplot_missing[] =
    "gnuplot, which draws the plots, is not on PATH; on Debian: apt-get install gnuplot-nox";

int gnuplot_found(void)
{
    char *path = path_program(program);
    free(path);
    return path != NULL;
}

/* Files in memory: gnuplot may write before it has read all. -1 with errno. */
static int write_all(int fd, const char *text, size_t n)
{
    while (n) {
        ssize_t did = write(fd, text, n);
        if (did < 0 && errno != EINTR)
            return -1;
        if (did > 0) {
            text += did;
            n -= (size_t)did;
        }
    }
    return lseek(fd, 0, SEEK_SET) < 0 ? -1 : 0;
}

static int read_all(int fd, struct str *out)
{
    char buf[16384];
    ssize_t n;
    if (lseek(fd, 0, SEEK_SET) < 0)
        return -1;
    while ((n = read(fd, buf, sizeof buf)) != 0) {
        if (n < 0 && errno != EINTR)
            return -1;
        if (n > 0)
            str_addn(out, buf, (size_t)n);
    }
    return 0;
}

/* The parent's, in the C locale: numbers and messages are the same everywhere. */
static void environment(struct list *env)
{
    for (char **p = environ; *p; p++)
        if (strncmp(*p, "LC_", 3) && strncmp(*p, "LANG", 4) && strncmp(*p, "GNUPLOT", 7))
            list_add(env, *p);
    list_add(env, "LC_ALL=C");
}

/* The line of its messages that names the mistake. */
static void message_add(struct err *e, struct str *messages)
{
    str_trim(messages);
    if (!messages->n)
        return;
    const char *line = strrchr(messages->p, '\n');
    err_set(e, "%s: %s", e->text, line ? line + 1 : messages->p);
}

int gnuplot_run(const char *script, struct str *out, struct err *e)
{
    struct list argv = LIST_INIT, env = LIST_INIT;
    struct str messages = STR_INIT;
    struct spawn s = SPAWN_INIT;
    struct spawn_end end;
    int fd[3] = {-1, -1, -1}, rc = -1;
    char *path = path_program(program);

    if (!path) {
        err_set(e, "%s", gnuplot_missing);
        goto out;
    }
    for (int i = 0; i < 3; i++)
        if ((fd[i] = memfd_create(program, MFD_CLOEXEC)) < 0) {
            err_set(e, "gnuplot not started: no memory for a file: %s", strerror(errno));
            goto out;
        }
    if (write_all(fd[0], script, strlen(script))) {
        err_set(e, "gnuplot not started: its script cannot be written: %s", strerror(errno));
        goto out;
    }
    list_add(&argv, path);
    list_add(&argv, "-d"); /* not the user's settings */
    environment(&env);
    s.argv = &argv;
    s.env = &env;
    s.in_fd = fd[0];
    s.out_fd = fd[1];
    s.err_fd = fd[2];
    pid_t pid = spawn_start(&s, e);
    if (pid < 0 || spawn_wait(pid, TIMEOUT_MS, &end, e))
        goto out;
    rc = spawn_check(&end, program, e);
    if (!rc && read_all(fd[1], out))
        rc = err_set(e, "gnuplot: its picture cannot be read: %s", strerror(errno));
    else if (rc && !read_all(fd[2], &messages))
        message_add(e, &messages);
out:
    for (int i = 0; i < 3; i++)
        if (fd[i] >= 0)
            close(fd[i]);
    list_free(&argv);
    list_free(&env);
    str_free(&messages);
    free(path);
    return rc;
}

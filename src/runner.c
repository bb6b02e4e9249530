/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "runner.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "catalog.h"
#include "file.h"
#include "mem.h"
#include "spawn.h"

enum {
    VERSION_MS = 10000,  /* for a program to say its version */
    COPY_MS = 120000,    /* for a driver (some MB) over a slow link */
    CLEANUP_MS = 10000,  /* for removing it again */
    CONNECT_SECONDS = 10 /* ssh ConnectTimeout */
};

/* Environment that would change what is measured: the library's capability masks, the
 * dynamic linker, glibc's choice of memcpy and its allocator, the emulator's own settings. */
static const char *const env_dropped[] = {"OPENSSL_", "LD_", "QEMU_", "GLIBC_TUNABLES=", "MALLOC_"};

static void env_make(const struct cpu *cpu, struct list *env)
{
    size_t n = sizeof env_dropped / sizeof env_dropped[0];

    for (char **v = environ; v && *v; v++) {
        size_t i = 0;
        while (i < n && strncmp(*v, env_dropped[i], strlen(env_dropped[i])) != 0)
            i++;
        if (i < n)
            continue;
        /* A name in the model's list takes the place of the parent's. */
        size_t name = strcspn(*v, "=") + 1, k = 0;
        while (cpu && k < cpu->env.n && strncmp(*v, cpu->env.v[k], name) != 0)
            k++;
        if (!cpu || k == cpu->env.n)
            list_add(env, *v);
    }
    if (cpu)
        list_add_all(env, &cpu->env);
}

static int is_qemu_word(const char *word)
{
    return strncmp(path_base(word), "qemu-", 5) == 0;
}

/* First line of what argv prints on stdout or else stderr, caller owns; NULL when it fails. */
static char *version_ask(const struct list *argv)
{
    struct str out = STR_INIT, errout = STR_INIT;
    struct err e = ERR_INIT;
    char *line = NULL;

    if (spawn_output(argv, NULL, NULL, VERSION_MS, &out, &errout, &e) == 0) {
        const struct str *said = out.n ? &out : &errout;
        if (said->n)
            line = xstrndup(said->p, strcspn(said->p, "\r\n"));
    }
    err_clear(&e);
    str_free(&out);
    str_free(&errout);
    return line;
}

/* Fills r->prefix[0] with the full path of a program; install: how to get it, or NULL. */
static int program_find(struct runner *r, const char *name, const char *install, struct err *e)
{
    char *path = path_program(name);

    if (!path && strchr(name, '/'))
        return err_set(e, "runner %s: '%s' is no program that can be started", r->name, name);
    if (!path)
        return err_set(e, "%s not found on PATH%s%s", name, install ? "; install: " : "",
                       install ? install : "");
    list_add(&r->prefix, path);
    free(path);
    return 0;
}

static void version_find(struct runner *r, const char *program, const char *option)
{
    struct list argv = LIST_INIT;

    list_add(&argv, program);
    list_add(&argv, option);
    r->version = version_ask(&argv);
    list_free(&argv);
}

/* Each kind of runner: how its word looks, and how one is made from a word that fits. `arg` is
 * the part of the word after the name. */
struct kind {
    const char *name; /* a whole word, or up to and with ':' */
    const char *form; /* for people */
    int (*check)(const char *word, const char *arg, struct err *e);
    int (*find)(struct runner *r, const char *arg, const struct target *t, struct err *e);
};

static int native_find(struct runner *r, const char *arg, const struct target *t, struct err *e)
{
    (void)arg;
    r->kind = RUNNER_NATIVE;
    if (!target_is_native(t))
        return err_set(e,
                       "--runner native: this machine does not run programs for target '%s'; "
                       "use --runner qemu or --runner ssh:HOST",
                       t->name);
    return 0;
}

static int qemu_find(struct runner *r, const char *arg, const struct target *t, struct err *e)
{
    char *packages, *install = NULL;
    int rc;

    (void)arg;
    r->kind = RUNNER_QEMU;
    r->emulated = 1;
    if (!t->qemu)
        return err_set(e, "target '%s' (%s) names no QEMU user-mode emulator", t->name, t->path);
    if (t->qemu_packages.n) {
        packages = list_join(&t->qemu_packages, " ");
        install = xasprintf("apt-get install %s", packages);
        free(packages);
    }
    rc = program_find(r, t->qemu, install, e);
    free(install);
    if (rc < 0)
        return -1;
    version_find(r, r->prefix.v[0], "--version");
    if (r->cpu && r->cpu->qemu_cpu) {
        list_add(&r->prefix, "-cpu");
        list_add(&r->prefix, r->cpu->qemu_cpu);
    }
    return 0;
}

static int auto_find(struct runner *r, const char *arg, const struct target *t, struct err *e)
{
    int (*find)(struct runner *, const char *, const struct target *, struct err *) =
        target_is_native(t) ? native_find : qemu_find;

    free(r->name);
    r->name = xstrdup(find == native_find ? "native" : "qemu");
    return find(r, arg, t, e);
}

static int ssh_check(const char *word, const char *arg, struct err *e)
{
    const char *at = strrchr(arg, '@');

    if (!*arg)
        return err_usage(e, "--runner %s: no host; write ssh:HOST or ssh:USER@HOST", word);
    /* ssh would take it for an option. */
    if (*arg == '-' || (at && at[1] == '-'))
        return err_usage(e, "--runner %s: a host does not start with '-'", word);
    for (const char *p = arg; *p; p++)
        if (!isalnum((unsigned char)*p) && !strchr("._@:/-[]%+~=", *p))
            return err_usage(e,
                             "--runner %s: '%c' is not part of a host's name; write ssh:HOST or "
                             "ssh:USER@HOST",
                             word, isprint((unsigned char)*p) ? *p : '?');
    return 0;
}

static int ssh_find(struct runner *r, const char *arg, const struct target *t, struct err *e)
{
    (void)t;
    r->kind = RUNNER_SSH;
    r->host = xstrdup(arg);
    if (program_find(r, "ssh", "apt-get install openssh-client", e) < 0)
        return -1;
    version_find(r, r->prefix.v[0], "-V");
    list_add(&r->prefix, "-T");
    list_add(&r->prefix, "-o");
    list_add(&r->prefix, "BatchMode=yes");
    list_add(&r->prefix, "-o");
    list_addf(&r->prefix, "ConnectTimeout=%d", CONNECT_SECONDS);
    list_add(&r->prefix, r->host);
    return 0;
}

/* Words between spaces, without empty ones. */
static void words_split(struct list *out, const char *text)
{
    while (*(text += strspn(text, " "))) {
        size_t n = strcspn(text, " ");
        list_addn(out, text, n);
        text += n;
    }
}

static int exec_check(const char *word, const char *arg, struct err *e)
{
    if (!arg[strspn(arg, " ")])
        return err_usage(e, "--runner %s: no program; write exec:PROGRAM or 'exec:PROGRAM ARG ...'",
                         word);
    return 0;
}

static int exec_find(struct runner *r, const char *arg, const struct target *t, struct err *e)
{
    struct list words = LIST_INIT;
    char *path;
    int rc;

    (void)t;
    r->kind = RUNNER_EXEC;
    words_split(&words, arg);
    for (size_t i = 0; i < words.n; i++)
        if (is_qemu_word(words.v[i]))
            r->emulated = 1;
    rc = program_find(r, words.v[0], NULL, e);
    for (size_t i = 1; i < words.n && rc == 0; i++)
        list_add(&r->prefix, words.v[i]);
    list_free(&words);
    /* Only QEMU is known to understand --version; any other program might start working. */
    for (size_t i = 0; i < r->prefix.n && rc == 0 && !r->version; i++) {
        path = is_qemu_word(r->prefix.v[i]) ? path_program(r->prefix.v[i]) : NULL;
        if (path)
            version_find(r, path, "--version");
        free(path);
    }
    return rc;
}

static const struct kind kinds[] = {
    {"auto", "auto", NULL, auto_find},
    {"native", "native", NULL, native_find},
    {"qemu", "qemu", NULL, qemu_find},
    {"ssh:", "ssh:HOST", ssh_check, ssh_find},
    {"exec:", "exec:WORDS", exec_check, exec_find},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Kind for a word and the rest of the word; NULL with a usage error. */
static const struct kind *kind_find(const char *word, const char **arg, struct err *e)
{
    struct list forms = LIST_INIT;

    for (size_t i = 0; i < KINDS; i++) {
        size_t n = strlen(kinds[i].name);
        int takes_arg = kinds[i].name[n - 1] == ':';
        if (strncmp(word, kinds[i].name, n) != 0 || (!takes_arg && word[n]))
            continue;
        *arg = word + n;
        if (kinds[i].check && kinds[i].check(word, *arg, e) < 0)
            return NULL;
        return &kinds[i];
    }
    for (size_t i = 0; i < KINDS; i++)
        list_add(&forms, kinds[i].form);
    unknown_word(e, "runner", word, &forms);
    list_free(&forms);
    return NULL;
}

int runner_check_word(const char *word, struct err *e)
{
    const char *arg;

    return kind_find(word, &arg, e) ? 0 : -1;
}

int runner_find(const char *word, const struct target *t, const char *cpu_name, struct runner *out,
                enum status *status, struct err *e)
{
    const struct kind *kind;
    const struct cpu *cpu = NULL;
    const char *arg;
    int rc;

    *out = (struct runner){0};
    *status = STATUS_OK;
    kind = kind_find(word, &arg, e);
    if (!kind)
        return -1;
    if (cpu_name && !(cpu = target_cpu(t, cpu_name, e)))
        return -1;
    out->name = xstrdup(word);
    /* An emulator always is some model. */
    if (!cpu && (kind->find == qemu_find || (kind->find == auto_find && !target_is_native(t))))
        cpu = target_default_cpu(t);
    out->cpu = cpu;
    env_make(cpu, &out->env);
    rc = kind->find(out, arg, t, e);
    if (rc < 0)
        *status = STATUS_RUNNER_MISSING;
    return rc;
}

void runner_free(struct runner *r)
{
    free(r->name);
    free(r->version);
    free(r->host);
    list_free(&r->prefix);
    list_free(&r->env);
    *r = (struct runner){0};
}

/* Drivers copied to devices by this process. */
static struct remote {
    char *host;
    char *driver_key;
    char *path;         /* on the device */
    struct list prefix; /* how ssh was called */
    int copied;         /* 0: an attempt failed, and may have left a part */
} * remotes;
static size_t nremotes;

/* text as one word for a POSIX shell. */
static void shell_quote(struct str *s, const char *text)
{
    str_addc(s, '\'');
    for (; *text; text++)
        if (*text == '\'')
            str_add(s, "'\\''");
        else
            str_addc(s, *text);
    str_addc(s, '\'');
}

/* Runs a command on the device with input from a file (NULL: none). */
static int remote_run(const struct list *prefix, const char *command, const char *input,
                      struct err *e)
{
    struct list argv = LIST_INIT;
    struct spawn s = SPAWN_INIT;
    struct spawn_end end;
    char said[512] = "";
    pid_t pid;
    int rc = -1;

    list_add_all(&argv, prefix);
    list_add(&argv, command);
    s.argv = &argv;
    s.stdin_path = input;
    s.err_fd = memfd_create("ssh-stderr", MFD_CLOEXEC);
    pid = spawn_start(&s, e);
    if (pid < 0 || spawn_wait(pid, COPY_MS, &end, e) < 0)
        goto out;
    rc = spawn_check(&end, "ssh", e);
    if (rc < 0 && s.err_fd >= 0 && pread(s.err_fd, said, sizeof said - 1, 0) > 0) {
        said[strcspn(said, "\r\n")] = '\0';
        err_set(e, "%s: %s", e->text, said);
    }
out:
    if (s.err_fd >= 0)
        close(s.err_fd);
    list_free(&argv);
    return rc;
}

static struct remote *remote_find(const struct runner *r, const struct build *b)
{
    struct remote *m;

    for (size_t i = 0; i < nremotes; i++)
        if (strcmp(remotes[i].host, r->host) == 0 &&
            strcmp(remotes[i].driver_key, b->driver_key) == 0)
            return &remotes[i];
    remotes = xreallocarray(remotes, nremotes + 1, sizeof *remotes);
    m = &remotes[nremotes++];
    *m = (struct remote){0};
    m->host = xstrdup(r->host);
    m->driver_key = xstrdup(b->driver_key);
    /* With our process id, so that two runs on one device do not remove each other's. */
    m->path = xasprintf("/tmp/crypto-bench-%s-%ld", b->driver_key, (long)getpid());
    list_add_all(&m->prefix, &r->prefix);
    return m;
}

/* Path of b's driver on the device, copied there at the first call. NULL on error. */
static const char *remote_driver(const struct runner *r, const struct build *b, struct err *e)
{
    struct remote *m = remote_find(r, b);
    struct str command = STR_INIT;
    int rc;

    if (m->copied)
        return m->path;
    /* set -C (no overwriting): the directory is everybody's, and cat would follow a link. */
    str_add(&command, "umask 077; set -C; rm -f ");
    shell_quote(&command, m->path);
    str_add(&command, " && cat > ");
    shell_quote(&command, m->path);
    str_add(&command, " && chmod 700 ");
    shell_quote(&command, m->path);
    rc = remote_run(&m->prefix, command.p, b->driver, e);
    str_free(&command);
    if (rc < 0) {
        err_prefix(e, "copying the driver to '%s': ", r->host);
        return NULL;
    }
    m->copied = 1;
    return m->path;
}

int runner_argv(const struct runner *r, const struct build *b, struct list *argv, struct err *e)
{
    struct str command = STR_INIT;
    const char *path = b->driver;

    if (r->kind == RUNNER_SSH) {
        path = remote_driver(r, b, e);
        if (!path)
            return -1;
    }
    list_add_all(argv, &r->prefix);
    if (r->kind != RUNNER_SSH) {
        list_add(argv, path);
        return 0;
    }
    if (r->cpu && r->cpu->env.n) {
        str_add(&command, "env ");
        for (size_t i = 0; i < r->cpu->env.n; i++) {
            shell_quote(&command, r->cpu->env.v[i]);
            str_addc(&command, ' ');
        }
    }
    shell_quote(&command, path);
    /* Keeps the shell from replacing itself by the driver: the shell turns a death by signal into
     * 128 + signal, which ssh passes on; a signal itself it would not. */
    str_add(&command, "; exit $?");
    list_add(argv, command.p);
    str_free(&command);
    return 0;
}

void runner_cleanup(void)
{
    for (size_t i = 0; i < nremotes; i++) {
        struct remote *m = &remotes[i];
        struct str command = STR_INIT;
        struct spawn s = SPAWN_INIT;
        struct spawn_end end;
        struct err e = ERR_INIT;
        uint64_t deadline = now_ns() + CLEANUP_MS * 1000000ull;
        const struct timespec nap = {0, 2000000};
        pid_t pid;

        str_add(&command, "rm -f ");
        shell_quote(&command, m->path);
        list_add(&m->prefix, command.p);
        s.argv = &m->prefix;
        pid = spawn_start(&s, &e);
        /* Not spawn_wait: this has to happen after an interrupt as well. */
        while (pid > 0 && !spawn_poll(pid, &end)) {
            if (now_ns() >= deadline) {
                spawn_kill(pid);
                break;
            }
            nanosleep(&nap, NULL);
        }
        err_clear(&e);
        str_free(&command);
        list_free(&m->prefix);
        free(m->host);
        free(m->driver_key);
        free(m->path);
    }
    free(remotes);
    remotes = NULL;
    nremotes = 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "debsource.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "file.h"
#include "mem.h"
#include "spawn.h"

enum {
    UPDATE_MS = 300 * 1000, /* indexes of one suite: some 15 MB */
    SOURCE_MS = 900 * 1000, /* one archive of up to 60 MB over a slow line */
    QUERY_MS = 60 * 1000,   /* apt-cache parses the indexes anew */
    LIST_MAX = 4 << 20,     /* bytes of a source list */
};

/* A suite of the machine's own release in terms of another, caller owns; NULL when it is none,
 * or holds no releases (backports, proposed updates). */
static char *suite_map(const char *word, const char *codename, const char *suite)
{
    static const char *const aliases[] = {"stable", "oldstable", "testing", "unstable", "sid"};
    static const struct part {
        const char *suffix, *as;
    } parts[] = {{"", ""},
                 {"-security", "-security"},
                 {"/updates", "-security"}, /* the form before Debian 11 */
                 {"-updates", "-updates"}};
    size_t n = strlen(codename);
    int own = n && strncmp(word, codename, n) == 0;
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases && !own; i++) {
        n = strlen(aliases[i]);
        own = strncmp(word, aliases[i], n) == 0;
    }
    for (size_t i = 0; own && i < sizeof parts / sizeof *parts; i++)
        if (strcmp(word + n, parts[i].suffix) == 0)
            return xasprintf("%s%s", suite, parts[i].as);
    return NULL;
}

static void words_add(struct list *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n;) {
        size_t from = i;
        while (i < n && !strchr(" \t\r\n", text[i]))
            i++;
        if (i > from)
            list_addn(out, text + from, i - from);
        else
            i++;
    }
}

/* "deb [options] URI SUITE COMPONENT..." */
static int list_line(const char *line, size_t n, const char *codename, const char *suite,
                     struct str *out)
{
    const char *hash = memchr(line, '#', n);
    struct list words = LIST_INIT;
    size_t uri = 1;
    char *mapped = NULL;
    words_add(&words, line, hash ? (size_t)(hash - line) : n);
    if (words.n && strcmp(words.v[0], "deb") == 0) {
        if (words.n > 1 && words.v[1][0] == '[')
            while (uri < words.n && !strchr(words.v[uri++], ']'))
                ;
        if (uri + 1 < words.n)
            mapped = suite_map(words.v[uri + 1], codename, suite);
    }
    if (mapped) {
        str_add(out, "deb-src");
        for (size_t i = 1; i < words.n; i++)
            str_addf(out, " %s", i == uri + 1 ? mapped : words.v[i]);
        str_addc(out, '\n');
    }
    int used = mapped != NULL;
    list_free(&words);
    free(mapped);
    return used;
}

size_t debsource_convert_list(const char *text, const char *codename, const char *suite,
                              struct str *out)
{
    size_t added = 0;
    while (*text) {
        size_t n = strcspn(text, "\n");
        added += (size_t)list_line(text, n, codename, suite, out);
        text += n + (text[n] == '\n');
    }
    return added;
}

/* Value of a "Field:" line, NULL when line is another. */
static const char *field_value(const char *line, size_t n, const char *field)
{
    size_t m = strlen(field);
    if (n <= m || strncasecmp(line, field, m) != 0 || line[m] != ':')
        return NULL;
    return line + m + 1;
}

/* A deb822 stanza on its way: fields but for types and suites are handed on as they are. */
struct stanza {
    struct str fields;
    struct list suites;
    int is_deb, disabled;
    int in_suites; /* continuation lines belong to the suites */
};

static void stanza_line(struct stanza *s, const char *line, size_t n, const char *codename,
                        const char *suite)
{
    const char *value;
    struct list words = LIST_INIT;
    if (line[0] == '#')
        return;
    int continues = line[0] == ' ' || line[0] == '\t';
    if (!continues)
        s->in_suites = 0;
    if ((value = field_value(line, n, "Types")) != NULL) {
        words_add(&words, value, n - (size_t)(value - line));
        s->is_deb = list_has(&words, "deb");
    } else if ((value = field_value(line, n, "Enabled")) != NULL) {
        words_add(&words, value, n - (size_t)(value - line));
        s->disabled = list_has(&words, "no") || list_has(&words, "false");
    } else if ((value = field_value(line, n, "Suites")) != NULL || (continues && s->in_suites)) {
        const char *from = value ? value : line;
        s->in_suites = 1;
        words_add(&words, from, n - (size_t)(from - line));
        for (size_t i = 0; i < words.n; i++) {
            char *mapped = suite_map(words.v[i], codename, suite);
            if (mapped && !list_has(&s->suites, mapped))
                list_add(&s->suites, mapped);
            free(mapped);
        }
    } else {
        str_addn(&s->fields, line, n);
        str_addc(&s->fields, '\n');
    }
    list_free(&words);
}

/* Adds the stanza to out if it is of use, and empties it. */
static size_t stanza_end(struct stanza *s, struct str *out)
{
    size_t used = s->is_deb && !s->disabled && s->suites.n > 0;
    if (used) {
        char *suites = list_join(&s->suites, " ");
        str_addf(out, "Types: deb-src\nSuites: %s\n%s\n", suites, s->fields.p ? s->fields.p : "");
        free(suites);
    }
    str_free(&s->fields);
    list_free(&s->suites);
    *s = (struct stanza){0};
    return used;
}

size_t debsource_convert_sources(const char *text, const char *codename, const char *suite,
                                 struct str *out)
{
    struct stanza s = {0};
    size_t added = 0;
    while (*text) {
        size_t n = strcspn(text, "\n");
        if (strspn(text, " \t\r") >= n)
            added += stanza_end(&s, out);
        else
            stanza_line(&s, text, n, codename, suite);
        text += n + (text[n] == '\n');
    }
    return added + stanza_end(&s, out);
}

void debsource_versions(const char *showsrc, const char *package, const char *upstream,
                        struct list *versions, struct list *others)
{
    int ours = 0;
    while (*showsrc) {
        size_t n = strcspn(showsrc, "\n");
        const char *value = field_value(showsrc, n, "Package");
        struct list words = LIST_INIT;
        if (value) {
            words_add(&words, value, n - (size_t)(value - showsrc));
            ours = words.n == 1 && strcmp(words.v[0], package) == 0;
        } else if (ours && (value = field_value(showsrc, n, "Version")) != NULL) {
            words_add(&words, value, n - (size_t)(value - showsrc));
        }
        if (words.n == 1 && field_value(showsrc, n, "Version")) {
            /* [EPOCH:]UPSTREAM[-REVISION] */
            const char *colon = strchr(words.v[0], ':');
            const char *from = colon ? colon + 1 : words.v[0];
            const char *dash = strrchr(from, '-');
            size_t m = dash ? (size_t)(dash - from) : strlen(from);
            struct list *to =
                m == strlen(upstream) && memcmp(from, upstream, m) == 0 ? versions : others;
            if (!list_has(to, words.v[0]))
                list_add(to, words.v[0]);
        }
        list_free(&words);
        showsrc += n + (showsrc[n] == '\n');
    }
}

/* Value of a key in os-release, caller owns; "" when it is not there. */
static char *os_release(const char *key)
{
    struct str text = STR_INIT;
    struct err ignored = ERR_INIT;
    struct list lines = LIST_INIT;
    char *found = NULL;
    size_t n = strlen(key);
    if (file_read("/etc/os-release", LIST_MAX, &text, &ignored) == 0)
        list_split(&lines, text.p, '\n');
    for (size_t i = 0; i < lines.n && !found; i++)
        if (strncmp(lines.v[i], key, n) == 0 && lines.v[i][n] == '=') {
            const char *value = lines.v[i] + n + 1;
            value += strspn(value, "\"'");
            found = xstrndup(value, strcspn(value, "\"'"));
        }
    err_clear(&ignored);
    str_free(&text);
    list_free(&lines);
    return found ? found : xstrdup("");
}

/* One apt call on lists and directories of its own. */
struct apt {
    const char *dir;
    struct list options, env;
};

static void apt_option(struct apt *a, const char *name, const char *below)
{
    list_add(&a->options, "-o");
    list_addf(&a->options, "%s=%s/%s", name, a->dir, below);
}

/* apt reads a -c file after the machine's own configuration: proxies stay in force, hooks that
 * would act on the machine do not. */
static int apt_configure(struct apt *a, struct err *e)
{
    static const char conf[] = "#clear APT::Update::Pre-Invoke;\n"
                               "#clear APT::Update::Post-Invoke;\n"
                               "#clear APT::Update::Post-Invoke-Success;\n"
                               "Acquire::Retries \"0\";\n"
                               "Acquire::http::Timeout \"20\";\n"
                               "Acquire::https::Timeout \"20\";\n"
                               "Acquire::Languages \"none\";\n"
                               "Dir::Etc::sourcelist \"/dev/null\";\n";
    static const char *const dirs[] = {"parts", "lists/partial", "cache/archives/partial"};
    int r = 0;
    for (size_t i = 0; i < sizeof dirs / sizeof *dirs && r == 0; i++) {
        char *path = path_join(a->dir, dirs[i]);
        r = dir_make(path, e);
        free(path);
    }
    char *path = path_join(a->dir, "apt.conf");
    r = r ? r : file_write_atomic(path, conf, strlen(conf), e);
    list_add(&a->options, "-c");
    list_add(&a->options, path);
    free(path);
    apt_option(a, "Dir::Etc::sourceparts", "parts");
    apt_option(a, "Dir::State::Lists", "lists");
    apt_option(a, "Dir::Cache", "cache");
    if (geteuid() == 0) {
        /* The sandbox user of apt may not write below root's cache directory. */
        list_add(&a->options, "-o");
        list_add(&a->options, "APT::Sandbox::User=root");
    }
    for (char **v = environ; *v; v++)
        if (strncmp(*v, "LC_", 3) != 0 && strncmp(*v, "LANG", 4) != 0)
            list_add(&a->env, *v);
    list_add(&a->env, "LC_ALL=C");
    return r;
}

static void apt_free(struct apt *a)
{
    list_free(&a->options);
    list_free(&a->env);
}

/* words: program and arguments, NULL-terminated; the options go after the program. */
static int apt_run(const struct apt *a, const char *const *words, int timeout_ms, struct str *out,
                   struct str *errout, struct err *e)
{
    struct list argv = LIST_INIT;
    list_add(&argv, *words++);
    list_add_all(&argv, &a->options);
    for (; *words; words++)
        list_add(&argv, *words);
    int r = spawn_output(&argv, &a->env, a->dir, timeout_ms, out, errout, e);
    list_free(&argv);
    return r;
}

/* Converts one of the machine's lists into parts/N.list or .sources. */
static size_t apt_convert(const struct apt *a, const char *path, const char *codename,
                          const char *suite, size_t nth)
{
    struct str text = STR_INIT, out = STR_INIT;
    struct err ignored = ERR_INIT;
    const char *suffix = strrchr(path, '.');
    size_t added = 0;
    if (suffix && file_read(path, LIST_MAX, &text, &ignored) == 0)
        added = strcmp(suffix, ".list") == 0
                    ? debsource_convert_list(text.p, codename, suite, &out)
                    : debsource_convert_sources(text.p, codename, suite, &out);
    if (added) {
        char *to = xasprintf("%s/parts/%zu%s", a->dir, nth, suffix);
        if (file_write_atomic(to, out.p, out.n, &ignored))
            added = 0;
        free(to);
    }
    err_clear(&ignored);
    str_free(&text);
    str_free(&out);
    return added;
}

static int apt_sources(const struct apt *a, const char *suite, struct err *e)
{
    static const char dir[] = "/etc/apt/sources.list.d";
    struct list files = LIST_INIT, names = LIST_INIT;
    struct err ignored = ERR_INIT;
    char *codename = os_release("VERSION_CODENAME"), *id = os_release("ID");
    size_t added = 0;
    int r = 0;
    list_add(&files, "/etc/apt/sources.list");
    if (dir_list(dir, "", &names, &ignored))
        err_clear(&ignored);
    for (size_t i = 0; i < names.n; i++) {
        const char *suffix = strrchr(names.v[i], '.');
        if (suffix && (strcmp(suffix, ".list") == 0 || strcmp(suffix, ".sources") == 0))
            list_addf(&files, "%s/%s", dir, names.v[i]);
    }
    if (strcmp(id, "debian") != 0)
        r = err_set(e, "this system is '%s', not Debian", *id ? id : "unknown");
    for (size_t i = 0; i < files.n && r == 0; i++)
        added += apt_convert(a, files.v[i], codename, suite, i);
    if (r == 0 && added == 0)
        r = err_set(e, "no entry for Debian '%s' in /etc/apt/sources.list or %s", codename, dir);
    free(codename);
    free(id);
    list_free(&files);
    list_free(&names);
    return r;
}

/* First complaint of apt, caller owns; NULL if it made none. */
static char *apt_complaint(const struct str *errout)
{
    static const char *const marks[] = {"E: ", "W: "};
    for (size_t i = 0; errout->p && i < sizeof marks / sizeof *marks; i++) {
        const char *p = strstr(errout->p, marks[i]);
        if (p)
            return xstrndup(p + strlen(marks[i]), strcspn(p + strlen(marks[i]), "\n"));
    }
    return NULL;
}

/* apt-get update succeeds even when nothing could be fetched: what counts is whether the
 * package is known afterwards. */
static int apt_versions(const struct apt *a, const struct library *l, struct list *versions,
                        struct err *e)
{
    struct str errout = STR_INIT, out = STR_INIT;
    struct list others = LIST_INIT;
    struct err ignored = ERR_INIT;
    int r = 0;
    apt_run(a, (const char *const[]){"apt-get", "-q", "update", NULL}, UPDATE_MS, NULL, &errout,
            &ignored);
    apt_run(a,
            (const char *const[]){"apt-cache", "showsrc", "--only-source", l->debian_package, NULL},
            QUERY_MS, &out, NULL, &ignored);
    debsource_versions(out.p ? out.p : "", l->debian_package, l->version, versions, &others);
    if (versions->n == 0 && interrupt_pending()) {
        r = err_set(e, "interrupted");
    } else if (versions->n == 0 && others.n) {
        char *words = list_join(&others, ", ");
        r = err_set(e, "it has %s %s, not %s", l->debian_package, words, l->version);
        free(words);
    } else if (versions->n == 0) {
        char *complaint = apt_complaint(&errout);
        r = err_set(e, "apt-get update brought no source package '%s': %s", l->debian_package,
                    complaint      ? complaint
                    : ignored.text ? ignored.text
                                   : "no reason given");
        free(complaint);
    }
    err_clear(&ignored);
    str_free(&errout);
    str_free(&out);
    list_free(&others);
    return r;
}

/* Upstream archives that came into dir. */
static void archives_list(const char *dir, struct list *files)
{
    struct list names = LIST_INIT;
    struct err ignored = ERR_INIT;
    if (dir_list(dir, "", &names, &ignored))
        err_clear(&ignored);
    for (size_t i = 0; i < names.n; i++)
        if (strstr(names.v[i], ".orig.tar.") && !strstr(names.v[i], ".asc"))
            list_addf(files, "%s/%s", dir, names.v[i]);
    list_free(&names);
}

int debsource_fetch(const struct library *l, const char *dir, void (*say)(void *arg, const char *),
                    void *arg, struct list *files, struct err *e)
{
    struct apt a = {.dir = dir};
    struct list versions = LIST_INIT;
    int r = -1;
    char *program = path_program("apt-get");
    if (!program) {
        err_set(e, "no apt-get on this system");
        goto out;
    }
    if (say) {
        char *text = xasprintf("fetching %s %s as a Debian source package (%s)", l->debian_package,
                               l->version, l->debian_suite);
        say(arg, text);
        free(text);
    }
    if (apt_configure(&a, e) || apt_sources(&a, l->debian_suite, e) ||
        apt_versions(&a, l, &versions, e))
        goto out;
    /* A mirror may list a revision and no longer (or not yet) carry it: the next may do. */
    for (size_t i = 0; i < versions.n && files->n == 0 && !interrupt_pending(); i++) {
        char *wanted = xasprintf("%s=%s", l->debian_package, versions.v[i]);
        r = apt_run(&a,
                    (const char *const[]){"apt-get", "-q", "source", "--download-only",
                                          "--tar-only", wanted, NULL},
                    SOURCE_MS, NULL, NULL, e);
        free(wanted);
        archives_list(dir, files);
    }
    if (interrupt_pending()) {
        r = err_set(e, "interrupted");
    } else if (files->n) {
        r = 0;
        err_clear(e);
    } else if (r == 0) {
        r = err_set(e, "the source package holds no .orig.tar archive");
    }
out:
    free(program);
    apt_free(&a);
    list_free(&versions);
    return r;
}

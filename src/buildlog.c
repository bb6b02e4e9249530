/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "buildlog.h"

#include <stdlib.h>
#include <string.h>

#include "mem.h"

/* Next line of *text without its newline; 0 at the end. */
static int line_next(const char **text, const char **line, size_t *n)
{
    if (!**text)
        return 0;
    *line = *text;
    *n = strcspn(*text, "\n");
    *text += *n + ((*text)[*n] == '\n');
    if (*n && (*line)[*n - 1] == '\r')
        --*n;
    return 1;
}

/* Words of a command as a shell would split them: quotes and backslashes, no expansion. */
static void words_split(const char *p, struct list *out)
{
    struct str word = STR_INIT;
    for (;;) {
        p += strspn(p, " \t");
        if (!*p)
            break;
        char quote = 0;
        for (; *p && (quote || (*p != ' ' && *p != '\t')); p++) {
            if (quote ? *p == quote : *p == '"' || *p == '\'')
                quote = quote ? 0 : *p;
            else if (*p == '\\' && quote != '\'' && p[1])
                str_addc(&word, *++p);
            else
                str_addc(&word, *p);
        }
        char *text = str_take(&word);
        list_add(out, text);
        free(text);
    }
}

static int ends_with(const char *s, const char *suffix)
{
    size_t n = strlen(s), m = strlen(suffix);
    return n >= m && strcmp(s + n - m, suffix) == 0;
}

enum input { INPUT_NONE, INPUT_C, INPUT_ASM };

static const struct suffix {
    const char *suffix;
    enum input kind;
} suffixes[] = {
    {".c", INPUT_C}, {".cc", INPUT_C}, {".cpp", INPUT_C}, {".s", INPUT_ASM}, {".S", INPUT_ASM},
};

static enum input input_kind(const char *word)
{
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (word[0] != '-' && ends_with(word, suffixes[i].suffix))
            return suffixes[i].kind;
    return INPUT_NONE;
}

/* Options whose value is the next word. */
static int takes_value(const char *word)
{
    static const char *const options[] = {"-o",  "-I",  "-D",       "-U",       "-MF",
                                          "-MT", "-MQ", "-include", "-isystem", "-x"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strcmp(word, options[i]) == 0)
            return 1;
    return 0;
}

/* Options that say which files, not how; and ours that only has the compiler tell of stack use. */
static int is_noise(const char *word)
{
    static const char *const starts[] = {"-I", "-M", "-o", "-isystem", "-include", "-fstack-usage"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strncmp(word, starts[i], strlen(starts[i])) == 0)
            return 1;
    return strcmp(word, "-c") == 0;
}

/* A -O that sets the level, not e.g. "-Object". */
static int is_level(const char *word)
{
    static const char *const levels[] = {"-O",  "-O0", "-O1", "-O2",   "-O3",
                                         "-Os", "-Oz", "-Og", "-Ofast"};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (strcmp(word, levels[i]) == 0)
            return 1;
    return 0;
}

/* One command that compiles one file. */
struct compile {
    enum input kind;
    char *input; /* base name */
    struct list flags, defines, levels;
};

static void compile_free(struct compile *c)
{
    free(c->input);
    list_free(&c->flags);
    list_free(&c->defines);
    list_free(&c->levels);
}

static void compile_word(struct compile *c, const char *word, const char *value)
{
    enum input kind = input_kind(word);
    if (kind != INPUT_NONE) {
        const char *slash = strrchr(word, '/');
        free(c->input);
        c->input = xstrdup(slash ? slash + 1 : word);
        c->kind = kind;
    } else if (word[0] == '-' && (word[1] == 'D' || word[1] == 'U')) {
        list_addf(&c->defines, "%s%s", word, value ? value : "");
    } else if (is_level(word)) {
        list_add(&c->levels, word);
        list_add(&c->flags, word);
    } else if (word[0] == '-' && !is_noise(word)) {
        list_add(&c->flags, word);
        if (value)
            list_add(&c->flags, value);
    }
}

/* 1 when line is a compile command; fills c then. */
static int compile_parse(const char *line, struct compile *c)
{
    *c = (struct compile){0};
    if (line[0] == '#' || !strstr(line, " -c"))
        return 0;
    struct list words = LIST_INIT;
    words_split(line, &words);
    size_t i = 0;
    while (i < words.n && strchr(words.v[i], '=') && words.v[i][0] != '-')
        i++; /* CC="gcc" perl ... : an assignment before the command */
    int compiles = i < words.n && list_has(&words, "-c") && !strstr(words.v[i], "perl");
    for (i++; compiles && i < words.n; i++) {
        size_t more = takes_value(words.v[i]) && i + 1 < words.n;
        compile_word(c, words.v[i], more ? words.v[i + 1] : NULL);
        i += more;
    }
    list_free(&words);
    if (compiles && c->kind != INPUT_NONE)
        return 1;
    compile_free(c);
    return 0;
}

int buildlog_is_compile(const char *line)
{
    struct compile c;
    if (!compile_parse(line, &c))
        return 0;
    compile_free(&c);
    return 1;
}

/* The distinct compile lines by their flags, and how often each came. */
struct variant {
    char *flags;
    struct list defines;
    size_t count;
};

struct variants {
    struct variant *v;
    size_t n;
};

static void variants_count(struct variants *all, const struct compile *c)
{
    char *flags = list_join(&c->flags, " ");
    for (size_t i = 0; i < all->n; i++)
        if (strcmp(all->v[i].flags, flags) == 0) {
            all->v[i].count++;
            free(flags);
            return;
        }
    all->v = xreallocarray(all->v, all->n + 1, sizeof *all->v);
    all->v[all->n] = (struct variant){.flags = flags, .count = 1};
    list_add_all(&all->v[all->n].defines, &c->defines);
    all->n++;
}

/* Moves the most frequent one to out; the first of equals. Frees the rest. */
static void variants_end(struct variants *all, struct buildlog *out)
{
    size_t best = 0;
    for (size_t i = 1; i < all->n; i++)
        if (all->v[i].count > all->v[best].count)
            best = i;
    out->flags = xstrdup(all->n ? all->v[best].flags : "");
    if (all->n)
        list_add_all(&out->defines, &all->v[best].defines);
    for (size_t i = 0; i < all->n; i++) {
        free(all->v[i].flags);
        list_free(&all->v[i].defines);
    }
    free(all->v);
}

static char *levels_text(struct list *levels)
{
    list_sort_unique(levels);
    if (levels->n == 0)
        return xstrdup("");
    if (levels->n == 1)
        return xstrdup(strcmp(levels->v[0], "none") ? levels->v[0] : "");
    char *joined = list_join(levels, " ");
    char *text = xasprintf("mixed: %s", joined);
    free(joined);
    return text;
}

static void levels_count(const struct compile *c, struct list *levels, struct buildlog *out)
{
    const char *last = c->levels.n ? c->levels.v[c->levels.n - 1] : "none";
    if (!list_has(levels, last))
        list_add(levels, last);
    if (c->levels.n < 2)
        return;
    out->repeated = 1;
    if (!out->repeated_example)
        out->repeated_example = list_join(&c->levels, " ... ");
}

void buildlog_read(const char *text, struct buildlog *out)
{
    struct variants variants = {0};
    struct list levels = LIST_INIT;
    struct str copy = STR_INIT;
    const char *line;
    size_t n;
    *out = (struct buildlog){0};
    while (line_next(&text, &line, &n)) {
        struct compile c;
        copy.n = 0;
        str_addn(&copy, line, n);
        if (!compile_parse(copy.p, &c))
            continue;
        if (c.kind == INPUT_ASM) {
            list_add(&out->asm_modules, c.input);
        } else {
            out->compile_lines++;
            variants_count(&variants, &c);
            levels_count(&c, &levels, out);
        }
        compile_free(&c);
    }
    list_sort_unique(&out->asm_modules);
    out->optimisation = levels_text(&levels);
    variants_end(&variants, out);
    list_free(&levels);
    str_free(&copy);
}

void buildlog_free(struct buildlog *l)
{
    free(l->flags);
    free(l->optimisation);
    free(l->repeated_example);
    list_free(&l->defines);
    list_free(&l->asm_modules);
    *l = (struct buildlog){0};
}

/* What a line that names a cause contains, in the order of trust: the first pattern group that
 * matches any line decides, and within it the first line. A full disk shows up as all sorts of
 * errors, so it comes first; make's and collect2's summaries come last. */
static const char *const cause_disk[] = {"No space left on device", "Disk quota exceeded", NULL};
static const char *const cause_tool[] = {
    ": error: ",
    ": fatal error: ",
    ": Error: ", /* GNU as */
    ": Fatal error: ",
    "error in backend: ", /* clang */
    "undefined reference to",
    "multiple definition of",
    "cannot find -l",
    "file format not recognized",
    "file in wrong format",
    "recompile with -fPIC",
    "No rule to make target",
    "Can't locate ", /* perl module */
    "Can't open perl script",
    "command not found",
    ": not found",
    "***** ", /* Configure on options it does not know */
    "Failure!",
    "Invalid target",
    "This system (",
    "Cannot allocate memory",
    "tar: ",
    "gzip: ",
    "xz: ",
    NULL,
};
static const char *const cause_summary[] = {": error:", "*** ", "ld returned", NULL};
static const char *const *const causes[] = {cause_disk, cause_tool, cause_summary};

static int line_has(const char *line, size_t n, const char *const *patterns)
{
    for (; *patterns; patterns++)
        if (memmem(line, n, *patterns, strlen(*patterns)))
            return 1;
    return 0;
}

/* A line of an error for people, without the indent, at most so many bytes. */
static char *line_text(const char *line, size_t n)
{
    enum { LINE_MAX_BYTES = 400 };
    while (n && (*line == ' ' || *line == '\t'))
        line++, n--;
    while (n && (line[n - 1] == ' ' || line[n - 1] == '\t'))
        n--;
    if (n <= LINE_MAX_BYTES)
        return xstrndup(line, n);
    return xasprintf("%.*s...", LINE_MAX_BYTES, line);
}

char *buildlog_first_error(const char *text)
{
    const char *line, *p;
    size_t n;
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
        p = text;
        while (line_next(&p, &line, &n))
            if (line[0] != '#' && line_has(line, n, causes[i]))
                return line_text(line, n);
    }
    char *last = NULL;
    p = text;
    while (line_next(&p, &line, &n)) {
        if (line[0] == '#' || strspn(line, " \t\r") >= n)
            continue;
        free(last);
        last = line_text(line, n);
    }
    return last ? last : xstrdup("");
}

void linker_warnings(const char *stderr_text, struct list *out)
{
    /* glibc says this of every function that needs its shared parts at run time; none of them
     * is on a path that is measured. */
    static const char *const known[] = {
        "in statically linked applications requires at runtime the shared libraries", NULL};
    static const char *const contexts[] = {": in function `", ": in function '", NULL};
    const char *context = NULL, *line;
    size_t context_n = 0, n;
    while (line_next(&stderr_text, &line, &n)) {
        if (line[0] == '#' || strspn(line, " \t\r") >= n || line_has(line, n, known))
            continue;
        if (line_has(line, n, contexts) && line[n - 1] == ':') {
            context = line;
            context_n = n;
            continue;
        }
        /* Only "file:(section+0x0): ..." belongs to the function named before. */
        if (context && memmem(line, n, ":(", 2))
            list_addf(out, "%.*s %.*s", (int)context_n, context, (int)n, line);
        else
            list_addn(out, line, n);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "compiler.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "mem.h"
#include "spawn.h"

enum {
    ASK_MS = 20000,    /* a compiler answers in milliseconds; a cold network disk takes longer */
    VERSION_FIRST = 4, /* gcc-N and clang-N looked for by compiler_scan */
    VERSION_LAST = 30,
};

static const char *const families[] = {"gcc", "clang"};
enum { FAMILIES = sizeof families / sizeof *families };

/* 1 when word is the family's name alone or with "-N". */
static int word_is(const char *word, const char *family)
{
    size_t n = strlen(family);
    if (strncmp(word, family, n) != 0)
        return 0;
    if (word[n] == '\0')
        return 1;
    if (word[n] != '-' || !word[n + 1])
        return 0;
    const char *version = word + n + 1;
    return version[strspn(version, "0123456789.")] == '\0';
}

void compiler_env(struct list *env)
{
    static const char *const kept[] = {"PATH", "HOME", "TMPDIR"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        const char *value = getenv(kept[i]);
        if (value)
            list_addf(env, "%s=%s", kept[i], value);
    }
    list_add(env, "LC_ALL=C");
}

/* Output of the compiler called with further arguments (NULL-terminated); trimmed. */
static int compiler_ask(const struct compiler *c, const struct list *flags,
                        const char *const *arguments, char **out, struct err *e)
{
    struct list argv = LIST_INIT, env = LIST_INIT;
    struct str text = STR_INIT;
    list_add_all(&argv, &c->argv);
    if (flags)
        list_add_all(&argv, flags);
    for (; *arguments; arguments++)
        list_add(&argv, *arguments);
    compiler_env(&env);
    int r = spawn_output(&argv, &env, NULL, ASK_MS, &text, NULL, e);
    str_trim(&text);
    *out = r ? NULL : str_take(&text);
    str_free(&text);
    list_free(&argv);
    list_free(&env);
    return r;
}

static int compiler_ask1(const struct compiler *c, const char *argument, char **out, struct err *e)
{
    return compiler_ask(c, NULL, (const char *const[]){argument, NULL}, out, e);
}

/* Value of a macro in the output of -dM -E, caller owns; NULL when it is not defined. */
static char *macro_value(const char *macros, const char *name)
{
    char *start = xasprintf("#define %s ", name);
    const char *p = macros;
    while ((p = strstr(p, start)) != NULL && p != macros && p[-1] != '\n')
        p++;
    char *value = NULL;
    if (p) {
        p += strlen(start);
        value = xstrndup(p, strcspn(p, "\r\n"));
    }
    free(start);
    return value;
}

static long macro_number(const char *macros, const char *name)
{
    char *value = macro_value(macros, name);
    long n = value ? strtol(value, NULL, 10) : -1;
    free(value);
    return n;
}

static int macro_has(const char *macros, const char *name)
{
    char *value = macro_value(macros, name);
    int has = value != NULL;
    free(value);
    return has;
}

/* What tells that a compiler makes code for a machine. */
static const struct arch {
    int machine;
    const char *macro;
} archs[] = {
    {EM_386, "__i386__"},        {EM_68K, "__m68k__"},
    {EM_AARCH64, "__aarch64__"}, {EM_ALPHA, "__alpha__"},
    {EM_ARM, "__arm__"},         {EM_CSKY, "__csky__"},
    {EM_IA_64, "__ia64__"},      {EM_LOONGARCH, "__loongarch__"},
    {EM_MIPS, "__mips__"},       {EM_OPENRISC, "__or1k__"},
    {EM_PARISC, "__hppa__"},     {EM_PPC64, "__powerpc64__"},
    {EM_PPC, "__powerpc__"},     {EM_RISCV, "__riscv"},
    {EM_S390, "__s390__"},       {EM_SH, "__sh__"},
    {EM_SPARC, "__sparc__"},     {EM_SPARCV9, "__sparc__"},
    {EM_X86_64, "__x86_64__"},   {EM_XTENSA, "__xtensa__"},
};

/* The machine the macros are of, with the first row that fits; -1 if none does. */
static int macros_machine(const char *macros)
{
    for (size_t i = 0; i < sizeof archs / sizeof *archs; i++)
        if (macro_has(macros, archs[i].macro))
            return archs[i].machine;
    return -1;
}

static int macros_are_for(const char *macros, const struct elf_id *want)
{
    const struct arch *a = NULL;
    for (size_t i = 0; i < sizeof archs / sizeof *archs && !a; i++)
        if (archs[i].machine == want->machine)
            a = &archs[i];
    /* A machine without a row is checked when the driver has been linked. */
    if (a && !macro_has(macros, a->macro))
        return 0;
    char *order = macro_value(macros, "__BYTE_ORDER__");
    int big = order && strcmp(order, "__ORDER_BIG_ENDIAN__") == 0;
    free(order);
    return big == want->big && 8 * macro_number(macros, "__SIZEOF_POINTER__") == want->bits;
}

static int compiler_macros(const struct compiler *c, const struct target *t, char **out,
                           struct err *e)
{
    static const char *const arguments[] = {"-dM", "-E", "-x", "c", "/dev/null", NULL};
    return compiler_ask(c, &t->cflags, arguments, out, e);
}

/* Family and version, from what the compiler defines. */
static int compiler_identify(struct compiler *c, const char *macros, struct err *e)
{
    static const struct version {
        const char *family, *marker, *major, *minor, *patch;
    } versions[] = {
        /* clang defines gcc's macros too, so it is asked first */
        {"clang", "__clang__", "__clang_major__", "__clang_minor__", "__clang_patchlevel__"},
        {"gcc", "__GNUC__", "__GNUC__", "__GNUC_MINOR__", "__GNUC_PATCHLEVEL__"},
    };
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        const struct version *v = &versions[i];
        if (!macro_has(macros, v->marker))
            continue;
        c->family = xstrdup(v->family);
        c->version = xasprintf("%ld.%ld.%ld", macro_number(macros, v->major),
                               macro_number(macros, v->minor), macro_number(macros, v->patch));
        return 0;
    }
    return err_set(e, "'%s' is neither gcc nor clang: it defines neither __GNUC__ nor __clang__",
                   c->argv.v[0]);
}

/* Family, version and the check that it makes code for t. A clang called by path gets its
 * --target only now that it is known to be one. */
static int compiler_check(struct compiler *c, const struct target *t, struct err *e)
{
    char *macros = NULL;
    int r = -1;
    if (compiler_macros(c, t, &macros, e)) {
        err_prefix(e, "compiler '%s' for target %s: ", c->word, t->name);
        goto out;
    }
    if (compiler_identify(c, macros, e))
        goto out;
    if (!macros_are_for(macros, &t->elf) && strcmp(c->family, "clang") == 0 && c->argv.n == 1) {
        free(macros);
        list_addf(&c->argv, "--target=%s", t->triplet);
        if (compiler_macros(c, t, &macros, e))
            goto out;
    }
    if (!macros_are_for(macros, &t->elf)) {
        char *order = macro_value(macros, "__BYTE_ORDER__");
        struct elf_id is = {macros_machine(macros),
                            (int)(8 * macro_number(macros, "__SIZEOF_POINTER__")),
                            order && strcmp(order, "__ORDER_BIG_ENDIAN__") == 0};
        char *found = elf_id_text(&is), *want = elf_id_text(&t->elf);
        err_set(e, "compiler '%s' (%s) makes code for %s; target %s needs %s", c->word,
                c->argv.v[0], found, t->name, want);
        free(order);
        free(found);
        free(want);
        goto out;
    }
    r = 0;
out:
    free(macros);
    return r;
}

/* Adds a program the compiler calls, by content; without one (clang has no cc1) only its name. */
static int hash_add_program(struct hash *h, const struct compiler *c, const char *program,
                            struct err *e)
{
    char *ask = xasprintf("-print-prog-name=%s", program), *name = NULL, *path = NULL;
    int r = compiler_ask1(c, ask, &name, e);
    if (r == 0) {
        path = path_program(name);
        hash_add_str(h, program);
        if (path)
            r = hash_add_file(h, path, e);
    }
    free(ask);
    free(name);
    free(path);
    return r;
}

static int compiler_hash(struct compiler *c, struct err *e)
{
    static const char *const programs[] = {"cc1", "as", "ld"};
    struct hash *h = hash_new();
    hash_add_str(h, c->banner);
    hash_add_str(h, c->machine);
    int r = hash_add_file(h, c->argv.v[0], e);
    for (size_t i = 0; i < sizeof programs / sizeof *programs && r == 0; i++)
        r = hash_add_program(h, c, programs[i], e);
    hash_end(h, c->hash);
    return r;
}

int compiler_is_same(const struct compiler *a, const struct compiler *b)
{
    char *pa = realpath(a->argv.v[0], NULL), *pb = realpath(b->argv.v[0], NULL);
    /* a wrapper such as ccache is one program for several compilers: their versions tell */
    int same = pa && pb && !strcmp(pa, pb) && a->argv.n == b->argv.n &&
               !strcmp(a->family, b->family) && !strcmp(a->version, b->version) &&
               !strcmp(a->machine, b->machine);
    for (size_t i = 1; same && i < a->argv.n; i++)
        same = !strcmp(a->argv.v[i], b->argv.v[i]);
    free(pa);
    free(pb);
    return same;
}

/* What comes before the family's name in a file name: "mips-openwrt-linux-" of
 * "mips-openwrt-linux-gcc-12.3". Caller owns; NULL when it is not so formed. */
static char *name_prefix(const char *base)
{
    for (size_t i = 0; i < FAMILIES; i++)
        for (const char *p = base; (p = strstr(p, families[i])) != NULL; p++)
            if ((p == base || p[-1] == '-') && word_is(p, families[i]))
                return xstrndup(base, (size_t)(p - base));
    return NULL;
}

static char *tool_at(const char *dir, const char *prefix, const char *tool)
{
    char *name = xasprintf("%s%s", prefix, tool), *full = dir ? path_join(dir, name) : NULL;
    char *path = path_program(full ? full : name);
    free(name);
    free(full);
    return path;
}

/* Finds a binutils program: beside the compiler under its own prefix, then on PATH under that
 * and the target's prefix, then the plain name on the target's own machine. */
static char *tool_find(const struct compiler *c, const struct target *t, const char *tool)
{
    const char *program = c->argv.v[0];
    char *dir = xstrndup(program, (size_t)(path_base(program) - program));
    char *prefix = name_prefix(path_base(program)), *path = NULL;
    if (prefix && *prefix)
        path = tool_at(*dir ? dir : NULL, prefix, tool);
    if (!path && prefix && *prefix)
        path = tool_at(NULL, prefix, tool);
    if (!path)
        path = tool_at(NULL, t->cross_prefix, tool);
    if (!path && target_is_native(t))
        path = tool_at(NULL, "", tool);
    free(dir);
    free(prefix);
    return path;
}

/* A triplet as Debian's package names have it: '_' is no letter of theirs. */
static char *package_triplet(const struct target *t)
{
    char *triplet = xstrdup(t->triplet);
    for (char *p = triplet; *p; p++)
        if (*p == '_')
            *p = '-';
    return triplet;
}

static int compiler_tools(struct compiler *c, const struct target *t, struct err *e)
{
    const struct tool {
        const char *name;
        char **path;
    } tools[] = {
        {"ar", &c->ar}, {"ranlib", &c->ranlib}, {"strip", &c->strip}, {"objcopy", &c->objcopy}};
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        *tools[i].path = tool_find(c, t, tools[i].name);
        if (*tools[i].path)
            continue;
        char *triplet = package_triplet(t);
        err_set(e, "no '%s%s' for target %s on PATH; install it: apt-get install binutils%s%s",
                t->cross_prefix, tools[i].name, t->name, target_is_native(t) ? "" : "-",
                target_is_native(t) ? "" : triplet);
        free(triplet);
        return -1;
    }
    return 0;
}

/* Full path of the program a word means for t, NULL when it is not there. *looked_for, caller
 * owns: the name for messages. */
static char *word_program(const char *word, const struct target *t, char **looked_for)
{
    char *path;
    if (!word_is(word, "gcc")) {
        *looked_for = xstrdup(word);
        return path_program(word);
    }
    *looked_for = xasprintf("%s%s", t->cross_prefix, word);
    path = path_program(*looked_for);
    if (!path && target_is_native(t))
        path = path_program(word);
    return path;
}

char *compiler_package(const char *word, const struct target *t)
{
    if (word_is(word, "clang") || (word_is(word, "gcc") && target_is_native(t)))
        return xstrdup(word);
    if (!word_is(word, "gcc"))
        return NULL;
    char *triplet = package_triplet(t);
    char *package = xasprintf("%s-%s", word, triplet);
    free(triplet);
    return package;
}

/* The error with what to install: the compiler and, for a cross one, the target's C library. */
static int compiler_missing(const char *word, const struct target *t, const char *looked_for,
                            struct err *e)
{
    char *package = compiler_package(word, t);
    if (!package)
        return err_set(e,
                       "no compiler '%s' for target %s: give gcc, gcc-N, clang, clang-N, or "
                       "the name or path of a program",
                       word, t->name);
    struct list packages = LIST_INIT;
    list_add(&packages, package);
    for (size_t i = 0; i < t->compiler_packages.n; i++)
        if (strncmp(t->compiler_packages.v[i], "gcc", 3) != 0)
            list_add(&packages, t->compiler_packages.v[i]);
    char *words = list_join(&packages, " ");
    err_set(e,
            "no compiler '%s' for target %s: '%s' is not on PATH; install it: apt-get install %s",
            word, t->name, looked_for, words);
    free(words);
    free(package);
    list_free(&packages);
    return -1;
}

int compiler_find(const char *word, const struct target *t, struct compiler *out, struct err *e)
{
    char *looked_for = NULL;
    *out = (struct compiler){0};
    out->word = xstrdup(word);
    char *program = word_program(word, t, &looked_for);
    if (!program) {
        compiler_missing(word, t, looked_for, e);
        goto fail;
    }
    list_add(&out->argv, program);
    if (word_is(word, "clang"))
        list_addf(&out->argv, "--target=%s", t->triplet);
    if (compiler_check(out, t, e) || compiler_ask1(out, "--version", &out->banner, e) ||
        compiler_ask1(out, "-dumpmachine", &out->machine, e) || compiler_tools(out, t, e))
        goto fail;
    out->banner[strcspn(out->banner, "\r\n")] = '\0';
    if (compiler_hash(out, e))
        goto fail;
    free(program);
    free(looked_for);
    return 0;
fail:
    free(program);
    free(looked_for);
    compiler_free(out);
    return -1;
}

int compiler_takes(const struct compiler *c, const char *option)
{
    struct err ignored = ERR_INIT;
    char *text = NULL;
    /* only preprocessing: no file is made */
    int takes =
        compiler_ask(c, NULL, (const char *const[]){option, "-E", "-x", "c", "/dev/null", NULL},
                     &text, &ignored) == 0;
    err_clear(&ignored);
    free(text);
    return takes;
}

void compiler_free(struct compiler *c)
{
    free(c->word);
    list_free(&c->argv);
    free(c->family);
    free(c->version);
    free(c->banner);
    free(c->machine);
    free(c->ar);
    free(c->ranlib);
    free(c->strip);
    free(c->objcopy);
    *c = (struct compiler){0};
}

static void scan_word(const char *word, const struct target *t, struct list *words)
{
    char *looked_for = NULL;
    char *path = word_program(word, t, &looked_for);
    if (path)
        list_add(words, word);
    free(path);
    free(looked_for);
}

void compiler_scan(const struct target *t, struct list *words)
{
    for (size_t i = 0; i < FAMILIES; i++) {
        scan_word(families[i], t, words);
        for (int n = VERSION_FIRST; n <= VERSION_LAST; n++) {
            char *word = xasprintf("%s-%d", families[i], n);
            scan_word(word, t, words);
            free(word);
        }
    }
}

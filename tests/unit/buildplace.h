/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_TEST_BUILDPLACE_H
#define CB_TEST_BUILDPLACE_H

/* A place to build in, for test_build.c and test_buildprocess.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "build.h"
#include "catalog.h"
#include "file.h"
#include "mem.h"
#include "spawn.h"

enum {
    JOBS = 2,
    RUN_MS = 60000,
    PATIENCE = 6000, /* naps of 10 ms until something that must happen counts as not happening */
};

/* A cache of its own, and the library "mini" with this machine's gcc. The driver is a small one,
 * but for one test. */
struct place {
    char *dir, *cache, *root, *gcc;
    struct library library;
    struct compiler compiler;
    struct target target;
};

/* What the watch was told. */
struct heard {
    int starts, ends, configures, notes;
    char *last_note;
    void (*at_note)(void);
};

static inline void heard_start(void *arg, const struct build *b, int nth, int total)
{
    struct heard *h = arg;
    assert_non_null(b->id);
    assert_in_range(nth, 1, total);
    h->starts++;
}

static inline void heard_step(void *arg, const struct build *b, const char *what)
{
    struct heard *h = arg;
    (void)b;
    h->configures += strcmp(what, "configure") == 0;
}

static inline void heard_end(void *arg, const struct build *b, int nth, int total, double seconds)
{
    struct heard *h = arg;
    (void)b;
    assert_in_range(nth, 1, total);
    assert_true(seconds >= 0);
    h->ends++;
}

static inline void heard_note(void *arg, const char *text)
{
    struct heard *h = arg;
    h->notes++;
    free(h->last_note);
    h->last_note = xstrdup(text);
    if (h->at_note)
        h->at_note();
}

static inline void file_put(const char *dir, const char *name, const char *text)
{
    struct err e = ERR_INIT;
    char *path = path_join(dir, name), *parent = xstrndup(path, (size_t)(path_base(path) - path));
    assert_int_equal(dir_make(parent, &e), 0);
    assert_int_equal(file_write_atomic(path, text, strlen(text), &e), 0);
    free(parent);
    free(path);
}

static inline int setup(void **state)
{
    static const char driver[] = "#include <openssl/crypto.h>\n#include <stdio.h>\n"
                                 "int main(void)\n{\n"
                                 "    puts(OpenSSL_version(OPENSSL_VERSION));\n"
                                 "    return 0;\n}\n";
    char dir[] = "/tmp/cb-build-XXXXXX";
    struct place *p = xcalloc(1, sizeof *p);
    struct err e = ERR_INIT;
    struct elf_file self;
    if (!mkdtemp(dir) || elf_read("/proc/self/exe", &self, &e))
        return -1;
    p->dir = realpath(dir, NULL);
    p->gcc = path_program("gcc");
    unsetenv("CRYPTO_BENCH_DATA");
    const char *given = getenv("CB_TEST_ROOT");
    p->root = given ? xstrdup(given) : data_dir();
    p->cache = path_join(p->dir, "cache");
    setenv("CRYPTO_BENCH_CACHE", p->cache, 1);
    file_put(p->dir, "data/bench/main.c", driver);
    char *data = path_join(p->dir, "data"), *mini = path_join(p->root, "tests/libraries/mini");
    setenv("CRYPTO_BENCH_DATA", data, 1);
    free(data);
    if (!p->gcc || library_find(mini, &p->library, &e))
        fail_msg("%s", e.text ? e.text : "the tests need gcc");
    free(mini);
    p->target = (struct target){.name = "native",
                                .triplet = "native-linux-gnu",
                                .cross_prefix = "",
                                .configure = "linux-native",
                                .elf = self.id};
    if (compiler_find("gcc", &p->target, &p->compiler, &e))
        fail_msg("%s", e.text);
    *state = p;
    return 0;
}

static inline int teardown(void **state)
{
    struct place *p = *state;
    struct err e = ERR_INIT;
    int r = tree_remove(p->dir, &e);
    library_free(&p->library);
    compiler_free(&p->compiler);
    list_free(&p->target.cflags);
    free(p->dir);
    free(p->cache);
    free(p->root);
    free(p->gcc);
    free(p);
    unsetenv("CRYPTO_BENCH_DATA");
    return r;
}

/* flags and arguments: words separated by spaces. */
static inline struct config config_of(const char *name, const char *flags, const char *arguments)
{
    struct config c = {0};
    c.name = xstrdup(name);
    if (*flags)
        list_split(&c.cflags, flags, ' ');
    if (*arguments)
        list_split(&c.configure, arguments, ' ');
    return c;
}

static inline void config_drop(struct config *c)
{
    free(c->name);
    list_free(&c->cflags);
    list_free(&c->configure);
}

static inline void init(const struct place *p, struct build *b, const struct config *c)
{
    struct err e = ERR_INIT;
    if (build_init(b, &p->library, &p->compiler, "gcc", c, &p->target, &e))
        fail_msg("%s", e.text);
}

/* The status of a build made alone. */
static inline enum status make(const struct place *p, const struct config *c, int rebuild,
                               struct build *b, struct heard *h)
{
    struct heard none = {0};
    struct err e = ERR_INIT;
    struct build_watch w = {heard_start, heard_step, heard_end, heard_note, NULL, h ? h : &none};
    init(p, b, c);
    if (build_all((struct build *const[]){b}, 1, JOBS, rebuild, &w, &e))
        fail_msg("%s", e.text);
    free(none.last_note);
    return b->status;
}

static inline void assert_nothing_left(const struct place *p)
{
    struct list left = LIST_INIT;
    struct err e = ERR_INIT;
    char *tmp = path_join(p->cache, "tmp");
    assert_int_equal(dir_list(tmp, "", &left, &e), 0);
    assert_int_equal(left.n, 0);
    free(tmp);
}

static inline void assert_driver_works(const struct build *b)
{
    struct list argv = LIST_INIT;
    struct str out = STR_INIT;
    struct err e = ERR_INIT;
    list_add(&argv, b->driver);
    assert_int_equal(spawn_output(&argv, NULL, NULL, RUN_MS, &out, NULL, &e), 0);
    assert_string_equal(out.p, "OpenSSL 1.1.1-mini 1 Jan 2000\n");
    str_free(&out);
    list_free(&argv);
}

static inline void nap(void)
{
    nanosleep(&(struct timespec){0, 10000000}, NULL);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <elf.h>
#include <stdio.h>

#include "buildplace.h"

static void builds_side_by_side(void **state)
{
    struct place *p = *state;
    struct config c[] = {config_of("Os", "-Os", ""), config_of("two", "-O3 -Os", "no-asm"),
                         config_of("broken", "-Os -DMINI_BREAK", ""),
                         config_of("odd", "-Os", "no-such-option")};
    enum { N = sizeof c / sizeof *c };
    struct build b[N];
    struct build *all[N];
    struct heard h = {0};
    struct err e = ERR_INIT;
    struct build_watch w = {heard_start, heard_step, heard_end, heard_note, NULL, &h};
    for (size_t i = 0; i < N; i++) {
        init(p, &b[i], &c[i]);
        all[i] = &b[i];
        assert_false(build_is_cached(&b[i]));
    }
    assert_string_equal(b[0].id, "mini/gcc/Os/native");
    assert_int_equal(build_all(all, N, JOBS, 0, &w, &e), 0);
    assert_int_equal(h.starts, N);
    assert_int_equal(h.ends, N);
    assert_nothing_left(p);

    assert_int_equal(b[0].status, STATUS_OK);
    assert_null(b[0].reason);
    assert_null(b[0].log);
    assert_false(b[0].was_cached);
    const struct build_facts *f = &b[0].facts;
    assert_string_equal(f->version_text, "OpenSSL 1.1.1-mini 1 Jan 2000");
    assert_string_equal(f->configure, "linux-native");
    assert_string_equal(f->optimisation, "-Os");
    assert_false(f->optimisation_repeated);
    assert_string_equal(f->flags, "-fPIC -pthread -Wa,--noexecstack -Os");
    assert_int_equal(f->asm_modules.n, 1);
    assert_string_equal(f->asm_modules.v[0], "minicpuid.S");
    assert_int_equal(f->linker_warnings.n, 0);
    assert_int_equal(f->sizes.archive.members, 4);
    assert_true(f->sizes.archive.text > 0);
    assert_true(f->sizes.archive.data >= 4); /* minicpuid.S has a word */
    assert_true(f->sizes.have_shared);
    assert_true(f->sizes.shared_stripped > f->sizes.shared_gzip && f->sizes.shared_gzip > 0);
    assert_true(f->sizes.shared_xz > 0);
    assert_true(elf_id_equal(&b[0].driver_elf, &p->target.elf));
    assert_int_equal(strlen(b[0].driver_sha256), 64);
    assert_driver_works(&b[0]);

    assert_int_equal(b[1].status, STATUS_OK);
    assert_string_equal(b[1].facts.optimisation, "-Os");
    assert_true(b[1].facts.optimisation_repeated);
    assert_true(b[1].facts.have_asm_modules);
    assert_int_equal(b[1].facts.asm_modules.n, 0);

    assert_int_equal(b[2].status, STATUS_BUILD_FAILED);
    assert_non_null(strstr(b[2].reason, "crypto/digest.c:"));
    assert_non_null(strstr(b[2].reason, "MINI_BREAK is among the flags"));
    struct str log = STR_INIT;
    assert_int_equal(file_read(b[2].log, 1 << 20, &log, &e), 0);
    assert_non_null(strstr(log.p, b[2].reason));
    assert_non_null(strstr(log.p, "# perl ./Configure linux-native no-shared no-tests"));
    assert_null(strstr(log.p, p->dir)); /* nothing depends on where it was made */
    str_free(&log);

    assert_int_equal(b[3].status, STATUS_BUILD_FAILED);
    assert_string_equal(b[3].reason, "***** Unsupported options: no-such-option");

    /* A second time: what is there is taken, what failed is tried again. */
    char *driver = xstrdup(b[0].driver);
    for (size_t i = 0; i < N; i++) {
        build_free(&b[i]);
        init(p, &b[i], &c[i]);
        assert_int_equal(build_is_cached(&b[i]), i < 2);
    }
    struct heard again = {0};
    w.arg = &again;
    assert_int_equal(build_all(all, N, JOBS, 0, &w, &e), 0);
    assert_int_equal(again.starts, 2);
    assert_true(b[0].was_cached && b[1].was_cached);
    assert_string_equal(b[0].driver, driver);
    assert_string_equal(b[0].facts.flags, "-fPIC -pthread -Wa,--noexecstack -Os");
    assert_int_equal(b[0].facts.sizes.archive.members, 4);
    assert_true(b[1].facts.optimisation_repeated);
    assert_int_equal(b[2].status, STATUS_BUILD_FAILED);
    free(driver);
    for (size_t i = 0; i < N; i++) {
        build_free(&b[i]);
        config_drop(&c[i]);
    }
}

static void file_spoil(const char *path, long at, const char *text)
{
    FILE *f = fopen(path, "r+");
    assert_non_null(f);
    assert_int_equal(fseek(f, at, SEEK_SET), 0);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void rebuilds_what_is_damaged(void **state)
{
    struct place *p = *state;
    struct config c = config_of("Os", "-Os", "");
    struct build b;
    assert_int_equal(make(p, &c, 0, &b, NULL), STATUS_OK);
    char *driver = xstrdup(b.driver);
    char *record = xasprintf("%s/builds/%s/build.json", p->cache, b.key);
    char *archive = xasprintf("%s/builds/%s/libcrypto.a", p->cache, b.key);
    const struct row {
        const char *path;
        long at;
        const char *text;
        int truncate, remove_driver;
        int configures; /* is the library made again? */
    } rows[] = {
        {driver, 1000, "spoilt", 0, 0, 0},
        {record, 0, "no json", 0, 0, 1},
        {archive, 0, "", 1, 0, 1},
        /* the size is right, the contents are not: noticed before it is linked */
        {archive, 500, "spoilt", 0, 1, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct heard h = {0};
        file_spoil(rows[i].path, rows[i].at, rows[i].text);
        if (rows[i].truncate)
            assert_int_equal(truncate(rows[i].path, 100), 0);
        if (rows[i].remove_driver)
            assert_int_equal(unlink(driver), 0);
        build_free(&b);
        init(p, &b, &c);
        assert_false(build_is_cached(&b));
        build_free(&b);
        assert_int_equal(make(p, &c, 0, &b, &h), STATUS_OK);
        assert_false(b.was_cached);
        assert_int_equal(h.configures, rows[i].configures);
        assert_driver_works(&b);
    }
    assert_nothing_left(p);
    free(driver);
    free(record);
    free(archive);
    build_free(&b);
    config_drop(&c);
}

static void key_get(const struct place *p, const struct config *c, char key[65],
                    char driver_key[65])
{
    struct build b;
    init(p, &b, c);
    memcpy(key, b.key, 65);
    memcpy(driver_key, b.driver_key, 65);
    build_free(&b);
}

static void keys_follow_what_shapes_a_build(void **state)
{
    struct place *p = *state;
    struct config base = config_of("Os", "-Os", ""), name = config_of("renamed", "-Os", ""),
                  flags = config_of("Os", "-O2", ""), arguments = config_of("Os", "-Os", "no-asm"),
                  moved = config_of("Os", "", "-Os");
    char key[65], driver[65], other[65], other_driver[65];
    key_get(p, &base, key, driver);
    assert_int_equal(strlen(key), 64);
    assert_string_not_equal(key, driver);

    key_get(p, &name, other, other_driver);
    assert_string_equal(other, key);
    assert_string_equal(other_driver, driver);
    setenv("CRYPTO_BENCH_CACHE", "/nonexistent", 1);
    key_get(p, &base, other, other_driver);
    setenv("CRYPTO_BENCH_CACHE", p->cache, 1);
    assert_string_equal(other, key);

    const struct config *const differ[] = {&flags, &arguments, &moved};
    for (size_t i = 0; i < 3; i++) {
        key_get(p, differ[i], other, other_driver);
        assert_string_not_equal(other, key);
        assert_string_not_equal(other_driver, driver);
    }
    list_add(&p->target.cflags, "-g0");
    key_get(p, &base, other, other_driver);
    assert_string_not_equal(other, key);
    list_free(&p->target.cflags);
    p->target.cflags = (struct list)LIST_INIT;
    char saved = p->compiler.hash[0];
    p->compiler.hash[0] = saved == '0' ? '1' : '0';
    key_get(p, &base, other, other_driver);
    assert_string_not_equal(other, key);
    p->compiler.hash[0] = saved;
    saved = p->library.content_hash[0];
    p->library.content_hash[0] = saved == '0' ? '1' : '0';
    key_get(p, &base, other, other_driver);
    assert_string_not_equal(other, key);
    p->library.content_hash[0] = saved;

    /* Another driver, the same library. */
    file_put(p->dir, "data/bench/more.h", "/* new */\n");
    key_get(p, &base, other, other_driver);
    assert_string_equal(other, key);
    assert_string_not_equal(other_driver, driver);
    config_drop(&base);
    config_drop(&name);
    config_drop(&flags);
    config_drop(&arguments);
    config_drop(&moved);
}

static void equal_builds_are_made_once(void **state)
{
    struct place *p = *state;
    struct config c[] = {config_of("a", "-Os", ""), config_of("b", "-Os", "")};
    struct build b[2];
    struct build *const all[] = {&b[0], &b[1]};
    struct heard h = {0};
    struct err e = ERR_INIT;
    struct build_watch w = {heard_start, heard_step, heard_end, heard_note, NULL, &h};
    for (int rebuild = 0; rebuild < 2; rebuild++) {
        h = (struct heard){0};
        init(p, &b[0], &c[0]);
        init(p, &b[1], &c[1]);
        assert_int_equal(build_all(all, 2, JOBS, rebuild, &w, &e), 0);
        assert_int_equal(b[0].status, STATUS_OK);
        assert_int_equal(b[1].status, STATUS_OK);
        assert_int_equal(h.configures, 1);
        assert_int_equal(h.notes, 0); /* no other process to wait for */
        assert_string_equal(b[0].driver, b[1].driver);
        build_free(&b[0]);
        build_free(&b[1]);
    }
    config_drop(&c[0]);
    config_drop(&c[1]);
}

static void needs_tools_and_plain_flags(void **state)
{
    struct place *p = *state;
    struct config c = config_of("Os", "-Os", ""), odd = config_of("odd", "-Os -DX=$(id)", "");
    struct build b;
    char *path = xstrdup(getenv("PATH"));
    setenv("PATH", p->dir, 1);
    enum status s = make(p, &c, 0, &b, NULL);
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(s, STATUS_BUILD_FAILED);
    assert_non_null(strstr(b.reason, "apt-get install perl"));
    assert_null(b.log);
    build_free(&b);
    assert_int_equal(make(p, &odd, 0, &b, NULL), STATUS_BUILD_FAILED);
    assert_non_null(strstr(b.reason, "config odd"));
    assert_non_null(strstr(b.reason, "'-DX=$(id)'"));
    build_free(&b);
    config_drop(&c);
    config_drop(&odd);
}

static void a_missing_source_is_no_build_failure(void **state)
{
    struct place *p = *state;
    struct config c[] = {config_of("a", "-Os", ""), config_of("b", "-O2", "")};
    struct library l = {.kind = LIBRARY_RELEASE, .name = "gone", .archive = "gone-1.tar.gz"};
    struct build b[2];
    struct build *const all[] = {&b[0], &b[1]};
    struct err e = ERR_INIT;
    l.path = path_join(p->dir, "gone.json");
    memset(l.sha256, 'a', 64);
    memset(l.content_hash, 'a', 64);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(build_init(&b[i], &l, &p->compiler, "gcc", &c[i], &p->target, &e), 0);
    assert_int_equal(build_all(all, 2, JOBS, 0, NULL, &e), 0);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(b[i].status, STATUS_SOURCE_MISSING);
        assert_non_null(strstr(b[i].reason, "gone-1.tar.gz"));
        assert_null(b[i].log);
        build_free(&b[i]);
        config_drop(&c[i]);
    }
    assert_nothing_left(p);
    free(l.path);
}

static void takes_a_prefix_as_it_is(void **state)
{
    struct place *p = *state;
    struct config c = config_of("Os", "-Os", ""), as_built = config_of("as-built", "", "");
    struct build b, made;
    assert_int_equal(make(p, &c, 0, &made, NULL), STATUS_OK);
    struct library tree = p->library, prefix = {.kind = LIBRARY_PREFIX, .name = "prefix"};
    memset(prefix.content_hash, 'b', 64);
    prefix.prefix_archive = xasprintf("%s/builds/%s/libcrypto.a", p->cache, made.key);
    prefix.prefix_include = xasprintf("%s/builds/%s/include", p->cache, made.key);
    p->library = prefix;
    struct heard h = {0};
    assert_int_equal(make(p, &as_built, 0, &b, &h), STATUS_OK);
    assert_int_equal(h.configures, 0);
    assert_driver_works(&b);
    assert_null(b.facts.optimisation);
    assert_null(b.facts.configure);
    assert_false(b.facts.have_asm_modules);
    assert_string_equal(b.facts.version_text, made.facts.version_text);
    assert_memory_equal(&b.facts.sizes.archive, &made.facts.sizes.archive,
                        sizeof b.facts.sizes.archive);
    assert_int_equal(b.facts.sizes.shared_stripped, made.facts.sizes.shared_stripped);
    build_free(&b);
    init(p, &b, &as_built);
    assert_true(build_is_cached(&b));
    build_free(&b);

    p->target.elf = (struct elf_id){EM_MIPS, 32, 1};
    p->target.triplet = "mips-linux-gnu";
    assert_int_equal(make(p, &as_built, 0, &b, NULL), STATUS_WRONG_MACHINE);
    assert_non_null(strstr(b.reason, "MIPS 32-bit big-endian"));
    build_free(&b);
    build_free(&made);
    p->library = tree;
    free(prefix.prefix_archive);
    free(prefix.prefix_include);
    config_drop(&c);
    config_drop(&as_built);
}

/* The real driver against mini: it links, starts, and is not fooled. */
static void real_driver_finds_wrong_answers(void **state)
{
    struct place *p = *state;
    struct config c = config_of("Os", "-Os", "");
    struct build b;
    struct err e = ERR_INIT;
    setenv("CRYPTO_BENCH_DATA", p->root, 1);
    enum status s = make(p, &c, 0, &b, NULL);
    if (s != STATUS_OK)
        fail_msg("%s", b.reason);
    assert_int_equal(b.facts.linker_warnings.n, 0);
    struct str out = STR_INIT;
    struct list argv = LIST_INIT;
    struct spawn child = SPAWN_INIT;
    struct spawn_end end;
    int to[2], from[2];
    static const char commands[] = "check aes-128-gcm\nquit\n";
    assert_int_equal(pipe(to), 0);
    assert_int_equal(pipe(from), 0);
    assert_int_equal(write(to[1], commands, strlen(commands)), strlen(commands));
    close(to[1]);
    list_add(&argv, b.driver);
    child.argv = &argv;
    child.in_fd = to[0];
    child.out_fd = from[1];
    pid_t pid = spawn_start(&child, &e);
    close(from[1]);
    assert_true(pid > 0);
    char buf[4096];
    for (ssize_t n; (n = read(from[0], buf, sizeof buf)) > 0;)
        str_addn(&out, buf, (size_t)n);
    assert_int_equal(spawn_wait(pid, RUN_MS, &end, &e), 0);
    assert_non_null(out.p);
    assert_non_null(strstr(out.p, "\"error\":\"wrong-answer\""));
    close(from[0]);
    close(to[0]);
    str_free(&out);
    list_free(&argv);
    build_free(&b);
    config_drop(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(builds_side_by_side),
        TEST(rebuilds_what_is_damaged),
        TEST(keys_follow_what_shapes_a_build),
        TEST(equal_builds_are_made_once),
        TEST(needs_tools_and_plain_flags),
        TEST(a_missing_source_is_no_build_failure),
        TEST(takes_a_prefix_as_it_is),
        TEST(real_driver_finds_wrong_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

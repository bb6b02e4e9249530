/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/* The driver: answers the commands of docs/protocol.md, one JSON object a line. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/err.h>

#include "algorithms.h"
#include "cipher.h"
#include "count.h"
#include "cycles.h"
#include "emit.h"
#include "fail.h"
#include "info.h"
#include "kat.h"
#include "line.h"
#include "measure.h"
#include "perf.h"
#include "op.h"

#define SAMPLE_NS_MIN UINT64_C(1000)
#define SAMPLE_NS_MAX UINT64_C(10000000000)
#define COUNT_MAX     10000

#define WORDS_MAX 8

struct command {
    const char *name;
    size_t words; /* with the name */
    const char *usage;
    /* Writes the answer up to its end, or fails with -1 and nothing written. */
    int (*run)(char **words, struct fail *f);
    int last; /* the driver ends after it */
};

#define ROW(name, summary, kind, key, iv, block, def, evp) +1
static int checked[0 ALGORITHMS(ROW)];
#undef ROW

static const struct cipher *cipher_named(const char *name, struct fail *f)
{
    const struct cipher *c = cipher_find(name);

    if (c == NULL)
        fail_set(f, FAIL_BAD_COMMAND, "unknown algorithm '%.100s'", name);
    return c;
}

static int info_run(char **words, struct fail *f)
{
    (void)words;
    (void)f;
    info_emit();
    return 0;
}

static int check_long_run(char **words, struct fail *f)
{
    const struct cipher *c = cipher_named(words[1], f);
    int vectors = c == NULL ? -1 : kat_check(c, 1, f);

    if (vectors < 0)
        return -1;
    emit_begin(1);
    emit_text("alg", c->name);
    emit_uint("vectors", (uint64_t)vectors);
    return 0;
}

static int check_run(char **words, struct fail *f)
{
    const struct cipher *c = cipher_named(words[1], f);
    int vectors;

    if (c == NULL)
        return -1;
    vectors = kat_check(c, 0, f);
    checked[cipher_index(c)] = vectors > 0;
    if (vectors < 0)
        return -1;
    emit_begin(1);
    emit_text("alg", c->name);
    emit_uint("vectors", (uint64_t)vectors);
    return 0;
}

/* What `time` and `count` have in common: WORKLOAD ALG OP BYTES. */
static int work_parse(char **words, struct measure_request *r, struct fail *f)
{
    r->cipher = cipher_named(words[2], f);
    if (r->cipher == NULL)
        return -1;
    r->workload = workload_find(words[1]);
    if (r->workload == NULL)
        return fail_set(f, FAIL_BAD_COMMAND, "unknown workload '%.100s'", words[1]);
    r->encrypt = op_direction(words[3]);
    if (r->encrypt < 0)
        return fail_set(f, FAIL_BAD_COMMAND, "unknown operation '%.100s'", words[3]);
    if (line_number(words[4], 1, BLOCK_BYTES_MAX, &r->bytes) != 0 ||
        r->bytes % r->cipher->block != 0)
        return fail_set(f, FAIL_BAD_COMMAND,
                        "BYTES is '%.100s', not a multiple of %u from %u to %u", words[4],
                        (unsigned)r->cipher->block, (unsigned)r->cipher->block, BLOCK_BYTES_MAX);
    return 0;
}

static int time_parse(char **words, struct measure_request *r, struct fail *f)
{
    if (work_parse(words, r, f) != 0)
        return -1;
    if (line_number(words[5], SAMPLE_NS_MIN, SAMPLE_NS_MAX, &r->sample_ns) != 0)
        return fail_set(f, FAIL_BAD_COMMAND,
                        "SAMPLE_NS is '%.100s', not a number from %" PRIu64 " to %" PRIu64,
                        words[5], SAMPLE_NS_MIN, SAMPLE_NS_MAX);
    if (line_number(words[6], 1, COUNT_MAX, &r->count) != 0)
        return fail_set(f, FAIL_BAD_COMMAND, "COUNT is '%.100s', not a number from 1 to %d",
                        words[6], COUNT_MAX);
    return 0;
}

/* 0 when the algorithm is there and was found to work. */
static int work_allowed(const struct measure_request *r, struct fail *f)
{
    if (cipher_implementation(r->cipher) == NULL)
        return fail_set(f, FAIL_UNSUPPORTED, "the library does not offer %s", r->cipher->name);
    if (!checked[cipher_index(r->cipher)])
        return fail_set(f, FAIL_UNCHECKED, "no successful `check %s` before", r->cipher->name);
    return 0;
}

static void work_emit(char **words, const struct measure_request *r)
{
    emit_begin(1);
    emit_text("workload", words[1]);
    emit_text("alg", words[2]);
    emit_text("op", words[3]);
    emit_uint("bytes", r->bytes);
}

static void cycles_emit(const struct measure_sample *samples, uint64_t count)
{
    emit_array("cycles");
    for (uint64_t i = 0; i < count; i++)
        if (samples[i].cycles != 0)
            emit_item_uint(samples[i].cycles);
        else
            emit_item_null();
    emit_array_end();
}

static int time_run(char **words, struct fail *f)
{
    struct measure_request r = {0};
    struct measure_sample *samples;

    if (time_parse(words, &r, f) != 0 || work_allowed(&r, f) != 0)
        return -1;
    samples = malloc((size_t)r.count * sizeof *samples);
    if (samples == NULL)
        return fail_set(f, FAIL_NO_MEMORY, "no memory for %" PRIu64 " samples", r.count);
    if (measure_take(&r, samples, f) != 0) {
        free(samples);
        return -1;
    }
    work_emit(words, &r);
    emit_array("samples");
    for (uint64_t i = 0; i < r.count; i++)
        emit_item_pair(samples[i].ops, samples[i].ns);
    emit_array_end();
    if (cycles_source() != NULL)
        cycles_emit(samples, r.count);
    free(samples);
    return 0;
}

static int cycles_command(char **words, struct fail *f)
{
    char why[CYCLES_WHY_BYTES];

    (void)words;
    if (cycles_start(why) != 0)
        return fail_set(f, FAIL_UNSUPPORTED, "no cycle counter: %s", why);
    emit_begin(1);
    emit_text("source", cycles_source());
    if (cycles_hz() != 0)
        emit_uint("hz", cycles_hz());
    else
        emit_null("hz");
    return 0;
}

static int count_command(char **words, struct fail *f)
{
    struct measure_request r = {0};

    if (work_parse(words, &r, f) != 0 || work_allowed(&r, f) != 0)
        return -1;
    if (count_run(r.workload, r.cipher, r.encrypt, (size_t)r.bytes, f) != 0)
        return -1;
    work_emit(words, &r);
    return 0;
}

static int perf_command(char **words, struct fail *f)
{
    struct measure_request r = {0};
    uint64_t insns[PERF_RUNS], empty[PERF_RUNS];

    if (work_parse(words, &r, f) != 0 || work_allowed(&r, f) != 0)
        return -1;
    if (perf_run(r.workload, r.cipher, r.encrypt, (size_t)r.bytes, insns, empty, f) != 0)
        return -1;
    work_emit(words, &r);
    emit_array("counts");
    for (int i = 0; i < PERF_RUNS; i++)
        emit_item_pair(insns[i], empty[i]);
    emit_array_end();
    return 0;
}

static int quit_run(char **words, struct fail *f)
{
    (void)words;
    (void)f;
    emit_begin(1);
    return 0;
}

static const struct command commands[] = {
    {"info", 1, "info", info_run, 0},
    {"check", 2, "check ALG", check_run, 0},
    {"check-long", 2, "check-long ALG", check_long_run, 0},
    {"time", 7, "time WORKLOAD ALG OP BYTES SAMPLE_NS COUNT", time_run, 0},
    {"cycles", 1, "cycles", cycles_command, 0},
    {"count", 5, "count WORKLOAD ALG OP BYTES", count_command, 0},
    {"perf", 5, "perf WORKLOAD ALG OP BYTES", perf_command, 0},
    {"quit", 1, "quit", quit_run, 1},
};

/* Command of a line, NULL when there is none. */
static const struct command *command_find(enum line kind, char *text, char **words, struct fail *f)
{
    size_t n;

    if (kind == LINE_BAD) {
        fail_set(f, FAIL_BAD_COMMAND, "a line is text of up to %d bytes", LINE_MAX_BYTES);
        return NULL;
    }
    n = line_split(text, words, WORDS_MAX);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(commands[i].name, words[0]) != 0)
            continue;
        if (n == commands[i].words)
            return &commands[i];
        fail_set(f, FAIL_BAD_COMMAND, "usage: %s", commands[i].usage);
        return NULL;
    }
    fail_set(
        f, FAIL_BAD_COMMAND,
        "unknown command '%.100s'; known: info, check, check-long, time, cycles, count, perf, quit",
        words[0]);
    return NULL;
}

static int answer(enum line kind, char *text, int *last)
{
    struct fail f = {FAIL_BAD_COMMAND, ""};
    char *words[WORDS_MAX] = {NULL};
    const struct command *c = command_find(kind, text, words, &f);

    ERR_clear_error();
    if (c == NULL || c->run(words, &f) != 0) {
        emit_begin(0);
        emit_text("error", fail_word_name(f.word));
        emit_text("detail", f.detail);
    } else {
        *last = c->last;
    }
    return emit_end();
}

int main(void)
{
    static char text[LINE_MAX_BYTES + 1];
    int last = 0;

    if (OPENSSL_init_crypto(LIBRARY_INIT_FLAGS, NULL) != 1) {
        fputs("driver: OPENSSL_init_crypto failed\n", stderr);
        return EXIT_FAILURE;
    }
    while (!last) {
        enum line kind = line_read(text);

        if (kind == LINE_END)
            break;
        if (answer(kind, text, &last) != 0) {
            perror("driver: standard output");
            return EXIT_FAILURE;
        }
    }
    measure_end();
    return EXIT_SUCCESS;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */

/*
 * A driver for tests: speaks docs/protocol.md, does no cryptography, and can be made to fail in
 * every way that a host must survive. Its times are exact: every operation "takes" --ns-per-op,
 * and it sleeps at least as long as it reports. FAKE_LIBRARY and FAKE_MODE in the environment stand
 * for --version and --mode where no options can be given.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../bench/algorithms.h"

/* Longest any mode stays when nobody ends it, seconds. */
enum { LIFE_SECONDS = 300 };

static const char *const algorithms[] = {
#define ROW(name, summary, kind, key, iv, block, def, evp) name,
    ALGORITHMS(ROW)
#undef ROW
};
static const char *const workloads[] = {
#define ROW(id, summary) id,
    WORKLOADS(ROW)
#undef ROW
};
static const char *const operations[] = {
#define ROW(name) name,
    OPERATIONS(ROW)
#undef ROW
};
#define COUNT(a) (sizeof(a) / sizeof(a)[0])
enum { ALGS = COUNT(algorithms) };

static const char *library;
static double ns_per_op = 1000;
static double drift = 0.1; /* growth of ns_per_op per second since started_ns, in mode drift */
static const char *only_alg;
static uint64_t only_bytes; /* 0: any */
static int bits = (int)sizeof(void *) * 8, big_endian;
static uint64_t started_ns;   /* of CLOCK_MONOTONIC; --since sets another */
static unsigned checks[ALGS]; /* how often each was asked for */
static int checked[ALGS];
static const char CYCLES_NONE[] = "no counter", CYCLES_MORE[] = "one more than samples";
static const uint64_t CYCLES_PER_NS = 2;
static const char *cycles; /* the mode's */
static int counts_cycles;  /* `cycles` was asked for */

/* What `time` asks for. */
struct job {
    const char *workload, *alg, *op;
    uint64_t bytes, sample_ns, count;
};

static uint64_t clock_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void sleep_until(uint64_t ns)
{
    uint64_t now;

    while ((now = clock_ns()) < ns) {
        struct timespec t = {(time_t)((ns - now) / 1000000000u), (long)((ns - now) % 1000000000u)};
        nanosleep(&t, NULL);
    }
}

static void sleep_for_ever(void)
{
    sleep_until(clock_ns() + LIFE_SECONDS * (uint64_t)1000000000u);
    exit(9);
}

static void die_by(int sig)
{
    signal(sig, SIG_DFL);
    raise(sig);
}

static void refuse(const char *error, const char *detail)
{
    printf("{\"ok\":false,\"error\":\"%s\",\"detail\":\"%s\"}\n", error, detail);
}

/* Works a sample's time and reports it. */
static void work(const struct job *j, uint64_t *ops, uint64_t *ns)
{
    double each = ns_per_op;
    uint64_t start = clock_ns();

    *ops = (uint64_t)((double)j->sample_ns / each);
    if (!*ops)
        *ops = 1;
    *ns = (uint64_t)((double)*ops * each);
    if (!*ns)
        *ns = 1;
    sleep_until(start + *ns);
}

static void answer_head(const struct job *j)
{
    printf("{\"ok\":true,\"workload\":\"%s\",\"alg\":\"%s\",\"op\":\"%s\",\"bytes\":%" PRIu64
           ",\"samples\":[",
           j->workload, j->alg, j->op, j->bytes);
}

static void answer_tail(const struct job *j, uint64_t ns)
{
    uint64_t n = j->count + (cycles == CYCLES_MORE);

    printf("]");
    for (uint64_t i = 0; i < n && counts_cycles; i++) {
        fputs(i ? "," : ",\"cycles\":[", stdout);
        if (cycles && cycles != CYCLES_MORE)
            printf("%s", cycles);
        else
            printf("%" PRIu64, CYCLES_PER_NS * ns);
    }
    puts(counts_cycles ? "]}" : "}");
}

/* After the right time, the given text in place of numbers, where it is not NULL. */
static void answer_text(const struct job *j, const char *ops, const char *ns)
{
    uint64_t o, n = 0;

    answer_head(j);
    for (uint64_t i = 0; i < j->count; i++) {
        work(j, &o, &n);
        if (ns)
            printf("%s[%s,%s]", i ? "," : "", ops, ns);
        else
            printf("%s[%" PRIu64 ",%" PRIu64 "]", i ? "," : "", o, n);
    }
    answer_tail(j, n);
}

static void answer(const struct job *j)
{
    answer_text(j, NULL, NULL);
}

static void time_slow(const struct job *j)
{
    sleep_until(clock_ns() + 20000000);
    answer(j);
}

/* Takes far longer than it reports. */
static void time_lazy(const struct job *j)
{
    sleep_until(clock_ns() + 400000000);
    answer(j);
}

static void time_crash(const struct job *j)
{
    (void)j;
    die_by(SIGSEGV);
}

static void time_sigill(const struct job *j)
{
    (void)j;
    die_by(SIGILL);
}

static void time_exit(const struct job *j)
{
    uint64_t ops, ns;

    work(j, &ops, &ns);
    fprintf(stderr, "fake: giving up in mid-work\n\n");
    exit(3);
}

/* What a shell or ssh make of a driver's SIGILL. */
static void time_exit_132(const struct job *j)
{
    (void)j;
    fprintf(stderr, "Illegal instruction\n");
    exit(132);
}

static void time_qemu_sigill(const struct job *j)
{
    (void)j;
    fprintf(stderr, "qemu: uncaught target signal 4 (Illegal instruction) - core dumped\n");
    exit(1);
}

static void time_garbage(const struct job *j)
{
    (void)j;
    printf("Segmentation fault? \x01 No, a mere fortune cookie: %0100d\n", 7);
}

static void time_silent(const struct job *j)
{
    (void)j;
    sleep_for_ever();
}

static void time_huge_line(const struct job *j)
{
    (void)j;
    printf("{\"ok\":true,\"filler\":\"");
    for (long i = 0; i < 5 * 1024 * 1024; i++)
        putchar('x');
    printf("\"}\n");
}

static void time_partial(const struct job *j)
{
    answer_head(j);
    fflush(stdout);
    sleep_for_ever();
}

static void time_drift(const struct job *j)
{
    double first = ns_per_op;

    ns_per_op *= 1 + drift * (double)(clock_ns() - started_ns) / 1e9;
    answer(j);
    ns_per_op = first;
}

/* More than a pipe holds: who does not read it never gets the answer. */
static void time_stderr_flood(const struct job *j)
{
    char text[4096];

    for (int i = 0; i < 64; i++) {
        int n = 0;
        while (n < (int)sizeof text - 80)
            n += snprintf(text + n, sizeof text - (size_t)n,
                          "fake: part %d of a great deal that nobody asked for\n", i);
        fputs(text, stderr);
    }
    answer(j);
}

static void time_wrong_echo(const struct job *j)
{
    struct job other = *j;

    other.bytes++;
    answer(&other);
}

static void time_wrong_op(const struct job *j)
{
    struct job other = *j;

    other.op = "digest";
    answer(&other);
}

static void time_few_samples(const struct job *j)
{
    struct job other = *j;

    other.count--;
    answer(&other);
}

static void time_two_lines(const struct job *j)
{
    struct job one = *j;

    answer(&one);
    printf("{\"ok\":true}\n");
}

static void time_no_samples_key(const struct job *j)
{
    printf("{\"ok\":true,\"workload\":\"%s\",\"alg\":\"%s\",\"op\":\"%s\",\"bytes\":%" PRIu64 "}\n",
           j->workload, j->alg, j->op, j->bytes);
}

static void time_no_ok(const struct job *j)
{
    (void)j;
    printf("{\"samples\":[[1,1000]]}\n");
}

static void time_extra_keys(const struct job *j)
{
    uint64_t ops, ns;

    work(j, &ops, &ns);
    printf("{\"future\":{\"a\":[1,2]},\"ok\":true,\"workload\":\"%s\",\"alg\":\"%s\",\"op\":\"%s\","
           "\"bytes\":%" PRIu64 ",\"samples\":[[%" PRIu64 ",%" PRIu64 "]],\"more\":null}\n",
           j->workload, j->alg, j->op, j->bytes, ops, ns);
}

static void time_wrong_answer(const struct job *j)
{
    (void)j;
    refuse("wrong-answer", "a tag was not verified");
}

static void time_bad_clock(const struct job *j)
{
    (void)j;
    refuse("bad-clock", "the clock moved backwards");
}

static void time_failed(const struct job *j)
{
    (void)j;
    refuse("failed", "EVP_EncryptUpdate");
}

static void time_new_error(const struct job *j)
{
    (void)j;
    refuse("melted", "too hot");
}

static void start_crash(void)
{
    fprintf(stderr, "fake: cannot start: no such luck\n");
    exit(2);
}

static void start_motd(void)
{
    printf("Welcome to router, last login: yesterday\n");
    fflush(stdout);
}

static void start_no_cpu(void)
{
    fprintf(stderr, "qemu-fake: unable to find CPU model 'cortex-z99'\n");
    exit(1);
}

static void start_silent(void)
{
    sleep_for_ever();
}

/* A mode and where it differs from a good driver. */
static const struct mode {
    const char *name;
    void (*start)(void);               /* before the first command */
    void (*time)(const struct job *j); /* in place of a good answer */
    const char *ops, *ns;              /* in place of the numbers of a good answer */
    const char *cycles;                /* CYCLES_*, or in place of a number */
    const char *hz;                    /* of the cycles, in place of the right one */
    const char *check_error;           /* answer of check from the nth on */
    unsigned check_from;
    int wrong_library;
} modes[] = {
    {.name = "good"},
    {"slow", .time = time_slow},
    {"lazy", .time = time_lazy},
    {"wrong-tag", .check_error = "wrong-answer", .check_from = 1},
    {"wrong-after", .check_error = "wrong-answer", .check_from = 2},
    {"unsupported", .check_error = "unsupported", .check_from = 1},
    {"wrong-library", .wrong_library = 1},
    {"crash", .time = time_crash},
    {"sigill", .time = time_sigill},
    {"exit", .time = time_exit},
    {"exit-132", .time = time_exit_132},
    {"qemu-sigill", .time = time_qemu_sigill},
    {"garbage", .time = time_garbage},
    {"silent", .time = time_silent},
    {"partial", .time = time_partial},
    {"huge-line", .time = time_huge_line},
    {"stuck-clock", .ops = "1000", .ns = "0"},
    {"negative", .ops = "1000", .ns = "-1000000"},
    {"fraction", .ops = "10", .ns = "1000.5"},
    {"zero-ops", .ops = "0", .ns = "1000"},
    {"many-ops", .ops = "18446744073709551615", .ns = "1000"},
    {"long-work", .ops = "1000000", .ns = "4103000000000"},
    {"overflow", .ops = "1", .ns = "9223372036854775809"}, /* two overflow 64 bits */
    {"nan", .ops = "1000", .ns = "NaN"},
    {"infinite", .ops = "1000", .ns = "1e999"},
    {"words", .ops = "1000", .ns = "\"1000\""},
    {"drift", .time = time_drift},
    {"stderr-flood", .time = time_stderr_flood},
    {"wrong-echo", .time = time_wrong_echo},
    {"wrong-op", .time = time_wrong_op},
    {"few-samples", .time = time_few_samples},
    {"two-lines", .time = time_two_lines},
    {"no-samples", .time = time_no_samples_key},
    {"no-ok", .time = time_no_ok},
    {"extra-keys", .time = time_extra_keys},
    {"error-wrong-answer", .time = time_wrong_answer},
    {"error-bad-clock", .time = time_bad_clock},
    {"error-failed", .time = time_failed},
    {"error-new", .time = time_new_error},
    {"no-cycles", .cycles = CYCLES_NONE},
    {"many-cycles", .cycles = CYCLES_MORE},
    {"negative-cycles", .cycles = "-7"},
    {"zero-cycles", .cycles = "0"},
    {"null-cycles", .cycles = "null", .hz = "null"},
    {"wild-cycles", .cycles = "999999999999"},
    {"zero-hz", .hz = "0"},
    {"start-crash", .start = start_crash},
    {"start-silent", .start = start_silent},
    {"motd", .start = start_motd},
    {"no-cpu", .start = start_no_cpu},
};
static const struct mode *mode = &modes[0];

/* Index of word in names, or n. */
static size_t name_find(const char *const *names, size_t n, const char *word)
{
    size_t i = 0;

    while (i < n && strcmp(names[i], word) != 0)
        i++;
    return i;
}

/* 1 when the mode's fault is to show here; bytes 0: whatever the size. */
static int is_faulty(const char *alg, uint64_t bytes)
{
    if (only_alg && strcmp(only_alg, alg) != 0)
        return 0;
    return !only_bytes || !bytes || only_bytes == bytes;
}

/* A decimal number as the protocol has it; 0 when there is none in range. */
static int number_read(const char *word, uint64_t low, uint64_t high, uint64_t *out)
{
    char *end;

    if (*word < '0' || *word > '9')
        return 0;
    *out = strtoull(word, &end, 10);
    return !*end && *out >= low && *out <= high;
}

static void do_info(char **words)
{
    (void)words;
    printf("{\"ok\":true,\"protocol\":1,\"library\":\"%s%s\",\"headers\":\"%s\","
           "\"build_flags\":\"compiler: fake\",\"capabilities\":\"FAKE_cap=0x1\","
           "\"clock\":\"CLOCK_MONOTONIC\",\"clock_tick_ns\":41,\"bits\":%d,\"big_endian\":%s,"
           "\"algorithms\":[",
           library, mode->wrong_library ? " (another)" : "", library, bits,
           big_endian ? "true" : "false");
    for (size_t i = 0; i < ALGS; i++)
        printf("%s\"%s\"", i ? "," : "", algorithms[i]);
    printf("],\"workloads\":[");
    for (size_t i = 0; i < COUNT(workloads); i++)
        printf("%s\"%s\"", i ? "," : "", workloads[i]);
    printf("]}\n");
}

static void do_check(char **words)
{
    size_t alg = name_find(algorithms, ALGS, words[1]);

    if (alg == ALGS) {
        refuse("unsupported", words[1]);
        return;
    }
    checks[alg]++;
    checked[alg] = 0;
    if (mode->check_error && checks[alg] >= mode->check_from && is_faulty(words[1], 0)) {
        refuse(mode->check_error, "vector 1: so the mode wants it");
        return;
    }
    checked[alg] = 1;
    printf("{\"ok\":true,\"alg\":\"%s\",\"vectors\":3}\n", words[1]);
}

static void do_time(char **words)
{
    struct job j = {words[1], words[2], words[3], 0, 0, 0};
    size_t alg = name_find(algorithms, ALGS, j.alg);

    if (name_find(workloads, COUNT(workloads), j.workload) == COUNT(workloads) ||
        name_find(operations, COUNT(operations), j.op) == COUNT(operations) ||
        !number_read(words[4], 1, BLOCK_BYTES_MAX, &j.bytes) ||
        !number_read(words[5], 1000, 10000000000u, &j.sample_ns) ||
        !number_read(words[6], 1, 10000, &j.count))
        refuse("bad-command", "time: arguments out of range");
    else if (alg == ALGS)
        refuse("unsupported", j.alg);
    else if (!checked[alg])
        refuse("unchecked", j.alg);
    else if (mode->time && is_faulty(j.alg, j.bytes))
        mode->time(&j);
    else if (mode->ns && is_faulty(j.alg, j.bytes))
        answer_text(&j, mode->ops, mode->ns);
    else
        answer(&j);
}

static void do_cycles(char **words)
{
    (void)words;
    counts_cycles = cycles != CYCLES_NONE;
    if (counts_cycles)
        printf("{\"ok\":true,\"source\":\"fake\",\"hz\":%s}\n", mode->hz ? mode->hz : "2000000000");
    else
        refuse("unsupported", "no cycle counter: so the mode wants it");
}

static void do_quit(char **words)
{
    (void)words;
    printf("{\"ok\":true}\n");
    exit(0);
}

enum { WORDS_MAX = 7 };
static const struct {
    const char *name;
    size_t words; /* with the name */
    void (*run)(char **words);
} commands[] = {{"info", 1, do_info},
                {"check", 2, do_check},
                {"time", 7, do_time},
                {"cycles", 1, do_cycles},
                {"quit", 1, do_quit}};

static void command_run(char *line)
{
    char *words[WORDS_MAX + 1];
    size_t n = 0;

    line[strcspn(line, "\n")] = '\0';
    for (char *p = line; p && n <= WORDS_MAX; n++) {
        words[n] = p;
        p = strchr(p, ' ');
        if (p)
            *p++ = '\0';
    }
    for (size_t i = 0; i < COUNT(commands); i++)
        if (strcmp(commands[i].name, words[0]) == 0 && commands[i].words == n) {
            commands[i].run(words);
            return;
        }
    refuse("bad-command", "no such command");
}

static int usage(const char *what)
{
    fprintf(
        stderr,
        "fake: %s\nusage: fake [--mode MODE] [--version TEXT] [--ns-per-op N] "
        "[--only ALG[/BYTES]] [--drift F] [--since NS] [--bits N] [--big-endian] [DRIVER]\nmodes:",
        what);
    for (size_t i = 0; i < COUNT(modes); i++)
        fprintf(stderr, " %s", modes[i].name);
    fprintf(stderr, "\n");
    return 64;
}

static int set_mode(char *word)
{
    for (size_t i = 0; i < COUNT(modes); i++)
        if (word && strcmp(modes[i].name, word) == 0) {
            mode = &modes[i];
            return 0;
        }
    return -1;
}

static int set_version(char *word)
{
    library = word;
    return 0;
}

static int set_ns_per_op(char *word)
{
    char *end;

    ns_per_op = strtod(word, &end);
    return !*end && ns_per_op >= 1 ? 0 : -1;
}

static int set_only(char *word)
{
    char *slash = strchr(word, '/');

    only_alg = word;
    if (slash)
        *slash = '\0';
    return slash && !number_read(slash + 1, 1, BLOCK_BYTES_MAX, &only_bytes) ? -1 : 0;
}

static int set_drift(char *word)
{
    char *end;

    drift = strtod(word, &end);
    return !*end && drift >= 0 ? 0 : -1;
}

/* Drivers that are told the same share one clock: they need not have started at once. */
static int set_since(char *word)
{
    return number_read(word, 0, clock_ns(), &started_ns) ? 0 : -1;
}

static int set_bits(char *word)
{
    bits = atoi(word);
    return bits == 32 || bits == 64 ? 0 : -1;
}

static int set_big(char *word)
{
    (void)word;
    big_endian = 1;
    return 0;
}

static const struct {
    const char *name;
    int takes_value;
    int (*set)(char *word);
} options[] = {
    {"--mode", 1, set_mode},      {"--version", 1, set_version}, {"--ns-per-op", 1, set_ns_per_op},
    {"--only", 1, set_only},      {"--drift", 1, set_drift},     {"--bits", 1, set_bits},
    {"--big-endian", 0, set_big}, {"--since", 1, set_since},
};

int main(int argc, char **argv)
{
    static char line[4096];
    const uint16_t probe = 1;

    big_endian = *(const unsigned char *)&probe == 0;
    started_ns = clock_ns();
    library = getenv("FAKE_LIBRARY");
    if (!library)
        library = "OpenSSL 3.0.0 fake";
    if (getenv("FAKE_MODE") && set_mode(getenv("FAKE_MODE")) != 0)
        return usage(getenv("FAKE_MODE"));
    for (int i = 1; i < argc; i++) {
        size_t o = 0;
        if (strncmp(argv[i], "--", 2) != 0) {
            if (i != argc - 1)
                return usage("only one driver, and last");
            break;
        }
        while (o < COUNT(options) && strcmp(options[o].name, argv[i]) != 0)
            o++;
        if (o == COUNT(options) || (options[o].takes_value && i + 1 == argc))
            return usage(argv[i]);
        if (options[o].set(options[o].takes_value ? argv[++i] : NULL) != 0)
            return usage(argv[i]);
    }
    cycles = mode->cycles;
    if (mode->start)
        mode->start();
    while (fgets(line, sizeof line, stdin)) {
        command_run(line);
        if (fflush(stdout) != 0)
            return 1;
    }
    return 0;
}

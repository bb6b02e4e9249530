/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "catalog.h"
#include "export.h"
#include "formats.h"
#include "mem.h"
#include "number.h"
#include "plotkind.h"
#include "options.h"
#include "processor.h"
#include "random.h"
#include "runner.h"
#include "workload.h"

/* What the value of an option is, and how it gets into struct options. */
enum kind { AXIS, SIZES, WORD, SECONDS, PERCENT, SEED, BYTES, MHZ, JOBS, SHARD, FLAG };

/* Commands that take an option. */
enum {
    RUN = 1,
    BUILD = 2,
    LIST = 4,
    DOCTOR = 8,
    DOCS = 16,
    EXPLAIN = 32,
    COMPARE = 64,
    GATE = 128,
    REPORT = 256,
    ADVISE = 512,
    MERGE = 1024,
    ALL = 2047,
    MEASURE = RUN | GATE,
    JUDGE = COMPARE | GATE,
    FILES = EXPLAIN | COMPARE | REPORT | ADVISE /* cells of files are chosen */
};

struct option_row {
    const char *name;
    char letter;
    const char *value; /* name of the value in help; NULL for a flag */
    const char *help;
    enum kind kind;
    size_t offset; /* of the field in struct options */
    unsigned commands;
    const char *words; /* how the completion finds values: a list, or "@targets" */
};

enum { STACK_MAX = 1 << 30 }; /* bytes; larger is a slip */

#define AT(field) offsetof(struct options, field)

static const struct option_row rows[] = {
    {"target", 't', "LIST",
     "Machines to build for: names, or JSON files of your own. TARGET:CPU picks a CPU model. "
     "Default: x86_64,aarch64,arm,mips.",
     AXIS, AT(target), MEASURE | BUILD | LIST | DOCTOR | FILES, "@targets"},
    {"cpu", 0, "LIST",
     "CPU models of the targets to run on, or 'all'. Default: each target's default model. A "
     "target "
     "that has none of them keeps its default.",
     AXIS, AT(cpu), MEASURE | FILES, "all"},
    {"config", 'c', "LIST",
     "Sets of build flags: names, or JSON files. Default: O2,Os,O3,small-footprint.", AXIS,
     AT(config), MEASURE | BUILD | FILES, "@configs"},
    {"library", 'l', "LIST",
     "What to measure: a pinned release, a library file (JSON), a source tree, or a prebuilt "
     "prefix "
     "(include/ and lib/libcrypto.a). Default: openssl-3.5.",
     AXIS, AT(library), MEASURE | BUILD | FILES, "@libraries"},
    {"cc", 0, "LIST",
     "Compilers: gcc, gcc-N, clang, clang-N (the right one for each target is used), or a path. "
     "Default: gcc.",
     AXIS, AT(cc), MEASURE | BUILD | DOCTOR | FILES, "gcc clang"},
    {"alg", 'a', "LIST", "Algorithms. Default: all but aes-192-cbc.", AXIS, AT(alg),
     MEASURE | FILES, "@algorithms"},
    {"op", 0, "LIST", "Operations: encrypt, decrypt. Default: encrypt.", AXIS, AT(op),
     MEASURE | FILES, "encrypt decrypt all"},
    {"size", 's', "LIST",
     "Block sizes in bytes, 1 to 16777216; multiples of 16 for CBC. Default: "
     "16,64,256,1024,1456,8192. explain: without a list, says which objects and sections of the "
     "library grew or shrank.",
     SIZES, AT(sizes), MEASURE | FILES, "16 64 256 1024 1456 8192"},
    {"metric", 'm', "LIST",
     "What is measured: time, cycles (of the processor's counter: perf_event, else TSC and the "
     "like, named in the result; with the time), insns (instructions of one operation: exact, "
     "counted under QEMU on "
     "any "
     "machine; by the processor, if it lets us, with --runner native or ssh), modelled (cycles "
     "that the CPU model's core would take for these instructions, not measured: crypto-bench list "
     "cores; with the instructions, and wherever those are counted under QEMU), stack (largest "
     "frames, known from the build: alone it runs nothing). Default: time, and "
     "insns and modelled "
     "too where the runner is QEMU. compare: time, insns, modelled, size; explain: insns (the "
     "default) or modelled; report: what the format shows of these. Default there: all.",
     AXIS, AT(metric), MEASURE | COMPARE | EXPLAIN | REPORT,
     "time cycles insns modelled stack size all"},
    {"max-stack", 0, "BYTES",
     "Warn of each build that has a larger stack frame. Default: 2048 with --metric stack, else no "
     "warning.",
     BYTES, AT(max_stack), MEASURE, NULL},
    {"cpu-mhz", 0, "MHZ",
     "Clock of the CPU, for estimates of kB/s from modelled cycles. Default: none, and no "
     "estimates.",
     MHZ, AT(cpu_mhz), MEASURE | REPORT, NULL},
    {"counter", 0, "HOW",
     "How QEMU counts instructions: plugin, log (slower, for a QEMU without plugins) or auto. "
     "Default: auto.",
     WORD, AT(counter), MEASURE, "auto plugin log"},
    {"suite", 0, "NAME",
     "run: an experiment that names libraries, targets, configs, compilers and layout "
     "(crypto-bench "
     "list suites), or a JSON file of your own. Other options narrow or change it; what is not "
     "installed is skipped.",
     WORD, AT(suite), RUN, "@suites"},
    {"shard", 0, "I/N",
     "Only part I of N of the matrix, such as 2/8, on this or another machine; all N together are "
     "the whole. What is compared with a baseline stays in one part.",
     SHARD, AT(shard), RUN | BUILD, NULL},
    {"workload", 'w', "LIST",
     "What one operation is: record/1 (fresh IV, AAD, block, tag) or stream/1 (one update, as "
     "`openssl speed -evp` did). Default: record/1.",
     AXIS, AT(workload), MEASURE, "@workloads"},
    {"runner", 'r', "RUNNER",
     "How drivers are started: auto, native, qemu, ssh:HOST, or exec:WORDS (WORDS and then the "
     "driver's path). Default: auto, which is native on this machine's own target and qemu "
     "elsewhere.",
     WORD, AT(runner), MEASURE, "auto native qemu ssh: exec:"},
    {"time", 'T', "SECONDS", "Measuring time per cell, 0.01 to 3600. Default: 0.5; gate: 2.",
     SECONDS, AT(seconds), MEASURE, NULL},
    {"precision", 0, "PERCENT",
     "A cell is done before its time is over once its 95% intervals (time, and change against the "
     "baseline) are this narrow on either side: 0% to 50%; 0% uses all of the time. Default: 1%; "
     "gate: 0.3%.",
     PERCENT, AT(precision), MEASURE, NULL},
    {"seed", 0, "NUMBER",
     "Starts the random order of samples and sizes of environments, to repeat those of another "
     "run. Default: drawn, and kept in the result.",
     SEED, AT(seed), MEASURE, NULL},
    {"pin", 0, "PROCESSOR",
     "The processor that all drivers timed on this machine share: a number, none, or auto (the one "
     "with the least to do). Default: auto.",
     WORD, AT(pin), MEASURE, "auto none"},
    {"timeout", 0, "SECONDS",
     "How long a driver may be silent beyond the time its work should take, 0.1 to 3600. "
     "Default: 30.",
     SECONDS, AT(timeout), MEASURE, NULL},
    {"jobs", 'j', "N", "Processors used by builds. Default: all of this machine's.", JOBS, AT(jobs),
     MEASURE | BUILD, NULL},
    {"rebuild", 0, NULL, "Build anew what is in the cache already.", FLAG, AT(rebuild),
     MEASURE | BUILD, NULL},
    {"baseline", 'b', "CONFIG",
     "Config that all others are compared with. Default: each config's own (O2 for Os, O3 and "
     "no-asm; Os for small-footprint and openwrt).",
     WORD, AT(baseline), RUN, "@configs"},
    {"out", 'o', "FILE",
     "Where the result file goes; '-' is standard output, in place of the table. Default: "
     "results/TIME-TARGETS.json. report and merge: where it goes. Default: standard output.",
     WORD, AT(out), MEASURE | REPORT | MERGE, "@file"},
    {"format", 'f', "FORMAT",
     "What is printed on standard output; each command's formats are in its help. Default: table.",
     WORD, AT(format), MEASURE | FILES, "@formats"},
    {"plot", 0, "KIND",
     "report: what --format svg or png draws; the kinds are in its help. Default: block-size.",
     WORD, AT(plot), REPORT, "@plots"},
    {"base", 0, "LIBRARY",
     "gate: the library to compare with, as --library takes it (the branch point, say).", WORD,
     AT(base), GATE, "@libraries"},
    {"new", 0, "LIBRARY", "gate: the library that is judged (the change, say).", WORD, AT(new_),
     GATE, "@libraries"},
    {"max-slowdown", 0, "PERCENT",
     "How much slower a cell may be: 2%, or PATTERN=2% for cells whose name "
     "(TARGET[:CPU]/CC/CONFIG/ALG/OP/BYTES) matches, '*' standing for anything. Default: 2%.",
     AXIS, AT(max_slowdown), JUDGE | REPORT, NULL},
    {"max-insns", 0, "PERCENT", "The same for instructions of one operation. Default: 0.5%.", AXIS,
     AT(max_insns), JUDGE | REPORT, NULL},
    {"max-size", 0, "PERCENT",
     "The same for the library's size (text, rodata, data and bss), by TARGET/CC/CONFIG. Default: "
     "1%.",
     AXIS, AT(max_size), JUDGE | REPORT, NULL},
    {"max-modelled", 0, "PERCENT",
     "The same for modelled cycles; a difference below 5% is too close to call whatever the limit. "
     "Default: 5%.",
     AXIS, AT(max_modelled), JUDGE | REPORT, NULL},
    {"policy", 0, "FILE",
     "A JSON file with such limits, to be kept with the sources; options win over it.", WORD,
     AT(policy), JUDGE | REPORT, "@file"},
    {"allow", 0, "LIST",
     "What must not keep from a verdict: missing, extra (cells of one side only), machine (another "
     "CPU model, governor, frequency limit, or throttling), capabilities (another CPU capability "
     "mask), emulated (time), few-samples, unclear (cells whose interval crosses the limit). It is "
     "recorded in the output. merge: machine lets one lane have times of several machines.",
     AXIS, AT(allow), JUDGE | MERGE,
     "missing extra machine capabilities emulated few-samples unclear"},
    {"selftest", 0, NULL,
     "compare: put slowdowns into a copy of the file and show from which on the gate fires, and "
     "that it does not on the unchanged copy.",
     FLAG, AT(selftest), COMPARE, NULL},
    {"weight", 0, "BYTES",
     "How many bytes of the library 1% of time or instructions is worth to you, 1% of what the "
     "smallest config takes. Default: none; what is best from which weight on is said anyway.",
     BYTES, AT(weight), ADVISE, NULL},
    {"quiet", 'q', NULL, "No progress on standard error; warnings and errors only.", FLAG,
     AT(quiet), MEASURE | BUILD, NULL},
    {"missing-packages", 0, NULL,
     "Print only the Debian packages that are missing, one a line, for scripts.", FLAG,
     AT(missing_packages), DOCTOR, NULL},
    {"help", 'h', NULL, "Show help and exit.", FLAG, AT(help), ALL, NULL},
};
#define NROWS (sizeof rows / sizeof rows[0])

static unsigned command_bit(const struct command *c)
{
    static const struct {
        const char *name;
        unsigned bit;
    } bits[] = {{"run", RUN},       {"build", BUILD},     {"list", LIST},       {"doctor", DOCTOR},
                {"docs", DOCS},     {"explain", EXPLAIN}, {"compare", COMPARE}, {"gate", GATE},
                {"report", REPORT}, {"advise", ADVISE},   {"merge", MERGE}};
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++)
        if (!strcmp(bits[i].name, c->name))
            return bits[i].bit;
    return 0;
}

static void *field(struct options *o, const struct option_row *r)
{
    return (char *)o + r->offset;
}

/* A comma list into an axis: no empty words, repeats dropped. */
static int axis_add(struct list *axis, const char *name, const char *text, struct err *e)
{
    struct list parts = LIST_INIT;
    int rc = 0;
    list_split(&parts, text, ',');
    for (size_t i = 0; i < parts.n && !rc; i++) {
        if (!parts.v[i][0])
            rc = err_usage(e, "--%s '%s': an empty word; give names separated by commas", name,
                           text);
        else if (!list_has(axis, parts.v[i]))
            list_add(axis, parts.v[i]);
    }
    list_free(&parts);
    return rc;
}

static int size_add(struct options *o, uint64_t v)
{
    for (size_t i = 0; i < o->nsizes; i++)
        if (o->sizes[i] == v)
            return 0;
    o->sizes = xreallocarray(o->sizes, o->nsizes + 1, sizeof *o->sizes);
    o->sizes[o->nsizes++] = v;
    return 0;
}

static int sizes_parse(struct options *o, const char *text, struct err *e)
{
    struct list parts = LIST_INIT;
    int rc = 0;
    list_split(&parts, text, ',');
    for (size_t i = 0; i < parts.n && !rc; i++) {
        uint64_t v;
        if (!strcmp(parts.v[i], "all")) {
            for (size_t k = 0; k < default_size_count; k++)
                size_add(o, default_sizes[k]);
        } else if (number_u64(parts.v[i], &v) || v < 1 || v > BLOCK_SIZE_MAX) {
            rc = err_usage(e,
                           "--size '%s': a block size is a whole number of bytes from 1 to %u, or "
                           "'all'",
                           parts.v[i], BLOCK_SIZE_MAX);
        } else {
            size_add(o, v);
        }
    }
    list_free(&parts);
    return rc;
}

static int seconds_parse(const struct option_row *r, const char *text, double *out, struct err *e)
{
    double low = r->offset == AT(timeout) ? 0.1 : 0.01, v;
    if (number_double(text, &v) || v < low || v > 3600)
        return err_usage(e, "--%s '%s': give seconds from %g to 3600, such as 0.5 or 10", r->name,
                         text, low);
    *out = v;
    return 0;
}

/* "1%" or "1" are 0.01. */
static int percent_parse(const struct option_row *r, const char *text, double *out, struct err *e)
{
    size_t n = strlen(text);
    char *digits = xstrndup(text, n && text[n - 1] == '%' ? n - 1 : n);
    double v;
    int bad = number_double(digits, &v) || v > 50;
    free(digits);
    if (bad)
        return err_usage(e, "--%s '%s': give a percentage from 0%% to 50%%, such as 1%%", r->name,
                         text);
    *out = v / 100;
    return 0;
}

static int option_set(struct options *o, const struct option_row *r, const char *text,
                      struct err *e)
{
    uint64_t v;
    switch (r->kind) {
    case AXIS:
        return axis_add(field(o, r), r->name, text, e);
    case SIZES:
        return sizes_parse(o, text, e);
    case WORD: {
        char **p = field(o, r);
        if (!text[0])
            return err_usage(e, "--%s '': give a %s", r->name, r->value);
        free(*p);
        *p = xstrdup(text);
        return 0;
    }
    case SECONDS:
        return seconds_parse(r, text, field(o, r), e);
    case PERCENT:
        return percent_parse(r, text, field(o, r), e);
    case SEED:
        if (number_u64(text, &v) || v >> 53)
            return err_usage(e, "--seed '%s': give a whole number below 2^53", text);
        o->seed = v;
        return 0;
    case BYTES:
        if (number_u64(text, &v) || v < 1 || v > STACK_MAX)
            return err_usage(e, "--%s '%s': give a whole number of bytes from 1 to %u", r->name,
                             text, STACK_MAX);
        *(uint64_t *)field(o, r) = v;
        return 0;
    case MHZ:
        if (number_double(text, field(o, r)) || o->cpu_mhz < 1 || o->cpu_mhz > 100000)
            return err_usage(e, "--cpu-mhz '%s': give the clock in MHz, such as 1350", text);
        return 0;
    case JOBS:
        if (number_u64(text, &v) || v < 1 || v > 1024)
            return err_usage(e, "--jobs '%s': give a whole number from 1 to 1024", text);
        o->jobs = (int)v;
        return 0;
    case SHARD:
        return shard_parse(text, field(o, r), e);
    case FLAG:
        *(int *)field(o, r) = 1;
        return 0;
    }
    return 0;
}

/* report's --metric: what the format can show. */
static int shown_check(const struct options *o, struct err *e)
{
    const char *metrics = export_metrics(o->format);
    struct list known = LIST_INIT;
    int rc = 0;
    if (o->metric.n && !metrics)
        return err_usage(e, "--metric '%s': the format '%s' has no choice of metrics; leave it out",
                         o->metric.v[0], o->format);
    if (metrics)
        list_split(&known, metrics, ',');
    for (size_t i = 0; i < o->metric.n && !rc; i++)
        if (!list_has(&known, o->metric.v[i]))
            rc = unknown_word(e, "metric", o->metric.v[i], &known);
    list_free(&known);
    return rc;
}

/* Words that have a fixed list: checked here so that nothing is built first. */
static int words_check(const struct options *o, const struct command *c, struct err *e)
{
    struct list known = LIST_INIT;
    unsigned command = command_bit(c);
    int rc = 0;

    formats_of(c->name, &known);
    if (known.n && !list_has(&known, o->format))
        rc = unknown_word(e, "format", o->format, &known);
    list_free(&known);
    list_split(&known, "auto,plugin,log", ',');
    if (!rc && !list_has(&known, o->counter))
        rc = unknown_word(e, "counter", o->counter, &known);
    list_free(&known);
    if (!rc && (command & REPORT))
        rc = shown_check(o, e);
    list_split(&known,
               command & COMPARE   ? "time,insns,modelled,size"
               : command & GATE    ? "time,insns,modelled,size,all"
               : command & EXPLAIN ? "insns,modelled"
                                   : "time,cycles,insns,modelled,stack,all",
               ',');
    for (size_t i = 0; i < o->metric.n && !rc && !(command & REPORT); i++)
        if (!list_has(&known, o->metric.v[i]))
            rc = unknown_word(e, "metric", o->metric.v[i], &known);
    list_free(&known);
    for (size_t i = 0; i < workload_count(); i++)
        list_add(&known, workload_at(i)->name);
    for (size_t i = 0; i < o->workload.n && !rc; i++)
        if (!list_has(&known, o->workload.v[i]) && strcmp(o->workload.v[i], "all"))
            rc = unknown_word(e, "workload", o->workload.v[i], &known);
    list_free(&known);
    if (!rc)
        rc = runner_check_word(o->runner, e);
    if (!rc)
        rc = plot_check_word(o->plot, o->format, e);
    if (!rc)
        rc = pin_check_word(o->pin, e);
    return rc;
}

static void options_default(struct options *o)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    *o = (struct options){.seconds = 0.5, .timeout = 30, .precision = 0.01};
    o->seed = random_seed();
    o->jobs = n < 1 ? 1 : n > 1024 ? 1024 : (int)n;
    o->runner = xstrdup("auto");
    o->pin = xstrdup("auto");
    o->counter = xstrdup("auto");
    o->format = xstrdup("table");
}

void options_free(struct options *o)
{
    struct list *lists[] = {
        &o->target,       &o->config,    &o->library,  &o->cc,           &o->cpu,  &o->alg,
        &o->op,           &o->metric,    &o->workload, &o->args,         &o->argv, &o->layout,
        &o->max_slowdown, &o->max_insns, &o->max_size, &o->max_modelled, &o->allow};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        list_free(lists[i]);
    free(o->sizes);
    free(o->runner);
    free(o->pin);
    free(o->counter);
    free(o->baseline);
    free(o->base);
    free(o->new_);
    free(o->policy);
    free(o->suite);
    free(o->out);
    free(o->format);
    free(o->plot);
    *o = (struct options){0};
}

static int option_unknown(const struct command *c, unsigned bit, const char *word, struct err *e)
{
    struct list known = LIST_INIT;
    for (size_t i = 0; i < NROWS; i++)
        if (rows[i].commands & bit)
            list_addf(&known, "--%s", rows[i].name);
    char *name = xstrndup(word, strcspn(word, "="));
    const char *near = suggest(name, &known);
    char *all = list_join(&known, " ");
    if (near)
        err_usage(e, "unknown option '%s' for '%s'; did you mean '%s'? Known: %s", name, c->name,
                  near, all);
    else
        err_usage(e, "unknown option '%s' for '%s'; known: %s", name, c->name, all);
    free(all);
    free(name);
    list_free(&known);
    return -1;
}

/* The word after explain's --size, taken, when it is a list of block sizes; NULL otherwise. */
static char *size_argument(int argc, char **argv)
{
    uint64_t first;
    if (optind >= argc)
        return NULL;
    char *word = xstrndup(argv[optind], strcspn(argv[optind], ","));
    int is_list = !number_u64(word, &first) || !strcmp(word, "all");
    free(word);
    return is_list ? argv[optind++] : NULL;
}

int options_parse(const struct command *c, int argc, char **argv, struct options *o, struct err *e)
{
    struct option longs[NROWS + 1] = {0};
    char shorts[3 * NROWS + 2] = ":";
    static const int has_argument[] = {no_argument, required_argument, optional_argument};
    size_t n = 0, s = 1;
    unsigned bit = command_bit(c);

    options_default(o);
    if (bit == GATE) {
        o->seconds = 2;
        o->precision = 0.003;
    }
    for (size_t i = 0; i < NROWS; i++) {
        if (!(rows[i].commands & bit))
            continue;
        int colons = !rows[i].value ? 0 : rows[i].kind == SIZES && bit == EXPLAIN ? 2 : 1;
        longs[n++] = (struct option){rows[i].name, has_argument[colons], NULL, 256 + (int)i};
        if (rows[i].letter) {
            shorts[s++] = rows[i].letter;
            for (int k = 0; k < colons; k++)
                shorts[s++] = ':';
        }
    }
    opterr = 0;
    optind = 0; /* GNU: also resets the scanner's hidden state */
    for (;;) {
        int r = getopt_long(argc, argv, shorts, longs, NULL);
        const struct option_row *row = NULL;
        if (r == -1)
            break;
        if (r == ':')
            return err_usage(e, "option '%s' needs a value", argv[optind - 1]);
        if (r == '?' && optopt >= 256)
            return err_usage(e, "option '--%s' takes no value", rows[optopt - 256].name);
        if (r == '?' && optopt) {
            char word[] = {'-', (char)optopt, 0};
            return option_unknown(c, bit, word, e);
        }
        if (r == '?')
            return option_unknown(c, bit, argv[optind - 1], e);
        if (r >= 256)
            row = &rows[r - 256];
        for (size_t i = 0; !row && i < NROWS; i++)
            if (rows[i].letter == r && (rows[i].commands & bit))
                row = &rows[i];
        if (row->kind == SIZES && !optarg) /* explain's: its list may be the next word */
            optarg = size_argument(argc, argv);
        if (row->kind == SIZES && !optarg)
            o->size_ledger = 1;
        else if (option_set(o, row, optarg ? optarg : "", e))
            return -1;
    }
    for (int i = optind; i < argc; i++)
        list_add(&o->args, argv[i]);
    return o->help ? 0 : words_check(o, c, e);
}

size_t option_doc_count(void)
{
    return NROWS;
}

struct option_doc option_doc_at(size_t i)
{
    const struct option_row *r = &rows[i];
    return (struct option_doc){r->name, r->letter, r->value, r->help, r->words};
}

int option_doc_applies(size_t i, const struct command *c)
{
    return !c || (rows[i].commands & command_bit(c));
}

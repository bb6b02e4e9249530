/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "catalog.h"
#include "cmd.h"
#include "err.h"
#include "options.h"
#include "spawn.h"

const struct command commands[] = {
    {"run", "build, measure, write a result file and print a table (the default command)",
     "[OPTION...]",
     "Builds libcrypto for every library, compiler, config and target asked for (from the cache "
     "where it can), starts a driver for each, measures all cells with the builds interleaved, "
     "writes one result file and prints a table.",
     cmd_run},
    {"build", "only build, so that a later run starts at once", "[OPTION...]",
     "Fills the cache and says for each build whether it was there, was made, or failed and why.",
     cmd_build},
    {"explain",
     "say where instructions, or bytes of the library, went between two results or configs",
     "[--size] BASE NEW | FILE [--config BASE,NEW]",
     "Prints for each cell whose instruction count changed which functions gained and lost how "
     "many instructions per operation, biggest change first. Takes two result files, or one file "
     "and two configs in it; the other options choose cells (a list left out means all). With "
     "--size alone it prints instead which objects and sections of the library grew or shrank by "
     "how many bytes; --size with a list of numbers (--size 16,1456) chooses block sizes. With "
     "--metric modelled it is modelled cycles, and what each function waits for; of one file and "
     "no "
     "two configs, where those of each cell go.",
     cmd_explain},
    {"report", "print the tables of result files again, computed anew from their samples",
     "FILE...",
     "Medians, intervals and changes are computed from the samples in the file, as run does, so "
     "the "
     "figures are the same.",
     cmd_report},
    {"merge", "join result files of several machines, or of the shards of one matrix, into one",
     "FILE...",
     "Builds, lanes and cells are carried over as they are; the result says of each cell which run "
     "it is of, and of each run on which machine. What two files have both must be the same in "
     "both, else both are named with what differs, and nothing is written. A warning says which "
     "shards are missing. The order of the files makes no difference.",
     cmd_merge},
    {"compare", "judge one result against another, or two configs of one",
     "BASE NEW | FILE --config BASE,NEW | --selftest FILE",
     "Every cell is faster, slower, the same or unclear: slower only when its whole 95% interval "
     "is "
     "beyond the limit and beyond what noise makes. Exit status 0: pass; 3: regression; 4: no "
     "verdict, because the two cannot be compared (it says why). Cells that decide come first. "
     "Takes two "
     "result files, one file and two configs in it, or a file that gate --base --new wrote. The "
     "options "
     "--target, "
     "--alg and the like choose cells.",
     cmd_compare},
    {"gate", "build and measure two libraries interleaved, and judge the second against the first",
     "--base LIBRARY --new LIBRARY | --config BASE,NEW",
     "What a pull request needs: both are built and measured in turn on this machine, which shows "
     "far smaller differences than two runs do, and judged as by compare; exit status 0, 3 or 4 as "
     "there. Unless --metric says otherwise, time counts where it is native, instructions "
     "everywhere. Default config: O2. The result file is kept, and compare judges it again (with "
     "--config BASE,NEW where that was given here).",
     cmd_gate},
    {"advise", "say which config is worth its bytes, and AES-GCM or ChaCha20, with the figures",
     "FILE",
     "For each target, CPU model, library and compiler of the file: size against time (native or "
     "of a device; where there is none, instructions; an emulator's time never), which config is "
     "best for which price of a byte, which are dominated, and which algorithm takes less. "
     "Differences within noise are ties. The options --target, --alg and the like choose cells. "
     "Exit status 4 when there is nothing to go by.",
     cmd_advise},
    {"list",
     "list targets, configs, libraries, algorithms, compilers, statuses, formats or workloads",
     "[WORD...]",
     "WORD is one of targets, cores, configs, libraries, algorithms, compilers, workloads, suites, "
     "statuses, formats. "
     "Without a word, all but the last two are listed. Compilers are looked for on PATH for each "
     "target (--target).",
     cmd_list},
    {"doctor", "say what this machine has and lacks for each target, and how to get it",
     "[OPTION...]",
     "Checks programs, compilers, emulators and CPU models. Exit status 0 when nothing is missing "
     "for the targets asked for, else 1. With --missing-packages only package names are printed "
     "and the status is 0.",
     cmd_doctor},
    {"docs", "print the manual page (man) or the bash completion (bash)", "man|bash", NULL,
     cmd_docs},
    {NULL, NULL, NULL, NULL, NULL},
};

const struct command *command_find(const char *name)
{
    for (const struct command *c = commands; c->name; c++)
        if (!strcmp(c->name, name))
            return c;
    return NULL;
}

/* The command is the first word unless that is an option; it may be left out. */
static const struct command *command_pick(int *argc, char ***argv, struct err *e)
{
    const struct command *c = command_find("run");
    if (*argc < 2 || (*argv)[1][0] == '-')
        return c;
    c = command_find((*argv)[1]);
    if (!c) {
        struct list known = LIST_INIT;
        for (const struct command *k = commands; k->name; k++)
            list_add(&known, k->name);
        unknown_word(e, "command", (*argv)[1], &known);
        list_free(&known);
        return NULL;
    }
    ++*argv;
    --*argc;
    return c;
}

int main(int argc, char **argv)
{
    struct options o = {0};
    struct err e = ERR_INIT;
    const struct command *c;
    int explicit_command = argc > 1 && argv[1][0] != '-';
    int status;
    struct list line = LIST_INIT;

    for (int i = 0; i < argc; i++)
        list_add(&line, argv[i]);
    if (argc > 1 && (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))) {
        printf("crypto-bench %s\n", CB_VERSION);
        status = fflush(stdout) ? EXIT_FAILED : EXIT_OK;
        goto out;
    }
    c = command_pick(&argc, &argv, &e);
    if (!c || options_parse(c, argc, argv, &o, &e)) {
        fprintf(stderr, "crypto-bench: %s\n", e.text);
        status = e.exit_code;
        goto out;
    }
    if (o.help) {
        options_help(stdout, explicit_command ? c : NULL);
        status = fflush(stdout) ? EXIT_FAILED : EXIT_OK;
        goto out;
    }
    o.argv = line;
    line = (struct list)LIST_INIT;
    interrupt_install();
    /* emulators and drivers that crash are a result, not something to debug here: no core
     * files in the user's directory */
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    status = c->run(&o);
    if (fflush(stdout) || ferror(stdout)) {
        fprintf(stderr, "crypto-bench: standard output cannot be written\n");
        status = status ? status : EXIT_FAILED;
    }
    if (interrupt_pending())
        interrupt_reraise();
out:
    list_free(&line);
    options_free(&o);
    err_clear(&e);
    return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/* Help, manual page and completion, all printed from the option table and the
 * command table. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "formats.h"
#include "options.h"
#include "plotkind.h"
#include "status.h"
#include "workload.h"

#define WRAP 80

/* Words of text, wrapped at WRAP columns, each line after `indent` blanks; the first line starts
 * at column `at`. */
static void wrapped(FILE *f, const char *text, int at, int indent)
{
    int column = at;
    while (*text) {
        int n = (int)strcspn(text, " \n");
        if (column > indent && column + 1 + n > WRAP) {
            fprintf(f, "\n%*s", indent, "");
            column = indent;
        }
        if (column > indent) {
            fputc(' ', f);
            column++;
        } else if (column < indent) {
            fprintf(f, "%*s", indent - column, "");
            column = indent;
        }
        fprintf(f, "%.*s", n, text);
        column += n;
        text += n;
        text += strspn(text, " \n");
    }
    fputc('\n', f);
}

static void option_help(FILE *f, const struct option_doc *d)
{
    int n = 0;
    n += fprintf(f, d->letter ? "  -%c, " : "      ", d->letter);
    n += fprintf(f, "--%s", d->name);
    if (d->value)
        n += fprintf(f, " %s", d->value);
    if (n > 26) {
        fputc('\n', f);
        n = 0;
    } else {
        n += fprintf(f, "%*s", 27 - n, "");
    }
    wrapped(f, d->help, n > 27 ? 27 : n, 27);
}

static void formats_help(FILE *f, const struct command *c)
{
    struct list names = LIST_INIT;
    formats_of(c->name, &names);
    if (names.n)
        fputs("\nFormats (--format):\n", f);
    for (size_t i = 0; i < names.n; i++) {
        fprintf(f, "  %-24s ", names.v[i]);
        wrapped(f, formats_summary(c->name, names.v[i]), 27, 27);
    }
    list_free(&names);
}

static void plots_help(FILE *f)
{
    struct list names = LIST_INIT;
    plot_kinds(&names);
    fputs("\nPlots (--plot):\n", f);
    for (size_t i = 0; i < names.n; i++) {
        fprintf(f, "  %-24s ", names.v[i]);
        wrapped(f, plot_kind_summary(names.v[i]), 27, 27);
    }
    list_free(&names);
}

static const char *const exit_statuses[] = {
    "0  all well",
    "1  something failed (a build, a cell, a file); what could be measured was, and is written",
    "2  the command line or a data file named on it is not right; nothing was done",
    "3  a regression was found",
    "4  no verdict is possible",
};
#define NEXITS (sizeof exit_statuses / sizeof exit_statuses[0])

static const struct {
    const char *name, *help;
} environment[] = {
    {"CRYPTO_BENCH_CACHE", "Cache directory. Default: $XDG_CACHE_HOME/crypto-bench, "
                           "or ~/.cache/crypto-bench."},
    {"CRYPTO_BENCH_DATA", "Directory with targets/, configs/, libraries/ and bench/, in place of "
                          "the one that belongs to the program."},
    {"CRYPTO_BENCH_SOURCES", "Directory that is looked in first for release archives such as "
                             "openssl-3.5.7.tar.gz."},
};
#define NENV (sizeof environment / sizeof environment[0])

void options_help(FILE *f, const struct command *c)
{
    if (!c) {
        fputs("Usage: crypto-bench [COMMAND] [OPTION...]\n\n", f);
        wrapped(f,
                "Builds a crypto library with several sets of flags, for several machines, and "
                "says what each choice costs in speed and gains in size.",
                0, 0);
        fputs("\nCommands:\n", f);
        for (const struct command *k = commands; k->name; k++) {
            fprintf(f, "  %-10s", k->name);
            wrapped(f, k->summary, 12, 13);
        }
        fputs("\nOptions of run, the default command (for others: crypto-bench COMMAND --help):\n",
              f);
        c = command_find("run");
    } else {
        fprintf(f, "Usage: crypto-bench %s %s\n\n", c->name, c->usage);
        wrapped(f, c->details ? c->details : c->summary, 0, 0);
        fputs("\nOptions:\n", f);
    }
    for (size_t i = 0; i < option_doc_count(); i++) {
        struct option_doc d = option_doc_at(i);
        if (option_doc_applies(i, c))
            option_help(f, &d);
    }
    fputs("  -V, --version            Show the version and exit.\n", f);
    formats_help(f, c);
    if (!strcmp(c->name, "report"))
        plots_help(f);
    fputs("\nLists are separated by commas; 'all' stands for everything there is.\n"
          "Exit status:\n",
          f);
    for (size_t i = 0; i < NEXITS; i++) {
        fprintf(f, "  %c  ", exit_statuses[i][0]);
        wrapped(f, exit_statuses[i] + 3, 5, 5);
    }
    fputs("\nExample: crypto-bench --target aarch64 --alg aes-256-gcm\n", f);
}

/* Text for roff: backslashes, leading dots and hyphens made safe. */
static void roff(FILE *f, const char *text)
{
    int line_start = 1;
    for (; *text; text++) {
        if (line_start && (*text == '.' || *text == '\''))
            fputs("\\&", f);
        if (*text == '\\')
            fputs("\\e", f);
        else if (*text == '-')
            fputs("\\-", f);
        else
            fputc(*text, f);
        line_start = *text == '\n';
    }
}

static void roff_row(FILE *f, const char *tag, const char *text)
{
    fputs(".TP\n.B ", f);
    roff(f, tag);
    fputc('\n', f);
    roff(f, text);
    fputc('\n', f);
}

static void man_options(FILE *f)
{
    for (size_t i = 0; i < option_doc_count(); i++) {
        struct option_doc d = option_doc_at(i);
        int first = 1, all = 1;
        fputs(".TP\n", f);
        if (d.letter)
            fprintf(f, "\\fB\\-%c\\fR, ", d.letter);
        fputs("\\fB\\-\\-", f);
        roff(f, d.name);
        fputs("\\fR", f);
        if (d.value)
            fprintf(f, " \\fI%s\\fR", d.value);
        fputc('\n', f);
        roff(f, d.help);
        for (const struct command *c = commands; c->name; c++)
            all = all && option_doc_applies(i, c);
        fputs(all ? "\n(All commands." : "\n(Commands:", f);
        for (const struct command *c = commands; c->name && !all; c++) {
            if (option_doc_applies(i, c)) {
                fprintf(f, "%s %s", first ? "" : ",", c->name);
                first = 0;
            }
        }
        fputs(all ? ")\n" : ".)\n", f);
    }
}

static void man_formats(FILE *f)
{
    for (const struct command *c = commands; c->name; c++) {
        struct list names = LIST_INIT;
        formats_of(c->name, &names);
        if (names.n) {
            fputs(".SS ", f);
            roff(f, c->name);
            fputc('\n', f);
        }
        for (size_t i = 0; i < names.n; i++)
            roff_row(f, names.v[i], formats_summary(c->name, names.v[i]));
        list_free(&names);
    }
}

static void man_plots(FILE *f)
{
    struct list names = LIST_INIT;
    plot_kinds(&names);
    for (size_t i = 0; i < names.n; i++)
        roff_row(f, names.v[i], plot_kind_summary(names.v[i]));
    list_free(&names);
}

static void man(FILE *f)
{
    fprintf(f,
            ".TH CRYPTO\\-BENCH 1 \"\" \"crypto\\-bench %s\" \"User Commands\"\n"
            ".SH NAME\ncrypto\\-bench \\- measure what build flags cost a crypto library\n"
            ".SH SYNOPSIS\n.B crypto\\-bench\n[\\fICOMMAND\\fR] [\\fIOPTION\\fR...]\n"
            ".SH DESCRIPTION\n",
            CB_VERSION);
    roff(f,
         "Builds libcrypto once for every library, compiler, config and target asked for, links a "
         "small driver against each, runs it natively, under QEMU user-mode or on a device over "
         "ssh, and writes throughput and size as JSON and as a table.\n"
         "Every axis takes a list separated by commas, and the word all.\n"
         "Time under QEMU is the emulator's: it is labelled, and says nothing about the "
         "machine.\n");
    fputs(".SH COMMANDS\n", f);
    for (const struct command *c = commands; c->name; c++) {
        fputs(".TP\n.B ", f);
        roff(f, c->name);
        fputc(' ', f);
        roff(f, c->usage);
        fputc('\n', f);
        roff(f, c->details ? c->details : c->summary);
        fputc('\n', f);
    }
    fputs(".SH OPTIONS\n", f);
    man_options(f);
    fputs(".TP\n\\fB\\-V\\fR, \\fB\\-\\-version\\fR\nShow the version and exit.\n", f);
    fputs(".SH FORMATS\nThe words of \\-\\-format, by command:\n", f);
    man_formats(f);
    fputs(".SH PLOTS\nThe words of \\-\\-plot:\n", f);
    man_plots(f);
    fputs(".SH WORKLOADS\n", f);
    for (size_t i = 0; i < workload_count(); i++)
        roff_row(f, workload_at(i)->name, workload_at(i)->summary);
    fputs(".SH STATUSES\nWhat a build or a cell can end with, in tables and result files:\n", f);
    for (int i = 0; i < STATUS_COUNT; i++)
        roff_row(f, status_name((enum status)i), status_summary((enum status)i));
    fputs(".SH EXIT STATUS\n", f);
    for (size_t i = 0; i < NEXITS; i++) {
        char tag[2] = {exit_statuses[i][0], 0};
        roff_row(f, tag, exit_statuses[i] + 3);
    }
    fputs(".PP\n", f);
    roff(f, "Interrupted (SIGINT, SIGTERM): what was measured is written, then the program ends "
            "by that signal.\n");
    fputs(".SH ENVIRONMENT\n", f);
    for (size_t i = 0; i < NENV; i++)
        roff_row(f, environment[i].name, environment[i].help);
    fputs(".SH FILES\n", f);
    roff_row(f, "results/TIME-TARGETS.json",
             "Result files, below the current directory; described in docs/format.md.");
    roff_row(f, "~/.cache/crypto-bench",
             "Sources and builds. May be removed at any time while no run is under way.");
    fputs(".SH EXAMPLES\n.nf\n", f);
    roff(f, "crypto-bench --target aarch64 --alg aes-256-gcm\n"
            "crypto-bench --target x86_64 --library openssl-3.0 --config Os,small-footprint \\\n"
            "    --alg aes-256-gcm --size 1456 --time 5\n"
            "crypto-bench --library ./openssl --cc gcc,clang --config Os\n"
            "crypto-bench --target mips --runner ssh:root@router\n");
    fputs(".fi\n", f);
}

/* What --format takes depends on the command. */
static void bash_formats(FILE *f)
{
    fputs("case $command in", f);
    for (const struct command *c = commands; c->name; c++) {
        struct list names = LIST_INIT;
        formats_of(c->name, &names);
        char *all = list_join(&names, " ");
        if (names.n)
            fprintf(f, " %s) words='%s' ;;", c->name, all);
        free(all);
        list_free(&names);
    }
    fputs(" esac", f);
}

static void bash_words(FILE *f, const char *words)
{
    if (words[0] != '@') {
        fprintf(f, "words='%s'", words);
        return;
    }
    if (!strcmp(words, "@file")) {
        fputs("COMPREPLY=($(compgen -f -- \"$cur\")); return", f);
        return;
    }
    if (!strcmp(words, "@formats")) {
        bash_formats(f);
        return;
    }
    if (!strcmp(words, "@plots")) {
        struct list names = LIST_INIT;
        plot_kinds(&names);
        char *all = list_join(&names, " ");
        fprintf(f, "words='%s'", all);
        free(all);
        list_free(&names);
        return;
    }
    fprintf(f, "words=\"$(_crypto_bench_list %s) all\"", words + 1);
}

static void bash(FILE *f)
{
    fputs("# bash completion for crypto-bench; generated by `crypto-bench docs bash`\n"
          "_crypto_bench_list() {\n"
          "    crypto-bench list \"$1\" 2>/dev/null | sed -n 's/^  \\([^ ]*\\).*/\\1/p'\n"
          "}\n"
          "_crypto_bench() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local command=run words='' head=''\n"
          "    case ${COMP_WORDS[1]} in\n",
          f);
    for (const struct command *c = commands; c->name; c++)
        fprintf(f, "        %s) command=%s ;;\n", c->name, c->name);
    fputs("    esac\n    case $prev in\n", f);
    for (size_t i = 0; i < option_doc_count(); i++) {
        struct option_doc d = option_doc_at(i);
        if (!d.words)
            continue;
        fprintf(f, "        --%s", d.name);
        if (d.letter)
            fprintf(f, "|-%c", d.letter);
        fputs(") ", f);
        bash_words(f, d.words);
        fputs(" ;;\n", f);
    }
    fputs("    esac\n"
          "    if [[ -n $words ]]; then\n"
          "        [[ $cur == *,* ]] && head=${cur%,*},\n"
          "        mapfile -t COMPREPLY < <(compgen -P \"$head\" -W \"$words\" -- \"${cur##*,}\")\n"
          "        return\n"
          "    fi\n"
          "    case $command in\n",
          f);
    for (const struct command *c = commands; c->name; c++) {
        fprintf(f, "        %s) words='", c->name);
        for (size_t i = 0; i < option_doc_count(); i++)
            if (option_doc_applies(i, c))
                fprintf(f, "--%s ", option_doc_at(i).name);
        if (!strcmp(c->name, "list"))
            fputs(
                "targets configs libraries algorithms compilers workloads suites statuses formats",
                f);
        if (!strcmp(c->name, "docs"))
            fputs("man bash", f);
        fputs("' ;;\n", f);
    }
    fputs("    esac\n    [[ $COMP_CWORD == 1 ]] && words+='", f);
    for (const struct command *c = commands; c->name; c++)
        fprintf(f, " %s", c->name);
    fputs(" --version'\n"
          "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
          "}\n"
          "complete -F _crypto_bench crypto-bench\n",
          f);
}

int options_document(FILE *f, const char *what)
{
    static const struct {
        const char *name;
        void (*print)(FILE *);
    } documents[] = {{"man", man}, {"bash", bash}};
    for (size_t i = 0; i < sizeof documents / sizeof documents[0]; i++) {
        if (!strcmp(documents[i].name, what)) {
            documents[i].print(f);
            return 0;
        }
    }
    return -1;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_PLOT_MAKE_H
#define CB_PLOT_MAKE_H

/* The kinds of plot_make(), one file each, and how they name what they show. They add panels to
 * out. metric: as figure_chosen() has it. */
#include "figure.h"
#include "plot.h"
#include "resultfile.h"

enum { PLOT_LINES = 12 }; /* told apart in one panel; more go into panels of their own */

void plot_block_size(const struct result_file *files, size_t n, const struct list *metric,
                     struct plot *out);
void plot_size_speed(const struct result_file *files, size_t n, const struct list *metric,
                     struct plot *out);
void plot_history(const struct result_file *files, size_t n, const struct list *metric,
                  struct plot *out);

/* Strings are the caller's. */
/* "aarch64 cortex-a53, qemu" */
char *plot_machine(const struct result_lane *l);
/* "openssl-3.5 3.5.7, gcc 12.2.0"; without the compiler where it is said elsewhere */
char *plot_toolchain(const struct result_build *b, int with_compiler);
/* figure_note(), and that an emulator did the counting */
char *plot_note(enum figure f, const struct result_lane *l);
/* "base.json: " where there are several files, "" for one */
char *plot_file_prefix(const struct result_file *files, size_t n, size_t i);

#endif

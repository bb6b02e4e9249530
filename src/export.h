/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_EXPORT_H
#define CB_EXPORT_H

/* Result files in the forms that people paste and publish, and that other programs read. */
#include <stddef.h>
#include <stdio.h>

#include "err.h"
#include "options.h"
#include "resultfile.h"
#include "str.h"

/* What is printed. Formats print the same bytes for the same input on any machine and in any
 * locale, and no number that does not follow from the files. */
struct export
{
    const struct result_file *files; /* in the order given */
    size_t n;                        /* at least 1 */
    const struct options *options; /* what the formats' own options say; cells are chosen already */
    struct list *notes; /* to be told people beside it: what was left out, say; may be NULL */
};

/* format: one of export_formats(), else a usage error. -1 also when it cannot be written. */
int export_print(FILE *f, const struct export *x, const char *format, struct err *e);
/* 1 when a terminal should not be sent it. */
int export_is_binary(const char *format);
/* Adds the names. */
void export_formats(struct list *out);
/* What --metric may name, separated by commas; NULL when the format takes no choice of it. */
const char *export_metrics(const char *format);
/* One line for people; NULL for an unknown format. */
const char *export_format_summary(const char *format);

#endif

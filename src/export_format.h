/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_EXPORT_FORMAT_H
#define CB_EXPORT_FORMAT_H

/* The formats of export_print(), one file each. -1 with an error; whether f could be written is the
 * caller's to check. */
#include <stdio.h>

#include "err.h"
#include "export.h"

int export_table(FILE *f, const struct export *x, struct err *e);
int export_markdown(FILE *f, const struct export *x, struct err *e);
int export_svg(FILE *f, const struct export *x, struct err *e);
int export_png(FILE *f, const struct export *x, struct err *e);
int export_html(FILE *f, const struct export *x, struct err *e);
int export_csv(FILE *f, const struct export *x, struct err *e);
int export_openssl_speed(FILE *f, const struct export *x, struct err *e);
int export_release_notes(FILE *f, const struct export *x, struct err *e);
int export_github_action_benchmark(FILE *f, const struct export *x, struct err *e);
int export_bmf(FILE *f, const struct export *x, struct err *e);
int export_lnt(FILE *f, const struct export *x, struct err *e);
int export_openmetrics(FILE *f, const struct export *x, struct err *e);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_WORDING_H
#define CB_WORDING_H

/*
 * How findings and comparisons are said to people, in every format the same. Strings are owned by
 * the caller. Only what says so escapes the names in it.
 */
#include "compare.h"
#include "grid.h"

/* verdict_name(), but "too close to call" for modelled cycles that are. Not to be freed. */
const char *wording_verdict(const struct finding *f);
/* A value of the finding: "812.4 ns", "10482", "3145728 B"; "-" when excluded. */
char *wording_value(const struct finding *f, double value);
/* "+3.21%" for a ratio of 1.0321; enough digits that a change is not shown as none. */
char *wording_change(double ratio);
/* Of the change: "+2.51% to +3.94%", "exact", "none". */
char *wording_interval(const struct finding *f);
/* A limit or noise: 0.005 is "0.5%". */
char *wording_percent(double fraction);
/* "+3.21% (812.4 ns to 838.5 ns), interval +2.51% to +3.94%, limit 2%, noise 0.4%"; excluded: the
 * reason, as it is. */
char *wording_finding(const struct finding *f);
/* "regression: 2 of 120 cells are slower". Holds no names. */
char *wording_headline(const struct comparison *c);
/* For each metric that has findings: "time: 120 cells: 2 slower, 116 same, 2 excluded; geometric
 * mean +0.42% over 118". Holds no names. */
void wording_counts(const struct comparison *c, struct list *out);
/* Each cause once: "2 (time): REASON; first NAME". */
void wording_excluded(const struct comparison *c, struct list *out);
/* The two parts of a line "code: text" of a comparison; text points into line. A line without a
 * code has "other". */
char *wording_code(const char *line, const char **text);
/* How to read changes and intervals. */
extern const char wording_legend[];

/* A table of n findings. escape is for their names. */
struct grid wording_grid(const struct finding *f, size_t n, char *(*escape)(const char *));

/* Findings that stand first: worse and unclear ones. */
size_t wording_deciding(const struct comparison *c);
/* 1 when unclear findings keep nobody from a pass. */
int wording_unclear_allowed(const struct comparison *c);

#endif

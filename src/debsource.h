/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_DEBSOURCE_H
#define CB_DEBSOURCE_H

/*
 * Upstream archives out of Debian source packages, for machines that reach a Debian mirror but not
 * the upstream site. The mirror, its keys and options are those the machine already uses; only
 * the suite is another. The machine's own package lists are not touched.
 */
#include "err.h"
#include "library.h"
#include "str.h"

/* Downloads into dir (exists) what may be the archive of l: *files gets the paths, to be checked
 * by the caller. Needs l->debian_package and l->debian_suite. */
int debsource_fetch(const struct library *l, const char *dir, void (*say)(void *arg, const char *),
                    void *arg, struct list *files, struct err *e);

/*
 * Text of an apt source list, one-line (.list) or deb822 (.sources), turned into the deb-src
 * entries of another suite. `codename` is the machine's own release; only its entries (and their
 * -security and -updates) are taken. Returns the number of entries added to out.
 */
size_t debsource_convert_list(const char *text, const char *codename, const char *suite,
                              struct str *out);
size_t debsource_convert_sources(const char *text, const char *codename, const char *suite,
                                 struct str *out);
/* From the output of apt-cache showsrc: versions of package whose upstream part is `upstream`,
 * and in `others` those that differ. Without repeats. */
void debsource_versions(const char *showsrc, const char *package, const char *upstream,
                        struct list *versions, struct list *others);

#endif

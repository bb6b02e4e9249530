/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_LIBRARY_H
#define CB_LIBRARY_H

/*
 * What is measured. A release (pinned archive, libraries/ JSON), a source tree, or a
 * prebuilt prefix (include/ and lib/libcrypto.a).
 */
#include "err.h"
#include "str.h"

enum library_kind { LIBRARY_RELEASE, LIBRARY_TREE, LIBRARY_PREFIX };

struct library {
    enum library_kind kind;
    char *path; /* the JSON file, tree or prefix; absolute for the latter two */
    char *name; /* release: its name; tree and prefix: the base name of the path */
    char *summary;
    char *version;   /* release: "3.5.7"; tree, prefix: from opensslv.h; NULL if unknown */
    char *lifecycle; /* one line on how long it is maintained; may be NULL */
    char *side;      /* "base" or "new" of a gate; else NULL */
    int is_default;
    /* release only */
    char *archive;        /* file name of the upstream archive */
    char sha256[65];      /* of that archive */
    struct list urls;     /* upstream */
    char *debian_package; /* source package that carries the same archive; may be NULL */
    char *debian_suite;   /* Debian release that has it, e.g. "trixie" */
    /* tree: hash of its contents; prefix: of headers and archive. Part of the
     * build key. Release: the archive's hash. */
    char content_hash[65];
    char *prefix_archive;      /* prefix only: path of libcrypto.a */
    char *prefix_include;      /* prefix only: directory that holds openssl/ */
    char *prefix_include_arch; /* prefix only: second directory with openssl/ (multiarch:
                                  include/TRIPLET), for -I as well; NULL if none */
};

/* word: a name, a JSON file, a tree (holds Configure or config and crypto/) or a prefix. */
int library_find(const char *word, struct library *out, struct err *e);
int library_load(const char *path, struct library *out, struct err *e);
void library_free(struct library *l);
/* "release", "tree", "prefix". */
const char *library_kind_name(enum library_kind k);

#endif

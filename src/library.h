/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_LIBRARY_H
#define CB_LIBRARY_H

/*
 * What is measured. A release (pinned archive, libraries/ JSON), a source tree, a prebuilt prefix
 * (include/ and lib/libcrypto.a), or aes-generic of Linux (a library file, tree or archive).
 */
#include "err.h"
#include "str.h"

enum library_kind { LIBRARY_RELEASE, LIBRARY_TREE, LIBRARY_PREFIX, LIBRARY_LINUX };

enum { LINUX_FILES = 2 }; /* taken from Linux, see linuxsource.h */

struct library {
    enum library_kind kind;
    char *path; /* the JSON file, tree, prefix or archive; absolute for the latter three */
    char *name; /* of a JSON file: its name; else the base name of the path */
    char *summary;
    char *version;   /* release: "3.5.7"; tree, prefix: from opensslv.h; NULL if unknown */
    char *lifecycle; /* one line on how long it is maintained; may be NULL */
    char *side;      /* "base" or "new" of a gate; else NULL */
    int is_default;
    /* of a JSON file only, but for the hash */
    char *archive;        /* file name of the upstream archive */
    char sha256[65];      /* release: of that archive; Linux: as content_hash */
    struct list urls;     /* upstream */
    char *debian_package; /* source package that carries the same archive (Linux: binary package
                             that holds it); may be NULL */
    char *debian_suite;   /* Debian release that has it, e.g. "trixie" */
    char linux_sha256[LINUX_FILES][65]; /* Linux, of a JSON file: of each file; else "" */
    /* tree: hash of its contents; prefix: of headers and archive; Linux: of the two files, or of an
     * archive that is no pinned one. Part of the build key. Release: the archive's hash. */
    char content_hash[65];
    char *prefix_archive;      /* prefix only: path of libcrypto.a */
    char *prefix_include;      /* prefix only: directory that holds openssl/ */
    char *prefix_include_arch; /* prefix only: second directory with openssl/ (multiarch:
                                  include/TRIPLET), for -I as well; NULL if none */
};

/* word: a name, a JSON file, a tree (holds Configure or config and crypto/), a prefix, or a tree or
 * tar archive of Linux. */
int library_find(const char *word, struct library *out, struct err *e);
int library_load(const char *path, struct library *out, struct err *e);
void library_free(struct library *l);
/* "release", "tree", "prefix", "linux-aes". */
const char *library_kind_name(enum library_kind k);

#endif

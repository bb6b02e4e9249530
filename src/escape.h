/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_ESCAPE_H
#define CB_ESCAPE_H

#include <stddef.h>

#include "str.h"

/*
 * Text of any bytes (users' own names, messages of tools) made fit for the notations it is put
 * into. Every function returns a string that the caller owns; NULL counts as "".
 */

/* One line that a terminal shows and does not obey: control characters as \n, \t or \u001b, bytes
 * that are no UTF-8 as \ufffd. Backslashes stay as they are. (Not \x1b: libsmartcols escapes a
 * "\x" again.) */
char *escape_text(const char *s);
/* For XML 1.0, as an attribute's value (in double quotes) or between tags: white space as
 * references, which attributes keep; the characters that XML forbids as escape_text() has them. */
char *escape_xml(const char *s);
/* JSON, so that it can stand in a <script> of HTML and in JavaScript: what could end or begin
 * anything there is written \u003c and the like, which in JSON means the same. */
char *escape_script(const char *json);
/* GitHub-flavoured Markdown: escape_text() as a code span, inside which nothing is markup, link or
 * mention. A '|' stays one; in a table grid_print() escapes it. */
char *escape_markdown(const char *s);
/* A name in running text or a table: format "markdown" has it as it is where that means nothing to
 * Markdown, else as escape_markdown(); any other as escape_text(). */
char *escape_name(const char *s, const char *format);
/* The same of n names, added to out; NULL gives "". */
void escape_names(struct list *out, const char *const *names, size_t n, const char *format);
/* A field of a CSV file (RFC 4180), quoted where it has to be: control characters other than tabs
 * and line ends as escape_text() has them. Text that a spreadsheet would take for a formula (from
 * = + - @ or white space on) gets an apostrophe in front. Not for numbers. */
char *escape_csv(const char *s);
/* Workflow commands of GitHub Actions: a message, and a property such as title. */
char *escape_github_message(const char *s);
char *escape_github_property(const char *s);

#endif

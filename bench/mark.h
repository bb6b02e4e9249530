/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_MARK_H
#define CB_MARK_H

/*
 * Marks in the instruction stream. They do nothing; who counts instructions from outside looks up
 * their addresses in the symbol table and sees where execution passes them.
 */
void cb_mark_begin(void);
void cb_mark_end(void);

#endif

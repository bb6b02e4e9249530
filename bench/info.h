/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_INFO_H
#define CB_INFO_H

/* Answers the `info` command. */
void info_emit(void);

#endif

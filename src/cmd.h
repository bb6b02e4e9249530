/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_CMD_H
#define CB_CMD_H

/* The subcommands: each returns an exit status and prints its own verdicts. */
#include "options.h"

int cmd_run(struct options *o);
int cmd_build(struct options *o);
int cmd_list(struct options *o);
int cmd_doctor(struct options *o);
int cmd_explain(struct options *o);
int cmd_compare(struct options *o);
int cmd_gate(struct options *o);
int cmd_report(struct options *o);
int cmd_advise(struct options *o);
int cmd_merge(struct options *o);
int cmd_docs(struct options *o);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef LINUX_EXPORT_H
#define LINUX_EXPORT_H

/* A declaration again: takes the semicolon after it. */
#define EXPORT_SYMBOL(symbol)     struct standin_nothing
#define EXPORT_SYMBOL_GPL(symbol) struct standin_nothing

#endif

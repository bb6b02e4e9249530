/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef LINUX_MODULE_H
#define LINUX_MODULE_H

#include <linux/export.h>
#include <linux/init.h>

#define THIS_MODULE              NULL
#define MODULE_ALIAS_CRYPTO(x)   struct standin_nothing
#define MODULE_AUTHOR(text)      struct standin_nothing
#define MODULE_DESCRIPTION(text) struct standin_nothing
#define MODULE_LICENSE(text)     struct standin_nothing

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef LINUX_ERRNO_H
#define LINUX_ERRNO_H

#define EINVAL 22

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef LINUX_INIT_H
#define LINUX_INIT_H

/* The kernel calls what a module names so; evp.c calls these. */
int standin_init(void);
void standin_exit(void);

#define __init
#define __exit
#define subsys_initcall(function)                                                                  \
    int standin_init(void)                                                                         \
    {                                                                                              \
        return function();                                                                         \
    }
#define module_init(function) subsys_initcall(function)
#define module_exit(function)                                                                      \
    void standin_exit(void)                                                                        \
    {                                                                                              \
        function();                                                                                \
    }

#endif

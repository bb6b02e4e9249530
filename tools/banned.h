/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_BANNED_H
#define CB_BANNED_H

/*
 * Functions not to be called: `make lint` compiles every file with this header put in front. Their
 * own headers come first, so that only calls are caught.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <alloca.h>

/* No bound on what they write: snprintf, str_addf. */
#define sprintf(...)  banned_function_sprintf
#define vsprintf(...) banned_function_vsprintf
#define strcpy(...)   banned_function_strcpy
#define stpcpy(...)   banned_function_stpcpy
#define strcat(...)   banned_function_strcat
#define gets(...)     banned_function_gets
/* Often no NUL at the end: str_addn, memcpy. */
#define strncpy(...) banned_function_strncpy
#define strncat(...) banned_function_strncat
/* Hidden state: strcspn, list_split. */
#define strtok(...) banned_function_strtok
/* Through a shell: spawn.h. */
#define system(...) banned_function_system
#define popen(...)  banned_function_popen
/* Errors go unnoticed: number.h. */
#define atoi(...)  banned_function_atoi
#define atol(...)  banned_function_atol
#define atoll(...) banned_function_atoll
#define atof(...)  banned_function_atof
/* Unbounded stack. */
#undef alloca
#define alloca(...) banned_function_alloca

#endif

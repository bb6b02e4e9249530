/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
/* An assembly module for any machine: a word of data. */
    .data
    .globl mini_capability
mini_capability:
    .long 0
    .section .note.GNU-stack, "", %progbits

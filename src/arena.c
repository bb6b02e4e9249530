/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#include "arena.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "mem.h"

enum { ALIGN = 16, PIECE = 2 << 20 /* a huge page, where the kernel gives them */ };

struct arena_piece {
    struct arena_piece *next;
};

static void piece_add(struct arena *a, size_t least)
{
    size_t n = (least + ALIGN + PIECE - 1) / PIECE * PIECE;
    struct arena_piece *p = aligned_alloc(PIECE, n);
    if (!p)
        p = xmalloc(n);
    else
        madvise(p, n, MADV_HUGEPAGE);
    p->next = a->pieces;
    a->pieces = p;
    a->at = (char *)p + ALIGN;
    a->left = n - ALIGN;
}

void *arena_take(struct arena *a, size_t n)
{
    n = (n + ALIGN - 1) / ALIGN * ALIGN;
    if (n > a->left)
        piece_add(a, n);
    void *p = a->at;
    a->at += n;
    a->left -= n;
    return p;
}

void arena_free(struct arena *a)
{
    while (a->pieces) {
        struct arena_piece *p = a->pieces;
        a->pieces = p->next;
        free(p);
    }
    *a = (struct arena){0};
}

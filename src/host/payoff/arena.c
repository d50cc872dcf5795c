/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Memory of a unit: blocks that are filled from their beginning and freed together.
 */
#include "language.h"

#include <base/alloc.h>

#include <string.h>

#define BLOCK_BYTES (32u << 10) /* a payoff of a page takes a few of these */
#define ALIGNMENT 16u

struct bly_block {
    struct bly_block *before;
    size_t used, size; /* behind this header */
};

#define HEAD ((sizeof(struct bly_block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT)

static bool add_block(struct bly_arena *arena, size_t bytes)
{
    const size_t size = bytes > BLOCK_BYTES / 4 ? bytes : BLOCK_BYTES;
    struct bly_block *block = bly_alloc(1, HEAD + size);
    if (!block) return false;
    block->size = size;
    block->before = arena->blocks;
    arena->blocks = block;
    return true;
}

void *bly_arena_take(struct bly_arena *arena, size_t bytes)
{
    if (bytes > BLY_MOST_ARENA) arena->full = true;
    if (arena->full) return NULL;
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes > BLY_MOST_ARENA - arena->used) {
        arena->full = true;
        return NULL;
    }
    if ((!arena->blocks || bytes > arena->blocks->size - arena->blocks->used) && !add_block(arena, bytes))
        return NULL;
    struct bly_block *block = arena->blocks;
    void *taken = (char *)block + HEAD + block->used;
    block->used += bytes;
    arena->used += bytes;
    return taken;
}

const char *bly_arena_text(struct bly_arena *arena, const char *text, size_t length)
{
    char *copy = bly_arena_take(arena, length + 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

void bly_arena_free(struct bly_arena *arena)
{
    while (arena->blocks) {
        struct bly_block *block = arena->blocks;
        arena->blocks = block->before;
        bly_free(block);
    }
    *arena = (struct bly_arena){0};
}

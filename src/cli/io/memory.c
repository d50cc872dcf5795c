/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Memory for many small things that are dropped together: the members of a document, the values of a deal.
 * Nothing has to be freed one by one, and the next document or deal finds a chunk that is allocated already.
 */
#include "io.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 16384 };

struct arena_chunk {
    struct arena_chunk *next;
    size_t used, room;
    max_align_t bytes[];
};

static struct arena_chunk *add_chunk(struct arena *arena, size_t bytes)
{
    const size_t room = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
    struct arena_chunk *chunk = malloc(sizeof *chunk + room);
    if (!chunk) return NULL;
    *chunk = (struct arena_chunk){.next = arena->chunks, .room = room};
    return arena->chunks = chunk;
}

void *arena_take(struct arena *arena, size_t bytes)
{
    const size_t unit = sizeof(max_align_t), rounded = (bytes + unit - 1) / unit * unit;
    struct arena_chunk *chunk = arena->chunks;
    if ((!chunk || chunk->room - chunk->used < rounded) && !(chunk = add_chunk(arena, rounded))) return NULL;
    void *taken = (char *)chunk->bytes + chunk->used;
    chunk->used += rounded;
    return memset(taken, 0, rounded);
}

char *arena_copy(struct arena *arena, const char *text)
{
    char *copy = arena_take(arena, strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

/* Drops the chunks that were added after the first one, which is the last of the list. */
void arena_clear(struct arena *arena)
{
    while (arena->chunks && arena->chunks->next) {
        struct arena_chunk *next = arena->chunks->next;
        free(arena->chunks);
        arena->chunks = next;
    }
    if (arena->chunks) arena->chunks->used = 0;
}

void arena_free(struct arena *arena)
{
    arena_clear(arena);
    free(arena->chunks);
    arena->chunks = NULL;
}

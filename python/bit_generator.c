/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What NumPy's generators call for each number (numpy/random/bitgen.h): words of a source, a block at a time.
 * A 64-bit number is words 2i and 2i + 1 of the source, the lower one first; a double has its highest 53
 * bits. Numbers of 32 bits take the halves of a 64-bit one, low half first.
 *
 * NumPy calls these functions without Python's lock, one thread at a time for each state. The context belongs
 * to the state alone and has one thread, so that states share nothing and a fork leaves them whole.
 */
#include <bailey/bailey.h>

#define BLOCK 8192u /* words */

/* Python fills it in; the functions of the library come as pointers, so that this file links to nothing. */
struct state {
    bailey_status (*generate)(bailey_context *context, const bailey_source *source, uint64_t first,
                              uint64_t count, bailey_buffer *out, uint64_t out_offset);
    int (*lock)(void); /* PyGILState_Ensure, with PyGILState_Release */
    void (*unlock)(int);
    unsigned long (*thread)(void); /* PyThread_get_thread_ident */
    int (*raise_)(unsigned long,
                  void *); /* PyThreadState_SetAsyncExc, with one of the exceptions that follow */
    void *source_ended, *source_failed;
    bailey_context *context; /* of the cpu backend */
    bailey_buffer *buffer;   /* adopts `words` */
    bailey_source source;
    uint64_t place;          /* of the first word that is not in `words` */
    uint64_t ended;          /* 1: `place` is 2^64, and the source has no more words */
    uint32_t used;           /* of `words`, even; BLOCK: all */
    uint32_t has_half, half; /* the high half of a 64-bit number */
    uint32_t status;         /* of the last failure */
    uint32_t words[BLOCK];
};

BAILEY_API uint64_t bailey_bit_generator_bytes(void) { return sizeof(struct state); }
BAILEY_API uint32_t bailey_bit_generator_words(void) { return BLOCK; }

/* The words end at the block's end, also where the source has fewer left. */
static bailey_status refill(struct state *s)
{
    const uint64_t left = UINT64_MAX - s->place + 1; /* 0: 2^64 */
    const uint32_t count = left && left < BLOCK ? (uint32_t)left : BLOCK;
    const bailey_status status =
        s->ended ? BAILEY_ERROR_INVALID
                 : s->generate(s->context, &s->source, s->place, count, s->buffer, BLOCK - count);
    if (status != BAILEY_OK) return status;
    s->place += count;
    s->ended = s->place == 0;
    s->used = BLOCK - count;
    return BAILEY_OK;
}

/* NumPy knows no numbers that fail, so it gets some, and the error is raised when its call is back in Python.
 * They differ from call to call, as some callers draw until a number suits them. */
static uint64_t fail(struct state *s, bailey_status status)
{
    static _Thread_local uint64_t number;
    s->status = (uint32_t)status;
    const int locked = s->lock();
    s->raise_(s->thread(), s->ended ? s->source_ended : s->source_failed);
    s->unlock(locked);
    return number += UINT64_C(0x9e3779b97f4a7c15);
}

BAILEY_API uint64_t bailey_bit_generator_next64(void *user)
{
    struct state *s = user;
    if (s->used == BLOCK) {
        const bailey_status status = refill(s);
        if (status != BAILEY_OK) return fail(s, status);
    }
    const uint64_t low = s->words[s->used], high = s->words[s->used + 1];
    s->used += 2;
    return high << 32 | low;
}

BAILEY_API uint32_t bailey_bit_generator_next32(void *user)
{
    struct state *s = user;
    if (s->has_half) {
        s->has_half = 0;
        return s->half;
    }
    const uint64_t both = bailey_bit_generator_next64(s);
    s->half = (uint32_t)(both >> 32);
    s->has_half = 1;
    return (uint32_t)both;
}

BAILEY_API double bailey_bit_generator_double(void *user)
{
    return (double)(bailey_bit_generator_next64(user) >> 11) * 0x1p-53;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What NumPy's generators call for each number (numpy/random/bitgen.h): words of a source, a block at a time.
 * A 64-bit number is words 2i and 2i + 1 of the source, the lower one first; a double has its highest 53 bits.
 * Numbers of 32 bits take the halves of a 64-bit one, low half first.
 */
#include <bailey/bailey.h>

#define BLOCK 8192u /* words */

/* Python fills it in; the functions of the library come as pointers, so that this file links to nothing. */
struct state {
    bailey_status (*generate)(bailey_context *context, const bailey_source *source, uint64_t first,
                              uint64_t count, bailey_buffer *out, uint64_t out_offset);
    bailey_context *context; /* of the cpu backend */
    bailey_buffer *buffer;   /* adopts `words` */
    bailey_source source;
    uint64_t place;          /* of the next word that is not in `words` */
    uint32_t used;           /* of `words`, even; BLOCK: all */
    uint32_t has_half, half; /* the high half of a 64-bit number */
    uint32_t status;         /* of the last failure, for Python to see */
    uint32_t words[BLOCK];
};

BAILEY_API uint64_t bailey_bit_generator_bytes(void) { return sizeof(struct state); }
BAILEY_API uint32_t bailey_bit_generator_words(void) { return BLOCK; }

static void refill(struct state *s)
{
    const bailey_status status = s->generate(s->context, &s->source, s->place, BLOCK, s->buffer, 0);
    if (status != BAILEY_OK) s->status = (uint32_t)status;
    s->place += BLOCK;
    s->used = 0;
}

BAILEY_API uint64_t bailey_bit_generator_next64(void *user)
{
    struct state *s = user;
    if (s->used == BLOCK) refill(s);
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

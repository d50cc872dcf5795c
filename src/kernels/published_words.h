/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Filling memory with the sequences that generators' references define (BAILEY_SEQUENCE_PUBLISHED), from
 * states that the host has jumped to (src/host/source/source.h).
 */
#ifndef BLY_PUBLISHED_KERNELS_H
#define BLY_PUBLISHED_KERNELS_H

#include "kernels/segments.h"

/* State s, whose word k is element k * states + s of the first buffer, makes words s * spacing ... of
 * `count`, which go to elements out_offset ... of the output. `spacing` is a multiple of 4, `states` of
 * BAILEY_LANES. */
typedef struct bly_published_params {
    bailey_uint64 states, spacing, count, out_offset;
} bly_published_params;

BAILEY_FN bailey_u32 bly_state_word(bly_published_params p, const BAILEY_GLOBAL bailey_uint32 *states,
                                    bailey_uint64 item, bailey_uint32 word)
{
    return bailey_vector_load_u32(states + word * p.states + item * BAILEY_LANES);
}

/* Four words of each lane's state, from word `word` of its part. */
BAILEY_FN void bly_published_store(bly_published_params p, BAILEY_GLOBAL bailey_uint32 *out,
                                   bailey_uint64 item, bailey_uint64 word, bailey_pack_u32 x)
{
    x = bailey_zip_u32(x);
    for (bailey_uint32 lane = 0; lane < BAILEY_LANES; lane++) {
        const bailey_uint64 begin = (item * BAILEY_LANES + lane) * p.spacing + word;
        if (begin >= p.count) continue;
        const bailey_uint32 high = p.count - begin < 4 ? (bailey_uint32)(p.count - begin) : 4;
        bailey_store_u32(out, p.out_offset + begin - 4 * lane, 1, 4 * lane, 4 * lane + high, x);
    }
}

#define BLY_PUBLISHED_ITEM(kernel, generator, load, next)                                                    \
    BAILEY_FN void kernel##_item(bly_published_params p, const BAILEY_GLOBAL bailey_uint32 *states,          \
                                 BAILEY_GLOBAL bailey_uint32 *out, bailey_uint64 item, bailey_uint64 row)    \
    {                                                                                                        \
        (void)row;                                                                                           \
        if (item * BAILEY_LANES >= p.states) return;                                                         \
        bailey_##generator g;                                                                                \
        load;                                                                                                \
        for (bailey_uint64 word = 0; word < p.spacing; word += 4) {                                          \
            bailey_pack_u32 x;                                                                               \
            for (int j = 0; j < 4; j++) x.value[j] = next(&g);                                               \
            bly_published_store(p, out, item, word, x);                                                      \
        }                                                                                                    \
    }
#define BLY_WORD(k) bly_state_word(p, states, item, k)
BLY_PUBLISHED_ITEM(bly_published_xorwow, xorwow,
                   (g.value[0] = BLY_WORD(0), g.value[1] = BLY_WORD(1), g.value[2] = BLY_WORD(2),
                    g.value[3] = BLY_WORD(3), g.value[4] = BLY_WORD(4), g.d_ = BLY_WORD(5)),
                   bailey_xorwow_next)
BLY_PUBLISHED_ITEM(bly_published_kiss, kiss,
                   (g.z_ = BLY_WORD(0), g.w_ = BLY_WORD(1), g.jsr = BLY_WORD(2), g.jcong = BLY_WORD(3)),
                   bailey_kiss_next)
BLY_PUBLISHED_ITEM(bly_published_park_miller, park_miller, g.x_ = BLY_WORD(0), bailey_park_miller_next)
BLY_PUBLISHED_ITEM(bly_published_lcg, lcg, g.x_ = BLY_WORD(0), bailey_lcg_next)
BLY_PUBLISHED_ITEM(bly_published_adder, adder, g.x_ = BLY_WORD(0), bailey_adder_next)
#if BAILEY_HAS_F64
BLY_PUBLISHED_ITEM(bly_published_mrg32k3a, mrg32k3a,
                   (g.s1_[0] = BLY_WORD(0), g.s1_[1] = BLY_WORD(1), g.s1_[2] = BLY_WORD(2),
                    g.s2_[0] = BLY_WORD(3), g.s2_[1] = BLY_WORD(4), g.s2_[2] = BLY_WORD(5)),
                   bailey_mrg32k3a_next_curand)
#endif
#undef BLY_WORD

/* MT19937: one team, or item, makes all words. The state is a block of 624 and the number of the next word in
 * it; `spacing` is ignored. */
#if defined(BLY_TEAM)
BAILEY_FN void bly_published_mt19937_team(bly_published_params p, const BAILEY_GLOBAL bailey_uint32 *states,
                                          BAILEY_GLOBAL bailey_uint32 *out,
                                          BLY_TEAM_SHARED bailey_uint32 *shared, bailey_uint64 number,
                                          bailey_uint32 lane, int exists)
{
    const bailey_uint64 low = states[BAILEY_MT19937_WORDS];
    const bailey_uint64 end = low + p.count, high = exists ? end : low, at = p.out_offset - low;
    (void)number;
    for (bailey_uint32 i = lane; i < BAILEY_MT19937_WORDS; i += BLY_TEAM) {
        shared[i] = states[i];
        if (i >= low && i < high) out[at + i] = bailey_mt19937_temper(states[i]);
    }
    BLY_TEAM_SYNC();
    bly_mt19937_team(out, shared, lane, at, low, high, end);
}
#else
BAILEY_FN void bly_published_mt19937_alone(bly_published_params p, const BAILEY_GLOBAL bailey_uint32 *states,
                                           BAILEY_GLOBAL bailey_uint32 *out, bailey_uint64 number)
{
    const bailey_uint64 low = states[BAILEY_MT19937_WORDS], high = low + p.count, at = p.out_offset - low;
    bailey_uint32 y[BLY_WINDOW];
    (void)number;
    for (bailey_uint32 i = 0; i < BAILEY_MT19937_WORDS; i += BAILEY_LANES) {
        const bailey_u32 x = bailey_vector_load_u32(states + i);
        bailey_vector_put_u32(y + i, x);
        const bailey_u32 w = bailey_mt19937_temper(x);
        bailey_uint32 own[BAILEY_LANES];
        bailey_vector_put_u32(own, w);
        for (bailey_uint32 l = 0; l < BAILEY_LANES; l++)
            if (i + l >= low && i + l < high) out[at + i + l] = own[l];
    }
    bly_mt19937_window(out, y, at, low, high);
}
#endif

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Filling memory with words of generators that step. Their sequence starts anew every 8192 words, so that
 * any part of it can be made anywhere. These 8192 words are a segment, which the public headers call a run
 * (bailey/device/run.h).
 *
 * These are team kernels (backend.h): on GPUs a team of BLY_TEAM items makes a segment, one lane per item; on
 * processors one item makes it alone. Where a program has teams, BLY_TEAM is 32 and
 *   BLY_TEAM_SHARED   the address space of memory that a team shares
 *   BLY_TEAM_SYNC()   makes what the team's items wrote there visible to all of them; every item of the
 *                     work-group calls it equally often, so that loops around it take equally many turns in
 *                     all teams
 */
#ifndef BLY_SEGMENTS_H
#define BLY_SEGMENTS_H

#include "bailey/device/draw.h"
#include "bailey/device/generators.h"
#include "kernels/fill.h"

/* Words first + r * row_words .. + count - 1 go to elements out_offset + r * out_row ... of the output.
 * Segment 0 of the launch is the one that holds `first`, and each row has the next row_segments of them;
 * row_words is a multiple of a segment's. row_segments is 0 where there is one row. */
typedef struct bly_segment_params {
    bailey_uint64 seed, stream, first, count, out_offset;
    bailey_uint64 row_segments, row_words, out_row;
    bailey_uint32 taps[BAILEY_RUN_LANES]; /* of the warp generator */
} bly_segment_params;

#define BLY_SEGMENT_QUADS (BAILEY_RUN_STEPS / 4)
#define BLY_QUAD_WORDS (4 * BAILEY_RUN_LANES)

/* A segment, and what a launch wants of it: words low .. high - 1, where word 0 is element `at` of the output
 * (which wraps where the segment begins before the output). */
typedef struct bly_segment {
    bailey_uint64 number, at;
    bailey_uint32 low, high;
} bly_segment;

BAILEY_FN bly_segment bly_segment_of(bailey_uint32 words, bly_segment_params p, bailey_uint64 number,
                                     int exists)
{
    bly_segment segment;
    if (p.row_segments) {
        const bailey_uint64 row = number / p.row_segments;
        number -= row * p.row_segments;
        p.first += row * p.row_words;
        p.out_offset += row * p.out_row;
    }
    segment.number = p.first / words + number;
    const bailey_uint64 begin = segment.number * words;
    segment.at = p.out_offset + (begin - p.first);
    segment.low = number == 0 ? (bailey_uint32)(p.first - begin) : 0;
    const bailey_uint64 left = p.count - (begin + segment.low - p.first);
    segment.high = left < words - segment.low ? segment.low + (bailey_uint32)left : words;
    if (!exists) segment.high = segment.low;
    return segment;
}
BAILEY_FN bly_segment bly_generator_segment(bly_segment_params p, bailey_uint64 number, int exists)
{
    return bly_segment_of(BAILEY_RUN_WORDS, p, number, exists);
}

/* Stores the pack that begins at word `word` of the segment, as far as it is needed. */
BAILEY_FN void bly_store_segment(BAILEY_GLOBAL bailey_uint32 *out, bly_segment segment, bailey_uint32 word,
                                 bailey_pack_u32 x)
{
    if (segment.low >= word + BAILEY_PACK32 || segment.high <= word) return;
    bailey_store_u32(out, segment.at + word, 1, segment.low > word ? segment.low - word : 0,
                     segment.high < word + BAILEY_PACK32 ? segment.high - word : BAILEY_PACK32, x);
}

/* The bits of what is computed from a lane's four words: four numbers of 32 bits or, of BLY_FORM_DOUBLE +
 * form, two of 64, low half first. `form` is a constant; `table` is of its precision, and 0 where none is
 * read. */
#define BLY_FORM_WORDS (-1)
#define BLY_FORM_DOUBLE 16
BAILEY_FN bailey_pack_u32 bly_form_of(int form, const BAILEY_ICDF_SPACE void *table, bailey_philox_block w)
{
    bailey_pack_u32 x;
    if (form == BLY_FORM_WORDS) {
        for (int j = 0; j < 4; j++) x.value[j] = w.word[j];
#if BAILEY_HAS_F64
    } else if (form >= BLY_FORM_DOUBLE) {
        const bailey_u64 u0 = bailey_u64_from_u32(w.word[0]) | bailey_u64_from_u32(w.word[1]) << 32;
        const bailey_u64 u1 = bailey_u64_from_u32(w.word[2]) | bailey_u64_from_u32(w.word[3]) << 32;
        const bailey_pack_f64 z = bly_numbers_of_elements_f64(
            form - BLY_FORM_DOUBLE, (const BAILEY_ICDF_SPACE double *)table, u0, u1);
        for (int j = 0; j < 2; j++) {
            const bailey_u64 bits = bailey_u64_bits_f64(z.value[j]);
            x.value[2 * j] = bailey_u32_from_u64(bits);
            x.value[2 * j + 1] = bailey_u32_from_u64(bits >> 32);
        }
#endif
    } else {
        const bailey_pack_f32 z = bly_numbers_of_words_f32(form, (const BAILEY_ICDF_SPACE float *)table, w);
        for (int j = 0; j < 4; j++) x.value[j] = bailey_u32_bits_f32(z.value[j]);
    }
    return x;
}

#if defined(BLY_TEAM)

/* Four steps of every lane, from `next`, for all that is needed of a segment; whole ones at aligned
 * addresses, nearly all of them, in a loop without choices. */
#define BLY_TEAM_STEPS(form, table, next, alike, unroll)                                                     \
    {                                                                                                        \
        const bailey_uint64 at =                                                                             \
            segment.at + 4 * lane; /* an element of out, which wraps as segment.at does */                   \
        if (!(alike) && segment.low == 0 && segment.high == BAILEY_RUN_WORDS && BAILEY_WHOLE(out + at)) {    \
            BAILEY_GLOBAL bailey_uint32 *to = out + at;                                                      \
            unroll for (bailey_uint32 quad = 0; quad < BLY_SEGMENT_QUADS; quad++)                            \
            {                                                                                                \
                bailey_philox_block w;                                                                       \
                for (bailey_uint32 j = 0; j < 4; j++) {                                                      \
                    const bailey_uint32 step = 4 * quad + j;                                                 \
                    (void)step;                                                                              \
                    w.word[j] = next;                                                                        \
                }                                                                                            \
                const bailey_pack_u32 x = bly_form_of(form, table, w);                                       \
                bailey_store_whole_u32(to, x);                                                               \
                to += BLY_QUAD_WORDS;                                                                        \
            }                                                                                                \
        } else {                                                                                             \
            const bailey_uint32 end =                                                                        \
                (alike) ? BLY_SEGMENT_QUADS : (segment.high + BLY_QUAD_WORDS - 1) / BLY_QUAD_WORDS;          \
            for (bailey_uint32 quad = 0; quad < end; quad++) {                                               \
                bailey_philox_block w;                                                                       \
                for (bailey_uint32 j = 0; j < 4; j++) {                                                      \
                    const bailey_uint32 step = 4 * quad + j;                                                 \
                    (void)step;                                                                              \
                    w.word[j] = next;                                                                        \
                }                                                                                            \
                if (segment.low < (quad + 1) * BLY_QUAD_WORDS && segment.high > quad * BLY_QUAD_WORDS)       \
                    bly_store_segment(out, segment, quad *BLY_QUAD_WORDS + 4 * lane,                         \
                                      bly_form_of(form, table, w));                                          \
            }                                                                                                \
        }                                                                                                    \
    }

/* A generator whose lanes are 32 of its kind. */
#define BLY_LANES_KERNEL(kernel, generator, next)                                                            \
    BAILEY_FN void kernel##_team(bly_segment_params p, BAILEY_GLOBAL bailey_uint32 *out,                     \
                                 BLY_TEAM_SHARED bailey_uint32 *shared, bailey_uint64 number,                \
                                 bailey_uint32 lane, int exists)                                             \
    {                                                                                                        \
        const bly_segment segment = bly_generator_segment(p, number, exists);                                \
        bailey_##generator g = bailey_##generator##_start(p.seed, p.stream, segment.number, lane);           \
        (void)shared;                                                                                        \
        BLY_TEAM_STEPS(BLY_FORM_WORDS, 0, next(&g), 0, BAILEY_UNROLL_2)                                      \
    }

/* The taps of a lane. Where an index that is not a constant makes the compiler copy all parameters to each
 * item's own memory, taps are selected instead (BLY_TEAM_CHOOSES). */
#if defined(BLY_TEAM_CHOOSES)
#define BLY_TAPS_2(p, lane, i) ((lane)&1 ? (p).taps[(i) + 1] : (p).taps[i])
#define BLY_TAPS_4(p, lane, i) ((lane)&2 ? BLY_TAPS_2(p, lane, (i) + 2) : BLY_TAPS_2(p, lane, i))
#define BLY_TAPS_8(p, lane, i) ((lane)&4 ? BLY_TAPS_4(p, lane, (i) + 4) : BLY_TAPS_4(p, lane, i))
#define BLY_TAPS_16(p, lane, i) ((lane)&8 ? BLY_TAPS_8(p, lane, (i) + 8) : BLY_TAPS_8(p, lane, i))
#define BLY_TAPS_OF(p, lane) ((lane)&16 ? BLY_TAPS_16(p, lane, 16) : BLY_TAPS_16(p, lane, 0))
#else
#define BLY_TAPS_OF(p, lane) (p).taps[lane]
#endif

#define BLY_WARP_KERNEL(kernel, tag, form, output, shift, unroll, parameter, table)                          \
    BAILEY_FN void kernel##_team(bly_segment_params p, parameter BAILEY_GLOBAL bailey_uint32 *out,           \
                                 BLY_TEAM_SHARED bailey_uint32 *shared, bailey_uint64 number,                \
                                 bailey_uint32 lane, int exists)                                             \
    {                                                                                                        \
        const bly_segment segment = bly_generator_segment(p, number, exists);                                \
        bailey_warp g;                                                                                       \
        g.word = bailey_warp_start(tag, p.seed, p.stream, segment.number, lane);                             \
        g.taps = BLY_TAPS_OF(p, lane);                                                                       \
        BLY_TEAM_STEPS(form, table, BLY_WARP_NEXT(output, shift), BLY_WARP_ALIKE, unroll)                    \
    }
#if defined(BAILEY_WARP_SHUFFLES)
#define BLY_WARP_ALIKE 0
#define BLY_SHARED_warp 1
#define BLY_WARP_NEXT(output, shift) ((void)shared, bailey_warp_next(output, shift, &g))
#else
#define BLY_WARP_ALIKE 1 /* a barrier is in every step */
#define BLY_SHARED_warp 64
#define BLY_WARP_NEXT(output, shift) bailey_warp_next_local(output, shift, &g, shared, lane, step)
#endif

/* A ring of 1024 words holds what is needed of the sequence of y, of which `shared` has the first 624. New
 * words need none nearer than 227: 128 at a time need nothing of each other. Tempered words low .. high - 1
 * go to elements at + low ...; the loop ends before word `end`, from 624 in steps of 128. */
#define BLY_RING 1024
#define BLY_SHARED_mt19937 BLY_RING
BAILEY_FN void bly_mt19937_team(BAILEY_GLOBAL bailey_uint32 *out, BLY_TEAM_SHARED bailey_uint32 *shared,
                                bailey_uint32 lane, bailey_uint64 at, bailey_uint64 low, bailey_uint64 high,
                                bailey_uint64 end)
{
    for (bailey_uint64 word = BAILEY_MT19937_WORDS; word < end; word += BLY_QUAD_WORDS) {
        for (bailey_uint32 j = 0; j < BLY_QUAD_WORDS; j += BLY_TEAM) {
            const bailey_uint64 number = word + j + lane;
            const bailey_uint32 n = (bailey_uint32)number - BAILEY_MT19937_WORDS;
            const bailey_uint32 y = bailey_mt19937_twist(shared[n % BLY_RING], shared[(n + 1) % BLY_RING],
                                                         shared[(n + BAILEY_MT19937_DISTANCE) % BLY_RING]);
            shared[(n + BAILEY_MT19937_WORDS) % BLY_RING] = y;
            if (number >= low && number < high) out[at + number] = bailey_mt19937_temper(y);
        }
        BLY_TEAM_SYNC();
    }
}

BAILEY_FN void bly_words_mt19937_team(bly_segment_params p, BAILEY_GLOBAL bailey_uint32 *out,
                                      BLY_TEAM_SHARED bailey_uint32 *shared, bailey_uint64 number,
                                      bailey_uint32 lane, int exists)
{
    const bly_segment segment = bly_generator_segment(p, number, exists);
    for (bailey_uint32 i = lane; i < BAILEY_MT19937_WORDS / 4; i += BLY_TEAM) {
        const bailey_philox_block b =
            bailey_run_hash(BAILEY_MT19937_TAG, p.seed, p.stream, segment.number, i);
        for (int j = 0; j < 4; j++) shared[4 * i + j] = b.word[j];
    }
    BLY_TEAM_SYNC();
    bly_mt19937_team(out, shared, lane, segment.at - BAILEY_MT19937_WORDS, BAILEY_MT19937_WORDS + segment.low,
                     BAILEY_MT19937_WORDS + segment.high, BAILEY_MT19937_WORDS + BAILEY_RUN_WORDS);
}

#else

#define BLY_LANES_KERNEL(kernel, generator, next)                                                            \
    BAILEY_FN void kernel##_alone(bly_segment_params p, BAILEY_GLOBAL bailey_uint32 *out,                    \
                                  bailey_uint64 number)                                                      \
    {                                                                                                        \
        const bly_segment segment = bly_generator_segment(p, number, 1);                                     \
        const bailey_uint32 end = (segment.high + BLY_QUAD_WORDS - 1) / BLY_QUAD_WORDS;                      \
        for (int v = 0; v < BAILEY_WARP_VECTORS; v++) {                                                      \
            bailey_##generator g =                                                                           \
                bailey_##generator##_start(p.seed, p.stream, segment.number, bailey_warp_lanes(v));          \
            for (bailey_uint32 quad = 0; quad < end; quad++) {                                               \
                bailey_pack_u32 x;                                                                           \
                for (int j = 0; j < 4; j++) x.value[j] = next(&g);                                           \
                bly_store_segment(out, segment, quad *BLY_QUAD_WORDS + (bailey_uint32)v * BAILEY_PACK32,     \
                                  bailey_zip_u32(x));                                                        \
            }                                                                                                \
        }                                                                                                    \
    }

#define BLY_WARP_KERNEL(kernel, tag, form, output, shift, unroll, parameter, table)                          \
    BAILEY_FN void kernel##_alone(bly_segment_params p, parameter BAILEY_GLOBAL bailey_uint32 *out,          \
                                  bailey_uint64 number)                                                      \
    {                                                                                                        \
        const bly_segment segment = bly_generator_segment(p, number, 1);                                     \
        const bailey_uint32 end = (segment.high + BLY_QUAD_WORDS - 1) / BLY_QUAD_WORDS;                      \
        bailey_warp_all g = bailey_warp_all_start(tag, p.seed, p.stream, segment.number, p.taps);            \
        for (bailey_uint32 quad = 0; quad < end; quad++) {                                                   \
            bailey_philox_block w[BAILEY_WARP_VECTORS];                                                      \
            for (int j = 0; j < 4; j++) {                                                                    \
                bailey_u32 next[BAILEY_WARP_VECTORS];                                                        \
                bailey_warp_all_next(output, shift, &g, next);                                               \
                for (int v = 0; v < BAILEY_WARP_VECTORS; v++) w[v].word[j] = next[v];                        \
            }                                                                                                \
            for (int v = 0; v < BAILEY_WARP_VECTORS; v++)                                                    \
                bly_store_segment(out, segment, quad *BLY_QUAD_WORDS + (bailey_uint32)v * BAILEY_PACK32,     \
                                  bailey_zip_u32(bly_form_of(form, table, w[v])));                           \
        }                                                                                                    \
    }

/* New words need none nearer than 227, more than a vector. The sequence is kept in a window that slides. */
#define BLY_WINDOW 2048
/* As bly_mt19937_team, with the first 624 words in `y`, a window of BLY_WINDOW. */
BAILEY_FN void bly_mt19937_window(BAILEY_GLOBAL bailey_uint32 *out, bailey_uint32 *y, bailey_uint64 at,
                                  bailey_uint64 low, bailey_uint64 high)
{
    bailey_uint32 n = 0; /* the window's word 624 before the next new one */
    for (bailey_uint64 word = BAILEY_MT19937_WORDS; word < high; word += BAILEY_PACK32) {
        if (n + BAILEY_MT19937_WORDS + BAILEY_PACK32 > BLY_WINDOW) {
            for (bailey_uint32 i = 0; i < BAILEY_MT19937_WORDS; i++) y[i] = y[n + i];
            n = 0;
        }
        bailey_pack_u32 x;
        for (int j = 0; j < 4; j++, n += BAILEY_LANES) {
            const bailey_u32 next =
                bailey_mt19937_twist(bailey_vector_get_u32(y + n), bailey_vector_get_u32(y + n + 1),
                                     bailey_vector_get_u32(y + n + BAILEY_MT19937_DISTANCE));
            bailey_vector_put_u32(y + n + BAILEY_MT19937_WORDS, next);
            x.value[j] = bailey_mt19937_temper(next);
        }
        if (word + BAILEY_PACK32 <= low) continue;
        bailey_store_u32(out, at + word, 1, low > word ? (bailey_uint32)(low - word) : 0,
                         high - word < BAILEY_PACK32 ? (bailey_uint32)(high - word) : BAILEY_PACK32, x);
    }
}

BAILEY_FN void bly_words_mt19937_alone(bly_segment_params p, BAILEY_GLOBAL bailey_uint32 *out,
                                       bailey_uint64 number)
{
    const bly_segment segment = bly_generator_segment(p, number, 1);
    bailey_uint32 y[BLY_WINDOW];
    for (bailey_uint32 i = 0; i < BAILEY_MT19937_WORDS / 4; i += BAILEY_LANES) {
        const bailey_philox_block b =
            bailey_run_hash(BAILEY_MT19937_TAG, p.seed, p.stream, segment.number,
                            bailey_u32_from_u64(bailey_lane_numbers()) + bailey_splat_u32(i));
        bailey_pack_u32 x;
        for (int j = 0; j < 4; j++) x.value[j] = b.word[j];
        x = bailey_zip_u32(x);
        for (bailey_uint32 j = 0; j < 4; j++) bailey_vector_put_u32(y + 4 * i + j * BAILEY_LANES, x.value[j]);
    }
    bly_mt19937_window(out, y, segment.at - BAILEY_MT19937_WORDS, BAILEY_MT19937_WORDS + segment.low,
                       BAILEY_MT19937_WORDS + segment.high);
}

#endif

#define BLY_SEGMENT_COUNTER(word)
#define BLY_SEGMENT_TEAM(word)
#define BLY_SEGMENT_LANES(word) BLY_LANES_KERNEL(bly_words_##word, word, bailey_##word##_next)
#define BLY_SEGMENT_OF(number, name, word, kind, published, text, verdict, period) BLY_SEGMENT_##kind(word)
BAILEY_GENERATOR_LIST(BLY_SEGMENT_OF)

#define BLY_SHARED_warp_add BLY_SHARED_warp
BLY_WARP_KERNEL(bly_words_warp, BAILEY_WARP_TAG, BLY_FORM_WORDS, BAILEY_WARP_WIDE, BAILEY_WARP_ZA,
                BAILEY_UNROLL_2, BLY_NO_TABLE, 0)
BLY_WARP_KERNEL(bly_words_warp_add, BAILEY_WARP_ADD_TAG, BLY_FORM_WORDS, BAILEY_WARP_ADD,
                BAILEY_WARP_ZA_PUBLISHED, BAILEY_UNROLL_2, BLY_NO_TABLE, 0)

#define BLY_WARP_OF_DRAW_f32(method, METHOD, real, scalar, bits)                                             \
    BLY_WARP_KERNEL(bly_warp_##method##_##real, BAILEY_WARP_TAG, BAILEY_DRAW_##METHOD, BAILEY_WARP_WIDE,     \
                    BAILEY_WARP_ZA, BAILEY_UNROLL_4, BLY_TABLE_##real, table)
BLY_WARP_KERNEL(bly_warp_u01_f32, BAILEY_WARP_TAG, BAILEY_DRAW_UNIFORM, BAILEY_WARP_WIDE, BAILEY_WARP_ZA,
                BAILEY_UNROLL_2, BLY_NO_TABLE, 0)
BLY_DRAWS_f32(BLY_WARP_OF_DRAW_f32)
#if BAILEY_HAS_F64
#define BLY_WARP_OF_DRAW_f64(method, METHOD, real, scalar, bits)                                             \
    BLY_WARP_KERNEL(bly_warp_##method##_##real, BAILEY_WARP_TAG, BLY_FORM_DOUBLE + BAILEY_DRAW_##METHOD,     \
                    BAILEY_WARP_WIDE, BAILEY_WARP_ZA, BAILEY_UNROLL_2, BLY_TABLE_##real, table)
    BLY_DRAWS_f64(BLY_WARP_OF_DRAW_f64)
        BLY_WARP_KERNEL(bly_warp_u01_f64, BAILEY_WARP_TAG, BLY_FORM_DOUBLE + BAILEY_DRAW_UNIFORM,
                        BAILEY_WARP_WIDE, BAILEY_WARP_ZA, BAILEY_UNROLL_2, BLY_NO_TABLE, 0)
#endif

#endif

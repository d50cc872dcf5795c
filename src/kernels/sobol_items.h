/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Sobol's points (bailey/device/sobol.h): the table of a source's dimensions, and the points computed from
 * it.
 *
 * Let P_k be what a word changes by when a step flips bits 0 ... k of the point's number: v_(k+1) in
 * Gray-code order, v_1 ^ ... ^ v_(k+1) in index order. Then the word of point n is the start ^ the P_k of all
 * bits k of n ^ (n >> 1), in either order, and is linear: word(a ^ b) = word(a) ^ word(b) ^ start. So an item
 * takes the bits that its points share once, and each point a few exclusive ors. Scrambles are in the table
 * too, except Owen's hash, which is computed for each word; its table has the bits of each 32 in reverse.
 *
 * Dimension-major output: a row of the launch is a dimension, and the table has 64 numbers P_k, the start and
 * the hash's seeds of each. Point-major output: point and dimension are one index e within a tile of 2^t
 * points, the table has rows of all e, and an item keeps its e in a row of tiles: what changes from tile to
 * tile is P_(k+t) ^ P_(t-1).
 */
#ifndef BLY_SOBOL_ITEMS_H
#define BLY_SOBOL_ITEMS_H

#include "bailey/device/normal.h"
#include "kernels/range.h"
#include "kernels/sobol_draw.h"

#define BLY_SOBOL_ALIGNED 4096 /* points are counted from a multiple of this, below the first */
#define BLY_SOBOL_TILES 32     /* tiles of an item */
#define BLY_SOBOL_PACKS 8      /* packs of an item with vectors */

/* ---- Tables ---- */

enum { BLY_SOBOL_NONE, BLY_SOBOL_SHIFT, BLY_SOBOL_LMS, BLY_SOBOL_OWEN };

/* Number k of copy r, below 2^tile, of the i-th dimension is number k row + (r dims + i) column. The i-th is
 * that of number first_dim + i in a grid of `steps` x `factors`, which `assignment` numbers the dimensions
 * of; without a grid (factors 0) first_dim + i itself.
 *
 * Rows of the launch are replicates, number r of stream + r stream_step: in a dimension-major table of
 * several each dimension has them one after the other. */
typedef struct bly_sobol_table_params {
    bailey_uint64 stream;
    bailey_uint64 row, column;
    bailey_uint32 first_dim, dims, tile;
    bailey_uint32 steps, factors, assignment;
    bailey_uint32 scramble, index_order;
    bailey_uint32 count; /* of the P_k that will be read, even, at most 64 */
    bailey_uint32 stream_step;
    bailey_philox_keys keys;
} bly_sobol_table_params;

enum { BLY_SOBOL_STEPS, BLY_SOBOL_FACTORS, BLY_SOBOL_DIAGONAL };

/* Entries of a steps x factors grid that lie on diagonals before number s. */
BAILEY_FN bailey_uint64 bly_sobol_before(bailey_uint64 steps, bailey_uint64 factors, bailey_uint64 s)
{
    const bailey_uint64 shorter = steps < factors ? steps : factors, all = steps + factors - 1;
    const bailey_uint64 rest = all - s, grows = s < shorter ? s : shorter;
    if (rest < shorter) return steps * factors - rest * (rest + 1) / 2;
    return grows * (grows + 1) / 2 + (s - grows) * shorter;
}

/* The i-th dimension. */
BAILEY_FN bailey_uint32 bly_sobol_dimension(bly_sobol_table_params p, bailey_uint32 i)
{
    const bailey_uint32 number = p.first_dim + i;
    if (p.factors == 0 || p.assignment == BLY_SOBOL_STEPS) return number;
    const bailey_uint32 step = number / p.factors, factor = number % p.factors;
    if (p.assignment == BLY_SOBOL_FACTORS) return factor * p.steps + step;
    const bailey_uint32 diagonal = step + factor;
    const bailey_uint32 begin = diagonal < p.factors ? 0 : diagonal - (p.factors - 1); /* its first step */
    return (bailey_uint32)bly_sobol_before(p.steps, p.factors, diagonal) + (step - begin);
}

BAILEY_FN bailey_u64 bly_sobol_reversed(bailey_u64 x)
{
    return bailey_sobol_pair(bailey_reverse_u32(bailey_u32_from_u64(x >> 32)),
                             bailey_reverse_u32(bailey_u32_from_u64(x)));
}

/* All numbers of each lane's dimension, which is packed[...] of data/sobol.bin, repeated `repetition` times.
 */
BAILEY_FN void bly_sobol_numbers(bly_sobol_table_params p, bailey_u32 dimension, bailey_u32 repetition,
                                 int repeats, int bits, const bailey_u32 *packed, bailey_u64 *number)
{
    const bailey_philox_block b = bailey_sobol_block(p.keys, p.stream, dimension, 0);
    const int shifted = p.scramble == BLY_SOBOL_SHIFT || p.scramble == BLY_SOBOL_LMS;
    bailey_sobol_directions(packed, (int)p.count, number);
    if (repeats) bailey_sobol_shuffle(p.keys, p.stream, repetition, (int)p.count, number);
    if (p.scramble == BLY_SOBOL_LMS)
        bailey_sobol_linear(p.keys, p.stream, dimension, bits, (int)p.count, number);
    for (bailey_uint32 k = 1; k < p.count; k++)
        if (p.index_order) number[k] ^= number[k - 1];
    for (bailey_uint32 k = 0; k < p.count; k++)
        if (p.scramble == BLY_SOBOL_OWEN) number[k] = bly_sobol_reversed(number[k]);
    number[BLY_SOBOL_START] = shifted ? bailey_sobol_pair(b.word[0], b.word[1]) : bailey_splat_u64(0);
    number[BLY_SOBOL_SEEDS] = bailey_sobol_pair(b.word[2], b.word[3]);
}

/* Number k of copy `copy`; 0 where no point has its bit. */
BAILEY_FN bailey_u64 bly_sobol_of_copy(const bailey_u64 *number, bailey_uint32 count, bailey_uint32 tile,
                                       bailey_uint32 copy, bailey_uint32 k)
{
    if (k >= count && k < BLY_SOBOL_START) return bailey_splat_u64(0);
    bailey_u64 x = number[k];
    if (k == BLY_SOBOL_START) {
        const bailey_uint32 gray = copy ^ copy >> 1;
        for (bailey_uint32 i = 0; i < tile; i++)
            if (gray >> i & 1) x ^= number[i];
    } else if (k < 64 && tile) {
        x = k + tile < count ? number[k + tile] ^ number[tile - 1] : bailey_splat_u64(0);
    }
    return x;
}

/* An item makes the dimensions of its lanes. A table of 32 bits has the high halves. */
#define BLY_SOBOL_TABLE_ITEM(name, bits)                                                                     \
    BAILEY_FN void name(bly_sobol_table_params p, const BAILEY_GLOBAL bailey_uint32 *data,                   \
                        BAILEY_GLOBAL bailey_uint##bits *table, bailey_uint64 item, bailey_uint64 row)       \
    {                                                                                                        \
        const bailey_uint32 first = (bailey_uint32)item * BAILEY_LANES;                                      \
        bailey_u32 packed[BAILEY_SOBOL_PACKED_WORDS];                                                        \
        bailey_u64 number[BLY_SOBOL_NUMBERS];                                                                \
        bailey_uint32 dimension[BAILEY_LANES], high[BAILEY_LANES], low[BAILEY_LANES];                        \
        int repeats = 0;                                                                                     \
        if (first >= p.dims) return;                                                                         \
        p.stream += row * p.stream_step;                                                                     \
        table += row * BLY_SOBOL_STRIDE;                                                                     \
        const bailey_uint32 lanes = p.dims - first < BAILEY_LANES ? p.dims - first : BAILEY_LANES;           \
        for (bailey_uint32 l = 0; l < BAILEY_LANES; l++) {                                                   \
            dimension[l] = bly_sobol_dimension(p, first + (l < lanes ? l : 0));                              \
            repeats |= dimension[l] >= BAILEY_SOBOL_DIMS;                                                    \
        }                                                                                                    \
        for (int i = 0; i < BAILEY_SOBOL_PACKED_WORDS; i++) {                                                \
            for (bailey_uint32 l = 0; l < BAILEY_LANES; l++)                                                 \
                high[l] = data[dimension[l] % BAILEY_SOBOL_DIMS * BAILEY_SOBOL_PACKED_WORDS + i];            \
            packed[i] = bailey_vector_get_u32(high);                                                         \
        }                                                                                                    \
        for (bailey_uint32 l = 0; l < BAILEY_LANES; l++) high[l] = dimension[l] / BAILEY_SOBOL_DIMS;         \
        bly_sobol_numbers(p, bailey_vector_get_u32(dimension), bailey_vector_get_u32(high), repeats, bits,   \
                          packed, number);                                                                   \
        for (bailey_uint32 copy = 0; copy >> p.tile == 0; copy++)                                            \
            for (bailey_uint32 k = 0; k < BLY_SOBOL_NUMBERS; k++) {                                          \
                const bailey_u64 x = bly_sobol_of_copy(number, p.count, p.tile, copy, k);                    \
                bailey_vector_put_u32(high, bailey_u32_from_u64(x >> 32));                                   \
                bailey_vector_put_u32(low, bailey_u32_from_u64(x));                                          \
                for (bailey_uint32 l = 0; l < lanes; l++)                                                    \
                    table[k * p.row + ((bailey_uint64)copy * p.dims + first + l) * p.column] =               \
                        BLY_SOBOL_OF_HALVES_##bits(high[l], low[l]);                                         \
            }                                                                                                \
    }
#define BLY_SOBOL_OF_HALVES_32(high, low) (high)
#define BLY_SOBOL_OF_HALVES_64(high, low) ((bailey_uint64)(high) << 32 | (low))
BLY_SOBOL_TABLE_ITEM(bly_sobol_table_32_item, 32)
BLY_SOBOL_TABLE_ITEM(bly_sobol_table_64_item, 64)

/* ---- Points ---- */

/* Points first .. first + count - 1. Dimension-major: row r goes to out_offset + r out_row. Point-major:
 * tiles of 2^tile points of `dims` dimensions, `width` elements; a row of the table has table_row numbers. */
typedef struct bly_sobol_params {
    bailey_uint64 first, count;
    bailey_uint64 out_offset, out_row;
    bailey_uint64 table_row;
    bailey_uint32 dims, width, tile, owen;
} bly_sobol_params;

/* The words of a pack: so many vectors of them, 32 or 64 bits each, as the pack has of numbers. */
typedef struct bly_sobol_words_32_32 {
    bailey_u32 value[4];
} bly_sobol_words_32_32;
typedef struct bly_sobol_words_32_64 {
    bailey_u32 value[2];
} bly_sobol_words_32_64;
typedef struct bly_sobol_words_64_64 {
    bailey_u64 value[2];
} bly_sobol_words_64_64;
typedef struct bly_sobol_words_64_32 {
    bailey_u64 value[4];
} bly_sobol_words_64_32;

/* They are loaded from multiples of a pack. */
#if defined(BAILEY_HAS_READ_ONLY)
BAILEY_FN bly_sobol_words_32_32 bly_sobol_load_32_32(const BAILEY_GLOBAL bailey_uint32 *p)
{
    bly_sobol_words_32_32 x;
    bailey_read_only_u32x4(p, x.value);
    return x;
}
BAILEY_FN bly_sobol_words_64_64 bly_sobol_load_64_64(const BAILEY_GLOBAL bailey_uint64 *p)
{
    bly_sobol_words_64_64 x;
    bailey_read_only_u64x2(p, x.value);
    return x;
}
BAILEY_FN bly_sobol_words_64_32 bly_sobol_load_64_32(const BAILEY_GLOBAL bailey_uint64 *p)
{
    bly_sobol_words_64_32 x;
    bailey_read_only_u64x2(p, x.value);
    bailey_read_only_u64x2(p + 2, x.value + 2);
    return x;
}
#else
BAILEY_FN bly_sobol_words_32_32 bly_sobol_load_32_32(const BAILEY_GLOBAL bailey_uint32 *p)
{
    const bailey_pack_u32 a = bailey_load_u32(p, 0, 1, 0, BAILEY_PACK32);
    bly_sobol_words_32_32 x;
    for (int j = 0; j < 4; j++) x.value[j] = a.value[j];
    return x;
}
BAILEY_FN bly_sobol_words_64_64 bly_sobol_load_64_64(const BAILEY_GLOBAL bailey_uint64 *p)
{
    const bailey_pack_u64 a = bailey_load_u64(p, 0, 1, 0, BAILEY_PACK64);
    bly_sobol_words_64_64 x;
    for (int j = 0; j < 2; j++) x.value[j] = a.value[j];
    return x;
}
BAILEY_FN bly_sobol_words_64_32 bly_sobol_load_64_32(const BAILEY_GLOBAL bailey_uint64 *p)
{
    const bailey_pack_u64 a = bailey_load_u64(p, 0, 1, 0, BAILEY_PACK64);
    const bailey_pack_u64 b = bailey_load_u64(p + BAILEY_PACK64, 0, 1, 0, BAILEY_PACK64);
    bly_sobol_words_64_32 x;
    for (int j = 0; j < 2; j++) x.value[j] = a.value[j], x.value[2 + j] = b.value[j];
    return x;
}
#endif
BAILEY_FN bly_sobol_words_32_64 bly_sobol_load_32_64(const BAILEY_GLOBAL bailey_uint32 *p)
{
    bly_sobol_words_32_64 x;
    for (int j = 0; j < 2; j++) x.value[j] = bailey_vector_load_u32(p + j * BAILEY_LANES);
    return x;
}

/* The logarithm of the number of lanes. */
#if BAILEY_LANES == 1
#define BLY_LANE_BITS 0
#elif BAILEY_LANES == 2
#define BLY_LANE_BITS 1
#elif BAILEY_LANES == 4
#define BLY_LANE_BITS 2
#elif BAILEY_LANES == 8
#define BLY_LANE_BITS 3
#else
#define BLY_LANE_BITS 4
#endif

/* Packs of an item: side by side where it has vectors, else as kernels/range.h says. */
#if BAILEY_LANES > 1
#define BLY_SOBOL_TURNS(striped) BLY_SOBOL_PACKS
#define BLY_SOBOL_STEP_BITS 0
#define BLY_SOBOL_FIRST(item, turns) ((item)*turns)
#else
#define BLY_SOBOL_TURNS(striped) BLY_STRIPED_OF(striped)
#define BLY_SOBOL_STEP_BITS 5
#define BLY_SOBOL_FIRST(item, turns) bly_first_pack(item, turns)
#endif

#define BLY_SOBOL_PARTS(word)                                                                                \
    /* The exclusive or of a row's numbers for the bits of gray. */                                          \
    BAILEY_FN bailey_uint##word bly_sobol_sum_##word(const BAILEY_GLOBAL bailey_uint##word *t,               \
                                                     bailey_uint64 gray)                                     \
    {                                                                                                        \
        bailey_uint##word x = 0;                                                                             \
        const int per_part = 128 / (word);                                                                   \
        for (const BAILEY_GLOBAL bly_sobol_part_##word *part =                                               \
                 (const BAILEY_GLOBAL bly_sobol_part_##word *)t;                                             \
             gray; gray >>= 8, part += 8 / per_part) {                                                       \
            const bailey_uint32 bits = (bailey_uint32)gray;                                                  \
            BAILEY_UNROLL                                                                                    \
            for (int i = 0; i < 8 / per_part; i++) {                                                         \
                const bly_sobol_part_##word few = part[i];                                                   \
                BAILEY_UNROLL                                                                                \
                for (int k = 0; k < per_part; k++)                                                           \
                    x ^= few.value[k] & BLY_SOBOL_MASK_##word(bits, i * per_part + k);                       \
            }                                                                                                \
        }                                                                                                    \
        return x;                                                                                            \
    }                                                                                                        \
    /* The same for the points 0, 1, ... of lanes. */                                                        \
    BAILEY_FN bailey_u##word bly_sobol_lanes_##word(const BAILEY_GLOBAL bailey_uint##word *t)                \
    {                                                                                                        \
        const bailey_u##word n = BLY_SOBOL_LANES_##word;                                                     \
        bailey_u##word x = bailey_splat_u##word(0);                                                          \
        BAILEY_UNROLL                                                                                        \
        for (int k = 0; k < BLY_LANE_BITS; k++)                                                              \
            x ^= bailey_splat_u##word(t[k]) &                                                                \
                 (bailey_splat_u##word(0) - ((n ^ n >> 1) >> k & bailey_splat_u##word(1)));                  \
        return x;                                                                                            \
    }
#define BLY_SOBOL_LANES_32 bailey_u32_from_u64(bailey_lane_numbers())
#define BLY_SOBOL_LANES_64 bailey_lane_numbers()
BLY_SOBOL_PARTS(32)
BLY_SOBOL_PARTS(64)

/* Heads of chunks first, first + 1, ..., [chunk][dimension]. A row of the launch is a chunk. */
typedef struct bly_sobol_heads_params {
    bailey_uint64 first, dims;
} bly_sobol_heads_params;

#define BLY_SOBOL_HEADS_ITEM(name, bits)                                                                     \
    BAILEY_FN void name(bly_sobol_heads_params p, const BAILEY_GLOBAL bailey_uint##bits *table,              \
                        BAILEY_GLOBAL bailey_uint##bits *heads, bailey_uint64 item, bailey_uint64 row)       \
    {                                                                                                        \
        const bailey_uint64 n = (p.first + row) << BLY_SOBOL_CHUNK_BITS;                                     \
        for (bailey_uint64 d = item * BAILEY_LANES; d < (item + 1) * BAILEY_LANES && d < p.dims; d++) {      \
            const BAILEY_GLOBAL bailey_uint##bits *t = table + d * BLY_SOBOL_STRIDE;                         \
            heads[row * p.dims + d] = t[BLY_SOBOL_START] ^ bly_sobol_sum_##bits(t, n ^ n >> 1);              \
        }                                                                                                    \
    }
BLY_SOBOL_HEADS_ITEM(bly_sobol_heads_32_item, 32)
BLY_SOBOL_HEADS_ITEM(bly_sobol_heads_64_item, 64)

/* Elements of the pack at point `begin` that are among first ... first + count - 1. */
BAILEY_FN bly_range bly_points_range(bailey_uint64 first, bailey_uint64 count, bailey_uint64 begin,
                                     bailey_uint32 pack)
{
    const bailey_uint64 lead = begin < first ? first - begin : 0;
    const bailey_uint64 before = begin < first ? 0 : begin - first;
    const bailey_uint64 left = before < count ? count - before : 0;
    bly_range r;
    r.begin = begin;
    r.low = lead < pack ? (bailey_uint32)lead : pack;
    r.high = left < pack - r.low ? r.low + (bailey_uint32)left : pack;
    return r;
}

/* Dimension-major: name(p, table, out, item, row) makes `striped` packs of `suffix` numbers of `bits` bits
 * from words of `word` bits; `make` gives a vector of them from the word vector w. `parameter` is as for
 * BLY_FILL_ITEM.
 */
#define BLY_SOBOL_DIM_ITEM(name, word, suffix, scalar, bits, striped, parameter, make)                       \
    BAILEY_FN void name(bly_sobol_params p, const BAILEY_GLOBAL bailey_uint##word *table,                    \
                        parameter BAILEY_GLOBAL scalar *out, bailey_uint64 item, bailey_uint64 row)          \
    {                                                                                                        \
        const bailey_uint32 vector_bits = BLY_LANE_BITS, pack_bits = vector_bits + 64 / (bits);              \
        const bailey_uint32 turn_bits = pack_bits + BLY_SOBOL_STEP_BITS, turn = 1u << turn_bits;             \
        const bailey_uint32 turns = BLY_SOBOL_TURNS(striped);                                                \
        const BAILEY_GLOBAL bailey_uint##word *t = table + row * BLY_SOBOL_STRIDE;                           \
        bailey_uint64 begin = (p.first & ~(bailey_uint64)(BLY_SOBOL_ALIGNED - 1)) +                          \
                              BLY_SOBOL_FIRST(item, turns) * BAILEY_PACK##bits;                              \
        const bailey_sobol_key_u##word key =                                                                 \
            bailey_sobol_key_of_u##word(bailey_splat_u##word(t[BLY_SOBOL_SEEDS]));                           \
        const bailey_u##word lanes = bly_sobol_lanes_##word(t);                                              \
        bailey_uint##word start = t[BLY_SOBOL_START] ^ bly_sobol_sum_##word(t, begin ^ begin >> 1);          \
        bailey_uint##word vector[128 / (bits)]; /* what vector j adds */                                     \
        BAILEY_UNROLL                                                                                        \
        for (bailey_uint32 j = 0; j < 128 / (bits); j++)                                                     \
            vector[j] = bly_sobol_sum_##word(t, (j ^ j >> 1) << vector_bits) ^                               \
                        (vector_bits && (j & 1) ? t[vector_bits - (vector_bits > 0)] : 0);                   \
        BAILEY_GLOBAL scalar *to = out + (p.out_offset + row * p.out_row);                                   \
        const int whole =                                                                                    \
            begin >= p.first && begin - p.first < p.count &&                                                 \
            p.count - (begin - p.first) >= (turns - 1) * (bailey_uint64)turn + BAILEY_PACK##bits &&          \
            BAILEY_WHOLE(to + (begin - p.first));                                                            \
        BAILEY_UNROLL_2 for (bailey_uint32 k = 0; k < turns; k++, begin += turn)                             \
        {                                                                                                    \
            bailey_pack_##suffix y;                                                                          \
            BAILEY_UNROLL                                                                                    \
            for (int j = 0; j < 128 / (bits); j++) {                                                         \
                const bailey_u##word x = lanes ^ bailey_splat_u##word(start ^ vector[j]);                    \
                const bailey_u##word w = p.owen ? bailey_sobol_owen_by_u##word(x, key) : x;                  \
                y.value[j] = make;                                                                           \
            }                                                                                                \
            if (whole) {                                                                                     \
                bailey_store_whole_##suffix(to + (begin - p.first), y);                                      \
            } else {                                                                                         \
                const bly_range r = bly_points_range(p.first, p.count, begin, BAILEY_PACK##bits);            \
                if (r.low < r.high) bailey_store_##suffix(to, begin - p.first, 1, r.low, r.high, y);         \
            }                                                                                                \
            bailey_uint32 top = turn_bits; /* of the bits that the step flips */                             \
            for (bailey_uint32 ones = k; ones & 1; ones >>= 1) top++;                                        \
            start ^= t[top] ^ t[turn_bits - 1];                                                              \
        }                                                                                                    \
    }

/* Where the pack of elements e, e + 1, ... of a tile that begins with point `point` goes, and which of them.
 */
BAILEY_FN bly_range bly_tile_range(bly_sobol_params p, bailey_uint64 point, bailey_uint32 e,
                                   bailey_uint32 pack)
{
    const bailey_uint64 lead = point < p.first ? p.first - point : 0; /* points */
    const bailey_uint64 before = point < p.first ? 0 : point - p.first;
    const bailey_uint64 left = before < p.count ? p.count - before : 0;
    const bailey_uint64 tile = (bailey_uint64)1 << p.tile;
    const bailey_uint32 low = lead < tile ? (bailey_uint32)lead * p.dims : p.width;
    const bailey_uint32 high =
        left < tile - (lead < tile ? lead : tile) ? low + (bailey_uint32)left * p.dims : p.width;
    bly_range r;
    r.begin = (point - p.first) * p.dims + e; /* may wrap; where elements are stored it does not */
    r.low = low > e ? (low - e < pack ? low - e : pack) : 0;
    r.high = high > e ? (high - e < pack ? high - e : pack) : 0;
    return r;
}

/* The zeros below 2, 4, ..., 32, four bits each: which row of the table comes after tiles 1, 3, ..., 31. After the
 * others comes row 0. */
#define BLY_SOBOL_ROW_AFTER(k) ((bailey_uint32)(0x5121312141213121u >> 2 * ((k)-1)) & 15u)

/* Point-major, likewise; row r makes tiles BLY_SOBOL_TILES r and on. `pack` makes the numbers of words x. */
#define BLY_SOBOL_POINT_ITEM(name, pack, word, suffix, scalar, bits, parameter, argument, make)              \
    BAILEY_FN bailey_pack_##suffix pack(parameter bailey_uint32 owen, bly_sobol_words_##word##_##bits x,     \
                                        const bailey_sobol_key_u##word *key)                                 \
    {                                                                                                        \
        bailey_pack_##suffix y;                                                                              \
        BAILEY_UNROLL                                                                                        \
        for (int j = 0; j < 128 / (bits); j++) {                                                             \
            const bailey_u##word w = owen ? bailey_sobol_owen_by_u##word(x.value[j], key[j]) : x.value[j];   \
            y.value[j] = make;                                                                               \
        }                                                                                                    \
        return y;                                                                                            \
    }                                                                                                        \
    BAILEY_FN void name(bly_sobol_params p, const BAILEY_GLOBAL bailey_uint##word *table,                    \
                        parameter BAILEY_GLOBAL scalar *out, bailey_uint64 item, bailey_uint64 row)          \
    {                                                                                                        \
        const bailey_uint64 e = item * BAILEY_PACK##bits;                                                    \
        if (e >= p.width) return;                                                                            \
        const BAILEY_GLOBAL bailey_uint##word *t = table + e;                                                \
        bailey_uint64 number =                                                                               \
            (p.first >> p.tile & ~(bailey_uint64)(BLY_SOBOL_TILES - 1)) + row * BLY_SOBOL_TILES;             \
        const bly_sobol_words_##word##_##bits seeds =                                                        \
            bly_sobol_load_##word##_##bits(t + BLY_SOBOL_SEEDS * p.table_row);                               \
        const bly_sobol_words_##word##_##bits first = bly_sobol_load_##word##_##bits(t);                     \
        bly_sobol_words_##word##_##bits x =                                                                  \
            bly_sobol_load_##word##_##bits(t + BLY_SOBOL_START * p.table_row);                               \
        bailey_sobol_key_u##word key[128 / (bits)];                                                          \
        BAILEY_UNROLL                                                                                        \
        for (int j = 0; j < 128 / (bits); j++) key[j] = bailey_sobol_key_of_u##word(seeds.value[j]);         \
        bailey_uint64 at = 0;                                                                                \
        for (bailey_uint64 gray = number ^ number >> 1; gray; gray >>= 1, at += p.table_row) {               \
            if (!(gray & 1)) continue;                                                                       \
            const bly_sobol_words_##word##_##bits step = bly_sobol_load_##word##_##bits(t + at);             \
            for (int j = 0; j < 128 / (bits); j++) x.value[j] ^= step.value[j];                              \
        }                                                                                                    \
        const bailey_uint64 point = number << p.tile, before = point - p.first; /* if it is not less */      \
        const bailey_uint64 to = p.out_offset + before * p.dims + e; /* an element of out, likewise */       \
        const int whole = point >= p.first && before < p.count &&                                            \
                          p.count - before >= (bailey_uint64)BLY_SOBOL_TILES << p.tile &&                    \
                          p.width - e >= BAILEY_PACK##bits && BAILEY_WHOLE(out + to);                        \
        if (whole) {                                                                                         \
            BAILEY_GLOBAL scalar *here = out + to;                                                           \
            for (bailey_uint32 k = 1; k < BLY_SOBOL_TILES; k += 2) {                                         \
                const bly_sobol_words_##word##_##bits step = bly_sobol_load_##word##_##bits(                 \
                    t + BLY_SOBOL_ROW_AFTER(k) * p.table_row);                                               \
                bailey_store_whole_##suffix(here, pack(argument p.owen, x, key));                            \
                for (int j = 0; j < 128 / (bits); j++) x.value[j] ^= first.value[j];                         \
                bailey_store_whole_##suffix(here + p.width, pack(argument p.owen, x, key));                  \
                for (int j = 0; j < 128 / (bits); j++) x.value[j] ^= step.value[j];                          \
                here += 2 * (bailey_uint64)p.width;                                                          \
            }                                                                                                \
            return;                                                                                          \
        }                                                                                                    \
        for (bailey_uint32 k = 0; k < BLY_SOBOL_TILES; k++, number++) {                                      \
            const bly_range r = bly_tile_range(p, number << p.tile, (bailey_uint32)e, BAILEY_PACK##bits);    \
            if (r.low < r.high)                                                                              \
                bailey_store_##suffix(out, p.out_offset + r.begin, 1, r.low, r.high,                         \
                                      pack(argument p.owen, x, key));                                        \
            const bly_sobol_words_##word##_##bits step =                                                     \
                bly_sobol_load_##word##_##bits(t + (k & 1 ? BLY_SOBOL_ROW_AFTER(k) * p.table_row : 0));      \
            for (int j = 0; j < 128 / (bits); j++) x.value[j] ^= step.value[j];                              \
        }                                                                                                    \
    }

/* Numbers of words. */
BAILEY_FN bailey_f32 bly_sobol_u01_f32_of_32(bailey_u32 w)
{
    return bailey_fma_f32(bailey_f32_from_i32(bailey_i32_bits_u32(w >> 9)), bailey_splat_f32(0x1p-23f),
                          bailey_splat_f32(0x1p-24f));
}
#if BAILEY_HAS_F64
/* (w + 1/2) 2^-32, exactly. */
BAILEY_FN bailey_f64 bly_sobol_u01_f64_of_32(bailey_u32 w)
{
    const bailey_u64 odd = bailey_u64_from_u32(w) << 1 | bailey_splat_u64(0x4330000000000001u);
    return (bailey_f64_bits_u64(odd) - bailey_splat_f64(0x1p52)) * bailey_splat_f64(0x1p-33);
}
/* (floor(w / 2^12) + 1/2) 2^-52 */
BAILEY_FN bailey_f64 bly_sobol_u01_f64_of_64(bailey_u64 w)
{
    return bailey_f64_bits_u64(w >> 12 | bailey_splat_u64(0x3ff0000000000000u)) -
           bailey_splat_f64(0x1.fffffffffffffp-1);
}
#endif
#define BLY_SOBOL_MAKE_words_u32_32 w
#define BLY_SOBOL_MAKE_words_u64_64 w
#define BLY_SOBOL_MAKE_u01_f32_32 bly_sobol_u01_f32_of_32(w)
#define BLY_SOBOL_MAKE_u01_f64_32 bly_sobol_u01_f64_of_32(w)
#define BLY_SOBOL_MAKE_u01_f64_64 bly_sobol_u01_f64_of_64(w)
#define BLY_SOBOL_MAKE_icdf_f32_32 bailey_normal_icdf_f32(normal, w)
#define BLY_SOBOL_MAKE_icdf_f32_64 bailey_normal_icdf_f32_from_u64(normal, w)
#define BLY_SOBOL_MAKE_icdf_f64_32 bailey_normal_icdf_f64_from_u32(normal, w)
#define BLY_SOBOL_MAKE_icdf_f64_64 bailey_normal_icdf_f64(normal, w)
#define BLY_SOBOL_STRIPED_words BLY_FILL_STRIPED
#define BLY_SOBOL_STRIPED_u01 BLY_FILL_STRIPED
#define BLY_SOBOL_STRIPED_icdf BLY_POINT_STRIPED
#define BLY_SOBOL_TAKES_words_u32
#define BLY_SOBOL_TAKES_words_u64
#define BLY_SOBOL_TAKES_u01_f32
#define BLY_SOBOL_TAKES_u01_f64
#define BLY_SOBOL_TAKES_icdf_f32 const BAILEY_ICDF_SPACE float *normal,
#define BLY_SOBOL_TAKES_icdf_f64 const BAILEY_ICDF_SPACE double *normal,
#define BLY_SOBOL_GIVES_words_u32
#define BLY_SOBOL_GIVES_words_u64
#define BLY_SOBOL_GIVES_u01_f32
#define BLY_SOBOL_GIVES_u01_f64
#define BLY_SOBOL_GIVES_icdf_f32 normal,
#define BLY_SOBOL_GIVES_icdf_f64 normal,
#define BLY_SOBOL_ITEMS(form, word, suffix, scalar, bits)                                                    \
    BLY_SOBOL_DIM_ITEM(bly_sobol_dim_##form##_##suffix##_##word##_item, word, suffix, scalar, bits,          \
                       BLY_SOBOL_STRIPED_##form, BLY_SOBOL_TAKES_##form##_##suffix,                          \
                       BLY_SOBOL_MAKE_##form##_##suffix##_##word)                                            \
    BLY_SOBOL_POINT_ITEM(bly_sobol_point_##form##_##suffix##_##word##_item,                                  \
                         bly_sobol_point_##form##_##suffix##_##word##_pack, word, suffix, scalar, bits,      \
                         BLY_SOBOL_TAKES_##form##_##suffix, BLY_SOBOL_GIVES_##form##_##suffix,               \
                         BLY_SOBOL_MAKE_##form##_##suffix##_##word)
BLY_SOBOL_ITEMS(words, 32, u32, bailey_uint32, 32)
BLY_SOBOL_ITEMS(words, 64, u64, bailey_uint64, 64)
BLY_SOBOL_ITEMS(u01, 32, f32, float, 32)
BLY_SOBOL_ITEMS(icdf, 32, f32, float, 32)
BLY_SOBOL_ITEMS(icdf, 64, f32, float, 32)
#if BAILEY_HAS_F64
BLY_SOBOL_ITEMS(u01, 32, f64, double, 64)
BLY_SOBOL_ITEMS(u01, 64, f64, double, 64)
BLY_SOBOL_ITEMS(icdf, 32, f64, double, 64)
BLY_SOBOL_ITEMS(icdf, 64, f64, double, 64)
#endif

#endif

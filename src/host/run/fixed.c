/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Sums in integers on the host. A sum of products of f outputs takes f + 1 words, and the last has its sign.
 */
#include "fixed.h"

#include <host/internal.h>
#include <kernels/fixed_nodes.h>

#include <math.h>
#include <string.h>

#define LOW UINT64_C(0xffffffff)
#define MOST_FACTORS 4
#define MOST_LIMBS (MOST_FACTORS + 2) /* of 32 bits: the last word has two */

static uint64_t word_at(const void *node, uint32_t row)
{
    uint64_t word;
    memcpy(&word, (const char *)node + row * sizeof word, sizeof word);
    return word;
}

static void put_word(void *node, uint32_t row, uint64_t word)
{
    memcpy((char *)node + row * sizeof word, &word, sizeof word);
}

/* How many sums of products of `factors` outputs there are. */
static uint32_t count_of(const struct bly_fixed *f, uint32_t factors)
{
    return factors == 1 ? f->outputs : factors == 2 ? f->pairs : f->shape == 1 ? f->outputs : 0;
}

uint32_t bly_fixed_sums(const struct bly_fixed *f)
{
    uint32_t rows = 0;
    for (uint32_t factors = 1; factors <= MOST_FACTORS; factors++)
        rows += count_of(f, factors) * BLY_FIXED_WORDS(factors);
    return rows;
}

uint32_t bly_fixed_rows(const struct bly_fixed *f)
{
    return bly_fixed_sums(f) + 1 + (f->shape ? 2 * f->outputs : 0);
}

int bly_fixed_places(double limit)
{
    int exponent;
    const double fraction = frexp(limit, &exponent); /* 0.5 <= fraction < 1 */
    return BLY_FIXED_BITS - (fraction > 0.5 ? exponent : exponent - 1);
}

static uint64_t bits_of(double value, bailey_precision precision)
{
    const float narrow = (float)value;
    uint64_t bits = 0;
    uint32_t narrow_bits;
    memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
    if (precision == BAILEY_PRECISION_F32) return narrow_bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The greatest number of the precision up to `limit`. */
static double round_down(double limit, bailey_precision precision)
{
    const float narrow = (float)limit;
    if (precision == BAILEY_PRECISION_F64) return limit;
    return (double)narrow > limit ? nextafterf(narrow, 0) : narrow;
}

bly_fixed_params bly_fixed_params_of(const bailey_simulation_run_params *p, bailey_precision precision)
{
    const int places = bly_fixed_places(p->sum_limit);
    bly_fixed_params fixed = {.limit = bits_of(round_down(p->sum_limit, precision), precision),
                              .scale = bits_of(ldexp(1, places), precision)};
    if (!p->histogram.bins) return fixed;
    fixed.low = (bailey_int64)nearbyint(ldexp(p->histogram.low, places));
    fixed.high = (bailey_int64)nearbyint(ldexp(p->histogram.high, places));
    return fixed;
}

/* ---- Nodes --------------------------------------------------------------------------------------- */

/* Adds words, and carries all but 32 bits of each to the next. */
static void add_words(uint64_t *sum, const void *other, uint32_t row, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++) sum[i] += word_at(other, row + i);
    for (uint32_t i = 0; i + 1 < words; i++) {
        sum[i + 1] += sum[i] >> 32;
        sum[i] &= LOW;
    }
}

void bly_fixed_settle(const struct bly_fixed *f, void *node)
{
    uint32_t row = 0;
    for (uint32_t factors = 1; factors <= MOST_FACTORS; factors++)
        for (uint32_t n = count_of(f, factors); n > 0; n--) {
            uint64_t sum[BLY_FIXED_WORDS(MOST_FACTORS)] = {0};
            add_words(sum, node, row, BLY_FIXED_WORDS(factors));
            for (uint32_t i = 0; i < BLY_FIXED_WORDS(factors); i++) put_word(node, row++, sum[i]);
        }
}

void bly_fixed_join_nodes(const struct bly_fixed *f, void *left, const void *right)
{
    uint32_t row = 0;
    for (uint32_t factors = 1; factors <= MOST_FACTORS; factors++)
        for (uint32_t n = count_of(f, factors); n > 0; n--) {
            const uint32_t words = BLY_FIXED_WORDS(factors);
            uint64_t sum[BLY_FIXED_WORDS(MOST_FACTORS)];
            for (uint32_t i = 0; i < words; i++) sum[i] = word_at(left, row + i);
            add_words(sum, right, row, words);
            for (uint32_t i = 0; i < words; i++) put_word(left, row++, sum[i]);
        }
    const uint32_t greatest = row + 1 + f->outputs, rows = bly_fixed_rows(f);
    for (; row < rows; row++)
        put_word(left, row,
                 bly_fixed_join(word_at(left, row), word_at(right, row),
                                row < greatest ? BLY_FIXED_LEAST : BLY_FIXED_GREATEST));
}

/* ---- Numbers ------------------------------------------------------------------------------------- */

/* The magnitude of a sum in limbs of 32 bits. Returns whether it is negative. */
static int find_limbs(const void *node, uint32_t row, uint32_t words, uint32_t limb[MOST_LIMBS])
{
    uint64_t sum[BLY_FIXED_WORDS(MOST_FACTORS)] = {0}, carry = 1;
    add_words(sum, node, row, words);
    for (uint32_t i = 0; i < words; i++) limb[i] = (uint32_t)sum[i];
    limb[words] = (uint32_t)(sum[words - 1] >> 32);
    const int negative = limb[words] >> 31;
    for (uint32_t i = 0; i <= words && negative; i++) {
        carry += (uint32_t)~limb[i];
        limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return negative;
}

/* The double next to a magnitude: its first 64 bits, of which the last says if any follow, round as all
 * bits do. */
static double magnitude_of(const uint32_t *limb, uint32_t count)
{
    uint32_t top = count;
    while (top > 0 && limb[top - 1] == 0) top--;
    if (top == 0) return 0;
    if (top <= 2) return (double)(top == 2 ? (uint64_t)limb[1] << 32 | limb[0] : limb[0]);
    uint32_t shift = 0;
    while (!(limb[top - 1] << shift >> 31)) shift++;
    const uint64_t next = (uint64_t)limb[top - 3] << shift;
    uint64_t head = ((uint64_t)limb[top - 1] << 32 | limb[top - 2]) << shift | next >> 32;
    uint64_t rest = next & LOW;
    for (uint32_t i = 0; i + 3 < top; i++) rest |= limb[i];
    head |= rest != 0;
    return ldexp((double)head, 32 * ((int)top - 2) - (int)shift);
}

void bly_fixed_read(const struct bly_fixed *f, int places, const void *node, double *values)
{
    uint32_t row = 0;
    for (uint32_t factors = 1; factors <= MOST_FACTORS; factors++)
        for (uint32_t n = count_of(f, factors); n > 0; n--) {
            const uint32_t words = BLY_FIXED_WORDS(factors);
            uint32_t limb[MOST_LIMBS];
            const int negative = find_limbs(node, row, words, limb);
            const double value = ldexp(magnitude_of(limb, words + 1), -places * (int)factors);
            *values++ = negative ? -value : value;
            row += words;
        }
    for (row++; row < bly_fixed_rows(f); row++)
        *values++ = ldexp((double)(int64_t)word_at(node, row), -places);
}

int bly_fixed_find_beyond(const struct bly_fixed *f, const void *node, uint64_t first_path, uint64_t *path,
                          uint32_t *output)
{
    const uint64_t word = word_at(node, bly_fixed_sums(f));
    if (word == bly_fixed_nothing(BLY_FIXED_LEAST)) return 0;
    const uint64_t last = UINT64_MAX >> (BLY_FIXED_OUTPUT_BITS + 1); /* bits of a path's number */
    *output = word & ((1u << BLY_FIXED_OUTPUT_BITS) - 1);
    *path = first_path + (((word >> BLY_FIXED_OUTPUT_BITS) - first_path) & last);
    return 1;
}

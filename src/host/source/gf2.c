/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Powers of x modulo a polynomial over GF(2), from which jumps are made. Squaring over GF(2) only spreads the
 * bits, so x^n by squaring and multiplying by x needs no product of two polynomials; what costs is the
 * reduction.
 */
#include "source.h"

#include <string.h>

static void add_shifted_one(uint64_t *a, size_t exponent)
{
    a[exponent / 64] ^= UINT64_C(1) << exponent % 64;
}

/* a = a x mod (x^(64 words) + low). */
static void dense_times_x(uint64_t *a, const uint64_t *low, size_t words)
{
    const uint64_t carry = 0 - (a[words - 1] >> 63);
    for (size_t i = words; i-- > 1;) a[i] = (a[i] << 1 | a[i - 1] >> 63) ^ (low[i] & carry);
    a[0] = (a[0] << 1) ^ (low[0] & carry);
}

void bly_gf2_table(const uint64_t *low, size_t words, uint64_t *table)
{
    memset(table, 0, 256 * words * sizeof *table);
    memcpy(table + words, low, words * sizeof *table);
    for (size_t n = 0; n < 16; n++) {
        uint64_t *values = table + 16 * n * words;
        if (n) { /* 1 of this nibble is 8 of the previous one, times x */
            memcpy(values + words, values - 8 * words, words * sizeof *table);
            dense_times_x(values + words, low, words);
        }
        for (size_t v = 2; v < 16; v++) {
            uint64_t *value = values + v * words;
            memcpy(value, values + v / 2 * words, words * sizeof *table);
            dense_times_x(value, low, words);
            if (v & 1)
                for (size_t k = 0; k < words; k++) value[k] ^= values[words + k];
        }
    }
}

static void times_x(const struct bly_gf2 *modulus, uint64_t *a)
{
    const size_t words = modulus->words;
    if (modulus->table) {
        dense_times_x(a, modulus->table + words, words);
        return;
    }
    const uint64_t carry = a[words - 1] >> 63;
    for (size_t i = words; i-- > 1;) a[i] = a[i] << 1 | a[i - 1] >> 63;
    a[0] <<= 1;
    if (carry)
        for (size_t i = 0; i < modulus->count; i++) add_shifted_one(a, modulus->exponents[i]);
}

/* Reduces the 2 words of a; the result is in its lower half. A word of the upper half never changes one above
 * itself: the table holds remainders, and sparse moduli have a gap of 64 below their leading term. */
static void reduce(const struct bly_gf2 *modulus, uint64_t *a)
{
    const size_t words = modulus->words;
    for (size_t i = 2 * words; i-- > words;) {
        const uint64_t top = a[i];
        if (!top) continue;
        uint64_t *low = a + (i - words);
        a[i] = 0;
        if (modulus->table) {
            for (unsigned n = 0; n < 16; n++) {
                const uint64_t *value = modulus->table + (16 * n + (top >> 4 * n & 15)) * words;
                for (size_t k = 0; k < words; k++) low[k] ^= value[k];
            }
        } else {
            for (size_t k = 0; k < modulus->count; k++) {
                const uint32_t word = modulus->exponents[k] / 64, bit = modulus->exponents[k] % 64;
                low[word] ^= top << bit;
                if (bit) low[word + 1] ^= top >> (64 - bit);
            }
        }
    }
}

/* The low 32 bits of x at even places. */
static uint64_t spread(uint64_t x)
{
    x &= UINT64_C(0xffffffff);
    x = (x | x << 16) & UINT64_C(0x0000ffff0000ffff);
    x = (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x | x << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    x = (x | x << 2) & UINT64_C(0x3333333333333333);
    return (x | x << 1) & UINT64_C(0x5555555555555555);
}

void bly_gf2_power(const struct bly_gf2 *modulus, const uint64_t *n, size_t n_words, uint64_t *scratch,
                   uint64_t *result)
{
    const size_t words = modulus->words;
    memset(result, 0, words * sizeof *result);
    result[0] = 1;
    size_t bits = 64 * n_words;
    while (bits && !(n[(bits - 1) / 64] >> (bits - 1) % 64 & 1)) bits--;
    while (bits--) {
        for (size_t i = 0; i < words; i++) {
            scratch[2 * i] = spread(result[i]);
            scratch[2 * i + 1] = spread(result[i] >> 32);
        }
        reduce(modulus, scratch);
        memcpy(result, scratch, words * sizeof *result);
        if (n[bits / 64] >> bits % 64 & 1) times_x(modulus, result);
    }
}

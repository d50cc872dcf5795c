/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Powers of x modulo a polynomial over GF(2), of which jumps of generators that are linear over GF(2) are
 * made.
 *
 * If f annihilates the step A of such a generator and g = x^n mod f, then A^n = g(A) = sum of g_k A^k: the
 * state after n steps is the sum of those of the next few states for which g has a bit.
 *
 * Coefficient k is bit k mod 64 of word k / 64. Degrees of moduli are multiples of 64 here: multiply f by a
 * power of x, which annihilates A as well.
 */
#ifndef BLY_GF2_H
#define BLY_GF2_H

#include <stddef.h>
#include <stdint.h>

struct bly_gf2 {
    size_t words; /* the modulus has degree 64 words */
    /* Dense: v x^(64 words + 4 n) modulo the modulus for each value v of nibble n of a word, `words` words
     * each: table[(16 n + v) words]. NULL: sparse. */
    const uint64_t *table;
    /* Sparse: the exponents of the modulus without its leading one, each at most 64 words - 64. */
    const uint32_t *exponents;
    size_t count;
};

/* Fills table[256 * words] for the modulus x^(64 words) + low. */
void bly_gf2_table(const uint64_t *low, size_t words, uint64_t *table);

/* result = x^n mod the modulus, n of n_words words, the lowest first. `scratch` has 2 words of each of the
 * result's. */
void bly_gf2_power(const struct bly_gf2 *modulus, const uint64_t *n, size_t n_words, uint64_t *scratch,
                   uint64_t *result);

#endif

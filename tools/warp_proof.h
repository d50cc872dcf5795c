/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Sets of the warp generator and the proof of their period (warp_proof.c), for the search (warp_search.c).
 */
#ifndef WARP_PROOF_H
#define WARP_PROOF_H

#include <stddef.h>
#include <stdint.h>

#define LANES 32
#define BITS 1024
#define WORDS 16         /* of BITS */
#define MORE (WORDS + 1) /* of a polynomial of degree BITS */
#define LIMBS 64
#define FACTORS 16 /* of 2^1024 - 1 */

struct set {
    uint32_t za;
    uint8_t qa[LANES], qb[LANES], zb[LANES];
};

/* An integer of up to 2048 bits. */
typedef struct number {
    uint32_t limb[LIMBS];
} number;

/* A polynomial over GF(2), to calculate modulo it. */
struct modulus {
    uint64_t f[MORE];
    uint64_t table[16][16][WORDS]; /* v x^(1024 + 4 n) modulo f for nibble n of value v */
};

/* The exponents (2^1024 - 1) / p. Returns 0 unless the factorisation is complete. */
int check_factors(number cofactors[FACTORS]);

void modulus_prepare(struct modulus *m, const uint64_t f[MORE]);
void square(uint64_t a[WORDS], const struct modulus *m);
/* Whether x^(2^k) - x, given as x^(2^k) = a, has no factor in common with the modulus. */
int coprime_to_fixed(const uint64_t a[WORDS], const struct modulus *m);
int irreducible(const struct modulus *m);
/* The number of the first factor p with x^((2^1024 - 1) / p) = 1, or FACTORS. */
size_t factor_against(const struct modulus *m, const number cofactors[FACTORS]);
/* Bits that are set. */
int weight(const uint64_t *a, int words);

/* The minimal polynomial of one bit of the sequence; returns its degree. f is set if that is 1024. */
int minimal_polynomial(const struct set *set, uint64_t f[MORE]);
/* Steps from a state of one bit to one of 460 bits or more: the mean over the 1024, and the worst. */
double escape(const struct set *set, int *worst);
void print_cycles(const struct set *set);

/* Prove sets and say so; 0 if one fails, or the file cannot be read. */
int prove_shipped(const number cofactors[FACTORS]);
int prove_file(const char *path, const number cofactors[FACTORS]);

#endif

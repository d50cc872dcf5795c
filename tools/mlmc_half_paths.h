/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Paths of a European call in few bits, emulated: what mlmc_half.c studies, and what the paths of devices are
 * held to, bit for bit (mlmc_half_steps.h).
 *
 * S0 = K = 100, r = 0.05, volatility 0.2, T = 1, Milstein's scheme with 2^l steps; no discount. A path is S
 * itself, or Y = S / S0 - 1, whose increments are not lost beside 100; or a pair of paths is the coarse one's
 * Y and D, by which the fine one's is more: rounding errors are then of D's size. Each operation is rounded,
 * a multiply-add once; so are the increments, and a coarse one is the rounded sum of two.
 */
#ifndef MLMC_HALF_PATHS_H
#define MLMC_HALF_PATHS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MLMC_HALF_SPOT 100.0
#define MLMC_HALF_STRIKE 100.0
#define MLMC_HALF_SEED 17

/* Bits of the significand, and the exponent of the smallest normal number. */
struct mlmc_half_format {
    const char *name;
    int digits, least;
};
enum { MLMC_HALF_SINGLE, MLMC_HALF_HALF, MLMC_HALF_BFLOAT, MLMC_HALF_FORMATS };
extern const struct mlmc_half_format mlmc_half_formats[MLMC_HALF_FORMATS];

/* To nearest even. Nothing here overflows. */
double mlmc_half_rounded(const struct mlmc_half_format *format, double x);

/* What steps of one length are made with, each number of the format: the root of the length, and the growth
 * drift + dW (volatility + half_variance dW). */
struct mlmc_half_constants {
    double root, volatility, half_variance, drift;
};
struct mlmc_half_constants mlmc_half_constants_of(const struct mlmc_half_format *format, int steps);

/* The end of a path of increments dw. */
double mlmc_half_end(const struct mlmc_half_format *format, int relative, const double *dw, int steps);

/* D and the coarse Y of paths with so many fine increments, an even number. With growths g and g' of two fine
 * steps and G of the coarse one, (1 + g) (1 + g') = 1 + G + e. Of g = a + r and g' = a' + r', where a is
 * volatility dW, the square of dW + dW' has made a a' part of G: e = a r' + a' r + r r', without a difference
 * of nearly equal numbers. */
void mlmc_half_apart(const struct mlmc_half_format *format, const double *dw, int steps, double end[2]);

/* How a sample's numbers come from its words, as in the library: a whole word makes an exact normal, each of
 * its halves an approximate one. */
enum mlmc_half_form {
    MLMC_HALF_DIFFERENCE,
    MLMC_HALF_CORRECTION, /* from each word an exact normal, and an approximate one of its first half */
    MLMC_HALF_SHARED /* of level 0: the halves of a word are of two samples, which have one number each */
};

/* Whether pairs of paths of a format are D and the coarse Y, as those of few bits are; else both Y. */
int mlmc_half_is_apart(int format);

/* The ends of the two paths of sample `number`, fine or D first; on level 0 there is one, Y. Kind of normals:
 * 0 exact, or one of bailey/device/approximate.h. Exact normals of a correction are another call's, with kind
 * 0. */
void mlmc_half_ends(int kind, int format, enum mlmc_half_form form, int level, uint64_t number,
                    double end[2]);

/* Of Philox, for MLMC_HALF_SEED: bailey_philox_keys, which CUDA's host code cannot make. */
void mlmc_half_keys(uint32_t word[20]);

#ifdef __cplusplus
}
#endif

#endif

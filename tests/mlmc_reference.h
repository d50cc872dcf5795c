/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The five options of M. Giles, "Improved multilevel Monte Carlo convergence using the Milstein scheme"
 * (2006), as the paper's formulas say, knowing nothing of the library: its estimator code must give the same
 * but for rounding.
 */
#ifndef MLMC_REFERENCE_H
#define MLMC_REFERENCE_H

#include <stdint.h>

enum mlmc_option { MLMC_EUROPEAN, MLMC_ASIAN, MLMC_LOOKBACK, MLMC_DIGITAL, MLMC_BARRIER, MLMC_OPTIONS };

struct mlmc_reference {
    enum mlmc_option option;
    double spot, strike, rate, dividend, volatility;
    double cash, barrier; /* of the digital and the barrier option */
    double time;
};

/* A sample: what a path of `steps` steps pays, and with `coarse` what one of half as many does. z are the
 * normals of the increments; `other` are the asian's further normals or the lookback's uniforms, else not
 * looked at. Number i of both is z[i * stride]. */
void mlmc_reference_f32(const struct mlmc_reference *r, uint32_t steps, int coarse, const float *z,
                        const float *other, uint64_t stride, double out[2]);
void mlmc_reference_f64(const struct mlmc_reference *r, uint32_t steps, int coarse, const double *z,
                        const double *other, uint64_t stride, double out[2]);

/* Sums over samples 0 .. count - 1, in this order: of Y, Y^2, Y^3, Y^4, the fine payoff P, P^2, where Y = P -
 * the coarse payoff, which is 0 on level 0. z and other are [steps][stride], sample i in column i. */
void mlmc_reference_sums_f32(const struct mlmc_reference *r, uint32_t steps, int coarse, const float *z,
                             const float *other, uint64_t stride, uint64_t count, double sums[6]);
void mlmc_reference_sums_f64(const struct mlmc_reference *r, uint32_t steps, int coarse, const double *z,
                             const double *other, uint64_t stride, uint64_t count, double sums[6]);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Brownian bridges straight from the definition, in the caller's construction order, knowing nothing of
 * plans: what every plan and every kernel must equal bit for bit. O(N^2); meant for N up to 2000.
 */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdint.h>

/* One path. `times`, `steps`, `start_time`, `factor`, `start` and `end` are as in bailey_bridge_params;
 * `order` has steps - 1 entries, not NULL unless that is 0. `z` is [z_steps][dims] in construction
 * order, z_steps = steps less one where `end` is given; `x` is [steps][dims] in time order. `start` may
 * be NULL for zero, `factor` for the identity.
 *
 * Operations: cz_i = fma(C_ij, z_j, ... C_i0 z_0) for j = 1 .. i, or z_i without a factor.
 * Paths: x = fma(sigma, cz, fma(right_weight, x_right, left_weight * x_left)); a free T has left and
 * right = t0 with weights 1 and 0. Increments: of a gap (lo, hi) that splits at t,
 * left = fma(sigma, cz, (t - lo) / (hi - lo) * D), right = fma(-sigma, cz, (hi - t) / (hi - lo) * D), the
 * free root fma(sigma, cz, 0), the fixed one end - start. A part that is a single interval has weight 1 / (hi
 * - lo) and its sigma divided by its length; with N = 0 the root has sigma divided by it, or end - start is
 * multiplied by 1 / (T - t0). Weights and sigmas are computed in double; they, factor, start and end are
 * rounded once. */
void reference_bridge_paths_f32(const double *times, uint64_t steps, double start_time, const uint32_t *order,
                                uint32_t dims, const double *factor, const double *start, const double *end,
                                const float *z, float *x);
void reference_bridge_paths_f64(const double *times, uint64_t steps, double start_time, const uint32_t *order,
                                uint32_t dims, const double *factor, const double *start, const double *end,
                                const double *z, double *x);
void reference_bridge_increments_f32(const double *times, uint64_t steps, double start_time,
                                     const uint32_t *order, uint32_t dims, const double *factor,
                                     const double *start, const double *end, const float *z, float *x);
void reference_bridge_increments_f64(const double *times, uint64_t steps, double start_time,
                                     const uint32_t *order, uint32_t dims, const double *factor,
                                     const double *start, const double *end, const double *z, double *x);

#endif

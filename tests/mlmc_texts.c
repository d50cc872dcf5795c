/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * One estimator code in one precision. MLMC_FILE is the text, of which tests/CMakeLists.txt has made C: its
 * functions are static, and (real) stands before its floating literals. MLMC_NAME is its name, BLY_REAL f32
 * or f64.
 */
#include "mlmc_texts.h"

#define PASTE3_(a, b, c) a##b##c
#define PASTE3(a, b, c) PASTE3_(a, b, c)
#define real_f32 float
#define real_f64 double
typedef PASTE3(real, _, BLY_REAL) real;

#include <kernels/payoff_math.h>

enum { MOST = 64 };
typedef struct {
    real dw[1], z[MOST], u[MOST];
} noise;

#define exp bly_payoff_exp
#define log bly_payoff_log
#define sqrt bly_payoff_sqrt
#define fabs bly_payoff_fabs
#define fmin bly_payoff_fmin
#define fmax bly_payoff_fmax
#define fma bly_payoff_fma
#define normal_cdf bly_payoff_normal_cdf
/* Texts need not look at all that their functions are given. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include MLMC_FILE

#ifndef NORMALS
#define NORMALS 0
#endif
#ifndef UNIFORMS
#define UNIFORMS 0
#endif
enum { COUNT = sizeof(params) / sizeof(real), PER_STEP_Z = NORMALS, PER_STEP_U = UNIFORMS };

static noise noise_of(uint32_t i, const real *dw, const real *z, const real *u)
{
    noise n = {{dw[i]}, {0}, {0}};
    for (int k = 0; k < PER_STEP_Z; k++) n.z[k] = z[(int)i * PER_STEP_Z + k];
    for (int k = 0; k < PER_STEP_U; k++) n.u[k] = u[(int)i * PER_STEP_U + k];
    return n;
}

static params params_of(const double *values)
{
    real rounded[COUNT];
    params p;
    for (int i = 0; i < COUNT; i++) rounded[i] = (real)values[i];
    memcpy(&p, rounded, sizeof p);
    return p;
}

static void sample(const double *values, int level, uint32_t steps, double time, const void *dw,
                   const void *z, const void *u, double out[2])
{
    const params p = params_of(values);
    const real h = (real)(time / steps);
    real pays[2] = {0, 0};
    state s;
    start(&s, &p, level);
    for (uint32_t i = 0; i < steps; i += level ? 2 : 1) {
        const noise n = noise_of(i, dw, z, u);
        if (level) {
            const noise m = noise_of(i + 1, dw, z, u);
            pair(&s, &p, (real)i * h, h, &n, &m);
        } else {
            step(&s, &p, (real)i * h, h, &n);
        }
    }
    finish(&s, &p, (real)time, pays);
    out[0] = pays[0];
    out[1] = level ? pays[1] : 0;
}

const struct mlmc_text PASTE3(MLMC_NAME, _, BLY_REAL) = {COUNT, PER_STEP_Z, PER_STEP_U, sample};

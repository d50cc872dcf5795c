/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What a program has before the code of level functions, behind kernels/payoff_head.h: the random numbers of
 * a step, which they call noise.
 */
#ifndef BLY_MLMC_HEAD_H
#define BLY_MLMC_HEAD_H

#include "kernels/payoff_head.h"

typedef struct bly_noise {
    real dw[BLY_DIMS];
#if BLY_STEP_NORMALS
    real z[BLY_STEP_NORMALS];
#endif
#if BLY_STEP_UNIFORMS
    real u[BLY_STEP_UNIFORMS];
#endif
} bly_noise;
#define noise bly_noise

#endif

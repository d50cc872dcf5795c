/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The built-in levels as plain C: their texts compiled on the host with the library's own functions, one
 * sample at a time. What they give is what every device must give, bit for bit.
 */
#ifndef MLMC_TEXTS_H
#define MLMC_TEXTS_H

#include <bailey/mlmc.h>

#include <string.h>

/* The first built-ins; one that is new need not be plain C. */
#define MLMC_TEXTS(X) X(european) X(asian) X(lookback) X(digital) X(barrier)

struct mlmc_text {
    uint32_t params; /* numbers, all of them real */
    uint32_t normals, uniforms;
    /* A sample of a level: steps fine steps, in pairs unless level is 0. `params` is in the text's order.
     * `dw` is [steps], `z` is [steps][normals] and `u` is [steps][uniforms], all in the text's precision.
     * out[1] is 0 on level 0. */
    void (*sample)(const double *params, int level, uint32_t steps, double time, const void *dw,
                   const void *z, const void *u, double out[2]);
};

#define DECLARE(name) extern const struct mlmc_text mlmc_##name##_f32, mlmc_##name##_f64;
MLMC_TEXTS(DECLARE)
#undef DECLARE

/* NULL: there is not one of that built-in. */
static inline const struct mlmc_text *mlmc_text_of(const char *name, int f64)
{
#define IS(known)                                                                                            \
    if (strcmp(name, #known) == 0) return f64 ? &mlmc_##known##_f64 : &mlmc_##known##_f32;
    MLMC_TEXTS(IS)
#undef IS
    return NULL;
}

#endif

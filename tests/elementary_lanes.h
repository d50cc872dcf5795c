/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The functions of bailey/device/elementary.h and math.h that payoffs may call, over arrays: compiled once
 * for each number of lanes. Counts are multiples of 16.
 */
#ifndef ELEMENTARY_LANES_H
#define ELEMENTARY_LANES_H

#include <stddef.h>

/* X(name in payoffs, name), of one and of two arguments. */
#define ELEMENTARY_ONE(X)                                                                                    \
    X(exp, exp) X(log, log) X(normal_cdf, normal_cdf) X(fabs, abs) X(floor, floor) X(ceil, ceil)
#define ELEMENTARY_TWO(X) X(pow, pow) X(fmin, min) X(fmax, max)

enum elementary {
#define ELEMENTARY_NAME(payoff, name) ELEMENTARY_##payoff,
    ELEMENTARY_ONE(ELEMENTARY_NAME) ELEMENTARY_TWO(ELEMENTARY_NAME)
#undef ELEMENTARY_NAME
        ELEMENTARY_sqrt, /* of payoffs alone */
    ELEMENTARY_fma,
    ELEMENTARY_COUNT
};

/* r[i] = function(x[i], y[i]). */
struct elementary_lanes {
    void (*f32)(enum elementary function, const float *x, const float *y, float *r, size_t count);
    void (*f64)(enum elementary function, const double *x, const double *y, double *r, size_t count);
};
extern const struct elementary_lanes elementary_1, elementary_2, elementary_4, elementary_8, elementary_16;

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The functions of bailey/device/approximate.h over arrays: compiled once for each number of lanes. Counts
 * are multiples of 16.
 */
#ifndef APPROXIMATE_LANES_H
#define APPROXIMATE_LANES_H

#include <stddef.h>
#include <stdint.h>

struct approximate_lanes {
    void (*normals)(int kind, const float *table, const uint32_t *w, float *x, size_t count);
    int (*usable)(void); /* whether this processor can run it; NULL: any */
};
extern const struct approximate_lanes approximate_1, approximate_2, approximate_4, approximate_8,
    approximate_16;
/* Of arrays, as it is compiled otherwise, and for AVX-512. */
extern const struct approximate_lanes approximate_arrays, approximate_avx512;

#endif

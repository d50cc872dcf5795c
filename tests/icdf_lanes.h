/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The functions of bailey/device/icdf_table.h over arrays, compiled once for each number of lanes and level
 * of instructions. Counts are multiples of 16.
 */
#ifndef ICDF_LANES_H
#define ICDF_LANES_H

#include <stddef.h>
#include <stdint.h>

struct icdf_lanes {
    const char *name;
    int (*usable)(void); /* whether this processor can run it */
    void (*f32)(const float *table, const uint32_t *w, float *x, size_t count);
    void (*f32_from_u64)(const float *table, const uint64_t *w, float *x, size_t count);
    void (*f64)(const double *table, const uint64_t *w, double *x, size_t count);
    void (*f64_from_u32)(const double *table, const uint32_t *w, double *x, size_t count);
};

#endif

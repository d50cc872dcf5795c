/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What headers write differently for vectors, over arrays: the functions of bailey/device/icdf_table.h and
 * Philox's blocks, compiled once for each number of lanes and level of instructions. Counts are multiples of
 * 32.
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
    /* f64 of many words at once, or NULL where they are made one vector at a time */
    void (*f64_many)(const double *table, const uint64_t *w, double *x, size_t count);
    void (*f64_many_from_u32)(const double *table, const uint32_t *w, double *x, size_t count);
    /* Blocks first .. first + count - 1, [block][word of 32 bits]: as words of single packs and of two side
     * by side, and as elements of 64 bits. */
    void (*words)(int rounds, uint64_t seed, uint64_t stream, uint64_t first, uint32_t *w, size_t count);
    void (*words_by_two)(int rounds, uint64_t seed, uint64_t stream, uint64_t first, uint32_t *w,
                         size_t count);
    void (*elements)(int rounds, uint64_t seed, uint64_t stream, uint64_t first, uint32_t *w, size_t count);
};

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The tables of kernels that the CPU backend chooses from, one for each instruction set.
 */
#ifndef BLY_CPU_H
#define BLY_CPU_H

#include <stdint.h>

/* Runs items [first, last) of one row. */
typedef void (*bly_cpu_function)(const void *params, void *const *buffers, uint64_t first, uint64_t last,
                                 uint64_t row);

/* A kernel compiled for one instruction set; `lanes` elements to a vector. */
struct bly_cpu_kernel {
    bly_cpu_function function; /* NULL in the table of the other lane width */
    uint32_t lanes;
};

/* Built-in payoffs (cpu_payoffs.c): an item takes so many paths, which are lanes; without vectors as many as
 * scalar items elsewhere. */
#define BLY_CPU_PAYOFF_(name, isa) name##_##isa
#define BLY_CPU_PAYOFF(name, isa) BLY_CPU_PAYOFF_(name, isa)
#define BLY_CPU_PAYOFF_PATHS(vector_bytes, lane_bytes) ((vector_bytes) ? 64 : 16 / (lane_bytes))

/* Kernels for one instruction set and lane width, by row (backend/rows.h). cpu_kernels.c is compiled once
 * for each. */
#define BLY_CPU_TABLE_(isa, bytes) bly_cpu_kernels_##isa##_##bytes
#define BLY_CPU_TABLE(isa, bytes) BLY_CPU_TABLE_(isa, bytes)
#if defined(BLY_CPU_SCALAR)
extern const struct bly_cpu_kernel bly_cpu_kernels_scalar_4[], bly_cpu_kernels_scalar_8[];
#else
extern const struct bly_cpu_kernel bly_cpu_kernels_baseline_4[], bly_cpu_kernels_baseline_8[];
#endif
#if defined(BLY_CPU_AVX2)
extern const struct bly_cpu_kernel bly_cpu_kernels_avx2_4[], bly_cpu_kernels_avx2_8[];
#endif
#if defined(BLY_CPU_AVX512)
extern const struct bly_cpu_kernel bly_cpu_kernels_avx512_4[], bly_cpu_kernels_avx512_8[];
#endif

#endif

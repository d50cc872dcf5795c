/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Which instruction sets of the cpu backend this processor runs. CMake asks it too, for the level `native`.
 */
#ifndef BLY_CPU_LEVELS_H
#define BLY_CPU_LEVELS_H

#if defined(__x86_64__)
#include <cpuid.h>

static inline int bly_cpu_runs_avx2(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static inline int bly_cpu_runs_avx512(void)
{
    return bly_cpu_runs_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}

/* AVX-512 FP16, a processor that runs AVX-512 provided. Compilers before gcc 12 do not know its name. */
static inline int bly_cpu_runs_half(void)
{
    unsigned a, b, c, d = 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d >> 23 & 1);
}
#endif

static inline int bly_cpu_runs_baseline(void) { return 1; }

#endif

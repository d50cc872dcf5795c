/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Which instruction sets of the cpu backend this processor runs. CMake asks it too, for the level `native`.
 */
#ifndef BLY_CPU_LEVELS_H
#define BLY_CPU_LEVELS_H

#if defined(__x86_64__)
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
#endif

static inline int bly_cpu_runs_baseline(void) { return 1; }

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What samples with approximate normals and paths of half precision take on a thread of a processor with
 * AVX-512 (docs/mlmc-low-precision.md), half precision where it has AVX-512 FP16:
 *
 *     mlmc_half_cpu [STEPS]        fine steps of a measurement, 2^25 by default
 *
 * The program ends with 1 if any path or sum is not what the host emulates.
 */
#define _POSIX_C_SOURCE 200809L
#include "mlmc_half_simd_entry.h"

#include <cpuid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Bit 23 of EDX of leaf 7, which not every compiler's __builtin_cpu_supports knows. */
static int has_fp16(void)
{
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && d >> 23 & 1;
}

static int has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}

static const char *refuses(void *user, const struct mlmc_half_variant *v)
{
    (void)user;
    if (v->format == MLMC_HALF_BFLOAT) return "AVX-512 has no such arithmetic";
#if !defined(MLMC_HALF_FP16)
    if (v->format == MLMC_HALF_HALF) return "the compiler has no AVX-512 FP16";
#endif
    if (v->format == MLMC_HALF_HALF && !has_fp16()) return "the processor has no AVX-512 FP16";
    return NULL;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double sum(void *user, int way, const struct mlmc_half_variant *v, enum mlmc_half_form form, int level,
                  uint64_t samples, struct mlmc_half_sums *sums)
{
    (void)user, (void)way;
    const double begin = now();
#if defined(MLMC_HALF_FP16)
    if (v->format == MLMC_HALF_HALF)
        mlmc_half_fp16_sum(v, form, level, samples, sums);
    else
#endif
        mlmc_half_avx512_sum(v, form, level, samples, sums);
    return now() - begin;
}

static void ends(void *user, const struct mlmc_half_variant *v, enum mlmc_half_form form, int level,
                 uint64_t samples, float *first, float *second)
{
    (void)user;
#if defined(MLMC_HALF_FP16)
    if (v->format == MLMC_HALF_HALF) {
        mlmc_half_fp16_ends(v, form, level, samples, first, second);
        return;
    }
#endif
    mlmc_half_avx512_ends(v, form, level, samples, first, second);
}

/* As the system names it. */
static const char *processor(void)
{
    static char line[256];
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f) && strncmp(line, "model name", 10) != 0) line[0] = 0;
    if (f) fclose(f);
    line[strcspn(line, "\n")] = 0;
    const char *colon = strchr(line, ':');
    return colon ? colon + 2 : "a processor";
}

int main(int argc, char **argv)
{
    static const char *const ways[] = {"64 samples"};
    const struct mlmc_half_maker maker = {
        .name = processor(), .ways = 1, .way_names = ways, .refuses = refuses, .sum = sum, .ends = ends};
    const uint64_t steps = argc > 1 ? strtoull(argv[1], NULL, 10) : UINT64_C(1) << 25;
    if (steps >> MLMC_HALF_LEVELS < 1024 || steps >> 38) {
        fprintf(stderr, "mlmc_half_cpu [STEPS]: from %d, below 2^38\n", 1024 << MLMC_HALF_LEVELS);
        return 2;
    }
    if (!has_avx512()) {
        fprintf(stderr, "%s has no AVX-512\n", processor());
        return 2;
    }
    return mlmc_half_measure(&maker, steps) != 0;
}

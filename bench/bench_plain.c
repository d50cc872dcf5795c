/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Random words and normals on a processor, on as many threads as the device has: loops in C as anyone would
 * write them, and the C library's memset as the limit.
 */
#include "bench_plain.h"

#include <math.h>
#include <string.h>

void plain_part(uint64_t count, unsigned index, unsigned threads, uint64_t *first, uint64_t *end)
{
    const uint64_t lines = (count + 15) / 16;
    *first = lines * index / threads * 16;
    *end = lines * (index + 1) / threads * 16;
    if (*first > count) *first = count;
    if (*end > count) *end = count;
}

struct plain_job {
    uint32_t *words;
    float *singles; /* of normals: one of the two */
    double *doubles;
    uint64_t count, seed;
    int value, polar;
};

/* ---- Philox ---- */

/* Salmon, Moraes, Dror, Shaw, SC11 (2011), section 4.3 and table 2. */
static void philox_block(uint64_t seed, uint64_t block, uint32_t word[4])
{
    uint32_t c0 = (uint32_t)block, c1 = (uint32_t)(block >> 32), c2 = 0, c3 = 0;
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
    for (int round = 0; round < 10; round++) {
        const uint64_t p0 = (uint64_t)c0 * 0xD2511F53u, p1 = (uint64_t)c2 * 0xCD9E8D57u;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    word[0] = c0;
    word[1] = c1;
    word[2] = c2;
    word[3] = c3;
}

static void philox_part(void *user, unsigned index, unsigned threads)
{
    const struct plain_job *job = user;
    uint64_t at, end;
    plain_part(job->count, index, threads, &at, &end);
    for (; at + 4 <= end; at += 4) philox_block(job->seed, at / 4, job->words + at);
    if (at < end) {
        uint32_t last[4];
        philox_block(job->seed, at / 4, last);
        memcpy(job->words + at, last, (size_t)(end - at) * sizeof *last);
    }
}

void plain_philox(struct bench_host *host, uint64_t seed, uint32_t *words, uint64_t count)
{
    struct plain_job job = {.words = words, .count = count, .seed = seed};
    bench_host_run(host, philox_part, &job);
}

/* ---- Normals ---- */

/* Uniform numbers of (0, 1] from a block: four floats, two doubles. */
static int uniforms_f32(uint64_t seed, uint64_t block, float *u)
{
    uint32_t word[4];
    philox_block(seed, block, word);
    for (int i = 0; i < 4; i++) u[i] = (float)((word[i] >> 8) + 1) * 0x1p-24F;
    return 4;
}

static int uniforms_f64(uint64_t seed, uint64_t block, double *u)
{
    uint32_t word[4];
    philox_block(seed, block, word);
    for (int i = 0; i < 2; i++)
        u[i] = (double)(((uint64_t)word[2 * i] << 21 | word[2 * i + 1] >> 11) + 1) * 0x1p-53;
    return 2;
}

/* In both precisions, with the functions of <math.h>: a thread's blocks begin at the number of its first
 * element, and are fewer than its elements. */
#define BOX_MULLER(name, real, uniforms, ROOT, LOG, SIN, COS)                                                \
    static void name(uint64_t seed, real *out, uint64_t at, uint64_t end)                                    \
    {                                                                                                        \
        const real turn = (real)6.283185307179586477;                                                        \
        for (uint64_t block = at; at < end; block++) {                                                       \
            real u[4];                                                                                       \
            const int made = uniforms(seed, block, u);                                                       \
            for (int i = 0; i < made && at < end; i += 2) {                                                  \
                const real radius = ROOT(-2 * LOG(u[i]));                                                    \
                out[at++] = radius * COS(turn * u[i + 1]);                                                   \
                if (at < end) out[at++] = radius * SIN(turn * u[i + 1]);                                     \
            }                                                                                                \
        }                                                                                                    \
    }
BOX_MULLER(box_muller_f32, float, uniforms_f32, sqrtf, logf, sinf, cosf)
BOX_MULLER(box_muller_f64, double, uniforms_f64, sqrt, log, sin, cos)
#undef BOX_MULLER

/* Marsaglia and Bray, SIAM Review 6 (1964). */
#define POLAR(name, real, uniforms, ROOT, LOG)                                                               \
    static void name(uint64_t seed, real *out, uint64_t at, uint64_t end)                                    \
    {                                                                                                        \
        for (uint64_t block = at; at < end; block++) {                                                       \
            real u[4];                                                                                       \
            const int made = uniforms(seed, block, u);                                                       \
            for (int i = 0; i < made && at < end; i += 2) {                                                  \
                const real x = 2 * u[i] - 1, y = 2 * u[i + 1] - 1, s = x * x + y * y;                        \
                if (s > 1 || s <= 0) continue;                                                               \
                const real factor = ROOT(-2 * LOG(s) / s);                                                   \
                out[at++] = factor * x;                                                                      \
                if (at < end) out[at++] = factor * y;                                                        \
            }                                                                                                \
        }                                                                                                    \
    }
POLAR(polar_f32, float, uniforms_f32, sqrtf, logf)
POLAR(polar_f64, double, uniforms_f64, sqrt, log)
#undef POLAR

static void normals_part(void *user, unsigned index, unsigned threads)
{
    const struct plain_job *job = user;
    uint64_t first, end;
    plain_part(job->count, index, threads, &first, &end);
    if (job->doubles)
        (job->polar ? polar_f64 : box_muller_f64)(job->seed, job->doubles, first, end);
    else
        (job->polar ? polar_f32 : box_muller_f32)(job->seed, job->singles, first, end);
}

void plain_normals(struct bench_host *host, int polar, uint64_t seed, size_t element, void *out,
                   uint64_t count)
{
    struct plain_job job = {.count = count, .seed = seed, .polar = polar};
    if (element == sizeof(double))
        job.doubles = out;
    else
        job.singles = out;
    bench_host_run(host, normals_part, &job);
}

/* ---- memset ---- */

static void memset_part(void *user, unsigned index, unsigned threads)
{
    const struct plain_job *job = user;
    uint64_t first, end;
    plain_part(job->count, index, threads, &first, &end);
    memset(job->words + first, job->value, (size_t)(end - first) * sizeof *job->words);
}

void plain_memset(struct bench_host *host, void *memory, int value, uint64_t bytes)
{
    struct plain_job job = {.words = memory, .count = bytes / sizeof *job.words, .value = value};
    bench_host_run(host, memset_part, &job);
}

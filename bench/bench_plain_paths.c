/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A Monte Carlo loop for one deal as anyone would write it in C, on as many threads as the device has:
 * xoshiro256+, Box-Muller, and the C library's functions.
 */
#include "bench_plain.h"

#include <math.h>
#include <pthread.h>

/* Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47 (2021): xoshiro256+,
 * started from SplitMix64. */
struct xoshiro {
    uint64_t s[4];
};

static struct xoshiro xoshiro_start(uint64_t seed)
{
    struct xoshiro g;
    for (int i = 0; i < 4; i++) {
        uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        g.s[i] = z ^ z >> 31;
    }
    return g;
}

static inline uint64_t xoshiro_next(struct xoshiro *g)
{
    const uint64_t result = g->s[0] + g->s[3], t = g->s[1] << 17;
    g->s[2] ^= g->s[0];
    g->s[3] ^= g->s[1];
    g->s[1] ^= g->s[2];
    g->s[0] ^= g->s[3];
    g->s[2] ^= t;
    g->s[3] = g->s[3] << 45 | g->s[3] >> 19;
    return result;
}

/* Uniform numbers of (0, 1]. */
static inline float uniform_f32(struct xoshiro *g)
{
    return (float)((uint32_t)(xoshiro_next(g) >> 40) + 1) * 0x1p-24F;
}
static inline double uniform_f64(struct xoshiro *g)
{
    return (double)((xoshiro_next(g) >> 11) + 1) * 0x1p-53;
}

#define PATHS(name, real, deal_type, uniform, ROOT, LOG, SIN, COS, EXP)                                      \
    static struct plain_sums name(const struct deal_type *deal, uint64_t seed, uint64_t paths)               \
    {                                                                                                        \
        const real turn = (real)6.283185307179586477;                                                        \
        struct xoshiro g = xoshiro_start(seed);                                                              \
        struct plain_sums sums = {0, 0};                                                                     \
        for (uint64_t path = 0; path < paths; path++) {                                                      \
            real z[DEAL_FIXINGS * DEAL_ASSETS], x[DEAL_ASSETS], sum = 0;                                     \
            for (int i = 0; i < DEAL_FIXINGS * DEAL_ASSETS; i += 2) {                                        \
                const real radius = ROOT(-2 * LOG(uniform(&g))), angle = turn * uniform(&g);                 \
                z[i] = radius * COS(angle);                                                                  \
                z[i + 1] = radius * SIN(angle);                                                              \
            }                                                                                                \
            for (int i = 0; i < DEAL_ASSETS; i++) x[i] = deal->start[i];                                     \
            for (int step = 0; step < DEAL_FIXINGS; step++) {                                                \
                const real *factor = deal->factor;                                                           \
                for (int i = 0; i < DEAL_ASSETS; i++) {                                                      \
                    x[i] += deal->drift[i];                                                                  \
                    for (int j = 0; j <= i; j++) x[i] += *factor++ * z[step * DEAL_ASSETS + j];              \
                    sum += EXP(x[i]);                                                                        \
                }                                                                                            \
            }                                                                                                \
            const double value = sum / DEAL_FIXINGS - deal->strike;                                          \
            if (value > 0) {                                                                                 \
                sums.sum += value;                                                                           \
                sums.squares += value * value;                                                               \
            }                                                                                                \
        }                                                                                                    \
        return sums;                                                                                         \
    }
PATHS(paths_f32, float, deal_f32, uniform_f32, sqrtf, logf, sinf, cosf, expf)
PATHS(paths_f64, double, deal_f64, uniform_f64, sqrt, log, sin, cos, exp)
#undef PATHS

struct job {
    uint64_t paths;
    struct plain_sums (*part)(const void *user, unsigned index, uint64_t count);
    const void *user;
    pthread_mutex_t lock;
    struct plain_sums sums;
};

static void thread_part(void *user, unsigned index, unsigned threads)
{
    struct job *job = user;
    const uint64_t first = job->paths * index / threads, end = job->paths * (index + 1) / threads;
    const struct plain_sums sums = job->part(job->user, index, end - first);
    pthread_mutex_lock(&job->lock);
    job->sums.sum += sums.sum;
    job->sums.squares += sums.squares;
    pthread_mutex_unlock(&job->lock);
}

void plain_estimate(struct bench_host *host, uint64_t paths,
                    struct plain_sums (*part)(const void *user, unsigned index, uint64_t count),
                    const void *user, double *mean, double *error)
{
    const double n = (double)paths;
    struct job job = {.paths = paths, .part = part, .user = user};
    pthread_mutex_init(&job.lock, NULL);
    bench_host_run(host, thread_part, &job);
    pthread_mutex_destroy(&job.lock);
    *mean = job.sums.sum / n;
    *error = sqrt((job.sums.squares / n - *mean * *mean) / n);
}

static struct plain_sums part(const void *user, unsigned index, uint64_t count)
{
    const struct plain_basket *b = user;
    return b->is_double ? paths_f64(&b->f64, index + 1, count) : paths_f32(&b->f32, index + 1, count);
}

bailey_status plain_basket_run(void *user)
{
    struct plain_basket *b = user;
    plain_estimate(b->host, b->paths, part, b, &b->mean, &b->error);
    return BAILEY_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What else makes random words and normals on a processor, on as many threads as the device has: loops in C
 * as anyone would write them, the C library's memset as the limit, and the GNU Scientific Library and Intel's
 * MKL where they are.
 */
#include "bench_plain.h"

#include "bench_peers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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
    struct plain_gsl *gsl;
};

static struct plain_job normals_of(size_t element, void *out, uint64_t count)
{
    struct plain_job job = {.count = count};
    if (element == sizeof(double))
        job.doubles = out;
    else
        job.singles = out;
    return job;
}

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
    struct plain_job job = normals_of(element, out, count);
    job.seed = seed;
    job.polar = polar;
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

/* ---- GSL ---- */

/* gsl_rng.h's interface, as its manual gives it: only pointers and two functions are used. */
struct plain_gsl {
    void *library;
    void *(*alloc)(const void *type);
    void (*set)(const void *generator, unsigned long seed);
    unsigned long (*get)(const void *generator);
    unsigned long (*max)(const void *generator);
    void (*release)(void *generator);
    void *(*no_handler)(void); /* errors are returned: the handler that is set ends the program */
    double (*ziggurat)(const void *generator, double deviation);
    void **generator; /* one per thread */
    unsigned threads;
};

static void release_generators(struct plain_gsl *gsl)
{
    for (unsigned i = 0; i < gsl->threads; i++) {
        if (gsl->generator[i]) gsl->release(gsl->generator[i]);
    }
    free(gsl->generator);
    gsl->generator = NULL;
    gsl->threads = 0;
}

struct plain_gsl *plain_gsl_open(char *why, size_t why_size)
{
    static const char *const names[] = {"libgsl.so.28", "libgsl.so.27", "libgsl.so", NULL};
    struct plain_gsl *gsl = calloc(1, sizeof *gsl);
    snprintf(why, why_size, "not enough memory");
    if (!gsl) return NULL;
    const struct dynamic_symbol symbols[] = {
        {"gsl_rng_alloc", (void **)&gsl->alloc},
        {"gsl_rng_set", (void **)&gsl->set},
        {"gsl_rng_get", (void **)&gsl->get},
        {"gsl_rng_max", (void **)&gsl->max},
        {"gsl_rng_free", (void **)&gsl->release},
        {"gsl_ran_gaussian_ziggurat", (void **)&gsl->ziggurat},
        {"gsl_set_error_handler_off", (void **)&gsl->no_handler},
    };
    gsl->library = dynamic_open(names, symbols, sizeof symbols / sizeof *symbols, why, why_size);
    if (gsl->library) {
        gsl->no_handler();
        return gsl;
    }
    free(gsl);
    return NULL;
}

void plain_gsl_close(struct plain_gsl *gsl)
{
    if (!gsl) return;
    release_generators(gsl);
    dynamic_close(gsl->library);
    free(gsl);
}

int plain_gsl_select(struct plain_gsl *gsl, const char *name, unsigned threads)
{
    char symbol[40] = "gsl_rng_";
    strncat(symbol, name, sizeof symbol - strlen(symbol) - 1);
    const void *const *type = dynamic_find(gsl->library, symbol);
    release_generators(gsl);
    gsl->generator = type ? calloc(threads, sizeof *gsl->generator) : NULL;
    if (!gsl->generator) return 0;
    gsl->threads = threads;
    for (unsigned i = 0; i < threads; i++) {
        gsl->generator[i] = gsl->alloc(*type);
        if (!gsl->generator[i]) return 0;
        gsl->set(gsl->generator[i], i + 1);
    }
    return 1;
}

unsigned plain_gsl_bits(const struct plain_gsl *gsl)
{
    unsigned bits = 0;
    for (unsigned long most = gsl->max(gsl->generator[0]); most; most >>= 1) bits++;
    return bits;
}

static void gsl_part(void *user, unsigned index, unsigned threads)
{
    const struct plain_job *job = user;
    const void *generator = job->gsl->generator[index];
    unsigned long (*const get)(const void *) = job->gsl->get;
    uint64_t at, end;
    plain_part(job->count, index, threads, &at, &end);
    for (; at < end; at++) job->words[at] = (uint32_t)get(generator);
}

void plain_gsl_draw(struct plain_gsl *gsl, struct bench_host *host, uint32_t *words, uint64_t count)
{
    struct plain_job job = {.words = words, .count = count, .gsl = gsl};
    bench_host_run(host, gsl_part, &job);
}

static void ziggurat_part(void *user, unsigned index, unsigned threads)
{
    const struct plain_job *job = user;
    const void *generator = job->gsl->generator[index];
    double (*const draw)(const void *, double) = job->gsl->ziggurat;
    uint64_t at, end;
    plain_part(job->count, index, threads, &at, &end);
    for (uint64_t i = at; job->doubles && i < end; i++) job->doubles[i] = draw(generator, 1);
    for (uint64_t i = at; job->singles && i < end; i++) job->singles[i] = (float)draw(generator, 1);
}

void plain_gsl_ziggurat(struct plain_gsl *gsl, struct bench_host *host, size_t element, void *out,
                        uint64_t count)
{
    struct plain_job job = normals_of(element, out, count);
    job.gsl = gsl;
    bench_host_run(host, ziggurat_part, &job);
}

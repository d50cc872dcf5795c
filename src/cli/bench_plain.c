/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "bench_plain.h"

#include "dynamic.h"

#include <stdlib.h>
#include <string.h>

/* Elements [first, end) of thread `index`, in whole cache lines. */
static void part_of(uint64_t count, unsigned index, unsigned threads, uint64_t *first, uint64_t *end)
{
    const uint64_t lines = (count + 15) / 16;
    *first = lines * index / threads * 16;
    *end = lines * (index + 1) / threads * 16;
    if (*first > count) *first = count;
    if (*end > count) *end = count;
}

struct plain_job {
    uint32_t *words;
    uint64_t count, seed;
    int value;
    struct plain_gsl *gsl;
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
    part_of(job->count, index, threads, &at, &end);
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

/* ---- memset ---- */

static void memset_part(void *user, unsigned index, unsigned threads)
{
    const struct plain_job *job = user;
    uint64_t first, end;
    part_of(job->count, index, threads, &first, &end);
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
    void **generator; /* one a thread */
    unsigned threads;
};

const char *const plain_gsl_names[] = {"mt19937", "taus2", "gfsr4", "mrg", "cmrg", "ranlxs0", NULL};

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
    if (!gsl) return NULL;
    const struct dynamic_symbol symbols[] = {
        {"gsl_rng_alloc", (void **)&gsl->alloc},  {"gsl_rng_set", (void **)&gsl->set},
        {"gsl_rng_get", (void **)&gsl->get},      {"gsl_rng_max", (void **)&gsl->max},
        {"gsl_rng_free", (void **)&gsl->release},
    };
    gsl->library = dynamic_open(names, symbols, sizeof symbols / sizeof *symbols, why, why_size);
    if (gsl->library) return gsl;
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
    part_of(job->count, index, threads, &at, &end);
    for (; at < end; at++) job->words[at] = (uint32_t)get(generator);
}

void plain_gsl_draw(struct plain_gsl *gsl, struct bench_host *host, uint32_t *words, uint64_t count)
{
    struct plain_job job = {.words = words, .count = count, .gsl = gsl};
    bench_host_run(host, gsl_part, &job);
}

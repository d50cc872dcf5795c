/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "registers.h"

#include <bailey/advanced.h>
#include <bailey/device/generators.h>
#include <bailey/device/normal.h>
#include <bailey/device/philox.h>
#include <bailey/device/warp_sets.h>

#include <string.h>

uint32_t registers_taps(int published, uint32_t lane)
{
    return bailey_warp_sets[published ? BAILEY_WARP_PUBLISHED : 0][lane];
}

void registers_keys(uint32_t *word)
{
    const bailey_philox_keys keys = bailey_philox_keys_of(REGISTERS_SEED);
    memcpy(word, keys.word, sizeof keys.word);
}

static uint32_t bits(float x)
{
    uint32_t word;
    memcpy(&word, &x, sizeof word);
    return word;
}

/* The words, or the normals made of them, of four consecutive words. */
static uint32_t icdf(const uint32_t *w)
{
    const float *table = bailey_normal_table_data(BAILEY_PRECISION_F32, NULL);
    uint32_t sum = 0;
    for (int i = 0; i < 4; i++) sum ^= bits(bailey_normal_icdf_f32(table, w[i]));
    return sum;
}

static uint32_t box_muller(const uint32_t *w)
{
    const bailey_pair_f32 a = bailey_normal_box_muller_f32(w[0], w[1]),
                          b = bailey_normal_box_muller_f32(w[2], w[3]);
    return bits(a.value[0]) ^ bits(a.value[1]) ^ bits(b.value[0]) ^ bits(b.value[1]);
}

static uint32_t words(const uint32_t *w) { return w[0] ^ w[1] ^ w[2] ^ w[3]; }

static uint32_t philox(int rounds, uint32_t thread, uint64_t count, uint32_t (*of)(const uint32_t *))
{
    uint32_t sum = 0;
    for (uint64_t block = 0; block < count / 4; block++)
        sum ^= of(bailey_philox_words4_rounds(rounds, REGISTERS_SEED, thread, block).word);
    return sum;
}

static uint32_t warp(int published, uint32_t thread, uint64_t count, uint32_t (*of)(const uint32_t *))
{
    bailey_warp_all g =
        bailey_warp_all_start(published ? BAILEY_WARP_ADD_TAG : BAILEY_WARP_TAG, REGISTERS_SEED, 0,
                              thread / 32, bailey_warp_sets[published ? BAILEY_WARP_PUBLISHED : 0]);
    uint32_t sum = 0, four[4];
    for (uint64_t i = 0; i < count; i++) {
        uint32_t out[32];
        if (published)
            bailey_warp_all_next(BAILEY_WARP_ADD, BAILEY_WARP_ZA_PUBLISHED, &g, out);
        else
            bailey_warp_all_next(BAILEY_WARP_WIDE, BAILEY_WARP_ZA, &g, out);
        four[i % 4] = out[thread % 32];
        if (i % 4 == 3) sum ^= of(four);
    }
    return sum;
}

/* All lanes of run `thread`. */
static uint32_t warp_own(uint32_t thread, uint64_t count)
{
    bailey_warp_all g =
        bailey_warp_all_start(BAILEY_WARP_TAG, REGISTERS_SEED, 0, thread, bailey_warp_sets[0]);
    uint32_t sum = 0;
    for (uint64_t step = 0; step < count / 32; step++) {
        uint32_t out[32];
        bailey_warp_all_next(BAILEY_WARP_WIDE, BAILEY_WARP_ZA, &g, out);
        for (int i = 0; i < 32; i++) sum ^= out[i];
    }
    return sum;
}

/* 32 threads share a generator: thread l has words l, l + 32, ... */
static uint32_t mt19937(uint32_t thread, uint64_t count)
{
    uint32_t s[BAILEY_MT19937_WORDS], sum = 0;
    for (uint32_t i = 0; i < BAILEY_MT19937_WORDS; i++)
        s[i] = bailey_run_hash(BAILEY_MT19937_TAG, REGISTERS_SEED, 0, thread / 32, i / 4).word[i % 4];
    for (uint64_t i = 0; i < count * 32; i++) {
        const uint32_t n = (uint32_t)(i % BAILEY_MT19937_WORDS);
        s[n] = bailey_mt19937_twist(s[n], s[(n + 1) % BAILEY_MT19937_WORDS],
                                    s[(n + BAILEY_MT19937_DISTANCE) % BAILEY_MT19937_WORDS]);
        if (i % 32 == thread % 32) sum ^= bailey_mt19937_temper(s[n]);
    }
    return sum;
}

static uint32_t team_warp(uint32_t thread, uint64_t count) { return warp(0, thread, count, words); }
static uint32_t team_warp_add(uint32_t thread, uint64_t count) { return warp(1, thread, count, words); }
static uint32_t team_mt19937(uint32_t thread, uint64_t count) { return mt19937(thread, count); }

/* A function of each generator, by its kind. */
#define GENERATOR_COUNTER(word)                                                                              \
    static uint32_t generator_##word(uint32_t thread, uint64_t count)                                        \
    {                                                                                                        \
        return philox(BENCH_ROUNDS_##word, thread, count, words);                                            \
    }
#define GENERATOR_LANES(word)                                                                                \
    static uint32_t generator_##word(uint32_t thread, uint64_t count)                                        \
    {                                                                                                        \
        bailey_##word g = bailey_##word##_start(REGISTERS_SEED, 0, thread / 32, thread % 32);                \
        uint32_t sum = 0;                                                                                    \
        for (uint64_t i = 0; i < count; i++) sum ^= bailey_##word##_next(&g);                                \
        return sum;                                                                                          \
    }
#define GENERATOR_TEAM(word)                                                                                 \
    static uint32_t generator_##word(uint32_t thread, uint64_t count) { return team_##word(thread, count); }
#define GENERATOR(number, name, word, kind, published, text, verdict, period) GENERATOR_##kind(word)
BAILEY_GENERATOR_LIST(GENERATOR)

uint32_t registers_check(registers_subject subject, uint32_t thread, uint32_t turns, const uint32_t *state)
{
    const uint64_t count = (uint64_t)turns * REGISTERS_WORDS;
    uint32_t sum = 0;
    switch (subject) {
#define CASE(number, name, word, kind, published, text, verdict, period)                                     \
    case number: return generator_##word(thread, count);
        BAILEY_GENERATOR_LIST(CASE)
    case REGISTERS_PHILOX_ICDF: return philox(10, thread, count, icdf);
    case REGISTERS_PHILOX_BOX_MULLER: return philox(10, thread, count, box_muller);
    case REGISTERS_WARP_OWN: return warp_own(thread, count);
    case REGISTERS_WARP_ICDF: return warp(0, thread, count, icdf);
    case REGISTERS_WARP_BOX_MULLER: return warp(0, thread, count, box_muller);
    case REGISTERS_CURAND_XORWOW: {
        bailey_xorwow g;
        for (int i = 0; i < 5; i++) g.value[i] = state[i];
        g.d = state[5];
        for (uint64_t i = 0; i < count; i++) sum ^= bailey_xorwow_next(&g);
        return sum;
    }
    case REGISTERS_CURAND_MRG32K3A: {
        bailey_mrg32k3a g;
        for (int i = 0; i < 3; i++) g.s1[i] = state[i], g.s2[i] = state[3 + i];
        for (uint64_t i = 0; i < count; i++) sum ^= bailey_mrg32k3a_next_curand(&g);
        return sum;
    }
    }
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Paths in loops that compilers make vectors of: samples of levels of five options (spot and strike 100, rate
 * 0.05, volatility 0.2, time 1, barrier 85; 2^level Milstein steps), and the basket of bench_simulate.c.
 *
 * Paths go through each step side by side, a block that the first-level cache holds, and every loop over
 * them is one that a compiler makes vectors of, with the vector functions of glibc. CMakeLists.txt has the
 * options: those that anyone gives such code, -O3 -ffast-math.
 *
 * Words are those of xoshiro256+, the fastest, of which single precision takes 24 bits, so that no normal is
 * beyond 5.77; or of ten rounds of Philox, all 32 bits of them, as the library takes them.
 */
#include "bench_plain.h"

#include <string.h>

/* What -march=native would give, in a program for all processors. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && __GNUC__ >= 12
#define VECTORS __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define VECTORS
#endif
#define INLINE static inline __attribute__((always_inline))

#define BLOCK 256
#define CHUNK 16 /* blocks are padded to multiples of it: whole lanes of words */

#define SPOT 100
#define STRIKE 100
#define BARRIER 85
#define RATE 0.05
#define VOLATILITY 0.2

/* ---- Numbers ---- */

/* Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47 (2021): xoshiro256+,
 * started from SplitMix64. */
void plain_source_start(struct plain_source *source, uint64_t seed, int is_philox)
{
    seed *= UINT64_C(0xd1342543de82ef95); /* far apart, where seeds are neighbours */
    for (int i = 0; i < 4 * PLAIN_LANES; i++) {
        uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        source->s[i / PLAIN_LANES][i % PLAIN_LANES] = z ^ z >> 31;
    }
    source->is_philox = is_philox;
    source->block = 0;
}

typedef uint64_t lanes __attribute__((vector_size(8 * PLAIN_LANES), may_alias));

/* `words` are aligned as lanes are, `bytes` whole lanes. */
VECTORS static void fill_xoshiro(struct plain_source *source, void *words, int bytes)
{
    lanes s0, s1, s2, s3, *out = words;
    memcpy(&s0, source->s[0], sizeof s0);
    memcpy(&s1, source->s[1], sizeof s1);
    memcpy(&s2, source->s[2], sizeof s2);
    memcpy(&s3, source->s[3], sizeof s3);
    for (int i = 0; i < bytes / (int)sizeof *out; i++) {
        const lanes t = s1 << 17;
        out[i] = s0 + s3;
        s2 ^= s0;
        s3 ^= s1;
        s1 ^= s2;
        s0 ^= s3;
        s2 ^= t;
        s3 = s3 << 45 | s3 >> 19;
    }
    memcpy(source->s[0], &s0, sizeof s0);
    memcpy(source->s[1], &s1, sizeof s1);
    memcpy(source->s[2], &s2, sizeof s2);
    memcpy(source->s[3], &s3, sizeof s3);
}

/* Ten rounds; blocks of four words side by side, by the first 64 bits of the state as key. */
VECTORS static void fill_philox(struct plain_source *source, uint32_t *restrict words, int count)
{
    const uint32_t k0 = (uint32_t)source->s[0][0], k1 = (uint32_t)(source->s[0][0] >> 32);
    const int blocks = count / 4;
    for (int i = 0; i < blocks; i++) {
        const uint64_t block = source->block + (uint64_t)i;
        uint32_t c0 = (uint32_t)block, c1 = (uint32_t)(block >> 32), c2 = 0, c3 = 0;
        for (uint32_t round = 0; round < 10; round++) {
            const uint64_t p0 = (uint64_t)c0 * 0xD2511F53u, p1 = (uint64_t)c2 * 0xCD9E8D57u;
            c0 = (uint32_t)(p1 >> 32) ^ c1 ^ (k0 + round * 0x9E3779B9u);
            c2 = (uint32_t)(p0 >> 32) ^ c3 ^ (k1 + round * 0xBB67AE85u);
            c1 = (uint32_t)p1;
            c3 = (uint32_t)p0;
        }
        words[i] = c0;
        words[blocks + i] = c1;
        words[2 * blocks + i] = c2;
        words[3 * blocks + i] = c3;
    }
    source->block += (uint64_t)blocks;
}

static void fill_words(struct plain_source *source, void *words, int bytes)
{
    if (source->is_philox)
        fill_philox(source, words, bytes / 4);
    else
        fill_xoshiro(source, words, bytes);
}

/* Uniform numbers of (0, 1], in single precision of either half of a word of xoshiro256+. */
INLINE float uniform_f32(uint32_t word, int is_philox)
{
    return is_philox ? (float)word * 0x1p-32F + 0x1p-33F : (float)((int32_t)(word >> 8) + 1) * 0x1p-24F;
}

INLINE double uniform_f64(uint64_t word, int is_philox)
{
    (void)is_philox;
    union {
        uint64_t bits;
        double value;
    } one_to_two = {.bits = UINT64_C(0x3ff) << 52 | word >> 12};
    return 2 - one_to_two.value;
}

#define real float
#define word uint32_t
#define NAME(name) name##_f32
#include "bench_plain_blocks_real.h"
#undef real
#undef word
#undef NAME

#define real double
#define word uint64_t
#define NAME(name) name##_f64
#include "bench_plain_blocks_real.h"

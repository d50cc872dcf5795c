/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Samples of mlmc_half_cpu.c, compiled for AVX-512, and once more for AVX-512 FP16: then with paths of half
 * precision, 32 in a vector. 64 samples side by side.
 */
#define BAILEY_LANES 16

#include "mlmc_half_simd_entry.h"

#include <bailey/advanced.h>
#include <bailey/device/approximate.h>
#include <bailey/device/normal.h>
#include <bailey/device/philox.h>

#define SAMPLES 64
#define PATH_BITS 38

struct tables {
    const float *exact, *approximate;
    bailey_philox_keys keys;
};
struct words {
    bailey_u32 v[4];
};
struct sums {
    bailey_f64 y, yy;
};

static inline struct words words_of(const struct tables *t, int level, uint64_t row, uint64_t first)
{
    const bailey_u64 block = bailey_splat_u64((row << PATH_BITS | first) >> 2) + bailey_lane_numbers();
    const bailey_philox_block b = bailey_philox_words4_keyed(10, t->keys, (uint64_t)level, block);
    return (struct words){{b.word[0], b.word[1], b.word[2], b.word[3]}};
}

static inline bailey_f32 normal_of(const struct tables *t, int kind, bailey_u32 word)
{
    return kind ? bailey_normal_approximate_f32(kind, t->approximate, word)
                : bailey_normal_icdf_f32(t->exact, word);
}

static inline bailey_f32 paid(bailey_f32 end)
{
    const bailey_f32 zero = bailey_splat_f32(0), spot = bailey_splat_f32((float)MLMC_HALF_SPOT),
                     less = bailey_splat_f32((float)(MLMC_HALF_SPOT - MLMC_HALF_STRIKE));
    const bailey_f32 x = bailey_fma_f32(spot, end, less);
    return bailey_select_f32(bailey_lt_f32(zero, x), x, zero);
}

static inline void add_up(struct sums *sums, const bailey_f32 y[4])
{
    for (int j = 0; j < 4; j++) {
        const bailey_f64 wide = bailey_f64_from_f32(y[j]);
        sums->y += wide;
        sums->yy = bailey_fma_f64(wide, wide, sums->yy);
    }
}

/* ---- Single precision -------------------------------------------------------------------------- */

struct two_f32 {
    bailey_f32 v[2];
};
static inline struct two_f32 single_of(bailey_f32 a, bailey_f32 b) { return (struct two_f32){{a, b}}; }
static inline struct two_f32 single_fma(struct two_f32 a, struct two_f32 b, struct two_f32 c)
{
    return single_of(bailey_fma_f32(a.v[0], b.v[0], c.v[0]), bailey_fma_f32(a.v[1], b.v[1], c.v[1]));
}

#define REAL(name) single_##name
#define TWO struct two_f32
#define OF(a, b) single_of(a, b)
#define ADD(a, b) single_of((a).v[0] + (b).v[0], (a).v[1] + (b).v[1])
#define MUL(a, b) single_of((a).v[0] * (b).v[0], (a).v[1] * (b).v[1])
#define FMA(a, b, c) single_fma(a, b, c)
#define FLOATS(x, i) (x).v[i]
#define APART 0
#include "mlmc_half_simd.h"

/* ---- Half precision ---------------------------------------------------------------------------- */

#if defined(__AVX512FP16__)
#include <immintrin.h>

static inline __m512h half_of(bailey_f32 a, bailey_f32 b)
{
    const __m256h low = _mm512_cvtxps_ph((__m512)a), high = _mm512_cvtxps_ph((__m512)b);
    return _mm512_castsi512_ph(
        _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_castph_si256(low)), _mm256_castph_si256(high), 1));
}
static inline bailey_f32 half_floats(__m512h x, int i)
{
    const __m512i bits = _mm512_castph_si512(x);
    return (bailey_f32)_mm512_cvtxph_ps(
        _mm256_castsi256_ph(i ? _mm512_extracti64x4_epi64(bits, 1) : _mm512_castsi512_si256(bits)));
}

#define REAL(name) half_##name
#define TWO __m512h
#define OF(a, b) half_of(a, b)
#define ADD(a, b) _mm512_add_ph(a, b)
#define MUL(a, b) _mm512_mul_ph(a, b)
#define FMA(a, b, c) _mm512_fmadd_ph(a, b, c)
#define FLOATS(x, i) half_floats(x, i)
#define APART 1
#include "mlmc_half_simd.h"
#endif

/* ---- Entries ----------------------------------------------------------------------------------- */

static struct tables tables_of_library(void)
{
    return (struct tables){.exact = bailey_normal_table_data(BAILEY_PRECISION_F32, NULL),
                           .approximate = bailey_approximate_table_data(NULL),
                           .keys = bailey_philox_keys_of(MLMC_HALF_SEED)};
}

/* Kinds of normals as constants. */
#define OF_KIND(name, ...)                                                                                   \
    switch (v->normals) {                                                                                    \
    case BAILEY_APPROXIMATE_CONSTANT: name(&t, BAILEY_APPROXIMATE_CONSTANT, __VA_ARGS__); break;             \
    case BAILEY_APPROXIMATE_DYADIC: name(&t, BAILEY_APPROXIMATE_DYADIC, __VA_ARGS__); break;                 \
    default: name(&t, 0, __VA_ARGS__); break;                                                                \
    }
#if defined(__AVX512FP16__)
#define OF_FORMAT(name, ...)                                                                                 \
    if (v->format == MLMC_HALF_HALF) {                                                                       \
        OF_KIND(half_##name, MLMC_HALF_HALF, __VA_ARGS__)                                                    \
    } else {                                                                                                 \
        OF_KIND(single_##name, MLMC_HALF_SINGLE, __VA_ARGS__)                                                \
    }
#else
#define OF_FORMAT(name, ...) OF_KIND(single_##name, MLMC_HALF_SINGLE, __VA_ARGS__)
#endif

void MLMC_HALF_SIMD(sum)(const struct mlmc_half_variant *v, enum mlmc_half_form form, int level,
                         uint64_t samples, struct mlmc_half_sums *out)
{
    const struct tables t = tables_of_library();
    struct sums sums = {bailey_splat_f64(0), bailey_splat_f64(0)};
    OF_FORMAT(sum, form, level, samples, &sums)
    out->y = out->yy = 0;
    for (int i = 0; i < BAILEY_LANES; i++) out->y += sums.y[i], out->yy += sums.yy[i];
}

void MLMC_HALF_SIMD(ends)(const struct mlmc_half_variant *v, enum mlmc_half_form form, int level,
                          uint64_t samples, float *first, float *second)
{
    const struct tables t = tables_of_library();
    OF_FORMAT(ends, form, level, samples, first, second)
}

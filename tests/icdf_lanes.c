/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The form ICDF_FORM of icdf_lanes.h, for BAILEY_LANES lanes.
 */
#include "icdf_lanes.h"

#include <bailey/device/icdf_table.h>
#include <bailey/device/philox.h>

#define OVER_ARRAY(name, function, table_type, word, input, output, value)                                   \
    static void name(const table_type *table, const word *w, value *x, size_t count)                         \
    {                                                                                                        \
        for (size_t i = 0; i < count; i += BAILEY_LANES) {                                                   \
            input a;                                                                                         \
            memcpy(&a, w + i, sizeof a);                                                                     \
            const output b = function(table, a);                                                             \
            memcpy(x + i, &b, sizeof b);                                                                     \
        }                                                                                                    \
    }
OVER_ARRAY(all_f32, bailey_normal_icdf_f32, float, uint32_t, bailey_u32, bailey_f32, float)
OVER_ARRAY(all_f32_from_u64, bailey_normal_icdf_f32_from_u64, float, uint64_t, bailey_u64, bailey_f32, float)
OVER_ARRAY(all_f64, bailey_normal_icdf_f64, double, uint64_t, bailey_u64, bailey_f64, double)
OVER_ARRAY(all_f64_from_u32, bailey_normal_icdf_f64_from_u32, double, uint32_t, bailey_u32, bailey_f64,
           double)

#if defined(BAILEY_ICDF_FINDS_F64)
static void all_f64_many(const double *table, const uint64_t *w, double *x, size_t count)
{
    bailey_normals_icdf_f64(table, w, 1, x, count);
}
static void all_f64_many_from_u32(const double *table, const uint32_t *w, double *x, size_t count)
{
    bailey_normals_icdf_f64(table, w, 0, x, count);
}
#else
#define all_f64_many NULL
#define all_f64_many_from_u32 NULL
#endif

/* A lane's block number i becomes row i of w. */
static void put_blocks(uint32_t *w, bailey_philox_block b)
{
    for (unsigned j = 0; j < 4; j++) {
        uint32_t word[BAILEY_LANES];
        memcpy(word, &b.word[j], sizeof word);
        for (unsigned lane = 0; lane < BAILEY_LANES; lane++) w[4 * lane + j] = word[lane];
    }
}

static void words(int rounds, uint64_t seed, uint64_t stream, uint64_t first, uint32_t *w, size_t count)
{
    const bailey_philox_keys keys = bailey_philox_keys_of(seed);
    for (size_t i = 0; i < count; i += BAILEY_LANES)
        put_blocks(w + 4 * i, bailey_philox_words4_either(
                                  rounds, keys, stream, bailey_splat_u64(first + i) + bailey_lane_numbers()));
}

static void words_by_two(int rounds, uint64_t seed, uint64_t stream, uint64_t first, uint32_t *w,
                         size_t count)
{
    const bailey_philox_keys keys = bailey_philox_keys_of(seed);
    for (size_t i = 0; i < count; i += 2 * BAILEY_LANES) {
        bailey_philox_block b[2];
        for (size_t j = 0; j < 2; j++)
            b[j] = bailey_philox_counters(stream, bailey_splat_u64(first + i + j * BAILEY_LANES) +
                                                      bailey_lane_numbers());
        bailey_philox_run(2, rounds, 0, b, keys);
        put_blocks(w + 4 * i, b[0]);
        put_blocks(w + 4 * (i + BAILEY_LANES), b[1]);
    }
}

static void elements(int rounds, uint64_t seed, uint64_t stream, uint64_t first, uint32_t *w, size_t count)
{
    const bailey_philox_keys keys = bailey_philox_keys_of(seed);
    for (size_t i = 0; i < count; i += BAILEY_LANES) {
        const bailey_pack_u64 u = bailey_zip_u64(bailey_philox_elements2_either(
            rounds, keys, stream, bailey_splat_u64(first + i) + bailey_lane_numbers()));
        memcpy(w + 4 * i, &u, sizeof u); /* low halves first, here */
    }
}

static int usable(void)
{
#if defined(__AVX512F__)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#elif defined(__AVX2__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return 1;
#endif
}

#define NAME_OF(form) #form
#define QUOTED(form) NAME_OF(form)
extern const struct icdf_lanes ICDF_FORM;
const struct icdf_lanes ICDF_FORM = {
    QUOTED(ICDF_FORM),     usable, all_f32,      all_f32_from_u64, all_f64, all_f64_from_u32, all_f64_many,
    all_f64_many_from_u32, words,  words_by_two, elements};

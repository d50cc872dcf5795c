/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Integers below n: against products by hand, their golden values on every device, frequencies, limits.
 * Permutations: against plain C, every number once, all orders equally likely, limits.
 */
#include "harness.h"

#include <bailey/device/permutation.h>
#include <bailey/integers.h>

#include <math.h>

/* floor((last + 1) w / 2^(32 limbs)) of w, limbs of 32 bits with the lowest first, by hand. */
static uint64_t expected_of(const uint32_t *w, int limbs, uint64_t last)
{
    uint32_t product[6] = {0};
    for (int i = 0; i < limbs; i++) product[i] = w[i];
    for (int j = 0; j < 2; j++) {
        uint64_t carry = 0;
        for (int i = 0; i < limbs; i++) {
            const uint64_t sum = (uint64_t)(uint32_t)(last >> 32 * j) * w[i] + product[i + j] + carry;
            product[i + j] = (uint32_t)sum;
            carry = sum >> 32;
        }
        for (int i = limbs + j; carry && i < 6; i++) {
            const uint64_t sum = product[i] + carry;
            product[i] = (uint32_t)sum;
            carry = sum >> 32;
        }
    }
    return product[limbs] | (uint64_t)product[limbs + 1] << 32;
}

static const bailey_source sources[] = {{.seed = 7, .stream = 3},
                                        {.seed = 7, .generator = BAILEY_GENERATOR_PHILOX7},
                                        {.seed = 7, .generator = BAILEY_GENERATOR_WARP}};
enum { SOURCES = sizeof sources / sizeof *sources, COUNT = 3001, FIRST = 8189 };

TEST(bits, DEVICE | LONG_ON_OPENCL)
{
    static const uint64_t below[] = {1, 6, UINT32_MAX, UINT64_C(1) << 32, 0, UINT64_C(10000000000000000001)};
    for (int wide = 0; wide <= (device.has_f64 ? 1 : 0); wide++)
        for (int s = 0; s < SOURCES; s++) {
            const size_t element = wide ? 8 : 4, words = wide ? 4 : 2;
            bailey_buffer *buffer = poisoned(COUNT * words * sizeof(uint32_t));
            OK(bailey_words_generate(context, &sources[s], FIRST * words, COUNT * words, buffer, 0));
            uint32_t *w = harvest(buffer, COUNT * words * sizeof(uint32_t));
            for (int n = 0; n < (wide ? 6 : 5); n++) {
                const uint64_t least = wide ? UINT64_MAX - 4 : UINT32_MAX - 4;
                buffer = poisoned((COUNT + 3) * element);
                OK(bailey_integers_generate(context, &sources[s], wide ? 64 : 32, least, below[n], FIRST,
                                            COUNT, buffer, 3));
                char *x = harvest(buffer, (COUNT + 3) * element);
                const uint64_t last = (below[n] - 1) & (wide ? UINT64_MAX : UINT32_MAX);
                for (int i = 0; i < COUNT; i++) {
                    const uint64_t expected = expected_of(w + (size_t)i * words, (int)words, last) + least;
                    const uint64_t found =
                        wide ? ((uint64_t *)(void *)x)[i + 3] : ((uint32_t *)(void *)x)[i + 3];
                    if (found != (wide ? expected : (uint32_t)expected))
                        fail_msg("source %d, wide %d, below %llu: %d", s, wide, (unsigned long long)below[n],
                                 i);
                }
                free(x);
            }
            free(w);
        }
}

/* A hash of FNV-1a (Fowler, Noll, Vo 1991), from this library's first version of these integers. */
static uint64_t hash_of(const void *bytes, size_t count)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < count; i++) hash = (hash ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

TEST(golden, DEVICE | LONG_ON_OPENCL)
{
    for (int wide = 0; wide <= (device.has_f64 ? 1 : 0); wide++) {
        const size_t bytes = COUNT * (wide ? 8 : 4);
        bailey_buffer *buffer = poisoned(bytes);
        OK(bailey_integers_generate(context, &sources[0], wide ? 64 : 32, 0, 1000000007, FIRST, COUNT, buffer,
                                    0));
        void *x = harvest(buffer, bytes);
        const uint64_t expected = wide ? UINT64_C(0xc6b21a4410099385) : UINT64_C(0x00834f0d04f85578);
        if (hash_of(x, bytes) != expected)
            fail_msg("wide %d: 0x%llx", wide, (unsigned long long)hash_of(x, bytes));
        free(x);
    }
}

/* Chi-square with 9,999 degrees of freedom, within 4 standard deviations. */
TEST(even, ON_CPU)
{
    enum { N = 10000, ALL = 1000000 };
    static uint32_t x[ALL];
    static double count[N];
    double sum = 0;
    bailey_buffer *buffer = NULL;
    OK(bailey_buffer_adopt_host(context, x, sizeof x, &buffer));
    OK(bailey_integers_generate(context, &sources[0], 32, 0, N, 0, ALL, buffer, 0));
    bailey_buffer_destroy(buffer);
    for (int i = 0; i < ALL; i++) count[x[i]]++;
    for (int k = 0; k < N; k++) sum += (count[k] - (double)ALL / N) * (count[k] - (double)ALL / N) * N / ALL;
    if (fabs(sum - (N - 1)) > 4 * sqrt(2.0 * (N - 1))) fail_msg("chi-square is %g", sum);
}

TEST(refused, ON_CPU)
{
    const bailey_source sobol = {.generator = BAILEY_GENERATOR_SOBOL};
    const uint64_t last = UINT64_C(1) << 62;
    bailey_buffer *buffer = poisoned(16);
#define REFUSED(argument, source, bits, below, first, count)                                                 \
    assert_int_equal(bailey_integers_generate(context, source, bits, 0, below, first, count, buffer, 0),     \
                     BAILEY_ERROR_INVALID);                                                                  \
    assert_string_equal(bailey_error_argument(), argument)
    REFUSED("bits", sources, 16, 6, 0, 1);
    REFUSED("below", sources, 32, (UINT64_C(1) << 32) + 1, 0, 1);
    REFUSED("generator", &sobol, 32, 6, 0, 1);
    REFUSED("count", sources, 32, 6, 0, 0);
    REFUSED("first", sources, 64, 6, last - 1, 2);
    REFUSED("first", sources, 32, 6, 2 * last - 1, 2);
    REFUSED("out", sources, 64, 6, 0, 100);
    OK(bailey_integers_generate(context, sources, 64, 0, 6, last - 2, 2, buffer, 0));
    OK(bailey_integers_generate(context, sources, 32, 0, 6, 2 * last - 2, 2, buffer, 0));
    free(harvest(buffer, 16));
}

/* ---- Permutations ---- */

TEST(permuted, DEVICE)
{
    static const uint64_t below[] = {
        1, 2, 3, 5, 8, 100, 1024, 4097, 1000003, UINT64_C(1) << 32, UINT64_C(123456789012345)};
    for (int n = 0; n < (int)(sizeof below / sizeof *below); n++) {
        const int wide = below[n] > UINT64_C(1) << 32;
        if (wide && !device.has_f64) continue;
        const uint64_t count = below[n] < COUNT ? below[n] : COUNT, first = below[n] - count;
        const bailey_permutation p = bailey_permutation_of(7, 3, below[n]);
        const size_t element = wide ? 8 : 4;
        bailey_buffer *buffer = poisoned((count + 3) * element);
        OK(bailey_permutation_generate(context, &sources[0], wide ? 64 : 32, below[n], first, count, buffer,
                                       3));
        char *x = harvest(buffer, (count + 3) * element);
        for (uint64_t i = 0; i < count; i++) {
            const uint64_t found = wide ? ((uint64_t *)(void *)x)[i + 3] : ((uint32_t *)(void *)x)[i + 3];
            if (found != bailey_permuted_u64(&p, first + i) || found >= below[n])
                fail_msg("below %llu: element %llu", (unsigned long long)below[n], (unsigned long long)i);
        }
        free(x);
    }
}

TEST(permuted_golden, DEVICE)
{
    bailey_buffer *buffer = poisoned(COUNT * sizeof(uint32_t));
    OK(bailey_permutation_generate(context, &sources[0], 32, 1000003, FIRST, COUNT, buffer, 0));
    void *x = harvest(buffer, COUNT * sizeof(uint32_t));
    const uint64_t hash = hash_of(x, COUNT * sizeof(uint32_t));
    if (hash != UINT64_C(0x15aeffe6cb9966fd)) fail_msg("0x%llx", (unsigned long long)hash);
    free(x);
}

/* Every number once. */
TEST(once, ON_CPU)
{
    enum { MOST = 5000 };
    uint8_t seen[MOST];
    for (uint32_t n = 1; n <= MOST; n += n < 70 ? 1 : 411) {
        const bailey_permutation p = bailey_permutation_of(n, 1, n);
        memset(seen, 0, sizeof seen);
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t k = bailey_permuted_u32(&p, i);
            if (k >= n || seen[k]++) fail_msg("%u: element %u is %u", n, i, k);
        }
    }
}

/* The number of a permutation of n numbers, from 0 to n! - 1: its Lehmer code. */
static uint32_t rank_of(const bailey_permutation *p, uint32_t n)
{
    uint32_t rank = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t below = 0;
        for (uint32_t j = i + 1; j < n; j++) below += bailey_permuted_u32(p, j) < bailey_permuted_u32(p, i);
        rank = rank * (n - i) + below;
    }
    return rank;
}

/* All permutations of 3, 4 and 5 numbers are equally likely over streams: chi-square within four times its
 * error. A longer run with 14,400,000 permutations of 6 numbers gave 793 for 719 degrees of freedom. */
TEST(uniform, ON_CPU)
{
    static const uint32_t all[] = {6, 24, 120};
    for (uint32_t n = 3; n <= 5; n++) {
        double count[120] = {0}, sum = 0;
        const uint32_t orders = all[n - 3], runs = 300 * orders;
        for (uint32_t s = 0; s < runs; s++) {
            const bailey_permutation p = bailey_permutation_of(1, s, n);
            count[rank_of(&p, n)]++;
        }
        for (uint32_t k = 0; k < orders; k++) sum += (count[k] - 300) * (count[k] - 300) / 300;
        if (fabs(sum - (orders - 1)) > 4 * sqrt(2.0 * (orders - 1))) fail_msg("%u: chi-square is %g", n, sum);
    }
}

/* A large permutation: where every 64th number goes, how often an element is above the one before (Eulerian
 * numbers, with the variance N / 12), fixed points (1 on average). */
TEST(large, ON_CPU)
{
    enum { N = 1 << 20, CELLS = 64 };
    static double count[CELLS][CELLS];
    const bailey_permutation p = bailey_permutation_of(3, 0, N);
    double sum = 0, rises = 0, fixed = 0;
    uint32_t before = 0;
    for (uint32_t i = 0; i < N; i++) {
        const uint32_t k = bailey_permuted_u32(&p, i);
        count[i % CELLS][k / (N / CELLS)]++;
        rises += i > 0 && k > before;
        fixed += k == i;
        before = k;
    }
    const double expected = (double)N / CELLS / CELLS, freedom = (CELLS - 1) * (CELLS - 1);
    for (int i = 0; i < CELLS; i++)
        for (int j = 0; j < CELLS; j++) sum += (count[i][j] - expected) * (count[i][j] - expected) / expected;
    if (fabs(sum - freedom) > 4 * sqrt(2 * freedom)) fail_msg("chi-square is %g", sum);
    if (fabs(rises - N / 2.0) > 4 * sqrt(N / 12.0)) fail_msg("%g rises", rises);
    if (fixed > 6) fail_msg("%g fixed points", fixed);
}

TEST(permutation_refused, ON_CPU)
{
    const bailey_source warp = {.generator = BAILEY_GENERATOR_WARP};
    bailey_buffer *buffer = poisoned(16);
#define REFUSED_PERMUTATION(argument, source, bits, below, first, count)                                     \
    assert_int_equal(bailey_permutation_generate(context, source, bits, below, first, count, buffer, 0),     \
                     BAILEY_ERROR_INVALID);                                                                  \
    assert_string_equal(bailey_error_argument(), argument)
    REFUSED_PERMUTATION("bits", sources, 8, 6, 0, 1);
    REFUSED_PERMUTATION("below", sources, 32, (UINT64_C(1) << 32) + 1, 0, 1);
    REFUSED_PERMUTATION("below", sources, 64, BAILEY_PERMUTATION_MAX + 1, 0, 1);
    REFUSED_PERMUTATION("below", sources, 32, 0, 0, 1);
    REFUSED_PERMUTATION("generator", &warp, 32, 6, 0, 1);
    REFUSED_PERMUTATION("count", sources, 32, 6, 0, 0);
    REFUSED_PERMUTATION("first", sources, 32, 6, 5, 2);
    REFUSED_PERMUTATION("first", sources, 32, 6, UINT64_MAX, 2);
    REFUSED_PERMUTATION("out", sources, 64, 600, 0, 100);
    free(harvest(buffer, 16));
}

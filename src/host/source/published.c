/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The states of published sequences at any position. Jumps are exact: powers of the steps, as polynomials or
 * matrices over GF(2), as 3 x 3 matrices modulo the moduli of MRG32k3a, as powers modulo a number, as affine
 * maps modulo 2^32.
 */
#include "source.h"

#include <base/alloc.h>
#include <base/status.h>

#include <string.h>

/* The meaning of cuRAND's seeds and streams is taken from curand_kernel.h of CUDA 13.0: its salts, its
 * multipliers, and that a stream is 2^67 (XORWOW) or 2^76 (MRG32k3a) words away from the next. */
#define XORWOW_STREAM 67
#define MRG32K3A_STREAM 76
#define MRG32K3A_STREAMS (UINT64_C(1) << 51) /* 2^127 words: the header's own limit */

/* ---- XORWOW (Marsaglia 2003) ------------------------------------------------------------------ */

#define XORWOW_WEYL 362437u

static void xorwow_step(uint32_t v[5])
{
    const uint32_t t = v[0] ^ v[0] >> 2;
    memmove(v, v + 1, 4 * sizeof *v);
    v[4] = v[3] ^ v[3] << 4 ^ t ^ t << 1;
}

/* The characteristic polynomial of that step (degree 160, by Berlekamp-Massey from 400 bits; the tests check
 * it) times x^32. */
static const uint64_t xorwow_modulus[3] = {UINT64_C(0x0006000100000000), UINT64_C(0x0006212108610030),
                                           UINT64_C(0x00000f0e0f3c0035)};

#define XORWOW_NIBBLES 40

struct xorwow_leap {
    uint64_t polynomial[3];
    uint32_t weyl;
    int tabled;
    uint32_t table[XORWOW_NIBBLES][16][5]; /* what each nibble of v becomes */
};

static void xorwow_combine(const uint64_t polynomial[3], uint32_t v[5])
{
    uint32_t sum[5] = {0};
    for (unsigned k = 0; k < 192; k++) {
        const uint32_t mask = 0 - (uint32_t)(polynomial[k / 64] >> k % 64 & 1);
        for (unsigned i = 0; i < 5; i++) sum[i] ^= v[i] & mask;
        xorwow_step(v);
    }
    memcpy(v, sum, sizeof sum);
}

static void xorwow_prepare(struct xorwow_leap *leap, const uint64_t n[3], int many)
{
    uint64_t table[256 * 3], scratch[6];
    bly_gf2_table(xorwow_modulus, 3, table);
    bly_gf2_power(&(struct bly_gf2){.words = 3, .table = table}, n, 3, scratch, leap->polynomial);
    leap->weyl = XORWOW_WEYL * (uint32_t)n[0];
    leap->tabled = many;
    if (!many) return;
    for (unsigned nibble = 0; nibble < XORWOW_NIBBLES; nibble++) {
        memset(leap->table[nibble][0], 0, sizeof leap->table[nibble][0]);
        for (unsigned value = 1; value < 16; value++) {
            uint32_t *v = leap->table[nibble][value];
            if (value & (value - 1)) {
                for (unsigned i = 0; i < 5; i++)
                    v[i] = leap->table[nibble][value & (value - 1)][i] ^
                           leap->table[nibble][value & (0 - value)][i];
            } else {
                memset(v, 0, sizeof leap->table[nibble][value]);
                v[nibble / 8] = value << 4 * (nibble % 8);
                xorwow_combine(leap->polynomial, v);
            }
        }
    }
}

static void xorwow_leap(const struct xorwow_leap *leap, uint32_t state[6])
{
    state[5] += leap->weyl;
    if (!leap->tabled) {
        xorwow_combine(leap->polynomial, state);
        return;
    }
    uint32_t sum[5] = {0};
    for (unsigned nibble = 0; nibble < XORWOW_NIBBLES; nibble++) {
        const uint32_t *v = leap->table[nibble][state[nibble / 8] >> 4 * (nibble % 8) & 15];
        for (unsigned i = 0; i < 5; i++) sum[i] ^= v[i];
    }
    memcpy(state, sum, sizeof sum);
}

/* Not Marsaglia's state for seed 0 either, whatever the comments of the header say. */
static void xorwow_start(uint64_t seed, uint32_t state[6])
{
    const uint32_t t0 = 1099087573u * ((uint32_t)seed ^ 0xaad26b49u);
    const uint32_t t1 = 2591861531u * ((uint32_t)(seed >> 32) ^ 0xf7dcefddu);
    state[0] = 123456789u + t0;
    state[1] = 362436069u ^ t0;
    state[2] = 521288629u + t1;
    state[3] = 88675123u ^ t1;
    state[4] = 5783321u + t0;
    state[5] = 6615241u + t1 + t0;
}

/* ---- MRG32k3a (L'Ecuyer 1999) ----------------------------------------------------------------- */

#define MRG32K3A_M1 UINT64_C(4294967087)
#define MRG32K3A_M2 UINT64_C(4294944443)

typedef uint64_t matrix3[3][3];

/* (x[n-3], x[n-2], x[n-1]) becomes (x[n-2], x[n-1], x[n]); negative coefficients are modulo the modulus. */
static const matrix3 mrg32k3a_step1 = {{0, 1, 0}, {0, 0, 1}, {MRG32K3A_M1 - 810728, 1403580, 0}};
static const matrix3 mrg32k3a_step2 = {{0, 1, 0}, {0, 0, 1}, {MRG32K3A_M2 - 1370589, 0, 527612}};

struct mrg32k3a_leap {
    matrix3 first, second;
};

static void matrix3_multiply(matrix3 a, matrix3 b, uint64_t modulus, matrix3 result)
{
    matrix3 product;
    for (unsigned i = 0; i < 3; i++)
        for (unsigned j = 0; j < 3; j++)
            product[i][j] =
                (a[i][0] * b[0][j] % modulus + a[i][1] * b[1][j] % modulus + a[i][2] * b[2][j] % modulus) %
                modulus;
    memcpy(result, product, sizeof product);
}

static unsigned bit_length(const uint64_t n[3])
{
    unsigned bits = 192;
    while (bits && !(n[(bits - 1) / 64] >> (bits - 1) % 64 & 1)) bits--;
    return bits;
}

static void matrix3_power(const matrix3 step, const uint64_t n[3], uint64_t modulus, matrix3 result)
{
    matrix3 square;
    memcpy(square, step, sizeof square);
    memset(result, 0, sizeof square);
    for (unsigned i = 0; i < 3; i++) result[i][i] = 1;
    const unsigned bits = bit_length(n);
    for (unsigned b = 0; b < bits; b++) {
        if (n[b / 64] >> b % 64 & 1) matrix3_multiply(result, square, modulus, result);
        matrix3_multiply(square, square, modulus, square);
    }
}

static void matrix3_apply(const matrix3 a, uint64_t modulus, uint32_t x[3])
{
    uint32_t y[3];
    for (unsigned i = 0; i < 3; i++)
        y[i] = (uint32_t)((a[i][0] * x[0] % modulus + a[i][1] * x[1] % modulus + a[i][2] * x[2] % modulus) %
                          modulus);
    memcpy(x, y, sizeof y);
}

static void mrg32k3a_start(uint64_t seed, uint32_t state[6])
{
    for (unsigned i = 0; i < 6; i++) state[i] = 12345;
    if (seed == 0) return;
    const uint64_t x[2] = {(uint32_t)seed ^ 0x55555555u, (uint32_t)(seed >> 32) ^ 0xaaaaaaaau};
    for (unsigned i = 0; i < 6; i++)
        state[i] = (uint32_t)(x[i % 2] * 12345 % (i < 3 ? MRG32K3A_M1 : MRG32K3A_M2));
}

/* ---- KISS of 1999, Park and Miller, LCG ------------------------------------------------------- */

#define PARK_MILLER_MODULUS UINT64_C(0x7fffffff)

/* A multiply-with-carry generator z' = a (z mod 2^16) + z / 2^16. As 2^16 z' = z modulo m = 2^16 a - 1, and
 * 2^16 a = 1 there, z' = a z. States reached from 0 < z < m stay there (a 65535 + (a - 1) = m is reached only
 * from m itself), so powers of a modulo m are exact; Marsaglia's seeds are such states. */
#define KISS_Z 36969u
#define KISS_W 18000u
#define MWC_MODULUS(a) (((uint64_t)(a) << 16) - 1)

struct affine {
    uint32_t multiplier, increment;
};

struct kiss_leap {
    uint32_t z, w;
    uint32_t shr3[32]; /* what each bit of jsr becomes */
    struct affine cong;
};

static uint32_t modular_power(uint32_t base, uint64_t n, uint64_t modulus)
{
    uint64_t square = base, result = 1; /* moduli are below 2^32 */
    for (; n; n >>= 1) {
        if (n & 1) result = result * square % modulus;
        square = square * square % modulus;
    }
    return (uint32_t)result;
}

static struct affine affine_power(uint32_t multiplier, uint32_t increment, uint64_t n)
{
    struct affine square = {multiplier, increment}, result = {1, 0};
    for (; n; n >>= 1) {
        if (n & 1) {
            result.increment = square.multiplier * result.increment + square.increment;
            result.multiplier *= square.multiplier;
        }
        square.increment += square.multiplier * square.increment;
        square.multiplier *= square.multiplier;
    }
    return result;
}

static uint32_t shr3_step(uint32_t x)
{
    x ^= x << 17;
    x ^= x >> 13;
    return x ^ x << 5;
}

static uint32_t bits_apply(const uint32_t matrix[32], uint32_t x)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < 32; i++) sum ^= matrix[i] & (0 - (x >> i & 1));
    return sum;
}

static void shr3_power(uint64_t n, uint32_t result[32])
{
    uint32_t square[32], product[32];
    for (unsigned i = 0; i < 32; i++) {
        result[i] = UINT32_C(1) << i;
        square[i] = shr3_step(result[i]);
    }
    for (; n; n >>= 1) {
        if (n & 1)
            for (unsigned i = 0; i < 32; i++) result[i] = bits_apply(square, result[i]);
        for (unsigned i = 0; i < 32; i++) product[i] = bits_apply(square, square[i]);
        memcpy(square, product, sizeof square);
    }
}

/* ---- MT19937 (Matsumoto and Nishimura 1998) --------------------------------------------------- */

#define MT_WORDS 624
#define MT_MIDDLE 397
#define MT_TWIST 0x9908b0dfu
#define MT_DEGREE 19937
#define MT_POLYNOMIAL_WORDS 312 /* degree 19968 = 19937 + 31 */
#define MT_POLYNOMIAL_BITS (64 * MT_POLYNOMIAL_WORDS)
#define MT_TERMS 160    /* the characteristic polynomial has 135 */
#define MT_STEPPED 4096 /* as many blocks are made one after the other in the time of a jump */

struct mt_jump {
    uint64_t polynomial[MT_POLYNOMIAL_WORDS], factor[MT_POLYNOMIAL_WORDS], scratch[2 * MT_POLYNOMIAL_WORDS];
    uint32_t exponents[MT_TERMS];
    uint32_t sequence[MT_POLYNOMIAL_BITS + MT_WORDS];
};

/* Word n + 624 of the sequence from words n, n + 1, n + 397. */
static uint32_t mt_word(uint32_t x0, uint32_t x1, uint32_t x397)
{
    const uint32_t y = (x0 & 0x80000000u) | (x1 & 0x7fffffffu);
    return x397 ^ y >> 1 ^ (MT_TWIST & (0 - (y & 1)));
}

static void mt_next_block(uint32_t mt[MT_WORDS])
{
    for (unsigned i = 0; i < MT_WORDS; i++)
        mt[i] = mt_word(mt[i], mt[(i + 1) % MT_WORDS], mt[(i + MT_MIDDLE) % MT_WORDS]);
}

static void mt_genrand(uint32_t seed, uint32_t mt[MT_WORDS])
{
    mt[0] = seed;
    for (uint32_t i = 1; i < MT_WORDS; i++) mt[i] = 1812433253u * (mt[i - 1] ^ mt[i - 1] >> 30) + i;
}

/* init_by_array of their mt19937ar.c (2002) for a key of two words. */
static void mt_by_array(const uint32_t key[2], uint32_t mt[MT_WORDS])
{
    uint32_t i = 1;
    mt_genrand(19650218u, mt);
    for (uint32_t k = 0; k < MT_WORDS; k++) {
        const uint32_t j = k % 2;
        mt[i] = (mt[i] ^ (mt[i - 1] ^ mt[i - 1] >> 30) * 1664525u) + key[j] + j;
        if (++i == MT_WORDS) {
            mt[0] = mt[MT_WORDS - 1];
            i = 1;
        }
    }
    for (uint32_t k = 1; k < MT_WORDS; k++) {
        mt[i] = (mt[i] ^ (mt[i - 1] ^ mt[i - 1] >> 30) * 1566083941u) - i;
        if (++i == MT_WORDS) {
            mt[0] = mt[MT_WORDS - 1];
            i = 1;
        }
    }
    mt[0] = 0x80000000u;
}

/* a ^= b x^shift. */
static void add_shifted(uint64_t *a, const uint64_t *b, unsigned shift)
{
    const unsigned words = shift / 64, bits = shift % 64;
    for (unsigned i = MT_POLYNOMIAL_WORDS; i-- > words;) {
        a[i] ^= b[i - words] << bits;
        if (bits && i > words) a[i] ^= b[i - words - 1] >> (64 - bits);
    }
}

/* The exponents of the characteristic polynomial times x^31, without its leading one. By appendix A of the
 * paper it is, with p = x^623 + x^396 and a_i bit i of the twist,
 *   x p (p^31 + a_0 p^30 + a_1 p^29 + ... + a_30) + a_31. */
static size_t mt_exponents(struct mt_jump *jump)
{
    uint64_t *q = jump->polynomial, *product = jump->factor;
    size_t count = 0;
    memset(q, 0, sizeof jump->polynomial);
    q[0] = 1;
    for (unsigned i = 0; i < 32; i++) {
        const unsigned more = i == 31; /* the factor x p comes last */
        memset(product, 0, sizeof jump->polynomial);
        add_shifted(product, q, MT_WORDS - 1 + more);
        add_shifted(product, q, MT_MIDDLE - 1 + more);
        memcpy(q, product, sizeof jump->polynomial);
        q[0] ^= MT_TWIST >> i & 1;
    }
    for (unsigned e = 0; e < MT_DEGREE && count < MT_TERMS; e++)
        if (q[e / 64] >> e % 64 & 1) jump->exponents[count++] = e + (MT_POLYNOMIAL_BITS - MT_DEGREE);
    return count;
}

/* Moves a block of words n, ..., n + 623 by `distance` words. n must not be 0: of word 0 only the highest bit
 * takes part in the recurrence. */
static bailey_status mt_jump(uint64_t distance, uint32_t mt[MT_WORDS])
{
    struct mt_jump *jump = bly_alloc(1, sizeof *jump);
    if (!jump) return bly_fail(BAILEY_ERROR_MEMORY, "no memory for a jump of mt19937");
    const struct bly_gf2 modulus = {
        .words = MT_POLYNOMIAL_WORDS, .exponents = jump->exponents, .count = mt_exponents(jump)};
    bly_gf2_power(&modulus, &distance, 1, jump->scratch, jump->polynomial);
    uint32_t *sequence = jump->sequence;
    memcpy(sequence, mt, MT_WORDS * sizeof *mt);
    for (unsigned i = 0; i < MT_POLYNOMIAL_BITS; i++)
        sequence[i + MT_WORDS] = mt_word(sequence[i], sequence[i + 1], sequence[i + MT_MIDDLE]);
    memset(mt, 0, MT_WORDS * sizeof *mt);
    for (unsigned k = 0; k < MT_POLYNOMIAL_BITS; k++)
        if (jump->polynomial[k / 64] >> k % 64 & 1)
            for (unsigned i = 0; i < MT_WORDS; i++) mt[i] ^= sequence[k + i];
    bly_free(jump);
    return BAILEY_OK;
}

static bailey_status mt_state(uint64_t seed, uint64_t offset, uint32_t *state)
{
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    if (key[1])
        mt_by_array(key, state);
    else
        mt_genrand(key[0], state);
    mt_next_block(state);
    const uint64_t blocks = offset / MT_WORDS;
    if (blocks <= MT_STEPPED) {
        for (uint64_t i = 0; i < blocks; i++) mt_next_block(state);
    } else {
        const bailey_status status = mt_jump(blocks * MT_WORDS, state);
        if (status != BAILEY_OK) return status;
    }
    state[MT_WORDS] = (uint32_t)(offset % MT_WORDS);
    return BAILEY_OK;
}

/* ---- All of them ------------------------------------------------------------------------------ */

#define ADDER_INCREMENT 0x9e3779b9u

uint32_t bly_published_words(bailey_generator generator)
{
    switch (generator) {
    case BAILEY_GENERATOR_XORWOW:
    case BAILEY_GENERATOR_MRG32K3A: return 6;
    case BAILEY_GENERATOR_MT19937: return MT_WORDS + 1;
    case BAILEY_GENERATOR_KISS: return 4;
    case BAILEY_GENERATOR_PARK_MILLER:
    case BAILEY_GENERATOR_LCG:
    case BAILEY_GENERATOR_ADDER: return 1;
    default: return 0;
    }
}

bailey_status bly_published_check(const bailey_source *source)
{
    const unsigned long long seed = source->seed, stream = source->stream;
    switch (source->generator) {
    case BAILEY_GENERATOR_PHILOX:
    case BAILEY_GENERATOR_PHILOX7:
    case BAILEY_GENERATOR_XORWOW: return BAILEY_OK;
    case BAILEY_GENERATOR_MRG32K3A: {
        uint32_t s[6];
        if (stream >= MRG32K3A_STREAMS)
            return bly_fail_argument(
                "stream", "stream is %llu; the published mrg32k3a has only streams below 2^51", stream);
        mrg32k3a_start(seed, s);
        if (!(s[0] | s[1] | s[2]) || !(s[3] | s[4] | s[5]))
            return bly_fail_argument(
                "seed", "seed %llu makes a component of the published mrg32k3a zero for ever", seed);
        return BAILEY_OK;
    }
    case BAILEY_GENERATOR_KISS:
        if (seed != 0)
            return bly_fail_argument("seed", "seed is %llu; the published kiss has only seed 0", seed);
        break;
    case BAILEY_GENERATOR_LCG:
    case BAILEY_GENERATOR_ADDER:
        if (seed > UINT32_MAX)
            return bly_fail_argument("seed", "seed is %llu; the published %s has only seeds below 2^32", seed,
                                     source->generator == BAILEY_GENERATOR_LCG ? "lcg" : "adder");
        break;
    case BAILEY_GENERATOR_MT19937:
    case BAILEY_GENERATOR_PARK_MILLER: break;
    default:
        return bly_fail_argument("sequence",
                                 "sequence is published, but generator %s has no published sequence",
                                 bailey_generator_name(source->generator));
    }
    if (stream != 0)
        return bly_fail_argument("stream", "stream is %llu; the published sequence has only stream 0",
                                 stream);
    return BAILEY_OK;
}

struct leap {
    union {
        struct xorwow_leap xorwow;
        struct mrg32k3a_leap mrg32k3a;
        struct kiss_leap kiss;
        struct affine affine;
        uint32_t factor;
    } by;
};

static void prepare(bailey_generator generator, uint64_t stream, uint64_t distance, int many,
                    struct leap *leap)
{
    uint64_t n[3] = {distance, 0, 0};
    switch (generator) {
    case BAILEY_GENERATOR_XORWOW:
        n[1] = stream << (XORWOW_STREAM - 64);
        n[2] = stream >> (128 - XORWOW_STREAM);
        xorwow_prepare(&leap->by.xorwow, n, many);
        break;
    case BAILEY_GENERATOR_MRG32K3A:
        n[1] = stream << (MRG32K3A_STREAM - 64);
        n[2] = stream >> (128 - MRG32K3A_STREAM);
        matrix3_power(mrg32k3a_step1, n, MRG32K3A_M1, leap->by.mrg32k3a.first);
        matrix3_power(mrg32k3a_step2, n, MRG32K3A_M2, leap->by.mrg32k3a.second);
        break;
    case BAILEY_GENERATOR_KISS:
        leap->by.kiss.z = modular_power(KISS_Z, distance, MWC_MODULUS(KISS_Z));
        leap->by.kiss.w = modular_power(KISS_W, distance, MWC_MODULUS(KISS_W));
        shr3_power(distance, leap->by.kiss.shr3);
        leap->by.kiss.cong = affine_power(69069, 1234567, distance);
        break;
    case BAILEY_GENERATOR_PARK_MILLER:
        leap->by.factor = modular_power(16807, distance, PARK_MILLER_MODULUS);
        break;
    case BAILEY_GENERATOR_LCG: leap->by.affine = affine_power(1664525, 1013904223, distance); break;
    default: leap->by.affine = affine_power(1, ADDER_INCREMENT, distance); break;
    }
}

static void apply(bailey_generator generator, const struct leap *leap, uint32_t *state)
{
    switch (generator) {
    case BAILEY_GENERATOR_XORWOW: xorwow_leap(&leap->by.xorwow, state); break;
    case BAILEY_GENERATOR_MRG32K3A:
        matrix3_apply(leap->by.mrg32k3a.first, MRG32K3A_M1, state);
        matrix3_apply(leap->by.mrg32k3a.second, MRG32K3A_M2, state + 3);
        break;
    case BAILEY_GENERATOR_KISS: {
        const struct kiss_leap *kiss = &leap->by.kiss;
        state[0] = (uint32_t)((uint64_t)kiss->z * state[0] % MWC_MODULUS(KISS_Z));
        state[1] = (uint32_t)((uint64_t)kiss->w * state[1] % MWC_MODULUS(KISS_W));
        state[2] = bits_apply(kiss->shr3, state[2]);
        state[3] = kiss->cong.multiplier * state[3] + kiss->cong.increment;
        break;
    }
    case BAILEY_GENERATOR_PARK_MILLER:
        state[0] = (uint32_t)((uint64_t)leap->by.factor * state[0] % PARK_MILLER_MODULUS);
        break;
    default: state[0] = leap->by.affine.multiplier * state[0] + leap->by.affine.increment; break;
    }
}

static void start(const bailey_source *source, uint32_t *state)
{
    switch (source->generator) {
    case BAILEY_GENERATOR_XORWOW: xorwow_start(source->seed, state); break;
    case BAILEY_GENERATOR_MRG32K3A: mrg32k3a_start(source->seed, state); break;
    case BAILEY_GENERATOR_KISS:
        state[0] = 362436069;
        state[1] = 521288629;
        state[2] = 123456789;
        state[3] = 380116160;
        break;
    case BAILEY_GENERATOR_PARK_MILLER:
        state[0] = (uint32_t)(source->seed % PARK_MILLER_MODULUS);
        if (state[0] == 0) state[0] = 1;
        break;
    default: state[0] = (uint32_t)source->seed; break;
    }
}

bailey_status bly_published_states(const bailey_source *source, uint64_t offset, uint64_t spacing,
                                   uint64_t count, uint32_t *states)
{
    const bailey_generator generator = source->generator;
    const uint32_t words = bly_published_words(generator);
    const bailey_status status = bly_published_check(source);
    if (status != BAILEY_OK) return status;
    if (words == 0)
        return bly_fail_argument("generator", "generator number %d has no states", (int)generator);
    if (generator == BAILEY_GENERATOR_MT19937) {
        if (count != 1)
            return bly_fail_argument("count", "count is %llu; mt19937 makes one state at a time",
                                     (unsigned long long)count);
        return mt_state(source->seed, offset, states);
    }
    if (count == 0) return bly_fail_argument("count", "count is 0, at least 1");
    uint32_t state[6];
    struct leap leap;
    start(source, state);
    prepare(generator, source->stream, offset, 0, &leap);
    apply(generator, &leap, state);
    if (count > 1) prepare(generator, 0, spacing, count > 100, &leap);
    for (uint64_t s = 0; s < count; s++) {
        for (uint32_t k = 0; k < words; k++) states[k * count + s] = state[k];
        if (s + 1 < count) apply(generator, &leap, state);
    }
    return BAILEY_OK;
}

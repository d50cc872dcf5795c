/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Sums in integers on the host (src/host/run/fixed.c): words of any size are joined to the same
 * number, and become the double next to it, to 192 bits.
 */
#include <host/run/fixed.h>
#include <kernels/fixed_nodes.h>

#include "harness.h"

#include <math.h>

__extension__ typedef __int128 wide;

static wide random_wide(uint64_t *state)
{
    return (wide)(int64_t)next_random(state) * (INT64_MAX / 2) + (int64_t)(next_random(state) >> 2);
}

enum { MOST_ROWS = 64 };

/* Sums of one output: q, q^2, q^3, q^4, at these rows. */
static const struct bly_fixed all = {.outputs = 1, .pairs = 1, .shape = 1};
static const uint32_t row_of[4] = {0, 2, 5, 9}, words_of[4] = {2, 3, 4, 5};

TEST(rows, HOST)
{
    const struct bly_fixed few = {.outputs = 3, .pairs = 6, .shape = 0};
    assert_int_equal(bly_fixed_sums(&few), 3 * 2 + 6 * 3);
    assert_int_equal(bly_fixed_rows(&few), 3 * 2 + 6 * 3 + 1);
    assert_int_equal(bly_fixed_sums(&all), 14);
    assert_int_equal(bly_fixed_rows(&all), 17);
}

/* The least power of two that is not below the limit counts 2^30. */
TEST(places, HOST)
{
    assert_int_equal(bly_fixed_places(1), 30);
    assert_int_equal(bly_fixed_places(1024), 20);
    assert_int_equal(bly_fixed_places(1025), 19);
    assert_int_equal(bly_fixed_places(0.75), 30);
    assert_int_equal(bly_fixed_places(0.5), 31);
    assert_int_equal(bly_fixed_places(0x1p60), -30);
    assert_int_equal(bly_fixed_places(0x1p-60), 90);
}

/* Words of `value`, of which up to 28 bits of the next word are left in each. */
static void split(wide value, uint64_t *word, uint32_t words, uint64_t *random)
{
    for (uint32_t i = 0; i + 1 < words; i++) {
        const uint64_t more = random ? next_random(random) >> 36 : 0;
        word[i] = ((uint64_t)value & 0xffffffff) + (more << 32);
        value = (value >> 32) - (wide)more;
    }
    word[words - 1] = (uint64_t)value;
}

static double read_one(const uint64_t *node, uint32_t power, int shift)
{
    double values[6];
    bly_fixed_read(&all, shift, node, values);
    return values[power];
}

/* Random numbers, whole and as joins of two that have much to carry. */
TEST(joins, HOST)
{
    uint64_t random = 11;
    for (int n = 0; n < 20000; n++) {
        const uint32_t power = (uint32_t)(n % 4), bits = power == 0 ? 60 : 90;
        uint64_t left[17] = {0}, right[17] = {0};
        wide a = random_wide(&random) >> (127 - bits), b = random_wide(&random) >> (127 - bits);
        a >>= next_random(&random) % bits;
        b >>= next_random(&random) % bits;
        split(a, left + row_of[power], words_of[power], &random);
        split(b, right + row_of[power], words_of[power], &random);
        assert_true(read_one(left, power, 0) == (double)a);
        bly_fixed_join_nodes(&all, left, right);
        assert_true(read_one(left, power, 0) == (double)(a + b));
        assert_true(read_one(left, power, 3) == ldexp((double)(a + b), -3 * (int)(power + 1)));
    }
}

/* Adds 2^bit, or takes it away. */
static void add_bit(uint64_t *word, uint32_t words, uint32_t bit, int sign)
{
    const uint32_t at = bit / 32 < words ? bit / 32 : words - 1;
    const uint64_t one = UINT64_C(1) << (bit - 32 * at);
    word[at] += sign > 0 ? one : ~one + 1;
    for (uint32_t i = at; i + 1 < words; i++) { /* the signed borrow or carry moves on */
        const int64_t carry = (int64_t)word[i] >> 32;
        word[i] &= 0xffffffff;
        word[i + 1] += (uint64_t)carry;
    }
}

/* m 2^s is read as it is, also with less than half a unit in the last place more or less; with half a unit
 * it goes to the even m. */
TEST(roundings, HOST)
{
    uint64_t random = 5;
    for (int n = 0; n < 20000; n++) {
        const uint32_t power = 1 + (uint32_t)(n % 3), words = words_of[power], bits = 32 * words + 31;
        const uint64_t m = UINT64_C(1) << 52 | next_random(&random) >> 12;
        const uint32_t shift = 2 + (uint32_t)(next_random(&random) % (bits - 55));
        const double exact = ldexp((double)m, (int)shift), next = ldexp((double)(m + 1), (int)shift);
        for (int sign = 1; sign >= -1; sign -= 2) {
            uint64_t node[17] = {0}, *word = node + row_of[power];
            for (uint32_t bit = 0; bit < 53; bit++)
                if (m >> bit & 1) add_bit(word, words, bit + shift, sign);
            assert_true(read_one(node, power, 0) == sign * exact);
            add_bit(word, words, shift - 1, sign);
            assert_true(read_one(node, power, 0) == sign * (m & 1 ? next : exact));
            const uint32_t low = (uint32_t)(next_random(&random) % (shift - 1));
            add_bit(word, words, low, sign);
            assert_true(read_one(node, power, 0) == sign * next);
            add_bit(word, words, low, -sign);
            add_bit(word, words, low, -sign);
            assert_true(read_one(node, power, 0) == sign * exact);
        }
    }
}

/* 2^63 paths at the limit have room. */
TEST(largest, HOST)
{
    for (uint32_t power = 0; power < 4; power++)
        for (int sign = 1; sign >= -1; sign -= 2) {
            uint64_t node[17] = {0};
            add_bit(node + row_of[power], words_of[power], 30 * (power + 1), sign);
            for (int doubling = 0; doubling < 63; doubling++) {
                uint64_t same[17];
                memcpy(same, node, sizeof same);
                bly_fixed_join_nodes(&all, node, same);
            }
            assert_true(read_one(node, power, 0) == sign * ldexp(1, 30 * ((int)power + 1) + 63));
        }
}

TEST(extrema, HOST)
{
    uint64_t left[17] = {0}, right[17] = {0}, path;
    double values[6];
    uint32_t output;
    left[14] = right[14] = bly_fixed_nothing(BLY_FIXED_LEAST);
    left[15] = (uint64_t)-5, right[15] = 7;
    left[16] = (uint64_t)-5, right[16] = (uint64_t)-9;
    bly_fixed_join_nodes(&all, left, right);
    bly_fixed_read(&all, 1, left, values);
    assert_true(values[4] == -2.5 && values[5] == -2.5);
    assert_false(bly_fixed_find_beyond(&all, left, 0, &path, &output));
    const uint64_t first = (UINT64_C(1) << 62) + 12345;
    left[14] = bly_fixed_beyond(first + 1000, 3);
    right[14] = bly_fixed_beyond(first + 999, 17);
    bly_fixed_join_nodes(&all, left, right);
    assert_true(bly_fixed_find_beyond(&all, left, first, &path, &output));
    assert_true(path == first + 999 && output == 17);
}

/* The limit in single precision is not above the limit. */
TEST(limits, HOST)
{
    const bailey_simulation_run_params run = {.sum_limit = 0.1,
                                              .histogram = {.low = -0.1, .high = 0.05, .bins = 3}};
    const bly_fixed_params f = bly_fixed_params_of(&run, BAILEY_PRECISION_F32);
    const uint32_t limit_bits = (uint32_t)f.limit, scale_bits = (uint32_t)f.scale;
    float limit, scale;
    memcpy(&limit, &limit_bits, sizeof limit);
    memcpy(&scale, &scale_bits, sizeof scale);
    assert_true((double)limit <= 0.1 && nextafterf(limit, 1) > 0.1 && scale == 0x1p33f);
    assert_true(f.low == -858993459 && f.high == 429496730);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * How `bailey bench quality` counts: known answers in integers, and that neither the device nor the size of
 * the fills changes a bit.
 */
#include "harness.h"

#include "../bench/moments.h"
#include "../bench/normal_quality.h"

#include <math.h>

#define TILES 4
#define VALUES (TILES * (uint64_t)QUALITY_TILE)
#define STORED (VALUES + QUALITY_HALO)

/* Counts VALUES values in fills of so many tiles. `z` has STORED. */
static void count(const void *z, bailey_precision precision, int plant, uint64_t tiles,
                  quality_totals *totals)
{
    const size_t element = precision == BAILEY_PRECISION_F64 ? 8 : 4;
    const uint64_t fill = tiles * QUALITY_TILE;
    struct quality_counter *counter;
    int same = 0;
    OK(quality_create(context, precision, plant, fill, &counter));
    for (uint64_t first = 0; first < VALUES; first += fill) {
        OK(bailey_buffer_write(quality_buffer(counter), 0, (const char *)z + first * element,
                               (fill + QUALITY_HALO) * element));
        OK(quality_check(counter, &same));
        assert_true(same);
        OK(quality_count(counter));
    }
    quality_finish(counter, totals);
    quality_destroy(counter);
    assert_int_equal(totals->values, VALUES);
}

static int without_f64(void)
{
    if (!device.has_f64) print_message("%s has no double precision\n", device.address);
    return !device.has_f64;
}

static void equal(double found, double expected)
{
    if (!(found == expected)) fail_msg("%a, not %a", found, expected);
}

/* ---- Known answers ---- */

/* Values are k / 4, k from -6 to 6: every sum is an integer in units of 4^-8 or more, and exact in double. */
static int quarter(uint64_t i)
{
    const uint64_t word = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    return (int)((word ^ word >> 29) >> 16 & 0xffff) % 13 - 6;
}

static double power_sum(int power)
{
    int64_t sum = 0;
    for (uint64_t i = 0; i < VALUES; i++) {
        int64_t x = 1;
        for (int k = 0; k < power; k++) x *= quarter(i);
        sum += x;
    }
    return ldexp((double)sum, -2 * power);
}

static double lag_sum(uint64_t lag, int squares)
{
    int64_t sum = 0;
    for (uint64_t i = 0; i < VALUES; i++) {
        const int x = quarter(i), y = quarter(i + lag);
        sum += squares ? (x * x - 16) * (y * y - 16) : x * y;
    }
    return ldexp((double)sum, squares ? -8 : -4);
}

/* S - K in units of 1/16, or the sum of He_4 in units of 1/256. */
static int64_t block_sum(uint64_t block, int fourth)
{
    int64_t sum = 0;
    for (uint64_t i = block * QUALITY_BLOCK; i < (block + 1) * QUALITY_BLOCK; i++) {
        const int64_t square = quarter(i) * quarter(i);
        sum += fourth ? square * square - 96 * square + 768 : square - 16;
    }
    return sum;
}

static double block_products(int fourth, uint64_t lag)
{
    int64_t sum = 0;
    for (uint64_t b = 0; b < VALUES / QUALITY_BLOCK; b++) {
        if (b % 16 + lag < 16) sum += block_sum(b, fourth) * block_sum(b + lag, fourth);
    }
    return ldexp((double)sum, fourth ? -16 : -8);
}

static void check_cells(const quality_totals *t)
{
    static uint64_t expected[QUALITY_ALL_CELLS];
    memset(expected, 0, sizeof expected);
    for (uint64_t i = 0; i < VALUES; i++) {
        const int k = quarter(i);
        expected[k < 0 ? -k * 64 : QUALITY_CELLS + k * 64]++;
    }
    assert_memory_equal(t->cell, expected, sizeof expected);
}

static void check_known(const quality_totals *t)
{
    check_cells(t);
    for (int k = 0; k < QUALITY_MOMENTS; k++) equal(t->sum[k], power_sum(k + 1));
    for (int squares = 0; squares < 2; squares++) {
        equal(t->sum[QUALITY_MOMENTS + squares], lag_sum(QUALITY_FAR, squares));
        for (unsigned l = 0; l < QUALITY_LAGS - 1; l += 7) {
            const uint64_t lag = quality_lag(l / QUALITY_NEAR_LAGS, l % QUALITY_NEAR_LAGS);
            equal(t->sum[QUALITY_FIRST_SUMS + 2 * l + (unsigned)squares], lag_sum(lag, squares));
        }
    }
    assert_int_equal(t->blocks, VALUES / QUALITY_BLOCK);
    assert_int_equal(t->pairs[0], t->blocks / 16 * 15);
    assert_int_equal(t->pairs[1], t->blocks / 16 * 14);
    equal(t->squares[0], power_sum(2) - (double)VALUES);
    equal(t->squares[1], block_products(0, 0));
    equal(t->next_squares, block_products(0, 1));
    equal(t->fourth[0], block_products(1, 1));
    equal(t->fourth[1], block_products(1, 2));
}

TEST(test_known, DEVICE | REPEATED_ON_OPENCL)
{
    static quality_totals totals;
    if (without_f64()) return;
    float *single = allocate(STORED * sizeof *single);
    double *twice = allocate(STORED * sizeof *twice);
    for (uint64_t i = 0; i < STORED; i++) {
        twice[i] = quarter(i) / 4.0;
        single[i] = (float)twice[i];
    }
    count(single, BAILEY_PRECISION_F32, QUALITY_PLANT_NONE, TILES, &totals);
    check_known(&totals);
    count(twice, BAILEY_PRECISION_F64, QUALITY_PLANT_NONE, 1, &totals);
    check_known(&totals);
    free(single);
    free(twice);
}

TEST(edges, DEVICE)
{
    static const struct {
        float value;
        int cell;
    } known[] = {{-0.0f, QUALITY_CELLS},
                 {-0x1p-149f, 0},
                 {1.0f, QUALITY_CELLS + 256},
                 {0x1.fffffep-1f, QUALITY_CELLS + 255},
                 {-3.0f, 768},
                 {8.5f, 2 * QUALITY_CELLS - 1},
                 {-8.5f, QUALITY_CELLS - 1},
                 {9.0f, 2 * QUALITY_CELLS},
                 {-INFINITY, 2 * QUALITY_CELLS},
                 {NAN, 2 * QUALITY_CELLS}};
    static quality_totals totals;
    const size_t kinds = sizeof known / sizeof *known;
    static uint64_t expected[QUALITY_ALL_CELLS];
    if (without_f64()) return;
    float *z = allocate(STORED * sizeof *z);
    for (uint64_t i = 0; i < STORED; i++) z[i] = known[i % kinds].value;
    memset(expected, 0, sizeof expected);
    for (uint64_t i = 0; i < VALUES; i++) expected[known[i % kinds].cell]++;
    struct quality_counter *counter;
    OK(quality_create(context, BAILEY_PRECISION_F32, QUALITY_PLANT_NONE, VALUES, &counter));
    OK(bailey_buffer_write(quality_buffer(counter), 0, z, STORED * sizeof *z));
    OK(quality_count(counter));
    quality_finish(counter, &totals);
    quality_destroy(counter);
    assert_memory_equal(totals.cell, expected, sizeof expected);
    free(z);
}

/* ---- The same bits ---- */

static void *normals(bailey_precision precision)
{
    const bailey_source source = {.seed = 1};
    const bailey_normal_params normal = {.method = BAILEY_NORMAL_METHOD_BOX_MULLER, .precision = precision};
    const uint64_t bytes = STORED * (precision == BAILEY_PRECISION_F64 ? 8 : 4);
    bailey_buffer *buffer = poisoned(bytes);
    OK(bailey_normals_generate(context, &source, &normal, 0, STORED, buffer, 0));
    return harvest(buffer, bytes);
}

/* Found once on the cpu backend. */
static const struct {
    bailey_precision precision;
    int plant;
    double values, squares, eighth, far, lag;
} golden[] = {
    {BAILEY_PRECISION_F32, QUALITY_PLANT_NONE, -0x1.e22869faed98p+6, 0x1.fedcef03b330cp+18,
     0x1.a58bd0732b4ecp+25, 0x1.8e537c8c19e9cp+8, 0x1.f31ebd5a6c8b6p+9},
    {BAILEY_PRECISION_F64, QUALITY_PLANT_NONE, 0x1.5360f24f70b2p+10, 0x1.fedf7f35b9aa7p+18,
     0x1.934a56f90477ep+25, 0x1.c9240f2a66c0cp+7, 0x1.5d8510b798ef3p+9},
    {BAILEY_PRECISION_F64, QUALITY_PLANT_SERIAL, 0x1.560595e3c500ap+10, 0x1.fee23a355035bp+18,
     0x1.9336ac1039849p+25, 0x1.b57f70f2004e8p+7, 0x1.2b2da5c26c451p+12},
};

TEST(same_counts, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    static quality_totals whole, parts;
    char why[120];
    if (without_f64()) return;
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        void *z = normals(golden[i].precision);
        count(z, golden[i].precision, golden[i].plant, TILES, &whole);
        count(z, golden[i].precision, golden[i].plant, 1, &parts);
        assert_memory_equal(&whole, &parts, sizeof whole);
        if (getenv("BAILEY_TEST_VERBOSE"))
            print_message("%a, %a, %a, %a, %a\n", whole.sum[0], whole.sum[1], whole.sum[7], whole.sum[8],
                          whole.sum[10]);
        equal(whole.sum[0], golden[i].values);
        equal(whole.sum[1], golden[i].squares);
        equal(whole.sum[7], golden[i].eighth);
        equal(whole.sum[QUALITY_FIRST_SUMS], golden[i].lag);
        equal(whole.sum[QUALITY_MOMENTS], golden[i].far);
        /* what the benchmarks say of the same numbers */
        assert_int_equal(
            moments_good(z, VALUES, golden[i].precision == BAILEY_PRECISION_F64 ? 8 : 4, why, sizeof why), 1);
        free(z);
    }
}

/* What counts is compiled as users have it: at -O1, which tests take for other code (quick_cc), it runs
 * thirty times as long. */
static int as_users_have_it(void **state)
{
    (void)state;
    return setenv("BAILEY_TEST_O3", "1", 1);
}

FIXTURE(as_users_have_it, NULL)

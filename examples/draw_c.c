/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A program that draws random numbers where it uses them: the price of a European call, with nothing in
 * memory but a sum for each of 2048 items. In C, eight items at a time as vectors; draw_opencl.c and
 * draw_cuda.cu do the same on other devices, an item a work-item or thread, and print the same digits.
 *
 * The library gives the table of the inverse CDF: cc -O3 -march=native -Wno-psabi draw_c.c -lbailey -lm
 */
#if defined(__GNUC__) && !defined(BAILEY_LANES)
#define BAILEY_LANES 8
#endif

#include <bailey/advanced.h>
#include <bailey/device/math.h>
#include <bailey/device/normal.h>
#include <bailey/device/xorwow.h>

#include <stdio.h>

enum { RUNS = 64, ITEMS = RUNS * BAILEY_RUN_LANES, PATHS = 1024 /* an item */ };

/* max(S - 105, 0) at time 1, for S = 100 exp(0.03 + 0.2 Z). A product that must be added to goes into a
 * fused multiply-add: that is what makes the result the same bits for every compiler and device. */
BAILEY_FN bailey_f32 payoff(const float *table, bailey_u32 word)
{
    const bailey_f32 z = bailey_normal_icdf_f32(table, word);
    const bailey_f32 growth =
        bailey_exp_f32(bailey_fma_f32(bailey_splat_f32(0.2f), z, bailey_splat_f32(0.03f)));
    const bailey_f32 gain = bailey_fma_f32(bailey_splat_f32(100.0f), growth, bailey_splat_f32(-105.0f));
    return bailey_select_f32(bailey_lt_f32(gain, bailey_splat_f32(0.0f)), bailey_splat_f32(0.0f), gain);
}

/* A generator that steps: each item, `lane` of run `run`, has its own generator. */
BAILEY_FN bailey_f32 sum_xorwow(const float *table, bailey_uint64 seed, bailey_uint64 run, bailey_u32 lane)
{
    bailey_xorwow g = bailey_xorwow_start(seed, 0, run, lane);
    bailey_f32 sum = bailey_splat_f32(0.0f);
    for (int i = 0; i < PATHS; i++) sum += payoff(table, bailey_xorwow_next(&g));
    return sum;
}

/* A generator that counts: an item takes its own blocks of four words. */
BAILEY_FN bailey_f32 sum_philox(const float *table, bailey_uint64 seed, bailey_u64 item)
{
    bailey_f32 sum = bailey_splat_f32(0.0f);
    for (bailey_uint32 i = 0; i < PATHS / 4; i++) {
        const bailey_u64 block = item * bailey_splat_u64(PATHS / 4) + bailey_splat_u64(i);
        const bailey_philox_block b = bailey_philox_words4(seed, 0, block);
        for (int j = 0; j < 4; j++) sum += payoff(table, b.word[j]);
    }
    return sum;
}

static void report(const char *name, const float *sums)
{
    double sum = 0;
    for (int i = 0; i < ITEMS; i++) sum += (double)sums[i];
    printf("%-7s %.15f\n", name, 0.951229424500714 * sum / ((double)ITEMS * PATHS));
}

int main(void)
{
    static float xorwow[ITEMS], philox[ITEMS];
    const float *table = bailey_normal_table_data(BAILEY_PRECISION_F32, NULL);
    const bailey_uint64 seed = 42;
    for (bailey_uint32 i = 0; i < ITEMS; i += BAILEY_LANES) {
        const bailey_u64 item = bailey_lane_numbers() + bailey_splat_u64(i);
        const bailey_u32 lane = bailey_u32_from_u64(item) & bailey_splat_u32(BAILEY_RUN_LANES - 1);
        const bailey_f32 x = sum_xorwow(table, seed, i / BAILEY_RUN_LANES, lane),
                         p = sum_philox(table, seed, item);
        memcpy(xorwow + i, &x, sizeof x);
        memcpy(philox + i, &p, sizeof p);
    }
    report("xorwow", xorwow);
    report("philox", philox);
    printf("exact   8.021352235143176\n"); /* Black and Scholes */
    return 0;
}

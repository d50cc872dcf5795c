/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * How good normals are: what is counted of them (normal_quality_count.c, and normal_quality_count.h in the
 * dialect), what should be (normal_quality_law.c), and the verdict (normal_quality_judge.c).
 */
#ifndef BENCH_NORMAL_QUALITY_H
#define BENCH_NORMAL_QUALITY_H

#include "normal_quality_count.h"

#include <bailey/bailey.h>

/* ---- Counting ---- */

#define QUALITY_LAGS (QUALITY_NEAR_PARTS * QUALITY_NEAR_LAGS + 1) /* the last: QUALITY_FAR */

/* The counts of a row. */
typedef struct quality_totals {
    uint64_t values;
    uint64_t cell[QUALITY_ALL_CELLS];
    double sum[QUALITY_SUMS]; /* the root of the binary tree over the tiles */
    /* Of blocks: sums of (S - K), (S - K)^2, and of products with a later block's, within 16 blocks, which
     * are a run of Wallace's. */
    uint64_t blocks, pairs[2];
    double squares[2], next_squares, fourth[2];
} quality_totals;

struct quality_counter;

/* For fills of `fill` values, a multiple of QUALITY_TILE and at most 2^31. */
bailey_status quality_create(bailey_context *context, bailey_precision precision, int plant, uint64_t fill,
                             struct quality_counter **counter);
void quality_destroy(struct quality_counter *counter); /* NULL is allowed */

/* Memory of the device for fill + QUALITY_HALO values. */
bailey_buffer *quality_buffer(struct quality_counter *counter);

/* Counts the fill in that buffer, which comes after those counted before. */
bailey_status quality_count(struct quality_counter *counter);

/* Counts its first tile on the device and on the host, and adds neither: *same says whether they have the
 * same bits. */
bailey_status quality_check(struct quality_counter *counter, int *same);

void quality_finish(struct quality_counter *counter, quality_totals *totals);

/* ---- Expectations ---- */

/* The law of the values: the normal law, or that of f32 normals made from 32-bit words. */
typedef enum normal_quality_law {
    NORMAL_QUALITY_NORMAL,
    NORMAL_QUALITY_ICDF_F32,
    NORMAL_QUALITY_BOX_MULLER_F32
} normal_quality_law;

/* P(Z >= x), x >= 0. For the inverse CDF f32 the words that give such a value are counted; of Box-Muller f32,
 * for x >= 4, the angles are added up for each of the words that the radius is computed from. */
double normal_quality_beyond(normal_quality_law law, double x);

/* count[0 .. CELLS - 1]: of z < 0, by abs(z); then of z >= 0. The last cells go to 9. */
typedef struct normal_quality_fit {
    double chi_square,
        degrees; /* cells that expect fewer than 100, or one in 2^24, are joined with the next */
    double z;    /* of chi_square, by Wilson and Hilferty */
    double anderson_darling, p; /* A^2, of grouped data, and P(A^2 or more) */
    double shift; /* of chi_square, in its standard deviations, that `law` instead of the normal law makes */
} normal_quality_fit;
normal_quality_fit normal_quality_fit_of(const uint64_t *count, normal_quality_law law);

/* Two-sided p-values: of a standard normal, of a Poisson variable. */
double normal_quality_p(double z);
double normal_quality_poisson(uint64_t count, double mean);

/* ---- The verdict ---- */

#define QUALITY_STATISTICS 200 /* at most */

typedef struct quality_statistic {
    char name[32];
    double observed, expected, z, p;
    int known; /* of Wallace's method, to fail (docs/records/quality.md): it does not count for the verdict */
} quality_statistic;

typedef struct quality_result {
    quality_statistic all[QUALITY_STATISTICS];
    size_t count, worst; /* worst: that with the smallest p */
    double shift;        /* normal_quality_fit's */
    double corrected;    /* the chance of a p as small among so many */
    const char *verdict;
    int fails;
} quality_result;

void quality_judge(const quality_totals *totals, const bailey_normal_params *normal, quality_result *result);

#endif

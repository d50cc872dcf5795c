/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What half and bfloat16 paths would do in nested multilevel Monte Carlo (docs/mlmc-low-precision.md): the
 * variances of each level's difference, of the same with approximate normals and paths of 16 bits, and of the
 * correction. The paths are those of mlmc_half_paths.h.
 *
 *     mlmc_half [SAMPLES [LEVELS]]        of each level, 100000 by default; levels 0 .. LEVELS, 8
 */
#include "mlmc_half_paths.h"

#include <bailey/advanced.h>
#include <bailey/device/approximate.h>
#include <bailey/device/normal.h>
#include <bailey/device/philox.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_LEVELS 12
#define SPOT MLMC_HALF_SPOT

/* ---- Paths ----------------------------------------------------------------------------------- */

/* S; S / S0 - 1; that of the coarse path, and D, by which that of the fine one is more. */
enum { PRICE, GROWTH, APART };

/* What a path of increments dw pays, without the discount. */
static double paid(int format, int relative, const double *dw, int steps)
{
    const double x = mlmc_half_end(&mlmc_half_formats[format], relative, dw, steps);
    const double s = relative ? SPOT + SPOT * x : x;
    return s > MLMC_HALF_STRIKE ? s - MLMC_HALF_STRIKE : 0;
}

/* The difference of a fine path and of a coarse one of summed increments. */
static double difference(int format, int path, const double *dw, int level)
{
    static double sum[1 << MOST_LEVELS];
    const struct mlmc_half_format *f = &mlmc_half_formats[format];
    const int steps = 1 << level;
    if (level && path == APART) {
        double end[2];
        mlmc_half_apart(f, dw, steps, end);
        return SPOT * (fmax(end[1] + end[0], 0) - fmax(end[1], 0));
    }
    const double fine = paid(format, path != PRICE, dw, steps);
    if (level == 0) return fine;
    for (int i = 0; i < steps / 2; i++) sum[i] = mlmc_half_rounded(f, dw[2 * i] + dw[2 * i + 1]);
    return fine - paid(format, path != PRICE, sum, steps / 2);
}

/* ---- Levels ---------------------------------------------------------------------------------- */

static const struct variant {
    const char *name;
    int kind; /* of the normals; 0: exact */
    int format, path;
} variants[] = {
    {"exact, single", 0, MLMC_HALF_SINGLE, PRICE},
    {"CONSTANT, single", 1, MLMC_HALF_SINGLE, PRICE},
    {"DYADIC, single", 2, MLMC_HALF_SINGLE, PRICE},
    {"DYADIC, half, S", 2, MLMC_HALF_HALF, PRICE},
    {"DYADIC, half, S/S0 - 1", 2, MLMC_HALF_HALF, GROWTH},
    {"CONSTANT, half, S/S0 - 1", 1, MLMC_HALF_HALF, GROWTH},
    {"DYADIC, bfloat16, S/S0 - 1", 2, MLMC_HALF_BFLOAT, GROWTH},
    {"CONSTANT, half, D", 1, MLMC_HALF_HALF, APART},
    {"DYADIC, half, D", 2, MLMC_HALF_HALF, APART},
    {"CONSTANT, bfloat16, D", 1, MLMC_HALF_BFLOAT, APART},
    {"DYADIC, bfloat16, D", 2, MLMC_HALF_BFLOAT, APART},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

struct sums {
    double y, yy, c, cc; /* of the difference, of the correction */
};

static double normal_of(int kind, uint32_t word)
{
    const float *table = bailey_normal_table_data(BAILEY_PRECISION_F32, NULL);
    const float *few = bailey_approximate_table_data(NULL);
    return kind ? bailey_normal_approximate_f32(kind, few, word) : bailey_normal_icdf_f32(table, word);
}

static void sample(int level, uint64_t number, struct sums sums[VARIANTS])
{
    static uint32_t word[1 << MOST_LEVELS];
    static double dw[1 << MOST_LEVELS];
    const int steps = 1 << level;
    double exact = 0;
    for (int i = 0; i < steps; i++)
        word[i] = bailey_philox_words4(MLMC_HALF_SEED, (uint64_t)level, (number << MOST_LEVELS) + (uint64_t)i)
                      .word[0];
    for (int v = 0; v < VARIANTS; v++) {
        const struct mlmc_half_format *f = &mlmc_half_formats[variants[v].format];
        const double root = mlmc_half_constants_of(f, steps).root;
        for (int i = 0; i < steps; i++)
            dw[i] = mlmc_half_rounded(f, root * mlmc_half_rounded(f, normal_of(variants[v].kind, word[i])));
        const double y = difference(variants[v].format, variants[v].path, dw, level);
        if (v == 0) exact = y;
        sums[v].y += y, sums[v].yy += y * y;
        sums[v].c += exact - y, sums[v].cc += (exact - y) * (exact - y);
    }
}

static double variance(double sum, double squares, double count)
{
    return squares / count - sum / count * (sum / count);
}

/* The square root of what a level of a variant adds to the cost: those of the estimator and of its
 * correction, sqrt(V~ C~) + sqrt(Vc Cc), where an approximate step costs `cost` and a step of a correction 1
 * + cost. */
static double root_of(const double variances[2], int v, double cost)
{
    if (v == 0) return sqrt(variances[0]);
    return sqrt(variances[0] * cost) + sqrt(variances[1] * (1 + cost));
}

/* What variant v costs at equal error, relative to exact normals and single precision; with VARIANTS each
 * level has the one that is best there of those of single precision and of half precision relative to S0. */
static double cost_of(int finest, double all[][VARIANTS][2], int v, double single_cost, double half_cost)
{
    double sum = 0, plain = 0;
    for (int level = 0; level <= finest; level++) {
        double least = INFINITY;
        for (int w = 0; w < VARIANTS; w++) {
            if (v < VARIANTS ? w != v : variants[w].format != MLMC_HALF_SINGLE && variants[w].path == PRICE)
                continue;
            least = fmin(least, root_of(all[level][w], w,
                                        variants[w].format == MLMC_HALF_SINGLE ? single_cost : half_cost));
        }
        sum += least * sqrt(ldexp(1, level));
        plain += sqrt(ldexp(all[level][0][0], level));
    }
    return sum / plain * (sum / plain);
}

static void print_costs(int finest, double all[][VARIANTS][2])
{
    static const double costs[][2] = {{0.75, 0.5}, {0.5, 0.375}, {0.5, 0.25}, {0.33, 0.17}, {0.2, 0.1}};
    printf("\ncost at equal error, of exact normals in single precision 1\n%-28s",
           "a step in single, in half costs");
    for (int i = 0; i < 5; i++) printf(" %5g,%5g", costs[i][0], costs[i][1]);
    for (int v = 1; v <= VARIANTS; v++) {
        printf("\n%-28s", v < VARIANTS ? variants[v].name : "the best on each level");
        for (int i = 0; i < 5; i++) printf(" %11.4f", cost_of(finest, all, v, costs[i][0], costs[i][1]));
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    const uint64_t samples = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000;
    const int finest = argc > 2 ? atoi(argv[2]) : 8;
    if (samples < 2 || finest < 0 || finest > MOST_LEVELS) return 2;
    static double all[MOST_LEVELS + 1][VARIANTS][2]; /* variances: of the difference, of the correction */
    printf("%5s  %-28s %12s %12s %12s %10s\n", "level", "normals, path", "variance", "of correction",
           "its mean", "V_c / V");
    for (int level = 0; level <= finest; level++) {
        struct sums sums[VARIANTS] = {{0, 0, 0, 0}};
        for (uint64_t i = 0; i < samples; i++) sample(level, i, sums);
        double exact = 0;
        for (int v = 0; v < VARIANTS; v++) {
            const double n = (double)samples, of = variance(sums[v].y, sums[v].yy, n),
                         c = variance(sums[v].c, sums[v].cc, n);
            if (v == 0) exact = of;
            printf("%5d  %-28s %12.4e %12.4e %12.4e %10.2e\n", level, variants[v].name, of, c, sums[v].c / n,
                   c / exact);
            all[level][v][0] = of;
            all[level][v][1] = c;
        }
    }
    print_costs(finest, all);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What half and bfloat16 paths would do in nested multilevel Monte Carlo (docs/mlmc-low-precision.md): the
 * variances of each level's difference, of the same with approximate normals and paths of 16 bits, and of the
 * correction. Arithmetic of 16 bits is made in double and rounded after each operation, a multiply-add once,
 * as devices do that have it; the increments are rounded too, and a coarse one is the rounded sum of two.
 *
 *     mlmc_half [SAMPLES [LEVELS]]        of each level, 100000 by default; levels 0 .. LEVELS, 8
 *
 * European call, S0 = K = 100, r = 0.05, volatility 0.2, T = 1, Milstein's scheme with 2^l steps. A path is S
 * itself, or Y = S / S0 - 1, whose increments are not lost beside 100.
 */
#include <bailey/advanced.h>
#include <bailey/device/approximate.h>
#include <bailey/device/normal.h>
#include <bailey/device/philox.h>

#include <stdio.h>
#include <stdlib.h>

#define MOST_LEVELS 12
#define RATE 0.05
#define SIGMA 0.2
#define SPOT 100.0

/* ---- Arithmetic of few bits ------------------------------------------------------------------ */

/* Bits of the significand, and the exponent of the smallest normal number. */
struct format {
    const char *name;
    int digits, least;
};
static const struct format single = {"single", 24, -126}, half = {"half", 11, -14},
                           bfloat = {"bfloat16", 8, -126};

/* To nearest even: adding and taking off a power of two leaves that many bits. Nothing here overflows. */
static double rounded(const struct format *f, double x)
{
    int exponent;
    if (x == 0) return x;
    (void)frexp(x, &exponent);
    if (exponent < f->least + 1) exponent = f->least + 1;
    const double big = ldexp(1.5, exponent - f->digits + 52);
    volatile double sum = x + big;
    return sum - big;
}

static double multiplied(const struct format *f, double a, double b, double c)
{
    return rounded(f, fma(a, b, c));
}

/* ---- Paths ----------------------------------------------------------------------------------- */

/* The growth of a step of length h: r h + s dW + s^2 (dW^2 - h) / 2. */
static double growth(const struct format *f, double h, double dw)
{
    const double a = rounded(f, rounded(f, SIGMA) * dw);
    const double drift = rounded(f, (RATE - SIGMA * SIGMA / 2) * h);
    return multiplied(f, a, multiplied(f, a, 0.5, 1), drift);
}

/* What a path of increments dw pays, without the discount. */
static double paid(const struct format *f, int relative, const double *dw, int steps)
{
    const double h = 1.0 / steps;
    double x = relative ? 0 : SPOT;
    for (int i = 0; i < steps; i++) {
        const double g = growth(f, h, dw[i]);
        x = relative ? rounded(f, x + multiplied(f, x, g, g)) : multiplied(f, x, g, x);
    }
    const double s = relative ? SPOT + SPOT * x : x;
    return s > SPOT ? s - SPOT : 0;
}

/* The difference of a fine path and of a coarse one of summed increments. */
static double difference(const struct format *f, int relative, const double *dw, int level)
{
    static double sum[1 << MOST_LEVELS];
    const int steps = 1 << level;
    const double fine = paid(f, relative, dw, steps);
    if (level == 0) return fine;
    for (int i = 0; i < steps / 2; i++) sum[i] = rounded(f, dw[2 * i] + dw[2 * i + 1]);
    return fine - paid(f, relative, sum, steps / 2);
}

/* ---- Levels ---------------------------------------------------------------------------------- */

static const struct variant {
    const char *name;
    int kind; /* of the normals; 0: exact */
    const struct format *format;
    int relative;
} variants[] = {
    {"exact, single", 0, &single, 0},
    {"CONSTANT, single", 1, &single, 0},
    {"DYADIC, single", 2, &single, 0},
    {"DYADIC, half, S", 2, &half, 0},
    {"DYADIC, half, S/S0 - 1", 2, &half, 1},
    {"CONSTANT, half, S/S0 - 1", 1, &half, 1},
    {"DYADIC, bfloat16, S/S0 - 1", 2, &bfloat, 1},
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
        word[i] = bailey_philox_words4(17, (uint64_t)level, (number << MOST_LEVELS) + (uint64_t)i).word[0];
    for (int v = 0; v < VARIANTS; v++) {
        const struct format *f = variants[v].format;
        const double root = rounded(f, sqrt(1.0 / steps));
        for (int i = 0; i < steps; i++)
            dw[i] = rounded(f, root * rounded(f, normal_of(variants[v].kind, word[i])));
        const double y = difference(f, variants[v].relative, dw, level);
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
            if (v < VARIANTS ? w != v : variants[w].format != &single && !variants[w].relative) continue;
            least = fmin(least,
                         root_of(all[level][w], w, variants[w].format == &single ? single_cost : half_cost));
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

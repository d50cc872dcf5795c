/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "mlmc_half_paths.h"

#include <bailey/advanced.h>
#include <bailey/device/approximate.h>
#include <bailey/device/normal.h>
#include <bailey/device/philox.h>

#include <math.h>
#include <string.h>

#define RATE 0.05
#define SIGMA 0.2
#define MOST_STEPS 4096
#define PATH_BITS 38 /* of a number's address, as in the library */

const struct mlmc_half_format mlmc_half_formats[MLMC_HALF_FORMATS] = {
    {"single", 24, -126}, {"half", 11, -14}, {"bfloat16", 8, -126}};

/* Adding and taking off a power of two leaves that many bits. */
double mlmc_half_rounded(const struct mlmc_half_format *f, double x)
{
    int exponent;
    if (x == 0) return x;
    (void)frexp(x, &exponent);
    if (exponent < f->least + 1) exponent = f->least + 1;
    const double big = ldexp(1.5, exponent - f->digits + 52);
    volatile double sum = x + big;
    return sum - big;
}

/* Of 24 digits double would round twice. Of 11 it does not: where the sum of a product of 22 bits and a
 * number of 11 does not fit double, the smaller one decides nothing that half precision sees. Of 8 neither,
 * as long as the two are not 2^30 times apart. */
static double multiplied(const struct mlmc_half_format *f, double a, double b, double c)
{
    if (f->digits == 24) return fmaf((float)a, (float)b, (float)c);
    return mlmc_half_rounded(f, fma(a, b, c));
}

struct mlmc_half_constants mlmc_half_constants_of(const struct mlmc_half_format *f, int steps)
{
    const double h = 1.0 / steps;
    return (struct mlmc_half_constants){.root = mlmc_half_rounded(f, sqrt(h)),
                                        .volatility = mlmc_half_rounded(f, SIGMA),
                                        .half_variance = mlmc_half_rounded(f, SIGMA * SIGMA / 2),
                                        .drift = mlmc_half_rounded(f, (RATE - SIGMA * SIGMA / 2) * h)};
}

double mlmc_half_end(const struct mlmc_half_format *f, int relative, const double *dw, int steps)
{
    const struct mlmc_half_constants c = mlmc_half_constants_of(f, steps);
    double x = relative ? 0 : MLMC_HALF_SPOT;
    for (int i = 0; i < steps; i++) {
        const double g = multiplied(f, dw[i], multiplied(f, c.half_variance, dw[i], c.volatility), c.drift);
        x = relative ? mlmc_half_rounded(f, x + multiplied(f, x, g, g)) : multiplied(f, x, g, x);
    }
    return x;
}

void mlmc_half_apart(const struct mlmc_half_format *f, const double *dw, int steps, double end[2])
{
    const struct mlmc_half_constants c = mlmc_half_constants_of(f, steps),
                                     coarse = mlmc_half_constants_of(f, steps / 2);
    double d = 0, y = 0;
    for (int i = 0; i < steps; i += 2) {
        double a[2], r[2];
        for (int k = 0; k < 2; k++) {
            const double w = dw[i + k];
            a[k] = mlmc_half_rounded(f, c.volatility * w);
            r[k] = multiplied(f, mlmc_half_rounded(f, c.half_variance * w), w, c.drift);
        }
        const double first = mlmc_half_rounded(f, a[0] + r[0]), sum = mlmc_half_rounded(f, dw[i] + dw[i + 1]);
        const double e = multiplied(f, first, r[1], mlmc_half_rounded(f, a[1] * r[0]));
        const double g =
            multiplied(f, sum, multiplied(f, coarse.half_variance, sum, coarse.volatility), coarse.drift);
        const double fine = mlmc_half_rounded(f, g + e);
        d = mlmc_half_rounded(f, d + multiplied(f, fine, d, multiplied(f, e, y, e)));
        y = mlmc_half_rounded(f, y + multiplied(f, y, g, g));
    }
    end[0] = d, end[1] = y;
}

void mlmc_half_keys(uint32_t word[20])
{
    const bailey_philox_keys keys = bailey_philox_keys_of(MLMC_HALF_SEED);
    memcpy(word, keys.word, sizeof keys.word);
}

int mlmc_half_is_apart(int format) { return format != MLMC_HALF_SINGLE; }

/* The words of number k of a sample, moved so that its bits are the first. */
static uint32_t word_of(int kind, enum mlmc_half_form form, int level, uint64_t number, uint64_t k)
{
    const int halves = form == MLMC_HALF_DIFFERENCE && kind != 0;
    const uint64_t row = halves ? k >> 1 : k, sample = form == MLMC_HALF_SHARED ? number >> 1 : number;
    const uint64_t last = form == MLMC_HALF_SHARED ? number & 1 : halves ? k & 1 : 0;
    const bailey_philox_block block =
        bailey_philox_words4(MLMC_HALF_SEED, (uint64_t)level, (row << PATH_BITS | sample) >> 2);
    return block.word[sample & 3] << (last ? 16 : 0);
}

static double normal_of(int kind, uint32_t word)
{
    return kind ? bailey_normal_approximate_f32(kind, bailey_approximate_table_data(NULL), word)
                : bailey_normal_icdf_f32(bailey_normal_table_data(BAILEY_PRECISION_F32, NULL), word);
}

void mlmc_half_ends(int kind, int format, enum mlmc_half_form form, int level, uint64_t number, double end[2])
{
    const struct mlmc_half_format *f = &mlmc_half_formats[format];
    const int steps = 1 << level;
    const double root = mlmc_half_constants_of(f, steps).root;
    double dw[MOST_STEPS], sum[MOST_STEPS / 2];
    for (int i = 0; i < steps; i++) {
        const uint32_t word = word_of(kind, form, level, number, (uint64_t)i);
        dw[i] = mlmc_half_rounded(f, root * mlmc_half_rounded(f, normal_of(kind, word)));
    }
    if (level && mlmc_half_is_apart(format)) {
        mlmc_half_apart(f, dw, steps, end);
        return;
    }
    for (int i = 0; i < steps / 2; i++) sum[i] = mlmc_half_rounded(f, dw[2 * i] + dw[2 * i + 1]);
    end[0] = mlmc_half_end(f, 1, dw, steps);
    end[1] = level ? mlmc_half_end(f, 1, sum, steps / 2) : 0;
}

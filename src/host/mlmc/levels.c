/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The statistics of a run's levels: the sums over their samples, and how means, variances and costs continue
 * from level to level, by regressions and extrapolations.
 */
#include "driver.h"

#include <bailey/device/elementary.h>
#include <base/alloc.h>
#include <base/status.h>

#include <math.h>
#include <string.h>

#define LN2 0x1.62e42fefa39efp-1

uint64_t bly_samples_round_up(uint64_t samples)
{
    uint64_t grain = BLY_LEVEL_GRAIN;
    while (samples >> BLY_SAMPLES_BITS >= grain) grain *= 2;
    return (samples + (grain - 1)) / grain * grain;
}

/* ---- Sums ---------------------------------------------------------------------------------------- */

static bailey_status take_memory(struct bly_term_sums *sums)
{
    const uint32_t terms = sums->kinds * BAILEY_MLMC_MAX_LEVELS;
    sums->tree = bly_alloc(terms, sizeof *sums->tree);
    for (uint32_t t = 0; sums->tree && t < terms; t++) {
        struct bly_tree *tree = &sums->tree[t];
        tree->rows = tree->sums = sums->rows;
        tree->value = bly_alloc((size_t)BLY_MOST_NODES * sums->rows, sizeof *tree->value);
        if (!tree->value) return BAILEY_ERROR_MEMORY;
    }
    return sums->tree ? BAILEY_OK : BAILEY_ERROR_MEMORY;
}

bailey_status bly_term_sums_create(uint32_t rows, uint32_t kinds, struct bly_term_sums *sums)
{
    memset(sums, 0, sizeof *sums);
    sums->rows = rows;
    sums->kinds = kinds;
    if (take_memory(sums) == BAILEY_OK) return BAILEY_OK;
    return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for the sums of levels");
}

void bly_term_sums_free(struct bly_term_sums *sums)
{
    for (uint32_t t = 0; sums->tree && t < sums->kinds * BAILEY_MLMC_MAX_LEVELS; t++)
        bly_free(sums->tree[t].value);
    bly_free(sums->tree);
    memset(sums, 0, sizeof *sums);
}

void bly_term_sums_add(struct bly_term_sums *sums, uint32_t term, uint32_t height, uint64_t number,
                       const double *value, uint64_t stride)
{
    bly_tree_add(&sums->tree[term], height, number, value, stride);
    sums->samples[term] = (number + 1) << height;
}

void bly_term_sums_clear(struct bly_term_sums *sums, uint32_t term)
{
    sums->tree[term].count = 0;
    sums->samples[term] = 0;
}

void bly_term_sums_move(struct bly_term_sums *from, struct bly_term_sums *to, uint32_t term)
{
    const struct bly_tree tree = to->tree[term];
    to->tree[term] = from->tree[term];
    to->samples[term] = from->samples[term];
    from->tree[term] = tree;
    bly_term_sums_clear(from, term);
}

/* In a copy: nodes of the tree wait for samples that may still come. */
void bly_term_sums_read(const struct bly_term_sums *sums, uint32_t term, double row[BLY_LEVEL_ROWS])
{
    double value[BLY_MOST_NODES * BLY_LEVEL_ROWS];
    struct bly_tree tree = sums->tree[term];
    memcpy(value, tree.value, (size_t)tree.count * tree.rows * sizeof *value);
    tree.value = value;
    bly_tree_finish(&tree);
    memcpy(row, value, sums->rows * sizeof *row);
}

/* ---- From level to level ------------------------------------------------------------------------- */

double bly_log2_of(double x) { return bailey_log_f64(x) / LN2; }

double bly_power_of_2(double x) { return bailey_exp_f64(x * LN2); }

double bly_variance_of(double sum, double squares, double count)
{
    const double mean = sum / count, variance = fma(-mean, mean, squares / count);
    return variance > 0 ? variance : 0;
}

/* As many samples as the last ones lead to expect for BLY_ENOUGH_SEEN, with a quarter to spare; but no more
 * than four times what there are, as those seen may be few by chance, and at least 5 % more, as less than 1 %
 * makes no round (driver.c). */
double bly_samples_to_know(double n, double seen, double size, double allowed)
{
    const double doubt = seen > 0 ? 1 + 10 / seen : 1; /* of a size that few samples have made */
    const double most = size > 0 ? ceil(sqrt(16 * (doubt * size * ((seen + 3) / allowed)))) : BLY_BLIND;
    if (n == 0 || seen >= BLY_ENOUGH_SEEN || n >= 0.99 * most) return 0; /* numbers are rounded by 1 % */
    const double guess = n * fmin(4, 1.25 * BLY_ENOUGH_SEEN / fmax(seen, 1));
    return fmin(most, fmax(guess, 1.05 * n));
}

double bly_slope_of(const double *value, uint32_t finest, double sign)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (uint32_t l = 1; l <= finest; l++) {
        if (!(value[l] > 0)) continue;
        const double log = bly_log2_of(value[l]);
        n += 1;
        x += l;
        y += log;
        xx += (double)l * l;
        xy = fma(l, log, xy);
    }
    const double spread = fma(n, xx, -(x * x)); /* integers: exact */
    return spread > 0 ? sign * (fma(n, xy, -(x * y)) / spread) : NAN;
}

double bly_order_of(const double *value, uint32_t finest, double sign)
{
    const double slope = bly_slope_of(value, finest, sign);
    return slope > BLY_LEAST_ORDER ? slope : BLY_LEAST_ORDER;
}

/* At least what the level before them leaves if they fall by `order`. */
static void raise_values(double *value, uint32_t finest, double order)
{
    for (uint32_t l = 2; l <= finest; l++) {
        const double least = value[l - 1] / bly_power_of_2(order);
        if (value[l] < least) value[l] = least;
    }
}

/* Giles's programs raise values that are below half of what the order leads to expect (hence order + 1), by
 * the order that they found before, then regress. That does not bound the order: one value near 0 by chance
 * makes it large, which leaves the value small. So values are first raised by the most that an order may be:
 * then no regression finds more, whatever the values are. */
double bly_settle_values(double *value, uint32_t finest, double given, double most)
{
    double order = given;
    if (!(order > 0)) {
        raise_values(value, finest, most);
        order = bly_order_of(value, finest, -1);
    }
    raise_values(value, finest, order + 1);
    return order;
}

/* Giles's rule of the last three levels, as one mean may be near 0 by chance. If means fall by 2^alpha a
 * level, what is beyond the finest level, of mean m, is m (2^-alpha + 2^-2alpha + ...) = m / (2^alpha - 1).
 */
double bly_bias_of(const double *magnitude, uint32_t finest, double alpha, int given)
{
    const double order = given || alpha < BLY_MOST_BIAS_ORDER ? alpha : BLY_MOST_BIAS_ORDER;
    double most = 0;
    for (uint32_t i = 0; i < 3 && i < finest; i++) {
        const double m = magnitude[finest - i] / bly_power_of_2(order * i);
        if (m > most) most = m;
    }
    return most / (bly_power_of_2(order) - 1);
}

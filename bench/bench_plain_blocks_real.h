/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * No header: the part of bench_plain_blocks.c that is there in both precisions, of type
 * `real`, made from words of type `word`.
 */
#include <tgmath.h>

/* A block of samples: the fine and the coarse path, and what options keep of each. */
struct NAME(block) {
    real x[BLOCK], y[BLOCK], a[BLOCK], b[BLOCK];
    real z[4][BLOCK], u[2][BLOCK];
    real fine[BLOCK], coarse[BLOCK]; /* payoffs */
};

/* ---- Numbers ---- */

/* Box and Muller. A loop with both sine and cosine would call sincos, of which there is no vector function.
 */
INLINE void NAME(box_muller)(const word *restrict words, real *restrict out, int half, int is_philox)
{
    real radius[BLOCK / 2], angle[BLOCK / 2];
    for (int i = 0; i < half; i++) radius[i] = sqrt(-2 * log(NAME(uniform)(words[i], is_philox)));
    for (int i = 0; i < half; i++)
        angle[i] = (real)6.283185307179586477 * NAME(uniform)(words[half + i], is_philox);
    for (int i = 0; i < half; i++) out[i] = radius[i] * cos(angle[i]);
    for (int i = 0; i < half; i++) out[half + i] = radius[i] * sin(angle[i]);
}

VECTORS static void NAME(normals)(struct plain_source *source, real *restrict out, int count)
{
    _Alignas(64) word words[BLOCK];
    fill_words(source, words, count * (int)sizeof *words);
    if (source->is_philox)
        NAME(box_muller)(words, out, count / 2, 1);
    else
        NAME(box_muller)(words, out, count / 2, 0);
}

VECTORS static void NAME(uniforms)(struct plain_source *source, real *restrict out, int count)
{
    _Alignas(64) word words[BLOCK];
    const int is_philox = source->is_philox;
    fill_words(source, words, count * (int)sizeof *words);
    for (int i = 0; i < count; i++) out[i] = NAME(uniform)(words[i], is_philox);
}

/* ---- Steps ---- */

/* s (1 + ...) would round each step's factor near 1, the same way in most: a bias. */
INLINE real NAME(milstein)(real s, real h, real dw)
{
    const real rate = (real)RATE, volatility = (real)VOLATILITY;
    return s + s * (rate * h + volatility * dw + volatility * volatility / 2 * (dw * dw - h));
}

INLINE real NAME(positive)(real x) { return x > 0 ? x : 0; }

INLINE real NAME(gain)(real x) { return NAME(positive)(x - STRIKE); }

INLINE real NAME(phi)(real x) { return erfc(x * (real)-0.70710678118654752440) / 2; }

/* The extremes of a path in a step from x to y (above 0), with g its volatility: its least value, by
 * inversion of the distribution of a Brownian bridge's minimum, and the probability that it stayed above the
 * barrier. */
INLINE real NAME(least)(real x, real y, real g, real h, real u)
{
    return (x + y - sqrt((y - x) * (y - x) - 2 * h * g * g * log(u))) / 2;
}

INLINE real NAME(survival)(real x, real y, real g, real h)
{
    const real gap = (x - BARRIER) * (y - BARRIER);
    const real exponent = 2 * (gap > 0 ? gap : 0) / (h * g * g);
    return 1 - exp(-fmin(exponent, (real)80)); /* smaller ones are slow, and change nothing */
}

/* Where a coarse path is in the middle of its step from x to y, by the difference of the increments. */
INLINE real NAME(middle)(real x, real y, real g, real difference) { return (x + y + g * difference) / 2; }

VECTORS static void NAME(first_european)(struct NAME(block) *restrict p, int n)
{
    for (int i = 0; i < n; i++) p->x[i] = NAME(milstein)(p->x[i], 1, p->z[0][i]);
}

VECTORS static void NAME(pair_european)(struct NAME(block) *restrict p, int n, real h, int last)
{
    const real root = sqrt(h);
    (void)last;
    for (int i = 0; i < n; i++) {
        const real v = root * p->z[0][i], w = root * p->z[1][i];
        p->x[i] = NAME(milstein)(NAME(milstein)(p->x[i], h, v), h, w);
        p->y[i] = NAME(milstein)(p->y[i], 2 * h, v + w);
    }
}

VECTORS static void NAME(payoff_european)(const real *restrict x, const real *restrict tracked, int n, real h,
                                          real *restrict out)
{
    (void)tracked, (void)h;
    for (int i = 0; i < n; i++) out[i] = NAME(gain)(x[i]);
}

/* A step's part of the average: the trapezium, and the integral of the Brownian bridge over it. */
VECTORS static void NAME(first_asian)(struct NAME(block) *restrict p, int n)
{
    const real volatility = (real)VOLATILITY, root = sqrt((real)1 / 12);
    for (int i = 0; i < n; i++) {
        const real x = p->x[i], next = NAME(milstein)(x, 1, p->z[0][i]);
        p->a[i] = (x + next) / 2 + volatility * x * root * p->z[1][i];
    }
}

VECTORS static void NAME(pair_asian)(struct NAME(block) *restrict p, int n, real h, int last)
{
    const real volatility = (real)VOLATILITY, root = sqrt(h), bridge = sqrt(h * h * h / 12);
    (void)last;
    for (int i = 0; i < n; i++) {
        const real v = root * p->z[0][i], w = root * p->z[1][i], j = bridge * p->z[2][i],
                   k = bridge * p->z[3][i], x = p->x[i], y = p->y[i], middle = NAME(milstein)(x, h, v),
                   end = NAME(milstein)(middle, h, w), coarse = NAME(milstein)(y, 2 * h, v + w);
        p->a[i] += h * (x / 2 + middle + end / 2) + volatility * (x * j + middle * k);
        p->b[i] += h * (y + coarse) + volatility * y * (j + k + h / 2 * (v - w));
        p->x[i] = end;
        p->y[i] = coarse;
    }
}

VECTORS static void NAME(payoff_asian)(const real *restrict x, const real *restrict tracked, int n, real h,
                                       real *restrict out)
{
    (void)x, (void)h;
    for (int i = 0; i < n; i++) out[i] = NAME(gain)(tracked[i]);
}

VECTORS static void NAME(first_lookback)(struct NAME(block) *restrict p, int n)
{
    const real volatility = (real)VOLATILITY;
    for (int i = 0; i < n; i++) {
        const real x = p->x[i], next = NAME(milstein)(x, 1, p->z[0][i]);
        p->a[i] = NAME(least)(x, next, volatility * x, 1, p->u[0][i]);
        p->x[i] = next;
    }
}

VECTORS static void NAME(pair_lookback)(struct NAME(block) *restrict p, int n, real h, int last)
{
    const real volatility = (real)VOLATILITY, root = sqrt(h);
    (void)last;
    for (int i = 0; i < n; i++) {
        const real v = root * p->z[0][i], w = root * p->z[1][i], t = p->u[0][i], u = p->u[1][i], x = p->x[i],
                   y = p->y[i], g = volatility * y, middle = NAME(milstein)(x, h, v),
                   end = NAME(milstein)(middle, h, w), coarse = NAME(milstein)(y, 2 * h, v + w),
                   between = NAME(middle)(y, coarse, g, v - w);
        p->a[i] = fmin(p->a[i], fmin(NAME(least)(x, middle, volatility * x, h, t),
                                     NAME(least)(middle, end, volatility * middle, h, u)));
        p->b[i] =
            fmin(p->b[i], fmin(NAME(least)(y, between, g, h, t), NAME(least)(between, coarse, g, h, u)));
        p->x[i] = end;
        p->y[i] = coarse;
    }
}

VECTORS static void NAME(payoff_lookback)(const real *restrict x, const real *restrict tracked, int n, real h,
                                          real *restrict out)
{
    (void)h;
    for (int i = 0; i < n; i++) out[i] = x[i] - tracked[i];
}

/* The last step is an expectation, of what the first half of it leaves open: x and y stay where it begins, a
 * and b are the means of what follows. */
VECTORS static void NAME(first_digital)(struct NAME(block) *restrict p, int n)
{
    for (int i = 0; i < n; i++) p->a[i] = p->x[i] * (1 + (real)RATE);
}

VECTORS static void NAME(pair_digital)(struct NAME(block) *restrict p, int n, real h, int last)
{
    const real rate = (real)RATE, volatility = (real)VOLATILITY, root = sqrt(h);
    if (!last) {
        NAME(pair_european)(p, n, h, last);
        return;
    }
    for (int i = 0; i < n; i++) {
        const real v = root * p->z[0][i];
        p->x[i] = NAME(milstein)(p->x[i], h, v);
        p->a[i] = p->x[i] * (1 + rate * h);
        p->b[i] = p->y[i] * (1 + rate * 2 * h + volatility * v);
    }
}

VECTORS static void NAME(payoff_digital)(const real *restrict x, const real *restrict tracked, int n, real h,
                                         real *restrict out)
{
    const real deviation = (real)VOLATILITY * sqrt(h);
    for (int i = 0; i < n; i++) out[i] = STRIKE * NAME(phi)((tracked[i] - STRIKE) / (deviation * x[i]));
}

VECTORS static void NAME(first_barrier)(struct NAME(block) *restrict p, int n)
{
    const real volatility = (real)VOLATILITY;
    for (int i = 0; i < n; i++) {
        const real x = p->x[i], next = NAME(milstein)(x, 1, p->z[0][i]);
        p->a[i] = NAME(survival)(x, next, volatility * x, 1);
        p->x[i] = next;
    }
}

VECTORS static void NAME(pair_barrier)(struct NAME(block) *restrict p, int n, real h, int last)
{
    const real volatility = (real)VOLATILITY, root = sqrt(h);
    (void)last;
    for (int i = 0; i < n; i++) {
        const real v = root * p->z[0][i], w = root * p->z[1][i], x = p->x[i], y = p->y[i], g = volatility * y,
                   middle = NAME(milstein)(x, h, v), end = NAME(milstein)(middle, h, w),
                   coarse = NAME(milstein)(y, 2 * h, v + w), between = NAME(middle)(y, coarse, g, v - w);
        p->a[i] *= NAME(survival)(x, middle, volatility * x, h) *
                   NAME(survival)(middle, end, volatility * middle, h);
        p->b[i] *= NAME(survival)(y, between, g, h) * NAME(survival)(between, coarse, g, h);
        p->x[i] = end;
        p->y[i] = coarse;
    }
}

VECTORS static void NAME(payoff_barrier)(const real *restrict x, const real *restrict tracked, int n, real h,
                                         real *restrict out)
{
    (void)h;
    for (int i = 0; i < n; i++) out[i] = tracked[i] * NAME(gain)(x[i]);
}

/* ---- Levels ---- */

static const struct NAME(option) {
    void (*first)(struct NAME(block) *, int n); /* the only step of level 0 */
    void (*pair)(struct NAME(block) *, int n, real h, int last);
    void (*payoff)(const real *x, const real *tracked, int n, real h, real *out); /* of either path */
    int normals, uniforms;                                                        /* of a fine step */
    real start; /* what a and b are at first */
} NAME(options)[PLAIN_OPTIONS] = {
    {NAME(first_european), NAME(pair_european), NAME(payoff_european), 1, 0, 0},
    {NAME(first_asian), NAME(pair_asian), NAME(payoff_asian), 2, 0, 0},
    {NAME(first_lookback), NAME(pair_lookback), NAME(payoff_lookback), 1, 1, SPOT},
    {NAME(first_digital), NAME(pair_digital), NAME(payoff_digital), 1, 0, 0},
    {NAME(first_barrier), NAME(pair_barrier), NAME(payoff_barrier), 1, 0, 1},
};

static void NAME(draw)(struct plain_source *source, const struct NAME(option) * option, int steps,
                       struct NAME(block) * p, int n)
{
    for (int i = 0; i < steps * option->normals; i++) NAME(normals)(source, p->z[i], n);
    for (int i = 0; i < steps * option->uniforms; i++) NAME(uniforms)(source, p->u[i], n);
}

VECTORS static void NAME(begin)(struct NAME(block) *restrict p, int n, real start)
{
    for (int i = 0; i < n; i++) p->x[i] = SPOT;
    for (int i = 0; i < n; i++) p->y[i] = SPOT;
    for (int i = 0; i < n; i++) p->a[i] = start;
    for (int i = 0; i < n; i++) p->b[i] = start;
}

/* n samples, a multiple of CHUNK. */
static void NAME(make)(struct plain_source *source, const struct NAME(option) * option, unsigned level,
                       struct NAME(block) * p, int n)
{
    const int pairs = level ? 1 << (level - 1) : 0;
    const real h = (real)1 / (real)(1 << level);
    NAME(begin)(p, n, option->start);
    if (!level) {
        NAME(draw)(source, option, 1, p, n);
        option->first(p, n);
    }
    for (int i = 0; i < pairs; i++) {
        NAME(draw)(source, option, 2, p, n);
        option->pair(p, n, h, i == pairs - 1);
    }
    option->payoff(p->x, p->a, n, h, p->fine);
    if (level) option->payoff(p->y, p->b, n, h, p->coarse);
}

/* n payoffs and zeros up to a multiple of CHUNK; as many sums as lanes, since addition is not associative. */
VECTORS static void NAME(add)(const real *restrict y, int n, struct plain_level_sums *sums)
{
    const double discount = 0.95122942450071400910; /* exp(-RATE) */
    double sum[CHUNK] = {0}, squares[CHUNK] = {0};
    for (int i = 0; i < n; i += CHUNK) {
        for (int j = 0; j < CHUNK; j++) {
            const double value = discount * (double)y[i + j];
            sum[j] += value;
            squares[j] += value * value;
        }
    }
    for (int j = 0; j < CHUNK; j++) {
        sums->y += sum[j];
        sums->y2 += squares[j];
    }
}

VECTORS static void NAME(subtract)(real *restrict fine, const real *restrict coarse, int n)
{
    for (int i = 0; i < n; i++) fine[i] -= coarse[i];
}

void NAME(plain_level)(struct plain_source *source, enum plain_option option, unsigned level,
                       uint64_t samples, struct plain_level_sums *sums)
{
    struct NAME(block) block;
    while (samples) {
        const int n = (int)(samples < BLOCK ? samples : BLOCK), padded = (n + CHUNK - 1) / CHUNK * CHUNK;
        NAME(make)(source, &NAME(options)[option], level, &block, padded);
        if (level) NAME(subtract)(block.fine, block.coarse, padded);
        for (int i = n; i < padded; i++) block.fine[i] = 0;
        NAME(add)(block.fine, padded, sums);
        samples -= (uint64_t)n;
    }
}

/* ---- The basket ---- */

struct NAME(basket) {
    real x[DEAL_ASSETS][BLOCK], z[DEAL_ASSETS][BLOCK], sum[BLOCK];
};

/* Lower triangles alone: an asset depends on its own normals and those before it. */
VECTORS static void NAME(fixing)(const struct NAME(deal) *restrict deal, struct NAME(basket) *restrict p)
{
    const real *factor = deal->factor;
    for (int i = 0; i < DEAL_ASSETS; i++) {
        const real drift = deal->drift[i];
        for (int n = 0; n < BLOCK; n++) p->x[i][n] += drift;
        for (int j = 0; j <= i; j++, factor++) {
            const real f = *factor;
            for (int n = 0; n < BLOCK; n++) p->x[i][n] += f * p->z[j][n];
        }
        for (int n = 0; n < BLOCK; n++) p->sum[n] += exp(p->x[i][n]);
    }
}

VECTORS static void NAME(add_calls)(const real *restrict sum, real strike, int n, struct plain_sums *sums)
{
    double values = 0, squares = 0;
    for (int i = 0; i < n; i++) {
        const double value = (double)NAME(positive)(sum[i] / DEAL_FIXINGS - strike);
        values += value;
        squares += value * value;
    }
    sums->sum += values;
    sums->squares += squares;
}

struct plain_sums NAME(plain_paths)(struct plain_source *source, const struct NAME(deal) *deal, uint64_t paths)
{
    struct NAME(basket) p;
    struct plain_sums sums = {0, 0};
    for (uint64_t done = 0; done < paths; done += BLOCK) {
        for (int n = 0; n < BLOCK; n++) p.sum[n] = 0;
        for (int i = 0; i < DEAL_ASSETS; i++)
            for (int n = 0; n < BLOCK; n++) p.x[i][n] = deal->start[i];
        for (int fixing = 0; fixing < DEAL_FIXINGS; fixing++) {
            for (int i = 0; i < DEAL_ASSETS; i++) NAME(normals)(source, p.z[i], BLOCK);
            NAME(fixing)(deal, &p);
        }
        NAME(add_calls)(p.sum, deal->strike, paths - done < BLOCK ? (int)(paths - done) : BLOCK, &sums);
    }
    return sums;
}

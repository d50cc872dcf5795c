/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The body of mlmc_reference.c: `real`, OF(name) of its functions, FN(name) of C's.
 */

/* A path: its price, the one a step before, and what each option knows besides. */
struct OF(path) {
    real price, before, integral, lowest, lives;
};

static struct OF(path) OF(begin)(const struct mlmc_reference *r)
{
    const real spot = (real)r->spot;
    return (struct OF(path)){spot, spot, 0, spot, 1};
}

static real OF(milstein)(const struct mlmc_reference *r, real s, real h, real dw)
{
    const real b = (real)r->volatility * s;
    return s + (real)(r->rate - r->dividend) * s * h + b * dw + (real)r->volatility * b * (dw * dw - h) / 2;
}

/* The minimum between x and y, which are h apart in time. */
static real OF(minimum)(real x, real y, real b, real h, real u)
{
    return (x + y - FN(sqrt)((y - x) * (y - x) - 2 * b * b * h * FN(log)(u))) / 2;
}

static real OF(survival)(const struct mlmc_reference *r, real x, real y, real b, real h)
{
    const real barrier = (real)r->barrier;
    const real above = FN(fmax)(x - barrier, 0) * FN(fmax)(y - barrier, 0);
    return 1 - FN(exp)(-2 * above / (b * b * h));
}

static void OF(fine_step)(const struct mlmc_reference *r, struct OF(path) * p, real h, real dw, real other)
{
    const real x = p->price, y = OF(milstein)(r, x, h, dw), b = (real)r->volatility * x;
    if (r->option == MLMC_ASIAN) p->integral += h * (x + y) / 2 + b * FN(sqrt)(h * h * h / 12) * other;
    if (r->option == MLMC_LOOKBACK) p->lowest = FN(fmin)(p->lowest, OF(minimum)(x, y, b, h, other));
    if (r->option == MLMC_BARRIER) p->lives *= OF(survival)(r, x, y, b, h);
    p->before = x;
    p->price = y;
}

/* A step of length 2 h, of whose halves the numbers are given. */
static void OF(coarse_step)(const struct mlmc_reference *r, struct OF(path) * p, real h, const real dw[2],
                            const real other[2])
{
    const real x = p->price, y = OF(milstein)(r, x, 2 * h, dw[0] + dw[1]), b = (real)r->volatility * x;
    const real d = dw[0] - dw[1], middle = (x + y + b * d) / 2;
    const real root = FN(sqrt)(h * h * h / 12);
    if (r->option == MLMC_ASIAN)
        p->integral += h * (x + y) + b * (root * other[0] + root * other[1] + 2 * h * d / 4);
    if (r->option == MLMC_LOOKBACK) {
        p->lowest = FN(fmin)(p->lowest, OF(minimum)(x, middle, b, h, other[0]));
        p->lowest = FN(fmin)(p->lowest, OF(minimum)(middle, y, b, h, other[1]));
    }
    if (r->option == MLMC_BARRIER)
        p->lives *= OF(survival)(r, x, middle, b, h) * OF(survival)(r, middle, y, b, h);
    p->before = x;
    p->price = y;
}

/* The payoff of a path. Three arguments describe the last step of a digital option's path: its length, the
 * part of its dW that is known, and the time that the rest of dW takes. */
static real OF(pays)(const struct mlmc_reference *r, const struct OF(path) * p, real step, real known,
                     real rest)
{
    const real discount = FN(exp)((real)(-r->rate * r->time)), strike = (real)r->strike;
    const real x = p->before, b = (real)r->volatility * x;
    const real mean = x + (real)(r->rate - r->dividend) * x * step + b * known;
    switch (r->option) {
    case MLMC_ASIAN: return discount * FN(fmax)(p->integral / (real)r->time - strike, 0);
    case MLMC_LOOKBACK: return discount * (p->price - p->lowest);
    case MLMC_DIGITAL:
        return discount * (real)r->cash *
               (FN(erfc)(-(mean - strike) / (b * FN(sqrt)(rest)) / FN(sqrt)(2)) / 2);
    case MLMC_BARRIER: return discount * p->lives * FN(fmax)(p->price - strike, 0);
    default: return discount * FN(fmax)(p->price - strike, 0);
    }
}

void OF(mlmc_reference)(const struct mlmc_reference *r, uint32_t steps, int coarse, const real *z,
                        const real *other, uint64_t stride, double out[2])
{
    const int has_other = r->option == MLMC_ASIAN || r->option == MLMC_LOOKBACK;
    const real h = (real)(r->time / steps), root = FN(sqrt)(h);
    struct OF(path) fine = OF(begin)(r), rough = fine;
    real dw[2] = {0, 0}, o[2] = {0, 0};
    for (uint32_t i = 0; i < steps; i++) {
        dw[i % 2] = root * z[i * stride];
        if (has_other) o[i % 2] = other[i * stride];
        OF(fine_step)(r, &fine, h, dw[i % 2], o[i % 2]);
        if (coarse && i % 2) OF(coarse_step)(r, &rough, h, dw, o);
    }
    out[0] = OF(pays)(r, &fine, h, 0, h);
    out[1] = coarse ? OF(pays)(r, &rough, 2 * h, dw[0], h) : 0;
}

void OF(mlmc_reference_sums)(const struct mlmc_reference *r, uint32_t steps, int coarse, const real *z,
                             const real *other, uint64_t stride, uint64_t count, double sums[6])
{
    for (int k = 0; k < 6; k++) sums[k] = 0;
    for (uint64_t i = 0; i < count; i++) {
        double pays[2];
        OF(mlmc_reference)(r, steps, coarse, z + i, other ? other + i : other, stride, pays);
        const double y = pays[0] - pays[1];
        const double terms[6] = {y, y * y, y * y * y, y * y * y * y, pays[0], pays[0] * pays[0]};
        for (int k = 0; k < 6; k++) sums[k] += terms[k];
    }
}

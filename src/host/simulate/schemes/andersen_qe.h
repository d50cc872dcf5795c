/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Andersen's QE scheme with martingale correction (2008), in the payoff language: tools/builtins.c puts it into
 * the code of heston, as a payoff and as a model, and of cir.
 */

/* The variance after a step, and the change of the logarithm of the price less its drift. */
typedef struct {
    real variance, change;
} qe_step;

/* From the variance v over a time dt, with increments divided by dt of two independent Brownian motions: y moves
 * the variance, x the rest of the price.
 *
 * A step of the variance has the exact mean and variance; it is a shifted normal variate squared, or, near 0,
 * exponential with a mass at 0. The price has the exact mean unless correlation and sigma are so large that the
 * scheme has none. Andersen's K1 cancels against his K0*: given v, the next variance w and an independent normal
 * variate, the change of log S is
 *
 *     A w - log E exp(A w) - h / 2 + sqrt(h) z0,    h = (1 - correlation^2) dt (v + w) / 2,
 *     A = lead / sigma,    lead = correlation (1 + reversion dt / 2 - correlation sigma dt / 4).
 *
 * Written with spread = (standard deviation of w) / sigma, nothing is divided by sigma, which may be 0.
 * Floors keep roots and quotients off 0, where they have no derivative. The two laws agree in mean and
 * variance alone, so paths jump at the comparison: its bounds keep the default width of gradients narrow, and
 * the factor 1 + share, which varies, keeps it from being that of the step before where v stays 0. Derivatives take both
 * branches: `low` and `high` keep each of them within its law where the other one is taken. */
qe_step qe(real v, real dt, real reversion, real mean_variance, real sigma, real correlation, real y, real x)
{
    const real switch_at = 1.224744871391589, least = 1e-30; /* psi = 1.5, where both schemes exist */
    const real root_dt = sqrt(dt), z = root_dt * y;
    const real decay = exp(-reversion * dt), lost = 1 - decay;
    const real kept = v * decay, gained = mean_variance * lost;
    const real mean = fmax(kept + gained, 1e-15);
    const real spread = sqrt(fmax(lost / reversion * (kept + 0.5 * gained), least));
    const real ratio = sigma * spread / mean; /* the root of Andersen's psi */
    const real share = normal_cdf(-z), beyond = fmax(fmin(ratio - switch_at, 0.1), -0.1);
    const int is_normal = beyond * (1 + share) <= 0;
    const real lead = correlation * (1 + dt * (0.5 * reversion - 0.25 * correlation * sigma));

    real w, risen, weight, inner;
    if (is_normal) {
        /* w = mean (root + noise z)^2 with root^2 + noise^2 = 1. */
        const real low = is_normal ? ratio : switch_at;
        const real square = sqrt(1 - 0.5 * low * low), root = sqrt(square);
        const real half = spread / sqrt(2 + 2 * square), noise = sigma * half / mean, lean = lead * half;
        const real shape = fmax(1 - 2 * lean * noise, 0.0625);
        const real normal = root + noise * z;
        w = mean * normal * normal;
        risen = lean * z * (2 * root + noise * z) - 2 * lean * lean * square / shape;
        weight = 0.5;
        inner = shape;
    } else {
        /* w = scale gain, where gain is 0 with probability 1 - tail, else exponential. */
        const real high = is_normal ? switch_at : ratio;
        const real tail = 2 / (1 + high * high), reach = spread / (tail * high), pull = lead * reach;
        const real gain = fmax(log(tail / share), 0);
        const real moment = 1 - tail + tail / fmax(1 - pull, 0.0625);
        w = sigma * reach * gain;
        risen = pull * gain;
        weight = -1;
        inner = moment;
    }
    const real rest = 0.5 * (1 - correlation * correlation), sum = fmax(v + w, least);
    qe_step next;
    next.variance = w;
    next.change = risen + weight * log(inner) + dt * (sqrt(rest) * sqrt(sum) * x - 0.5 * rest * sum);
    return next;
}

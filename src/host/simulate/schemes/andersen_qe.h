/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Andersen's QE scheme with martingale correction (2008), in the payoff language: tools/builtins.c puts it into
 * the code of heston, as a payoff and as a model, and of cir.
 */

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
 * Floors keep roots and quotients off 0, where they have no derivative. */
typedef struct {
    real mean, spread; /* of the next variance w */
    real ratio;        /* the root of Andersen's psi */
    real sigma, lead;
    real z; /* the normal variate of w */
    int is_normal;
} qe_law;

/* w, and what it gives to the change of log S: risen + weight log(inner). */
typedef struct {
    real variance, risen, weight, inner;
} qe_draw;

/* psi = 1.5, where both laws exist. */
real qe_switch(void) { return 1.224744871391589; }

/* The two laws agree in mean and variance alone, so paths jump at the comparison: its bounds keep the default width
 * of gradients narrow, and the factor, which varies, keeps it from being that of the step before where v stays 0. */
qe_law qe_law_of(real v, real dt, real reversion, real mean_variance, real sigma, real correlation, real y)
{
    const real decay = exp(-reversion * dt), lost = 1 - decay;
    const real kept = v * decay, gained = mean_variance * lost;
    qe_law l;
    l.mean = fmax(kept + gained, 1e-15);
    l.spread = sqrt(fmax(lost / reversion * (kept + 0.5 * gained), 1e-30));
    l.ratio = sigma * l.spread / l.mean;
    l.sigma = sigma;
    l.lead = correlation * (1 + dt * (0.5 * reversion - 0.25 * correlation * sigma));
    l.z = sqrt(dt) * y;
    const real beyond = fmax(fmin(l.ratio - qe_switch(), 0.1), -0.1);
    l.is_normal = beyond * fma(0.05, l.z, 1.5) <= 0;
    return l;
}

/* w = mean (root + noise z)^2 with root^2 + noise^2 = 1. It is drawn also where the other law holds: there with the
 * ratio between them. */
qe_draw qe_normal(const qe_law *l)
{
    const real low = l->is_normal ? l->ratio : qe_switch();
    const real square = sqrt(1 - 0.5 * low * low), root = sqrt(square);
    const real half = l->spread / sqrt(2 + 2 * square), noise = l->sigma * half / l->mean, lean = l->lead * half;
    const real shape = fmax(1 - 2 * lean * noise, 0.0625);
    const real normal = root + noise * l->z;
    qe_draw d;
    d.variance = l->mean * normal * normal;
    d.risen = lean * l->z * (2 * root + noise * l->z) - 2 * lean * lean * square / shape;
    d.weight = 0.5;
    d.inner = shape;
    return d;
}

/* w = scale gain, where gain is 0 with probability 1 - tail, else exponential. Derivatives take this law with the
 * ratio between them where the other one holds. */
qe_draw qe_near_zero(const qe_law *l)
{
    const real high = l->is_normal ? qe_switch() : l->ratio;
    const real tail = 2 / (1 + high * high), reach = l->spread / (tail * high), pull = l->lead * reach;
    const real gain = fmax(log(tail / normal_cdf(-l->z)), 0);
    qe_draw d;
    d.variance = l->sigma * reach * gain;
    d.risen = pull * gain;
    d.weight = -1;
    d.inner = 1 - tail + tail / fmax(1 - pull, 0.0625);
    return d;
}

/* The change of the price's logarithm, less its drift. */
real qe_change(const qe_draw *d, real v, real dt, real correlation, real x)
{
    const real rest = 0.5 * (1 - correlation * correlation), sum = fmax(v + d->variance, 1e-30);
    return d->risen + d->weight * log(d->inner) + dt * (sqrt(rest) * sqrt(sum) * x - 0.5 * rest * sum);
}

/* A step of one variance. */
qe_draw qe_drawn(const qe_law *l)
{
    qe_draw d = qe_normal(l);
    if (!l->is_normal) d = qe_near_zero(l);
    return d;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** The short rate of Cox, Ingersoll and Ross, dr = reversion (mean_rate - r) dt + sigma sqrt(r) dW, by
 * Andersen's QE scheme.
 *
 * A step of the rate has the exact mean and variance, and never falls below 0; discount factors are by the
 * trapezoidal rule, whose bias falls with the square of the step length. The path holds increments of a
 * Brownian motion divided by the step length.
 *
 * kind: model
 * name: cir
 * path: increments
 * dims: 1 independent
 * construction: walk
 * start: any time
 * coarser: steps
 * step: 0.125 years
 * source: Cox, Ingersoll and Ross 1985; Andersen 2008
 */
typedef struct {
    real short_rate; /* short rate at time 0 [>= 0; unit per year; role rate] */
    real reversion;  /* speed of the rate's mean reversion [> 0; unit per year] */
    real mean_rate;  /* long-run mean of the rate [>= 0; unit per year; role rate] */
    real sigma;      /* volatility of the rate's root, times 2 [> 0; unit per year; role volatility] */
} params;

typedef struct {
    real time, short_rate;
    real integral; /* of the rate since time 0 */
} state;

void start(state *s, const params *p)
{
    s->time = 0;
    s->short_rate = p->short_rate;
    s->integral = 0;
}

/* Either a shifted normal variate squared, or, near 0, exponential with a mass at 0; as in the model heston.
 */
void step(state *s, const params *p, int i, real t, const real x[])
{
    const real switch_at = 1.224744871391589, least = 1e-30;
    const real dt = t - s->time, z = sqrt(dt) * x[0], r = s->short_rate;
    const real decay = exp(-p->reversion * dt), lost = 1 - decay;
    const real kept = r * decay, gained = p->mean_rate * lost;
    const real mean = fmax(kept + gained, 1e-15);
    const real spread = sqrt(fmax(lost / p->reversion * (kept + 0.5 * gained), least));
    const real ratio = p->sigma * spread / mean;
    const real share = normal_cdf(-z), beyond = fmax(fmin(ratio - switch_at, 0.1), -0.1);
    const int is_normal = beyond * (1 + share) <= 0;
    const real low = is_normal ? ratio : switch_at;
    const real square = sqrt(1 - 0.5 * low * low), root = sqrt(square);
    const real normal = root + p->sigma * spread / (mean * sqrt(2 + 2 * square)) * z;
    const real high = is_normal ? switch_at : ratio;
    const real tail = 2 / (1 + high * high);
    const real w =
        is_normal ? mean * normal * normal : p->sigma * (spread / (tail * high)) * fmax(log(tail / share), 0);
    s->integral = fma(0.5 * dt, r + w, s->integral);
    s->short_rate = w;
    s->time = t;
}

real discount(const state *s, const params *p) { return exp(-s->integral); }

real rate(const state *s, const params *p) { return s->short_rate; }

real bond(const state *s, const params *p, real tau)
{
    const real a = p->reversion, v = p->sigma * p->sigma, g = sqrt(a * a + 2 * v);
    const real e = exp(g * tau) - 1, below = (g + a) * e + 2 * g;
    const real level = log(2 * g * exp(0.5 * (a + g) * tau) / below);
    return exp(2 * a * p->mean_rate / v * level - 2 * e / below * s->short_rate);
}

real discount_in(const state *s, const params *p, real tau) { return discount(s, p) * bond(s, p, tau); }

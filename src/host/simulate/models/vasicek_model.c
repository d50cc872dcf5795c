/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** Vasicek's short rate, dr = reversion (mean_rate - r) dt + sigma dW, with exact discounting.
 *
 * The rate and its integral are normal together, and are drawn so: rates and discount factors are exact at
 * any times. The path holds increments of two independent Brownian motions divided by the step length.
 *
 * kind: model
 * name: vasicek
 * path: increments
 * dims: 2 independent
 * construction: walk
 * start: any time
 * source: Vasicek 1977; Glasserman 2003, section 3.3
 */
typedef struct {
    real short_rate; /* short rate at time 0 [unit per year; role rate] */
    real reversion;  /* speed of the rate's mean reversion [> 0; unit per year] */
    real mean_rate;  /* long-run mean of the rate [unit per year; role rate] */
    real sigma;      /* volatility of the rate [>= 0; unit per year; role volatility] */
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

/* Over a step, with e = exp(-reversion dt) and g = (1 - e) / reversion, the noise of the rate has the
 * variance sigma^2 (1 - e^2) / (2 reversion), that of the integral sigma^2 (dt - 2 g + (1 - e^2) / (2
 * reversion)) / reversion^2, and their covariance is sigma^2 g^2 / 2. */
void step(state *s, const params *p, int i, real t, const real x[])
{
    const real dt = t - s->time, root_dt = sqrt(dt), a = p->reversion;
    const real decay = exp(-a * dt), g = (1 - decay) / a, h = (1 - decay * decay) / (2 * a);
    const real spread = sqrt(fmax(h, 1e-30)), lean = 0.5 * g * g / spread;
    const real rest = sqrt(fmax((dt - 2 * g + h) / (a * a) - lean * lean, 0));
    const real z = root_dt * x[0], beside = root_dt * x[1], above = s->short_rate - p->mean_rate;
    s->integral += p->mean_rate * dt + above * g + p->sigma * (lean * z + rest * beside);
    s->short_rate = p->mean_rate + above * decay + p->sigma * spread * z;
    s->time = t;
}

/* Without dividends, which the layer dividend-yield adds. */
real growth(const state *s, const params *p, int a, real more) { return fma(more, s->time, s->integral); }

real discount(const state *s, const params *p) { return exp(-s->integral); }

real rate(const state *s, const params *p) { return s->short_rate; }

real bond_at(const params *p, real rate, real tau)
{
    const real a = p->reversion, g = (1 - exp(-a * tau)) / a, v = p->sigma / a;
    const real far = p->mean_rate - 0.5 * v * v;
    return exp((g - tau) * far - 0.25 * v * v * a * g * g - g * rate);
}

real bond(const state *s, const params *p, real tau) { return bond_at(p, s->short_rate, tau); }

real discount_in(const state *s, const params *p, real tau) { return discount(s, p) * bond(s, p, tau); }

real known_discount(const state *s, const params *p, real tau) { return bond_at(p, p->short_rate, s->time + tau); }

real bond_variance(const state *s, const params *p, real tau)
{
    const real a = p->reversion, g = p->sigma * (1 - exp(-a * tau)) / a;
    return g * g * (1 - exp(-2 * a * s->time)) / (2 * a);
}

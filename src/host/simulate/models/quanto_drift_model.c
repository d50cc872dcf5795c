/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A foreign asset in domestic money at a fixed exchange rate: the drift that the correlation of its price and
 * the exchange rate gives, and domestic discounting, over a model of the asset with foreign rates.
 *
 * The price gets the factor exp(-fx_correlation fx_volatility times the integral of its volatility), exact
 * where the volatility stays the same, else by the mean variance of each step. `rate` is the foreign rate.
 *
 * kind: model
 * name: quanto-drift
 * model: black-scholes
 * dims: assets
 * start: any time
 * source: Reiner 1992
 */
typedef struct {
    real domestic_rate;        /* rate of the money that is paid [unit per year] */
    real fx_volatility;        /* volatility of the exchange rate, domestic per foreign money [>= 0] */
    real fx_correlation[DIMS]; /* of each price in foreign money and the exchange rate [in [-1, 1]] */
} params;

typedef struct {
    real time;
    real drift[DIMS];
} state;

void start(state *s, const params *p)
{
    for (int a = 0; a < DIMS; a++) s->drift[a] = 0;
}

void step(state *s, const params *p, int i, real t, real dt, const real x[])
{
    for (int a = 0; a < DIMS; a++)
        s->drift[a] -= p->fx_correlation[a] * p->fx_volatility * sqrt(fmax(variance(a), 1e-30)) * dt;
}

real price(const state *s, const params *p, int a) { return price(a) * exp(s->drift[a]); }

real variance(const state *s, const params *p, int a) { return variance(a); }

real discount(const state *s, const params *p) { return exp(-p->domestic_rate * s->time); }

real discount_in(const state *s, const params *p, real tau) { return exp(-p->domestic_rate * (s->time + tau)); }

real known_discount(const state *s, const params *p, real tau) { return discount_in(s, p, tau); }

real known_option(const state *s, const params *p, int a, real sign, real strike, real tau)
{
    const real grown = exp(-p->fx_correlation[a] * p->fx_volatility * fixed_volatility(a) * s->time);
    return grown * known_option(a, sign, strike / grown, tau);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A call on the mean of five assets, each under Heston's model: Euler's scheme of the logarithm of the price
 * and of the variance, with 0 instead of a variance below it (full truncation).
 *
 * The path has ten dimensions, as increments: x[a] is that of asset a, x[ASSETS + a] that of its
 * variance.
 */
#define ASSETS 5

typedef struct {
    real spot[ASSETS], variance[ASSETS]; /* today */
    real reversion[ASSETS], mean_variance[ASSETS], sigma[ASSETS];
    real rate, strike;
} params;

typedef struct {
    real change[ASSETS], variance[ASSETS]; /* of the price's logarithm since today */
    real time;
} state;

void start(state *s, const params *p)
{
    for (int a = 0; a < ASSETS; a++) {
        s->change[a] = 0;
        s->variance[a] = p->variance[a];
    }
    s->time = 0;
}

void step(state *s, const params *p, int i, real t, const real x[])
{
    const real dt = t - s->time;
    for (int a = 0; a < ASSETS; a++) {
        const real v = fmax(s->variance[a], 0), root = sqrt(v);
        s->change[a] += dt * (p->rate - v / 2 + root * x[a]);
        s->variance[a] +=
            dt * (p->reversion[a] * (p->mean_variance[a] - v) + p->sigma[a] * root * x[ASSETS + a]);
    }
    s->time = t;
}

void finish(const state *s, const params *p, real out[])
{
    real sum = 0;
    for (int a = 0; a < ASSETS; a++) sum += p->spot[a] * exp(s->change[a]);
    out[0] = exp(-p->rate * s->time) * fmax(sum / ASSETS - p->strike, 0);
}

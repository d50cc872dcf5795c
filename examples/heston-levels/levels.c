/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A call in Heston's model, by Euler's scheme: level code of multilevel Monte Carlo, which docs/mlmc.md runs.
 */
typedef struct {
    real spot, strike, rate;
    real variance, reversion, mean_variance, sigma;
} params;
typedef struct {
    real gain[2], variance[2]; /* of the fine path and of the coarse one: the price's logarithm */
} state;

enum { FINE, COARSE };

/* Euler's scheme, with 0 instead of a negative variance. */
void advance(state *s, const params *p, int which, real h, real dw, real dv)
{
    const real v = fmax(s->variance[which], 0), root = sqrt(v);
    s->gain[which] += (p->rate - v / 2) * h + root * dw;
    s->variance[which] += p->reversion * (p->mean_variance - v) * h + p->sigma * root * dv;
}

void start(state *s, const params *p, int level)
{
    for (int k = FINE; k <= COARSE; k++) {
        s->gain[k] = 0;
        s->variance[k] = p->variance;
    }
}

void step(state *s, const params *p, real t, real h, const noise *n)
{
    advance(s, p, FINE, h, n->dw[0], n->dw[1]);
}

void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m)
{
    step(s, p, t, h, n);
    step(s, p, t + h, h, m);
    advance(s, p, COARSE, 2 * h, n->dw[0] + m->dw[0], n->dw[1] + m->dw[1]);
}

void finish(const state *s, const params *p, real t, real out[2])
{
    for (int k = FINE; k <= COARSE; k++)
        out[k] = exp(-p->rate * t) * fmax(p->spot * exp(s->gain[k]) - p->strike, 0);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What is refused: a state without the member that is read. */
typedef struct {
    real spot, strike, rate, volatility, sign;
} params;
typedef struct {
    real sum, last;
} state;

void start(state *s, const params *p)
{
    s->sum = 0;
    s->last = 0;
}

void step(state *s, const params *p, int i, real t, const real x[])
{
    s->sum += p->spot * exp((p->rate - p->volatility * p->volatility / 2) * t + p->volatility * x[0]);
    s->last = t;
}

void finish(const state *s, const params *p, real out[2])
{
    const real mean = s->summ / STEPS;
    out[0] = exp(-p->rate * s->last) * fmax(p->sign * (mean - p->strike), 0);
    out[1] = mean;
}

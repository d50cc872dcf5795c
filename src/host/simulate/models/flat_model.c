/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A rate and dividend yields that stay the same.
 *
 * kind: model
 * name: flat
 * dims: assets
 * start: any time
 */
typedef struct {
    real rate;           /* rate, continuously compounded [unit per year; role rate] */
    real dividend[DIMS]; /* dividend yield of each asset, continuously compounded [unit per year; default 0;
                            role dividend] */
} params;

typedef struct {
    real time;
} state;

real growth(const state *s, const params *p, int a, real more)
{
    return (p->rate - p->dividend[a] + more) * s->time;
}

real known_growth(const state *s, const params *p, int a) { return (p->rate - p->dividend[a]) * s->time; }

real discount(const state *s, const params *p) { return exp(-p->rate * s->time); }

real discount_in(const state *s, const params *p, real tau) { return exp(-p->rate * (s->time + tau)); }

real fixed_rate(const state *s, const params *p) { return p->rate; }

real known_discount(const state *s, const params *p, real tau) { return discount_in(s, p, tau); }

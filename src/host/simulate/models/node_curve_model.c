/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A curve of zero rates at nodes, whose times need not be dates of the path, and dividend yields that stay the same.
 *
 * The logarithm of the discount factor is linear between time 0 and the nodes, and goes on straight behind the
 * last node: forward rates are constant from node to node.
 *
 * kind: model
 * name: node-curve
 * dims: assets
 * start: any time
 * check: node increases: the times of nodes must increase
 */
typedef struct {
    int nodes;           /* number of nodes that are used [in [1, 16]] */
    real node[16];       /* time of each node; 0 where there are no more [>= 0; unit years] */
    real zero_rate[16];  /* zero rate up to each node, continuously compounded [unit per year; default 0; role rate] */
    real dividend[DIMS]; /* dividend yield of each asset, continuously compounded [unit per year; default 0; role
                            dividend] */
} params;

typedef struct {
    real time;
} state;

/* The integral of the forward rates up to t. */
real rates_to(const params *p, real t)
{
    real from = 0, before = 0, sum = 0;
    for (int k = 0; k < 16; k++)
        if (k < p->nodes) {
            const real at = p->zero_rate[k] * p->node[k], span = fmax(p->node[k] - from, 1e-30);
            const real beyond = fmax(t - from, 0), part = k < p->nodes - 1 ? fmin(beyond, span) : beyond;
            sum += (at - before) / span * part;
            from = p->node[k];
            before = at;
        }
    return sum;
}

real known_growth(const state *s, const params *p, int a)
{
    return rates_to(p, s->time) - p->dividend[a] * s->time;
}

real growth(const state *s, const params *p, int a, real more)
{
    return fma(more - p->dividend[a], s->time, rates_to(p, s->time));
}

real discount(const state *s, const params *p) { return exp(-rates_to(p, s->time)); }

real discount_in(const state *s, const params *p, real tau) { return exp(-rates_to(p, s->time + tau)); }

real known_discount(const state *s, const params *p, real tau) { return discount_in(s, p, tau); }

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** The SABR model of a price relative to its forward, by a scheme of weak order 2.
 *
 * With F = price exp(-(rate - dividend) t) / spot, the model is dF = v F^beta dW, dv = sigma v dZ, where dW
 * dZ = correlation dt; a price of 0 stays there. The scheme is that of Ninomiya and Victoir in F^(1 - beta)
 * and log v, where noise moves along curves that are known; so it has no bias of log-Euler's, whose
 * volatility stands still in a step. The path holds increments of three independent Brownian motions divided
 * by the step length: x[1] moves v, x[0] the rest of the price, the sign of x[2] says which of the two comes
 * first.
 *
 * kind: model
 * name: sabr
 * path: increments
 * dims: 3 independent
 * construction: walk
 * start: any time
 * coarser: steps
 * step: 0.125 years
 * source: Hagan, Kumar, Lesniewski and Woodward 2002; Ninomiya and Victoir 2008
 */
typedef struct {
    real spot;        /* spot price [> 0; unit money; role spot] */
    real rate;        /* rate, continuously compounded [unit per year; role rate] */
    real dividend;    /* dividend yield, continuously compounded [unit per year; default 0; role dividend] */
    real volatility;  /* volatility of the price at time 0 [> 0; unit per square root of a year; role
                         volatility] */
    real beta;        /* power of the price in its volatility [in [0, 0.98]] */
    real sigma;       /* volatility of the volatility [>= 0; unit per square root of a year] */
    real correlation; /* of the price and its volatility [in [-1, 1]; role correlation] */
} params;

typedef struct {
    real time;
    real level; /* F^(1 - beta) / (1 - beta); 0 once the price is 0 */
    real log_volatility;
} state;

void start(state *s, const params *p)
{
    s->time = 0;
    s->level = 1 / (1 - p->beta);
    s->log_volatility = log(p->volatility);
}

/* Along the drift, without which noise is Stratonovich's, for time h: the midpoint rule. A level below
 * `least` of that at time 0 is one of 0. */
real drifted(const params *p, real level, real v, real h)
{
    const real least = 1e-4, pull = 0.5 * p->beta / (1 - p->beta), lean = 0.5 * p->correlation * p->sigma;
    const real slope = -v * (pull * v / fmax(level, least) + lean);
    const real middle = fmax(level + 0.5 * h * slope, least),
               slower = v * (1 - 0.25 * h * p->sigma * p->sigma);
    return level - h * slower * (pull * slower / middle + lean);
}

void step(state *s, const params *p, int i, real t, const real x[])
{
    const real dt = t - s->time, half = 0.5 * dt, apart = sqrt(1 - p->correlation * p->correlation);
    const real decay = -0.5 * p->sigma * p->sigma * half, moved = p->sigma * (dt * x[1]);
    const real before = exp(s->log_volatility + decay), after = before * exp(moved);
    /* (exp(moved) - 1) / sigma, also where sigma is 0. */
    const real grown = fabs(moved) > 0.001
                           ? (after - before) / p->sigma
                           : before * dt * x[1] * (1 + moved * (0.5 + moved * 0.16666666666666666));
    const real own = apart * (dt * x[0]);
    real level = drifted(p, s->level, exp(s->log_volatility), half);
    level += p->correlation * grown + own * (x[2] < 0 ? before : after);
    level = drifted(p, level, after, half);
    s->level = s->level > 0.0002 && level > 0.0002 ? level : 0;
    s->log_volatility += 2 * decay + moved;
    s->time = t;
}

real price(const state *s, const params *p, int a)
{
    const real rest = 1 - p->beta;
    const real relative = s->level > 0 ? pow(rest * s->level, 1 / rest) : 0;
    return p->spot * exp((p->rate - p->dividend) * s->time) * relative;
}

real discount(const state *s, const params *p) { return exp(-p->rate * s->time); }

real discount_in(const state *s, const params *p, real tau) { return exp(-p->rate * (s->time + tau)); }

real forward_price(const state *s, const params *p, int a)
{
    return p->spot * exp((p->rate - p->dividend) * s->time);
}

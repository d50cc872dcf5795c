/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** The SABR model of a price relative to its forward, by a scheme of weak order 2.
 *
 * With F = price exp(-(rate - dividend) t) / spot, the model is dF = v F^beta dW, dv = sigma v dZ, where dW
 * dZ = correlation dt; a price of 0 stays there. The scheme is that of Ninomiya and Victoir in F^(1 - beta)
 * and log v, where noise moves along curves that are known; so it has no bias of log-Euler's, whose
 * volatility stands still in a step. The path holds increments divided by the step length: those of the
 * assets, then two for each asset: one moves v, the sign of the other says
 * which of the two comes first.
 *
 * kind: model
 * name: sabr
 * model: flat
 * path: increments
 * dims: assets
 * own: 2 per dimension
 * construction: walk
 * start: any time
 * coarser: steps
 * step: 0.125 years
 * source: Hagan, Kumar, Lesniewski and Woodward 2002; Ninomiya and Victoir 2008
 */
typedef struct {
    real spot[DIMS];        /* spot price of each asset [> 0; unit money; role spot] */
    real volatility[DIMS];  /* volatility of the price at time 0 [> 0; unit per square root of a year; role
                               volatility] */
    real beta[DIMS];        /* power of the price in its volatility [in [0, 0.98]] */
    real sigma[DIMS];       /* volatility of the volatility [>= 0; unit per square root of a year] */
    real correlation[DIMS]; /* of the price and its volatility [in [-1, 1]; role correlation] */
} params;

typedef struct {
    real level[DIMS]; /* F^(1 - beta) / (1 - beta); 0 once the price is 0 */
    real log_volatility[DIMS];
    real moved[DIMS]; /* the noise of the price */
    real time;
} state;

void start(state *s, const params *p)
{
    for (int a = 0; a < DIMS; a++) {
        s->level[a] = 1 / (1 - p->beta[a]);
        s->log_volatility[a] = log(p->volatility[a]);
        s->moved[a] = 0;
    }
}

/* Along the drift, without which noise is Stratonovich's, for time h: the midpoint rule. A level below
 * `least` of that at time 0 is one of 0. */
real drifted(real beta, real sigma, real correlation, real level, real v, real h)
{
    const real least = 1e-4, pull = 0.5 * beta / (1 - beta), lean = 0.5 * correlation * sigma;
    const real slope = -v * (pull * v / fmax(level, least) + lean);
    const real middle = fmax(level + 0.5 * h * slope, least), slower = v * (1 - 0.25 * h * sigma * sigma);
    return level - h * slower * (pull * slower / middle + lean);
}

/* Of several assets, x[a] is the noise W of the price; it and the own noise are turned into Z and what is
 * independent of it. */
void step(state *s, const params *p, int i, real t, real dt, const real x[])
{
    for (int a = 0; a < DIMS; a++) {
        const real beta = p->beta[a], sigma = p->sigma[a], rho = p->correlation[a], half = 0.5 * dt;
        const real apart = sqrt(1 - rho * rho), y = x[DIMS + 2 * a];
        const real moves = DIMS > 1 ? rho * x[a] + apart * y : y, rest = DIMS > 1 ? apart * x[a] - rho * y : x[a];
        const real decay = -0.5 * sigma * sigma * half, moved = sigma * (dt * moves);
        const real before = exp(s->log_volatility[a] + decay), after = before * exp(moved);
        /* (exp(moved) - 1) / sigma, also where sigma is 0. */
        const real grown = fabs(moved) > 0.001
                               ? (after - before) / sigma
                               : before * dt * moves * (1 + moved * (0.5 + moved * 0.16666666666666666));
        const real own = apart * (dt * rest);
        real level = drifted(beta, sigma, rho, s->level[a], exp(s->log_volatility[a]), half);
        level += rho * grown + own * (x[DIMS + 2 * a + 1] < 0 ? before : after);
        level = drifted(beta, sigma, rho, level, after, half);
        s->level[a] = s->level[a] > 0.0002 && level > 0.0002 ? level : 0;
        s->log_volatility[a] += 2 * decay + moved;
        s->moved[a] = fma(dt, rho * moves + apart * rest, s->moved[a]);
    }
}

real price(const state *s, const params *p, int a)
{
    const real rest = 1 - p->beta[a];
    const real relative = s->level[a] > 0 ? pow(rest * s->level[a], 1 / rest) : 0;
    return p->spot[a] * exp(growth(a, 0)) * relative;
}

/* The price if its volatility stayed, and beta were 1. */
real lognormal_variance(const state *s, const params *p, int a) { return p->volatility[a] * p->volatility[a] * s->time; }

real lognormal(const state *s, const params *p, int a)
{
    return exp(fma(p->volatility[a], s->moved[a], -0.5 * lognormal_variance(s, p, a)));
}

real price_growth(const state *s, const params *p, int a) { return known_growth(a); }

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** Bates's model: Heston's stochastic volatility, by Andersen's QE scheme with martingale correction, and
 * Merton's normal jumps of the price's logarithm.
 *
 * The bias is that of the model heston: jumps are exact. The path holds increments of three independent
 * Brownian motions divided by the step length: x[1] moves the variance, x[2] gives the number of jumps, x[0]
 * moves the rest of the price.
 *
 * kind: model
 * name: bates
 * path: increments
 * dims: 3 independent
 * construction: walk
 * start: any time
 * coarser: steps
 * step: 0.125 years
 * source: Bates 1996; Andersen 2008
 */
typedef struct {
    real spot;     /* spot price [> 0; unit money; role spot] */
    real rate;     /* rate, continuously compounded [unit per year; role rate] */
    real dividend; /* dividend yield, continuously compounded [unit per year; default 0; role dividend] */
    real variance; /* variance at time 0; 0.04 for a volatility of 0.2 [>= 0; unit per year; role variance] */
    real reversion;     /* speed of the variance's mean reversion [> 0; unit per year] */
    real mean_variance; /* long-run mean of the variance [>= 0; unit per year; role variance] */
    real sigma;         /* volatility of the variance [>= 0] */
    real correlation;   /* of the price and the variance [in [-1, 1]; role correlation] */
    real intensity;     /* mean number of jumps [in [0, 10]; unit per year] */
    real jump_mean;     /* mean of the jump of the price's logarithm */
    real jump_sigma;    /* standard deviation of that jump [>= 0] */
} params;

typedef struct {
    real time, variance;
    real change; /* of the price's logarithm since time 0, less (rate - dividend) time */
} state;

/* The number of jumps in a step that has `mean` of them on average, at most 2.5: by inversion of its upper
 * tail at the uniform `share`. More than 16 have a probability below 1e-8. */
int jumps_in(real mean, real share)
{
    real mass = exp(-mean), above = 1 - mass; /* the probabilities of k, and of more */
    int count = 0;
    for (int k = 1; k <= 16; k++) {
        count += share < above;
        mass *= mean / k;
        above -= mass;
    }
    return count;
}

void start(state *s, const params *p)
{
    s->time = 0;
    s->variance = p->variance;
    s->change = 0;
}

/* Andersen's K1 cancels against his K0*: given v, the next variance w and an independent normal variate, the
 * change of log S is
 *
 *     A w - log E exp(A w) - h / 2 + sqrt(h) z0,    h = (1 - correlation^2) dt (v + w) / 2,
 *     A = lead / sigma,    lead = correlation (1 + reversion dt / 2 - correlation sigma dt / 4).
 *
 * Written with spread = (standard deviation of w) / sigma, nothing is divided by sigma, which may be 0.
 * Floors keep roots and quotients off 0, where they have no derivative. The two laws agree in mean and
 * variance alone, so paths jump at the comparison: its bounds keep the default width of gradients narrow, and
 * the factor 1 + share, which varies, keeps it from being that of the step before where v stays 0. */
void step(state *s, const params *p, int i, real t, const real x[])
{
    const real switch_at = 1.224744871391589, least = 1e-30; /* psi = 1.5, where both schemes exist */
    const real dt = t - s->time, root_dt = sqrt(dt), z = root_dt * x[1], v = s->variance;
    const real decay = exp(-p->reversion * dt), lost = 1 - decay;
    const real kept = v * decay, gained = p->mean_variance * lost;
    const real mean = fmax(kept + gained, 1e-15);
    const real spread = sqrt(fmax(lost / p->reversion * (kept + 0.5 * gained), least));
    const real ratio = p->sigma * spread / mean; /* the root of Andersen's psi */
    const real share = normal_cdf(-z), beyond = fmax(fmin(ratio - switch_at, 0.1), -0.1);
    const int is_normal = beyond * (1 + share) <= 0;
    const real lead = p->correlation * (1 + dt * (0.5 * p->reversion - 0.25 * p->correlation * p->sigma));

    /* w = mean (root + noise z)^2 with root^2 + noise^2 = 1. */
    const real low = is_normal ? ratio : switch_at;
    const real square = sqrt(1 - 0.5 * low * low), root = sqrt(square);
    const real half = spread / sqrt(2 + 2 * square), noise = p->sigma * half / mean, lean = lead * half;
    const real shape = fmax(1 - 2 * lean * noise, 0.0625);
    const real normal = root + noise * z;

    /* w = scale gain, where gain is 0 with probability 1 - tail, else exponential. */
    const real high = is_normal ? switch_at : ratio;
    const real tail = 2 / (1 + high * high), reach = spread / (tail * high), pull = lead * reach;
    const real gain = fmax(log(tail / share), 0);
    const real moment = 1 - tail + tail / fmax(1 - pull, 0.0625);

    const real w = is_normal ? mean * normal * normal : p->sigma * reach * gain;
    const real risen =
        is_normal ? lean * z * (2 * root + noise * z) - 2 * lean * lean * square / shape : pull * gain;
    const real weight = is_normal ? 0.5 : -1, logarithm = log(is_normal ? shape : moment);
    const real rest = 0.5 * (1 - p->correlation * p->correlation), sum = fmax(v + w, least);
    /* The jumps' normal part joins the diffusion's: a sum of independent normals is one. */
    const real count = jumps_in(p->intensity * dt, normal_cdf(-root_dt * x[2]));
    const real grows = exp(p->jump_mean + 0.5 * p->jump_sigma * p->jump_sigma) - 1;
    const real jumped = dt * rest * sum + count * p->jump_sigma * p->jump_sigma;
    s->change += risen + weight * logarithm - 0.5 * dt * rest * sum + sqrt(jumped) * (root_dt * x[0]);
    s->change += count * p->jump_mean - p->intensity * grows * dt;
    s->variance = w;
    s->time = t;
}

real price(const state *s, const params *p, int a)
{
    return p->spot * exp((p->rate - p->dividend) * s->time + s->change);
}

real discount(const state *s, const params *p) { return exp(-p->rate * s->time); }

real discount_in(const state *s, const params *p, real tau) { return exp(-p->rate * (s->time + tau)); }

real forward_price(const state *s, const params *p, int a)
{
    return p->spot * exp((p->rate - p->dividend) * s->time);
}

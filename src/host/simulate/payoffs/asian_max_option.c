/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * An Asian option with a floating strike on the maximum of two assets: Howes and Thomas, GPU Gems 3, chapter
 * 37, listing 37-8. In each step price a is multiplied by exp(drift_a + sigma_aa ra) and price b by
 * exp(drift_b + sigma_ab ra + sigma_bb rb), with normals ra and rb. It pays the mean over the steps of the
 * larger price, less the larger price at the end, if that is positive. Nothing is discounted. They take 256
 * steps.
 *
 * The path: x[0] and x[1] are ra and rb: 2 dimensions without covariance, output INCREMENTS, construction
 * WALK, times 1, 2, 3, ... (an increment divided by the time it takes, 1, is a standard normal).
 *
 * out[0]: what the option pays.
 */
typedef struct {
    real spot_a, spot_b;
    real drift_a, drift_b;             /* of the logarithm, per step */
    real sigma_aa, sigma_ab, sigma_bb; /* the factor of the covariance of the logarithms, per step */
} params;

typedef struct {
    real a, b; /* prices */
    real sum;
} state;

void start(state *s, const params *p)
{
    s->a = p->spot_a;
    s->b = p->spot_b;
    s->sum = 0;
}

void step(state *s, const params *p, int i, real t, const real x[])
{
    s->a *= exp(fma(x[0], p->sigma_aa, p->drift_a));
    s->b *= exp(fma(x[1], p->sigma_bb, fma(x[0], p->sigma_ab, p->drift_b)));
    s->sum += fmax(s->a, s->b);
}

void finish(const state *s, const params *p, real out[])
{
    out[0] = fmax(s->sum / STEPS - fmax(s->a, s->b), 0);
}

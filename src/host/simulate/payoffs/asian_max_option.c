/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** An Asian option with a floating strike on the larger of two prices.
 *
 * The payoff is the mean of the larger price over the steps minus the larger price at the end, or 0 if that
 * is negative.
 * In each step price a is multiplied by exp(drift_a + sigma_aa ra) and price b by exp(drift_b + sigma_ab ra +
 * sigma_bb rb), with normals ra and rb. Nothing is discounted. This is listing 37-8 of Howes and Thomas, who
 * use 256 steps and give no parameters. The defaults are one year of 256 steps, volatilities of 20 % and a
 * correlation of 0.5.
 *
 * The path, x[0] and x[1], holds the normals ra and rb.
 *
 * name: asian-max
 * path: normals
 * dims: at least 2
 * steps: 256
 * construction: walk
 * start: any time
 * out[0] price: payoff
 * source: Howes and Thomas, GPU Gems 3, chapter 37
 * example: --paths 100000: the defaults
 * example: --spot-a 110 --sigma-ab 0 --generator mt19937: other parameters, another generator
 */
typedef struct {
    real spot_a, spot_b;   /* spot price [> 0; unit money; default 100; role spot] */
    real drift_a, drift_b; /* drift of the logarithm of the price [unit per step; default 0.0001171875] */
    real sigma_aa;         /* weight of the first normal in the logarithm of price a [default 0.0125] */
    real sigma_ab;         /* weight of the first normal in the logarithm of price b [default 0.00625] */
    real
        sigma_bb; /* weight of the second normal in the logarithm of price b [default 0.010825317547305483] */
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

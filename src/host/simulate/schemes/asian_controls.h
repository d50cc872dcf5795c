/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Control variates of options on a mean over the dates, in the payoff language: the mean of the discounted assets, and
 * sums for the geometric mean of a lognormal price. State has the first prices, `spot`, and martingales, logs, means,
 * spread and last, which begin as 0; weight is a parameter.
 */

void date_mean(state *s, const params *p, int k, real t)
{
    for (int a = 0; a < DIMS; a++) s->martingales += p->weight[a] * s->spot[a] * martingale(a);
}

real control_mean(const state *s, const params *p) { return s->martingales / STEPS; }

/* The variance of a period counts in all fixings to come. */
void date_lognormal(state *s, const params *p, int k, real t)
{
    const real now = lognormal_variance(0), part = (real)(STEPS - k) / STEPS;
    s->means += known_growth(0) - 0.5 * now;
    s->logs += log(lognormal(0)) + 0.5 * now;
    s->spread = fma(part * part, now - s->last, s->spread);
    s->last = now;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The answers of Hull and White's model, from its state: `factor` y, its `integral`, `discounting`, the integral of
 * forward rates up to now, `ahead`, the forward rate after now, `period`, the time from date to date, `next`, the number
 * of the period after now, and `time`. The code that includes this has reversion_of and sigma_of, its parameters.
 */

void start_rate(state *s, const params *p)
{
    s->factor = 0;
    s->integral = 0;
    s->discounting = 0;
    s->ahead = p->forward[0];
    s->period = 0;
    s->next = 0;
}

/* The curve, after step i to the time t. */
void next_period(state *s, const params *p, int i, real t, real dt)
{
    s->discounting = fma(dt, p->forward[i], s->discounting);
    s->ahead = p->forward[i < STEPS - 1 ? i + 1 : STEPS - 1];
    s->period = t / (i + 1);
    s->next = i + 1;
}

/* Half of the variance of the integral of y up to t. */
real convexity(const params *p, real t)
{
    const real a = reversion_of(p), v = sigma_of(p) / a, decay = exp(-a * t);
    return 0.5 * v * v * (t - (1 - decay) * (3 - decay) / (2 * a));
}

real passed(const state *s, const params *p) { return s->discounting + convexity(p, s->time) + s->integral; }

real discount(const state *s, const params *p) { return exp(-passed(s, p)); }

real rate(const state *s, const params *p)
{
    const real a = reversion_of(p), v = sigma_of(p), g = (1 - exp(-a * s->time)) / a;
    return s->ahead + 0.5 * v * v * g * g + s->factor;
}

/* The integral of forward rates from now to `tau` from now. */
real expected(const state *s, const params *p, real tau)
{
    real sum = 0, rest = tau;
    if (s->next >= STEPS - 1 || tau <= s->period) return s->ahead * tau;
    for (int j = 1; j < STEPS; j++) {
        const real within = j < s->next ? 0 : j < STEPS - 1 ? fmin(rest, s->period) : rest;
        sum = fma(within, p->forward[j], sum);
        rest -= within;
    }
    return sum;
}

real bond(const state *s, const params *p, real tau)
{
    const real a = reversion_of(p), v = sigma_of(p), g = (1 - exp(-a * tau)) / a;
    const real squares = v * v * (1 - exp(-2 * a * s->time)) / (4 * a);
    const real grown = v * (1 - exp(-a * s->time)) / a;
    return exp(-expected(s, p, tau) - g * (s->factor + 0.5 * grown * grown) - squares * g * g);
}

real discount_in(const state *s, const params *p, real tau) { return discount(s, p) * bond(s, p, tau); }

real known_discount(const state *s, const params *p, real tau) { return exp(-s->discounting - expected(s, p, tau)); }

real bond_variance(const state *s, const params *p, real tau)
{
    const real a = reversion_of(p), g = sigma_of(p) * (1 - exp(-a * tau)) / a;
    return g * g * (1 - exp(-2 * a * s->time)) / (2 * a);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Steps of Hull and White's rate with a price that it is correlated with, in the payoff language: of the state of
 * hull_white.h, with the forward rates `forward` of periods as a parameter.
 */

/* From increments divided by dt of independent Brownian motions: x, with which the rate has the correlation rho, and
 * its own, y and w. The noises of x, of the rate and of its integral have the variances dt, h and (dt - 2 g + h) / a^2;
 * that of the integral has the covariance g^2 / 2 with the rate, and that of x has rho g, and rho (dt - g) / a, with
 * both. */
void move_rate(state *s, const params *p, int i, real t, real dt, real rho, real x, real y, real w)
{
    const real root_dt = sqrt(dt), a = reversion_of(p), v = sigma_of(p);
    const real decay = exp(-a * dt), g = (1 - decay) / a, h = (1 - decay * decay) / (2 * a);
    const real first = rho * g / root_dt, second = rho * (dt - g) / (a * root_dt);
    const real spread = sqrt(fmax(h - first * first, 1e-30)), lean = (0.5 * g * g - first * second) / spread;
    const real rest = sqrt(fmax((dt - 2 * g + h) / (a * a) - second * second - lean * lean, 0));
    s->integral += s->factor * g + v * (second * (root_dt * x) + lean * (root_dt * y) + rest * (root_dt * w));
    s->factor = s->factor * decay + v * (first * (root_dt * x) + spread * (root_dt * y));
    next_period(s, p, i, t, dt);
}

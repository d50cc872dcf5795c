/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Control variates of a product on the price at the end, in the payoff language: that price, and the call or put on a
 * lognormal one by Black's formula (black.h). State has the first price, `spot`; parameters are strike, sign and
 * payment_lag.
 */

real control_asset(const state *s, const params *p) { return s->spot * martingale(0); }

real control_lognormal(const state *s, const params *p)
{
    const real forward = s->spot * exp(known_growth(0)), gain = p->sign * (forward * lognormal(0) - p->strike);
    return discount_in(p->payment_lag) *
           (fmax(gain, 0) - black(p->sign, forward, p->strike, lognormal_variance(0)));
}

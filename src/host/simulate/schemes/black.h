/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Black's formula (1976), in the payoff language: closed forms of products and of their control variates.
 */

/* A call or put, not discounted, on a lognormal price of mean `forward` whose logarithm has the variance `spread`. */
real black(real sign, real forward, real strike, real spread)
{
    const real deviation = sqrt(fmax(spread, 1e-20)), least = 1e-20 * forward;
    const real d = log(forward / fmax(strike, least)) / deviation + 0.5 * deviation;
    const real gain = sign * (forward * normal_cdf(sign * d) - strike * normal_cdf(sign * (d - deviation)));
    return strike > least ? gain : fmax(sign * (forward - strike), 0);
}

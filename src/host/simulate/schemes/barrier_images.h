/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Closed forms of barriers, in the payoff language, by the method of images: a Brownian motion with drift that has
 * not touched a barrier has the density of one that starts where it does less those of its images, each with a
 * weight (Reiner and Rubinstein 1991; of two barriers Kunitomo and Ikeda 1992).
 */

/* The mean of scale e^y - strike within low and high, for a normal y with that center and standard deviation. */
real within(real low, real high, real center, real deviation, real scale, real strike)
{
    const real from = (low - center) / deviation, to = (high - center) / deviation;
    const real grown = scale * exp(center + 0.5 * deviation * deviation);
    return grown * (normal_cdf(to - deviation) - normal_cdf(from - deviation)) -
           strike * (normal_cdf(to) - normal_cdf(from));
}

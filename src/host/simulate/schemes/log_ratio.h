/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The logarithm of a quotient, in the payoff language.
 */

/* log(a / b), with all its digits where a and b are close: the series of the area tangent. */
real log_ratio(real a, real b)
{
    const real w = (a - b) / (a + b), square = w * w;
    if (square > 0.00025) return log(a / b);
    const real more = fma(square, fma(square, fma(square, 0.1111111111111111, 0.14285714285714285), 0.2),
                          0.3333333333333333);
    return 2 * w * fma(square, more, 1);
}

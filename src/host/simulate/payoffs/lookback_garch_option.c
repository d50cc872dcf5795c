/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A lookback option on an asset whose volatility follows a GARCH model: Howes and Thomas, GPU Gems 3, chapter
 * 37, listing 37-9. It pays the sum over the steps of what the price at the beginning of the step exceeds the
 * last price by. In each step the volatility becomes sqrt(a0 + a1 volatility^2 + a2 shock^2), with the shock
 * of the step before; the shock becomes that volatility times a normal; and the price is multiplied by
 * exp(drift + shock). Nothing is discounted. They take 8 steps.
 *
 * The payoff looks back from the last price, which is known at the end: so it is given the whole path. It
 * keeps STEPS prices, on each thread's stack: take thousands of steps at most.
 *
 * The path: at(x, i, 0) is the normal of step i: output INCREMENTS, construction WALK, times 1, 2, 3, ... (an
 * increment divided by the time it takes, 1, is a standard normal).
 *
 * out[0]: what the option pays.
 */
typedef struct {
    real spot;
    real drift;             /* of the logarithm, per step */
    real volatility, shock; /* before the first step */
    real a0, a1, a2;        /* of the model */
} params;

#if STEPS > 4096
#error lookback-garch takes at most 4096 steps
#endif

void whole(const params *p, path x, real out[])
{
    real before[STEPS], price = p->spot, volatility = p->volatility, shock = p->shock;
    for (int i = 0; i < STEPS; i++) {
        before[i] = price;
        volatility = sqrt(fma(p->a2, shock * shock, fma(p->a1, volatility * volatility, p->a0)));
        shock = at(x, i, 0) * volatility;
        price *= exp(p->drift + shock);
    }
    real sum = 0;
    for (int i = STEPS - 1; i >= 0; i--) sum += fmax(before[i] - price, 0);
    out[0] = sum;
}

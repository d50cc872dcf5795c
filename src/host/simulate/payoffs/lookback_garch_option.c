/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A lookback option on an asset whose volatility follows a GARCH model.
 *
 * The payoff is the sum over the steps of max(price at the beginning of the step - last price, 0). In each
 * step the volatility becomes sqrt(a0 + a1 volatility^2 + a2 shock^2), with the shock of the step
 * before; the shock becomes that volatility times a normal; and the price is multiplied by exp(drift +
 * shock). Nothing is discounted. This is listing 37-9 of Howes and Thomas, who use 8 steps and give no
 * parameters. The defaults are 8 steps with a mean volatility of 1 %.
 *
 * The path, at(x, i, 0), holds the normal of step i. Since the payoff compares all prices with the last one,
 * it receives the whole path, and keeps STEPS prices on each thread's stack.
 *
 * name: lookback-garch
 * path: normals
 * dims: at least 1
 * steps: 8, at most 4096
 * construction: walk
 * start: any time
 * out[0] price: payoff
 * source: Howes and Thomas, GPU Gems 3, chapter 37
 * example: --paths 100000: the defaults
 * example: --spot 50 --steps 30 --a1 0.8 --a2 0.15: other parameters
 */
typedef struct {
    real spot;       /* spot price [> 0; unit money; default 100; role spot] */
    real drift;      /* drift of the logarithm of the price [unit per step; default 0.0001] */
    real volatility; /* volatility before the first step [>= 0; unit per step; default 0.01; role volatility]
                      */
    real shock;      /* shock before the first step [default 0] */
    real a0;         /* constant part of a step's variance [>= 0; default 0.000005] */
    real a1;         /* weight of the previous step's variance [>= 0; default 0.85] */
    real a2;         /* weight of the previous step's squared shock [>= 0; default 0.1] */
} params;

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

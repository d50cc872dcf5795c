/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A lookback option on an asset whose volatility follows a GARCH model.
 *
 * It pays the sum over the steps of what the price at the beginning of the step exceeds the last price by. In
 * each step the volatility becomes sqrt(a0 + a1 volatility^2 + a2 shock^2), with the shock of the step
 * before; the shock becomes that volatility times a normal; and the price is multiplied by exp(drift +
 * shock). Nothing is discounted. This is listing 37-9 of Howes and Thomas, who take 8 steps and give no
 * numbers: the defaults are 8 steps with a mean volatility of 1 %.
 *
 * The path, at(x, i, 0), has the normal of step i. As the payoff looks back from the last price, which is
 * known at the end, it is given the whole path, and keeps STEPS prices on each thread's stack.
 *
 * name: lookback-garch
 * path: normals
 * dims: at least 1
 * steps: 8, at most 4096
 * construction: walk
 * start: any time
 * out[0] price: what the option pays
 * source: Howes and Thomas, GPU Gems 3, chapter 37
 * example: --paths 100000: the defaults
 * example: --spot 50 --steps 30 --a1 0.8 --a2 0.15: other numbers
 */
typedef struct {
    real spot;       /* price today [> 0; unit money; default 100; role spot] */
    real drift;      /* of the logarithm [unit per step; default 0.0001] */
    real volatility; /* before the first step [>= 0; unit per step; default 0.01; role volatility] */
    real shock;      /* change of the logarithm by chance before the first step [default 0] */
    real a0;         /* constant part of a step's variance [>= 0; default 0.000005] */
    real a1;         /* part of the variance of the step before [>= 0; default 0.85] */
    real a2;         /* part of the square of the shock of the step before [>= 0; default 0.1] */
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

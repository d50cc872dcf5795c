/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A Bermudan call or put on one asset, which may be exercised at each date; with many dates, an American one.
 *
 * Today is not a date: the option is worth at least what exercise pays today. The policy looks at the price alone.
 *
 * kind: product
 * name: bermudan
 * model: black-scholes
 * dims: 1
 * steps: 50
 * start: any time
 * out[0] price: discounted payoff
 * source: Longstaff and Schwartz 2001
 * example: --spot 36 --rate 0.06 --volatility 0.2 --strike 40 --type put: a put with 50 dates in one year; with
 * more dates its value approaches 4.487
 */
typedef struct {
    real strike; /* strike [unit money; role strike] */
    real sign;   /* put or call [-1 (put) or 1 (call); default 1; role sign] */
} params;

real exercise(const state *s, const params *p, real t)
{
    const real now = price(0);
    return discount() * fmax(p->sign < 0 ? p->strike - now : now - p->strike, 0);
}

/* exp(-S/2) times powers of S - 1, where S is the price in strikes. */
void regress(const state *s, const params *p, real f[4])
{
    const real now = price(0) / p->strike, u = now - 1;
    f[0] = exp(-0.5 * now);
    f[1] = f[0] * u;
    f[2] = f[1] * u;
    f[3] = f[2] * u;
}

void finish(const state *s, const params *p, real out[])
{
    const real now = price(0);
    out[0] = discount() * fmax(p->sign < 0 ? p->strike - now : now - p->strike, 0);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** An option on a swap that begins at the end of the path.
 *
 * The swap exchanges a fixed rate for a floating one, in periods of equal length. Its value at the end of the
 * path comes from the prices of bonds.
 *
 * kind: product
 * name: swaption
 * model: vasicek
 * dims: 1
 * steps: 1
 * start: any time
 * out[0] price: discounted payment
 * example: --short-rate 0.03 --reversion 0.5 --mean-rate 0.04 --sigma 0.01 --strike 0.035 --maturity 1
 * --payments 10: into five years of payments each half year
 */
typedef struct {
    real notional; /* amount on which rates are paid [unit money; default 1] */
    real strike;   /* fixed rate [unit per year; role strike] */
    real tenor;    /* length of a period [> 0; unit years; default 0.5] */
    int payments;  /* number of periods [in [1, 60]; default 4] */
    real sign; /* receiver or payer of the fixed rate [-1 (receiver) or 1 (payer); default 1; role sign] */
} params;

void finish(const state *s, const params *p, real out[])
{
    real fixed = 0, last = 1;
    for (int k = 1; k <= 60; k++) {
        last = k <= p->payments ? bond(k * p->tenor) : last;
        fixed += k <= p->payments ? p->strike * p->tenor * last : 0;
    }
    const real worth = 1 - last - fixed;
    out[0] = p->notional * discount() * fmax(p->sign < 0 ? -worth : worth, 0);
}

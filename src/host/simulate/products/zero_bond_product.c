/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A zero bond, which pays its notional at the end of the path.
 *
 * kind: product
 * name: zero-bond
 * model: vasicek
 * dims: 1
 * steps: 1
 * start: any time
 * out[0] price: discounted payment
 * example: --short-rate 0.03 --reversion 0.5 --mean-rate 0.04 --sigma 0.01 --maturity 5: five years
 */
typedef struct {
    real notional;    /* payment at maturity [unit money; default 1] */
    real payment_lag; /* time from the last date to the payment [>= 0; unit years; default 0] */
} params;

void finish(const state *s, const params *p, real out[])
{
    out[0] = p->notional * discount_in(p->payment_lag);
}

real closed_form(const state *s, const params *p) { return p->notional * known_discount(p->payment_lag); }

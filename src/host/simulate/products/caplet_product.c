/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A caplet or floorlet on the simple rate from the end of the path on, paid when the rate's period ends.
 *
 * The payment is known at the end of the path; the price of a bond discounts the rest of the time.
 *
 * kind: product
 * name: caplet
 * model: vasicek
 * dims: 1
 * steps: 1
 * start: any time
 * out[0] price: discounted payment
 * control: bond: the bond that the option is on, discounted, less its mean
 * source: Jamshidian 1989
 * example: --short-rate 0.03 --reversion 0.5 --mean-rate 0.04 --sigma 0.01 --strike 0.04 --maturity 2: the
 * rate from year 2 to year 2.5
 */
typedef struct {
    real notional; /* amount on which the rate is paid [unit money; default 1] */
    real strike;   /* strike, a simple rate [unit per year; role strike] */
    real tenor;    /* period of the rate [> 0; unit years; default 0.5] */
    real sign;     /* floorlet or caplet [-1 (floor) or 1 (cap); default 1; role sign] */
} params;

void finish(const state *s, const params *p, real out[])
{
    const real paid = bond(p->tenor), fixed = (1 + p->strike * p->tenor) * paid;
    const real gain = p->sign < 0 ? fixed - 1 : 1 - fixed;
    out[0] = p->notional * discount() * fmax(gain, 0);
}

real control_bond(const state *s, const params *p)
{
    const real fixed = p->notional * (1 + p->strike * p->tenor);
    return fixed * (discount() * bond(p->tenor) - known_discount(p->tenor));
}

#include "host/simulate/schemes/black.h"

/* A caplet is a put on the bond. */
real closed_form(const state *s, const params *p)
{
    const real now = known_discount(0), fixed = (1 + p->strike * p->tenor) * known_discount(p->tenor);
    return p->notional * now * black(-p->sign, fixed / now, 1, bond_variance(p->tenor));
}

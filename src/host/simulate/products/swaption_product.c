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
 * control: swap: the swap, discounted, less its mean
 * source: Jamshidian 1989
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

real control_swap(const state *s, const params *p)
{
    const real now = discount();
    real worth = now - known_discount(0);
    for (int k = 1; k <= 60; k++) {
        const real tau = k * p->tenor, paid = p->strike * p->tenor + (k == p->payments ? 1 : 0);
        worth -= k <= p->payments ? paid * (now * bond(tau) - known_discount(tau)) : 0;
    }
    return p->notional * worth;
}

/* The fixed side and the notional at the end, divided by known_discount(0), if the normal number that moves all bonds
 * is z; or, of its part above z, the mean. */
real fixed_side(const state *s, const params *p, real z, int mean)
{
    real sum = 0;
    for (int k = 1; k <= 60; k++)
        if (k <= p->payments) {
            const real tau = k * p->tenor, spread = bond_variance(tau), v = sqrt(fmax(spread, 1e-30));
            const real paid = (p->strike * p->tenor + (k == p->payments ? 1 : 0)) * known_discount(tau);
            sum += paid * (mean ? normal_cdf(v - z) : exp(v * z - 0.5 * spread));
        }
    return sum / known_discount(0);
}

/* All bonds move together, so the option is one on each of them, up to the number at which the swap is worth 0. */
real closed_form(const state *s, const params *p)
{
    real low = -40, high = 40;
    for (int i = 0; i < 100; i++) {
        const real middle = 0.5 * (low + high);
        if (fixed_side(s, p, middle, 0) < 1)
            low = middle;
        else
            high = middle;
    }
    const real receiver = fixed_side(s, p, low, 1) - normal_cdf(-low), forward = fixed_side(s, p, -50, 1) - 1;
    return p->notional * known_discount(0) * (p->sign < 0 ? receiver : receiver - forward);
}
